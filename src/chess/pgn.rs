//! Games in portable game notation (PGN).
//!
//! Source: *PGN Standard* (Edwards, 1994).
//!
//! ```
//! use adoube::chess::pgn::{Game, GameResult, Reader};
//!
//! let mut game = Game::new();
//! game.set_tag("White", "Adoube");
//! for text in ["f3", "e5", "g4", "Qh4#"] {
//!     let m = game.position().parse_san(text)?;
//!     game.push(m, "")?;
//! }
//! game.result = GameResult::BlackWins;
//! assert!(game.to_string().ends_with("1. f3 e5 2. g4 Qh4# 0-1\n\n"));
//!
//! let text = "[White \"A\"]\n\n1. e4 e5 (1... c5 2. Nf3) 2. Ke3 *\n\n[White \"B\"]\n\n1. d4 *\n";
//! let mut games = Reader::new(text.as_bytes());
//! let error = games.next().and_then(Result::err).ok_or("an error")?;
//! assert!(error.to_string().starts_with("line 3, column 30: 'Ke3' is not legal in "));
//! let game = games.next().ok_or("a game")??;
//! assert_eq!((game.tag("White"), game.moves().count()), (Some("B"), 1));
//! assert!(games.next().is_none());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::bitboard::Bitboard;
use super::fen::FenError;
use super::moves::{Move, MoveError};
use super::position::Position;
use super::square::{File, Rank};
use crate::base::cursor::excerpt;
use crate::base::side::Side;
use crate::base::text::plain_dashes;
use crate::record::games::{self, Record, Recorded};
use std::fmt;
use std::str::FromStr;

pub use games::MAX_NESTING;

/// A game of chess on record.
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
pub type PgnError = games::RecordError<ChessProblem>;
/// What is wrong with a game.
pub type PgnProblem = games::Problem<ChessProblem>;

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum GameResult {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`: not over, or not known.
    #[default]
    Unknown,
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::WhiteWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Unknown => "*",
        })
    }
}

/// A text that is not a result.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is not a result (1-0, 0-1, 1/2-1/2 or *)")]
pub struct GameResultError(pub String);

impl FromStr for GameResult {
    type Err = GameResultError;

    fn from_str(text: &str) -> Result<Self, GameResultError> {
        match &*plain_dashes(text) {
            "1-0" => Ok(Self::WhiteWins),
            "0-1" => Ok(Self::BlackWins),
            "1/2-1/2" | "1/2" => Ok(Self::Draw),
            "*" => Ok(Self::Unknown),
            _ => Err(GameResultError(excerpt(text))),
        }
    }
}

/// What can be wrong with a move, a start position, or the rules.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ChessProblem {
    /// A text that is not one legal move.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// A `FEN` tag that is not a position.
    #[error("FEN tag: {0}")]
    Fen(#[from] FenError),
    /// A game with other rules.
    #[error("variant '{0}' is not chess and not Chess960")]
    Variant(String),
}

impl Recorded for Position {
    type Error = ChessProblem;
    type Result = GameResult;
    const SUFFIXES: &'static [&'static str] = &["e.p.", "e.p", "ep"];

    fn from_fen(text: &str) -> Result<Self, ChessProblem> {
        Ok(text.parse::<Self>()?)
    }

    fn to_fen(&self) -> String {
        self.fen()
    }

    fn first_number(&self) -> u32 {
        self.fullmove().into()
    }

    /// A game in which castling needs it is marked as Chess960.
    fn start_tag(&self) -> Option<(&'static str, &'static str)> {
        castles_otherwise(self).then_some(("Variant", "Chess960"))
    }

    /// A position itself says how it castles.
    fn with_tag(self, name: &str, value: &str) -> Result<Self, ChessProblem> {
        if name == "Variant" && Variant::of(value).is_none() {
            return Err(ChessProblem::Variant(excerpt(value)));
        }
        Ok(self)
    }
}

impl Game {
    /// Whether the game is marked as Chess960.
    pub fn is_chess960(&self) -> bool {
        self.tag("Variant").is_some_and(|v| Variant::of(v) == Some(Variant::Chess960))
    }
}

/// Whether a side may castle with its king or rook on other squares than in standard chess.
fn castles_otherwise(position: &Position) -> bool {
    let board = position.board();
    let corners = Bitboard::file(File::A) | Bitboard::file(File::H);
    Side::ALL.into_iter().any(|side| {
        let rights = board.castling & Bitboard::rank(Rank::R1.relative_to(side));
        rights.any() && (board.king(side).file() != File::E || (rights - corners).any())
    })
}

/// The games that a `Variant` tag may name and that this module can read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Variant {
    Standard,
    Chess960,
}

impl Variant {
    /// The game of a tag's value, as servers and programs write it.
    fn of(value: &str) -> Option<Self> {
        let letters = value.chars().filter(|c| c.is_alphanumeric());
        let name = letters.map(|c| c.to_ascii_lowercase()).collect::<String>();
        match name.as_str() {
            "" | "standard" | "chess" | "normal" | "fromposition" => Some(Self::Standard),
            "chess960" | "fischerandom" | "fischerrandom" | "fischerrandomchess" | "frc"
            | "960" => Some(Self::Chess960),
            _ => None,
        }
    }
}
