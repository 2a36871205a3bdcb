//! A log of every line between the arena and the engines.
//!
//! `    12.345678 game 3 NAME#7 > go movetime 100`: seconds since the log began, the game (`-` outside of
//! games), the engine with the number of its process, and the line: `>` to the engine, `<` from it, `!`
//! its standard error. A file whose name ends with `.gz` is compressed; it can be read up to the
//! last game that ended, also after the match was killed.

use flate2::Compression;
use flate2::write::GzEncoder;
use std::fmt;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// The log of a match. Shared by clones.
#[derive(Clone)]
pub struct LineLog(Arc<Shared>);

struct Shared {
    path: PathBuf,
    began: Instant,
    processes: AtomicUsize,
    out: Mutex<io::Result<Box<dyn Write + Send>>>,
}

impl fmt::Debug for LineLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LineLog({})", self.0.path.display())
    }
}

impl LineLog {
    /// Makes the file; its first line says when.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn create(path: &Path) -> io::Result<Self> {
        let file = BufWriter::new(File::create(path)?);
        let compressed = path.extension().is_some_and(|extension| extension == "gz");
        let mut out: Box<dyn Write + Send> = if compressed {
            Box::new(GzEncoder::new(file, Compression::default()))
        } else {
            Box::new(file)
        };
        let since = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
        writeln!(out, "# begun {:.6} seconds after 1970", since.as_secs_f64())?;
        out.flush()?;
        let (began, processes) = (Instant::now(), AtomicUsize::new(0));
        Ok(Self(Arc::new(Shared {
            path: path.to_owned(),
            began,
            processes,
            out: Mutex::new(Ok(out)),
        })))
    }

    /// The file's name.
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    fn out(&self) -> MutexGuard<'_, io::Result<Box<dyn Write + Send>>> {
        self.0.out.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Hands what was logged to the system.
    pub fn flush(&self) {
        let mut out = self.out();
        if let Ok(file) = &mut *out
            && let Err(error) = file.flush()
        {
            *out = Err(error);
        }
    }

    /// What went wrong in writing, if anything has.
    ///
    /// # Errors
    /// The first error.
    pub fn check(&self) -> io::Result<()> {
        let out = self.out();
        out.as_ref().map(|_| ()).map_err(|error| io::Error::new(error.kind(), error.to_string()))
    }

    /// Ends the file; what is logged afterwards goes nowhere.
    ///
    /// # Errors
    /// What went wrong in writing.
    pub fn close(&self) -> io::Result<()> {
        let mut file = std::mem::replace(&mut *self.out(), Ok(Box::new(io::sink())))?;
        // Dropped, a compressed file gets its end.
        file.flush()
    }

    /// What logs the lines of an engine, whose games [`Tap::enter`] tells.
    pub fn tap(&self, engine: &str) -> Tap {
        Tap { log: self.clone(), engine: engine.into(), process: 0, game: Arc::default() }
    }
}

/// Where the lines of one engine go.
#[derive(Clone, Debug)]
pub struct Tap {
    log: LineLog,
    engine: Arc<str>,
    process: usize,
    /// From 1; 0 outside of games.
    game: Arc<AtomicUsize>,
}

impl Tap {
    /// The same engine in a new process.
    pub fn of_new_process(&self) -> Self {
        let process = self.log.0.processes.fetch_add(1, Ordering::Relaxed) + 1;
        Self { process, ..self.clone() }
    }

    /// Says in which game (from 0) the lines are from now on.
    pub fn enter(&self, game: usize) {
        self.game.store(game + 1, Ordering::Relaxed);
    }

    /// Logs a line that went by at this time.
    pub fn note(&self, at: Instant, mark: char, text: &str) {
        let time = at.saturating_duration_since(self.log.0.began).as_secs_f64();
        let game = match self.game.load(Ordering::Relaxed) {
            0 => "-".to_owned(),
            game => game.to_string(),
        };
        let Self { engine, process, .. } = self;
        let mut out = self.log.out();
        if let Ok(file) = &mut *out
            && let Err(error) =
                writeln!(file, "{time:13.6} game {game} {engine}#{process} {mark} {text}")
        {
            *out = Err(error);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use flate2::read::GzDecoder;
    use std::io::Read;

    fn write(path: &Path) -> LineLog {
        let log = LineLog::create(path).unwrap();
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

    const LINES: [&str; 3] =
        ["game - a#1 > uci", "game 1 a#1 < bestmove e2e4", "game - b#2 ! out of cheese"];

    #[test]
    fn lines_name_their_game_and_process() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("lines.log");
        let _open = write(&path);
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("# begun 1"), "{text}");
        assert_eq!(lines(&text), LINES);
    }

    #[test]
    fn compressed_logs_are_smaller_and_readable_before_they_end() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("lines.log.gz");
        let log = write(&path);
        let mut text = String::new();
        // Not finished, as after a kill: all that was flushed is there, then the end is missing.
        let unfinished = GzDecoder::new(File::open(&path).unwrap()).read_to_string(&mut text);
        assert!(unfinished.is_err());
        assert_eq!(lines(&text), LINES);
        let tap = log.tap("c");
        (0..10_000).for_each(|n| tap.note(Instant::now(), '<', &format!("info depth {n} pv e2e4")));
        log.close().unwrap();
        tap.note(Instant::now(), '<', "too late");
        let size = std::fs::metadata(&path).unwrap().len();
        text.clear();
        GzDecoder::new(File::open(&path).unwrap()).read_to_string(&mut text).unwrap();
        assert_eq!(text.lines().count(), 10_004);
        assert!(size * 4 < text.len() as u64, "{size} of {}", text.len());
    }
}
