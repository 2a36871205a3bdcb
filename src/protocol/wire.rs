//! The text channel to the interface (the peer): whole lines in both directions, and an optional
//! log of the lines.
//!
//! Each line is written in full and flushed, so that lines from different threads are not
//! interleaved. After the peer has closed the output, nothing more is sent and the owner is
//! notified once.
//!
//! The search thread and the reading thread produce lines. The search thread writes directly (see
//! [`Wire::send`]), which is fastest, and blocks if the peer does not read. The reading thread must
//! not block, because it would then miss `quit` and the end of input, so a separate writing thread
//! writes its lines (see [`Wire::answer`]).

use super::failure::EngineFailure;
use super::log_file::LogFile;
use crate::base::text::without_mark;
use std::fmt::Display;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::mem;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The size of the buffer for answers, in bytes. If it is full, even [`Wire::answer`] waits.
const MAX_WAITING: usize = 1 << 20;
/// The chunk size of a write, in bytes. Each completed chunk proves that the peer is still reading.
const PIECE: usize = 1 << 12;
/// The timeout after which a peer that reads nothing is considered gone. It applies once the buffer
/// for answers is full.
const JAM: Duration = Duration::from_secs(60);
/// The timeout at the end of a session for a peer that reads nothing.
const FAREWELL: Duration = Duration::from_secs(2);

pub(crate) struct Wire {
    output: Mutex<Box<dyn Write + Send>>,
    log: Mutex<Option<LogFile>>,
    traffic: Mutex<Traffic>,
    changed: Condvar,
    closed: AtomicBool,
    failure: OnceLock<EngineFailure>,
    on_close: Box<dyn Fn() + Send + Sync>,
    start: Instant,
}

struct Traffic {
    /// Lines that will be written together with the next line or by the writing thread.
    waiting: String,
    /// True if `waiting` contains an answer, which the writing thread must write.
    has_answers: bool,
    writing: bool,
    /// The time at which the peer last read output, or was offered output while none was pending,
    /// whichever is later.
    progress: Instant,
    over: bool,
}

impl std::fmt::Debug for Wire {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Wire").field("closed", &self.closed).finish_non_exhaustive()
    }
}

impl Wire {
    /// Creates a channel to `output`; `on_close` is called when `output` is closed.
    pub(crate) fn new(
        output: impl Write + Send + 'static,
        on_close: impl Fn() + Send + Sync + 'static,
    ) -> Self {
        let (start, waiting) = (Instant::now(), String::new());
        Self {
            output: Mutex::new(Box::new(output)),
            log: Mutex::new(None),
            traffic: Mutex::new(Traffic {
                waiting,
                has_answers: false,
                writing: false,
                progress: start,
                over: false,
            }),
            changed: Condvar::new(),
            closed: AtomicBool::new(false),
            failure: OnceLock::new(),
            on_close: Box::new(on_close),
            start,
        }
    }

    /// Sends one or more lines and waits until they are written.
    pub(crate) fn send(&self, reply: impl Display) {
        let line = format!("{reply}\n");
        let mut output = lock(&self.output);
        self.write(&mut **output, &line);
    }

    /// Buffers a line until the next line is sent. Under time pressure, this saves a wake-up of the
    /// interface.
    pub(crate) fn send_with_next(&self, reply: impl Display) {
        lock(&self.traffic).waiting.push_str(&format!("{reply}\n"));
    }

    /// Sends a line through the writing thread. Waits only if the buffer for answers is full. This
    /// works only in a session run by [`converse`], which starts the writing thread.
    pub(crate) fn answer(&self, reply: impl Display) {
        let mut traffic = lock(&self.traffic);
        while traffic.waiting.len() > MAX_WAITING && !self.is_closed() {
            if traffic.progress.elapsed() > JAM {
                drop(traffic);
                tracing::warn!("the output is not being read and is closed");
                return self.close();
            }
            traffic = self.wait(traffic);
        }
        if !(traffic.has_answers || traffic.writing) {
            traffic.progress = Instant::now();
        }
        traffic.waiting.push_str(&format!("{reply}\n"));
        traffic.has_answers = true;
        self.changed.notify_all();
    }

    pub(crate) fn log_received(&self, line: &str) {
        self.log(">", line);
    }

    /// Logs all further lines to a file; `None` ends the log.
    pub(crate) fn log_to(&self, log: Option<LogFile>) {
        *lock(&self.log) = log;
    }

    pub(crate) fn close(&self) {
        if !self.closed.swap(true, Ordering::Relaxed) {
            (self.on_close)();
        }
        // Lock first, so that the notification cannot come between a waiter's check and its wait.
        drop(lock(&self.traffic));
        self.changed.notify_all();
    }

    /// Records an engine failure and closes the output.
    pub(crate) fn fail(&self, why: EngineFailure) {
        // Keep the first failure.
        let _ = self.failure.set(why);
        self.close();
    }

    pub(crate) fn failure(&self) -> Option<EngineFailure> {
        self.failure.get().cloned()
    }

    /// Returns the time at which the peer last read output, or was offered output while none was
    /// pending, whichever is later.
    pub(crate) fn last_progress(&self) -> Instant {
        lock(&self.traffic).progress
    }

    /// Returns whether the peer has left a write blocked for longer than [`FAREWELL`]. The end of a
    /// session does not wait for such a peer.
    pub(crate) fn is_jammed(&self) -> bool {
        let traffic = lock(&self.traffic);
        traffic.writing && traffic.progress.elapsed() > FAREWELL
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }

    /// Writes the pending lines, followed by `text`.
    fn write(&self, output: &mut dyn Write, text: &str) {
        if self.is_closed() {
            return;
        }
        let mut traffic = lock(&self.traffic);
        let mut all = mem::take(&mut traffic.waiting);
        (traffic.has_answers, traffic.writing, traffic.progress) = (false, true, Instant::now());
        drop(traffic);
        all.push_str(text);
        // Log before writing, because the peer may react to the lines by ending the log.
        self.log("<", &all);
        let mut pieces = all.as_bytes().chunks(PIECE);
        let written = pieces.try_for_each(|piece| {
            output.write_all(piece)?;
            lock(&self.traffic).progress = Instant::now();
            Ok(())
        });
        let written = written.and_then(|()| output.flush());
        lock(&self.traffic).writing = false;
        self.changed.notify_all();
        if let Err(error) = written {
            let error: io::Error = error;
            tracing::debug!("output closed: {error}");
            self.close();
        }
    }

    fn write_answers(&self) {
        loop {
            let mut traffic = lock(&self.traffic);
            while !(traffic.has_answers || traffic.over || self.is_closed()) {
                let woken = self.changed.wait(traffic);
                traffic = woken.unwrap_or_else(PoisonError::into_inner);
            }
            if traffic.waiting.is_empty() || self.is_closed() {
                return;
            }
            drop(traffic);
            self.write(&mut **lock(&self.output), "");
        }
    }

    /// Ends the session: waits until all output is written, with a timeout for a peer that reads
    /// nothing.
    fn finish(&self) {
        let mut traffic = lock(&self.traffic);
        traffic.over = true;
        self.changed.notify_all();
        while (traffic.writing || !traffic.waiting.is_empty())
            && !self.is_closed()
            && traffic.progress.elapsed() < FAREWELL
        {
            traffic = self.wait(traffic);
        }
    }

    /// Waits for at most 100 ms for the traffic to change.
    fn wait<'a>(&self, traffic: MutexGuard<'a, Traffic>) -> MutexGuard<'a, Traffic> {
        let waited = self.changed.wait_timeout(traffic, Duration::from_millis(100));
        waited.unwrap_or_else(PoisonError::into_inner).0
    }

    fn log(&self, direction: &str, text: &str) {
        let mut log = lock(&self.log);
        let Some(file) = log.as_mut() else { return };
        let time = self.start.elapsed().as_secs_f64();
        let lines: String =
            text.lines().map(|line| format!("{time:12.6} {direction} {line}\n")).collect();
        if let Err(error) = file.add(&lines) {
            tracing::warn!("cannot write to the log file, logging stops: {error}");
            *log = None;
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The maximum length of a line in bytes, enough for a game of more than 100,000 moves.
pub(crate) const MAX_LINE: usize = 1 << 20;
/// The maximum length in bytes of the text in [`Incoming::TooLong`], enough to contain the command.
const MAX_START: usize = 1 << 8;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Incoming {
    /// A line without its terminator; invalid UTF-8 is replaced.
    Line(String),
    /// The beginning of a line longer than [`MAX_LINE`]; the rest is discarded.
    TooLong(String),
}

/// An iterator over the lines of an input. `\n`, `\r` or both end a line, as the protocols require.
/// Blank lines, and byte order marks at the start of a line, are skipped.
#[derive(Debug)]
pub(crate) struct Lines<R> {
    input: R,
    ended: bool,
}

impl<R: BufRead> Lines<R> {
    pub(crate) const fn new(input: R) -> Self {
        Self { input, ended: false }
    }

    fn line(&mut self) -> Incoming {
        let mut line = Vec::new();
        let mut too_long = false;
        loop {
            let bytes = match self.input.fill_buf() {
                Ok(bytes) => bytes,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => {
                    tracing::debug!("input closed: {error}");
                    &[]
                }
            };
            self.ended = bytes.is_empty();
            let end = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            let part = &bytes[..end.unwrap_or(bytes.len())];
            too_long |= line.len() + part.len() > MAX_LINE;
            if !too_long || line.len() < MAX_START {
                line.extend_from_slice(part);
            }
            let used = end.map_or(bytes.len(), |end| end + 1);
            self.input.consume(used);
            if self.ended || end.is_some() {
                line.truncate(if too_long { MAX_START } else { MAX_LINE });
                let text = without_mark(&String::from_utf8_lossy(&line)).to_owned();
                return if too_long { Incoming::TooLong(text) } else { Incoming::Line(text) };
            }
        }
    }
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = Incoming;

    fn next(&mut self) -> Option<Incoming> {
        let blank =
            |line: &Incoming| matches!(line, Incoming::Line(text) if text.trim().is_empty());
        while !self.ended {
            let line = self.line();
            if !blank(&line) {
                return Some(line);
            }
        }
        None
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Flow {
    Continue,
    Quit,
}

enum End {
    Over,
    Closed,
}

/// Signals the end of the session when dropped, even by a panic.
struct Over(Sender<End>);

impl Drop for Over {
    fn drop(&mut self) {
        let _ = self.0.send(End::Over);
    }
}

/// Runs a session: calls `hold` with the channel to `output` and the lines of `input`. Returns the
/// result of `hold`, or the channel as an error if the output is closed first.
///
/// `hold` runs on its own thread, so that lines are processed as soon as they arrive. If the output
/// is closed, that thread is left behind waiting for input, and the caller should end the process.
/// A panic in `hold` is resumed on the calling thread.
pub(crate) fn converse<T: Send + 'static>(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    hold: impl FnOnce(&Arc<Wire>, &mut dyn Iterator<Item = Incoming>) -> T + Send + 'static,
) -> Result<T, Arc<Wire>> {
    let (sender, ends) = mpsc::channel();
    let over = Over(sender.clone());
    let wire = Arc::new(Wire::new(output, move || {
        let _ = sender.send(End::Closed);
    }));
    let writing = Arc::clone(&wire);
    thread::spawn(move || writing.write_answers());
    let session_wire = Arc::clone(&wire);
    let talk = thread::spawn(move || {
        let _over = over;
        let lines = Lines::new(BufReader::new(input)).take_while(|_| !session_wire.is_closed());
        hold(
            &session_wire,
            &mut lines.inspect(|line| {
                if let Incoming::Line(line) = line {
                    session_wire.log_received(line);
                }
            }),
        )
    });
    let end = ends.recv().unwrap_or(End::Over);
    wire.finish();
    match end {
        End::Over => Ok(talk.join().unwrap_or_else(|panic| resume_unwind(panic))),
        End::Closed => Err(wire),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_every_line_ending() {
        let huge = "x".repeat(MAX_LINE + 1);
        let text = format!("uci\n\n isready\r\nstop\r{huge}\ngo \u{ff}");
        let bytes: Vec<u8> = text.chars().map(|c| c as u32 as u8).collect();
        let lines: Vec<_> = Lines::new(BufReader::with_capacity(3, bytes.as_slice())).collect();
        let line = |text: &str| Incoming::Line(text.to_owned());
        let start = Incoming::TooLong("x".repeat(MAX_START));
        let expected = [line("uci"), line(" isready"), line("stop"), start, line("go \u{fffd}")];
        assert_eq!(lines, expected);
    }

    #[test]
    fn skips_byte_order_marks() {
        let text = "\u{feff}\n\u{feff}uci\r\n\u{feff}\u{feff} isready\nd \u{feff}";
        let lines: Vec<_> = Lines::new(text.as_bytes()).collect();
        let expected = ["uci", " isready", "d \u{feff}"];
        assert_eq!(lines, expected.map(|text| Incoming::Line(text.to_owned())));
    }

    /// An output that is never read, so that every write blocks.
    struct Unread;

    impl Write for Unread {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            loop {
                thread::park();
            }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// An input that yields its text and then blocks forever.
    struct Open(io::Cursor<Vec<u8>>);

    impl Read for Open {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            match self.0.read(buffer)? {
                0 => loop {
                    thread::park();
                },
                read => Ok(read),
            }
        }
    }

    #[test]
    fn session_with_unread_output_ends() {
        let until_quit = |wire: &Arc<Wire>, lines: &mut dyn Iterator<Item = Incoming>| {
            let quit = Incoming::Line("quit".to_owned());
            lines.take_while(|line| *line != quit).for_each(|_| wire.answer("answer"));
        };
        assert_eq!(converse(io::Cursor::new("uci\nisready\n"), Unread, until_quit).ok(), Some(()));
        let open = Open(io::Cursor::new(b"uci\nquit\n".to_vec()));
        assert_eq!(converse(open, Unread, until_quit).ok(), Some(()));
        // Repeat with a thread that blocks while sending a line.
        let open = Open(io::Cursor::new(b"uci\nquit\n".to_vec()));
        let ended = converse(open, Unread, move |wire, lines| {
            let thinking = Arc::clone(wire);
            thread::spawn(move || thinking.send("a line"));
            until_quit(wire, lines);
        });
        assert_eq!(ended.ok(), Some(()));
    }

    #[test]
    fn session_ends_when_hold_returns_or_output_closes() {
        let open = Open(io::Cursor::new(b"uci\n".to_vec()));
        let first = converse(open, io::sink(), |_, lines| lines.next());
        assert_eq!(first.ok(), Some(Some(Incoming::Line("uci".to_owned()))));
        let panics = || converse(io::empty(), io::sink(), |_, _| panic!("as it should"));
        assert!(std::panic::catch_unwind(panics).is_err());
        // The session also ends if the output is closed, even if the input stays open.
        let open = Open(io::Cursor::new(b"uci\n".to_vec()));
        let ended = converse(open, Broken, |wire, lines| lines.for_each(|_| wire.answer("x")));
        assert!(ended.is_err_and(|wire| wire.is_closed()));
    }

    /// An output closed by its reader.
    struct Broken;

    impl Write for Broken {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// An output that records each write.
    #[derive(Clone, Default)]
    struct Recorded(Arc<Mutex<Vec<String>>>);

    impl Write for Recorded {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            lock(&self.0).push(String::from_utf8_lossy(bytes).into_owned());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn writes_everything_in_order() {
        let recorded = Recorded::default();
        let lines = io::Cursor::new("a\n".repeat(50_000));
        let ended = converse(lines, recorded.clone(), |wire, lines| {
            lines.enumerate().for_each(|(n, _)| match n % 3 {
                0 => wire.answer(n),
                1 => wire.send(n),
                _ => wire.send_with_next(n),
            });
        });
        assert_eq!(ended.ok(), Some(()));
        let sent: String = (0..50_000).map(|n| format!("{n}\n")).collect();
        assert_eq!(lock(&recorded.0).concat(), sent);
        // A buffered line is written together with the next line.
        let recorded = Recorded::default();
        let wire = Wire::new(recorded.clone(), || {});
        wire.send_with_next("info");
        wire.send("bestmove");
        assert_eq!(*lock(&recorded.0), ["info\nbestmove\n"]);
    }
}
