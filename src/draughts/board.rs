//! The pieces on the board, without the history of the game.

use super::bitboard::Bitboard;
use super::square::Square;
use crate::base::side::Side;

/// A man or a king.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// A man (`pion`).
    Man,
    /// A king (`dame`).
    King,
}

/// The pieces, as sets of squares. No square is in both sides' sets, every king is in one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Board {
    pub(super) sides: [Bitboard; 2],
    pub(super) kings: Bitboard,
}

impl Board {
    /// The start position: twenty men each, on 1 to 20 and 31 to 50 (2.8, 3.3).
    pub const START: Self = {
        let black =
            Bitboard::row(0).0 | Bitboard::row(1).0 | Bitboard::row(2).0 | Bitboard::row(3).0;
        Self { sides: [Bitboard(black).turned(), Bitboard(black)], kings: Bitboard::EMPTY }
    };

    /// The board with the men and the kings of White and Black; `None` if two pieces would share a
    /// square.
    #[inline(always)]
    pub fn of_groups(men: [Bitboard; 2], kings: [Bitboard; 2]) -> Option<Self> {
        let (all_men, all_kings) = (men[0] | men[1], kings[0] | kings[1]);
        let shared = men[0] & men[1] | kings[0] & kings[1] | all_men & all_kings;
        let sides = [men[0] | kings[0], men[1] | kings[1]];
        shared.is_empty().then_some(Self { sides, kings: all_kings })
    }

    /// All pieces of a side.
    #[inline(always)]
    pub const fn pieces(&self, side: Side) -> Bitboard {
        self.sides[side.index()]
    }

    /// The kings of both sides.
    #[inline(always)]
    pub const fn all_kings(&self) -> Bitboard {
        self.kings
    }

    /// The kings of a side.
    #[inline(always)]
    pub const fn kings(&self, side: Side) -> Bitboard {
        Bitboard(self.sides[side.index()].0 & self.kings.0)
    }

    /// The men of a side.
    #[inline(always)]
    pub const fn men(&self, side: Side) -> Bitboard {
        Bitboard(self.sides[side.index()].0 & !self.kings.0)
    }

    /// The squares with a piece.
    #[inline(always)]
    pub const fn occupied(&self) -> Bitboard {
        Bitboard(self.sides[0].0 | self.sides[1].0)
    }

    /// The squares without a piece.
    #[inline(always)]
    pub const fn empty(&self) -> Bitboard {
        Bitboard(Bitboard::ALL.0 & !self.occupied().0)
    }

    /// The piece on a square, if there is one.
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

    /// Puts a piece on an empty square.
    pub(super) fn put(&mut self, square: Square, side: Side, kind: Kind) {
        self.sides[side.index()] |= Bitboard::of(square);
        if kind == Kind::King {
            self.kings |= Bitboard::of(square);
        }
    }

    /// The board after `side` moves the piece on `from` to `to` and takes the pieces on `taken`,
    /// all sets of squares. They leave when the move is over (4.9); a man that ends it on the far
    /// row becomes a king (3.5), one that only passes it does not (4.15).
    #[inline(always)]
    pub fn after(&self, side: Side, from: Bitboard, to: Bitboard, taken: Bitboard) -> Self {
        let mut sides = self.sides;
        sides[side.index()] = (sides[side.index()] - from) | to;
        sides[(!side).index()] ^= taken;
        let king = (self.kings & from).any() || (to & Bitboard::far_row(side)).any();
        let kings = (self.kings - from - taken) | if king { to } else { Bitboard::EMPTY };
        Self { sides, kings }
    }
}
