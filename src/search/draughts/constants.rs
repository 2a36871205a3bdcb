//! The tunable constants of the draughts search, with margins in hundredths of a man. The steps are
//! numbered in the module `node`.

use crate::search::constants::constants;

constants! {
    pub struct Constants {
        /// Step 6, reverse futility: the margin above beta per ply of depth.
        futility_margin = 30 in 8..=90 by 4;
        /// Step 7: the divisor of ln(depth) * ln(move number), in hundredths.
        reduction_divisor = 150 in 80..=300 by 10;
    }
}
