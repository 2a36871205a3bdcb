//! Journals: files that record completed work, so that an interrupted run can be resumed.
//!
//! A journal consists of lines: usually a header with the settings, and then an entry for each
//! completed piece of work. Every line is written with a checksum. If writing a line fails, the
//! partial line is removed. A partial last line, left by a killed run, is removed when the journal
//! is opened again. Only one process at a time can append to a journal.

mod append;
mod line;

pub(crate) use append::AppendFile;

use super::file::{Holder, LockError, lock, save_damaged};
use line::{seal, unseal};
use serde::Serialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

/// A journal entry, stored as one line of text.
pub trait Entry: Sized {
    /// Returns the text, which contains no line break.
    fn to_text(&self) -> io::Result<String>;
    /// Parses an entry; `None` if the text is not an entry.
    fn from_text(text: &str) -> Option<Self>;
}

impl<T: Serialize + DeserializeOwned> Entry for T {
    fn to_text(&self) -> io::Result<String> {
        Ok(serde_json::to_string(self)?)
    }

    fn from_text(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }
}

/// The dependency between entries, which determines how a damaged line is handled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Order {
    /// Entries are independent. A damaged line is skipped but stays in the file.
    Independent,
    /// Each entry depends on all earlier entries. A damaged file is copied, then truncated before
    /// the first damaged line.
    Sequential,
}

/// The unusable parts of a journal.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Damage {
    /// True if the last line is incomplete.
    pub torn: bool,
    /// The numbers of the damaged lines, counted from 1. For [`Order::Sequential`], only the first
    /// damaged line is listed.
    pub lines: Vec<usize>,
    /// The number of lost entries: damaged entries, and later entries that depend on them.
    pub lost: usize,
    /// The path of the copy that was made before the file was truncated. `None` if no complete line
    /// or record was cut off.
    pub saved: Option<PathBuf>,
}

impl Damage {
    pub(crate) const fn is_loss(&self) -> bool {
        !self.lines.is_empty()
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { torn, lines, lost, saved } = self;
        match &lines[..] {
            [] if *torn => return f.write_str("the last line is incomplete"),
            [] => return f.write_str("no line is damaged"),
            [line] => write!(f, "line {line} is damaged")?,
            [first, ..] => write!(f, "{} lines from line {first} on are damaged", lines.len())?,
        }
        let noun = if *lost == 1 { "entry is" } else { "entries are" };
        write!(f, ", {lost} {noun} lost")?;
        match saved {
            Some(path) => write!(f, "; the damaged file is saved as {}", path.display()),
            None => Ok(()),
        }
    }
}

#[derive(Debug)]
pub(crate) struct Journal<E> {
    file: AppendFile,
    entries: PhantomData<fn(&E)>,
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum JournalError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("in use by {0}")]
    InUse(Holder),
    #[error("not a journal of this kind; the file was left unchanged")]
    Foreign,
    #[error("the journal has other settings ({found}, not {wanted}); use another file")]
    Settings { found: String, wanted: String },
}

impl From<LockError> for JournalError {
    fn from(error: LockError) -> Self {
        match error {
            LockError::Held(holder) => Self::InUse(holder),
            LockError::Io(error) => Self::Io(error),
        }
    }
}

/// A journal that has been read but not yet changed.
#[derive(Debug)]
pub(crate) struct Loaded<E, S> {
    file: File,
    path: PathBuf,
    order: Order,
    /// The length to which the file is truncated before entries are appended, in bytes.
    end: u64,
    pub(crate) settings: Option<S>,
    pub(crate) damage: Damage,
    entries: PhantomData<fn(&E)>,
}

impl<E: Entry, S: DeserializeOwned> Loaded<E, S> {
    /// Opens, locks and reads a journal, or creates an empty file. Passes each entry with its line
    /// number to `each`. Fails if the file is in use or has a header of another kind.
    pub(crate) fn open(
        path: &Path,
        order: Order,
        each: impl FnMut(E, usize),
    ) -> Result<Self, JournalError> {
        let file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
        lock(&file)?;
        Self::scan(file, path, order, true, each)
    }

    /// Reads a journal without changing or locking it. Fails if the file has a header of another
    /// kind.
    pub fn read(
        path: &Path,
        order: Order,
        each: impl FnMut(E, usize),
    ) -> Result<Self, JournalError> {
        Self::scan(File::open(path)?, path, order, true, each)
    }

    /// Reads the header and the entries. A partial header is treated as missing, because the run
    /// was killed before it wrote its first entry.
    fn scan(
        file: File,
        path: &Path,
        order: Order,
        has_header: bool,
        mut each: impl FnMut(E, usize),
    ) -> Result<Self, JournalError> {
        let mut reader = BufReader::new(&file);
        let (mut settings, mut end, mut damage) = (None, 0, Damage::default());
        let (mut line, mut offset, mut number) = (Vec::new(), 0, 0);
        while let read @ 1.. = reader.read_until(b'\n', &mut line)? {
            offset += read as u64;
            number += 1;
            let (is_header, is_complete) = (has_header && number == 1, line.ends_with(b"\n"));
            let text = unseal(&line);
            if is_header && is_complete {
                settings = text.and_then(|text| serde_json::from_str(&text).ok());
                if settings.is_none() {
                    return Err(JournalError::Foreign);
                }
                end = offset;
            } else if !is_complete {
                if is_header && !is_partial_header::<S>(&line) {
                    return Err(JournalError::Foreign);
                }
                damage.torn = true;
            } else {
                let entry = text.and_then(|text| E::from_text(&text));
                let is_cut = order == Order::Sequential && damage.is_loss();
                damage.lost += usize::from(is_cut || entry.is_none());
                match entry {
                    _ if is_cut => {}
                    Some(entry) => {
                        each(entry, number);
                        end = offset;
                    }
                    None => {
                        damage.lines.push(number);
                        if order == Order::Independent {
                            end = offset;
                        }
                    }
                }
            }
            line.clear();
        }
        let path = path.to_owned();
        Ok(Self { file, path, order, end, settings, damage, entries: PhantomData })
    }

    /// Truncates the unusable end of the file and opens the journal for appending.
    pub(crate) fn into_journal(mut self) -> Result<(Journal<E>, Damage), JournalError> {
        if self.order == Order::Sequential && self.damage.is_loss() {
            self.damage.saved = Some(save_damaged(&self.path)?);
        }
        let mut file = AppendFile::new(self.file);
        if file.length()? != self.end {
            file.truncate(self.end)?;
        }
        Ok((Journal { file, entries: PhantomData }, self.damage))
    }
}

/// Returns whether an incomplete first line can be the start of a header. A whole JSON value that
/// is not a header belongs to another file, which must not be overwritten.
fn is_partial_header<S: DeserializeOwned>(line: &[u8]) -> bool {
    let is_whole = serde_json::from_slice::<IgnoredAny>(line).is_ok();
    line.starts_with(b"{") && (!is_whole || serde_json::from_slice::<S>(line).is_ok())
}

impl<E: Entry> Loaded<E, ()> {
    /// Like [`Self::open`], for a journal without a header.
    pub(crate) fn open_without_header(
        path: &Path,
        each: impl FnMut(E, usize),
    ) -> Result<Self, JournalError> {
        let file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
        lock(&file)?;
        Self::scan(file, path, Order::Independent, false, each)
    }

    /// Like [`Self::read`], for a journal without a header.
    pub(crate) fn read_without_header(
        path: &Path,
        each: impl FnMut(E, usize),
    ) -> Result<Self, JournalError> {
        Self::scan(File::open(path)?, path, Order::Independent, false, each)
    }
}

impl<E: Entry> Journal<E> {
    /// Opens or creates a journal of independent entries. Passes the entries to `each`, in order.
    /// Fails if the file is not a journal with these settings or is in use.
    pub(crate) fn open<S>(
        path: &Path,
        settings: &S,
        mut each: impl FnMut(E),
    ) -> Result<(Self, Damage), JournalError>
    where
        S: Serialize + DeserializeOwned + PartialEq,
    {
        let loaded = Loaded::<E, S>::open(path, Order::Independent, |entry, _| each(entry))?;
        let is_new = match &loaded.settings {
            Some(found) if found != settings => {
                let (found, wanted) = (found.to_text()?, settings.to_text()?);
                return Err(JournalError::Settings { found, wanted });
            }
            found => found.is_none(),
        };
        let (mut journal, damage) = loaded.into_journal()?;
        if is_new {
            journal.begin(settings)?;
        }
        Ok((journal, damage))
    }

    /// Opens an existing journal of sequential entries. Passes the entries to `each`, in order. The
    /// caller must hold the lock on the folder.
    #[cfg_attr(not(feature = "board"), allow(dead_code, reason = "only used by the board"))]
    pub(crate) fn resume<S: DeserializeOwned>(
        path: &Path,
        mut each: impl FnMut(E),
    ) -> Result<(S, Self, Damage), JournalError> {
        let file = OpenOptions::new().read(true).append(true).open(path)?;
        let each = |entry, _| each(entry);
        let mut loaded = Loaded::<E, S>::scan(file, path, Order::Sequential, true, each)?;
        let settings = loaded.settings.take().ok_or(JournalError::Foreign)?;
        let (journal, damage) = loaded.into_journal()?;
        Ok((settings, journal, damage))
    }

    /// Reads a journal without changing it. Passes the entries to `each`, in order.
    pub fn read<S: DeserializeOwned>(
        path: &Path,
        order: Order,
        mut each: impl FnMut(E),
    ) -> Result<(S, Damage), JournalError> {
        let Loaded { settings, damage, .. } =
            Loaded::<E, S>::read(path, order, |entry, _| each(entry))?;
        Ok((settings.ok_or(JournalError::Foreign)?, damage))
    }

    pub(crate) fn begin<S: Entry>(&mut self, settings: &S) -> io::Result<()> {
        self.file.append(seal(&settings.to_text()?).as_bytes())
    }

    /// Appends an entry. If this fails, the file is unchanged and further entries can be added.
    pub(crate) fn add(&mut self, entry: &E) -> io::Result<()> {
        self.file.append(seal(&entry.to_text()?).as_bytes())
    }
}

#[cfg(test)]
mod tests;
