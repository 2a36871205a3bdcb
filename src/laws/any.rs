//! A referee of either game that takes events as lines of text.

use super::edition::Edition;
use super::event::complete;
use super::event::possible::Possible;
use super::event::read::ReadError;
use super::event::to_players;
use super::language::Language;
use super::referee::{GameEnd, Impossible, Referee};
use super::regulations::Regulations;
use super::ruled::Ruled;
use super::ruling::Rulings;
use super::time::Hms;
use crate::base::game::GameKind;
use crate::base::side::Side;
use crate::{chess, draughts};
use serde::Serialize;
use std::fmt::Write as _;

/// A referee of chess or of draughts, as the edition says.
#[derive(Clone, PartialEq, Debug)]
pub enum AnyReferee {
    /// Chess.
    Chess(Referee<chess::Position>),
    /// Draughts.
    Draughts(Referee<draughts::Position>),
}

/// Why there is no ruling on a line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LineError {
    /// The line cannot be read as an event.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The event is impossible in this state of the game.
    #[error(transparent)]
    Impossible(#[from] Impossible),
}

/// The state of a game in brief.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Facts {
    /// The board as it stands, as FEN, irregular moves on it included.
    pub position: String,
    /// The player to move.
    pub to_move: Side,
    /// Plies played.
    pub plies: usize,
    /// The time left to White and Black; `None` without a clock.
    pub left: [Option<String>; 2],
    /// The result as score tables write it, once the game is over.
    pub result: Option<&'static str>,
    /// What White and Black score.
    pub points: Option<[f64; 2]>,
}

impl Facts {
    /// The facts in one line.
    pub fn brief(&self, language: Language) -> String {
        let and = language.of("and", "et");
        if let (Some(result), Some([white, black])) = (self.result, self.points) {
            return format!("{result}, points {white} {and} {black}");
        }
        let clocks = match &self.left {
            [Some(white), Some(black)] => {
                format!(", {} {white} {and} {black}", language.of("clocks", "pendules"))
            }
            _ => String::new(),
        };
        let turn = match language {
            Language::English => format!("{} to move", self.to_move),
            Language::French => format!("trait {}", to_players(self.to_move)),
        };
        format!("{turn}{clocks}, {}", self.position)
    }
}

/// Evaluates the same expression for either referee.
macro_rules! each {
    ($any:expr, $referee:ident => $does:expr) => {
        match $any {
            AnyReferee::Chess($referee) => $does,
            AnyReferee::Draughts($referee) => $does,
        }
    };
}
#[cfg(any(test, feature = "board"))]
pub(crate) use each;

impl AnyReferee {
    /// A referee of the edition's game.
    pub fn new(edition: Edition, rules: Regulations) -> Self {
        match edition.terms().game {
            GameKind::Chess => Self::Chess(Referee::new(edition, rules)),
            GameKind::Draughts => Self::Draughts(Referee::new(edition, rules)),
        }
    }

    /// Rules on a line: an event, or `moves` and moves that the players make in turn.
    ///
    /// # Errors
    /// If it is no event, or one that cannot be; then nothing has changed.
    pub fn line(&mut self, line: &str) -> Result<Rulings, LineError> {
        self.line_in(line, Language::English)
    }

    /// The same with the letters of pieces of a language.
    ///
    /// # Errors
    /// If it is no event, or one that cannot be; then nothing has changed.
    pub fn line_in(&mut self, line: &str, language: Language) -> Result<Rulings, LineError> {
        each!(self, referee => rule_line(referee, line, language))
    }

    /// Where the last word of an unfinished line begins, in bytes, and the texts that can stand there.
    pub fn continuations(&self, line: &str) -> (usize, Vec<String>) {
        self.continuations_in(line, Language::English)
    }

    /// The same with the letters of pieces of a language.
    pub fn continuations_in(&self, line: &str, language: Language) -> (usize, Vec<String>) {
        each!(self, referee => complete::continuations(referee, line, language))
    }

    /// The edition.
    pub fn edition(&self) -> Edition {
        each!(self, referee => referee.edition())
    }

    /// The events that would be accepted.
    pub fn possible(&self) -> Possible {
        each!(self, referee => Possible::in_game(referee))
    }

    /// The state of the game in brief.
    pub fn facts(&self) -> Facts {
        each!(self, referee => facts(referee))
    }

    /// How the game ended, if it has.
    pub fn verdict(&self) -> Option<&GameEnd> {
        each!(self, referee => referee.verdict())
    }

    /// Whether a line is a whole event; it may still be refused.
    pub fn is_event(&self, line: &str, language: Language) -> bool {
        each!(self, referee => referee.read_in(line, language).is_ok())
    }

    /// The last event ruled on, as a line.
    pub fn last_event(&self) -> Option<String> {
        each!(self, referee => referee.last_event().map(ToString::to_string))
    }

    /// The events ruled on, a line each. With the same edition and regulations they give this state
    /// again, which is how a game is kept.
    pub fn log(&self) -> Vec<String> {
        each!(self, referee => referee.log().map(ToString::to_string).collect())
    }
}

pub(super) fn rule_line<G: Ruled>(
    referee: &mut Referee<G>,
    line: &str,
    language: Language,
) -> Result<Rulings, LineError> {
    let Some(moves) = line.trim_start().strip_prefix("moves ") else {
        return rule_event(referee, line, language);
    };
    let mut ahead = referee.clone();
    let mut rulings = Rulings::new();
    let mut text = String::new();
    for m in moves.split_whitespace() {
        text.clear();
        let side = ahead.on_turn();
        let _ = write!(text, "{} move {m}", super::event::word(side));
        rulings.extend(rule_event(&mut ahead, &text, language)?);
    }
    *referee = ahead;
    Ok(rulings)
}

fn rule_event<G: Ruled>(
    referee: &mut Referee<G>,
    line: &str,
    language: Language,
) -> Result<Rulings, LineError> {
    match referee.read_in(line, language) {
        Ok(event) => Ok(referee.rule(event)?),
        // After the end of the game that is the error, not that the move cannot be read.
        Err(error) => Err(referee.is_over().map_or(error.into(), LineError::from)),
    }
}

fn facts<G: Ruled>(referee: &Referee<G>) -> Facts {
    let left = |side| referee.clock(side).remaining().map(|time| Hms(time).to_string());
    let verdict = referee.verdict();
    Facts {
        position: referee.fen(),
        to_move: referee.on_turn(),
        plies: referee.plies(),
        left: [left(Side::White), left(Side::Black)],
        result: verdict.map(|verdict| verdict.outcome.score()),
        points: verdict.map(|verdict| verdict.points),
    }
}
