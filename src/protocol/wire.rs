//! The line to the interface: whole lines out, whole lines in, and the log of both.
//!
//! Lines leave in one write and are flushed, so that threads cannot mix them. Once the other side has
//! hung up nothing more is sent, and the owner is told once.
//!
//! Two kinds of threads send. The one that thinks [sends](Wire::send) itself, since nothing is faster, and
//! waits where the other side does not read. The one that reads must never wait, or it would be deaf to
//! `quit` and to the end of input: what it [answers](Wire::answer) another thread writes.

use super::failure::EngineFailure;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::mem;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How many bytes of answers wait for an other side that does not read, before whoever answers waits too.
const MAX_WAITING: usize = 1 << 20;
/// Bytes in one write, after which it is known that the other side reads.
const PIECE: usize = 1 << 12;
/// The other side is taken to be gone if it has read nothing for so long, and no more answers can wait.
const JAM: Duration = Duration::from_secs(60);
/// So long the end of a conversation waits for an other side that reads nothing.
const FAREWELL: Duration = Duration::from_secs(2);

/// Writes lines and logs lines.
pub struct Wire {
    output: Mutex<Box<dyn Write + Send>>,
    log: Mutex<Option<File>>,
    traffic: Mutex<Traffic>,
    changed: Condvar,
    closed: AtomicBool,
    failure: OnceLock<EngineFailure>,
    on_close: Box<dyn Fn() + Send + Sync>,
    start: Instant,
}

/// What is on its way out.
struct Traffic {
    /// Lines that go with the next that is sent, or when the thread that writes answers comes to them.
    waiting: String,
    /// Whether among them is an answer, for which that thread is needed.
    answers: bool,
    /// Whether something is being written.
    writing: bool,
    /// When the other side last took something, or something was first offered to it.
    progress: Instant,
    /// Whether the conversation is over.
    over: bool,
}

impl std::fmt::Debug for Wire {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Wire").field("closed", &self.closed).finish_non_exhaustive()
    }
}

impl Wire {
    /// A wire into `output`; `on_close` is called when `output` accepts no more.
    pub fn new(
        output: impl Write + Send + 'static,
        on_close: impl Fn() + Send + Sync + 'static,
    ) -> Self {
        let (start, waiting) = (Instant::now(), String::new());
        Self {
            output: Mutex::new(Box::new(output)),
            log: Mutex::new(None),
            traffic: Mutex::new(Traffic {
                waiting,
                answers: false,
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

    /// Sends a line, or several at once, and waits until the other side has taken them.
    pub fn send(&self, reply: impl Display) {
        let line = format!("{reply}\n");
        let mut output = lock(&self.output);
        self.write(&mut **output, &line);
    }

    /// Sends a line together with the next that is sent: a write less, which would wake the other side
    /// while there is little time.
    pub fn send_later(&self, reply: impl Display) {
        lock(&self.traffic).waiting.push_str(&format!("{reply}\n"));
    }

    /// Sends a line by another thread, without waiting for the other side. Only a [conversation](converse)
    /// has that thread.
    pub fn answer(&self, reply: impl Display) {
        let mut traffic = lock(&self.traffic);
        while traffic.waiting.len() > MAX_WAITING && !self.is_closed() {
            if traffic.progress.elapsed() > JAM {
                drop(traffic);
                tracing::warn!("nobody reads the output");
                return self.close();
            }
            traffic = self.wait(traffic);
        }
        if !(traffic.answers || traffic.writing) {
            traffic.progress = Instant::now();
        }
        traffic.waiting.push_str(&format!("{reply}\n"));
        traffic.answers = true;
        self.changed.notify_all();
    }

    /// Logs a line that came in.
    pub fn received(&self, line: &str) {
        self.log(">", line);
    }

    /// Appends all lines to a file from now on; `None` ends the log.
    pub fn log_to(&self, log: Option<File>) {
        *lock(&self.log) = log;
    }

    /// Sends nothing from now on.
    pub fn close(&self) {
        if !self.closed.swap(true, Ordering::Relaxed) {
            (self.on_close)();
        }
        // Taking the lock orders this after the look of one who waits.
        drop(lock(&self.traffic));
        self.changed.notify_all();
    }

    /// Sends nothing from now on, since the engine has ended before its time.
    pub fn fail(&self, why: EngineFailure) {
        // The first reason counts.
        let _ = self.failure.set(why);
        self.close();
    }

    /// Why the engine has ended before its time, if it has.
    pub fn failure(&self) -> Option<EngineFailure> {
        self.failure.get().cloned()
    }

    /// Whether nothing is sent any more.
    pub fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }

    /// Writes what waits, and then a text.
    fn write(&self, output: &mut dyn Write, text: &str) {
        if self.is_closed() {
            return;
        }
        let mut traffic = lock(&self.traffic);
        let mut all = mem::take(&mut traffic.waiting);
        (traffic.answers, traffic.writing, traffic.progress) = (false, true, Instant::now());
        drop(traffic);
        all.push_str(text);
        // First into the log: whoever has read a line may end the log at once.
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

    /// Writes answers until the conversation is over.
    fn write_answers(&self) {
        loop {
            let mut traffic = lock(&self.traffic);
            while !(traffic.answers || traffic.over || self.is_closed()) {
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

    /// Ends the conversation: waits until all that waits has been written, but not for ever for an other
    /// side that reads nothing.
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

    /// Waits a moment for a change.
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
        if let Err(error) = file.write_all(lines.as_bytes()) {
            tracing::warn!("the log file cannot be written any more: {error}");
            *log = None;
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The longest line that is read, in bytes: a game of more than 100,000 moves.
pub const MAX_LINE: usize = 1 << 20;

/// What came in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Incoming {
    /// A line without its end; bytes that are not UTF-8 are replaced.
    Line(String),
    /// A line longer than [`MAX_LINE`], thrown away.
    TooLong,
}

/// The lines of an input. Any of `\n`, `\r` and both together end a line, as the protocols ask; blank
/// lines are left out.
#[derive(Debug)]
pub struct Lines<R> {
    input: R,
    ended: bool,
}

impl<R: BufRead> Lines<R> {
    /// The lines of this input.
    pub const fn new(input: R) -> Self {
        Self { input, ended: false }
    }

    /// Reads up to the end of a line, or of the input.
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
            if !too_long {
                line.extend_from_slice(part);
            }
            let used = end.map_or(bytes.len(), |end| end + 1);
            self.input.consume(used);
            if too_long && (self.ended || end.is_some()) {
                return Incoming::TooLong;
            }
            if self.ended || end.is_some() {
                return Incoming::Line(String::from_utf8_lossy(&line).into_owned());
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

/// Whether a conversation goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
    /// It goes on.
    Continue,
    /// It ends.
    Quit,
}

/// Why the thread that waits for the end of a conversation is woken.
enum End {
    /// It is over.
    Over,
    /// The output accepts no more.
    Closed,
}

/// Says that the conversation is over, also where a panic ends it.
struct Over(Sender<End>);

impl Drop for Over {
    fn drop(&mut self) {
        let _ = self.0.send(End::Over);
    }
}

/// Holds a conversation: `hold` gets the lines of `input` and the wire into `output`, and returns when
/// the lines end or it has had enough. What it returns is returned, or the wire as an error if that was
/// closed before.
///
/// `hold` reads on a thread of its own, so that lines are obeyed as soon as they are there. That thread
/// is left behind, waiting for input, when the output is closed: the caller is expected to end the process.
///
/// # Panics
/// If `hold` does.
pub fn converse<T: Send + 'static>(
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
    let held = Arc::clone(&wire);
    let talk = thread::spawn(move || {
        let _over = over;
        let lines = Lines::new(BufReader::new(input)).take_while(|_| !held.is_closed());
        hold(
            &held,
            &mut lines.inspect(|line| {
                if let Incoming::Line(line) = line {
                    held.received(line);
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
    fn lines_end_in_every_way() {
        let huge = "x".repeat(MAX_LINE + 1);
        let text = format!("uci\n\n isready\r\nstop\r{huge}\ngo \u{ff}");
        let bytes: Vec<u8> = text.chars().map(|c| c as u32 as u8).collect();
        let lines: Vec<_> = Lines::new(BufReader::with_capacity(3, bytes.as_slice())).collect();
        let line = |text: &str| Incoming::Line(text.to_owned());
        let expected =
            [line("uci"), line(" isready"), line("stop"), Incoming::TooLong, line("go \u{fffd}")];
        assert_eq!(lines, expected);
    }

    /// An output that nobody reads; whoever writes into it waits for ever.
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

    /// An input that says something and then nothing, without an end.
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
    fn a_conversation_that_nobody_reads_ends_when_it_should() {
        let until_quit = |wire: &Arc<Wire>, lines: &mut dyn Iterator<Item = Incoming>| {
            let quit = Incoming::Line("quit".to_owned());
            lines.take_while(|line| *line != quit).for_each(|_| wire.answer("answer"));
        };
        assert_eq!(converse(io::Cursor::new("uci\nisready\n"), Unread, until_quit).ok(), Some(()));
        let open = Open(io::Cursor::new(b"uci\nquit\n".to_vec()));
        assert_eq!(converse(open, Unread, until_quit).ok(), Some(()));
        // Also while a thread waits for its line to be read.
        let open = Open(io::Cursor::new(b"uci\nquit\n".to_vec()));
        let ended = converse(open, Unread, move |wire, lines| {
            let thinking = Arc::clone(wire);
            thread::spawn(move || thinking.send("a line"));
            until_quit(wire, lines);
        });
        assert_eq!(ended.ok(), Some(()));
    }

    #[test]
    fn a_conversation_ends_with_the_one_who_holds_it() {
        let open = Open(io::Cursor::new(b"uci\n".to_vec()));
        let first = converse(open, io::sink(), |_, lines| lines.next());
        assert_eq!(first.ok(), Some(Some(Incoming::Line("uci".to_owned()))));
        let panics = || converse(io::empty(), io::sink(), |_, _| panic!("as it should"));
        assert!(std::panic::catch_unwind(panics).is_err());
        // And with the output, whatever else comes in.
        let open = Open(io::Cursor::new(b"uci\n".to_vec()));
        let ended = converse(open, Broken, |wire, lines| lines.for_each(|_| wire.answer("x")));
        assert!(ended.is_err_and(|wire| wire.is_closed()));
    }

    /// An output that has hung up.
    struct Broken;

    impl Write for Broken {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// An output that keeps what each write brought.
    #[derive(Clone, Default)]
    struct Kept(Arc<Mutex<Vec<String>>>);

    impl Write for Kept {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            lock(&self.0).push(String::from_utf8_lossy(bytes).into_owned());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn all_that_was_said_is_written_in_order() {
        let kept = Kept::default();
        let lines = io::Cursor::new("a\n".repeat(50_000));
        let ended = converse(lines, kept.clone(), |wire, lines| {
            lines.enumerate().for_each(|(n, _)| match n % 3 {
                0 => wire.answer(n),
                1 => wire.send(n),
                _ => wire.send_later(n),
            });
        });
        assert_eq!(ended.ok(), Some(()));
        let said: String = (0..50_000).map(|n| format!("{n}\n")).collect();
        assert_eq!(lock(&kept.0).concat(), said);
        // What is sent later goes in one write with what is sent next.
        let kept = Kept::default();
        let wire = Wire::new(kept.clone(), || {});
        wire.send_later("info");
        wire.send("bestmove");
        assert_eq!(*lock(&kept.0), ["info\nbestmove\n"]);
    }
}
