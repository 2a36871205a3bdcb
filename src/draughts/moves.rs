//! Moves packed into 64 bits, and a list of moves.

use super::bitboard::Bitboard;
use super::square::Square;
use smallvec::SmallVec;
use std::fmt;

/// A move: origin square, destination square, and the set of captured pieces. Captures of the same
/// pieces between the same squares by different routes are the same move.
///
/// Bits 0 to 5 hold the origin square, and bits 6 to 11 the destination square. Bits 12 to 63 hold
/// bits 1 to 52 of the set of captured pieces. This omits only the squares 1 and 50, on which no
/// piece can be captured in any variant.
///
/// ```
/// use adoube::draughts::Position;
///
/// let m = Position::start().legal_moves()[0];
/// assert_eq!(format!("{m:?}"), "31-27");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u64);

/// The shift that moves bit 1 of the set of captured pieces to bit 12 of the move.
const TAKEN: u32 = 12 - 1;

impl Move {
    /// Creates a move that captures the pieces on `taken`, which must not contain the squares 1 or
    /// 50.
    #[inline(always)]
    pub const fn new(from: Square, to: Square, taken: Bitboard) -> Self {
        Self(from.bit() as u64 | (to.bit() as u64) << 6 | taken.0 << TAKEN)
    }

    /// Returns the origin square.
    #[inline(always)]
    pub const fn from(self) -> Square {
        square(self.0)
    }

    /// Returns the destination square. A capture can end on its origin square.
    #[inline(always)]
    pub const fn to(self) -> Square {
        square(self.0 >> 6)
    }

    /// Returns the captured pieces.
    #[inline(always)]
    pub const fn taken(self) -> Bitboard {
        Bitboard(self.0 >> 12 << 1)
    }

    /// Returns whether the move captures.
    #[inline(always)]
    pub const fn is_capture(self) -> bool {
        self.0 >> 12 != 0
    }

    /// Returns a 16-bit hash of the move for hash tables. The hash is never zero. Among the legal
    /// moves of a position, only captures between the same squares can have equal hashes. Such
    /// captures have only eight different hashes, so about one pair in eight is equal.
    #[inline(always)]
    pub const fn digest(self) -> u16 {
        let squares = self.0 as u16 & 0xfff;
        // The lowest bits are squares on which pieces are rarely captured. Rotate them to the top,
        // where they affect the product least.
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
    /// Formats the move as in the Hub protocol, with every captured piece: `32-28`, `28x19x23`.
    /// This form is unambiguous. The alternate form (`{:#}`) is the short form `28x19`, which can
    /// match several captures (see the module `notation`).
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

/// A list of moves. It is stored on the stack unless it exceeds 64 moves, which is rare.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MoveList(SmallVec<[Move; 64]>);

impl MoveList {
    /// Creates an empty list.
    #[inline(always)]
    pub fn new() -> Self {
        // This is not a constant, because each use of a constant would copy the whole array.
        Self(SmallVec::new())
    }

    /// Removes every move.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Appends a move.
    #[inline(always)]
    pub fn push(&mut self, m: Move) {
        self.0.push(m);
    }
}

crate::base::slice_list!(MoveList, Move, smallvec::IntoIter<[Move; 64]>);
