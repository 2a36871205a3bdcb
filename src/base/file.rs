//! File utilities: errors that name the path, atomic replacement, and locks.

use std::fmt;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

#[derive(Debug, thiserror::Error)]
#[error("{path}: {error}")]
pub struct FileError {
    pub path: PathBuf,
    pub error: io::Error,
}

/// Returns a closure for `map_err` that adds the path to an I/O error.
pub(crate) fn at(path: &Path) -> impl Fn(io::Error) -> FileError {
    move |error| FileError { path: path.to_owned(), error }
}

/// Reads a regular file of at most `max` bytes. Devices and pipes are rejected, because reading
/// from them might never end.
pub(crate) fn read_regular(path: &Path, max: u64) -> io::Result<Vec<u8>> {
    let invalid = |text: String| Err(io::Error::new(io::ErrorKind::InvalidInput, text));
    // Opening a pipe would block until it has a writer.
    if !fs::metadata(path)?.is_file() {
        return invalid("not a regular file".to_owned());
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(max + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max {
        return invalid(format!("larger than {} MiB", max >> 20));
    }
    Ok(bytes)
}

/// Replaces a file atomically: after a crash, a power failure or a full disk, the file has either
/// the old or the new contents. If `path` is a symbolic link, its target is replaced. Devices and
/// pipes are written directly.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    replace_with(path, |file| file.write_all(bytes))
}

/// Like [`replace`], but calls `write` to write the new contents.
pub(crate) fn replace_with(
    path: &Path,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    let mut replacement = Replacement::begin(path)?;
    write(&mut replacement.file)?;
    replacement.commit()
}

/// A replacement for a file. Until [`Self::commit`], the new contents are in a temporary file.
#[derive(Debug)]
pub(crate) struct Replacement {
    file: File,
    target: PathBuf,
    /// The path of the temporary file until it is renamed; `None` for devices and pipes, which are
    /// written directly.
    new: Option<PathBuf>,
}

impl Replacement {
    /// Creates the temporary file in the same folder as the file to replace.
    pub(crate) fn begin(path: &Path) -> io::Result<Self> {
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let before = fs::metadata(&target).ok();
        if let Some(before) = &before {
            // Renaming could replace even a write-protected file, so check that the file is
            // writable.
            let file = OpenOptions::new().write(true).open(&target)?;
            if !before.is_file() {
                return Ok(Self { file, target, new: None });
            }
        }
        remove_leftovers(&target);
        let new = with_suffix(&target, &format!(".{}{NEW}", std::process::id()));
        let replacement = Self { file: File::create(&new)?, target, new: Some(new) };
        // Lock the temporary file so that `remove_leftovers` does not delete it. Errors are ignored
        // because not every file system supports locks.
        let _ = replacement.file.try_lock();
        if let Some(before) = before {
            replacement.file.set_permissions(before.permissions())?;
        }
        Ok(replacement)
    }

    /// Flushes the new contents to disk, then replaces the old contents.
    pub(crate) fn commit(mut self) -> io::Result<()> {
        let Some(new) = &self.new else { return Ok(()) };
        self.file.sync_all()?;
        fs::rename(new, &self.target)?;
        self.new = None;
        sync_folder(&self.target);
        Ok(())
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        if let Some(new) = &self.new {
            let _ = fs::remove_file(new);
        }
    }
}

/// The suffix of temporary files.
const NEW: &str = ".new";

/// Removes temporary files left behind by processes that were killed while replacing `target`.
fn remove_leftovers(target: &Path) {
    let Some(name) = target.file_name().and_then(|name| name.to_str()) else { return };
    for file in fs::read_dir(folder_of(target)).into_iter().flatten().flatten() {
        let other = file.file_name();
        let number = other.to_str().and_then(|other| other.strip_prefix(name)?.strip_suffix(NEW));
        let number = number.and_then(|number| number.strip_prefix('.')?.parse::<u32>().ok());
        let is_unused = || File::open(file.path()).is_ok_and(|file| file.try_lock().is_ok());
        if number.is_some() && is_unused() {
            let _ = fs::remove_file(file.path());
        }
    }
}

fn folder_of(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// Syncs the folder of `path`, so that a rename survives a power failure. Not every file system
/// supports this.
fn sync_folder(path: &Path) {
    if cfg!(unix) {
        let _ = File::open(folder_of(path)).and_then(|folder| folder.sync_all());
    }
}

pub(crate) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Creates a file that only its owner can read, and opens it for appending. Fails if the file
/// exists.
pub(crate) fn create_private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.append(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Creates a folder and its missing parents, readable only by their owner. Existing folders are
/// left unchanged.
#[cfg_attr(not(feature = "board"), allow(dead_code, reason = "only used by the board"))]
pub(crate) fn create_private_folder(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Copies a damaged file to a new file in the same folder. Returns the path of the copy.
pub(crate) fn save_damaged(path: &Path) -> io::Result<PathBuf> {
    let mut source = File::open(path)?;
    let mut number = 1;
    let (copy, mut file) = loop {
        let suffix = if number == 1 { ".damaged".to_owned() } else { format!(".damaged-{number}") };
        let copy = with_suffix(path, &suffix);
        match OpenOptions::new().write(true).create_new(true).open(&copy) {
            Ok(file) => break (copy, file),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(error),
        }
    };
    let copied = source
        .metadata()
        .and_then(|data| file.set_permissions(data.permissions()))
        .and_then(|()| io::copy(&mut source, &mut file))
        .and_then(|_| file.sync_all());
    if let Err(error) = copied {
        let _ = fs::remove_file(&copy);
        return Err(error);
    }
    Ok(copy)
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum LockError {
    #[error("in use by {0}")]
    Held(Holder),
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// The process that holds a lock, or `None` if the system does not report it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Holder(Option<(u32, String)>);

impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some((id, name)) => write!(f, "process {id} ({name})"),
            None => f.write_str("another process"),
        }
    }
}

/// Locks an open file until it is closed. The lock is advisory: it only excludes other callers of
/// this function.
///
/// If the lock is held, tries again for a fifth of a second. A program that is just being started
/// can hold the locks of its parent for a moment after the parent has released them.
pub(crate) fn lock(file: &File) -> Result<(), LockError> {
    const PATIENCE: Duration = Duration::from_millis(200);
    let start = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) if start.elapsed() < PATIENCE => {
                thread::sleep(Duration::from_millis(5));
            }
            Err(TryLockError::WouldBlock) => return Err(LockError::Held(Holder::of(file))),
            Err(TryLockError::Error(error)) => return Err(error.into()),
        }
    }
}

/// A lock on a folder, released on drop.
#[cfg_attr(not(feature = "board"), allow(dead_code, reason = "only used by the board"))]
#[derive(Debug)]
pub(crate) struct FolderLock {
    _file: File,
}

#[cfg_attr(not(feature = "board"), allow(dead_code, reason = "only used by the board"))]
impl FolderLock {
    /// Locks a folder by locking the file `lock` in it. This file is never deleted.
    pub(crate) fn take(folder: &Path) -> Result<Self, LockError> {
        let path = folder.join("lock");
        // Opening a pipe would block until its other end is opened.
        if fs::metadata(&path).is_ok_and(|data| !data.is_file()) {
            return Err(io::Error::other("'lock' in this folder is not a regular file").into());
        }
        let mut options = OpenOptions::new();
        let file = options.write(true).create(true).truncate(false).open(path)?;
        lock(&file)?;
        Ok(Self { _file: file })
    }
}

impl Holder {
    #[cfg(target_os = "linux")]
    fn of(file: &File) -> Self {
        use std::os::unix::fs::MetadataExt;
        // Inode numbers are unique only within a device.
        let has_open = |id: u32, data: &fs::Metadata| {
            let files = fs::read_dir(format!("/proc/{id}/fd")).into_iter().flatten().flatten();
            let mut open = files.filter_map(|file| fs::metadata(file.path()).ok());
            open.any(|other| (other.dev(), other.ino()) == (data.dev(), data.ino()))
        };
        let found = || {
            let data = file.metadata().ok()?;
            // A line such as "1: FLOCK  ADVISORY  WRITE 2780 fe:00:5693712 0 EOF" contains the
            // process ID (2780), the device (fe:00) and the inode (5693712).
            let locks = fs::read_to_string("/proc/locks").ok()?;
            let id = locks.lines().find_map(|line| {
                let mut words = line.split_whitespace().skip_while(|word| *word != "WRITE").skip(1);
                let (id, inode) = (words.next()?.parse::<u32>().ok()?, words.next()?);
                let is_same = inode.rsplit(':').next()? == data.ino().to_string();
                (is_same && has_open(id, &data)).then_some(id)
            })?;
            let name = fs::read_to_string(format!("/proc/{id}/comm")).ok()?;
            Some((id, name.trim().to_owned()))
        };
        Self(found())
    }

    #[cfg(not(target_os = "linux"))]
    const fn of(_: &File) -> Self {
        Self(None)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn replaces_a_file_or_leaves_it_unchanged() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        replace(&path, b"old").unwrap();
        let failed = replace_with(&path, |file| {
            file.write_all(b"half of the n")?;
            Err(io::Error::other("the disk is full"))
        });
        assert_eq!(failed.unwrap_err().to_string(), "the disk is full");
        assert_eq!(fs::read(&path).unwrap(), b"old");
        replace(&path, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "no temporary file remains");
        // A temporary file left behind by a process that was killed while replacing the file.
        fs::write(dir.path().join("file.4194305.new"), "half").unwrap();
        fs::write(dir.path().join("file.net.new"), "another file").unwrap();
        replace(&path, b"new").unwrap();
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2, "only other files remain");
        assert!(replace(&dir.path().join("none/file"), b"").is_err());
        assert!(replace(dir.path(), b"").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn keeps_links_and_permissions_and_writes_to_devices() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let dir = tempfile::tempdir().unwrap();
        let [path, link] = ["file", "link"].map(|name| dir.path().join(name));
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&path, &link).unwrap();
        replace(&link, b"new").unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
        replace(Path::new("/dev/null"), b"nothing").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }

    #[test]
    fn reads_regular_files_of_limited_size() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        fs::write(&path, "four").unwrap();
        assert_eq!(read_regular(&path, 4).unwrap(), b"four");
        assert!(read_regular(&path, 3).unwrap_err().to_string().contains("larger than"));
        assert!(read_regular(&dir.path().join("none"), 4).is_err());
        let mut irregular = vec![dir.path().to_owned()];
        if cfg!(unix) {
            let pipe = dir.path().join("pipe");
            assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
            irregular.extend([pipe, "/dev/zero".into(), "/dev/null".into()]);
        }
        for path in irregular {
            let error = read_regular(&path, 4).unwrap_err().to_string();
            assert_eq!(error, "not a regular file", "{}", path.display());
        }
    }

    #[test]
    fn saves_copies_under_new_names() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        for (text, name) in [("one", "file.damaged"), ("two", "file.damaged-2")] {
            fs::write(&path, text).unwrap();
            let copy = save_damaged(&path).unwrap();
            assert_eq!(copy, dir.path().join(name));
            assert_eq!(fs::read_to_string(copy).unwrap(), text);
        }
    }

    #[cfg(unix)]
    #[test]
    fn only_the_owner_can_read_private_files_and_folders() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("a/b");
        create_private_folder(&folder).unwrap();
        create_private_folder(&folder).unwrap();
        let file = folder.join("file");
        create_private(&file).unwrap();
        assert!(create_private(&file).is_err(), "the file exists");
        let copy = save_damaged(&file).unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!([&folder, &file, &copy].map(|path| mode(path)), [0o700, 0o600, 0o600]);
    }

    #[test]
    fn second_lock_names_the_holder() {
        let dir = tempfile::tempdir().unwrap();
        let first = FolderLock::take(dir.path()).unwrap();
        let error = FolderLock::take(dir.path()).unwrap_err().to_string();
        let process = format!("process {} (", std::process::id());
        assert!(error.contains(&process) || error.contains("another process"), "{error}");
        drop(first);
        FolderLock::take(dir.path()).unwrap();
    }
}
