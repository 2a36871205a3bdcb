//! Perft on a [`Board`]: counts the leaf nodes of the game tree.
//!
//! Almost all of the time is spent in the last two plies, where only the number of moves matters.
//! `replies` counts the moves of many children of a position together. In builds with wide vectors
//! ([`cpu::WIDE`]), the children are counted eight at a time instead: `children` lists them and
//! `lanes` counts their moves.

mod changes;
mod children;
mod lanes;
mod replies;
mod slides;

use super::bitboard::Bitboard;
use super::board::Board;
use super::movegen::{self, Count, Masks, MoveClass, Sink};
use super::piece::{Kind, Piece};
use super::square::Square;
use crate::base::cpu;
use crate::base::side::Side;
use changes::Changes;
use children::Children;

const ALL: u8 = MoveClass::All as u8;

/// Returns the number of leaves at `depth` below `board`; `depth` must be at least 1. White is to
/// move if `WHITE`, otherwise Black. The moves of the last ply are counted but not made.
pub(crate) fn bulk<const WHITE: bool>(board: &Board, depth: u32) -> u64 {
    if depth <= 1 {
        count::<WHITE>(board)
    } else {
        leaves::<WHITE>(board, depth, &mut Changes::new())
    }
}

/// Returns the number of legal moves. This function is separate from [`walk`] because almost all
/// calls end here.
#[inline(never)]
fn count<const WHITE: bool>(board: &Board) -> u64 {
    let masks = Masks::of(board, Side::from_white(WHITE));
    let mut count = Count::default();
    movegen::generate::<WHITE, ALL, _>(board, &masks, Bitboard::ALL, &mut count);
    count.0
}

/// Returns the number of leaves at `depth`, which must be at least 2.
#[inline(never)]
fn walk<const WHITE: bool>(board: &Board, depth: u32, changes: &mut Changes) -> u64 {
    let masks = Masks::of(board, Side::from_white(WHITE));
    let mut walk = Walk { board: *board, depth: depth - 1, leaves: 0, changes };
    movegen::generate::<WHITE, ALL, _>(board, &masks, Bitboard::ALL, &mut walk);
    walk.leaves
}

#[inline(never)]
fn grandchildren<const WHITE: bool>(board: &Board, changes: &mut Changes) -> u64 {
    let masks = Masks::of(board, Side::from_white(WHITE));
    let mut children = Children::of(board, changes);
    movegen::generate::<WHITE, ALL, _>(board, &masks, Bitboard::ALL, &mut children);
    children.leaves::<WHITE>()
}

#[inline(always)]
fn leaves<const WHITE: bool>(board: &Board, depth: u32, changes: &mut Changes) -> u64 {
    match depth {
        2 if cpu::WIDE => grandchildren::<WHITE>(board, changes),
        2 => replies::leaves::<WHITE>(board),
        0 | 1 => count::<WHITE>(board),
        _ => walk::<WHITE>(board, depth, changes),
    }
}

struct Walk<'a> {
    board: Board,
    depth: u32,
    leaves: u64,
    changes: &'a mut Changes,
}

#[repr(align(64))]
struct Aligned(Board);

impl Walk<'_> {
    #[inline(always)]
    fn down<const WHITE: bool>(&mut self, next: Board) {
        let Aligned(next) = &Aligned(next);
        let (depth, changes) = (self.depth, &mut *self.changes);
        self.leaves += if WHITE {
            leaves::<false>(next, depth, changes)
        } else {
            leaves::<true>(next, depth, changes)
        };
    }
}

impl Sink for Walk<'_> {
    #[inline(always)]
    fn piece<const WHITE: bool>(&mut self, kind: Kind, from: Square, to: Bitboard) {
        for to in to {
            let piece = Piece::new(Side::from_white(WHITE), kind);
            self.down::<WHITE>(self.board.step(piece, from, to));
        }
    }
    #[inline(always)]
    fn pawns<const WHITE: bool>(&mut self, to: Bitboard, delta: i8) {
        for to in to {
            let piece = Piece::new(Side::from_white(WHITE), Kind::Pawn);
            let from = movegen::before(to, delta);
            self.down::<WHITE>(self.board.step(piece, from, to));
        }
    }
    #[inline(always)]
    fn double_steps<const WHITE: bool>(&mut self, to: Bitboard) {
        for to in to {
            let side = Side::from_white(WHITE);
            self.down::<WHITE>(self.board.double_stepped(side, to));
        }
    }
    #[inline(always)]
    fn promotions<const WHITE: bool>(&mut self, to: Bitboard, delta: i8) {
        for to in to {
            for kind in [Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight] {
                let side = Side::from_white(WHITE);
                let from = movegen::before(to, delta);
                self.down::<WHITE>(self.board.promoted(side, from, to, kind));
            }
        }
    }
    #[inline(always)]
    fn en_passant<const WHITE: bool>(&mut self, from: Square, to: Square) {
        let side = Side::from_white(WHITE);
        self.down::<WHITE>(self.board.taken_en_passant(side, from, to));
    }
    #[inline(always)]
    fn castle<const WHITE: bool>(&mut self, king: Square, rook: Square) {
        let side = Side::from_white(WHITE);
        self.down::<WHITE>(self.board.castled(side, king, rook));
    }
}
