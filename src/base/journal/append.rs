//! A file that grows by whole pieces.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// A file that is appended to. A failed append, on a full disk for example, leaves no part of its text, and
/// the file can be appended to again.
#[derive(Debug)]
pub(crate) struct AppendFile {
    file: File,
    /// The length to truncate to before the next append, after a failed one that could not be undone.
    restore: Option<u64>,
}

impl AppendFile {
    /// Opens an existing file.
    #[cfg_attr(not(feature = "board"), allow(dead_code, reason = "for the board alone"))]
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        Ok(Self::new(OpenOptions::new().append(true).open(path)?))
    }

    /// Appends to a file that was opened for appending.
    pub(crate) const fn new(file: File) -> Self {
        Self { file, restore: None }
    }

    /// Appends a text, or nothing of it.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn append(&mut self, text: &[u8]) -> io::Result<()> {
        if let Some(length) = self.restore {
            self.truncate(length)?;
        }
        let length = self.length()?;
        let written = self.file.write_all(text);
        if written.is_err() {
            self.restore = Some(length);
            let _ = self.truncate(length);
        }
        written
    }

    /// Cuts the file off after `length` bytes.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn truncate(&mut self, length: u64) -> io::Result<()> {
        self.file.set_len(length)?;
        self.restore = None;
        Ok(())
    }

    /// The length in bytes.
    pub(crate) fn length(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }
}
