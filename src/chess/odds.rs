//! Start positions of games at odds (Par. 22; Art. 22; rows O-01 to O-03 of `laws::catalogue`), and
//! Chess960 starts drawn by dice (FIDE 2009, 20.2).
//!
//! Odds are a missing piece, extra moves for the opponent, or both: `knight`, `pawn and move`,
//! `pawn and two moves`, `king's rook`.
//!
//! White always begins (Art. 4.2). A player who gives only a piece moves first (Art. 22.5) and
//! therefore has White. A player who gives moves has Black. A pawn given as odds is the king's
//! bishop's pawn (Art. 22.6). Other pieces are taken from the queen's side (Art. 22.7) unless the
//! text names the king's side. Castling without the rook (Art. 22.8) is left to the referee,
//! because a position cannot have a castling right for a missing rook.

use super::fen::FenError;
use super::moves::{Move, MoveError};
use super::piece::Kind;
use super::position::Position;
use super::setup::{Setup, SetupError};
use super::square::{File, Rank, Square};
use crate::base::cursor::excerpt;
use crate::base::side::Side;
use std::fmt;
use std::str::FromStr;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Odds {
    /// The kind of the missing piece and its original file.
    pub piece: Option<(Kind, File)>,
    /// The number of moves that the opponent makes first, or 0 if the player who gives the odds
    /// begins.
    pub moves: u8,
}

pub(crate) const MAX_MOVES: u8 = 8;

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum OddsError {
    #[error(
        "'{0}' is neither a piece (pawn, knight, bishop, rook, queen, king's knight, ...) nor moves \
         (move, two moves, ...)"
    )]
    Part(String),
    /// The odds contain two pieces or two numbers of moves.
    #[error("'{0}' repeats a kind of odds: give at most one piece and one number of moves")]
    Twice(String),
    #[error("{0} is not a possible number of moves to give (1 to {MAX_MOVES})")]
    Moves(u8),
    #[error("the odds give {wanted} moves, but {made} were made")]
    Count { wanted: u8, made: usize },
    /// The destination is beyond the middle of the board (Par. 22; Art. 22.4).
    #[error(
        "{0} is beyond the middle of the board, which moves at odds must not cross (Art. 22.4)"
    )]
    PastTheMiddle(Square),
    /// An extra move gives check, although it is not the last one. The same player cannot move
    /// again after giving check.
    #[error("the move to {0} gives check, so only the opponent can move next")]
    Check(Square),
    #[error(transparent)]
    Move(#[from] MoveError),
    #[error(transparent)]
    Setup(#[from] SetupError),
    #[error(transparent)]
    Fen(#[from] FenError),
}

impl Odds {
    pub(crate) const fn giver(&self) -> Side {
        if self.moves == 0 { Side::White } else { Side::Black }
    }

    pub(crate) fn missing(&self) -> Option<Square> {
        let (kind, file) = self.piece?;
        let rank = if kind == Kind::Pawn { Rank::R2 } else { Rank::R1 };
        Some(Square::new(file, rank.relative_to(self.giver())))
    }

    pub(crate) fn start(&self) -> Result<Position, OddsError> {
        let mut setup = Setup::chess960(518).unwrap_or_else(Setup::empty);
        if let Some(square) = self.missing() {
            setup.pieces[square.index()] = None;
            setup.castling -= square;
        }
        Ok(Position::try_from(setup)?)
    }

    /// Returns the position after the extra moves. The moves are made in one turn (Art. 22.2) but
    /// numbered individually (Art. 22.3). Each of the `texts` is parsed as lenient SAN in the
    /// position in which the move is made.
    pub(crate) fn after(&self, texts: &[impl AsRef<str>]) -> Result<Position, OddsError> {
        if texts.len() != usize::from(self.moves) {
            return Err(OddsError::Count { wanted: self.moves, made: texts.len() });
        }
        let mut position = self.start()?;
        for (i, text) in texts.iter().enumerate() {
            let m = position.parse_san_lenient(text.as_ref())?;
            position = self.step(&position, m, i + 1 == texts.len())?;
        }
        Ok(position)
    }

    fn step(&self, position: &Position, m: Move, last: bool) -> Result<Position, OddsError> {
        if self.moves > 1 && !m.is_castle() && m.to().rank() > Rank::R4 {
            return Err(OddsError::PastTheMiddle(m.to()));
        }
        let next = position.play(m);
        if last {
            return Ok(with_number(&next, self.moves)?);
        }
        if next.in_check() {
            return Err(OddsError::Check(m.to()));
        }
        Ok(next.pass())
    }
}

/// Returns the position with its move number set to `number`, the number of extra moves (Art.
/// 22.3).
fn with_number(position: &Position, number: u8) -> Result<Position, FenError> {
    let fen = position.fen();
    let (rest, _) = fen.rsplit_once(' ').unwrap_or((&fen, ""));
    format!("{rest} {}", number.max(1)).parse()
}

impl FromStr for Odds {
    type Err = OddsError;

    fn from_str(text: &str) -> Result<Self, OddsError> {
        let mut odds = Self::default();
        for part in text.split(" and ").flat_map(|part| part.split(['+', ','])) {
            let part = part.trim();
            let unknown = || OddsError::Part(excerpt(part));
            let words: Vec<_> = part.split_whitespace().collect();
            if let Some(moves) = moves_of(&words) {
                if !(1..=MAX_MOVES).contains(&moves) {
                    return Err(OddsError::Moves(moves));
                }
                if odds.moves > 0 {
                    return Err(OddsError::Twice(excerpt(part)));
                }
                odds.moves = moves;
                continue;
            }
            let (kings, name) = match words[..] {
                [name] => (false, name),
                ["king's", name] => (true, name),
                ["queen's", name] if name != "queen" => (false, name),
                _ => return Err(unknown()),
            };
            let piece = match (name, kings) {
                ("pawn", false) if words.len() == 1 => (Kind::Pawn, File::F),
                ("rook", false) => (Kind::Rook, File::A),
                ("knight", false) => (Kind::Knight, File::B),
                ("bishop", false) => (Kind::Bishop, File::C),
                ("queen", false) => (Kind::Queen, File::D),
                ("bishop", true) => (Kind::Bishop, File::F),
                ("knight", true) => (Kind::Knight, File::G),
                ("rook", true) => (Kind::Rook, File::H),
                _ => return Err(unknown()),
            };
            if odds.piece.replace(piece).is_some() {
                return Err(OddsError::Twice(excerpt(part)));
            }
        }
        Ok(odds)
    }
}

fn moves_of(words: &[&str]) -> Option<u8> {
    const NUMBERS: [&str; 8] = ["one", "two", "three", "four", "five", "six", "seven", "eight"];
    match *words {
        ["move"] => Some(1),
        [number, "move" | "moves"] => {
            let named = NUMBERS.iter().position(|name| *name == number);
            named.map(|i| i as u8 + 1).or_else(|| number.parse().ok())
        }
        _ => None,
    }
}

impl fmt::Display for Odds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moves = match self.moves {
            0 => String::new(),
            1 => "move".to_owned(),
            n => format!("{n} moves"),
        };
        let piece = self.piece.map_or("", |(kind, file)| match (kind, file) {
            (Kind::Bishop, File::F) => "king's bishop",
            (Kind::Knight, File::G) => "king's knight",
            (Kind::Rook, File::H) => "king's rook",
            (Kind::Bishop, _) => "bishop",
            (Kind::Knight, _) => "knight",
            (Kind::Rook, _) => "rook",
            (Kind::Queen, _) => "queen",
            _ => "pawn",
        });
        let and = if piece.is_empty() || moves.is_empty() { "" } else { " and " };
        write!(f, "{piece}{and}{moves}")
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum DiceError {
    #[error("throw {at} is {throw}, but a die shows 1 to 6")]
    Throw { at: usize, throw: u8 },
    #[error("the throws end before {0} is placed")]
    TooFew(&'static str),
    #[error("too many throws: {0} are enough")]
    TooMany(usize),
}

/// Returns the number of the Chess960 start determined by throws of one ordinary die (FIDE 2009,
/// 20.2).
///
/// Each throw selects a free square, counted from White's left, for the light-squared bishop (four
/// squares), the dark-squared bishop (four), the queen (six), a knight (five) and the other knight
/// (four). Rook, king and rook fill the remaining squares in that order. A throw higher than the
/// number of squares is repeated, so all 960 starts are equally likely.
pub(crate) fn chess960_by_dice(throws: &[u8]) -> Result<u16, DiceError> {
    let mut next = throws.iter().enumerate();
    let mut throw = |squares: u8, what| {
        for (i, &throw) in next.by_ref() {
            match throw {
                1..=6 if throw <= squares => return Ok(u16::from(throw) - 1),
                1..=6 => {}
                _ => return Err(DiceError::Throw { at: i + 1, throw }),
            }
        }
        Err(DiceError::TooFew(what))
    };
    let light = throw(4, "the light-squared bishop")?;
    let dark = throw(4, "the dark-squared bishop")?;
    let queen = throw(6, "the queen")?;
    let one = throw(5, "a knight")?;
    let mut other = throw(4, "the other knight")?;
    let left = next.count();
    if left > 0 {
        return Err(DiceError::TooMany(throws.len() - left));
    }
    other += u16::from(other >= one);
    let (low, high) = (one.min(other), one.max(other));
    // The index of the two knights' squares in Scharnagl's table: 0-1, 0-2, ..., 3-4.
    let pair = low * (9 - low) / 2 + high - low - 1;
    Ok(light + 4 * dark + 16 * queen + 96 * pair)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn odds(text: &str) -> Odds {
        text.parse().unwrap_or_else(|e| panic!("{text}: {e}"))
    }

    #[test]
    fn o_01_start_position_and_giver() {
        for (text, board, giver) in [
            ("pawn", "rnbqkbnr/pppppppp/8/8/8/8/PPPPP1PP/RNBQKBNR w KQkq - 0 1", Side::White),
            (
                "pawn and move",
                "rnbqkbnr/ppppp1pp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                Side::Black,
            ),
            ("knight", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 1", Side::White),
            ("rook", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR w Kkq - 0 1", Side::White),
            (
                "king's rook and move",
                "rnbqkbn1/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQq - 0 1",
                Side::Black,
            ),
            ("bishop", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RN1QKBNR w KQkq - 0 1", Side::White),
            ("queen", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1", Side::White),
            ("move", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", Side::Black),
        ] {
            let odds = odds(text);
            assert_eq!(odds.start().map(|p| p.fen()), Ok(board.to_owned()), "{text}");
            assert_eq!(odds.giver(), giver, "{text}");
            assert_eq!(odds.to_string(), text);
        }
        for text in [
            "",
            "king",
            "queen's queen",
            "king's pawn",
            "pawn and knight",
            "move and two moves",
            "nine moves",
            "0 moves",
            "200 moves",
            "pawn and",
        ] {
            assert!(text.parse::<Odds>().is_err(), "{text}");
        }
    }

    #[test]
    fn o_03_extra_moves_stay_on_their_half() {
        let odds = odds("pawn and two moves");
        let after = odds.after(&["e4", "d4"]).map(|p| p.fen());
        assert_eq!(
            after.as_deref(),
            Ok("rnbqkbnr/ppppp1pp/8/8/3PP3/8/PPP2PPP/RNBQKBNR b KQkq - 0 2")
        );
        assert_eq!(odds.after(&["e4"]), Err(OddsError::Count { wanted: 2, made: 1 }));
        // After e2-e4 the queen can reach h5, but h5 is beyond the middle.
        assert_eq!(odds.after(&["e4", "Qh5"]), Err(OddsError::PastTheMiddle(Square::H5)));
        assert!(matches!(odds.after(&["e4", "e5"]), Err(OddsError::PastTheMiddle(Square::E5))));
        assert!(matches!(odds.after(&["e4", "Ke3"]), Err(OddsError::Move(_))));
        // A single extra move is White's ordinary first move.
        let one = "pawn and move".parse::<Odds>().map(|odds| odds.after(&["e4"]));
        assert!(matches!(one, Ok(Ok(_))), "{one:?}");
    }

    #[test]
    fn c_09_dice_reach_every_start_equally_often() {
        let mut count = [0; 960];
        for (a, b, c, d, e) in (1..=4_u8).flat_map(|a| {
            (1..=4).flat_map(move |b| {
                (1..=6).flat_map(move |c| {
                    (1..=5).flat_map(move |d| (1..=4).map(move |e| (a, b, c, d, e)))
                })
            })
        }) {
            let number = chess960_by_dice(&[a, b, c, d, e]).unwrap_or_else(|e| panic!("{e}"));
            count[usize::from(number)] += 1;
        }
        assert!(count.iter().all(|n| *n == 2), "{count:?}");
        // The start of chess: light bishop on f1, dark bishop on c1, queen on d1, knights on b1 and
        // g1.
        assert_eq!(chess960_by_dice(&[3, 2, 3, 2, 3]), Ok(518));
        assert_eq!(chess960_by_dice(&[5, 3, 6, 2, 3, 6, 2, 5, 3]), Ok(518));
        assert_eq!(chess960_by_dice(&[3, 2, 3, 2]), Err(DiceError::TooFew("the other knight")));
        assert_eq!(chess960_by_dice(&[3, 2, 3, 2, 3, 1]), Err(DiceError::TooMany(5)));
        assert_eq!(chess960_by_dice(&[7]), Err(DiceError::Throw { at: 1, throw: 7 }));
    }
}
