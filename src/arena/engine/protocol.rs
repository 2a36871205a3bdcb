//! The interface between the arena and an engine protocol, and the common part of line-based
//! protocols.

use super::analysis::{AnalysisEvent, AnalysisSettings};
use super::announced::{self, Announced, Values};
use super::answer::{Answer, MoveText, PendingQuestion, Thought};
use super::entrant::Entrant;
use super::failure::Failure;
use super::link::Link;
use super::warning::Warning;
use crate::base::game::Game;
use crate::base::side::Side;
use crate::laws::clock::TimeControl;
use std::borrow::Cow;
use std::fmt;
use std::io;
use std::time::{Duration, Instant};

pub trait EngineProtocol<G: Game>: fmt::Debug + Send {
    /// Prepares the start of the program, for example by choosing a port. Returns the program's
    /// arguments.
    fn prepare(&mut self, entrant: &Entrant) -> io::Result<Vec<String>> {
        Ok(entrant.args.clone())
    }

    /// Initialises an engine that has just started, and sets its options.
    fn greet(&mut self, link: &mut Link, entrant: &Entrant) -> Result<(), Failure>;

    fn new_game(&mut self, link: &mut Link, game: &NewGame<'_, G>) -> Result<(), Failure>;

    /// Starts a search, on the engine's own time or on the opponent's.
    fn ask(
        &mut self,
        link: &mut Link,
        question: &Question<'_, G>,
        on: TimeOf,
    ) -> Result<PendingQuestion, Failure>;

    /// Notifies the engine of a ponder hit. Returns the time at which the engine's own clock
    /// starts.
    fn hit(&mut self, link: &mut Link) -> Result<Instant, Failure>;

    /// Waits for the move. If it does not arrive within `allowed`, sends `stop`, or waits a little
    /// longer if the protocol has no stop command.
    fn answer(
        &mut self,
        link: &mut Link,
        pending: PendingQuestion,
        allowed: Duration,
    ) -> Result<Answer, Failure>;

    /// Returns warnings about a line of search information that the engine sent in `position`.
    fn warnings(&self, _position: &G, _line: &str) -> Vec<Warning> {
        Vec::new()
    }

    /// Announces the end of the game. The default does nothing, because most protocols announce
    /// only the start of the next game.
    fn game_over(&mut self, _: &mut Link) -> Result<(), Failure> {
        Ok(())
    }

    /// Returns whether engines can analyse over this protocol. If not, the other analysis methods
    /// are not called.
    fn analyses(&self) -> bool {
        false
    }

    /// Initialises an engine for analysis. Settings that the engine does not announce are ignored.
    fn greet_for_analysis(
        &mut self,
        link: &mut Link,
        entrant: &Entrant,
        _: AnalysisSettings,
    ) -> Result<(), Failure> {
        self.greet(link, entrant)
    }

    /// Starts a search of the position after the moves. The search is endless if the time control
    /// has no limit. Returns the time just before the first command was sent.
    fn analyse(
        &mut self,
        _: &mut Link,
        _: &G,
        _: &[G::Move],
        _: &TimeControl,
    ) -> Result<Instant, Failure> {
        Err(Failure::Stall("an analysis"))
    }

    /// Parses a line that an engine sent during an analysis.
    fn parse_analysis(&self, _: &str) -> Option<AnalysisEvent> {
        None
    }

    /// Sends a request that the engine must answer even during a search, such as `isready`. Returns
    /// the time at which the request was sent.
    fn ping(&self, _: &mut Link) -> Result<Instant, Failure> {
        Ok(Instant::now())
    }
}

/// The clock that runs during a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TimeOf {
    /// The engine's own clock: the engine is to move.
    Mover,
    /// The opponent's clock: the engine ponders on the assumption that the opponent has played the
    /// last move in the question.
    Opponent,
}

#[derive(Debug)]
pub struct NewGame<'a, G: Game> {
    /// The position in which the engine takes over, after the opening moves.
    pub position: &'a G,
    pub played: usize,
    pub side: Side,
    pub control: &'a TimeControl,
}

#[derive(Debug)]
pub struct Question<'a, G: Game> {
    pub start: &'a G,
    /// All moves since `start`: the opening moves, then the engines' moves.
    pub moves: &'a [G::Move],
    pub side: Side,
    pub clocks: [ClockReading; 2],
    pub control: &'a TimeControl,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockReading {
    pub left: Option<Duration>,
    /// The time added to the clock after the next move.
    pub increment: Duration,
    /// The number of moves until the next period, if there is one.
    pub moves_to_go: Option<u32>,
}

/// The protocol-specific part of a line-based protocol over standard input and output. Every
/// implementation is also an [`EngineProtocol`].
pub trait LineProtocol<G: Game>: fmt::Debug + Send {
    /// The command that requests the engine's introduction, and the line that ends the
    /// introduction.
    const INTRODUCTION: (&'static str, &'static str);
    /// The protocol's word for a setting, in the singular and the plural.
    const SETTINGS: (&'static str, &'static str);
    const NEW_GAME: &'static str;
    /// The synchronisation command and the answer to it.
    const ARE_YOU_THERE: (&'static str, &'static str);
    const PONDER_HIT: &'static str;
    /// The first word of the line that contains the move.
    const ANSWER: &'static str;

    /// Parses a line that announces a setting. Returns `None` for any other line.
    fn announced(line: &str) -> Option<Announced>;

    fn is_same_setting(one: &str, other: &str) -> bool;

    /// Returns the settings that the arena itself needs. They are sent before the entrant's
    /// settings.
    fn own_settings(&self, entrant: &Entrant) -> Vec<(String, String)>;

    /// Returns the command that changes a setting.
    fn set(name: &str, value: &str) -> String;

    /// Waits until the engine is ready after its settings were sent. Calls `see` with each line
    /// that the engine sends in the meantime.
    fn get_ready(link: &mut Link, see: impl FnMut(&str)) -> Result<(), Failure>;

    /// Parses a line that reports an error in a setting. Returns `None` for any other line.
    fn setting_error(line: &str) -> Option<String>;

    /// Returns the commands that start a search.
    fn question(&self, question: &Question<'_, G>, on: TimeOf) -> Vec<String>;

    /// Updates the search information from a line. Returns the move if the line contains it.
    fn parse_answer(thought: &mut Thought, line: &str) -> Option<MoveText>;

    /// Parses a line of search information. Returns the principal variation, and the first field
    /// with a malformed number.
    fn parse_info(line: &str) -> (Cow<'_, str>, Option<String>);

    /// Returns the names and values of the settings for an analysis.
    fn analysis_settings(settings: AnalysisSettings) -> Vec<(&'static str, String)>;

    /// Returns the commands that start a search of the position after `moves`. The search is
    /// endless if `control` has no limit.
    fn analysis(&self, start: &G, moves: &[G::Move], control: &TimeControl) -> Vec<String>;

    fn parse_analysis(line: &str) -> Option<AnalysisEvent>;
}

/// Returns the engine's name for a requested setting, and the requested value clamped to the
/// announced bounds. Returns `None` if the engine does not have the setting.
fn accepted(
    options: &[Announced],
    same: fn(&str, &str) -> bool,
    (name, value): &(&str, String),
) -> Option<(String, String)> {
    let option = options.iter().find(|option| same(&option.name, name))?;
    let value = match (&option.values, value.parse::<f64>()) {
        (Values::Number { min, max, .. }, Ok(number)) => {
            let at_most = max.map_or(number, |max| number.min(max));
            min.map_or(at_most, |min| at_most.max(min)).to_string()
        }
        _ => value.clone(),
    };
    Some((option.name.clone(), value))
}

/// Initialises a line-based engine. Sends the settings that the arena needs, then the entrant's
/// settings, then each setting in `wishes` that the engine announces. Returns the lines of the
/// engine's introduction.
pub(crate) fn introduce<G: Game, P: LineProtocol<G>>(
    protocol: &P,
    link: &mut Link,
    entrant: &Entrant,
    wishes: &[(&str, String)],
) -> Result<Vec<String>, Failure> {
    /// The maximum number of errors to report.
    const MAX_ERRORS: usize = 5;
    let (hello, end) = P::INTRODUCTION;
    let (setting, settings) = P::SETTINGS;
    let lines = link.introduction(hello, end)?;
    let options: Vec<Announced> = lines.iter().filter_map(|line| P::announced(line)).collect();
    for (name, value) in protocol.own_settings(entrant).iter().chain(&entrant.options) {
        match announced::check(&options, P::is_same_setting, setting, (name, value)) {
            Err(misfit) if !entrant.lenient => return Err(Failure::Setting(misfit)),
            Err(misfit) => tracing::warn!("{} {misfit}", entrant.name),
            Ok(()) => {}
        }
        link.send(&P::set(name, value), settings)?;
    }
    let accepted_wish = |wish| accepted(&options, P::is_same_setting, wish);
    for (name, value) in wishes.iter().filter_map(accepted_wish) {
        link.send(&P::set(&name, &value), settings)?;
    }
    let mut errors = Vec::new();
    P::get_ready(link, |line| {
        if errors.len() < MAX_ERRORS {
            errors.extend(P::setting_error(line));
        }
    })?;
    match errors.is_empty() {
        true => Ok(lines),
        false if entrant.lenient => {
            errors.iter().for_each(|error| tracing::warn!("{}: {error}", entrant.name));
            Ok(lines)
        }
        false => Err(Failure::Rejected(errors.join("; "))),
    }
}

impl<G: Game, P: LineProtocol<G>> EngineProtocol<G> for P {
    fn greet(&mut self, link: &mut Link, entrant: &Entrant) -> Result<(), Failure> {
        introduce(self, link, entrant, &[]).map(drop)
    }

    fn new_game(&mut self, link: &mut Link, _: &NewGame<'_, G>) -> Result<(), Failure> {
        let (question, answer) = P::ARE_YOU_THERE;
        link.send(P::NEW_GAME, "a new game")?;
        link.query(question, answer)
    }

    fn ask(
        &mut self,
        link: &mut Link,
        question: &Question<'_, G>,
        on: TimeOf,
    ) -> Result<PendingQuestion, Failure> {
        let from = Instant::now();
        let mut sent = from;
        for line in self.question(question, on) {
            sent = link.send(&line, P::ANSWER)?;
        }
        Ok(PendingQuestion { from, sent })
    }

    fn hit(&mut self, link: &mut Link) -> Result<Instant, Failure> {
        link.send(P::PONDER_HIT, P::ANSWER)
    }

    fn answer(
        &mut self,
        link: &mut Link,
        pending: PendingQuestion,
        allowed: Duration,
    ) -> Result<Answer, Failure> {
        link.answer(pending, allowed, P::ANSWER, P::parse_answer)
    }

    fn warnings(&self, position: &G, line: &str) -> Vec<Warning> {
        let (variation, malformed) = P::parse_info(line);
        let malformed = malformed.map(|field| Warning::of_number(&field, line));
        malformed.into_iter().chain(Warning::of_variation(position, &variation, line)).collect()
    }

    fn analyses(&self) -> bool {
        true
    }

    fn greet_for_analysis(
        &mut self,
        link: &mut Link,
        entrant: &Entrant,
        settings: AnalysisSettings,
    ) -> Result<(), Failure> {
        introduce(self, link, entrant, &P::analysis_settings(settings)).map(drop)
    }

    fn analyse(
        &mut self,
        link: &mut Link,
        start: &G,
        moves: &[G::Move],
        control: &TimeControl,
    ) -> Result<Instant, Failure> {
        let from = Instant::now();
        for line in self.analysis(start, moves, control) {
            link.send(&line, P::ANSWER)?;
        }
        Ok(from)
    }

    fn parse_analysis(&self, line: &str) -> Option<AnalysisEvent> {
        if line.trim() == P::ARE_YOU_THERE.1 {
            return Some(AnalysisEvent::Alive);
        }
        P::parse_analysis(line)
    }

    fn ping(&self, link: &mut Link) -> Result<Instant, Failure> {
        let (question, answer) = P::ARE_YOU_THERE;
        link.send(question, answer)
    }
}
