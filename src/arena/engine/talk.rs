//! What every protocol has to do for the arena, and what they have in common.

use super::entrant::{Entrant, Protocol};
use super::line_log::Tap;
use super::process::{Interrupt, Line, NoLine, Process};
use crate::base::game::Game;
use crate::base::side::Side;
use crate::laws::clock::TimeControl;
use std::fmt;
use std::io;
use std::thread;
use std::time::{Duration, Instant};

/// A protocol, as the arena speaks it with one engine.
pub trait Talk<G: Game>: fmt::Debug + Send {
    /// Says with which arguments the entrant's program is to be started, which is about to happen.
    ///
    /// # Errors
    /// Those of the system, where something has to be made ready.
    fn prepare(&mut self, entrant: &Entrant) -> io::Result<Vec<String>> {
        Ok(entrant.args.clone())
    }

    /// Introduces the arena to an engine that has just been started, and sets its options.
    ///
    /// # Errors
    /// Where the engine fails.
    fn greet(&mut self, link: &mut Link, entrant: &Entrant) -> Result<(), Failure>;

    /// Makes ready for a new game.
    ///
    /// # Errors
    /// Where the engine fails.
    fn new_game(&mut self, link: &mut Link, seat: &Seat<'_, G>) -> Result<(), Failure>;

    /// Has the engine think, on its own time or on the opponent's.
    ///
    /// # Errors
    /// Where the engine fails.
    fn ask(
        &mut self,
        link: &mut Link,
        question: &Question<'_, G>,
        on: TimeOf,
    ) -> Result<Asked, Failure>;

    /// Tells an engine that thinks on the opponent's time that the move was made that it expected.
    /// Says when its own time began.
    ///
    /// # Errors
    /// Where the engine fails.
    fn hit(&mut self, link: &mut Link) -> Result<Instant, Failure>;

    /// Waits for the move. Where the engine is not done after `allowed`, it is told to stop; the
    /// answer then says how late it came.
    ///
    /// # Errors
    /// Where the engine fails.
    fn answer(
        &mut self,
        link: &mut Link,
        asked: Asked,
        allowed: Duration,
    ) -> Result<Answer, Failure>;

    /// Hears that the game is over. Most protocols say so only by the next game.
    ///
    /// # Errors
    /// Where the engine fails.
    fn game_over(&mut self, _: &mut Link) -> Result<(), Failure> {
        Ok(())
    }
}

/// Whose time an engine thinks on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TimeOf {
    /// Its own: it is to move.
    Mover,
    /// The opponent's: the last move of the question is one that it expects.
    Opponent,
}

/// When a question was put.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    /// What the engine wrote before was no answer to it.
    pub from: Instant,
    /// Its time began.
    pub sent: Instant,
}

/// Where an engine sits in a game that begins.
#[derive(Debug)]
pub struct Seat<'a, G: Game> {
    /// The position in which the engine takes over.
    pub start: &'a G,
    /// How many moves the game has had before.
    pub played: usize,
    /// Which pieces it has.
    pub side: Side,
    /// What it may spend.
    pub control: &'a TimeControl,
}

/// What an engine is asked: a move, in a game that has come so far.
#[derive(Debug)]
pub struct Question<'a, G: Game> {
    /// Where the game began.
    pub start: &'a G,
    /// The moves since, the opening's included.
    pub moves: &'a [G::Move],
    /// The player to move.
    pub side: Side,
    /// What the clocks show, White's first.
    pub clocks: [Face; 2],
    /// What the player to move may spend.
    pub control: &'a TimeControl,
}

/// What a clock shows before a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Face {
    /// The time left; none without a clock.
    pub left: Option<Duration>,
    /// What the move will add.
    pub increment: Duration,
    /// Moves until the next period, where there is one.
    pub moves_to_go: Option<u32>,
}

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
    /// The engine said what makes no sense to the protocol.
    #[error("{0}")]
    Broke(String),
    /// The engine resigns.
    #[error("gave up")]
    GaveUp,
    /// The game is not played over the protocol.
    #[error("this game is not played over {0}")]
    Protocol(Protocol),
    /// There are no checks of this protocol.
    #[error("there are no checks of {0}")]
    Unchecked(Protocol),
    /// The arena told the referee what cannot be.
    #[error("the referee refuses {0}")]
    Referee(String),
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
    /// Nodes a second.
    pub nps: u64,
    /// Positions found in endgame tables.
    pub tbhits: u64,
}

/// An engine's answer to `go`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The move as it was written, unchecked.
    pub best: String,
    /// The reply that it expects, as it was written, unchecked.
    pub ponder: Option<String>,
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

/// The lines to and from an engine.
#[derive(Debug)]
pub struct Link {
    process: Process,
    /// How long it may take off the clock.
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

    /// Sends a line that has a purpose, and says when it was in the engine's hands.
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
    pub fn line(&self, deadline: Instant, purpose: &'static str) -> Result<Line, Failure> {
        self.process.next_line(deadline).map_err(|error| match error {
            NoLine::Timeout => Failure::Stall(purpose),
            NoLine::Closed => Failure::Crash(purpose),
            NoLine::Aborted => Failure::Aborted,
        })
    }

    /// Waits for a line that is this word alone, showing `see` those before.
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

    /// Lets `time` pass, in which whatever the engine prints is passed over. It may print nothing, and
    /// close its output: then it counts as long as its process runs.
    ///
    /// # Errors
    /// If it has ended.
    pub fn idle(&self, time: Duration, purpose: &'static str) -> Result<(), Failure> {
        /// Some never stop.
        const MOST_LINES: usize = 1 << 12;
        let deadline = Instant::now() + time;
        for _ in 0..MOST_LINES {
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

    /// Has the engine introduce itself by saying `word`, up to the line `end`; the lines before.
    ///
    /// # Errors
    /// If it does not.
    pub fn introduction(&mut self, word: &str, end: &'static str) -> Result<Vec<String>, Failure> {
        self.send(word, end)?;
        let mut lines = Vec::new();
        let deadline = Instant::now() + self.patience.start;
        self.wait_for(end, deadline, |line| lines.push(line.to_owned()))?;
        Ok(lines)
    }

    /// Asks what is answered at once by a word.
    ///
    /// # Errors
    /// If it is not.
    pub fn ask(&mut self, question: &str, answer: &'static str) -> Result<(), Failure> {
        self.send(question, answer)?;
        self.wait_for(answer, Instant::now() + self.patience.ready, |_| {})
    }

    /// Waits for the answer to what was asked. `hear` is shown every line, for what it says of the
    /// thinking, and returns the move and the expected reply where it is the answer. After `allowed`
    /// the engine is told to `stop`.
    ///
    /// # Errors
    /// If it does not come.
    pub fn answer(
        &mut self,
        asked: Asked,
        allowed: Duration,
        purpose: &'static str,
        hear: impl Fn(&mut Thought, &str) -> Option<(String, Option<String>)>,
    ) -> Result<Answer, Failure> {
        let mut thought = Thought::default();
        let mut deadline = asked.sent + allowed;
        let mut told_to_stop = false;
        loop {
            match self.line(deadline, purpose) {
                // What was written before the question is no answer to it.
                Ok(line) if line.at < asked.from => {}
                Ok(line) => {
                    if let Some((best, ponder)) = hear(&mut thought, &line.text) {
                        let elapsed = line.at.saturating_duration_since(asked.sent);
                        return Ok(Answer { best, ponder, elapsed, thought });
                    }
                }
                Err(Failure::Stall(_)) if !told_to_stop => {
                    told_to_stop = true;
                    self.send("stop", purpose)?;
                    deadline = Instant::now() + self.patience.ready;
                }
                Err(failure) => return Err(failure),
            }
        }
    }

    /// Keeps what was said otherwise than in lines: `>` to the engine, `<` from it.
    pub fn note(&self, at: Instant, mark: char, text: &str) {
        self.process.transcript().note(at, mark, text);
    }

    /// Closes the engine's input.
    pub fn hang_up(&mut self) {
        self.process.hang_up();
    }

    /// The last lines of the conversation.
    pub fn transcript(&self) -> Vec<String> {
        self.process.transcript().lines()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_ordered_and_written() {
        let scores = [Score::Mate(-1), Score::Mate(-9), Score::Centipawns(-5), Score::Mate(3)];
        assert!(scores.is_sorted_by_key(|score| score.centipawns()));
        assert_eq!(scores.map(|s| s.to_string()), ["-M1", "-M9", "-0.05", "+M3"]);
    }
}
