//! A file to which text is appended completely or not at all.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// A file opened for appending. A failed append, for example on a full disk, leaves no partial
/// text, and further appends are possible.
#[derive(Debug)]
pub(crate) struct AppendFile {
    file: File,
    /// The length to which the file must be truncated before the next append, because an earlier
    /// append failed and could not be undone. Normally `None`.
    restore: Option<u64>,
}

impl AppendFile {
    #[cfg_attr(not(feature = "board"), allow(dead_code, reason = "only used by the board"))]
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        Ok(Self::new(OpenOptions::new().append(true).open(path)?))
    }

    /// Wraps a file that was opened for appending.
    pub(crate) const fn new(file: File) -> Self {
        Self { file, restore: None }
    }

    /// Appends the whole text, or nothing if writing fails.
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

    pub(crate) fn truncate(&mut self, length: u64) -> io::Result<()> {
        self.file.set_len(length)?;
        self.restore = None;
        Ok(())
    }

    pub(crate) fn length(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }
}
