//! Line-based communication with an engine, with timeouts.

use super::answer::{Answer, MoveText, PendingQuestion, Thought};
use super::entrant::Entrant;
use super::failure::Failure;
use super::line_log::Tap;
use super::process::{Interrupt, NoLine, OutputLine, Process};
use std::collections::VecDeque;
use std::thread;
use std::time::{Duration, Instant};

/// Timeouts that apply while no clock is running.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Patience {
    /// The timeout for the engine's start and its introduction, up to `uciok`. It also applies to
    /// `ready` in Hub and to the connection in DXP.
    pub start: Duration,
    /// The timeout for the engine's answer to a request such as `isready`.
    pub ready: Duration,
    /// The timeout for the engine's move after `stop`.
    pub stop: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        let [start, ready, stop] = [15, 10, 10].map(Duration::from_secs);
        Self { start, ready, stop }
    }
}

/// Lines received from an engine. Their total size is limited, because some engines never stop
/// printing.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    pub all: Vec<OutputLine>,
    bytes: usize,
}

impl Lines {
    const MAX_MIB: usize = 16;

    /// Stores a line that arrived before the expected line. Fails if the size limit is exceeded.
    pub(crate) fn store(&mut self, line: OutputLine, purpose: &'static str) -> Result<(), Failure> {
        self.bytes += size_of::<OutputLine>() + line.text.len();
        self.all.push(line);
        if self.bytes <= Self::MAX_MIB << 20 {
            return Ok(());
        }
        Err(Failure::ProtocolViolation(format!("sent {} MiB without {purpose}", Self::MAX_MIB)))
    }
}

#[derive(Debug)]
pub struct Link {
    process: Process,
    pub patience: Patience,
}

impl Link {
    pub fn open(
        entrant: &Entrant,
        args: &[String],
        patience: Patience,
        interrupt: &Interrupt,
    ) -> Result<Self, Failure> {
        let Entrant { program, dir, .. } = entrant;
        let process = Process::start(program, args, dir.as_deref(), interrupt)
            .map_err(|error| Failure::Start { program: program.clone(), error })?;
        Ok(Self { process, patience })
    }

    pub fn log_to(&self, tap: Tap) {
        self.process.transcript().log_to(tap);
    }

    /// Sends a line and returns the time at which the write completed. If the write fails, the
    /// error names what the arena was waiting for (`purpose`).
    pub fn send(&mut self, line: &str, purpose: &'static str) -> Result<Instant, Failure> {
        self.process.send(line).map_err(|_| self.crash(purpose))
    }

    /// Returns the failure of an engine that ended instead of sending `purpose`.
    pub fn crash(&self, purpose: &'static str) -> Failure {
        Failure::Crash(purpose, self.process.exit())
    }

    pub fn line(&self, deadline: Instant, purpose: &'static str) -> Result<OutputLine, Failure> {
        self.process.next_line(deadline).map_err(|error| match error {
            NoLine::Timeout => Failure::Stall(purpose),
            NoLine::Closed => self.crash(purpose),
            NoLine::Aborted => Failure::Aborted,
        })
    }

    /// Waits for a line that consists of `word`, and calls `see` with each line before it.
    pub fn wait_for(
        &self,
        word: &'static str,
        deadline: Instant,
        mut see: impl FnMut(&str),
    ) -> Result<(), Failure> {
        loop {
            let line = self.line(deadline, word)?;
            if line.text.trim() == word {
                return Ok(());
            }
            see(&line.text);
        }
    }

    /// Waits for `time` and discards the engine's output in the meantime. Fails if the engine has
    /// closed its output and exited.
    pub fn idle(&self, time: Duration, purpose: &'static str) -> Result<(), Failure> {
        /// A limit is needed because some engines never stop printing.
        const MAX_LINES: usize = 1 << 12;
        let deadline = Instant::now() + time;
        for _ in 0..MAX_LINES {
            match self.process.next_line(deadline) {
                Ok(_) => {}
                Err(NoLine::Timeout) => break,
                Err(NoLine::Closed) if self.process.is_running() => {
                    thread::sleep(deadline.saturating_duration_since(Instant::now()));
                    break;
                }
                Err(NoLine::Closed) => return Err(self.crash(purpose)),
                Err(NoLine::Aborted) => return Err(Failure::Aborted),
            }
        }
        Ok(())
    }

    /// Sends `word` and returns all lines that the engine sends before the line `end`.
    pub fn introduction(&mut self, word: &str, end: &'static str) -> Result<Vec<String>, Failure> {
        self.send(word, end)?;
        let mut lines = Lines::default();
        let deadline = Instant::now() + self.patience.start;
        loop {
            let line = self.line(deadline, end)?;
            if line.text.trim() == end {
                return Ok(lines.all.into_iter().map(|line| line.text).collect());
            }
            lines.store(line, end)?;
        }
    }

    /// Sends `question` and waits for a line that consists of `answer`.
    pub fn query(&mut self, question: &str, answer: &'static str) -> Result<(), Failure> {
        self.query_with(question, answer, |_| {})
    }

    /// Like [`Self::query`], but calls `see` with each line before the answer.
    pub fn query_with(
        &mut self,
        question: &str,
        answer: &'static str,
        see: impl FnMut(&str),
    ) -> Result<(), Failure> {
        self.send(question, answer)?;
        self.wait_for(answer, Instant::now() + self.patience.ready, see)
    }

    /// Waits for the engine's move, and sends `stop` if it does not arrive within `allowed`. Calls
    /// `parse` with every line, to update the search information. `parse` returns the move if the
    /// line contains it.
    pub fn answer(
        &mut self,
        pending: PendingQuestion,
        allowed: Duration,
        purpose: &'static str,
        parse: impl Fn(&mut Thought, &str) -> Option<MoveText>,
    ) -> Result<Answer, Failure> {
        /// The maximum number of lines of search information to return. Earlier lines are dropped.
        const MAX_INFOS: usize = 64;
        let mut thought = Thought::default();
        let mut infos = VecDeque::new();
        let mut deadline = pending.sent + allowed;
        let mut stop_sent = false;
        loop {
            match self.line(deadline, purpose) {
                // Lines that arrived before the request do not belong to the answer.
                Ok(line) if line.at < pending.from => {}
                Ok(line) => {
                    if let Some(MoveText { best, ponder }) = parse(&mut thought, &line.text) {
                        let elapsed = line.at.saturating_duration_since(pending.sent);
                        let infos = infos.into();
                        return Ok(Answer { best, ponder, elapsed, thought, infos });
                    }
                    if line.text.starts_with("info") {
                        if infos.len() == MAX_INFOS {
                            infos.pop_front();
                        }
                        infos.push_back(line.text);
                    }
                }
                Err(Failure::Stall(_)) if !stop_sent => {
                    stop_sent = true;
                    self.send("stop", purpose)?;
                    deadline = Instant::now() + self.patience.stop;
                }
                Err(failure) => return Err(failure),
            }
        }
    }

    /// Adds a line from a network connection to the transcript. `mark` is `>` for a line to the
    /// engine and `<` for a line from it.
    pub fn note(&self, at: Instant, mark: char, text: &str) {
        self.process.transcript().note(at, mark, text);
    }

    pub fn hang_up(&mut self) {
        self.process.hang_up();
    }

    pub fn transcript(&self) -> Vec<String> {
        self.process.last_lines()
    }
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn limits_memory_and_time_for_an_engine_that_only_prints() {
        let entrant = Entrant { program: "yes".into(), ..Entrant::default() };
        let [start, ready, stop] = [300_000, 200, 200].map(Duration::from_millis);
        let patience = Patience { start, ready, stop };
        let mut link = Link::open(&entrant, &[], patience, &Interrupt::default()).unwrap();
        let failure = link.introduction("uci", "uciok").unwrap_err();
        assert_eq!(failure.to_string(), "sent 16 MiB without uciok");
        let failure = link.query("isready", "readyok").unwrap_err();
        assert!(matches!(failure, Failure::Stall("readyok")), "{failure}");
        let now = Instant::now();
        let pending = PendingQuestion { from: now, sent: now };
        let answer = link.answer(pending, Duration::from_millis(10), "bestmove", |_, _| None);
        assert!(matches!(answer, Err(Failure::Stall("bestmove"))));
        drop(link);
        assert!(now.elapsed() < Duration::from_secs(60));
    }
}
