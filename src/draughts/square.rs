//! The fifty dark squares, numbered 1 to 50 from Black's side (FMJD 2.6).
//!
//! A square is stored as its bit number in a [`Bitboard`](super::bitboard::Bitboard). The module
//! `bitboard` describes this layout, which has ghost columns.

use crate::base::side::Side;
use std::fmt;
use std::str::FromStr;

/// One of the fifty playing squares.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

pub(super) const BOARD: u64 = {
    let two_rows = 0x3ff;
    let mut all = 0;
    let mut pair = 0;
    while pair < 5 {
        all |= two_rows << (11 * pair);
        pair += 1;
    }
    all
};

impl Square {
    /// The number of squares.
    pub const NUM: usize = 50;

    /// Returns the square with this number, from 1 to 50.
    pub const fn new(number: u32) -> Option<Self> {
        if number >= 1 && number <= 50 { Some(Self::at(number as u8 - 1)) } else { None }
    }

    const fn at(index: u8) -> Self {
        Self(index + index / 10)
    }

    /// Returns the square with this bit number, or `None` if the bit is not a square.
    #[inline(always)]
    pub const fn from_bit(bit: u8) -> Option<Self> {
        if bit < 64 && BOARD >> bit & 1 == 1 { Some(Self(bit)) } else { None }
    }

    /// Returns the lowest square of a non-empty set.
    #[inline(always)]
    pub(super) const fn lowest_of(set: u64) -> Self {
        Self((set & BOARD).trailing_zeros() as u8)
    }

    /// Returns all squares in the order of their numbers.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..50).map(Self::at)
    }

    /// Returns the number of the square, 1 to 50.
    #[inline(always)]
    pub const fn number(self) -> u32 {
        self.index() as u32 + 1
    }

    /// Returns the index of the square, 0 to 49.
    #[inline(always)]
    pub const fn index(self) -> usize {
        (self.0 - self.0 / 11) as usize
    }

    /// Returns the bit number of the square, 0 to 53.
    #[inline(always)]
    pub const fn bit(self) -> u8 {
        self.0
    }

    /// Returns the row, from 0 (squares 1 to 5, Black's first row) to 9 (squares 46 to 50).
    #[inline(always)]
    pub const fn row(self) -> usize {
        self.index() / 5
    }

    /// Returns the column, from 0 to 9 starting at White's left: square 46 is in column 0, square 5
    /// in column 9.
    #[inline(always)]
    pub const fn column(self) -> usize {
        let row = self.row();
        self.index() % 5 * 2 + (row + 1) % 2
    }

    /// Returns the square rotated by 180 degrees: 1 becomes 50.
    #[inline(always)]
    pub const fn turned(self) -> Self {
        Self(53 - self.0)
    }

    /// Returns the square from the point of view of `side`: unchanged for White, rotated by 180
    /// degrees for Black.
    #[inline(always)]
    pub const fn relative_to(self, side: Side) -> Self {
        match side {
            Side::White => self,
            Side::Black => self.turned(),
        }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number().fmt(f)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The error for text that is not a square.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is not a square (1 to 50)")]
pub struct SquareError(pub String);

impl FromStr for Square {
    type Err = SquareError;

    /// Parses a number of one or two digits. A leading zero is allowed.
    fn from_str(text: &str) -> Result<Self, SquareError> {
        let digits = (1..=2).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
        let number = if digits { text.parse().ok() } else { None };
        number.and_then(Self::new).ok_or_else(|| SquareError(crate::base::cursor::excerpt(text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_rows_and_columns() {
        let all: Vec<_> = Square::all().collect();
        assert_eq!(all.len(), Square::NUM);
        for (i, square) in all.iter().enumerate() {
            assert_eq!(square.number() as usize, i + 1);
            assert_eq!(square.index(), i);
            assert_eq!(Square::new(i as u32 + 1), Some(*square));
            assert_eq!(square.turned().number() as usize, 50 - i);
            // All playing squares are dark. White's left corner square, in row 9 and column 0, is a
            // playing square (FMJD 2.3).
            assert_eq!((square.row() + square.column()) % 2, 1);
        }
        let place = |n| Square::new(n).map(|s: Square| (s.row(), s.column()));
        assert_eq!(place(46), Some((9, 0)));
        assert_eq!(place(5), Some((0, 9)));
        assert_eq!(place(1), Some((0, 1)));
        assert_eq!(place(6), Some((1, 0)));
        assert_eq!((Square::new(0), Square::new(51)), (None, None));
    }

    #[test]
    fn parses_numbers_with_optional_leading_zero() {
        assert_eq!("7".parse::<Square>().map(Square::number), Ok(7));
        assert_eq!("07".parse::<Square>().map(Square::number), Ok(7));
        for wrong in ["", "0", "51", "+7", "007", "a", "1 "] {
            assert_eq!(wrong.parse::<Square>(), Err(SquareError(wrong.to_owned())));
        }
    }
}
