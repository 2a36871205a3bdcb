//! The FEN of draughts, as PDN 3.0 defines it: `W:W31-50:B1-20`.
//!
//! The side to move, then the two sides' squares in either order, each a list of numbers and ranges
//! separated by commas, with `K` before a king's square. A final dot is allowed.
//!
//! What lidraughts adds, `:H3:F40`, is read but not written: the plies by kings alone, which the
//! position keeps (6.2), and the number of the move, which it does not. Before it, `:V` and the name of a
//! [`Variant`] say that the position is not of the normal game: `W:W31-50:B1-20:Vkiller`.

use super::bitboard::Bitboard;
use super::board::{Board, Kind};
use super::position::Position;
use super::square::{Square, SquareError};
use super::variant::{Variant, VariantError};
use crate::base::cursor::{Cursor, excerpt};
use crate::base::side::Side;
use std::fmt;
use std::str::FromStr;

/// The most pieces that a side can have (3.2).
pub const MAX_PIECES: u32 = 20;

/// What is wrong with a set of pieces.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BoardError {
    /// Two pieces stand on one square.
    #[error("square {0} is named twice")]
    Twice(Square),
    /// A man that should be a king (3.5).
    #[error("a {0} man on {1}, its far row, where it is a king")]
    FarRow(Side, Square),
    /// More pieces than a game begins with.
    #[error("{0} has {1} pieces, more than {MAX_PIECES}")]
    TooMany(Side, u32),
    /// An empty board.
    #[error("there is no piece on the board")]
    Empty,
    /// A king that has won at breakthrough before.
    #[error("{0} is to move and has a king, which had won at breakthrough")]
    HadWon(Side),
    /// A position of another game than the one that is played.
    #[error("the position is of the game {0}, not of {1}")]
    Variant(Variant, Variant),
}

impl Position {
    /// The same position in a game, if it is possible there. A position that says of no game that it is of
    /// it can be of any.
    ///
    /// # Errors
    /// If it is of another game already, or not possible in this.
    pub fn in_game(self, variant: Variant) -> Result<Self, BoardError> {
        if self.variant() != variant && self.variant() != Variant::Normal {
            return Err(BoardError::Variant(self.variant(), variant));
        }
        if variant == Variant::Breakthrough && self.board().kings(self.side()).any() {
            return Err(BoardError::HadWon(self.side()));
        }
        Ok(self.of_variant(variant))
    }
}

impl TryFrom<(Board, Side)> for Position {
    type Error = BoardError;

    /// The position with this board and side to move, if it is possible.
    fn try_from((board, side): (Board, Side)) -> Result<Self, BoardError> {
        if board.occupied().is_empty() {
            return Err(BoardError::Empty);
        }
        for side in Side::ALL {
            if let Some(square) = (board.men(side) & Bitboard::far_row(side)).first() {
                return Err(BoardError::FarRow(side, square));
            }
            let pieces = board.pieces(side).len();
            if pieces > MAX_PIECES {
                return Err(BoardError::TooMany(side, pieces));
            }
        }
        Ok(Self::from_board(board, side))
    }
}

/// What is wrong with a FEN, and in which column (from 1).
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{what}, in column {column}")]
pub struct FenError {
    /// What is wrong.
    pub what: FenErrorKind,
    /// Where, counted in characters from 1.
    pub column: usize,
}

/// What can be wrong with a FEN.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FenErrorKind {
    /// The first letter is not a side.
    #[error("the side to move is W or B, not '{0}'")]
    Side(String),
    /// A list of pieces is missing.
    #[error("':W' or ':B' and its squares are missing before '{0}'")]
    List(String),
    /// A side has two lists.
    #[error("{0} has a second list of squares")]
    SecondList(Side),
    /// A number that is not a square.
    #[error(transparent)]
    Square(#[from] SquareError),
    /// A range that goes backwards.
    #[error("the range {0}-{1} goes backwards")]
    Range(Square, Square),
    /// A game that is not known.
    #[error(transparent)]
    Variant(#[from] VariantError),
    /// A counter that is not a number, or too large.
    #[error("{0}'s number is missing or too large in '{1}'")]
    Counter(char, String),
    /// Text after the end.
    #[error("'{0}' follows the position")]
    Trailing(String),
    /// The squares do not make a position.
    #[error(transparent)]
    Board(#[from] BoardError),
}

impl FromStr for Position {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Self, FenError> {
        let mut cursor = Cursor::new(text.trim());
        read(&mut cursor).map_err(|what| FenError { what, column: cursor.column() })
    }
}

fn side(cursor: &mut Cursor<'_>) -> Option<Side> {
    let side = match cursor.peek()? {
        'W' | 'w' => Side::White,
        'B' | 'b' => Side::Black,
        _ => return None,
    };
    cursor.next_char();
    Some(side)
}

fn read(cursor: &mut Cursor<'_>) -> Result<Position, FenErrorKind> {
    let to_move = side(cursor).ok_or_else(|| FenErrorKind::Side(excerpt(cursor.rest())))?;
    let mut board = Board::default();
    let mut listed = [false; 2];
    for _ in Side::ALL {
        let colour = if cursor.eat(":") { side(cursor) } else { None };
        let colour = colour.ok_or_else(|| FenErrorKind::List(excerpt(cursor.rest())))?;
        if std::mem::replace(&mut listed[colour.index()], true) {
            return Err(FenErrorKind::SecondList(colour));
        }
        read_list(cursor, &mut board, colour)?;
    }
    let variant = variant(cursor)?;
    let king_plies = counter(cursor, 'H')?;
    counter(cursor, 'F')?;
    cursor.eat(".");
    if !cursor.rest().is_empty() {
        return Err(FenErrorKind::Trailing(excerpt(cursor.rest())));
    }
    Ok(Position::try_from((board, to_move))?.in_game(variant)?.with_king_plies(king_plies))
}

/// Reads `:V` and the name of a game; the normal one if it is not there.
fn variant(cursor: &mut Cursor<'_>) -> Result<Variant, FenErrorKind> {
    if !cursor.eat(":V") {
        return Ok(Variant::Normal);
    }
    Ok(cursor.take_while(|c| c.is_ascii_alphanumeric()).parse()?)
}

/// Reads `:` with a letter and a number; 0 if they are not there.
fn counter(cursor: &mut Cursor<'_>, letter: char) -> Result<u16, FenErrorKind> {
    let mut ahead = cursor.clone();
    if !(ahead.eat(":") && ahead.next_char() == Some(letter)) {
        return Ok(0);
    }
    let number = ahead.take_while(|c| c.is_ascii_digit()).parse::<u16>().ok();
    // Far below the largest number of 16 bits, so that counting on cannot overflow.
    let number = number.filter(|&number| number < 10_000);
    let number = number.ok_or_else(|| FenErrorKind::Counter(letter, excerpt(cursor.rest())))?;
    *cursor = ahead;
    Ok(number)
}

fn read_list(cursor: &mut Cursor<'_>, board: &mut Board, side: Side) -> Result<(), FenErrorKind> {
    if matches!(cursor.peek(), None | Some(':' | '.')) {
        return Ok(());
    }
    loop {
        let kind = if cursor.eat("K") || cursor.eat("k") { Kind::King } else { Kind::Man };
        let first = square(cursor)?;
        let last = if cursor.eat("-") {
            // Both ends of a range of kings can have the letter.
            if kind == Kind::King {
                let _ = cursor.eat("K") || cursor.eat("k");
            }
            square(cursor)?
        } else {
            first
        };
        if last < first {
            return Err(FenErrorKind::Range(first, last));
        }
        for square in Square::all().filter(|square| (first..=last).contains(square)) {
            if board.piece_on(square).is_some() {
                return Err(BoardError::Twice(square).into());
            }
            board.put(square, side, kind);
        }
        if !cursor.eat(",") {
            return Ok(());
        }
    }
}

fn square(cursor: &mut Cursor<'_>) -> Result<Square, FenErrorKind> {
    let digits = cursor.take_while(|c| c.is_ascii_digit());
    if digits.is_empty() {
        return Err(SquareError(excerpt(cursor.rest())).into());
    }
    Ok(digits.parse()?)
}

impl fmt::Display for Position {
    /// The FEN, White's squares first, three or more men in a row as a range; the game only if it is not the
    /// normal one, and in the alternate form (`{:#}`) not at all.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |side: Side| if side.is_white() { 'W' } else { 'B' };
        write!(f, "{}", letter(self.side()))?;
        for side in Side::ALL {
            write!(f, ":{}", letter(side))?;
            let mut divider = "";
            let (men, kings) = (self.board().men(side), self.board().kings(side));
            let mut squares = self.board().pieces(side).into_iter().peekable();
            while let Some(first) = squares.next() {
                if kings.has(first) {
                    write!(f, "{divider}K{first}")?;
                } else {
                    let mut last = first;
                    while let Some(next) =
                        squares.next_if(|next| men.has(*next) && next.number() == last.number() + 1)
                    {
                        last = next;
                    }
                    match last.number() - first.number() {
                        0 => write!(f, "{divider}{first}")?,
                        1 => write!(f, "{divider}{first},{last}")?,
                        _ => write!(f, "{divider}{first}-{last}")?,
                    }
                }
                divider = ",";
            }
        }
        if self.variant() != Variant::Normal && !f.alternate() {
            write!(f, ":V{}", self.variant())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_is_written() {
        for fen in [
            "W:W31-50:B1-20",
            "B:W6,9-11,20-23,30,K31,33:BK17,K24",
            "W:WK3,6,7:B12",
            "W:W31:B",
            "B:W:B7,8",
        ] {
            let position: Position = fen.parse().expect(fen);
            assert_eq!(position.to_string(), fen);
        }
        let start = Position::start();
        for fen in ["W:B1-20:W31-50", "w:w31-50:b1-20.", " W:W31-40,41-50:B01-20. "] {
            assert_eq!(fen.parse(), Ok(start), "{fen}");
        }
        assert_eq!("W:WK31-K50:BK1-20".parse(), "W:WK31-50:BK1-K20".parse::<Position>());
    }

    #[test]
    fn counters_can_follow() {
        let read = |fen: &str| fen.parse::<Position>().expect(fen);
        assert_eq!(read("W:WK31:BK1:H12:F40").king_plies(), 12);
        assert_eq!(read("W:WK31:BK1:H12.").king_plies(), 12);
        for fen in ["W:WK31:BK1:H0:F1", "W:WK31:BK1:F7."] {
            assert_eq!(read(fen), read("W:WK31:BK1"), "{fen}");
        }
        assert_eq!(read("W:WK31:BK1:H12:F40").to_string(), "W:WK31:BK1");
        assert!(read("W:WK31:BK1:H50").is_drawn_by_count());
    }

    #[test]
    fn errors_say_what_and_where() {
        let cases = [
            ("", "the side to move is W or B, not '', in column 1"),
            ("W", "':W' or ':B' and its squares are missing before '', in column 2"),
            ("W:W31", "':W' or ':B' and its squares are missing before '', in column 6"),
            ("W:W31:W32", "White has a second list of squares, in column 8"),
            ("W:W51:B1", "'51' is not a square (1 to 50), in column 6"),
            ("W:Wx:B1", "'x:B1' is not a square (1 to 50), in column 4"),
            ("W:W31,31:B1", "square 31 is named twice, in column 9"),
            ("W:W31:B31", "square 31 is named twice, in column 10"),
            ("W:W40-31:B1", "the range 40-31 goes backwards, in column 9"),
            ("W:W5:B1", "a White man on 5, its far row, where it is a king, in column 8"),
            ("W:W31:B46", "a Black man on 46, its far row, where it is a king, in column 10"),
            ("W:W30-50:B1-20", "White has 21 pieces, more than 20, in column 15"),
            ("W:W:B", "there is no piece on the board, in column 6"),
            ("W:W31:B1;", "';' follows the position, in column 9"),
            ("W:W31:B1:H:F1", "H's number is missing or too large in ':H:F1', in column 9"),
            ("W:W31:B1:H1:F99999", "F's number is missing or too large in ':F99999', in column 12"),
            ("W:W31:B1:F1:H1", "':H1' follows the position, in column 12"),
            ("W:W31:B1:X1", "':X1' follows the position, in column 9"),
        ];
        for (fen, error) in cases {
            let found = fen.parse::<Position>().map_err(|e| e.to_string());
            assert_eq!(found, Err(error.to_owned()), "{fen}");
        }
    }
}
