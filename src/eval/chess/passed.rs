//! Passed pawns: how far they are, and who can help or stop them.

use super::pawns::{ahead, edge_distance, promotion_square};
use super::survey::Survey;
use super::tally::{Trace, add};
use crate::base::side::Side;
use crate::chess::{Bitboard, Kind, Rank};

impl<T: Trace> Survey<'_, T> {
    /// `us`'s passed pawns. `to_move` is the side to move.
    #[inline(always)]
    pub fn passed(&mut self, us: Side, to_move: Side) {
        let (i, they) = (us.index(), (!us).index());
        let board = self.board;
        let (own_king, enemy_king) = (self.king[i], self.king[they]);
        let enemy_has_pieces =
            (board.side(!us) - board.pieces(!us, Kind::Pawn) - board.pieces(!us, Kind::King)).any();
        for square in self.structure.passed & board.side(us) {
            let rank = square.rank().relative_to(us);
            let r = rank.index();
            add!(self.tally, us, passed[r]);
            add!(self.tally, us, passed_file[edge_distance(square.file().index())]);

            let pawn = Bitboard::of(square);
            let step = pawn.forward(us);
            let stop = step.lowest();
            let own_steps = i32::from(own_king.distance(stop).min(5));
            let enemy_steps = i32::from(enemy_king.distance(stop).min(5));
            add!(self.tally, us, passed_own_king[r] * own_steps);
            add!(self.tally, us, passed_enemy_king[r] * enemy_steps);

            if board.side(!us).has(stop) {
                add!(self.tally, us, passed_blocked[r]);
            }
            let way = ahead(us, pawn);
            let behind = ahead(!us, pawn);
            let heavy = board.straight_sliders(us);
            let enemy_heavy = board.straight_sliders(!us);
            // A rook or queen behind the pawn attacks all of its way, through the pawn.
            let (mut attacked, mut helped) = (self.all[they], self.all[i]);
            let nearest = if us.is_white() {
                last(behind & self.occupied)
            } else {
                first(behind & self.occupied)
            };
            if (nearest & enemy_heavy).any() {
                attacked |= way;
                add!(self.tally, us, passed_enemy_rook_behind);
            } else if (nearest & heavy).any() {
                helped |= way;
                add!(self.tally, us, passed_rook_behind);
            }
            if !attacked.has(stop) {
                add!(self.tally, us, passed_safe_step[r]);
            }
            if (way & (attacked | board.side(!us))).is_empty() {
                add!(self.tally, us, passed_safe_path[r]);
            }
            if helped.has(stop) {
                add!(self.tally, us, passed_helped[r]);
            }
            if !enemy_has_pieces && (way & self.occupied).is_empty() {
                let goal = promotion_square(us, square);
                let moves = 7 - r as u8 - u8::from(rank == Rank::R2);
                if enemy_king.distance(goal) > moves + u8::from(to_move != us) {
                    add!(self.tally, us, passed_unstoppable);
                }
            }
        }
    }
}

fn first(set: Bitboard) -> Bitboard {
    Bitboard(set.0 & set.0.wrapping_neg())
}

fn last(set: Bitboard) -> Bitboard {
    if set.is_empty() { set } else { Bitboard(1 << (63 - set.0.leading_zeros())) }
}
