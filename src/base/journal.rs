//! A journal: a file of JSON lines. The first line contains the settings, and every other line an
//! entry. Only whole lines are appended, so interrupted work can be resumed. A partial last line,
//! left by an interrupted run, is truncated.

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::marker::PhantomData;
use std::path::Path;

#[derive(Debug)]
pub struct Journal<E> {
    file: File,
    entries: PhantomData<fn(&E)>,
}

#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The file is not a journal of the expected kind.
    #[error("not a journal of this kind of work; the file is unchanged")]
    Foreign,
    #[error(
        "the journal was made with other settings, {found} instead of {wanted}; use another file name"
    )]
    Settings { found: String, wanted: String },
}

impl<E: Serialize + DeserializeOwned> Journal<E> {
    /// Opens a journal, or creates it if the file does not exist, and passes its entries to `each`
    /// in order. Everything after a damaged entry is discarded.
    pub fn open<S>(path: &Path, settings: &S, each: impl FnMut(E)) -> Result<Self, JournalError>
    where
        S: Serialize + DeserializeOwned + PartialEq,
    {
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
        let json = |settings: &S| serde_json::to_string(settings).map_err(io::Error::from);
        match Self::read_lines::<S>(&file, each)? {
            Some((found, _)) if found != *settings => {
                let (found, wanted) = (json(&found)?, json(settings)?);
                return Err(JournalError::Settings { found, wanted });
            }
            Some((_, whole)) => file.set_len(whole)?,
            None => {
                file.set_len(0)?;
                file.write_all(format!("{}\n", json(settings)?).as_bytes())?;
            }
        }
        Ok(Self { file, entries: PhantomData })
    }

    /// Opens an existing journal, returns its settings, and passes its entries to `each` in order.
    /// Everything after a damaged entry is discarded.
    pub fn resume<S>(path: &Path, each: impl FnMut(E)) -> Result<(S, Self), JournalError>
    where
        S: DeserializeOwned,
    {
        let file = OpenOptions::new().read(true).append(true).open(path)?;
        let (settings, whole) = Self::read_lines(&file, each)?.ok_or(JournalError::Foreign)?;
        file.set_len(whole)?;
        Ok((settings, Self { file, entries: PhantomData }))
    }

    /// Reads a journal without changing it. Returns the settings and passes the entries to `each`
    /// in order.
    pub fn read<S: DeserializeOwned>(path: &Path, each: impl FnMut(E)) -> Result<S, JournalError> {
        let found = Self::read_lines(&File::open(path)?, each)?;
        found.map(|(settings, _)| settings).ok_or(JournalError::Foreign)
    }

    /// Returns the settings and the length of the complete lines in bytes, or `None` if the file is
    /// empty.
    fn read_lines<S: DeserializeOwned>(
        file: &File,
        mut each: impl FnMut(E),
    ) -> Result<Option<(S, u64)>, JournalError> {
        let mut reader = BufReader::new(file);
        let mut line = Vec::new();
        reader.read_until(b'\n', &mut line)?;
        if line.is_empty() {
            return Ok(None);
        }
        let settings = serde_json::from_slice(&line).map_err(|_| JournalError::Foreign)?;
        let mut whole = 0;
        while line.ends_with(b"\n") {
            whole += line.len() as u64;
            line.clear();
            reader.read_until(b'\n', &mut line)?;
            match serde_json::from_slice(&line) {
                Ok(entry) if line.ends_with(b"\n") => each(entry),
                _ => break,
            }
        }
        Ok(Some((settings, whole)))
    }

    pub fn add(&mut self, entry: &E) -> io::Result<()> {
        let line = serde_json::to_string(entry).map_err(io::Error::from)?;
        self.file.write_all(format!("{line}\n").as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(path: &Path, settings: &str) -> Result<(Journal<u32>, Vec<u32>), JournalError> {
        let mut entries = Vec::new();
        let journal = Journal::open(path, &settings.to_owned(), |entry| entries.push(entry))?;
        Ok((journal, entries))
    }

    #[test]
    fn whole_entries_survive_any_truncation() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let path = dir.path().join("journal");
        let (mut journal, entries) = open(&path, "today").expect("a new file");
        assert!(entries.is_empty());
        (10..13).for_each(|entry| journal.add(&entry).expect("written"));
        let whole = std::fs::read(&path).expect("a file");
        assert_eq!(whole, b"\"today\"\n10\n11\n12\n");
        for cut in 8..=whole.len() {
            std::fs::write(&path, &whole[..cut]).expect("written");
            let (mut journal, entries) = open(&path, "today").expect("a journal");
            let expected: Vec<u32> = (10..13).take((cut - 8) / 3).collect();
            assert_eq!(entries, expected, "{cut} bytes");
            journal.add(&99).expect("written");
            let (_, entries) = open(&path, "today").expect("a journal");
            assert_eq!(entries.last(), Some(&99), "{cut} bytes");
        }
    }

    #[test]
    fn discards_everything_after_a_damaged_entry() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), "\"today\"\n10\n1x\n12\n").expect("written");
        assert_eq!(open(file.path(), "today").expect("a journal").1, [10]);
        assert_eq!(std::fs::read(file.path()).expect("a file"), b"\"today\"\n10\n");
    }

    #[test]
    fn resume_returns_settings_and_rejects_empty_files() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), "\"then\"\n10\n1").expect("written");
        let mut entries = Vec::new();
        let (settings, mut journal) =
            Journal::<u32>::resume::<String>(file.path(), |entry| entries.push(entry))
                .expect("a journal");
        assert_eq!((settings.as_str(), entries), ("then", vec![10]));
        journal.add(&11).expect("written");
        assert_eq!(std::fs::read(file.path()).expect("a file"), b"\"then\"\n10\n11\n");
        std::fs::write(file.path(), "").expect("written");
        let empty = Journal::<u32>::resume::<String>(file.path(), |_| ());
        assert!(matches!(empty, Err(JournalError::Foreign)));
    }

    #[test]
    fn foreign_files_are_unchanged() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        for (text, expected) in [("1. e4 e5 *\n", "not a journal"), ("\"then\"\n10\n", "\"then\"")]
        {
            std::fs::write(file.path(), text).expect("written");
            let error = open(file.path(), "today").expect_err("not ours").to_string();
            assert!(error.contains(expected), "{error}");
            assert_eq!(std::fs::read_to_string(file.path()).expect("a file"), text);
        }
    }

    #[test]
    fn reading_changes_nothing() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), "\"then\"\n10\n1").expect("written");
        let mut entries = Vec::new();
        let settings = Journal::<u32>::read::<String>(file.path(), |entry| entries.push(entry));
        assert_eq!((settings.expect("a journal").as_str(), entries), ("then", vec![10]));
        assert_eq!(std::fs::read(file.path()).expect("a file"), b"\"then\"\n10\n1");
    }
}
