//! Moves in one word, and a list of them.

use super::bitboard::Bitboard;
use super::square::Square;
use smallvec::SmallVec;
use std::fmt;

/// A move: from, to, and the set of pieces taken. Captures of the same pieces between the same
/// squares by different routes are one move.
///
/// The word holds `from` in bits 0 to 5, `to` in 6 to 11, and from bit 12 on the pieces taken, shifted by one.
/// No piece on the squares 1, 5, 46 and 50 can be taken in any game, so they have room.
///
/// ```
/// use adoube::draughts::Position;
///
/// let m = Position::start().legal_moves()[0];
/// assert_eq!(format!("{m:?}"), "31-27");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u64);

/// Without those four the squares lie in the bits 1 to 52.
const TAKEN: u32 = 12 - 1;

impl Move {
    /// A move that takes the pieces on `taken`, none of which stands on 1, 5, 46 or 50.
    #[inline(always)]
    pub const fn new(from: Square, to: Square, taken: Bitboard) -> Self {
        Self(from.bit() as u64 | (to.bit() as u64) << 6 | taken.0 << TAKEN)
    }

    /// The square that is left.
    #[inline(always)]
    pub const fn from(self) -> Square {
        square(self.0)
    }

    /// The square of arrival; a capture can end where it began.
    #[inline(always)]
    pub const fn to(self) -> Square {
        square(self.0 >> 6)
    }

    /// The pieces taken.
    #[inline(always)]
    pub const fn taken(self) -> Bitboard {
        Bitboard(self.0 >> 12 << 1)
    }

    /// Whether anything is taken.
    #[inline(always)]
    pub const fn is_capture(self) -> bool {
        self.0 >> 12 != 0
    }

    /// A digest of 16 bits, never zero, for tables: of the legal moves of one position two seldom
    /// share theirs, and those are then captures between the same squares.
    #[inline(always)]
    pub const fn digest(self) -> u16 {
        let squares = self.0 as u16 & 0xfff;
        // Seldom is a piece taken on the squares of the lowest bits, which come last.
        let taken = (self.0 >> 12).rotate_right(4).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 60;
        squares | (taken as u16 | self.is_capture() as u16) << 12
    }
}

#[inline(always)]
const fn square(bits: u64) -> Square {
    match Square::from_bit(bits as u8 & 63) {
        Some(square) => square,
        None => unreachable!(),
    }
}

impl fmt::Display for Move {
    /// As Hub has it, with every piece taken: `32-28`, `28x19x23`. Never ambiguous. The alternate form
    /// (`{:#}`) is the short one, `28x19`, which two captures can share; see the module `notation`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.is_capture() { 'x' } else { '-' };
        write!(f, "{}{sign}{}", self.from(), self.to())?;
        let taken = if f.alternate() { Bitboard::EMPTY } else { self.taken() };
        taken.into_iter().try_for_each(|square| write!(f, "x{square}"))
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// A list of moves: on the stack up to a number that positions hardly ever exceed, then on the
/// heap.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MoveList(SmallVec<[Move; 64]>);

impl MoveList {
    /// An empty list.
    #[inline(always)]
    pub fn new() -> Self {
        // Not a constant, which would be copied in full.
        Self(SmallVec::new())
    }

    /// Removes every move.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Adds a move.
    #[inline(always)]
    pub fn push(&mut self, m: Move) {
        self.0.push(m);
    }
}

crate::base::slice_list!(MoveList, Move, smallvec::IntoIter<[Move; 64]>);
