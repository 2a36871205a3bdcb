//! Draughts FEN as defined by PDN 3.0: `W:W31-50:B1-20`.
//!
//! The side to move is followed by the two sides' squares in either order. Each list consists of
//! numbers and ranges separated by commas, with `K` before the square of a king. A final dot is
//! allowed. The standard forbids spaces and leading zeros only in written positions, so the parser
//! accepts them.
//!
//! A variant other than the normal game is marked by `:V` and the name of the [`Variant`]:
//! `W:W31-50:B1-20:Vkiller`. The lidraughts extension `:H3:F40` can follow. It is read but not
//! written. `H` is the number of plies since the last man move or capture (FMJD 6.2). `F` is the
//! move number, which is ignored.

use super::bitboard::Bitboard;
use super::board::{Board, Kind};
use super::position::Position;
use super::square::{Square, SquareError};
use super::variant::{Variant, VariantError};
use crate::base::cursor::{Cursor, excerpt};
use crate::base::side::Side;
use std::fmt;
use std::str::FromStr;

/// The maximum number of pieces per side (FMJD 3.2).
pub(crate) const MAX_PIECES: u32 = 20;

/// The reason why a set of pieces is not a legal position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BoardError {
    /// Two pieces are on the same square.
    #[error("square {0} is occupied twice")]
    Twice(Square),
    /// A man is on its promotion row, where it should be a king (FMJD 3.5).
    #[error("the {0} man on {1} is on its promotion row and must be a king")]
    PromotionRow(Side, Square),
    /// A side has more pieces than at the start of a game.
    #[error("{0} has {1} pieces, more than {MAX_PIECES}")]
    TooMany(Side, u32),
    /// The board is empty.
    #[error("there are no pieces on the board")]
    Empty,
    /// In breakthrough, the side to move already has a king and has therefore won.
    #[error("{0} is to move but has already won at breakthrough by getting a king")]
    AlreadyWon(Side),
    /// The position is from a variant other than the expected one.
    #[error("the position is from the variant {0}, not {1}")]
    Variant(Variant, Variant),
}

impl Position {
    /// Converts the position to a variant. A position of the normal game can be converted to any
    /// variant in which it is legal.
    ///
    /// # Errors
    /// Returns an error if the position belongs neither to the normal game nor to `variant`, or if
    /// it is not legal in `variant`.
    pub fn in_game(self, variant: Variant) -> Result<Self, BoardError> {
        if self.variant() != variant && self.variant() != Variant::Normal {
            return Err(BoardError::Variant(self.variant(), variant));
        }
        if variant == Variant::Breakthrough && self.board().kings(self.side()).any() {
            return Err(BoardError::AlreadyWon(self.side()));
        }
        Ok(self.of_variant(variant))
    }
}

impl TryFrom<(Board, Side)> for Position {
    type Error = BoardError;

    fn try_from((board, side): (Board, Side)) -> Result<Self, BoardError> {
        if board.occupied().is_empty() {
            return Err(BoardError::Empty);
        }
        for side in Side::ALL {
            if let Some(square) = (board.men(side) & Bitboard::promotion_row(side)).first() {
                return Err(BoardError::PromotionRow(side, square));
            }
            let pieces = board.pieces(side).len();
            if pieces > MAX_PIECES {
                return Err(BoardError::TooMany(side, pieces));
            }
        }
        Ok(Self::from_board(board, side))
    }
}

/// An error in a FEN, with its column.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{kind}, in column {column}")]
pub struct FenError {
    /// The kind of error.
    pub kind: FenErrorKind,
    /// The column in characters, counted from 1 after any leading white space.
    pub column: usize,
}

/// The kinds of errors in a FEN.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FenErrorKind {
    /// The text does not begin with a side.
    #[error("the side to move is W or B, not '{0}'")]
    Side(String),
    /// A list of pieces is missing.
    #[error("':W' or ':B' and its squares are missing before '{0}'")]
    List(String),
    /// There is a second list of pieces for the same side.
    #[error("{0} has a second list of squares")]
    SecondList(Side),
    /// A square number is invalid.
    #[error(transparent)]
    Square(#[from] SquareError),
    /// The squares of a range are in descending order.
    #[error("the range {0}-{1} goes backwards")]
    Range(Square, Square),
    /// The variant is unknown.
    #[error(transparent)]
    Variant(#[from] VariantError),
    /// A counter is missing, malformed or too large.
    #[error("the number after '{0}' is missing or too large in '{1}'")]
    Counter(char, String),
    /// There is text after the end of the position.
    #[error("unexpected '{0}' after the position")]
    Trailing(String),
    /// The pieces do not form a legal position.
    #[error(transparent)]
    Board(#[from] BoardError),
}

impl FromStr for Position {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Self, FenError> {
        let mut cursor = Cursor::new(text.trim());
        read(&mut cursor).map_err(|kind| FenError { kind, column: cursor.column() })
    }
}

/// Consumes white space, and then `expected` with the white space after it. Returns whether
/// `expected` was found.
fn eat(cursor: &mut Cursor<'_>, expected: &str) -> bool {
    cursor.skip_space();
    let found = cursor.eat(expected);
    if found {
        cursor.skip_space();
    }
    found
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
        let colour = if eat(cursor, ":") { side(cursor) } else { None };
        let colour = colour.ok_or_else(|| FenErrorKind::List(excerpt(cursor.rest())))?;
        if std::mem::replace(&mut listed[colour.index()], true) {
            return Err(FenErrorKind::SecondList(colour));
        }
        read_list(cursor, &mut board, colour)?;
    }
    let variant = variant(cursor)?;
    let king_plies = counter(cursor, 'H')?;
    counter(cursor, 'F')?;
    eat(cursor, ".");
    if !cursor.rest().is_empty() {
        return Err(FenErrorKind::Trailing(excerpt(cursor.rest())));
    }
    Ok(Position::try_from((board, to_move))?.in_game(variant)?.with_king_plies(king_plies))
}

fn variant(cursor: &mut Cursor<'_>) -> Result<Variant, FenErrorKind> {
    let mut ahead = cursor.clone();
    if !(eat(&mut ahead, ":") && ahead.eat("V")) {
        return Ok(Variant::Normal);
    }
    *cursor = ahead;
    Ok(cursor.take_while(|c| c.is_ascii_alphanumeric()).parse()?)
}

/// Reads an optional counter: `:`, the letter and a number. Returns 0 if there is no counter.
fn counter(cursor: &mut Cursor<'_>, letter: char) -> Result<u16, FenErrorKind> {
    cursor.skip_space();
    let mut ahead = cursor.clone();
    if !(eat(&mut ahead, ":") && ahead.next_char() == Some(letter)) {
        return Ok(0);
    }
    let number = ahead.take_while(|c| c.is_ascii_digit()).parse::<u16>().ok();
    // The limit is far below the maximum of `u16`, so that counting further plies cannot overflow.
    let number = number.filter(|&number| number < 10_000);
    let number = number.ok_or_else(|| FenErrorKind::Counter(letter, excerpt(cursor.rest())))?;
    *cursor = ahead;
    Ok(number)
}

fn read_list(cursor: &mut Cursor<'_>, board: &mut Board, side: Side) -> Result<(), FenErrorKind> {
    cursor.skip_space();
    if matches!(cursor.peek(), None | Some(':' | '.')) {
        return Ok(());
    }
    loop {
        let kind = if cursor.eat("K") || cursor.eat("k") { Kind::King } else { Kind::Man };
        let first = square(cursor)?;
        let last = if eat(cursor, "-") {
            // In a range of kings, the second number may repeat the letter: `K1-K3`.
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
        if !eat(cursor, ",") {
            return Ok(());
        }
    }
}

fn square(cursor: &mut Cursor<'_>) -> Result<Square, FenErrorKind> {
    cursor.skip_space();
    let digits = cursor.take_while(|c| c.is_ascii_digit());
    if digits.is_empty() {
        return Err(SquareError(excerpt(cursor.rest())).into());
    }
    let significant = digits.trim_start_matches('0');
    Ok(if significant.is_empty() { digits } else { significant }.parse()?)
}

/// Formats the pieces, with White's squares first and three or more consecutive men as a range.
fn write_pieces(board: &Board, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (side, list) in Side::ALL.into_iter().zip(["W", ":B"]) {
        f.write_str(list)?;
        let mut divider = "";
        let (men, kings) = (board.men(side), board.kings(side));
        let mut squares = board.pieces(side).into_iter().peekable();
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
    Ok(())
}

impl fmt::Display for Position {
    /// Formats the position as FEN, with White's squares first and three or more consecutive men as
    /// a range. The variant is omitted for the normal game and in the alternate form (`{:#}`).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.side().is_white() { "W:" } else { "B:" })?;
        write_pieces(self.board(), f)?;
        if self.variant() != Variant::Normal && !f.alternate() {
            write!(f, ":V{}", self.variant())?;
        }
        Ok(())
    }
}

impl fmt::Debug for Position {
    /// Formats the position as FEN, with the number of plies since the last man move or capture if
    /// it is not zero.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({self}")?;
        if self.king_plies() > 0 {
            write!(f, ":H{}", self.king_plies())?;
        }
        f.write_str(")")
    }
}

impl fmt::Debug for Board {
    /// Formats the pieces as in a FEN.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Board(")?;
        write_pieces(self, f)?;
        f.write_str(")")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trips_positions() {
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
        for fen in [
            "W:B1-20:W31-50",
            "w:w31-50:b1-20.",
            " W:W31-40,41-50:B01-20. ",
            "W:W 31-40, 41-50:B 1-20",
            "W : W31 - 50 : B1-20 .",
            "W: W031-0050 :B001-20",
        ] {
            assert_eq!(fen.parse(), Ok(start), "{fen}");
        }
        assert_eq!("W:WK31-K50:BK1-20".parse(), "W:WK31-50:BK1-K20".parse::<Position>());
        assert_eq!("W:W 31,K 2:B : H3".parse(), "W:WK2,31:B:H3".parse::<Position>());
    }

    #[test]
    fn debug_format_is_a_fen() {
        let position: Position = "B:W31-33,K40:BK1,5:Vkiller".parse().expect("a position");
        assert_eq!(format!("{position:?}"), "Position(B:W31-33,K40:BK1,5:Vkiller)");
        assert_eq!(format!("{:?}", position.board()), "Board(W31-33,K40:BK1,5)");
        let position: Position = "W:WK31:BK1:H12".parse().expect("a position");
        assert_eq!(format!("{position:?}"), "Position(W:WK31:BK1:H12)");
    }

    #[test]
    fn accepts_counters() {
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
    fn rejects_malformed_fens_with_the_column() {
        let cases = [
            ("", "the side to move is W or B, not '', in column 1"),
            ("W", "':W' or ':B' and its squares are missing before '', in column 2"),
            ("W:W31", "':W' or ':B' and its squares are missing before '', in column 6"),
            ("W:W31:W32", "White has a second list of squares, in column 8"),
            ("W:W51:B1", "'51' is not a square (1 to 50), in column 6"),
            ("W:Wx:B1", "'x:B1' is not a square (1 to 50), in column 4"),
            ("W:W31,31:B1", "square 31 is occupied twice, in column 9"),
            ("W:W31:B31", "square 31 is occupied twice, in column 10"),
            ("W:W40-31:B1", "the range 40-31 goes backwards, in column 9"),
            (
                "W:W5:B1",
                "the White man on 5 is on its promotion row and must be a king, in column 8",
            ),
            (
                "W:W31:B46",
                "the Black man on 46 is on its promotion row and must be a king, in column 10",
            ),
            ("W:W30-50:B1-20", "White has 21 pieces, more than 20, in column 15"),
            ("W:W:B", "there are no pieces on the board, in column 6"),
            ("W:W31:B1;", "unexpected ';' after the position, in column 9"),
            (
                "W:W31:B1:H:F1",
                "the number after 'H' is missing or too large in ':H:F1', in column 9",
            ),
            (
                "W:W31:B1:H1:F99999",
                "the number after 'F' is missing or too large in ':F99999', in column 12",
            ),
            ("W:W31:B1:F1:H1", "unexpected ':H1' after the position, in column 12"),
            ("W:W31:B1:X1", "unexpected ':X1' after the position, in column 9"),
        ];
        for (fen, error) in cases {
            let found = fen.parse::<Position>().map_err(|e| e.to_string());
            assert_eq!(found, Err(error.to_owned()), "{fen}");
        }
    }
}
