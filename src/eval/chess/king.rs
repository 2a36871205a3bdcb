//! The danger that enemy pieces bring to a king.
//!
//! Signs of danger add up to units whose square is the penalty: one attacker alone is harmless.

use super::pawns::{camp, flank};
use super::survey::Survey;
use super::tally::{Trace, endanger};
use crate::base::side::Side;
use crate::chess::{Kind, attacks};

impl<T: Trace> Survey<'_, T> {
    /// The danger of `us`'s king, apart from the attackers already counted piece by piece.
    #[inline(always)]
    pub fn king(&mut self, us: Side) {
        let (i, they) = (us.index(), (!us).index());
        let king = self.king[i];
        let own = &self.by[i];
        let enemy = &self.by[they];
        let attack = |kind: Kind| enemy[kind.index()];

        // Squares that no piece but king or queen protects, and on which the enemy is safe.
        let king_or_queen = own[Kind::King.index()] | own[Kind::Queen.index()];
        let weak = self.all[they] & ((king_or_queen | !self.all[i]) - self.twice[i]);
        let safe = (!self.all[i] | weak & self.twice[they]) - self.board.side(!us);

        let without_queen = self.occupied - self.board.pieces(us, Kind::Queen);
        let straight = attacks::rook(king, without_queen);
        let diagonal = attacks::bishop(king, without_queen);
        let checks = [
            attacks::knight(king) & attack(Kind::Knight),
            diagonal & attack(Kind::Bishop),
            straight & attack(Kind::Rook),
            (straight | diagonal) & (attack(Kind::Queen) - own[Kind::Queen.index()]),
        ];
        let mut unsafe_kinds = 0;
        for (kind, checks) in checks.into_iter().enumerate() {
            let count = (checks & safe).len().min(2) as i32;
            endanger!(self.tally, us, danger_safe_check[kind] * count);
            let unsafe_check = count == 0 && (checks - self.board.side(!us)).any();
            unsafe_kinds += i32::from(unsafe_check);
        }
        endanger!(self.tally, us, danger_unsafe_check * unsafe_kinds);

        let flank = flank(king.file()) & camp(us);
        let attacked = flank & self.all[they];
        let attacked = attacked.len() + (attacked & self.twice[they]).len();
        let defended = (flank & self.all[i]).len();
        let weak = (self.ring[i] & weak).len();
        endanger!(self.tally, us, danger_base);
        endanger!(self.tally, us, danger_weak * weak as i32);
        endanger!(self.tally, us, danger_pinned * self.pinned[i].len() as i32);
        endanger!(self.tally, us, danger_flank_attack * attacked as i32);
        endanger!(self.tally, us, danger_flank_defence * defended as i32);
        if self.board.pieces(!us, Kind::Queen).is_empty() {
            endanger!(self.tally, us, danger_no_queen);
        }
        if (self.by[i][Kind::Knight.index()] & self.ring[i]).any() {
            endanger!(self.tally, us, danger_knight_guard);
        }
    }
}
