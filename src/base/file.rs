//! Files and folders that the system refuses to read or write.

use std::io;
use std::path::{Path, PathBuf};

/// A file or folder that cannot be read or written, and why.
#[derive(Debug, thiserror::Error)]
#[error("{path}: {error}")]
pub struct FileError {
    /// The file or folder.
    pub path: PathBuf,
    /// What went wrong.
    pub error: io::Error,
}

/// Makes errors of the system those of this path.
pub fn at(path: &Path) -> impl Fn(io::Error) -> FileError {
    move |error| FileError { path: path.to_owned(), error }
}
