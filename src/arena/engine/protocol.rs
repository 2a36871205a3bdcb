//! What every protocol has to do for the arena, and what protocols of lines have in common.

use super::announced::{self, Announced};
use super::answer::{Answer, Asked, MoveText, Thought};
use super::entrant::Entrant;
use super::failure::Failure;
use super::link::Link;
use crate::base::game::Game;
use crate::base::side::Side;
use crate::laws::clock::TimeControl;
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
        let options: Vec<Announced> = lines.iter().filter_map(|line| P::announced(line)).collect();
        for (name, value) in self.own_settings(entrant).iter().chain(&entrant.options) {
            match announced::check(&options, P::is_same_setting, setting, (name, value)) {
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
