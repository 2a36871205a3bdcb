//! Journals: work that is written down as it is done, so that a stopped run continues from it.
//!
//! A journal is a file of lines: a header with the settings of the work, usually, and an entry for each
//! completed piece. Every line has a checksum. A line is appended as a whole or not at all; a partial last
//! line, left by a killed run, is truncated. The journals of one process at a time can be appended to.

mod append;
mod line;

pub(crate) use append::AppendFile;

use super::file::{Holder, LockError, lock, save_damaged};
use line::{seal, unseal};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

/// An entry, which is written as one line of text.
pub trait Entry: Sized {
    /// Returns the text, which has no line break.
    ///
    /// # Errors
    /// If the entry cannot be written as text.
    fn to_text(&self) -> io::Result<String>;
    /// Reads an entry; `None` if the text is not an entry.
    fn from_text(text: &str) -> Option<Self>;
}

/// Most entries are JSON.
impl<T: Serialize + DeserializeOwned> Entry for T {
    fn to_text(&self) -> io::Result<String> {
        Ok(serde_json::to_string(self)?)
    }

    fn from_text(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }
}

/// The relation of the entries to each other, which decides what a damaged line costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Order {
    /// The other entries are still valid. A damaged line stays in the file.
    Independent,
    /// The later entries are invalid. The file is cut off before the damaged line, and a copy of it is saved.
    Sequential,
}

/// The parts of a journal that cannot be used.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Damage {
    /// Whether the last line is incomplete.
    pub torn: bool,
    /// The numbers of the damaged lines, from 1.
    pub lines: Vec<usize>,
    /// The number of lost entries: the damaged ones, and the later ones that depend on them.
    pub lost: usize,
    /// The copy of the file as it was, if more than an incomplete last line has been cut off.
    pub saved: Option<PathBuf>,
}

impl Damage {
    /// Returns whether complete lines are damaged.
    pub const fn is_loss(&self) -> bool {
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

/// An open journal of entries `E`.
#[derive(Debug)]
pub struct Journal<E> {
    file: AppendFile,
    entries: PhantomData<fn(&E)>,
}

/// A journal that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The file cannot be read or written.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// Another process writes the journal.
    #[error("in use by {0}")]
    InUse(Holder),
    /// The file is not a journal of this kind.
    #[error("this is not a journal of such work; it stays as it is")]
    Foreign,
    /// The journal was made with other settings.
    #[error(
        "this journal was made with other settings, {found}, not {wanted}; give it another name"
    )]
    Settings {
        /// The settings of the file.
        found: String,
        /// The settings of this run.
        wanted: String,
    },
}

impl From<LockError> for JournalError {
    fn from(error: LockError) -> Self {
        match error {
            LockError::Held(holder) => Self::InUse(holder),
            LockError::Io(error) => Self::Io(error),
        }
    }
}

/// A journal that has been read, and not changed yet.
#[derive(Debug)]
pub(crate) struct Loaded<E, S> {
    file: File,
    path: PathBuf,
    order: Order,
    /// The length in bytes of the lines that stay.
    end: u64,
    /// The settings; `None` if the file has no complete header.
    pub(crate) settings: Option<S>,
    /// The parts that cannot be used.
    pub(crate) damage: Damage,
    entries: PhantomData<fn(&E)>,
}

impl<E: Entry, S: DeserializeOwned> Loaded<E, S> {
    /// Opens, locks and reads a journal, or creates an empty file. Passes each entry and the number of its
    /// line to `each`.
    ///
    /// # Errors
    /// If the file is in use, cannot be read and written, or begins with another header.
    pub(crate) fn open(
        path: &Path,
        order: Order,
        each: impl FnMut(E, usize),
    ) -> Result<Self, JournalError> {
        let file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
        lock(&file)?;
        Self::scan(file, path, order, true, each)
    }

    /// Reads a journal that stays as it is.
    ///
    /// # Errors
    /// If the file cannot be read, or begins with another header.
    pub(crate) fn read(
        path: &Path,
        order: Order,
        each: impl FnMut(E, usize),
    ) -> Result<Self, JournalError> {
        Self::scan(File::open(path)?, path, order, true, each)
    }

    /// Reads a file. An incomplete header counts as none: the run was killed before its first entry.
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
                if is_header && !line.starts_with(b"{") {
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

    /// Truncates what cannot be used, and opens the journal for further entries.
    ///
    /// # Errors
    /// If the file cannot be written.
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

impl<E: Entry> Loaded<E, ()> {
    /// As [`Self::open`], for a journal without a header.
    ///
    /// # Errors
    /// If the file is in use, or cannot be read and written.
    pub(crate) fn open_headless(
        path: &Path,
        each: impl FnMut(E, usize),
    ) -> Result<Self, JournalError> {
        let file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
        lock(&file)?;
        Self::scan(file, path, Order::Independent, false, each)
    }

    /// As [`Self::read`], for a journal without a header.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(crate) fn read_headless(
        path: &Path,
        each: impl FnMut(E, usize),
    ) -> Result<Self, JournalError> {
        Self::scan(File::open(path)?, path, Order::Independent, false, each)
    }
}

impl<E: Entry> Journal<E> {
    /// Opens a journal of independent entries, or begins one. Passes the entries to `each`, in order.
    ///
    /// # Errors
    /// If the file is not a journal of these settings, is in use, or cannot be read and written.
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

    /// Opens an existing journal of sequential entries. Passes the entries to `each`, in order. The caller
    /// holds the lock of the folder.
    ///
    /// # Errors
    /// If the file is not such a journal, or cannot be read and written.
    #[cfg_attr(not(feature = "board"), allow(dead_code, reason = "for the board alone"))]
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

    /// Reads a journal, which stays as it is. Passes the entries to `each`, in order.
    ///
    /// # Errors
    /// If the file is not such a journal or cannot be read.
    pub(crate) fn read<S: DeserializeOwned>(
        path: &Path,
        order: Order,
        mut each: impl FnMut(E),
    ) -> Result<(S, Damage), JournalError> {
        let Loaded { settings, damage, .. } =
            Loaded::<E, S>::read(path, order, |entry, _| each(entry))?;
        Ok((settings.ok_or(JournalError::Foreign)?, damage))
    }

    /// Writes the header of a new journal.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn begin<S: Entry>(&mut self, settings: &S) -> io::Result<()> {
        self.file.append(seal(&settings.to_text()?).as_bytes())
    }

    /// Appends an entry. After an error the file is as before, and entries can be added again.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn add(&mut self, entry: &E) -> io::Result<()> {
        self.file.append(seal(&entry.to_text()?).as_bytes())
    }
}

#[cfg(test)]
mod tests;
