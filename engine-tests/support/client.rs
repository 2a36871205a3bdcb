//! A UCI client for the tests, which talks to the built program over pipes.

use super::program::adoube;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

/// Time limit for any answer, even on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(120);

pub struct Client {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Client {
    pub fn start() -> Self {
        let mut child = adoube()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("the engine starts");
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in output.lines() {
                let line = line.expect("the engine writes UTF-8");
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Self { child, input, lines }
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("still open");
        input.write_all(bytes).expect("the engine reads");
    }

    /// Returns the next line, or `None` if the engine has closed its output.
    pub fn line(&self) -> Option<String> {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => Some(line),
            Err(mpsc::RecvTimeoutError::Disconnected) => None,
            Err(mpsc::RecvTimeoutError::Timeout) => panic!("no answer in {PATIENCE:?}"),
        }
    }

    /// Returns the lines up to and including the first line that begins with `start`.
    pub fn until(&self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        while let Some(line) = self.line() {
            lines.push(line);
            if lines.last().is_some_and(|line| line.starts_with(start)) {
                return lines;
            }
        }
        panic!("the engine closed its output before '{start}': {lines:?}");
    }

    /// Waits until the engine has processed all input, and returns the lines that it wrote.
    pub fn settle(&mut self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// Sends a command, expects a single `info string` in reply, and returns its text.
    pub fn refusal(&mut self, line: &str) -> String {
        self.send(line);
        let lines = self.settle();
        assert_eq!(lines.len(), 1, "{line:?} was answered by {lines:?}");
        lines[0].strip_prefix("info string ").expect("an info string").to_owned()
    }

    /// Sends a command that has no answer.
    pub fn silent(&mut self, line: &str) {
        self.send(line);
        assert_eq!(self.settle(), [""; 0], "after {line:?}");
    }

    /// Sets a position and searches it. Returns all lines, `bestmove` last.
    pub fn search(&mut self, position: &str, go: &str) -> Vec<String> {
        self.silent(&format!("position {position}"));
        self.send(go);
        self.until("bestmove")
    }

    pub fn best(&mut self, position: &str, go: &str) -> String {
        let lines = self.search(position, go);
        word_after(lines.last().expect("a bestmove"), "bestmove")
    }

    pub fn fen(&mut self) -> String {
        self.send("d");
        self.settle().iter().find_map(|l| l.strip_prefix("FEN: ")).expect("a FEN").to_owned()
    }

    pub fn is_quiet(&self) -> bool {
        self.lines.recv_timeout(Duration::from_millis(300)).is_err()
    }

    pub fn hang_up(&mut self) {
        self.input = None;
    }

    pub fn wait(&mut self) -> ExitStatus {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("a child") {
                return status;
            }
            assert!(start.elapsed() < PATIENCE, "the engine does not exit");
            thread::sleep(Duration::from_millis(2));
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // Also runs after a failed test; the process may already have exited.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub fn word_after(line: &str, word: &str) -> String {
    let mut words = line.split(' ');
    words.find(|w| *w == word);
    words.next().unwrap_or_else(|| panic!("no '{word} ...' in '{line}'")).to_owned()
}

pub fn number_after(line: &str, word: &str) -> i64 {
    word_after(line, word)
        .parse()
        .unwrap_or_else(|_| panic!("no number after '{word}' in '{line}'"))
}

/// Returns the principal variation at the end of an `info` line.
pub fn pv(line: &str) -> Vec<&str> {
    line.split_once(" pv ").map_or(Vec::new(), |(_, moves)| moves.split(' ').collect())
}
