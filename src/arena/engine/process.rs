//! An engine process with line-based input and output. Each line gets a timestamp when it arrives.
//!
//! For each process, a thread blocks in `read` and takes the timestamp immediately afterwards, so
//! that delays in the channel or in a busy arena are not charged to the engine's clock. When a
//! [`Process`] is dropped, the engine and all processes that it started are killed. If the arena
//! itself is killed, a [`Guard`] kills them.

use super::guard::Guard;
use super::line_log::Tap;
use super::strays::{self, Mark};
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The maximum length of an engine's line, in bytes; the rest of a longer line is dropped.
const MAX_LINE_LEN: usize = 1 << 14;
/// The maximum number of lines that wait for the arena. If it is reached, the engine's writes
/// block, so that a flood of lines applies back-pressure instead of filling memory.
const MAX_QUEUED_LINES: usize = 1 << 10;
/// The maximum amount of an engine's standard error that is logged, in bytes.
const MAX_STDERR: usize = 1 << 20;
/// The maximum time to wait for the end of each output stream, standard output and standard error,
/// after the engine has closed its input or output.
const STDERR_TIMEOUT: Duration = Duration::from_secs(1);
const MAX_TRANSCRIPT_LINES: usize = 30;
const POLL_INTERVAL: Duration = Duration::from_millis(100);
/// The maximum time to wait for the exit status of an engine that has closed its output.
const EXIT_TIMEOUT: Duration = Duration::from_millis(200);
/// The time allowed for an engine to exit after `quit`, before it is killed.
const QUIT_GRACE: Duration = Duration::from_millis(500);

/// A flag that asks a running tournament to end. Clones share the flag.
#[derive(Clone, Debug, Default)]
pub struct Interrupt {
    level: Arc<AtomicU8>,
    /// The guard that kills the engines if the arena is killed.
    guard: Option<Arc<Guard>>,
}

impl Interrupt {
    /// Creates an interrupt and starts a guard process, in case the arena is killed. `program` is
    /// the path of this program, which also acts as the guard.
    ///
    /// # Errors
    /// Returns an error if the guard cannot be started.
    pub fn guarded(program: &Path) -> io::Result<Self> {
        Ok(Self { guard: Some(Arc::new(Guard::start(program)?)), ..Self::default() })
    }

    /// Returns a new interrupt that is not raised, with the same guard.
    #[must_use]
    pub fn another(&self) -> Self {
        Self { guard: self.guard.clone(), ..Self::default() }
    }

    /// Asks the tournament to start no more games, but to finish the running games. A second call
    /// aborts the running games.
    pub fn raise(&self) {
        let _ =
            self.level.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |n| Some((n + 1).min(2)));
    }

    /// Aborts the running games.
    pub fn abort(&self) {
        self.level.store(2, Ordering::SeqCst);
    }

    /// Returns whether no further games should start.
    pub fn is_raised(&self) -> bool {
        self.level.load(Ordering::SeqCst) > 0
    }

    /// Waits for `time`. If the match is interrupted, returns false immediately.
    pub fn wait(&self, time: Duration) -> bool {
        let until = Instant::now() + time;
        while !self.is_raised() {
            match until.saturating_duration_since(Instant::now()) {
                Duration::ZERO => return true,
                left => thread::sleep(left.min(POLL_INTERVAL)),
            }
        }
        false
    }

    /// Returns whether the running games must be aborted.
    pub fn is_abort(&self) -> bool {
        self.level.load(Ordering::SeqCst) > 1
    }
}

#[derive(Clone, Debug)]
pub struct OutputLine {
    pub at: Instant,
    /// The line without its terminator, decoded lossily.
    pub text: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NoLine {
    Timeout,
    /// The engine closed its output, usually because it exited.
    Closed,
    Aborted,
}

/// The way in which an engine process ended. It is displayed after the engine's name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// The process closed its output or a connection, and may still be running. Also used on
    /// systems other than Unix.
    Unknown,
    /// The process exited with this status.
    Status(i32),
    /// The process was killed by this signal.
    Signal(&'static str),
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => f.write_str("ended"),
            Self::Status(status) => write!(f, "ended with exit status {status}"),
            Self::Signal(signal) => write!(f, "was killed by signal {signal}"),
        }
    }
}

/// The last lines exchanged with an engine, for error reports. `>` marks input to the engine, `<`
/// its output, and `!` its standard error.
#[derive(Clone, Debug, Default)]
pub(crate) struct Transcript(Arc<Mutex<TranscriptState>>);

#[derive(Debug, Default)]
struct TranscriptState {
    last: VecDeque<String>,
    tap: Option<Tap>,
}

impl Transcript {
    pub(crate) fn note(&self, at: Instant, mark: char, text: &str) {
        let mut state = self.lock();
        if let Some(tap) = &state.tap {
            tap.note(at, mark, text);
        }
        state.store(mark, text);
    }

    /// Stores a line without logging it.
    fn store(&self, mark: char, text: &str) {
        self.lock().store(mark, text);
    }

    fn lock(&self) -> MutexGuard<'_, TranscriptState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Logs the stored lines and all later lines.
    pub(crate) fn log_to(&self, tap: Tap) {
        let mut state = self.lock();
        for line in &state.last {
            let mut chars = line.chars();
            tap.note(Instant::now(), chars.next().unwrap_or(' '), chars.as_str().trim_start());
        }
        state.tap = Some(tap);
    }

    pub fn lines(&self) -> Vec<String> {
        self.lock().last.iter().cloned().collect()
    }
}

impl TranscriptState {
    fn store(&mut self, mark: char, text: &str) {
        // Search information would fill the transcript without explaining anything.
        if mark == '<' && text.starts_with("info ") && !text.starts_with("info string") {
            return;
        }
        if self.last.len() == MAX_TRANSCRIPT_LINES {
            self.last.pop_front();
        }
        self.last.push_back(format!("{mark} {text}"));
    }
}

pub(crate) struct Process {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<OutputLine>,
    /// A line that arrived after the deadline of the last call to [`Self::next_line`].
    late: RefCell<Option<OutputLine>>,
    closed: Cell<bool>,
    /// Channels that disconnect when the engine's standard output and standard error end.
    ends: [Receiver<()>; 2],
    transcript: Transcript,
    mark: Mark,
    interrupt: Interrupt,
}

impl fmt::Debug for Process {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Process({})", self.child.id())
    }
}

impl Process {
    /// Starts a program in its own process group.
    pub(crate) fn start(
        program: &str,
        args: &[String],
        dir: Option<&Path>,
        interrupt: &Interrupt,
    ) -> io::Result<Self> {
        let mut command = Command::new(program);
        command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(dir) = dir {
            command.current_dir(dir);
        }
        // In its own process group, an engine does not receive Ctrl-C from the terminal. Only the
        // arena receives it, and then ends its engines.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mark = Mark::new();
        command.env(strays::VARIABLE, mark.to_string());
        let mut child = command.spawn()?;
        interrupt.guard.iter().for_each(|guard| guard.watch(child.id(), &mark));
        let transcript = Transcript::default();
        let (sender, lines) = sync_channel(MAX_QUEUED_LINES);
        let (output_end, output_ended) = sync_channel::<()>(1);
        if let Some(output) = child.stdout.take() {
            let transcript = transcript.clone();
            thread::spawn(move || {
                read_lines(output, &transcript, &sender);
                drop(output_end);
            });
        }
        let (errors_end, errors_ended) = sync_channel::<()>(1);
        if let Some(errors) = child.stderr.take() {
            let transcript = transcript.clone();
            thread::spawn(move || {
                read_errors(errors, &transcript);
                drop(errors_end);
            });
        }
        let ends = [output_ended, errors_ended];
        let input = child.stdin.take();
        let (late, closed, interrupt) = (RefCell::default(), Cell::default(), interrupt.clone());
        Ok(Self { child, input, lines, late, closed, ends, transcript, mark, interrupt })
    }

    /// Sends one line with a line terminator, and returns the time at which the write completed.
    /// The engine may already have answered by then.
    pub(crate) fn send(&mut self, line: &str) -> io::Result<Instant> {
        self.transcript.note(Instant::now(), '>', line);
        let input = self.input.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        let mut bytes = Vec::with_capacity(line.len() + 1);
        bytes.extend_from_slice(line.as_bytes());
        bytes.push(b'\n');
        let sent = input.write_all(&bytes);
        self.closed.set(self.closed.get() || sent.is_err());
        sent.map(|()| Instant::now())
    }

    /// Returns the next line that arrives by `deadline`. A later line is left for the next call, so
    /// that an engine that never stops printing cannot exceed its deadlines.
    pub(crate) fn next_line(&self, deadline: Instant) -> Result<OutputLine, NoLine> {
        let waiting = self.late.take();
        let line = waiting.map_or_else(|| self.receive(deadline), Ok)?;
        if line.at > deadline {
            self.late.replace(Some(line));
            return Err(NoLine::Timeout);
        }
        Ok(line)
    }

    fn receive(&self, deadline: Instant) -> Result<OutputLine, NoLine> {
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left.min(POLL_INTERVAL)) {
                Ok(line) => return Ok(line),
                Err(_) if self.interrupt.is_abort() => return Err(NoLine::Aborted),
                Err(RecvTimeoutError::Disconnected) => {
                    self.closed.set(true);
                    return Err(NoLine::Closed);
                }
                Err(RecvTimeoutError::Timeout) if left <= POLL_INTERVAL => {
                    return Err(NoLine::Timeout);
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    #[cfg(unix)]
    fn status(&self) -> Option<nix::sys::wait::WaitStatus> {
        use nix::sys::wait::{Id, WaitPidFlag, waitid};
        let id = i32::try_from(self.child.id()).ok()?;
        // `WNOWAIT` does not reap the process, so no other process gets its process ID.
        let look = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
        waitid(Id::Pid(nix::unistd::Pid::from_raw(id)), look).ok()
    }

    /// Returns whether the program is still running, even if it has closed its output. Always
    /// returns false on systems other than Unix.
    pub(crate) fn is_running(&self) -> bool {
        #[cfg(unix)]
        return self.status() == Some(nix::sys::wait::WaitStatus::StillAlive);
        #[cfg(not(unix))]
        false
    }

    /// Returns how the program ended. Must be called only after the program has closed its output
    /// or a connection. Waits briefly for the program to exit.
    pub(crate) fn exit(&self) -> Exit {
        #[cfg(unix)]
        {
            use nix::sys::wait::WaitStatus;
            let deadline = Instant::now() + EXIT_TIMEOUT;
            loop {
                match self.status() {
                    Some(WaitStatus::Exited(_, status)) => return Exit::Status(status),
                    Some(WaitStatus::Signaled(_, signal, _)) => {
                        return Exit::Signal(signal.as_str());
                    }
                    Some(WaitStatus::StillAlive) if Instant::now() < deadline => {
                        thread::sleep(Duration::from_millis(5));
                    }
                    _ => return Exit::Unknown,
                }
            }
        }
        #[cfg(not(unix))]
        Exit::Unknown
    }

    pub(crate) fn hang_up(&mut self) {
        self.input = None;
    }

    pub(crate) const fn transcript(&self) -> &Transcript {
        &self.transcript
    }

    /// Returns the lines of the transcript. If the engine has closed its input or output, first
    /// waits for the rest of its standard output and standard error.
    pub(crate) fn last_lines(&self) -> Vec<String> {
        if self.closed.get() {
            for end in &self.ends {
                let _ = end.recv_timeout(STDERR_TIMEOUT);
            }
        }
        self.transcript.lines()
    }

    fn kill(&mut self) {
        if let Ok(id) = i32::try_from(self.child.id()) {
            strays::end(id, &self.mark);
        }
        let _ = self.child.kill();
        self.interrupt.guard.iter().for_each(|guard| guard.forget(self.child.id()));
        let _ = self.child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if !self.interrupt.is_abort() && self.send("quit").is_ok() {
            self.input = None;
            let deadline = Instant::now() + QUIT_GRACE;
            while self.next_line(deadline).is_ok() {}
        }
        self.kill();
    }
}

/// Reads lines until the output ends. All lines from one `read` get the same timestamp, because the
/// engine wrote all of them before anyone could have answered the first.
fn read_lines(mut output: impl Read, transcript: &Transcript, sender: &SyncSender<OutputLine>) {
    let mut chunk = vec![0; 1 << 16];
    let mut line = Vec::with_capacity(MAX_LINE_LEN);
    loop {
        let count = match output.read(&mut chunk) {
            Ok(count) if count > 0 => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            _ => return,
        };
        let at = Instant::now();
        for part in chunk[..count].split_inclusive(|&byte| byte == b'\n') {
            let room = MAX_LINE_LEN - line.len();
            line.extend_from_slice(&part[..part.len().min(room)]);
            if !part.ends_with(b"\n") {
                continue;
            }
            let text = String::from_utf8_lossy(&line).trim_end_matches(['\r', '\n']).to_owned();
            line.clear();
            transcript.note(at, '<', &text);
            if sender.send(OutputLine { at, text }).is_err() {
                return;
            }
        }
    }
}

fn read_errors(errors: impl Read, transcript: &Transcript) {
    let mut errors = BufReader::new(errors);
    let mut bytes = Vec::new();
    let mut room = MAX_STDERR;
    while matches!((&mut errors).take(MAX_LINE_LEN as u64).read_until(b'\n', &mut bytes), Ok(n) if n > 0)
    {
        let text = String::from_utf8_lossy(&bytes);
        if room == 0 {
            transcript.store('!', text.trim_end());
        } else {
            transcript.note(Instant::now(), '!', text.trim_end());
            room = room.saturating_sub(bytes.len());
            if room == 0 {
                transcript.note(
                    Instant::now(),
                    '!',
                    "(further standard error output is not logged)",
                );
            }
        }
        bytes.clear();
    }
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn start(script: &str) -> Process {
        let args = ["-c".to_owned(), script.to_owned()];
        Process::start("sh", &args, None, &Interrupt::default()).unwrap()
    }

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(60)
    }

    #[test]
    fn names_the_exit_status_or_signal() {
        for (script, words) in [
            ("exit 3", "ended with exit status 3"),
            ("kill -SEGV $$", "was killed by signal SIGSEGV"),
            ("exec >&-; sleep 60", "ended"),
        ] {
            let process = start(script);
            assert_eq!(process.next_line(soon()).unwrap_err(), NoLine::Closed, "{script}");
            assert_eq!(process.exit().to_string(), words, "{script}");
        }
    }

    #[test]
    fn truncates_long_lines() {
        let long = "x".repeat(5 * MAX_LINE_LEN);
        let text = format!("one\r\n{long}bestmove\ntwo\n{long}");
        let (sender, lines) = sync_channel(8);
        read_lines(text.as_bytes(), &Transcript::default(), &sender);
        let lines: Vec<String> = lines.try_iter().map(|line| line.text).collect();
        assert_eq!(lines, ["one", &long[..MAX_LINE_LEN], "two"]);
    }

    #[test]
    fn returns_a_late_line_with_the_next_call() {
        let process = start("echo one; echo two; cat >/dev/null");
        let past = Instant::now().checked_sub(Duration::from_secs(1)).unwrap();
        // Read the first line, and wait until the second line has arrived.
        let first = process.next_line(soon()).unwrap();
        assert_eq!(first.text, "one");
        thread::sleep(Duration::from_millis(50));
        assert_eq!(process.next_line(past).unwrap_err(), NoLine::Timeout);
        assert_eq!(process.next_line(past).unwrap_err(), NoLine::Timeout);
        assert_eq!(process.next_line(soon()).unwrap().text, "two");
    }

    #[test]
    fn waits_for_stderr_after_exit() {
        let mut process = start("exec >/dev/null; sleep 0.3; echo out of cheese >&2");
        assert_eq!(process.next_line(soon()).unwrap_err(), NoLine::Closed);
        assert_eq!(process.last_lines(), ["! out of cheese"]);
        process.hang_up();
    }

    #[test]
    fn keeps_the_output_of_an_engine_that_closed_its_input() {
        let mut process = start("exec <&-; sleep 0.3; echo good day");
        thread::sleep(Duration::from_millis(100));
        while process.send("uci").is_ok() {
            thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(process.last_lines().last().map(String::as_str), Some("< good day"));
    }

    #[test]
    fn a_flood_of_errors_does_not_fill_the_log() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lines.log");
        let log = super::super::line_log::LineLog::open(&path, None).unwrap();
        let transcript = Transcript::default();
        transcript.log_to(log.tap("a").of_new_process());
        let flood = "thoughts\n".repeat(MAX_STDERR / 4) + "the end\n";
        read_errors(flood.as_bytes(), &transcript);
        log.close().unwrap();
        let logged = std::fs::read_to_string(&path).unwrap();
        assert!(logged.len() < 12 * MAX_STDERR && logged.ends_with("is not logged)\n"));
        let lines = transcript.lines();
        assert_eq!(
            (lines.len(), lines.last().unwrap().as_str()),
            (MAX_TRANSCRIPT_LINES, "! the end")
        );
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn kills_every_process_that_an_engine_started() {
        let sleeps = "sh -c 'echo $$; exec sleep 1000'";
        for script in [
            // A child in the engine's process group.
            format!("{sleeps} & exec sleep 1000"),
            // A child in its own session.
            format!("setsid {sleeps} & exec sleep 1000"),
            // An orphan in its own session.
            format!("(setsid {sleeps} &); exec sleep 1000"),
            // A child in its own session, without the mark in its environment.
            format!("setsid env -i PATH=$PATH {sleeps} & exec sleep 1000"),
            // An orphan in its own session, after the engine itself has exited.
            format!("(setsid {sleeps} &)"),
        ] {
            let process = start(&script);
            let id = process.next_line(soon()).unwrap().text;
            let runs = || {
                let status = std::fs::read_to_string(format!("/proc/{id}/stat")).ok();
                status.is_some_and(|status| !status.contains(") Z "))
            };
            assert!(runs(), "{script}");
            drop(process);
            assert!(!runs(), "{script}: {id} still runs");
        }
    }
}
