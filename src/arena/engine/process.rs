//! One engine process: lines go in, lines come out, each stamped when it arrived.
//!
//! A thread for each process blocks in `read` and stamps a line before anything else happens to it,
//! so that neither the channel nor a busy arena is charged to an engine's clock. Nothing polls.
//! Invariant: when a [`Process`] is dropped, its whole process group is gone. If the arena is killed, a
//! [`Guard`] sees to that.

use super::guard::Guard;
use super::line_log::Tap;
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

/// The longest line of an engine, in bytes; a longer one is cut in pieces.
const LONGEST_LINE: usize = 1 << 16;
/// Lines that can wait for the arena. Beyond that the engine's writes block, so that no flood of lines
/// fills the memory.
const LINES_WAITING: usize = 1 << 12;
/// How many lines the transcript keeps.
const TRANSCRIPT: usize = 30;
/// How often a waiting arena looks whether the match was interrupted.
const LOOK_UP: Duration = Duration::from_millis(100);
/// How long an engine may take to obey `quit` before it is killed.
const QUIT_GRACE: Duration = Duration::from_millis(500);

/// Asks a running tournament to end. Shared by clones.
#[derive(Clone, Debug, Default)]
pub struct Interrupt {
    asked: Arc<AtomicU8>,
    /// What ends the engines if the arena is killed.
    guard: Option<Arc<Guard>>,
}

impl Interrupt {
    /// An interrupt with a guard, in case the arena is killed. `program` is this program, which can be
    /// run as the guard.
    ///
    /// # Errors
    /// If the guard cannot be run.
    pub fn guarded(program: &Path) -> io::Result<Self> {
        Ok(Self { guard: Some(Arc::new(Guard::start(program)?)), ..Self::default() })
    }

    /// Lets the running games end and starts no more; if raised again, breaks them off.
    pub fn raise(&self) {
        let _ =
            self.asked.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |n| Some((n + 1).min(2)));
    }

    /// Breaks the running games off.
    pub fn abort(&self) {
        self.asked.store(2, Ordering::SeqCst);
    }

    /// Whether no further game should start.
    pub fn is_raised(&self) -> bool {
        self.asked.load(Ordering::SeqCst) > 0
    }

    /// Waits; returns false as soon as the match is interrupted.
    pub fn wait(&self, time: Duration) -> bool {
        let until = Instant::now() + time;
        while !self.is_raised() {
            match until.saturating_duration_since(Instant::now()) {
                Duration::ZERO => return true,
                left => thread::sleep(left.min(LOOK_UP)),
            }
        }
        false
    }

    /// Whether running games are broken off.
    pub fn is_abort(&self) -> bool {
        self.asked.load(Ordering::SeqCst) > 1
    }
}

/// A line that an engine wrote.
#[derive(Clone, Debug)]
pub struct Line {
    /// When it arrived.
    pub at: Instant,
    /// The line, without its end; invalid UTF-8 replaced.
    pub text: String,
}

/// Why there is no line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoLine {
    /// The deadline passed.
    Timeout,
    /// The engine closed its output: it has ended, or as good as.
    Closed,
    /// The match was broken off.
    Aborted,
}

/// The last lines between the arena and an engine, for the record when something goes wrong:
/// `>` to the engine, `<` from it, `!` its standard error.
#[derive(Clone, Debug, Default)]
pub struct Transcript(Arc<Mutex<Heard>>);

#[derive(Debug, Default)]
struct Heard {
    last: VecDeque<String>,
    tap: Option<Tap>,
}

impl Transcript {
    /// Keeps a line, and logs it.
    pub fn note(&self, at: Instant, mark: char, text: &str) {
        let mut heard = self.lock();
        if let Some(tap) = &heard.tap {
            tap.note(at, mark, text);
        }
        // An engine's thoughts would fill the transcript and explain nothing.
        if mark == '<' && text.starts_with("info ") && !text.starts_with("info string") {
            return;
        }
        if heard.last.len() == TRANSCRIPT {
            heard.last.pop_front();
        }
        heard.last.push_back(format!("{mark} {text}"));
    }

    fn lock(&self) -> MutexGuard<'_, Heard> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Logs all lines, beginning with those that the transcript has.
    pub fn log_to(&self, tap: Tap) {
        let mut heard = self.lock();
        for line in &heard.last {
            let mut chars = line.chars();
            tap.note(Instant::now(), chars.next().unwrap_or(' '), chars.as_str().trim_start());
        }
        heard.tap = Some(tap);
    }

    /// The lines, oldest first.
    pub fn lines(&self) -> Vec<String> {
        self.lock().last.iter().cloned().collect()
    }
}

/// A running engine.
pub struct Process {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<Line>,
    transcript: Transcript,
    interrupt: Interrupt,
}

impl fmt::Debug for Process {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Process({})", self.child.id())
    }
}

impl Process {
    /// Starts a program in a process group of its own.
    pub fn start(
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
        // Ctrl-C in a terminal goes to the arena alone, which then ends its engines.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        interrupt.guard.iter().for_each(|guard| guard.watch(child.id()));
        let transcript = Transcript::default();
        let (sender, lines) = sync_channel(LINES_WAITING);
        if let Some(output) = child.stdout.take() {
            let transcript = transcript.clone();
            thread::spawn(move || read_lines(output, &transcript, &sender));
        }
        if let Some(errors) = child.stderr.take() {
            let transcript = transcript.clone();
            thread::spawn(move || read_errors(errors, &transcript));
        }
        let input = child.stdin.take();
        Ok(Self { child, input, lines, transcript, interrupt: interrupt.clone() })
    }

    /// Sends one line (the end of line is added) and says when it was in the engine's hands. The engine
    /// may already have answered by then.
    pub fn send(&mut self, line: &str) -> io::Result<Instant> {
        self.transcript.note(Instant::now(), '>', line);
        let input = self.input.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        let mut bytes = Vec::with_capacity(line.len() + 1);
        bytes.extend_from_slice(line.as_bytes());
        bytes.push(b'\n');
        input.write_all(&bytes)?;
        Ok(Instant::now())
    }

    /// The next line, waiting for it until `deadline`.
    pub fn next_line(&self, deadline: Instant) -> Result<Line, NoLine> {
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left.min(LOOK_UP)) {
                Ok(line) => return Ok(line),
                Err(_) if self.interrupt.is_abort() => return Err(NoLine::Aborted),
                Err(RecvTimeoutError::Disconnected) => return Err(NoLine::Closed),
                Err(RecvTimeoutError::Timeout) if left <= LOOK_UP => return Err(NoLine::Timeout),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Whether the program itself has not ended, even if it has closed its output. Always false outside
    /// of Unix.
    pub fn is_running(&self) -> bool {
        #[cfg(unix)]
        if let Ok(id) = i32::try_from(self.child.id()) {
            use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
            // Not reaped here, so that no other process gets its number.
            let look = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
            let status = waitid(Id::Pid(nix::unistd::Pid::from_raw(id)), look);
            return status == Ok(WaitStatus::StillAlive);
        }
        false
    }

    /// Closes the engine's input.
    pub fn hang_up(&mut self) {
        self.input = None;
    }

    /// The last lines of the conversation.
    pub const fn transcript(&self) -> &Transcript {
        &self.transcript
    }

    fn kill(&mut self) {
        #[cfg(unix)]
        if let Ok(id) = i32::try_from(self.child.id()) {
            // The group includes the children of a wrapper. Not reaped yet, so the id is still ours.
            let _ = nix::sys::signal::killpg(
                nix::unistd::Pid::from_raw(id),
                nix::sys::signal::Signal::SIGKILL,
            );
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

/// Reads until the output ends. All lines from one `read` get the same time: an engine that says two
/// things at once has said both before anybody could have answered the first.
fn read_lines(mut output: impl Read, transcript: &Transcript, sender: &SyncSender<Line>) {
    let mut chunk = vec![0; LONGEST_LINE];
    let mut line = Vec::new();
    loop {
        let count = match output.read(&mut chunk) {
            Ok(count) if count > 0 => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            _ => return,
        };
        let at = Instant::now();
        for part in chunk[..count].split_inclusive(|&byte| byte == b'\n') {
            line.extend_from_slice(part);
            if !part.ends_with(b"\n") && line.len() < LONGEST_LINE {
                continue;
            }
            let text = String::from_utf8_lossy(&line).trim_end_matches(['\r', '\n']).to_owned();
            line.clear();
            transcript.note(at, '<', &text);
            if sender.send(Line { at, text }).is_err() {
                return;
            }
        }
    }
}

fn read_errors(errors: impl Read, transcript: &Transcript) {
    let mut errors = BufReader::new(errors);
    let mut bytes = Vec::new();
    while matches!((&mut errors).take(LONGEST_LINE as u64).read_until(b'\n', &mut bytes), Ok(n) if n > 0)
    {
        transcript.note(Instant::now(), '!', String::from_utf8_lossy(&bytes).trim_end());
        bytes.clear();
    }
}
