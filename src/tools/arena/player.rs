//! An entrant at the board: a process that is spoken to in UCI.
//!
//! Source: *Description of the universal chess interface* (Meyer-Kahlen, 2006). Lines that mean
//! nothing are ignored, as it demands; what an engine owes and does not deliver is a [`Failure`].

use super::entrant::Entrant;
use super::process::{Interrupt, NoLine, Process};
use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What went wrong with an engine.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The program cannot be run.
    #[error("cannot run {program}: {error}")]
    Start {
        /// The program.
        program: String,
        /// Why.
        error: io::Error,
    },
    /// The process ended, or closed its input or output.
    #[error("ended while the arena waited for {0}")]
    Crash(&'static str),
    /// The engine did not answer in time.
    #[error("did not send {0} in time")]
    Stall(&'static str),
    /// The match was broken off; nobody's fault.
    #[error("broken off")]
    Aborted,
}

/// A score from the point of view of the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    /// Centipawns.
    Centipawns(i32),
    /// Mate in so many moves; negative when mated.
    Mate(i32),
}

impl Score {
    /// Centipawns, a mate being worth far more than anything else.
    pub fn centipawns(self) -> i32 {
        match self {
            Self::Centipawns(score) => score,
            Self::Mate(moves) if moves > 0 => 100_000 - moves.min(1000),
            Self::Mate(moves) => -100_000 - moves.max(-1000),
        }
    }
}

impl fmt::Display for Score {
    /// In pawns with a sign (`+0.25`) or as a mate (`+M5`), as other match runners write PGN.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Centipawns(score) => write!(f, "{:+.2}", f64::from(score) / 100.0),
            Self::Mate(moves) => {
                write!(f, "{}M{}", if moves > 0 { '+' } else { '-' }, moves.unsigned_abs())
            }
        }
    }
}

/// What an engine last said of its search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Thought {
    /// The depth, in plies.
    pub depth: u32,
    /// The greatest depth.
    pub seldepth: u32,
    /// The score.
    pub score: Option<Score>,
    /// Nodes searched.
    pub nodes: u64,
}

impl Thought {
    /// Takes in an `info` line; lines of other than the best variation count for nothing.
    fn hear(&mut self, line: &str) {
        let mut words = line.split_ascii_whitespace().skip(1);
        let mut next = *self;
        while let Some(word) = words.next() {
            match word {
                "depth" => next.depth = parse(words.next()).unwrap_or(next.depth),
                "seldepth" => next.seldepth = parse(words.next()).unwrap_or(next.seldepth),
                "nodes" => next.nodes = parse(words.next()).unwrap_or(next.nodes),
                "multipv" if words.next() != Some("1") => return,
                "score" => {
                    let score = match words.next() {
                        Some("cp") => parse(words.next()).map(Score::Centipawns),
                        Some("mate") => parse(words.next()).map(Score::Mate),
                        _ => None,
                    };
                    next.score = score.or(next.score);
                }
                "string" | "pv" => break,
                _ => {}
            }
        }
        *self = next;
    }
}

fn parse<T: std::str::FromStr>(word: Option<&str>) -> Option<T> {
    word?.parse().ok()
}

/// An engine's answer to `go`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The move as it was written, unchecked.
    pub best: String,
    /// The time that it took.
    pub elapsed: Duration,
    /// What it thought.
    pub thought: Thought,
}

/// How long an engine may take where no clock runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Patience {
    /// To start and say `uciok`.
    pub start: Duration,
    /// To answer `isready`, and to stop when told to.
    pub ready: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self { start: Duration::from_secs(15), ready: Duration::from_secs(10) }
    }
}

/// An entrant and its process, started when needed.
#[derive(Debug)]
pub struct Player {
    entrant: Arc<Entrant>,
    process: Option<Process>,
    patience: Patience,
    interrupt: Interrupt,
}

impl Player {
    /// The player of an entrant; nothing runs yet.
    pub const fn new(entrant: Arc<Entrant>, patience: Patience, interrupt: Interrupt) -> Self {
        Self { entrant, process: None, patience, interrupt }
    }

    /// Makes ready for a new game, starting the engine where it does not run.
    pub fn new_game(&mut self, chess960: bool) -> Result<(), Failure> {
        if self.process.is_none() {
            self.start(chess960)?;
        }
        self.send("ucinewgame", "a new game")?;
        self.ready()
    }

    /// Starts the engine and sets its options.
    fn start(&mut self, chess960: bool) -> Result<(), Failure> {
        let entrant = Arc::clone(&self.entrant);
        let process = Process::start(
            &entrant.program,
            &entrant.args,
            entrant.dir.as_deref(),
            &self.interrupt,
        );
        let process =
            process.map_err(|error| Failure::Start { program: entrant.program.clone(), error })?;
        self.process = Some(process);
        self.send("uci", "uciok")?;
        let deadline = Instant::now() + self.patience.start;
        let mut known = Vec::new();
        self.wait_for("uciok", deadline, |line| {
            let name = line.strip_prefix("option name ").and_then(|l| l.split_once(" type "));
            known.extend(name.map(|(name, _)| name.trim().to_ascii_lowercase()));
        })?;
        let variant = chess960.then(|| ("UCI_Chess960".to_owned(), "true".to_owned()));
        for (name, value) in variant.iter().chain(&entrant.options) {
            if known.contains(&name.to_ascii_lowercase()) {
                let line = if value.is_empty() {
                    format!("setoption name {name}")
                } else {
                    format!("setoption name {name} value {value}")
                };
                self.send(&line, "options")?;
            } else {
                tracing::warn!("{} has no option {name}", entrant.name);
            }
        }
        self.ready()
    }

    fn ready(&mut self) -> Result<(), Failure> {
        self.send("isready", "readyok")?;
        self.wait_for("readyok", Instant::now() + self.patience.ready, |_| {})
    }

    /// Has the engine think about `position` (a whole command), as the command `go` says. Where it
    /// is not done after `allowed`, it is told to stop; the answer then says how late it came.
    pub fn go(&mut self, position: &str, go: &str, allowed: Duration) -> Result<Answer, Failure> {
        let asked = Instant::now();
        self.send(position, "bestmove")?;
        let sent = self.send(go, "bestmove")?;
        let mut deadline = sent + allowed;
        let mut told_to_stop = false;
        let mut thought = Thought::default();
        loop {
            match self.line(deadline, "bestmove") {
                // What was written before the question is no answer to it.
                Ok(line) if line.at < asked => {}
                Ok(line) => {
                    let mut words = line.text.split_ascii_whitespace();
                    match words.next() {
                        Some("info") => thought.hear(&line.text),
                        Some("bestmove") => {
                            let best = words.next().unwrap_or_default().to_owned();
                            let elapsed = line.at.saturating_duration_since(sent);
                            return Ok(Answer { best, elapsed, thought });
                        }
                        _ => {}
                    }
                }
                Err(Failure::Stall(_)) if !told_to_stop => {
                    told_to_stop = true;
                    self.send("stop", "bestmove")?;
                    deadline = Instant::now() + self.patience.ready;
                }
                Err(failure) => return Err(failure),
            }
        }
    }

    /// Ends the process; the next game starts it anew.
    pub fn quit(&mut self) {
        self.process = None;
    }

    /// The last lines of the conversation with the engine.
    pub fn transcript(&self) -> Vec<String> {
        self.process.as_ref().map(|p| p.transcript().lines()).unwrap_or_default()
    }

    fn send(&mut self, line: &str, purpose: &'static str) -> Result<Instant, Failure> {
        let process = self.process.as_mut().ok_or(Failure::Crash(purpose))?;
        process.send(line).map_err(|_| Failure::Crash(purpose))
    }

    fn line(
        &self,
        deadline: Instant,
        purpose: &'static str,
    ) -> Result<super::process::Line, Failure> {
        let process = self.process.as_ref().ok_or(Failure::Crash(purpose))?;
        process.next_line(deadline).map_err(|error| match error {
            NoLine::Timeout => Failure::Stall(purpose),
            NoLine::Closed => Failure::Crash(purpose),
            NoLine::Aborted => Failure::Aborted,
        })
    }

    fn wait_for(
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thoughts_are_the_last_of_the_best_variation() {
        let mut thought = Thought::default();
        thought
            .hear("info depth 7 seldepth 12 multipv 1 score cp -31 lowerbound nodes 900 pv e2e4");
        thought.hear("info depth 8 multipv 2 score cp 400 nodes 950 pv d2d4");
        thought.hear("info depth x score cp nodes");
        thought.hear("info string depth 99 score mate 1");
        let expected =
            Thought { depth: 7, seldepth: 12, score: Some(Score::Centipawns(-31)), nodes: 900 };
        assert_eq!(thought, expected);
        thought.hear("info score mate -3");
        assert_eq!(thought.score, Some(Score::Mate(-3)));
    }

    #[test]
    fn scores_are_ordered_and_written() {
        let scores = [Score::Mate(-1), Score::Mate(-9), Score::Centipawns(-5), Score::Mate(3)];
        assert!(scores.is_sorted_by_key(|score| score.centipawns()));
        assert_eq!(scores.map(|s| s.to_string()), ["-M1", "-M9", "-0.05", "+M3"]);
    }
}
