//! Perft on the bare board: the number of leaves of the tree of legal moves.

use super::bitboard::Bitboard;
use super::board::{Board, CastlingSquares};
use super::movegen::{self, Count, Masks, MoveClass, Sink};
use super::piece::{Kind, Piece};
use super::square::Square;
use crate::base::side::Side;

const ALL: u8 = MoveClass::All as u8;

/// Walks the tree `depth` plies down from `board`, with `WHITE` (or Black) to move; bulk counting:
/// the last ply is counted, not played. `depth` must be at least 1.
pub fn bulk<const WHITE: bool>(board: &Board, depth: u32) -> u64 {
    if depth <= 1 { count::<WHITE>(board) } else { walk::<WHITE>(board, depth) }
}

/// The number of moves. It is a function of its own because almost all calls come here.
#[inline(never)]
fn count<const WHITE: bool>(board: &Board) -> u64 {
    let masks = Masks::of(board, Side::from_white(WHITE));
    let mut count = Count::default();
    movegen::generate::<WHITE, ALL, _>(board, &masks, Bitboard::ALL, &mut count);
    count.0
}

#[inline(never)]
fn walk<const WHITE: bool>(board: &Board, depth: u32) -> u64 {
    let masks = Masks::of(board, Side::from_white(WHITE));
    let mut walk = Walk { board: *board, depth: depth - 1, leaves: 0 };
    movegen::generate::<WHITE, ALL, _>(board, &masks, Bitboard::ALL, &mut walk);
    walk.leaves
}

/// Plays each move and goes on down.
struct Walk {
    board: Board,
    depth: u32,
    leaves: u64,
}

/// A board whose words lie in one cache line.
#[repr(align(64))]
struct Aligned(Board);

impl Walk {
    #[inline(always)]
    fn down<const WHITE: bool>(&mut self, next: Board) {
        let Aligned(next) = &Aligned(next);
        self.leaves +=
            if WHITE { bulk::<false>(next, self.depth) } else { bulk::<true>(next, self.depth) };
    }
}

impl Sink for Walk {
    #[inline(always)]
    fn piece<const WHITE: bool>(&mut self, kind: Kind, from: Square, to: Bitboard) {
        for to in to {
            let piece = Piece::new(Side::from_white(WHITE), kind);
            self.down::<WHITE>(step(&self.board, piece, from, to));
        }
    }
    #[inline(always)]
    fn pawns<const WHITE: bool>(&mut self, to: Bitboard, delta: i8) {
        for to in to {
            let piece = Piece::new(Side::from_white(WHITE), Kind::Pawn);
            let from = movegen::before(to, delta);
            self.down::<WHITE>(step(&self.board, piece, from, to));
        }
    }
    #[inline(always)]
    fn double_steps<const WHITE: bool>(&mut self, to: Bitboard) {
        for to in to {
            let side = Side::from_white(WHITE);
            self.down::<WHITE>(double_stepped(&self.board, side, to));
        }
    }
    #[inline(always)]
    fn promotions<const WHITE: bool>(&mut self, to: Bitboard, delta: i8) {
        for to in to {
            for kind in [Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight] {
                let side = Side::from_white(WHITE);
                let from = movegen::before(to, delta);
                self.down::<WHITE>(promoted(&self.board, side, from, to, kind));
            }
        }
    }
    #[inline(always)]
    fn en_passant<const WHITE: bool>(&mut self, from: Square, to: Square) {
        let side = Side::from_white(WHITE);
        self.down::<WHITE>(taken_en_passant(&self.board, side, from, to));
    }
    #[inline(always)]
    fn castle<const WHITE: bool>(&mut self, king: Square, rook: Square) {
        let side = Side::from_white(WHITE);
        self.down::<WHITE>(castled(&self.board, side, king, rook));
    }
}

/// The board after a piece of compile-time `side` and kind has gone from `from` to `to`.
#[inline(always)]
fn step(board: &Board, piece: Piece, from: Square, to: Square) -> Board {
    let mut next = board.after(Bitboard::of(to), [(piece, Bitboard::of(from) | to)]);
    next.lose_castling(from, to);
    if matches!(piece.kind, Kind::King) {
        next.lose_all_castling(piece.side);
    }
    next
}

/// The board after castling.
#[inline(always)]
fn castled(board: &Board, side: Side, king: Square, rook: Square) -> Board {
    let end = CastlingSquares::of(king, rook);
    let (from_to, rook_from_to) = (Bitboard::of(king) ^ end.king, Bitboard::of(rook) ^ end.rook);
    let (king, rook) = (Piece::new(side, Kind::King), Piece::new(side, Kind::Rook));
    let mut next = board.after(Bitboard::EMPTY, [(king, from_to), (rook, rook_from_to)]);
    next.lose_all_castling(side);
    next
}

/// The board after a capture en passant.
#[inline(always)]
fn taken_en_passant(board: &Board, side: Side, from: Square, to: Square) -> Board {
    let (pawn, taken) = (Piece::new(side, Kind::Pawn), Piece::new(!side, Kind::Pawn));
    let to = Bitboard::of(to);
    board.after(Bitboard::EMPTY, [(pawn, to | from), (taken, to.forward(!side))])
}

/// The board after a pawn has become `kind`.
#[inline(always)]
fn promoted(board: &Board, side: Side, from: Square, to: Square, kind: Kind) -> Board {
    let (pawn, new) = (Piece::new(side, Kind::Pawn), Piece::new(side, kind));
    let mut next =
        board.after(Bitboard::of(to), [(pawn, Bitboard::of(from)), (new, Bitboard::of(to))]);
    next.lose_castling(from, to);
    next
}

/// The board after a pawn's double step to `to`.
#[inline(always)]
fn double_stepped(board: &Board, side: Side, to: Square) -> Board {
    let to = Bitboard::of(to);
    let passed = to.forward(!side);
    let pawn = Piece::new(side, Kind::Pawn);
    let mut next = board.after(Bitboard::EMPTY, [(pawn, to | passed.forward(!side))]);
    let ready = (to.left() | to.right()) & board.pieces(!side, Kind::Pawn);
    next.en_passant = if ready.any() { passed } else { Bitboard::EMPTY };
    next
}
