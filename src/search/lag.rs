//! The time that a move costs on the interface's clock beyond the time that the engine measures.
//!
//! On an idle machine this lag is below a millisecond. On a busy machine the interface, the reading
//! of the command and the sending of the answer each wait for a processor. The engine cannot
//! measure these waits, but the clock of its next move shows their sum.

use super::limits::Clock;
use crate::base::side::Side;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The maximum plausible lag. A larger time difference has another cause, for example a clock that
/// was set by hand.
const MAX_LAG: Duration = Duration::from_secs(1);
/// On each later move, the largest lag is multiplied by this factor.
const FADING: f64 = 0.9;

/// Measures the lag by comparing the clocks before two consecutive moves. Shared by the search
/// thread and the thread that reads commands.
#[derive(Debug, Default)]
pub(crate) struct LagMeter(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    last: Option<Searched>,
    /// The largest recent lag, which decays with each move.
    largest: Duration,
}

#[derive(Clone, Copy, Debug)]
struct Searched {
    side: Side,
    /// The clock before the move.
    clock: Clock,
    /// The time from the `go` command to the end of the search.
    spent: Duration,
}

impl LagMeter {
    /// Updates the largest recent lag and returns it. `clock` is the clock before the next move.
    pub(crate) fn largest(&self, side: Side, clock: Clock) -> Duration {
        let mut state = self.lock();
        if let Some(last) = state.last.take().filter(|last| last.side == side) {
            let before = last.clock.time.saturating_add(last.clock.increment);
            let cost = before.checked_sub(clock.time);
            let lag = cost.and_then(|cost| cost.checked_sub(last.spent));
            if let Some(lag) = lag.filter(|&lag| lag <= MAX_LAG) {
                state.largest = state.largest.mul_f64(FADING).max(lag);
            }
        }
        state.largest
    }

    /// Records a finished search.
    pub(crate) fn record_search(&self, side: Side, clock: Clock, spent: Duration) {
        self.lock().last = Some(Searched { side, clock, spent });
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: fn(u64) -> Duration = Duration::from_millis;

    fn clock(time: u64) -> Clock {
        Clock { time: MS(time), increment: MS(20), moves_to_go: None }
    }

    #[test]
    fn lag_is_the_unexplained_loss_of_time() {
        let meter = LagMeter::default();
        assert_eq!(meter.largest(Side::White, clock(2000)), MS(0));
        meter.record_search(Side::White, clock(2000), MS(50));
        // Without lag, 2000 + 20 - 50 = 1970 ms would remain.
        assert_eq!(meter.largest(Side::White, clock(1940)), MS(30));
        meter.record_search(Side::White, clock(1940), MS(50));
        assert_eq!(meter.largest(Side::White, clock(1908)), MS(27));
        meter.record_search(Side::White, clock(1908), MS(50));
        assert_eq!(meter.largest(Side::White, clock(1800)), MS(78));
    }

    #[test]
    fn unrelated_clocks_have_no_lag() {
        let meter = LagMeter::default();
        for (side, next) in [
            // A new game, the other side, and a loss of time that is too large to be lag.
            (Side::White, 60_000),
            (Side::Black, 1900),
            (Side::White, 500),
        ] {
            meter.record_search(Side::White, clock(2000), MS(50));
            assert_eq!(meter.largest(side, clock(next)), MS(0), "{side} {next}");
            // No search has been recorded since the previous call to `largest`.
            assert_eq!(meter.largest(side, clock(next.saturating_sub(300))), MS(0));
        }
    }
}
