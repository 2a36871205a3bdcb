//! Errors of files and folders with their paths.

use std::io;
use std::path::{Path, PathBuf};

#[derive(Debug, thiserror::Error)]
#[error("{path}: {error}")]
pub struct FileError {
    pub path: PathBuf,
    pub error: io::Error,
}

/// Adds a path to an I/O error.
pub fn at(path: &Path) -> impl Fn(io::Error) -> FileError {
    move |error| FileError { path: path.to_owned(), error }
}
