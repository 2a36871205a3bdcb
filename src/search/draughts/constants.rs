//! The constants of the draughts search: margins in hundredths of a man.
//!
//! The steps named are those of `node`.

use crate::search::constants::constants;

constants! {
    /// What the draughts search weighs by numbers alone.
    pub struct Constants {
        /// Step 6, reverse futility: what a side may lose in one half-move of quiet play.
        futility_margin = 30 in 8..=90 by 4;
        /// Step 7: divides the product of the logarithms of depth and number, in hundredths.
        reduction_divisor = 150 in 80..=300 by 10;
    }
}
