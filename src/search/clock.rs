//! Time management with a soft and a hard limit per move.
//!
//! The *soft* limit is the time planned for an ordinary move. After each iteration, this limit is
//! extended if the best move is uncertain and shortened if the best move is clear. No new iteration
//! starts after the soft limit. The *hard* limit also stops a running iteration. Only the first
//! iteration may run past the hard limit, within the first 100 ms of the search.

use super::limits::{Clock, Limits};
use super::stop::StopHandle;
use std::time::{Duration, Instant};

/// The search's confidence in its best move after an iteration.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Confidence {
    /// The number of consecutive iterations with the same best move.
    pub stable_iterations: u32,
    /// The share of all nodes spent on the best move, from 0 to 1.
    pub best_move_share: f64,
    /// The average score of earlier iterations minus the current score, on the internal scale of
    /// the search.
    pub score_drop: i32,
    pub only_move: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct TimeManager {
    start: Instant,
    soft: Option<Duration>,
    hard: Option<Duration>,
    ponder: bool,
}

impl TimeManager {
    /// Computes the limits of a search. `overhead` is the communication delay per move.
    pub(crate) fn new<M>(limits: &Limits<M>, overhead: Duration) -> Self {
        let start = limits.clock_start.unwrap_or_else(Instant::now);
        let mut manager = Self { start, soft: None, hard: None, ponder: limits.ponder };
        if let Some(clock) = limits.clock {
            let lag = if limits.lag > overhead { limits.lag } else { Duration::ZERO };
            let (soft, hard) = move_time(clock, overhead, lag);
            manager.soft = Some(soft);
            manager.hard = Some(hard);
        }
        if let Some(time) = limits.movetime {
            let time = time.saturating_sub(overhead.min(time / 2)).max(Duration::from_millis(1));
            manager.hard = Some(manager.hard.map_or(time, |hard| hard.min(time)));
        }
        manager
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Returns the time elapsed on our own clock; `None` while pondering.
    fn own_time(&self, handle: &StopHandle) -> Option<Duration> {
        if self.ponder {
            handle.ponder_hit_at().map(|hit| hit.elapsed())
        } else {
            Some(self.start.elapsed())
        }
    }

    pub(crate) fn must_stop(&self, handle: &StopHandle) -> bool {
        self.hard.is_some_and(|hard| self.own_time(handle).is_some_and(|own| own >= hard))
    }

    /// Returns whether no further iteration should start. Time spent pondering counts, because
    /// pondering has deepened the search.
    pub(crate) fn should_stop_deepening(
        &self,
        handle: &StopHandle,
        confidence: Confidence,
    ) -> bool {
        let Some(soft) = self.soft else { return false };
        if self.own_time(handle).is_none() {
            return false;
        }
        if confidence.only_move {
            return true;
        }
        let stability = 1.45 - 0.09 * f64::from(confidence.stable_iterations.min(8));
        let share = (1.55 - confidence.best_move_share).max(0.35) * 1.35;
        let drop = 1.0 + f64::from(confidence.score_drop.clamp(-10, 60)) / 100.0;
        let wanted = soft.mul_f64((stability * share * drop).clamp(0.2, 3.0));
        self.elapsed() >= wanted
    }
}

/// The time held back if the clock is for the rest of the game, because a machine can stall for a
/// tenth of a second.
const RESERVE: Duration = Duration::from_millis(120);

/// On a busy machine, this multiple of the lag is held back if it is more than [`RESERVE`].
const RESERVE_IN_LAGS: u32 = 8;
/// At least this multiple of the lag remains on the clock after every move.
const FLOOR_IN_LAGS: u32 = 3;

/// Returns the soft and the hard limit for a move on a clock. `lag` is the largest recent lag, or 0
/// if the lag does not exceed `overhead`.
fn move_time(clock: Clock, overhead: Duration, lag: Duration) -> (Duration, Duration) {
    let min = Duration::from_millis(1);
    let time = clock.time.saturating_sub(overhead);
    // Use at most four fifths of the remaining time, because a move costs more time on the clock
    // than is measured here.
    let max = time.mul_f64(0.8).min(time.saturating_sub(lag.saturating_mul(FLOOR_IN_LAGS)));
    let (soft, hard) = match clock.moves_to_go {
        Some(moves) => {
            let moves = f64::from(moves.clamp(1, 50));
            let pool = time + clock.increment.mul_f64(moves - 1.0);
            let pool = pool.saturating_sub(lag.mul_f64(moves));
            let soft = pool.mul_f64(0.9 / moves.max(1.2));
            (soft, soft.mul_f64(if moves < 2.0 { 1.0 } else { 4.0 }))
        }
        None => {
            // Save half of each increment, and more than half if the remaining time is less than
            // the reserve: on a busy machine, every move costs a few milliseconds that are not
            // measured here.
            let reserve = RESERVE.max(lag.saturating_mul(RESERVE_IN_LAGS));
            let spare = time.saturating_sub(reserve);
            let whole = (time.as_secs_f64() / reserve.as_secs_f64()).min(1.0);
            let gained = clock.increment.saturating_sub(lag).mul_f64(0.5 * whole);
            (spare.mul_f64(0.038) + gained, spare.mul_f64(0.18) + gained)
        }
    };
    let hard = hard.min(max).max(min);
    (soft.min(hard), hard)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: fn(u64) -> Duration = Duration::from_millis;

    #[test]
    fn limits_stay_within_the_remaining_time() {
        for time in [1, 5, 20, 100, 1000, 60_000, 7_200_000] {
            for increment in [0, 10, 1000, 30_000] {
                for moves_to_go in [None, Some(1), Some(2), Some(40)] {
                    let clock = Clock { time: MS(time), increment: MS(increment), moves_to_go };
                    for lag in [0, 15, 400] {
                        let (soft, hard) = move_time(clock, MS(10), MS(lag));
                        let limit = MS(time).saturating_sub(3 * MS(lag)).max(MS(1));
                        assert!(soft <= hard && hard <= limit, "{clock:?}: {soft:?} {hard:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_late_start_counts_as_elapsed_time() {
        let clock_start = Instant::now().checked_sub(MS(400));
        let limits = Limits::<()> { clock_start, ..Limits::movetime(MS(300)) };
        let time = TimeManager::new(&limits, MS(0));
        assert!(
            clock_start.is_some()
                && time.elapsed() >= MS(400)
                && time.must_stop(&StopHandle::new())
        );
    }

    #[test]
    fn increments_refill_the_reserve_despite_overhead() {
        let (increment, cost) = (MS(10), MS(6));
        let mut time = MS(40);
        for _ in 0..100 {
            let (soft, _) = move_time(Clock { time, increment, moves_to_go: None }, MS(10), MS(0));
            time = (time + increment).checked_sub(soft + cost).expect("no loss on time");
        }
        assert!(time > MS(90), "{time:?}");
    }

    /// Every move loses 12 ms and every tenth move 60 ms, as on a machine that runs two busy loops.
    #[test]
    fn lag_beyond_the_overhead_is_saved() {
        let (increment, mut time, mut lowest) = (MS(20), MS(2000), MS(2000));
        for n in 1..300 {
            let clock = Clock { time, increment, moves_to_go: None };
            let lag = MS(if n % 10 == 0 { 60 } else { 12 });
            let (soft, _) = move_time(clock, MS(10), MS(60));
            time = time.checked_sub(soft + lag).expect("no loss on time") + increment;
            lowest = lowest.min(time);
        }
        assert!(lowest > MS(150), "{lowest:?}");
    }

    #[test]
    fn lag_within_the_overhead_has_no_effect() {
        let clock = Clock { time: MS(2000), increment: MS(20), moves_to_go: None };
        let limits = |lag| {
            let limits = Limits::<()> { clock: Some(clock), lag: MS(lag), ..Limits::default() };
            let time = TimeManager::new(&limits, MS(10));
            (time.soft, time.hard)
        };
        assert_eq!(limits(10), limits(0));
        assert!(limits(11) < limits(10));
    }

    #[test]
    fn time_lasts_until_the_time_control() {
        let mut time = MS(60_000);
        for moves in (1..=40).rev() {
            let clock = Clock { time, increment: MS(0), moves_to_go: Some(moves) };
            let (soft, _) = move_time(clock, MS(10), MS(0));
            assert!(soft > MS(100), "{moves} moves to go: {soft:?}");
            time -= soft;
        }
    }
}
