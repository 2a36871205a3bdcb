//! A log of every line that the arena and the engines exchange.
//!
//! A line such as `    12.345678 game 3 NAME#7 > go movetime 100` consists of the seconds since the
//! log began, the game (`-` before the first game), the engine with its process number, and the
//! text. `>` marks input to the engine, `<` its output, and `!` its standard error. Lines are
//! appended to an existing file. Each run begins with a line that contains the start time.
//!
//! A file with the extension `.gz` is compressed. It consists of gzip members (RFC 1952, 2.2), at
//! least one per game. If the match is killed, the file is readable up to the last finished game,
//! and a later run can append to it.
//!
//! A file that reaches its size limit is renamed to `FILE.1` (`FILE.gz` to `FILE.1.gz`) and replaces
//! an older file of this name. The log continues in a new file.

use crate::base::file::with_suffix;
use flate2::Compression;
use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// The log of a match; clones share it.
#[derive(Clone)]
pub struct LineLog(Arc<Shared>);

struct Shared {
    path: PathBuf,
    began: Instant,
    processes: AtomicUsize,
    out: Mutex<io::Result<Box<dyn Write + Send>>>,
}

const OTHER_COMPRESSIONS: [&str; 9] =
    ["7z", "br", "bz2", "lz4", "lzma", "xz", "zip", "zst", "zstd"];

/// The maximum compressed size, in bytes, of a gzip member that is buffered until the end of a
/// game.
const MAX_MEMBER_LEN: usize = 1 << 20;

/// The file of a log. Every write must consist of whole lines or of a whole gzip member.
struct RotatingFile {
    file: File,
    path: PathBuf,
    /// The path to which a full file is renamed.
    older: PathBuf,
    /// The size in bytes.
    len: u64,
    /// The size in bytes at which the file is rotated.
    limit: u64,
    /// The first bytes of each new file.
    head: Vec<u8>,
}

impl RotatingFile {
    fn new(file: File, path: &Path, limit: u64, head: Vec<u8>) -> io::Result<Self> {
        let about = file.metadata()?;
        // A device or a pipe cannot be rotated. If the path is a symbolic link, its target is
        // rotated.
        let (path, limit) = match about.is_file() {
            true => (fs::canonicalize(path)?, limit),
            false => (path.to_owned(), u64::MAX),
        };
        let is_compressed = is_gzip(&path);
        let older =
            if is_compressed { path.with_extension("1.gz") } else { with_suffix(&path, ".1") };
        Ok(Self { file, path, older, len: about.len(), limit, head })
    }

    fn rotate(&mut self) -> io::Result<()> {
        fs::rename(&self.path, &self.older)?;
        self.file = File::options().create(true).append(true).open(&self.path)?;
        self.file.write_all(&self.head)?;
        self.len = self.head.len() as u64;
        Ok(())
    }
}

impl Write for RotatingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let len = bytes.len() as u64;
        if self.len > self.head.len() as u64 && self.len.saturating_add(len) > self.limit {
            self.rotate()?;
        }
        self.file.write_all(bytes)?;
        self.len += len;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

fn is_gzip(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gz"))
}

struct Members {
    file: RotatingFile,
    member: Option<GzEncoder<Vec<u8>>>,
}

impl Write for Members {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        let new = || GzEncoder::new(Vec::new(), Compression::default());
        let member = self.member.get_or_insert_with(new);
        member.write_all(text)?;
        if member.get_ref().len() >= MAX_MEMBER_LEN {
            self.flush()?;
        }
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let Some(member) = self.member.take() else { return Ok(()) };
        self.file.write_all(&member.finish()?)
    }
}

impl Drop for Members {
    fn drop(&mut self) {
        // A caller that wants to know about errors calls `flush` before the drop.
        let _ = self.flush();
    }
}

/// Returns the total length of the complete gzip members, in bytes. The last member may be
/// incomplete because the match was killed.
fn whole_members(file: &File) -> io::Result<u64> {
    let mut input = BufReader::new(file);
    let mut whole = 0;
    while !input.fill_buf()?.is_empty() {
        match io::copy(&mut GzDecoder::new(&mut input), &mut io::sink()) {
            Ok(_) => whole = input.stream_position()?,
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => break,
            Err(error) => return Err(error),
        }
    }
    Ok(whole)
}

fn last_byte(file: &mut File) -> io::Result<u8> {
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(last[0])
}

impl fmt::Debug for LineLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LineLog({})", self.0.path.display())
    }
}

impl LineLog {
    /// Opens the file for appending, or creates it, and writes a line with the start time. Rotates
    /// the file before it exceeds `limit` bytes; `None` for no limit.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written, has an unsupported compression extension, or
    /// is a `.gz` file without gzip content.
    pub fn open(path: &Path, limit: Option<u64>) -> io::Result<Self> {
        let refuse = |kind, why: &str| Err(io::Error::new(kind, why));
        let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
        if OTHER_COMPRESSIONS.iter().any(|other| extension == *other) {
            let why = "unsupported compression: use .gz, or no compression";
            return refuse(io::ErrorKind::InvalidInput, why);
        }
        let file = File::options().create(true).append(true).open(path)?;
        let goes_on = file.metadata().is_ok_and(|about| about.is_file() && about.len() > 0);
        let limit = limit.unwrap_or(u64::MAX);
        let since = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
        let head = format!("# begun {:.6} seconds after 1970\n", since.as_secs_f64());
        let mut out: Box<dyn Write + Send> = if extension == "gz" {
            if goes_on {
                let whole = whole_members(&File::open(path)?)?;
                if whole == 0 {
                    let why = "the existing file ends within its first gzip member";
                    return refuse(io::ErrorKind::InvalidData, why);
                }
                File::options().write(true).open(path)?.set_len(whole)?;
            }
            let mut member = GzEncoder::new(Vec::new(), Compression::default());
            member.write_all(head.as_bytes())?;
            let file = RotatingFile::new(file, path, limit, member.finish()?)?;
            Box::new(Members { file, member: None })
        } else {
            let file = RotatingFile::new(file, path, limit, head.clone().into_bytes())?;
            let mut file = BufWriter::new(file);
            if goes_on && last_byte(&mut File::open(path)?)? != b'\n' {
                file.write_all(b"\n")?;
            }
            Box::new(file)
        };
        out.write_all(head.as_bytes())?;
        out.flush()?;
        let (began, processes) = (Instant::now(), AtomicUsize::new(0));
        Ok(Self(Arc::new(Shared {
            path: path.to_owned(),
            began,
            processes,
            out: Mutex::new(Ok(out)),
        })))
    }

    pub fn path(&self) -> &Path {
        &self.0.path
    }

    fn out(&self) -> MutexGuard<'_, io::Result<Box<dyn Write + Send>>> {
        self.0.out.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn flush(&self) {
        let mut out = self.out();
        if let Ok(file) = &mut *out
            && let Err(error) = file.flush()
        {
            *out = Err(error);
        }
    }

    pub fn check(&self) -> io::Result<()> {
        let out = self.out();
        out.as_ref().map(|_| ()).map_err(|error| io::Error::new(error.kind(), error.to_string()))
    }

    pub fn close(&self) -> io::Result<()> {
        let mut file = std::mem::replace(&mut *self.out(), Ok(Box::new(io::sink())))?;
        file.flush()
    }

    /// Creates a tap, which logs the lines of one engine. Call [`Tap::enter`] to set the game.
    pub fn tap(&self, engine: &str) -> Tap {
        Tap { log: self.clone(), engine: engine.into(), process: 0, game: Arc::default() }
    }
}

#[derive(Clone, Debug)]
pub struct Tap {
    log: LineLog,
    engine: Arc<str>,
    process: usize,
    /// The number of the current or last game, counted from 1, or 0 before the first game.
    game: Arc<AtomicUsize>,
}

impl Tap {
    pub fn of_new_process(&self) -> Self {
        let process = self.log.0.processes.fetch_add(1, Ordering::Relaxed) + 1;
        Self { process, ..self.clone() }
    }

    /// Sets the game to which the following lines belong. Games are numbered from 0.
    pub fn enter(&self, game: usize) {
        self.game.store(game + 1, Ordering::Relaxed);
    }

    pub fn note(&self, at: Instant, mark: char, text: &str) {
        let time = at.saturating_duration_since(self.log.0.began).as_secs_f64();
        let game = match self.game.load(Ordering::Relaxed) {
            0 => "-".to_owned(),
            game => game.to_string(),
        };
        let Self { engine, process, .. } = self;
        // Write the whole line at once, because the file may be rotated before any write.
        let line = format!("{time:13.6} game {game} {engine}#{process} {mark} {text}\n");
        let mut out = self.log.out();
        if let Ok(file) = &mut *out
            && let Err(error) = file.write_all(line.as_bytes())
        {
            *out = Err(error);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use flate2::read::MultiGzDecoder;

    fn write(path: &Path) -> LineLog {
        let log = LineLog::open(path, None).unwrap();
        let tap = log.tap("a").of_new_process();
        tap.note(Instant::now(), '>', "uci");
        tap.enter(0);
        tap.note(Instant::now(), '<', "bestmove e2e4");
        log.tap("b").of_new_process().note(Instant::now(), '!', "out of cheese");
        log.flush();
        log.check().unwrap();
        log
    }

    fn lines(text: &str) -> Vec<String> {
        let words =
            |line: &str| line.split_ascii_whitespace().skip(1).collect::<Vec<_>>().join(" ");
        text.lines().skip(1).map(words).collect()
    }

    fn read(path: &Path, text: &mut String) -> io::Result<usize> {
        text.clear();
        MultiGzDecoder::new(File::open(path)?).read_to_string(text)
    }

    const LINES: [&str; 3] =
        ["game - a#1 > uci", "game 1 a#1 < bestmove e2e4", "game - b#2 ! out of cheese"];

    #[test]
    fn lines_name_their_game_and_process() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("lines.log");
        let _open = write(&path);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("# begun 1"), "{text}");
        assert_eq!(lines(&text), LINES);
    }

    #[test]
    fn compressed_logs_are_smaller_and_readable_before_they_end() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("lines.log.gz");
        let log = write(&path);
        let mut text = String::new();
        // The log is not closed, as after a kill, but everything that was flushed can be read.
        read(&path, &mut text).unwrap();
        assert_eq!(lines(&text), LINES);
        let tap = log.tap("c");
        (0..10_000).for_each(|n| tap.note(Instant::now(), '<', &format!("info depth {n} pv e2e4")));
        log.close().unwrap();
        tap.note(Instant::now(), '<', "too late");
        let size = fs::metadata(&path).unwrap().len();
        read(&path, &mut text).unwrap();
        assert_eq!(text.lines().count(), 10_004);
        assert!(size * 4 < text.len() as u64, "{size} of {}", text.len());
    }

    #[test]
    fn keeps_one_older_file_beyond_the_size_limit() {
        const LIMIT: u64 = 20_000;
        let dir = tempfile::tempdir().unwrap();
        for (name, older) in [("lines.log", "lines.log.1"), ("lines.log.gz", "lines.log.1.gz")] {
            let [path, older] = [name, older].map(|name| dir.path().join(name));
            let log = LineLog::open(&path, Some(LIMIT)).unwrap();
            let tap = log.tap("a").of_new_process();
            for n in 0..20_000 {
                tap.note(Instant::now(), '<', &format!("info depth {n}"));
                if n % 50 == 0 {
                    log.flush();
                }
            }
            log.close().unwrap();
            let mut numbers = Vec::new();
            for path in [&older, &path] {
                let len = fs::metadata(path).unwrap().len();
                assert!(len <= LIMIT, "{}: {len}", path.display());
                let mut text = String::new();
                match is_gzip(path) {
                    true => read(path, &mut text).unwrap(),
                    false => File::open(path).unwrap().read_to_string(&mut text).unwrap(),
                };
                assert!(text.starts_with("# begun "), "{text}");
                let number = |line: &str| line.rsplit(' ').next().unwrap().parse::<u32>().unwrap();
                numbers.extend(text.lines().skip(1).map(number));
            }
            // No line is lost or cut between the two files.
            assert!(numbers.len() > 300 && numbers.len() < 20_000, "{}", numbers.len());
            assert!(numbers.windows(2).all(|pair| pair[0] + 1 == pair[1]), "{numbers:?}");
            assert_eq!(numbers.last(), Some(&19_999));
        }
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 4);
    }

    #[test]
    fn appends_to_an_existing_log() {
        let dir = tempfile::tempdir().unwrap();
        let plain = dir.path().join("lines.log");
        drop(write(&plain));
        // Simulate a kill in the middle of a line.
        let mut file = File::options().append(true).open(&plain).unwrap();
        file.write_all(b"    1.000000 game 2 a#1 > ").unwrap();
        drop(write(&plain));
        let text = fs::read_to_string(&plain).unwrap();
        assert_eq!(text.lines().count(), 4 + 1 + 4, "{text}");

        let zipped = dir.path().join("lines.gz");
        write(&zipped).close().unwrap();
        let whole = fs::read(&zipped).unwrap();
        let mut text = String::new();
        // Simulate a kill after the first bytes of a gzip member.
        for cut in [0, 1, 5, 12, 20] {
            let killed = [&whole[..], &whole[..cut]].concat();
            fs::write(&zipped, killed).unwrap();
            write(&zipped).close().unwrap();
            read(&zipped, &mut text).unwrap();
            assert_eq!(text.lines().count(), 8, "{cut}: {text}");
        }
        // Files that are not gzip logs remain unchanged.
        for (text, why) in
            [("hello world, this is no gzip", "gzip"), ("\u{1f}", "first gzip member")]
        {
            fs::write(&zipped, text).unwrap();
            let error = LineLog::open(&zipped, None).unwrap_err().to_string();
            assert!(error.contains(why), "{error}");
            assert_eq!(fs::read_to_string(&zipped).unwrap(), text);
        }
        for name in ["lines.zst", "lines.XZ"] {
            let error = LineLog::open(&dir.path().join(name), None).unwrap_err();
            assert!(error.to_string().contains(".gz") && !dir.path().join(name).exists());
        }
    }
}
