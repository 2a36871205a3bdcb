//! The lines to and from an engine, and how long to wait for them.

use super::answer::{Answer, Asked, MoveText, Thought};
use super::entrant::Entrant;
use super::failure::Failure;
use super::line_log::Tap;
use super::process::{Interrupt, NoLine, OutputLine, Process};
use std::thread;
use std::time::{Duration, Instant};

/// How long an engine may take while no clock runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Patience {
    /// To start and introduce itself, as by `uciok`.
    pub start: Duration,
    /// To answer a question such as `isready`, and to stop when told to.
    pub ready: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self { start: Duration::from_secs(15), ready: Duration::from_secs(10) }
    }
}

/// Lines of an engine that are kept, up to a bound: some engines never stop talking.
#[derive(Debug, Default)]
pub struct Lines {
    /// All of them.
    pub all: Vec<OutputLine>,
    bytes: usize,
}

impl Lines {
    const MAX_MIB: usize = 16;

    /// Keeps one that came before what the arena waits for.
    ///
    /// # Errors
    /// If that were too many.
    pub fn keep(&mut self, line: OutputLine, purpose: &'static str) -> Result<(), Failure> {
        self.bytes += size_of::<OutputLine>() + line.text.len();
        self.all.push(line);
        if self.bytes <= Self::MAX_MIB << 20 {
            return Ok(());
        }
        Err(Failure::Broke(format!("sent {} MiB and not yet {purpose}", Self::MAX_MIB)))
    }
}

/// The lines to and from an engine.
#[derive(Debug)]
pub struct Link {
    process: Process,
    /// How long it may take while no clock runs.
    pub patience: Patience,
}

impl Link {
    /// Starts an entrant's program with these arguments.
    ///
    /// # Errors
    /// If it cannot be run.
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

    /// Logs all lines.
    pub fn log_to(&self, tap: Tap) {
        self.process.transcript().log_to(tap);
    }

    /// Sends a line and says when it was in the engine's hands. The purpose is what the arena waits
    /// for, should the engine fail.
    ///
    /// # Errors
    /// If the engine has ended.
    pub fn send(&mut self, line: &str, purpose: &'static str) -> Result<Instant, Failure> {
        self.process.send(line).map_err(|_| Failure::Crash(purpose))
    }

    /// The next line, waited for until `deadline`.
    ///
    /// # Errors
    /// If there is none.
    pub fn line(&self, deadline: Instant, purpose: &'static str) -> Result<OutputLine, Failure> {
        self.process.next_line(deadline).map_err(|error| match error {
            NoLine::Timeout => Failure::Stall(purpose),
            NoLine::Closed => Failure::Crash(purpose),
            NoLine::Aborted => Failure::Aborted,
        })
    }

    /// Waits for a line that is this word alone; the lines before it go to `see`.
    ///
    /// # Errors
    /// If it does not come.
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

    /// Lets `time` pass and ignores what the engine prints meanwhile. An engine that has closed its
    /// output is still there as long as its process runs.
    ///
    /// # Errors
    /// If it has ended.
    pub fn idle(&self, time: Duration, purpose: &'static str) -> Result<(), Failure> {
        /// Some engines never stop printing.
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
                Err(NoLine::Closed) => return Err(Failure::Crash(purpose)),
                Err(NoLine::Aborted) => return Err(Failure::Aborted),
            }
        }
        Ok(())
    }

    /// Has the engine introduce itself: sends `word` and returns the lines before the line `end`.
    ///
    /// # Errors
    /// If it does not, or talks too much.
    pub fn introduction(&mut self, word: &str, end: &'static str) -> Result<Vec<String>, Failure> {
        self.send(word, end)?;
        let mut lines = Lines::default();
        let deadline = Instant::now() + self.patience.start;
        loop {
            let line = self.line(deadline, end)?;
            if line.text.trim() == end {
                return Ok(lines.all.into_iter().map(|line| line.text).collect());
            }
            lines.keep(line, end)?;
        }
    }

    /// Asks a question that is answered at once by a word.
    ///
    /// # Errors
    /// If it is not.
    pub fn ask(&mut self, question: &str, answer: &'static str) -> Result<(), Failure> {
        self.send(question, answer)?;
        self.wait_for(answer, Instant::now() + self.patience.ready, |_| {})
    }

    /// Waits for the answer to a question. `hear` gets every line, takes in what it says of the
    /// thinking, and returns the move and the expected reply if the line is the answer. After `allowed`
    /// the engine is told to `stop`.
    ///
    /// # Errors
    /// If it does not come.
    pub fn answer(
        &mut self,
        asked: Asked,
        allowed: Duration,
        purpose: &'static str,
        hear: impl Fn(&mut Thought, &str) -> Option<MoveText>,
    ) -> Result<Answer, Failure> {
        let mut thought = Thought::default();
        let mut deadline = asked.sent + allowed;
        let mut stop_sent = false;
        loop {
            match self.line(deadline, purpose) {
                // What was written before the question is no answer to it.
                Ok(line) if line.at < asked.from => {}
                Ok(line) => {
                    if let Some(MoveText { best, ponder }) = hear(&mut thought, &line.text) {
                        let elapsed = line.at.saturating_duration_since(asked.sent);
                        return Ok(Answer { best, ponder, elapsed, thought });
                    }
                }
                Err(Failure::Stall(_)) if !stop_sent => {
                    stop_sent = true;
                    self.send("stop", purpose)?;
                    deadline = Instant::now() + self.patience.ready;
                }
                Err(failure) => return Err(failure),
            }
        }
    }

    /// Notes in the transcript what was not said in lines: `>` to the engine, `<` from it.
    pub fn note(&self, at: Instant, mark: char, text: &str) {
        self.process.transcript().note(at, mark, text);
    }

    /// Closes the engine's input.
    pub fn hang_up(&mut self) {
        self.process.hang_up();
    }

    /// The last lines of the conversation.
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
        let patience =
            Patience { start: Duration::from_secs(300), ready: Duration::from_millis(200) };
        let mut link = Link::open(&entrant, &[], patience, &Interrupt::default()).unwrap();
        let failure = link.introduction("uci", "uciok").unwrap_err();
        assert_eq!(failure.to_string(), "sent 16 MiB and not yet uciok");
        let failure = link.ask("isready", "readyok").unwrap_err();
        assert!(matches!(failure, Failure::Stall("readyok")), "{failure}");
        let now = Instant::now();
        let asked = Asked { from: now, sent: now };
        let answer = link.answer(asked, Duration::from_millis(10), "bestmove", |_, _| None);
        assert!(matches!(answer, Err(Failure::Stall("bestmove"))));
        drop(link);
        assert!(now.elapsed() < Duration::from_secs(60));
    }
}
