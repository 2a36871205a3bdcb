//! Sets of squares as 64-bit words with ghost columns, so that a step is one rotation.
//!
//! One bit is skipped after each pair of rows. A step in a direction then has the same distance
//! from every square, and a step over the edge lands on a ghost or outside the board:
//!
//! ```text
//!        0   1   2   3   4       squares  1 to  5
//!      5   6   7   8   9   (10)  squares  6 to 10, and a ghost
//!       11  12  13  14  15       squares 11 to 15
//!     16  17  18  19  20   (21)  squares 16 to 20, and a ghost
//!              ...
//!       44  45  46  47  48       squares 41 to 45
//!     49  50  51  52  53         squares 46 to 50
//! ```
//!
//! Steps are rotations, not shifts: bits that leave one end reappear among the bits 54 to 63, which
//! are not squares either.

use super::square::{BOARD, Square};
use crate::base::side::Side;
use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub};

/// A diagonal direction. Its value is the left rotation, in bits, that moves a bitboard one step.
/// White moves up, from the squares 31 to 50 towards 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Direction {
    /// Towards Black's side and White's right.
    UpRight = 59,
    /// Towards Black's side and White's left.
    UpLeft = 58,
    /// Towards White's side and White's left.
    DownLeft = 5,
    /// Towards White's side and White's right.
    DownRight = 6,
}

impl Direction {
    /// The four directions.
    pub const ALL: [Self; 4] = [Self::UpRight, Self::UpLeft, Self::DownLeft, Self::DownRight];

    /// Returns the index of the direction in [`Self::ALL`].
    #[inline(always)]
    pub const fn index(self) -> usize {
        match self {
            Self::UpRight => 0,
            Self::UpLeft => 1,
            Self::DownLeft => 2,
            Self::DownRight => 3,
        }
    }

    /// Returns the left shift, in bits, that moves a bitboard one step. A negative value is a right
    /// shift.
    #[inline(always)]
    pub(crate) const fn shift(self) -> i8 {
        match self {
            Self::UpRight => -5,
            Self::UpLeft => -6,
            Self::DownLeft => 5,
            Self::DownRight => 6,
        }
    }

    /// Returns the directions in which a man of `side` moves forward (FMJD 3.4).
    #[inline(always)]
    pub const fn forward(side: Side) -> [Self; 2] {
        match side {
            Side::White => [Self::UpRight, Self::UpLeft],
            Side::Black => [Self::DownLeft, Self::DownRight],
        }
    }

    /// Returns the opposite direction.
    #[inline(always)]
    pub const fn opposite(self) -> Self {
        match self {
            Self::UpRight => Self::DownLeft,
            Self::UpLeft => Self::DownRight,
            Self::DownLeft => Self::UpRight,
            Self::DownRight => Self::UpLeft,
        }
    }

    /// Returns the two directions perpendicular to this one.
    #[inline(always)]
    pub const fn sideways(self) -> [Self; 2] {
        match self {
            Self::UpRight | Self::DownLeft => [Self::UpLeft, Self::DownRight],
            Self::UpLeft | Self::DownRight => [Self::UpRight, Self::DownLeft],
        }
    }
}

/// A set of squares. A function whose result can contain bits that are not squares says so in its
/// documentation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bitboard(pub u64);

crate::base::bits::square_set!(Bitboard);

impl Bitboard {
    /// The empty set.
    pub const EMPTY: Self = Self(0);
    /// The set of all fifty squares.
    pub const ALL: Self = Self(BOARD);

    /// Returns the squares of a row. Rows are numbered from 0 (squares 1 to 5) to 9.
    #[inline(always)]
    pub const fn row(row: usize) -> Self {
        Self(0x1f << (row * 5 + row / 2))
    }

    /// Returns the row on which a man of `side` becomes a king (FMJD 3.5).
    #[inline(always)]
    pub const fn promotion_row(side: Side) -> Self {
        match side {
            Side::White => Self::row(0),
            Side::Black => Self::row(9),
        }
    }

    /// Returns the set that contains only `square`.
    #[inline(always)]
    pub const fn of(square: Square) -> Self {
        Self(1 << (square.bit() & 63))
    }

    /// Moves every square of the set one step. The result can contain bits that are not squares.
    #[inline(always)]
    pub const fn rotated(self, way: Direction) -> Self {
        Self(self.0.rotate_left(way as u32))
    }

    /// Moves every square of the set one step. Squares that leave the board are dropped.
    #[inline(always)]
    pub const fn step(self, way: Direction) -> Self {
        Self(self.rotated(way).0 & Self::ALL.0)
    }

    /// Returns whether the set contains `square`.
    #[inline(always)]
    pub const fn has(self, square: Square) -> bool {
        self.0 >> (square.bit() & 63) & 1 == 1
    }

    /// Returns the square with the lowest number, or `None` if the set is empty.
    #[inline(always)]
    pub const fn first(self) -> Option<Square> {
        if self.0 & Self::ALL.0 == 0 { None } else { Some(Square::lowest_of(self.0)) }
    }

    /// Rotates the set by 180 degrees.
    #[inline(always)]
    pub const fn turned(self) -> Self {
        Self(self.0.reverse_bits() >> 10)
    }

    /// Returns the set from the point of view of `side`: unchanged for White, rotated by 180
    /// degrees for Black.
    #[inline(always)]
    pub const fn relative_to(self, side: Side) -> Self {
        match side {
            Side::White => self,
            Side::Black => self.turned(),
        }
    }

    /// Returns an iterator over the squares as one-element sets.
    #[inline(always)]
    pub const fn singles(self) -> Singles {
        Singles(self.0)
    }
}

/// An iterator over the squares of a set as one-element sets, lowest first.
#[derive(Clone, Copy, Debug)]
pub struct Singles(u64);

impl Iterator for Singles {
    type Item = Bitboard;

    #[inline(always)]
    fn next(&mut self) -> Option<Bitboard> {
        let lowest = self.0 & self.0.wrapping_neg();
        self.0 ^= lowest;
        (lowest != 0).then_some(Bitboard(lowest))
    }
}

/// An iterator over the squares of a set in the order of their numbers.
#[derive(Clone, Debug)]
pub struct Squares(u64);

impl Iterator for Squares {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        let square = Bitboard(self.0).first()?;
        self.0 &= self.0 - 1;
        Some(square)
    }

    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = self.0.count_ones() as usize;
        (n, Some(n))
    }
}

impl ExactSizeIterator for Squares {}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline(always)]
    fn into_iter(self) -> Squares {
        Squares(self.0 & Self::ALL.0)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, |set, square| set | Self::of(square))
    }
}

macro_rules! operator {
    ($trait:ident $method:ident $a:ident $b:ident $what:expr) => {
        impl $trait for Bitboard {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                let ($a, $b) = (self.0, other.0);
                Self($what)
            }
        }
    };
}
operator!(BitAnd bitand a b a & b);
operator!(BitOr bitor a b a | b);
operator!(BitXor bitxor a b a ^ b);
// Set difference.
operator!(Sub sub a b a & !b);

impl BitAndAssign for Bitboard {
    #[inline(always)]
    fn bitand_assign(&mut self, other: Self) {
        self.0 &= other.0;
    }
}

impl BitOrAssign for Bitboard {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl BitXorAssign for Bitboard {
    #[inline(always)]
    fn bitxor_assign(&mut self, other: Self) {
        self.0 ^= other.0;
    }
}

impl Not for Bitboard {
    type Output = Self;
    /// Returns the complement, without ghosts.
    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0 & Self::ALL.0)
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_match_rows_and_columns() {
        for square in Square::all() {
            for way in Direction::ALL {
                let (rows, columns) = match way {
                    Direction::UpRight => (-1, 1),
                    Direction::UpLeft => (-1, -1),
                    Direction::DownLeft => (1, -1),
                    Direction::DownRight => (1, 1),
                };
                let row = square.row() as i32 + rows;
                let column = square.column() as i32 + columns;
                let there =
                    Square::all().find(|s| (s.row() as i32, s.column() as i32) == (row, column));
                assert_eq!(Bitboard::of(square).step(way).first(), there, "{square} {way:?}");
                assert_eq!(way as u32 + way.opposite() as u32, 64);
            }
            assert!(Bitboard::row(square.row()).has(square));
            assert_eq!(Bitboard::of(square).turned().first(), Some(square.turned()));
        }
        assert_eq!(Bitboard::ALL.len(), 50);
        assert_eq!((!Bitboard::EMPTY), Bitboard::ALL);
    }
}
