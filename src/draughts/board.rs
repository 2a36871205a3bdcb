//! The pieces on the board, without the history of the game.

use super::bitboard::Bitboard;
use super::square::Square;
use crate::base::side::Side;

/// The kind of a piece.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// A man (`pion`).
    Man,
    /// A king (`dame`).
    King,
}

impl Kind {
    /// Returns the name in English.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Man => "man",
            Self::King => "king",
        }
    }
}

/// The pieces as sets of squares. The sets of the two sides are disjoint, and every king is in one
/// of these two sets.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Board {
    pub(super) sides: [Bitboard; 2],
    pub(super) kings: Bitboard,
}

impl Board {
    /// The start position: Black's twenty men on the squares 1 to 20, White's on 31 to 50 (FMJD 2.8
    /// and 3.3).
    pub const START: Self = {
        let black =
            Bitboard::row(0).0 | Bitboard::row(1).0 | Bitboard::row(2).0 | Bitboard::row(3).0;
        Self { sides: [Bitboard(black).turned(), Bitboard(black)], kings: Bitboard::EMPTY }
    };

    /// Creates a board from each side's men and kings. Returns `None` if two pieces share a square.
    #[inline(always)]
    pub fn of_groups(men: [Bitboard; 2], kings: [Bitboard; 2]) -> Option<Self> {
        let (all_men, all_kings) = (men[0] | men[1], kings[0] | kings[1]);
        let shared = men[0] & men[1] | kings[0] & kings[1] | all_men & all_kings;
        let sides = [men[0] | kings[0], men[1] | kings[1]];
        shared.is_empty().then_some(Self { sides, kings: all_kings })
    }

    /// Returns all pieces of a side.
    #[inline(always)]
    pub const fn pieces(&self, side: Side) -> Bitboard {
        self.sides[side.index()]
    }

    /// Returns the kings of both sides.
    #[inline(always)]
    pub const fn all_kings(&self) -> Bitboard {
        self.kings
    }

    /// Returns the kings of a side.
    #[inline(always)]
    pub const fn kings(&self, side: Side) -> Bitboard {
        Bitboard(self.sides[side.index()].0 & self.kings.0)
    }

    /// Returns the men of a side.
    #[inline(always)]
    pub const fn men(&self, side: Side) -> Bitboard {
        Bitboard(self.sides[side.index()].0 & !self.kings.0)
    }

    /// Returns the occupied squares.
    #[inline(always)]
    pub const fn occupied(&self) -> Bitboard {
        Bitboard(self.sides[0].0 | self.sides[1].0)
    }

    /// Returns the empty squares.
    #[inline(always)]
    pub const fn empty(&self) -> Bitboard {
        Bitboard(Bitboard::ALL.0 & !self.occupied().0)
    }

    /// Returns the piece on a square.
    #[inline(always)]
    pub const fn piece_on(&self, square: Square) -> Option<(Side, Kind)> {
        let side = if self.sides[0].has(square) {
            Side::White
        } else if self.sides[1].has(square) {
            Side::Black
        } else {
            return None;
        };
        Some((side, if self.kings.has(square) { Kind::King } else { Kind::Man }))
    }

    pub(super) fn put(&mut self, square: Square, side: Side, kind: Kind) {
        self.sides[side.index()] |= Bitboard::of(square);
        if kind == Kind::King {
            self.kings |= Bitboard::of(square);
        }
    }

    /// Returns the board after `side` moves the piece on `from` to `to` and captures the pieces on
    /// `taken`. Captured pieces are removed at the end of the move (FMJD 4.11). A man that ends the
    /// move on the far row becomes a king (FMJD 3.5). A man that only passes over that row does not
    /// become a king (FMJD 4.15).
    #[inline(always)]
    pub fn after(&self, side: Side, from: Bitboard, to: Bitboard, taken: Bitboard) -> Self {
        let mut sides = self.sides;
        sides[side.index()] = (sides[side.index()] - from) | to;
        sides[(!side).index()] ^= taken;
        let king = (self.kings & from).any() || (to & Bitboard::promotion_row(side)).any();
        let kings = (self.kings - from - taken) | if king { to } else { Bitboard::EMPTY };
        Self { sides, kings }
    }
}
