//! What every protocol has to do for the arena, and what protocols of lines have in common.

use super::announced::{self, Announced, Misfit};
use super::entrant::{Entrant, Protocol};
use super::link::Link;
use crate::base::game::Game;
use crate::base::side::Side;
use crate::laws::clock::TimeControl;
use crate::protocol::uci::info;
use std::borrow::Cow;
use std::fmt;
use std::io;
use std::time::{Duration, Instant};

/// A protocol, as the arena speaks it with one engine.
pub trait EngineProtocol<G: Game>: fmt::Debug + Send {
    /// Gets ready for the entrant's program to be started; returns the arguments to start it with.
    ///
    /// # Errors
    /// Those of the system, if something has to be prepared.
    fn prepare(&mut self, entrant: &Entrant) -> io::Result<Vec<String>> {
        Ok(entrant.args.clone())
    }

    /// Greets an engine that has just been started, and sets its options.
    ///
    /// # Errors
    /// If the engine fails.
    fn greet(&mut self, link: &mut Link, entrant: &Entrant) -> Result<(), Failure>;

    /// Prepares the engine for a new game.
    ///
    /// # Errors
    /// If the engine fails.
    fn new_game(&mut self, link: &mut Link, game: &NewGame<'_, G>) -> Result<(), Failure>;

    /// Has the engine think, on its own time or on the opponent's.
    ///
    /// # Errors
    /// If the engine fails.
    fn ask(
        &mut self,
        link: &mut Link,
        question: &Question<'_, G>,
        on: TimeOf,
    ) -> Result<Asked, Failure>;

    /// Tells an engine that thinks on the opponent's time that the expected move was made. Returns
    /// when its own time began.
    ///
    /// # Errors
    /// If the engine fails.
    fn hit(&mut self, link: &mut Link) -> Result<Instant, Failure>;

    /// Waits for the move. An engine that is not done after `allowed` is told to stop; the answer says
    /// how late it came.
    ///
    /// # Errors
    /// If the engine fails.
    fn answer(
        &mut self,
        link: &mut Link,
        asked: Asked,
        allowed: Duration,
    ) -> Result<Answer, Failure>;

    /// Tells the engine that the game is over. Most protocols say so only by starting the next one.
    ///
    /// # Errors
    /// If the engine fails.
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
    /// What the engine wrote before this is no answer to the question.
    pub from: Instant,
    /// When the engine's time began.
    pub sent: Instant,
}

/// A game that begins, as one of its engines is told of it.
#[derive(Debug)]
pub struct NewGame<'a, G: Game> {
    /// The position in which the engine takes over.
    pub start: &'a G,
    /// How many moves were played before.
    pub played: usize,
    /// The side that it plays.
    pub side: Side,
    /// What it may spend.
    pub control: &'a TimeControl,
}

/// A question to an engine: which move in this position of this game?
#[derive(Debug)]
pub struct Question<'a, G: Game> {
    /// Where the game began.
    pub start: &'a G,
    /// The moves since, the opening's included.
    pub moves: &'a [G::Move],
    /// The player to move.
    pub side: Side,
    /// What the clocks show, White's first.
    pub clocks: [ClockReading; 2],
    /// What the player to move may spend.
    pub control: &'a TimeControl,
}

/// What a clock shows before a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockReading {
    /// The time left; `None` without a clock.
    pub left: Option<Duration>,
    /// The time that the move will add.
    pub increment: Duration,
    /// Moves until the next period, if there is one.
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
    /// What the engine said makes no sense in its protocol.
    #[error("{0}")]
    Broke(String),
    /// The engine resigns.
    #[error("gave up")]
    GaveUp,
    /// The engine does not have a setting that it is to play with.
    #[error("{0}")]
    Setting(#[from] Misfit),
    /// The protocol does not have the game.
    #[error("this game is not played over {0}")]
    Protocol(Protocol),
    /// There are no checks of this protocol.
    #[error("there are no checks of {0}")]
    Unchecked(Protocol),
    /// The referee refused what the arena told it.
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
    /// Mate in this many moves; negative when mated.
    Mate(i32),
}

impl Score {
    /// In centipawns, a mate being worth more than anything else.
    pub fn centipawns(self) -> i32 {
        /// More than any score, so that what a strange engine says can be reckoned with.
        const MOST: i32 = 90_000;
        match self {
            Self::Centipawns(score) => score.clamp(-MOST, MOST),
            Self::Mate(moves) if moves > 0 => 100_000 - moves.min(1000),
            Self::Mate(moves) => -100_000 - moves.max(-1000),
        }
    }
}

impl From<info::UciScore> for Score {
    fn from(score: info::UciScore) -> Self {
        match score {
            info::UciScore::Centipawns(score) => Self::Centipawns(score),
            info::UciScore::Mate(moves) => Self::Mate(moves),
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

/// The move of an answer and the reply that the engine expects, as they were written, unchecked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveText {
    /// The move.
    pub best: String,
    /// The expected reply.
    pub ponder: Option<String>,
}

impl MoveText {
    /// The move and the reply as a line has them.
    pub fn new(best: Cow<'_, str>, ponder: Option<Cow<'_, str>>) -> Self {
        Self { best: best.into_owned(), ponder: ponder.map(Cow::into_owned) }
    }
}

/// What is particular to a protocol of lines over the engine's input and output. Implementing it makes
/// the protocol an [`EngineProtocol`].
pub trait LineProtocol<G: Game>: fmt::Debug + Send {
    /// What asks the engine to introduce itself, and the word that ends its introduction.
    const INTRODUCTION: (&'static str, &'static str);
    /// What it calls a setting, and settings.
    const SETTINGS: (&'static str, &'static str);
    /// What announces a new game.
    const NEW_GAME: &'static str;
    /// A question that is answered at once, and its answer.
    const ARE_YOU_THERE: (&'static str, &'static str);
    /// What says that the expected move was made.
    const PONDER_HIT: &'static str;
    /// The word of the line with the move.
    const ANSWER: &'static str;

    /// The setting that a line of the introduction announces, if it does.
    fn announced(line: &str) -> Option<Announced>;

    /// Whether two names mean the same setting.
    fn is_same_setting(one: &str, other: &str) -> bool;

    /// Settings of the arena's own, to be made before the entrant's.
    fn own_settings(&self, entrant: &Entrant) -> Vec<(String, String)>;

    /// The line that makes a setting.
    fn set(name: &str, value: &str) -> String;

    /// Lets the engine get ready after its settings have been made.
    ///
    /// # Errors
    /// If the engine fails.
    fn get_ready(link: &mut Link) -> Result<(), Failure>;

    /// The lines that put a question; the last has the engine think.
    fn question(&self, question: &Question<'_, G>, on: TimeOf) -> Vec<String>;

    /// Takes in what a line says of the thinking; returns the move if it is the answer.
    fn hear(thought: &mut Thought, line: &str) -> Option<MoveText>;
}

impl<G: Game, P: LineProtocol<G>> EngineProtocol<G> for P {
    fn greet(&mut self, link: &mut Link, entrant: &Entrant) -> Result<(), Failure> {
        let (hello, end) = P::INTRODUCTION;
        let (setting, settings) = P::SETTINGS;
        let lines = link.introduction(hello, end)?;
        let known: Vec<Announced> = lines.iter().filter_map(|line| P::announced(line)).collect();
        for (name, value) in self.own_settings(entrant).iter().chain(&entrant.options) {
            match announced::check(&known, P::is_same_setting, setting, (name, value)) {
                Err(misfit) if !entrant.lenient => return Err(Failure::Setting(misfit)),
                Err(misfit) => tracing::warn!("{} {misfit}", entrant.name),
                Ok(()) => {}
            }
            link.send(&P::set(name, value), settings)?;
        }
        P::get_ready(link)
    }

    fn new_game(&mut self, link: &mut Link, _: &NewGame<'_, G>) -> Result<(), Failure> {
        let (question, answer) = P::ARE_YOU_THERE;
        link.send(P::NEW_GAME, "a new game")?;
        link.ask(question, answer)
    }

    fn ask(
        &mut self,
        link: &mut Link,
        question: &Question<'_, G>,
        on: TimeOf,
    ) -> Result<Asked, Failure> {
        let from = Instant::now();
        let mut sent = from;
        for line in self.question(question, on) {
            sent = link.send(&line, P::ANSWER)?;
        }
        Ok(Asked { from, sent })
    }

    fn hit(&mut self, link: &mut Link) -> Result<Instant, Failure> {
        link.send(P::PONDER_HIT, P::ANSWER)
    }

    fn answer(
        &mut self,
        link: &mut Link,
        asked: Asked,
        allowed: Duration,
    ) -> Result<Answer, Failure> {
        link.answer(asked, allowed, P::ANSWER, P::hear)
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
        let far = [
            Score::Mate(i32::MIN),
            Score::Centipawns(i32::MIN),
            Score::Centipawns(i32::MAX),
            Score::Mate(i32::MAX),
        ];
        assert_eq!(far.map(Score::centipawns), [-99_000, -90_000, 90_000, 99_000]);
    }
}
