//! Late-move reductions.

use super::depth::Depth;

/// Late-move reductions, indexed by depth and move number. Each game has its own unit.
pub(super) struct Reductions(Box<[[i32; 64]; 64]>);

impl Reductions {
    /// Creates the table. `reduction` converts ln(depth) * ln(move number) to a reduction.
    pub(super) fn new(reduction: impl Fn(f64) -> i32) -> Self {
        let mut table = Box::new([[0; 64]; 64]);
        for (depth, row) in table.iter_mut().enumerate().skip(1) {
            for (number, entry) in row.iter_mut().enumerate().skip(1) {
                *entry = reduction((depth as f64).ln() * (number as f64).ln());
            }
        }
        Self(table)
    }

    /// Returns the reduction of the move with this number, counted from 1.
    #[inline(always)]
    pub(super) fn get(&self, depth: Depth, number: usize) -> i32 {
        self.0[depth.0.min(63) as usize][number.min(63)]
    }
}
