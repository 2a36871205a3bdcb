//! The constants of the chess search: margins in the network's hundredths of a pawn, reductions in 1024ths of a half-move.
//!
//! The steps named are those of `node` and `quiesce`.

use crate::search::constants::constants;
use crate::search::depth::Depth;

constants! {
    /// What the chess search weighs by numbers alone.
    pub struct Constants {
        /// Half the width of the window in which an iteration begins, where the score before was 0.
        aspiration = 6 in 2..=30 by 3;
        /// Step 6, hindsight: the loss by the last move above which the node is searched shallower.
        hindsight_margin = 80 in 0..=300 by 20;
        /// Step 7, razoring: the margin below alpha.
        razor_margin = 220 in 60..=500 by 30;
        /// Step 7: what each depth squared adds to the margin.
        razor_slope = 190 in 60..=400 by 20;
        /// Step 8, reverse futility: the margin above beta for each depth but the first.
        futility_slope = 75 in 30..=150 by 8;
        /// Step 8: what the margin has more if the side to move is not improving.
        futility_worsening = 50 in 0..=150 by 12;
        /// Step 9, null move: by how much the evaluation must exceed beta at depth 0.
        null_margin = 160 in 0..=400 by 25;
        /// Step 9: by how much less for each depth.
        null_slope = 18 in 0..=40 by 3;
        /// Step 9: how far above beta the depth is reduced by one more half-move.
        null_eval = 180 in 60..=400 by 20;
        /// Step 11, ProbCut: the margin above beta.
        probcut_margin = 130 in 60..=300 by 20;
        /// Step 13, captures and checks: what an exchange may lose for each depth.
        noisy_exchange = 95 in 30..=200 by 10;
        /// Step 13, quiet moves: what an exchange may lose for each reduced depth squared.
        quiet_exchange = 22 in 6..=60 by 3;
        /// Step 13: below this, negative and for each depth, a quiet move's history prunes it.
        history_margin = 4200 in 1500..=9000 by 400;
        /// Step 13: how many moves are tried before quiet ones are left out, in hundredths of
        /// 3 + depth squared.
        late_count = 112 in 40..=250 by 15;
        /// Step 13: the history for which a move's reduced depth counts as one more.
        late_history = 9000 in 3000..=20_000 by 1500;
        /// Step 13, futility of a quiet move: the margin below alpha.
        quiet_margin = 75 in 0..=200 by 12;
        /// Step 13: what each reduced depth adds to the margin.
        quiet_slope = 95 in 30..=200 by 10;
        /// Step 14: how far below the table's score every other move must be for each depth, in sixteenths.
        singular_margin = 13 in 4..=40 by 4;
        /// Step 14: how far below that the others must be for an extension by two half-moves.
        singular_double = 19 in 0..=60 by 6;
        /// Step 14: how much further below it in an open window.
        singular_open = 60 in 0..=150 by 20;
        /// Step 16: the reduction of the first moves.
        reduction_base = 850 in 0..=1600 by 80;
        /// Step 16: divides the product of the logarithms of depth and number, in hundredths.
        reduction_divisor = 230 in 120..=400 by 12;
        /// Step 16: how much less in a node that is or was on a principal variation.
        reduction_was_pv = 1180 in 0..=2400 by 120;
        /// Step 16: how much less in such a node if the table's score is above alpha.
        reduction_above_alpha = 600 in 0..=2048 by 120;
        /// Step 16: how much more in such a node if it is not.
        reduction_below_alpha = 520 in 0..=2048 by 120;
        /// Step 16: how much less in an open window.
        reduction_pv = 512 in 0..=2048 by 120;
        /// Step 16: how much more where the node is expected to fail high.
        reduction_cut = 1700 in 500..=3000 by 150;
        /// Step 16: how much less if the side to move is improving.
        reduction_improving = 80 in 0..=1024 by 80;
        /// Step 16: how much more if it is not.
        reduction_worsening = 350 in 0..=1024 by 80;
        /// Step 16: how much more where the evaluation has needed no correction.
        reduction_certain = 220 in 0..=1024 by 80;
        /// Step 16: how much less for each hundredth of the correction.
        reduction_correction = 10 in 0..=30 by 2;
        /// Step 16: how much more for a quiet move where the table's move is a capture.
        reduction_hash_noisy = 900 in 0..=2048 by 120;
        /// Step 16: how much more where many children have failed high.
        reduction_cutoffs = 1000 in 0..=2048 by 120;
        /// Step 16: how much less for a check.
        reduction_check = 1024 in 0..=2048 by 120;
        /// Step 16: how much less for the killer.
        reduction_killer = 1200 in 0..=2400 by 140;
        /// Step 16: how much less for a capture.
        reduction_noisy = 700 in 0..=2048 by 120;
        /// Step 16: divides the history of a capture.
        noisy_history = 12 in 4..=30 by 2;
        /// Step 16: divides the history of a quiet move.
        quiet_history = 9 in 3..=25 by 1;
        /// Step 20: the bonus of the best move for each depth.
        bonus_slope = 178 in 60..=400 by 20;
        /// Step 20: the greatest bonus.
        bonus_most = 1700 in 600..=3000 by 120;
        /// Step 20: the malus of a move tried in vain for each depth.
        malus_slope = 225 in 60..=400 by 20;
        /// Step 20: the greatest malus.
        malus_most = 1500 in 600..=3000 by 120;
        /// What divides the sum of the correction histories.
        correction_divisor = 24 in 10..=60 by 4;
        /// Quiescence: what a capture may bring beside what it takes.
        calm_margin = 180 in 60..=400 by 20;
    }
}

impl Constants {
    /// The bonus of a move that was best after a search of `depth`.
    #[inline(always)]
    pub(super) fn bonus(&self, depth: Depth) -> i32 {
        (self.bonus_slope * depth.0 - 60).clamp(0, self.bonus_most)
    }

    /// The malus of a move that was tried before the best.
    #[inline(always)]
    pub(super) fn malus(&self, depth: Depth) -> i32 {
        (self.malus_slope * depth.0 - 100).clamp(0, self.malus_most)
    }

    /// The malus of a quiet move that was the first (0), second (1) or a later one to be tried in vain: from
    /// five thirds of [`malus`](Self::malus) down to two ninths. The sooner it was tried, the more its history
    /// had promised.
    #[inline(always)]
    pub(super) fn quiet_malus(&self, depth: Depth, place: usize) -> i32 {
        self.malus(depth) * 10 / (6 + 2 * place.min(20) as i32)
    }
}
