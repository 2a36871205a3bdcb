//! Games in portable draughts notation (PDN).
//!
//! Source: PDN 3.0. The writer follows these conventions:
//!
//! - The `GameType` tag contains the number of the [`Variant`].
//! - A capture is written in the short form, or as the whole route if the short form is ambiguous.
//! - Annotation glyphs are written as `$7`.
//! - Black's moves have no move number, except at the start of a game or variation.
//! - The moves end with the value of the `Result` tag. The standard's reading grammar allows this
//!   and other programs expect it, although the writing grammar has only `*`.
//!
//! The reader also accepts captures in any form of [`notation`], and annotations such as `!` and
//! `(?)`. A `*` directly after a move marks a forced move (glyph 7). After white space, `*` ends
//! the game. An ambiguous capture is accepted if the following moves are legal after only one of
//! the possible captures. If the `Result` tag is not a standard result, its text is preserved.
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
use super::notation::{self, MoveError};
use super::position::Position;
use super::variant::Variant;
use crate::base::cursor::excerpt;
use crate::base::text::plain_dashes;
use crate::record::format::{LetteredBoard, lettered_move};
use crate::record::games::{self, Record, Recorded};
use std::fmt;
use std::str::FromStr;

pub use games::{Fault, Loss};

/// A draughts game with moves, comments, annotation glyphs and variations.
pub type Game = Record<Position>;
/// A sequence of moves.
pub type Line = games::Line<Move>;
/// A move with its annotations and variations.
pub type Node = games::Node<Move>;
/// The error for a move that cannot be added to a game.
pub type IllegalMove = games::IllegalMove<Move>;
/// An iterator over the games in a PDN source.
pub type Reader<R> = games::Reader<Position, R>;
/// The faults in a game, together with the part of the game that could be read.
pub type PdnError = games::RecordError<Position>;

/// The annotation glyph of a forced move (FMJD 9.1.9).
const FORCED: u16 = 7;

/// The result of a game. It is formatted with the points of international draughts (`2-0`) or, in
/// the alternate form (`{:#}`), with the points of chess (`1-0`). Parsing accepts both.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum GameResult {
    /// `2-0` or `1-0`
    WhiteWins,
    /// `0-2` or `0-1`
    BlackWins,
    /// `1-1` or `1/2-1/2`
    Draw,
    /// `0-0`: the game was declared lost for both players.
    BothLose,
    /// `*`: the game is unfinished or its result is unknown.
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

/// The error for text that is not a game result.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is not a result (2-0, 0-2, 1-1, 1-0, 0-1, 1/2-1/2, 0-0 or *)")]
pub struct GameResultError(pub String);

impl FromStr for GameResult {
    type Err = GameResultError;

    fn from_str(text: &str) -> Result<Self, GameResultError> {
        match &*plain_dashes(text).replace(':', "-") {
            "2-0" | "1-0" => Ok(Self::WhiteWins),
            "0-2" | "0-1" => Ok(Self::BlackWins),
            "1-1" | "1/2-1/2" | "½-½" | "1/2" => Ok(Self::Draw),
            "0-0" => Ok(Self::BothLose),
            "*" => Ok(Self::Unknown),
            _ => Err(GameResultError(excerpt(text))),
        }
    }
}

/// An invalid move, start position or variant.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DraughtsProblem {
    /// The text of a move is invalid, illegal or ambiguous.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// The `FEN` tag does not contain a legal position.
    #[error("FEN tag: {0}")]
    Fen(FenError),
    /// The variant or the square numbering is not supported.
    #[error(
        "unsupported game type '{0}': expected 20, 40, 96 or 98, on 100 squares numbered from the \
         top left"
    )]
    GameType(String),
    /// The position is not legal in the variant, or it belongs to another variant.
    #[error("{0}")]
    Board(BoardError),
    /// The moves belong to English, Italian, Russian or other draughts on 64 squares.
    #[error("the moves are those of a board with 64 squares, which Adoube does not play")]
    OtherBoard,
    /// The fields after the number in the `GameType` tag are meaningless.
    #[error("the fields after the number in the game type '{0}' do not describe a board")]
    GameTypeFields(String),
    /// The `FEN` tag is empty, which in PDN 3.0 means that the position is unknown.
    #[error("the FEN tag is empty: the usual start position is assumed")]
    EmptyFen,
}

// `#[from]` would also make the `FenError` the source of the error. Its message is already part of
// `DraughtsProblem::Fen` and would be printed twice.
impl From<FenError> for DraughtsProblem {
    fn from(error: FenError) -> Self {
        Self::Fen(error)
    }
}

impl Recorded for Position {
    type Error = DraughtsProblem;
    type Result = GameResult;
    const OWN_TAG: Option<&'static str> = Some("GameType");
    const STAR: Option<u16> = Some(FORCED);
    /// Black's move gets no number after a comment or variation. The grammar makes every number
    /// optional (`MOVENUMBER?`), and some programs, such as pydraughts 0.6.7, misread a repeated
    /// number.
    const NUMBERED_AGAIN: bool = false;
    /// PDN 3.0 recommends accepting any string, because many scoring systems are in use.
    const FREE_RESULTS: bool = true;

    fn matching_moves(&self, text: &str) -> Vec<Move> {
        notation::matching_moves(self, text).unwrap_or_default()
    }

    fn read_usual(&self, text: &[u8]) -> Option<Move> {
        notation::parse_short(self, text)
    }

    fn from_fen(text: &str) -> Result<Self, DraughtsProblem> {
        Ok(text.parse::<Self>()?)
    }

    fn to_fen(&self) -> String {
        self.to_string()
    }

    /// The `FEN` tag omits the variant, which has its own tags.
    fn fen_tag(&self) -> String {
        format!("{self:#}")
    }

    fn is_usual_start(&self) -> bool {
        *self == Self::start_of(self.variant())
    }

    fn own_tag(&self) -> &'static str {
        game_type(self.variant())
    }

    /// Returns the `Variant` tag of killer draughts, which does not have its own game type. Returns
    /// `None` for the other variants.
    fn start_tag(&self) -> Option<(&'static str, &'static str)> {
        (self.variant() == Variant::Killer).then_some(("Variant", KILLER))
    }

    /// Applies a `GameType` tag, or the `Variant` tag of killer draughts. Other tags are ignored.
    ///
    /// A game type is a number, optionally followed by the side that moves first, the width, the
    /// height, the notation and a flag that is not read: `20,W,10,10,N2,0`. The notation must be
    /// numeric. Its digit, the corner at which the numbering starts, is ignored, because PlayOK
    /// writes `N1` but numbers the squares in the usual way.
    fn with_tag(self, name: &str, value: &str) -> Result<Self, DraughtsProblem> {
        let variant = match name {
            "GameType" => {
                let (number, board) = game_type_fields(value);
                if board == GameTypeBoard::Other {
                    return Err(DraughtsProblem::GameType(excerpt(value)));
                }
                // Killer draughts has the same type number as the normal game.
                if number == game_type(self.variant()) {
                    return Ok(self);
                }
                let named = |variant: &Variant| game_type(*variant) == number;
                let found = Variant::ALL.into_iter().find(named);
                let usual = number.is_empty().then_some(Variant::Normal);
                found.or(usual).ok_or_else(|| DraughtsProblem::GameType(excerpt(value)))?
            }
            "Variant" if value.trim().eq_ignore_ascii_case(KILLER) => Variant::Killer,
            _ => return Ok(self),
        };
        self.in_game(variant).map_err(DraughtsProblem::Board)
    }

    /// Reports an empty `FEN` tag, and a `GameType` tag with fields that do not describe a board.
    fn check_tag(name: &str, value: &str) -> Result<(), DraughtsProblem> {
        match name {
            "FEN" if value.trim().is_empty() => Err(DraughtsProblem::EmptyFen),
            "GameType" if game_type_fields(value).1 == GameTypeBoard::Meaningless => {
                Err(DraughtsProblem::GameTypeFields(excerpt(value)))
            }
            _ => Ok(()),
        }
    }

    /// Rejects games on 64 squares. They are recognised by moves between lettered squares or, in a
    /// game from the start position, by the first moves and by square numbers up to 32.
    fn check_words(&self, words: &[&str]) -> Result<(), DraughtsProblem> {
        let is_lettered = words.first().is_some_and(|first| lettered_move(first).is_some());
        let is_larger = words.iter().any(|word| lettered_move(word) == Some(LetteredBoard::Larger));
        let is_other =
            is_lettered && !is_larger || self.is_usual_start() && is_numeric_game_of_64(words);
        if is_other { Err(DraughtsProblem::OtherBoard) } else { Ok(()) }
    }
}

/// The board described by the fields of a `GameType` tag after the game type number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum GameTypeBoard {
    /// No board is given, or a board with 100 numbered squares.
    Usual,
    /// Another size or algebraic notation.
    Other,
    /// The fields do not describe any board, as in `20,W,0,0,N,0`.
    Meaningless,
}

/// Parses the value of a `GameType` tag. Returns the game type number without leading zeros, and
/// the board.
fn game_type_fields(value: &str) -> (&str, GameTypeBoard) {
    let fields: Vec<_> = value.split([',', ';']).map(str::trim).collect();
    let is_numeric = |notation: &str| notation.starts_with(['N', 'n']);
    let is_other = |size: &&str| size.parse::<u32>().is_ok_and(|size| size != 0 && size != 10);
    let board = match fields[..] {
        [_] | [_, _] | [_, _, "10", "10"] => GameTypeBoard::Usual,
        [_, _, "10", "10", notation, ..] if is_numeric(notation) => GameTypeBoard::Usual,
        _ if fields.iter().skip(2).take(2).any(is_other) => GameTypeBoard::Other,
        _ if fields.get(4).is_some_and(|notation| notation.starts_with(['A', 'a'])) => {
            GameTypeBoard::Other
        }
        _ => GameTypeBoard::Meaningless,
    };
    (fields.first().map_or("", |number| number.trim_start_matches('0')), board)
}

/// Returns whether words are the moves of a game on 64 squares in which the first player starts on
/// the squares 1 to 12, as in English checkers: `11-15 23-19`. In a game on 100 squares, White
/// starts on the squares 31 to 50.
fn is_numeric_game_of_64(words: &[&str]) -> bool {
    let numbers = |word: &&str| -> Option<Vec<u32>> {
        word.split(['-', 'x', ':']).map(|number| number.parse().ok()).collect()
    };
    let moves: Vec<_> = words.iter().filter_map(numbers).collect();
    match &moves[..] {
        [first, second, ..] => {
            matches!(first[..], [9..=12, 13..=16])
                && matches!(second[..], [21..=24, 17..=20])
                && moves.iter().flatten().all(|number| *number <= 32)
        }
        _ => false,
    }
}

const KILLER: &str = "Killer";

/// Returns the game type number. PDN 3.0 defines 20 and 40, and lidraughts.org uses 96 and 98.
/// Killer draughts has no number of its own. It uses the number of the normal game, in which every
/// killer move is legal too.
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
    use crate::record::games::assert_agreement;

    fn read(text: &str) -> Result<Game, PdnError> {
        Reader::new(text.as_bytes()).next().expect("a game")
    }

    #[test]
    fn round_trips_every_variant_by_its_tags() {
        for variant in Variant::ALL {
            for start in [Position::start_of(variant), {
                let fen = format!("W:W31,45:B1,12:V{variant}");
                fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
            }] {
                let mut game = Game::from_position(start);
                game.push(start.legal_moves()[0], "").expect("legal");
                let text = game.to_string();
                assert_eq!(read(&text).expect(&text), game);
                // The FEN tag omits the variant, because other programs do not know the extension
                // `:V`.
                assert!(!text.contains(":V"), "{text}");
            }
        }
        // Tags can come in any order, and GameType can have all its fields.
        for text in [
            "[Variant \"killer\"]\n[GameType \"20\"]\n\n1. 32-28 *",
            "[GameType \"20,W,10,10,N2,0\"]\n[Variant \"Killer\"]\n\n1. 32-28 *",
        ] {
            let game = read(text).expect(text);
            assert_eq!(game.start(), &Position::start_of(Variant::Killer), "{text}");
        }
        for (text, part) in [
            ("[GameType \"25\"]\n\n*", "unsupported game type '25'"),
            ("[GameType \"96\"]\n[Variant \"Killer\"]\n\n*", "from the variant bt, not killer"),
            ("[GameType \"96\"]\n[FEN \"W:WK1:B20\"]\n\n*", "has already won at breakthrough"),
        ] {
            let error = read(text).expect_err(text).to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn reads_plain_text_like_any_other_text() {
        const SAMPLES: [&str; 4] = [
            "[Event \"C\"] x\n[Result \"1.2-0.8\"]\\r\n\\r\n\n1. 32-28 19-23 2.\\r\n28x19 14x23 1.2-0.8\n\n\
             [\nWhite \n\"D\"\n] ; c\n[GameType \"20,W,0,0,N\"]\n\n1. 11-15 23-19 2. 8-11 *\n",
            "[FEN \"W:WK4,20,39,44:B12,18,28,29,37\"]\n[Result \"8-2\"]\n\n1. 4x24 28-32 (1... 28-33) \
             {a}\n2. 20-15 $3 32-37 3. 24-47 12-18 8-2\n\n",
            "[GameType \"20\"]\n[Event \"A\"]\n\n1. 32-28 19-23 {+0.1}\n2. 28x19 14x23 3. 37-32 10-14* \
             (3... 9-14 4. 41-37) 4. 41-37 5 - 10 5. 46-41 1-1\n\n",
            "[Event \"B\"]\n\n1. 33-28 18-23 2. 39-33 12-18 3. 44-39 7-12 4. 31-27 20-24 5. 36-31 14-20\n\
             6. 50-44 1-7 7. 31-26 17-22 8. 28x17 11x31 9. 26x37 2-0\n",
        ];
        assert_agreement::<Position>(&SAMPLES);
    }
}
