//! A quick test for positions that are clearly not dead, to avoid the solver in ordinary play.

use crate::base::side::Side;
use crate::chess::movegen::{MoveClass, Sink, before};
use crate::chess::{Bitboard, Board, Kind, Move, Position, Rank, Square};

/// The number of plies that are played to check that a side keeps its mating material.
const PLIES: u32 = 4;

/// Returns whether the position is clearly not dead because `side` can still mate. The conditions
/// are that a knight, rook or queen is on the board, that the pawns do not form a wall, that the
/// player to move has a choice of moves, and that `side` keeps a queen, a rook or a pawn along one
/// line of `PLIES` plies.
///
/// This is a heuristic. If it is wrong, a dead position is treated as playable.
pub(super) fn is_open(position: &Position, side: Side) -> bool {
    let board = position.board();
    let pieces = board.kind(Kind::Knight) | board.kind(Kind::Rook) | board.kind(Kind::Queen);
    if pieces.is_empty() || can_be_wall(board, side) {
        return false;
    }
    let mut played = position.clone();
    for ply in 0..=PLIES {
        let board = played.board();
        let mates = board.straight_sliders(side) | board.pieces(side, Kind::Pawn);
        if mates.is_empty() {
            return false;
        }
        let mut found = Moves::default();
        played.generate::<{ MoveClass::All as u8 }, _>(Bitboard::ALL, &mut found);
        let Some(m) = found.first else { return false };
        // A side with only one move may be forced into a dead position.
        if ply == 0 && found.count == 1 {
            return false;
        }
        if ply < PLIES {
            played = played.play_unchecked(m);
        }
    }
    true
}

/// The first move found, and the number of moves, both excluding castling.
#[derive(Default)]
struct Moves {
    first: Option<Move>,
    count: u32,
}

impl Moves {
    #[inline(always)]
    fn see(&mut self, to: Bitboard, make: impl FnOnce(Square) -> Move) {
        self.count += to.len();
        if self.first.is_none() {
            self.first = to.first().map(make);
        }
    }
}

impl Sink for Moves {
    #[inline(always)]
    fn piece<const WHITE: bool>(&mut self, _: Kind, from: Square, to: Bitboard) {
        self.see(to, |to| Move::normal(from, to));
    }
    #[inline(always)]
    fn pawns<const WHITE: bool>(&mut self, to: Bitboard, delta: i8) {
        self.see(to, |to| Move::normal(before(to, delta), to));
    }
    #[inline(always)]
    fn double_steps<const WHITE: bool>(&mut self, to: Bitboard) {
        self.pawns::<WHITE>(to, if WHITE { 16 } else { -16 });
    }
    #[inline(always)]
    fn promotions<const WHITE: bool>(&mut self, to: Bitboard, delta: i8) {
        self.see(to, |to| Move::promotion(before(to, delta), to, Kind::Queen));
    }
    #[inline(always)]
    fn en_passant<const WHITE: bool>(&mut self, from: Square, to: Square) {
        self.see(to.into(), |to| Move::en_passant(from, to));
    }
    fn castle<const WHITE: bool>(&mut self, _: Square, _: Square) {}
}

/// Returns whether the pawns of `side` may be part of a wall. This is the case if enough of them
/// face an enemy pawn or king, and every file with a pawn has pawns of both sides. The condition
/// on files ignores pawns that are one step from promotion.
fn can_be_wall(board: &Board, side: Side) -> bool {
    let pawns = board.kind(Kind::Pawn).len();
    let faced = board.pieces(side, Kind::Pawn).forward(side)
        & (board.pieces(!side, Kind::Pawn) | board.king(!side));
    let files = |side: Side| {
        let pawns = board.pieces(side, Kind::Pawn) - Bitboard::rank(Rank::R7.relative_to(side));
        pawns.fill_files()
    };
    faced.len() >= (pawns / 2).saturating_sub(2).max(1) && files(side) == files(!side)
}
