//! The log file of a session.
//!
//! A command names the file, and the sender of the command may not be the user: behind a WebSocket
//! bridge, it can be any web page. A log therefore never overwrites a file, and is only appended to
//! a file that begins with the first line of an Adoube log. At [`MAX_LEN`] bytes the file is
//! renamed to `FILE.1`, and the log continues in a new file. An older `FILE.1` is replaced only if
//! it is a log as well.

use crate::base::file::with_suffix;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

pub(crate) const FIRST_LINE: &str = "# A log of Adoube's: seconds, > a line in, < a line out\n";

/// The size in bytes at which a log is rotated.
const MAX_LEN: u64 = 100 << 20;

#[derive(Debug)]
pub(crate) struct LogFile {
    file: File,
    path: PathBuf,
    len: u64,
    max_len: u64,
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum LogFileError {
    #[error("its name must end in .log")]
    Name,
    #[error("it is not a regular file")]
    Irregular,
    #[error("it already exists and is not an Adoube log")]
    Foreign,
    #[error("{path}: {error}", path = .path.display())]
    Older {
        path: PathBuf,
        #[source]
        error: Box<LogFileError>,
    },
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl LogFile {
    /// Opens a log for appending.
    pub(crate) fn open(path: &Path) -> Result<Self, LogFileError> {
        let file = open(path)?;
        let len = file.metadata()?.len();
        Ok(Self { file, path: path.to_owned(), len, max_len: MAX_LEN })
    }

    /// Appends whole lines. If the file would become too long, first starts a new file.
    pub(crate) fn add(&mut self, lines: &str) -> Result<(), LogFileError> {
        let len = lines.len() as u64;
        if self.len > FIRST_LINE.len() as u64 && self.len + len > self.max_len {
            self.rotate()?;
        }
        self.file.write_all(lines.as_bytes())?;
        self.len += len;
        Ok(())
    }

    fn rotate(&mut self) -> Result<(), LogFileError> {
        let older = with_suffix(&self.path, ".1");
        if older.symlink_metadata().is_ok() {
            let checked = reopen(&older, File::options().read(true).clone());
            checked.map_err(|error| {
                let path = older.clone();
                LogFileError::Older { path, error: Box::new(error) }
            })?;
        }
        fs::rename(&self.path, older)?;
        self.file = open(&self.path)?;
        self.len = FIRST_LINE.len() as u64;
        Ok(())
    }
}

/// Opens a log for appending. A new log starts with [`FIRST_LINE`].
fn open(path: &Path) -> Result<File, LogFileError> {
    if path.extension().is_none_or(|extension| extension != "log") {
        return Err(LogFileError::Name);
    }
    let mut options = File::options();
    options.read(true).append(true);
    // `create_new` does not follow symbolic links.
    match options.clone().create_new(true).open(path) {
        Ok(mut file) => {
            file.write_all(FIRST_LINE.as_bytes())?;
            Ok(file)
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => reopen(path, options),
        Err(error) => Err(error.into()),
    }
}

/// Sets the options so that opening neither follows a symbolic link nor waits on a pipe.
#[cfg(unix)]
fn set_safe_flags(options: &mut OpenOptions) {
    use nix::libc::{O_NOFOLLOW, O_NONBLOCK};
    use std::os::unix::fs::OpenOptionsExt;
    options.custom_flags(O_NOFOLLOW | O_NONBLOCK);
}

#[cfg(not(unix))]
fn set_safe_flags(_: &mut OpenOptions) {}

fn reopen(path: &Path, mut options: OpenOptions) -> Result<File, LogFileError> {
    if !path.symlink_metadata()?.is_file() {
        return Err(LogFileError::Irregular);
    }
    // The file could be replaced between the check above and the call to `open`.
    set_safe_flags(&mut options);
    let mut file = options.open(path)?;
    if !file.metadata()?.is_file() {
        return Err(LogFileError::Irregular);
    }
    let mut first = Vec::new();
    (&mut file).take(FIRST_LINE.len() as u64).read_to_end(&mut first)?;
    if first == FIRST_LINE.as_bytes() { Ok(file) } else { Err(LogFileError::Foreign) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(path: &Path) -> String {
        open(path).expect_err("refused").to_string()
    }

    #[test]
    fn appends_only_to_new_files_and_own_logs() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("lines.log");
        for text in ["one\n", "two\n"] {
            open(&path).expect("a log").write_all(text.as_bytes()).expect("written");
        }
        let log = fs::read_to_string(&path).expect("a log");
        assert_eq!(log, format!("{FIRST_LINE}one\ntwo\n"));
        for text in ["", "alias ls=rm\n", "# A log of another's\n"] {
            let path = folder.path().join("other.log");
            fs::write(&path, text).expect("written");
            assert!(refused(&path).contains("already"), "{text}");
            assert_eq!(fs::read_to_string(&path).expect("as it was"), text);
        }
        for name in [".bashrc", "log", ".log", "x.log.sh", "x.LOG", ""] {
            let path = folder.path().join(name);
            assert!(refused(&path).contains(".log"), "{name}");
            assert!(name.is_empty() || !path.exists(), "{name}");
        }
        let nowhere = folder.path().join("no").join("such.log");
        assert!(matches!(open(&nowhere), Err(LogFileError::Io(_))));
    }

    #[test]
    fn rotates_over_own_logs_only() {
        let folder = tempfile::tempdir().expect("a folder");
        let [path, older] = ["lines.log", "lines.log.1"].map(|name| folder.path().join(name));
        let mut log = LogFile { max_len: 100, ..LogFile::open(&path).expect("a log") };
        for n in 100..110 {
            log.add(&format!("line {n} of the log\n")).expect("written");
        }
        let read = |path: &Path| fs::read_to_string(path).expect("a log");
        let line = |n: u32| format!("line {n} of the log\n");
        let last: String = (108..110).map(line).collect();
        assert_eq!(read(&path), format!("{FIRST_LINE}{last}"));
        let previous: String = (106..108).map(line).collect();
        assert_eq!(read(&older), format!("{FIRST_LINE}{previous}"));
        fs::write(&older, "important").expect("written");
        let error = log.add(&line(110)).expect_err("refused").to_string();
        assert!(error.contains("lines.log.1: it already exists"), "{error}");
        assert_eq!(read(&older), "important");
        assert_eq!(read(&path), format!("{FIRST_LINE}{last}"));
    }

    #[cfg(unix)]
    #[test]
    fn does_not_follow_links_or_wait_for_pipes() {
        let folder = tempfile::tempdir().expect("a folder");
        let [target, link, dangling, pipe, sub] =
            ["real.log", "link.log", "dangling.log", "pipe.log", "folder.log"]
                .map(|name| folder.path().join(name));
        open(&target).expect("a log");
        std::os::unix::fs::symlink(&target, &link).expect("a link");
        std::os::unix::fs::symlink(folder.path().join("new.log"), &dangling).expect("a link");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.expect("mkfifo runs").success());
        fs::create_dir(&sub).expect("a folder");
        for path in [&link, &dangling, &pipe, &sub] {
            assert!(matches!(open(path), Err(LogFileError::Irregular)), "{}", path.display());
        }
        assert_eq!(fs::read_to_string(&target).expect("as it was"), FIRST_LINE);
        assert!(!folder.path().join("new.log").exists());
    }
}
