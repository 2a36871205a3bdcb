//! Lists the children of a position, each as the board changes made by its move.

use super::changes::{Changes, SETS};
use super::lanes;
use crate::base::side::Side;
use crate::chess::bitboard::Bitboard;
use crate::chess::board::Board;
use crate::chess::movegen::{self, Masks, Sink};
use crate::chess::moves::MAX_MOVES;
use crate::chess::piece::Kind;
use crate::chess::square::Square;

/// The children of a position. Most children are stored as board changes, and the vector code later
/// counts their legal moves. Two kinds of moves are counted immediately: en passant captures in any
/// child, and all moves in a child that results from castling.
pub(super) struct Children<'a> {
    board: &'a Board,
    changes: &'a mut Changes,
    len: usize,
    leaves: u64,
}

impl<'a> Children<'a> {
    #[inline(always)]
    pub(super) const fn of(board: &'a Board, changes: &'a mut Changes) -> Self {
        Self { board, changes, len: 0, leaves: 0 }
    }

    #[inline(always)]
    pub(super) fn leaves<const WHITE: bool>(self) -> u64 {
        self.leaves
            + if WHITE {
                lanes::count::<false>(self.board, self.changes, self.len)
            } else {
                lanes::count::<true>(self.board, self.changes, self.len)
            }
    }

    #[inline(always)]
    fn push(&mut self, cleared: Bitboard, pawns: Bitboard, pieces: Bitboard, sets: u64) {
        if self.len < MAX_MOVES {
            self.changes.cleared[self.len] = cleared.0;
            self.changes.pawns[self.len] = pawns.0;
            self.changes.pieces[self.len] = pieces.0;
            self.changes.sets[self.len] = sets;
            self.len += 1;
        }
    }

    #[inline(always)]
    fn push_pawns(&mut self, to: Bitboard, delta: i8) {
        for to in singles(to) {
            self.push(to, to | before(to, delta), Bitboard::EMPTY, 0);
        }
    }
}

#[inline(always)]
fn singles(set: Bitboard) -> impl Iterator<Item = Bitboard> {
    let mut left = set.0;
    std::iter::from_fn(move || {
        let lowest = left & left.wrapping_neg();
        left ^= lowest;
        (lowest != 0).then_some(Bitboard(lowest))
    })
}

#[inline(always)]
const fn before(to: Bitboard, delta: i8) -> Bitboard {
    Bitboard(to.0.rotate_right((delta & 63) as u32))
}

impl Sink for Children<'_> {
    #[inline(always)]
    fn piece<const WHITE: bool>(&mut self, kind: Kind, from: Square, to: Bitboard) {
        for to in singles(to) {
            self.push(to, Bitboard::EMPTY, to | from, SETS[kind.index()]);
        }
    }
    #[inline(always)]
    fn pawns<const WHITE: bool>(&mut self, to: Bitboard, delta: i8) {
        self.push_pawns(to, delta);
    }
    #[inline(always)]
    fn double_steps<const WHITE: bool>(&mut self, to: Bitboard) {
        self.push_pawns(to, if WHITE { 16 } else { -16 });
        let side = Side::from_white(WHITE);
        let takers = self.board.pieces(!side, Kind::Pawn);
        // `lanes` does not count en passant captures. Therefore they are counted here.
        for to in to & takers.sideways() {
            let next = self.board.double_stepped(side, to);
            let masks = Masks::of(&next, !side);
            if let Some(to) = next.en_passant.first() {
                let captures = movegen::en_passant_captures(&next, &masks, !side, to);
                self.leaves += u64::from(captures.len());
            }
        }
    }
    #[inline(always)]
    fn promotions<const WHITE: bool>(&mut self, to: Bitboard, delta: i8) {
        for to in singles(to) {
            for kind in [Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight] {
                self.push(to, before(to, delta), to, SETS[kind.index()]);
            }
        }
    }
    #[inline(always)]
    fn en_passant<const WHITE: bool>(&mut self, from: Square, to: Square) {
        let to = Bitboard::of(to);
        let taken = to.forward(Side::from_white(!WHITE));
        self.push(taken, to | from, Bitboard::EMPTY, 0);
    }
    #[inline(always)]
    fn castle<const WHITE: bool>(&mut self, king: Square, rook: Square) {
        let next = self.board.castled(Side::from_white(WHITE), king, rook);
        self.leaves +=
            if WHITE { super::count::<false>(&next) } else { super::count::<true>(&next) };
    }
}
