//! What the search remembers: how good moves have been, by side, from and to.
//!
//! Every entry moves towards a bound by `bonus - value * |bonus| / bound`, so that it forgets.

use crate::base::side::Side;
use crate::draughts::Move;
use crate::search::depth::Depth;

/// The maximum magnitude of a history.
const MAX_HISTORY: i32 = 16_384;

/// A side, a square to leave, a square of arrival.
const SLOTS: usize = Side::NUM << 12;

/// The history table of a thread.
pub struct History(Box<[i16; SLOTS]>);

impl History {
    /// An empty table.
    pub fn new() -> Self {
        Self(Box::new([0; SLOTS]))
    }

    #[inline(always)]
    fn slot(side: Side, m: Move) -> usize {
        side.index() << 12 | usize::from(m.from().bit() & 63) << 6 | usize::from(m.to().bit() & 63)
    }

    /// How good a move has been.
    #[inline(always)]
    pub fn get(&self, side: Side, m: Move) -> i32 {
        i32::from(self.0[Self::slot(side, m)])
    }

    /// The bonus of a move that was best after a search of `depth`.
    #[inline(always)]
    pub fn bonus(depth: Depth) -> i32 {
        (32 * depth.0 * depth.0).clamp(32, 2000)
    }

    /// Rewards a move; a negative bonus punishes it.
    #[inline(always)]
    pub fn update(&mut self, side: Side, m: Move, bonus: i32) {
        let slot = &mut self.0[Self::slot(side, m)];
        *slot += (bonus - i32::from(*slot) * bonus.abs() / MAX_HISTORY) as i16;
    }
}
