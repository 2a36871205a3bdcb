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
use super::illegal::{self, Illegality};
use super::moves::{Move, MoveError, is_null};
use super::notation::language;
use super::position::Position;
use super::square::{File, Rank};
use crate::base::cursor::excerpt;
use crate::base::game::{Game as _, MoveForm};
use crate::base::side::Side;
use crate::base::text::plain_dashes;
use crate::record::games::{self, Record, Recorded};
use std::fmt;
use std::str::FromStr;

pub use games::{Fault, Loss, MAX_NESTING};

/// A chess game with moves, comments, annotation glyphs and variations.
pub type Game = Record<Position>;
/// A sequence of moves.
pub type Line = games::Line<Move>;
/// A move with its annotations and variations.
pub type Node = games::Node<Move>;
/// The error for a move that cannot be added to a game.
pub type IllegalMove = games::IllegalMove<Move>;
/// An iterator over the games in a PGN source.
pub type Reader<R> = games::Reader<Position, R>;
/// The faults in a game, together with the part of the game that could be read.
pub type PgnError = games::RecordError<Position>;
/// The kinds of faults in a game.
pub type PgnProblem = games::Problem<ChessProblem>;

/// The result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum GameResult {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`: the game is unfinished or its result is unknown.
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

/// The error for text that is not a game result.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is not a result (1-0, 0-1, 1/2-1/2 or *)")]
pub struct GameResultError(pub String);

impl FromStr for GameResult {
    type Err = GameResultError;

    fn from_str(text: &str) -> Result<Self, GameResultError> {
        match &*plain_dashes(text).replace(':', "-") {
            "1-0" => Ok(Self::WhiteWins),
            "0-1" => Ok(Self::BlackWins),
            "1/2-1/2" | "½-½" | "1/2" => Ok(Self::Draw),
            "*" => Ok(Self::Unknown),
            _ => Err(GameResultError(excerpt(text))),
        }
    }
}

/// An invalid move, start position or variant.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ChessProblem {
    /// The text of a move is invalid, illegal or ambiguous.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// The `FEN` tag is not a legal position.
    #[error("FEN tag: {0}")]
    Fen(FenError),
    /// The variant is neither chess nor Chess960.
    #[error("variant '{0}' is not chess and not Chess960")]
    Variant(String),
}

// `#[from]` would also make the `FenError` the source of the error. Its message is already part of
// `ChessProblem::Fen` and would be printed twice.
impl From<FenError> for ChessProblem {
    fn from(error: FenError) -> Self {
        Self::Fen(error)
    }
}

impl Recorded for Position {
    type Error = ChessProblem;
    type Result = GameResult;
    const NULL_MOVE: Option<Move> = Some(Move::NULL);
    /// Includes the words for check and mate in Czech, English, French, German, Italian,
    /// Portuguese, Russian and Spanish.
    const SUFFIXES: &'static [&'static str] = &[
        "e.p.", "e.p", "ep", "+", "++", "#", "ch", "check", "mate", "éch", "ech", "échec", "mat",
        "sch", "schach", "matt", "scacco", "matto", "xeque", "jaque", "mata", "шах", "мат", "šach",
    ];

    /// Parses a move in a game record. Null moves are accepted too, unless the player is in check.
    fn read_recorded(&self, text: &str) -> Result<Move, MoveError> {
        match is_null(text) {
            false => self.read_move(text, MoveForm::Record),
            true if self.is_recordable(Move::NULL) => Ok(Move::NULL),
            true => {
                Err(MoveError::Illegal { text: excerpt(text), fen: self.fen(), english: false })
            }
        }
    }

    fn read_usual(&self, text: &[u8]) -> Option<Move> {
        self.parse_export(text)
    }

    const SPELLINGS: usize = language::FOREIGN.len();

    fn respell(spelling: usize, text: &str) -> Option<String> {
        language::FOREIGN.get(spelling)?.to_english(text)
    }

    /// `Pf3` is a pawn move in English and a knight move in Dutch.
    fn is_dubious(text: &str) -> bool {
        text.starts_with('P')
    }

    /// Changes only the error for an ambiguous move, because the explanation of an illegal move
    /// needs the English letters.
    fn error_in_spelling(error: MoveError, spelling: usize, text: &str) -> MoveError {
        match (error, language::FOREIGN.get(spelling)) {
            (MoveError::Ambiguous { candidates, .. }, Some(language)) => MoveError::Ambiguous {
                text: excerpt(text),
                candidates: candidates.iter().map(|m| language.of_english(m)).collect(),
            },
            (error, _) => error,
        }
    }

    fn why_illegal(&self, m: Move) -> Option<String> {
        let why = illegal::why(self, None, &m.to_string());
        why.filter(|why| *why != Illegality::NotAMove).map(|why| why.to_string())
    }

    fn is_recordable(&self, m: Move) -> bool {
        if m == Move::NULL { !self.in_check() } else { self.is_legal(m) }
    }

    fn from_fen(text: &str) -> Result<Self, ChessProblem> {
        Ok(text.parse::<Self>()?)
    }

    fn to_fen(&self) -> String {
        self.fen()
    }

    fn first_number(&self) -> u32 {
        self.fullmove().into()
    }

    /// Returns the Chess960 tag if a king or rook that may still castle is not on its standard
    /// square.
    fn start_tag(&self) -> Option<(&'static str, &'static str)> {
        castles_otherwise(self).then_some(("Variant", "Chess960"))
    }

    /// Checks that a `Variant` tag is valid. The tag does not change the position, which already
    /// contains the squares of the castling rooks.
    fn with_tag(self, name: &str, value: &str) -> Result<Self, ChessProblem> {
        if name == "Variant" && Variant::of(value).is_none() {
            return Err(ChessProblem::Variant(excerpt(value)));
        }
        Ok(self)
    }
}

impl Game {
    /// Returns whether the `Variant` tag names Chess960.
    pub fn is_chess960(&self) -> bool {
        self.tag("Variant").is_some_and(|v| Variant::of(v) == Some(Variant::Chess960))
    }
}

/// Returns whether a castling right involves a king or rook away from its standard square.
fn castles_otherwise(position: &Position) -> bool {
    let board = position.board();
    let corners = Bitboard::file(File::A) | Bitboard::file(File::H);
    Side::ALL.into_iter().any(|side| {
        let rights = board.castling & Bitboard::rank(Rank::R1.relative_to(side));
        rights.any() && (board.king(side).file() != File::E || (rights - corners).any())
    })
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Variant {
    Standard,
    Chess960,
}

impl Variant {
    /// Parses the value of a `Variant` tag, in any spelling used by common servers and programs.
    fn of(value: &str) -> Option<Self> {
        let letters = value.chars().filter(|c| c.is_alphanumeric());
        let name = letters.map(|c| c.to_ascii_lowercase()).collect::<String>();
        match name.as_str() {
            "" | "standard" | "chess" | "normal" | "regular" | "classical" | "classic"
            | "orthodox" | "orthochess" | "standardchess" | "normalchess" | "regularchess"
            | "classicalchess" | "chessstandard" | "none" | "fromposition" => Some(Self::Standard),
            "chess960" | "fischerandom" | "fischerrandom" | "fischerrandomchess" | "frc"
            | "960" => Some(Self::Chess960),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::games::{Reader, assert_agreement};

    #[test]
    fn reads_plain_text_like_any_other_text() {
        const SAMPLES: [&str; 4] = [
            "[Event \"A (1)\"]\n[Result \"1-0\"]\n\n1. e4 {+0.35/12 0.51s} e5 2. Nf3 Nc6 3. Bb5\n{a  b\n\
             c} a6 4. Bxc6 dxc6 5. O-O Qd4 6. Nxd4 exd4\n{[%clk 0:10:00]} 1-0\n\n",
            "[White \"a\\\"b\"]\r\n[FEN \"8/PK6/8/8/8/8/p6k/8 w - - 0 1\"]\r\n\r\n1. a8=Q a1=N+ (1... \
             a1=Q 2. Qxa1 {x}) 2. Qa2+!? $14 Nc2 3. Kb6\r\n{c\r\nd} Kg1 4. -- *\r\n\r\n",
            "1.d4 d5 2.c4 e6 3.Nc3 Nf6 4.cxd5 exd5 5.Bg5 Nbd7 6.Nxd5?? Nxd5 7.Bxd8 Bb4+ ; end\n8.Qd2 \
             Bxd2+ 9.Kxd2 Kxd8 0-1\n% hidden\n[Event \"B\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n",
            "[Event \"C\"]\n\n1. e4 e5 2. Ke2 Ke7 {open\n[Event \"D\"]\n\n1. b4 bxc3 2. Bb2 {ü} e6 N \
             3. b5! a5 4. bxa6 e.p. Bxa6 5. ed 1/2-1/2\n",
        ];
        assert_agreement::<Position>(&SAMPLES);
    }

    #[test]
    fn skips_comments_after_moves_only() {
        let text = "{before} 1. e4 {one} e5 (1... c5 {two}) {three} 2. d4 *";
        let game = Reader::<Position, _>::new(text.as_bytes()).without_comments().next();
        let game = game.expect("a game").expect("no fault");
        assert!(game.to_string().ends_with("{before} 1. e4 e5 (1... c5) 2. d4 *\n\n"), "{game}");
    }
}
