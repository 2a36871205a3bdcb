//! The tunable constants of the chess search: evaluation margins on the network's scale, exchange
//! margins in the centipawns of the module `see`, reductions in 1024ths of a ply. The steps are
//! numbered in the module `node`.

use crate::search::constants::constants;
use crate::search::depth::Depth;

constants! {
    /// The tunable constants of the chess search.
    pub struct Constants {
        /// Half the width of the initial aspiration window for a previous score of 0.
        aspiration = 6 in 2..=30 by 3;
        /// Step 6, hindsight: the depth is decreased if the opponent's last move lost more
        /// evaluation than this.
        hindsight_margin = 40 in 0..=200 by 10;
        /// Step 7, razoring: the margin below alpha.
        razor_margin = 110 in 20..=400 by 15;
        /// Step 7: this value times the square of the depth is added to the margin.
        razor_slope = 95 in 20..=300 by 12;
        /// Step 8, reverse futility: the margin above beta per ply of depth beyond the first.
        futility_slope = 37 in 8..=100 by 5;
        /// Step 8: the extra margin if the side to move is not improving.
        futility_worsening = 25 in 0..=100 by 6;
        /// Step 9, null move: the margin above beta that the evaluation must reach at depth 0.
        null_margin = 80 in 0..=250 by 12;
        /// Step 9: decrease of the margin per ply of depth.
        null_slope = 9 in 0..=30 by 2;
        /// Step 9: the margin above beta for each additional ply of reduction.
        null_eval = 90 in 20..=300 by 10;
        /// Step 11, ProbCut: the margin above beta.
        probcut_margin = 65 in 15..=200 by 10;
        /// Step 13, SEE pruning of captures and checks: the loss allowed per ply of depth.
        noisy_exchange = 95 in 30..=200 by 10;
        /// Step 13, SEE pruning of quiet moves: the allowed loss is this value times the square of
        /// the reduced depth.
        quiet_exchange = 22 in 6..=60 by 3;
        /// Step 13, history pruning: a quiet move is pruned if its history is below minus this
        /// value times the depth.
        history_margin = 4200 in 1500..=9000 by 400;
        /// Step 13, late-move pruning: the number of moves tried before quiet moves are skipped, in
        /// percent of (3 + depth * depth). Reduced by a quarter if the side to move is not
        /// improving.
        late_count = 112 in 40..=250 by 15;
        /// Step 13: the history that increases a quiet move's reduced depth by one.
        late_history = 9000 in 3000..=20_000 by 1500;
        /// Step 13, futility pruning of quiet moves: the margin below alpha.
        quiet_margin = 37 in 0..=120 by 6;
        /// Step 13: increase of the margin per ply of reduced depth.
        quiet_slope = 47 in 8..=130 by 6;
        /// Step 14, singular extension: the margin below the table score per ply of depth, in
        /// sixteenths of a network unit.
        singular_margin = 13 in 4..=40 by 4;
        /// Step 14: the extra margin for a double extension.
        singular_double = 19 in 0..=60 by 6;
        /// Step 14: the additional margin for a double extension in a PV node.
        singular_open = 60 in 0..=150 by 20;
        /// Step 16: the constant term of the reduction.
        reduction_base = 850 in 0..=1600 by 80;
        /// Step 16: the divisor of ln(depth) * ln(move number), in hundredths.
        reduction_divisor = 230 in 120..=400 by 12;
        /// Step 16: reduction decrease in a PV or former PV node.
        reduction_was_pv = 1180 in 0..=2400 by 120;
        /// Step 16: reduction decrease in a PV or former PV node if the table score exceeds alpha.
        reduction_above_alpha = 600 in 0..=2048 by 120;
        /// Step 16: reduction increase in a PV or former PV node if the table score does not exceed
        /// alpha.
        reduction_below_alpha = 520 in 0..=2048 by 120;
        /// Step 16: reduction decrease in a PV node.
        reduction_pv = 512 in 0..=2048 by 120;
        /// Step 16: reduction increase in an expected cut node.
        reduction_cut = 1700 in 500..=3000 by 150;
        /// Step 16: reduction decrease if the side to move is improving.
        reduction_improving = 80 in 0..=1024 by 80;
        /// Step 16: reduction increase if the side to move is not improving.
        reduction_worsening = 350 in 0..=1024 by 80;
        /// Step 16: reduction increase if the evaluation has no correction.
        reduction_certain = 220 in 0..=1024 by 80;
        /// Step 16: reduction decrease per unit of correction.
        reduction_correction = 10 in 0..=30 by 2;
        /// Step 16: reduction increase for a quiet move if the table move is noisy.
        reduction_hash_noisy = 900 in 0..=2048 by 120;
        /// Step 16: reduction increase if many nodes of the next ply have failed high.
        reduction_cutoffs = 1000 in 0..=2048 by 120;
        /// Step 16: reduction decrease for a check.
        reduction_check = 1024 in 0..=2048 by 120;
        /// Step 16: reduction decrease for the killer.
        reduction_killer = 1200 in 0..=2400 by 140;
        /// Step 16: reduction decrease for a noisy move.
        reduction_noisy = 700 in 0..=2048 by 120;
        /// Step 16: a noisy move's history, divided by this value, is subtracted from the
        /// reduction.
        noisy_history = 12 in 4..=30 by 2;
        /// Step 16: a quiet move's history, divided by this value, is subtracted from the
        /// reduction.
        quiet_history = 9 in 3..=25 by 1;
        /// Step 20: the best move's history bonus per ply of depth.
        bonus_slope = 178 in 60..=400 by 20;
        /// Step 20: the maximum bonus.
        bonus_most = 1700 in 600..=3000 by 120;
        /// Step 20: an unsuccessful move's history malus per ply of depth.
        malus_slope = 225 in 60..=400 by 20;
        /// Step 20: the maximum malus.
        malus_most = 1500 in 600..=3000 by 120;
        /// The divisor of the summed correction histories.
        correction_divisor = 24 in 10..=60 by 4;
        /// Quiescence: the futility margin of a capture, added to the value of the captured piece.
        calm_margin = 90 in 15..=250 by 10;
    }
}

impl Constants {
    #[inline(always)]
    pub(super) fn bonus(&self, depth: Depth) -> i32 {
        (self.bonus_slope * depth.0 - 60).clamp(0, self.bonus_most)
    }

    #[inline(always)]
    pub(super) fn malus(&self, depth: Depth) -> i32 {
        (self.malus_slope * depth.0 - 100).clamp(0, self.malus_most)
    }

    /// Returns the malus of the quiet move with this index in search order. The malus falls from
    /// 5/3 of [`malus`](Self::malus) for the first move to 5/23 for late moves, because an earlier
    /// move had a better history and needs a larger correction.
    #[inline(always)]
    pub(super) fn quiet_malus(&self, depth: Depth, index: usize) -> i32 {
        self.malus(depth) * 10 / (6 + 2 * index.min(20) as i32)
    }
}
