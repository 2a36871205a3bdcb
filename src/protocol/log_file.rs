//! The log file of a session.
//!
//! A command names the file, and the sender of the command may not be the user: behind a WebSocket
//! bridge, it can be any web page. A log therefore never overwrites a file, and is only appended to
//! a file that begins with the first line of an Adoube log.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;

pub(crate) const FIRST_LINE: &str = "# A log of Adoube's: seconds, > a line in, < a line out\n";

#[derive(Debug, thiserror::Error)]
pub(crate) enum LogFileError {
    #[error("its name must end in .log")]
    Name,
    #[error("it is not a regular file")]
    Irregular,
    #[error("it already exists and is not an Adoube log")]
    Foreign,
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Opens a log for appending. A new log starts with [`FIRST_LINE`].
pub(crate) fn open(path: &Path) -> Result<File, LogFileError> {
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
    // The file could be replaced between the check above and the call of `open`.
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
    use std::fs;

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
