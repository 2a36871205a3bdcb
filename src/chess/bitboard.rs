//! Sets of squares as 64-bit words: bit 0 is a1, bit 63 is h8.

use super::square::{File, Rank, Square};
use crate::base::bits::Bits;
use crate::base::side::Side;
use std::fmt;
use std::ops::{
    BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub, SubAssign,
};

/// A set of squares.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bitboard(pub u64);

crate::base::bits::square_set!(Bitboard);

impl Bitboard {
    /// The empty set.
    pub const EMPTY: Self = Self(0);
    /// The set of all squares.
    pub const ALL: Self = Self(!0);
    /// The light squares.
    pub const LIGHT: Self = Self(0x55aa_55aa_55aa_55aa);
    /// The dark squares.
    pub const DARK: Self = Self(!Self::LIGHT.0);
    /// The central squares e4, d4, e5 and d5.
    pub const CENTRE: Self = Self(0x0000_0018_1800_0000);

    /// Returns the squares of a file.
    #[inline(always)]
    pub const fn file(file: File) -> Self {
        Self(0x0101_0101_0101_0101 << file as u8)
    }

    /// Returns the squares of a rank.
    #[inline(always)]
    pub const fn rank(rank: Rank) -> Self {
        Self(0xff << (8 * rank as u8))
    }

    /// Returns the set that contains only `square`.
    #[inline(always)]
    pub const fn of(square: Square) -> Self {
        Self(1 << square as u8)
    }

    /// Returns whether the set contains `square`.
    #[inline(always)]
    pub const fn has(self, square: Square) -> bool {
        self.0 >> square as u8 & 1 == 1
    }

    /// Returns the square with the lowest index, or `None` if the set is empty.
    #[inline(always)]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(self.lowest()) }
    }

    /// Returns the square with the lowest index, or a1 if the set is empty.
    #[inline(always)]
    pub const fn lowest(self) -> Square {
        Square::wrap(self.0.trailing_zeros() as u8)
    }

    /// Shifts the set up by `ranks`, or down if `ranks` is negative. Squares shifted off the board
    /// are dropped.
    #[inline(always)]
    pub const fn up(self, ranks: i8) -> Self {
        if ranks >= 0 { Self(self.0 << (8 * ranks)) } else { Self(self.0 >> (8 * -ranks)) }
    }

    /// Shifts the set one file to the right (towards h).
    #[inline(always)]
    pub const fn right(self) -> Self {
        Self(self.0 << 1 & !Self::file(File::A).0)
    }

    /// Shifts the set one file to the left (towards a).
    #[inline(always)]
    pub const fn left(self) -> Self {
        Self(self.0 >> 1 & !Self::file(File::H).0)
    }

    /// Shifts the set one rank forward from the point of view of `side`.
    #[inline(always)]
    pub const fn forward(self, side: Side) -> Self {
        match side {
            Side::White => self.up(1),
            Side::Black => self.up(-1),
        }
    }

    /// Mirrors the set vertically.
    #[inline(always)]
    pub const fn flip(self) -> Self {
        Self(self.0.swap_bytes())
    }

    /// Returns the set from the point of view of `side`: unchanged for White, mirrored vertically
    /// for Black.
    #[inline(always)]
    pub const fn relative_to(self, side: Side) -> Self {
        match side {
            Side::White => self,
            Side::Black => self.flip(),
        }
    }

    /// Adds all squares above each square of the set.
    #[inline(always)]
    pub const fn fill_up(mut self) -> Self {
        self.0 |= self.0 << 8;
        self.0 |= self.0 << 16;
        self.0 |= self.0 << 32;
        self
    }

    /// Adds all squares below each square of the set.
    #[inline(always)]
    pub const fn fill_down(mut self) -> Self {
        self.0 |= self.0 >> 8;
        self.0 |= self.0 >> 16;
        self.0 |= self.0 >> 32;
        self
    }

    /// Adds all squares in front of each square of the set, from the point of view of `side`.
    #[inline(always)]
    pub const fn fill_forward(self, side: Side) -> Self {
        match side {
            Side::White => self.fill_up(),
            Side::Black => self.fill_down(),
        }
    }

    /// Returns all squares in front of the squares of the set, from the point of view of `side`.
    #[inline(always)]
    pub const fn in_front(self, side: Side) -> Self {
        self.forward(side).fill_forward(side)
    }

    /// Returns all squares on the files of the set.
    #[inline(always)]
    pub const fn fill_files(self) -> Self {
        self.fill_up().fill_down()
    }

    /// Returns the squares to the left and to the right of each square of the set.
    #[inline(always)]
    pub const fn sideways(self) -> Self {
        Self(self.left().0 | self.right().0)
    }

    /// Returns the squares that a king on a square of the set attacks.
    #[inline(always)]
    pub const fn around(self) -> Self {
        let sideways = self.sideways();
        let row = Self(self.0 | sideways.0);
        Self(sideways.0 | row.up(1).0 | row.up(-1).0)
    }
}

impl From<Square> for Bitboard {
    #[inline(always)]
    fn from(square: Square) -> Self {
        Self::of(square)
    }
}

impl Iterator for Bitboard {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        let mut bits = Bits(self.0);
        let square = bits.next().map(Square::wrap);
        self.0 = bits.0;
        square
    }

    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.count_ones() as usize, Some(self.0.count_ones() as usize))
    }
}

impl ExactSizeIterator for Bitboard {}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, |set, square| set | square)
    }
}

macro_rules! set_operator {
    ($trait:ident $method:ident $assign_trait:ident $assign:ident $a:ident $b:ident $what:expr) => {
        impl<T: Into<Bitboard>> $trait<T> for Bitboard {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: T) -> Self {
                let ($a, $b) = (self.0, other.into().0);
                Self($what)
            }
        }
        impl<T: Into<Bitboard>> $assign_trait<T> for Bitboard {
            #[inline(always)]
            fn $assign(&mut self, other: T) {
                *self = $trait::$method(*self, other);
            }
        }
    };
}

set_operator!(BitAnd bitand BitAndAssign bitand_assign a b a & b);
set_operator!(BitOr bitor BitOrAssign bitor_assign a b a | b);
set_operator!(BitXor bitxor BitXorAssign bitxor_assign a b a ^ b);
// Set difference.
set_operator!(Sub sub SubAssign sub_assign a b a & !b);

impl Not for Bitboard {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            for file in File::ALL {
                f.write_str(if self.has(Square::new(file, rank)) { " x" } else { " ." })?;
            }
            f.write_str("\n")?;
        }
        Ok(())
    }
}
