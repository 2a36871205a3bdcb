//! Games in portable draughts notation (PDN).
//!
//! Source: PDN 3.0. Written: `GameType` by the [`Variant`]; captures in the short form, or by their whole route
//! where that is ambiguous; glyphs as `$7`; the result after the moves as in its tag, which the
//! standard's reading grammar has and programs look for, although its writing grammar has only `*`;
//! no number before a move of Black's, except the first of a game or variation.
//!
//! Read as well: captures by any form of [`notation`](super::notation), `!`, `(?)`, and `*` directly after a move as
//! the sign of a forced move (glyph 7); with white space before it, it ends the game.
//!
//! ```
//! use adoube::draughts::pdn::{Game, GameResult, Reader};
//! use adoube::draughts::notation;
//!
//! let mut game = Game::new();
//! for text in ["32-28", "19-23", "28x19", "14x23"] {
//!     game.push(notation::parse(game.position(), text)?, "")?;
//! }
//! game.result = GameResult::Draw;
//! assert!(game.to_string().ends_with("[GameType \"20\"]\n\n1. 32-28 19-23 2. 28x19 14x23 1-1\n\n"));
//! assert!(format!("{game:#}").ends_with("\n1. 32-28 19-23 2. 28x19 14x23 1/2-1/2\n\n"));
//!
//! let text = "1. 32-28(?) 19-23* {[%clk 0:10:00]} 2. 28x19 (2. 28x19 13x24) 2... 14x23 2-0 1. 31-27 *";
//! let mut games = Reader::new(text.as_bytes());
//! let game = games.next().ok_or("a game")??;
//! assert_eq!((game.line().moves[1].nags[0], game.result), (7, GameResult::WhiteWins));
//! assert_eq!(games.count(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::fen::{BoardError, FenError};
use super::moves::Move;
use super::notation::MoveError;
use super::position::Position;
use super::variant::Variant;
use crate::base::cursor::excerpt;
use crate::base::text::plain_dashes;
use crate::record::games::{self, Record, Recorded};
use std::fmt;
use std::str::FromStr;

/// A game of draughts on record.
pub type Game = Record<Position>;
/// A sequence of moves.
pub type Line = games::Line<Move>;
/// A move with all that is said about it.
pub type Node = games::Node<Move>;
/// A move that cannot be added to a game.
pub type IllegalMove = games::IllegalMove<Move>;
/// Reads games from a source, one with each call of `next`.
pub type Reader<R> = games::Reader<Position, R>;
/// What is wrong with a game, and where.
pub type PdnError = games::RecordError<DraughtsProblem>;

/// The glyph of a forced move (9.1.9).
const FORCED: u8 = 7;

/// How a game ended. It is written with the points of international draughts, and in the alternate
/// form (`{:#}`) with those of chess; both are read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum GameResult {
    /// `2-0` or `1-0`
    WhiteWins,
    /// `0-2` or `0-1`
    BlackWins,
    /// `1-1` or `1/2-1/2`
    Draw,
    /// `0-0`: declared lost for both.
    BothLose,
    /// `*`: not over, or not known.
    #[default]
    Unknown,
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match (self, f.alternate()) {
            (Self::WhiteWins, false) => "2-0",
            (Self::WhiteWins, true) => "1-0",
            (Self::BlackWins, false) => "0-2",
            (Self::BlackWins, true) => "0-1",
            (Self::Draw, false) => "1-1",
            (Self::Draw, true) => "1/2-1/2",
            (Self::BothLose, _) => "0-0",
            (Self::Unknown, _) => "*",
        })
    }
}

/// A text that is not a result.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is not a result (2-0, 0-2, 1-1, 1-0, 0-1, 1/2-1/2, 0-0 or *)")]
pub struct GameResultError(pub String);

impl FromStr for GameResult {
    type Err = GameResultError;

    fn from_str(text: &str) -> Result<Self, GameResultError> {
        match &*plain_dashes(text) {
            "2-0" | "1-0" => Ok(Self::WhiteWins),
            "0-2" | "0-1" => Ok(Self::BlackWins),
            "1-1" | "1/2-1/2" => Ok(Self::Draw),
            "0-0" => Ok(Self::BothLose),
            "*" => Ok(Self::Unknown),
            _ => Err(GameResultError(excerpt(text))),
        }
    }
}

/// What can be wrong with a move, a start position, or the rules.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DraughtsProblem {
    /// A text that is not one legal move.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// A `FEN` tag that is not a position.
    #[error("FEN tag: {0}")]
    Fen(#[from] FenError),
    /// A game with other rules, or with squares numbered in another way.
    #[error(
        "game type '{0}' is none of draughts on 100 squares by numbers from the top left (20, 40, 96, 98)"
    )]
    GameType(String),
    /// A position that the game cannot have.
    #[error("{0}")]
    Board(BoardError),
}

impl Recorded for Position {
    type Error = DraughtsProblem;
    type Result = GameResult;
    const OWN_TAG: Option<&'static str> = Some("GameType");
    const STAR: Option<u8> = Some(FORCED);
    /// In the grammar every number is optional (`MOVENUMBER?`), and other programs' readers, such
    /// as that of pydraughts 0.6.7, are confused by a number that is repeated.
    const NUMBERED_AGAIN: bool = false;

    fn from_fen(text: &str) -> Result<Self, DraughtsProblem> {
        Ok(text.parse::<Self>()?)
    }

    fn to_fen(&self) -> String {
        self.to_string()
    }

    /// The game is said by its own tags.
    fn fen_tag(&self) -> String {
        format!("{self:#}")
    }

    fn is_usual_start(&self) -> bool {
        *self == Self::start_of(self.variant())
    }

    fn own_tag(&self) -> &'static str {
        game_type(self.variant())
    }

    /// Killer draughts has no type of its own.
    fn start_tag(&self) -> Option<(&'static str, &'static str)> {
        (self.variant() == Variant::Killer).then_some(("Variant", KILLER))
    }

    /// The type's number can stand alone, or be followed by the side that begins, width, height,
    /// notation and the colour of the corner: `20,W,10,10,N2,0`.
    fn with_tag(self, name: &str, value: &str) -> Result<Self, DraughtsProblem> {
        let variant = match name {
            "GameType" => {
                let fields: Vec<_> = value.split(',').map(str::trim).collect();
                let number = match fields[..] {
                    [number] | [number, _, "10", "10", "N2", ..] => number,
                    _ => return Err(DraughtsProblem::GameType(excerpt(value))),
                };
                // The number of killer draughts is that of the normal game.
                if number == game_type(self.variant()) {
                    return Ok(self);
                }
                let named = |variant: &Variant| game_type(*variant) == number;
                let known = Variant::ALL.into_iter().find(named);
                let usual = number.is_empty().then_some(Variant::Normal);
                known.or(usual).ok_or_else(|| DraughtsProblem::GameType(excerpt(value)))?
            }
            "Variant" if value.trim().eq_ignore_ascii_case(KILLER) => Variant::Killer,
            _ => return Ok(self),
        };
        self.in_game(variant).map_err(DraughtsProblem::Board)
    }
}

/// The value of the tag `Variant` in games of killer draughts.
const KILLER: &str = "Killer";

/// The number of a game's type. PDN 3.0 knows 20 and 40; 96 and 98 are those of lidraughts.org. Killer draughts
/// has none and goes as the normal game, in which all its moves are legal too.
const fn game_type(variant: Variant) -> &'static str {
    match variant {
        Variant::Normal | Variant::Killer => "20",
        Variant::Breakthrough => "96",
        Variant::Frisian => "40",
        Variant::Losing => "98",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Game, PdnError> {
        Reader::new(text.as_bytes()).next().expect("a game")
    }

    #[test]
    fn every_game_is_told_by_its_tags() {
        for variant in Variant::ALL {
            for start in [Position::start_of(variant), {
                let fen = format!("W:W31,45:B1,12:V{variant}");
                fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
            }] {
                let mut game = Game::from_position(start);
                game.push(start.legal_moves()[0], "").expect("legal");
                let text = game.to_string();
                assert_eq!(read(&text).expect(&text), game);
                // Other programs do not know the game's name in a position.
                assert!(!text.contains(":V"), "{text}");
            }
        }
        // The tags may stand in any order, and with all fields.
        for text in [
            "[Variant \"killer\"]\n[GameType \"20\"]\n\n1. 32-28 *",
            "[GameType \"20,W,10,10,N2,0\"]\n[Variant \"Killer\"]\n\n1. 32-28 *",
        ] {
            let game = read(text).expect(text);
            assert_eq!(game.start(), &Position::start_of(Variant::Killer), "{text}");
        }
        for (text, part) in [
            ("[GameType \"25\"]\n\n*", "game type '25' is none of"),
            ("[GameType \"96\"]\n[Variant \"Killer\"]\n\n*", "of the game bt, not of killer"),
            ("[GameType \"96\"]\n[FEN \"W:WK1:B20\"]\n\n*", "which had won at breakthrough"),
        ] {
            let error = read(text).expect_err(text).to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
