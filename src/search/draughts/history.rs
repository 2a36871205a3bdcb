//! The history heuristic: how well moves have done in the search so far, by side, origin and
//! destination square.
//!
//! Each update adds `bonus - value * |bonus| / bound`, so that old results fade ("history
//! gravity").

use crate::base::side::Side;
use crate::draughts::Move;
use crate::search::depth::Depth;

const MAX_HISTORY: i32 = 16_384;

/// The number of slots. An index consists of a side bit, six bits for the origin and six bits for
/// the destination.
const SLOTS: usize = Side::NUM << 12;

pub(super) struct History(Box<[i16; SLOTS]>);

impl History {
    pub(super) fn new() -> Self {
        Self(Box::new([0; SLOTS]))
    }

    #[inline(always)]
    fn slot(side: Side, m: Move) -> usize {
        side.index() << 12 | usize::from(m.from().bit() & 63) << 6 | usize::from(m.to().bit() & 63)
    }

    #[inline(always)]
    pub(super) fn get(&self, side: Side, m: Move) -> i32 {
        i32::from(self.0[Self::slot(side, m)])
    }

    #[inline(always)]
    pub(super) fn bonus(depth: Depth) -> i32 {
        (32 * depth.0 * depth.0).clamp(32, 2000)
    }

    #[inline(always)]
    pub(super) fn update(&mut self, side: Side, m: Move, bonus: i32) {
        let slot = &mut self.0[Self::slot(side, m)];
        *slot += (bonus - i32::from(*slot) * bonus.abs() / MAX_HISTORY) as i16;
    }
}
