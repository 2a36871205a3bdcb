//! A referee for chess or draughts that takes events as lines of text.

use super::edition::Edition;
use super::event::possible::Possible;
use super::event::read::{ReadError, in_lower_case};
use super::event::to_players;
use super::event::{complete, help};
use super::language::{InFrench as _, Language};
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

/// A referee for chess or draughts, depending on the edition.
///
/// # Events
///
/// Every line is one event. It begins with a side (`white` or `black`), with `both`, or with an
/// action of the arbiter. Moves are in UCI, algebraic or Hub notation, and times are written
/// `1:59:30`, `5:00` or `90` (seconds).
///
/// | subject | lines, for example |
/// |---|---|
/// | moves | `white move e2e4`; `moves e2e4 e7e5` for moves by both players in turn |
/// | hands and pieces | `white touch e2`, `white release e2 e4`, `white adjust e2` |
/// | clocks | `white press`, `white press 1:59:30`, `white flag`, `flags`, `stop`, `start` |
/// | draws and resignation | `white offer`, `black accept`, `white claim repetition`, `white resign` |
/// | irregularities | `white illegal e2 e5`, `black claim illegal`, `notice displaced` |
/// | choices | `black choose move e7e5`, `decide draw`, `decide reject`, `white penalty warn` |
/// | adjournment | `white seal e2e4`, `adjourn`, `resume`, `white arrive 30:00` |
/// | start of the game | `setup 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1`, `odds knight by white` |
///
/// [`Self::events`] lists all forms with their meanings, and [`Self::continuations`] completes a
/// line. The manual explains them in the chapter `referee`.
#[derive(Clone, PartialEq, Debug)]
pub enum AnyReferee {
    /// Chess.
    #[doc(hidden)]
    Chess(Referee<chess::Position>),
    /// Draughts.
    #[doc(hidden)]
    Draughts(Referee<draughts::Position>),
}

/// An error in a line of text passed to a referee.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LineError {
    /// The line cannot be read as an event.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The event is impossible in this state of the game.
    #[error(transparent)]
    Impossible(#[from] Impossible),
    /// A move in a `moves` line is refused, so no move of the line is recorded.
    #[error("move {number}: {}; no move of this line was recorded", error.in_moves(Language::English))]
    Moves {
        /// The number of the move in the line, counted from 1.
        number: usize,
        /// The reason.
        error: Box<Self>,
    },
}

impl LineError {
    /// Returns the message. The column of an unreadable move is omitted, because it refers to the
    /// single-move line that was built from the `moves` line.
    pub(super) fn in_moves(&self, language: Language) -> String {
        match self {
            Self::Read(ReadError::Move { error, .. }) => {
                language.of(&error.to_string(), &error.in_french()).to_owned()
            }
            error => error.in_language(language),
        }
    }
}

/// A summary of the state of a game.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Facts {
    /// The edition of the laws.
    pub edition: Edition,
    /// The board as FEN, including any irregular moves made on it.
    pub position: String,
    /// The player to move.
    pub to_move: Side,
    /// The number of plies played.
    pub plies: usize,
    /// The remaining times of White and Black, or `None` without a clock.
    pub left: [Option<String>; 2],
    /// The result as written in score tables, once the game is over.
    pub result: Option<&'static str>,
    /// The points of White and Black.
    pub points: Option<[f64; 2]>,
}

impl Facts {
    /// Formats the facts as one line.
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

/// Evaluates an expression with `$referee` bound to the chess or draughts referee.
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
    /// Creates a referee for the game of the edition.
    pub fn new(edition: Edition, rules: Regulations) -> Self {
        match edition.terms().game {
            GameKind::Chess => Self::Chess(Referee::new(edition, rules)),
            GameKind::Draughts => Self::Draughts(Referee::new(edition, rules)),
        }
    }

    /// Applies a line of text to the game and returns the rulings. The line is an event, or `moves`
    /// followed by the moves of both players in turn.
    ///
    /// # Errors
    /// Returns an error if the line is not an event or the event is impossible. The game is then
    /// unchanged.
    pub fn line(&mut self, line: &str) -> Result<Rulings, LineError> {
        self.line_in(line, Language::English)
    }

    /// Applies a line like [`Self::line`], with the piece letters of the given language.
    ///
    /// # Errors
    /// Returns an error if the line is not an event or the event is impossible. The game is then
    /// unchanged.
    pub fn line_in(&mut self, line: &str, language: Language) -> Result<Rulings, LineError> {
        each!(self, referee => rule_line(referee, line, language))
    }

    /// Returns the forms of all events that the edition accepts, with their meanings. Words in
    /// capitals are placeholders.
    pub fn events(&self, language: Language) -> Vec<(String, &'static str)> {
        help::events(self.edition(), language)
    }

    /// Returns the byte offset of the last word of an unfinished line, and the completions of that
    /// word.
    pub fn continuations(&self, line: &str) -> (usize, Vec<String>) {
        self.continuations_in(line, Language::English)
    }

    /// Completes a line like [`Self::continuations`], with the piece letters of the given language.
    pub fn continuations_in(&self, line: &str, language: Language) -> (usize, Vec<String>) {
        each!(self, referee => complete::continuations(referee, line, language))
    }

    /// Returns the edition.
    pub fn edition(&self) -> Edition {
        each!(self, referee => referee.edition())
    }

    /// Returns the events that would be accepted now.
    #[doc(hidden)]
    pub fn possible(&self) -> Possible {
        each!(self, referee => Possible::in_game(referee))
    }

    /// Returns a summary of the state of the game.
    pub fn facts(&self) -> Facts {
        each!(self, referee => facts(referee))
    }

    /// Returns how the game ended, or `None` while it is in progress.
    pub fn verdict(&self) -> Option<&GameEnd> {
        each!(self, referee => referee.verdict())
    }

    /// Returns whether a line is a complete event. The referee may still reject the event.
    pub fn is_event(&self, line: &str, language: Language) -> bool {
        each!(self, referee => referee.read_in(line, language).is_ok())
    }

    /// Returns the last event as a line.
    pub fn last_event(&self) -> Option<String> {
        each!(self, referee => referee.last_event().map(ToString::to_string))
    }

    /// Returns all events as lines. Replaying them with the same edition and regulations restores
    /// this state.
    pub fn log(&self) -> Vec<String> {
        each!(self, referee => referee.log().map(ToString::to_string).collect())
    }
}

fn rule_line<G: Ruled>(
    referee: &mut Referee<G>,
    line: &str,
    language: Language,
) -> Result<Rulings, LineError> {
    let in_moves = |number, error| LineError::Moves { number, error: Box::new(error) };
    let rule = |referee: &mut Referee<G>, event: &str| rule_event(referee, event, language);
    each_event(referee, line.trim_end(), rule, in_moves)
}

/// Returns the game after a line, or `None` if the line is refused. This function is used for
/// completion. It does not list the possible events after a refusal, because building that list
/// itself uses completion.
pub(super) fn game_after<G: Ruled>(
    referee: &Referee<G>,
    line: &str,
    language: Language,
) -> Option<Referee<G>> {
    let mut ahead = referee.clone();
    each_event(
        &mut ahead,
        line,
        |referee, event| {
            let event = referee.read_in(event, language).map_err(|_| ())?;
            referee.try_event(&event).map_err(|_| ())
        },
        |_, ()| (),
    )
    .ok()?;
    Some(ahead)
}

/// Applies `rule` to the event of a line, or to each move after `moves`. If an event is refused,
/// the game is unchanged. `in_moves` adds the number of a refused move to its error.
fn each_event<G: Ruled, E>(
    referee: &mut Referee<G>,
    line: &str,
    mut rule: impl FnMut(&mut Referee<G>, &str) -> Result<Rulings, E>,
    in_moves: impl Fn(usize, E) -> E,
) -> Result<Rulings, E> {
    let lower = in_lower_case(line);
    let Some(moves) = lower.trim_start().strip_prefix("moves ") else {
        return rule(referee, line);
    };
    let mut ahead = referee.clone();
    let mut rulings = Rulings::new();
    let mut text = String::new();
    for (number, m) in (1..).zip(moves.split_whitespace()) {
        text.clear();
        let side = ahead.on_turn();
        let _ = write!(text, "{} move {m}", super::event::word(side));
        let ruled = rule(&mut ahead, &text).map_err(|error| in_moves(number, error))?;
        rulings.extend(ruled);
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
        // After the end of the game, report that it is over rather than a syntax error.
        Err(error) => Err(referee.is_over().map_or(error.into(), LineError::from)),
    }
}

fn facts<G: Ruled>(referee: &Referee<G>) -> Facts {
    let left = |side| referee.clock(side).remaining().map(|time| Hms(time).to_string());
    let verdict = referee.verdict();
    Facts {
        edition: referee.edition(),
        position: referee.fen(),
        to_move: referee.on_turn(),
        plies: referee.plies(),
        left: [left(Side::White), left(Side::Black)],
        result: verdict.map(|verdict| verdict.outcome.score()),
        points: verdict.map(|verdict| verdict.points),
    }
}
