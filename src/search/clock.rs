//! Time management: how long to think about one move.
//!
//! There are two bounds. The *soft* one is what a move may cost on average; after each iteration it
//! grows or shrinks with how unsure the search is, and no new iteration begins past it. The *hard*
//! one is never passed.

use super::limits::{Clock, Limits};
use super::stop::StopHandle;
use std::time::{Duration, Instant};

/// How sure the search is of its move, after an iteration.
#[derive(Clone, Copy, Debug)]
pub struct Confidence {
    /// Iterations in a row with the same best move.
    pub stable_iterations: u32,
    /// The share of all nodes that went into the best move, 0 to 1.
    pub best_move_share: f64,
    /// By how many hundredths the score has fallen below that of earlier iterations.
    pub score_drop: i32,
    /// Whether there is only one legal move.
    pub only_move: bool,
}

/// The time bounds of one search.
#[derive(Clone, Debug)]
pub struct TimeManager {
    start: Instant,
    soft: Option<Duration>,
    hard: Option<Duration>,
    ponder: bool,
}

impl TimeManager {
    /// The bounds for a search; `overhead` is lost on the way to the interface.
    pub fn new<M>(limits: &Limits<M>, overhead: Duration) -> Self {
        let start = limits.begun.unwrap_or_else(Instant::now);
        let mut manager = Self { start, soft: None, hard: None, ponder: limits.ponder };
        if let Some(clock) = limits.clock {
            let (soft, hard) = share(clock, overhead);
            manager.soft = Some(soft);
            manager.hard = Some(hard);
        }
        if let Some(time) = limits.movetime {
            let time = time.saturating_sub(overhead.min(time / 2)).max(Duration::from_millis(1));
            manager.hard = Some(manager.hard.map_or(time, |hard| hard.min(time)));
        }
        manager
    }

    /// Time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Time that has run on our own clock; `None` while pondering.
    fn own_time(&self, handle: &StopHandle) -> Option<Duration> {
        if self.ponder {
            handle.ponder_hit_at().map(|hit| hit.elapsed())
        } else {
            Some(self.start.elapsed())
        }
    }

    /// Whether the search must end at once.
    pub fn must_stop(&self, handle: &StopHandle) -> bool {
        self.hard.is_some_and(|hard| self.own_time(handle).is_some_and(|own| own >= hard))
    }

    /// Whether no further iteration should begin. Time spent pondering counts as thinking, since
    /// the search is that much deeper.
    pub fn is_enough(&self, handle: &StopHandle, sure: Confidence) -> bool {
        let Some(soft) = self.soft else { return false };
        if self.own_time(handle).is_none() {
            return false;
        }
        if sure.only_move {
            return true;
        }
        let stability = 1.45 - 0.09 * f64::from(sure.stable_iterations.min(8));
        let share = (1.55 - sure.best_move_share).max(0.35) * 1.35;
        let drop = 1.0 + f64::from(sure.score_drop.clamp(-10, 60)) / 100.0;
        let wanted = soft.mul_f64((stability * share * drop).clamp(0.2, 3.0));
        self.elapsed() >= wanted
    }
}

/// Time never spent when playing by the clock: a machine can stall for a tenth of a second.
const RESERVE: Duration = Duration::from_millis(120);

/// The soft and hard bound for a move played by the clock.
fn share(clock: Clock, overhead: Duration) -> (Duration, Duration) {
    let least = Duration::from_millis(1);
    let time = clock.time.saturating_sub(overhead);
    // Never all that is left: more time passes than is measured here.
    let most = time.mul_f64(0.8);
    let (soft, hard) = match clock.moves_to_go {
        Some(moves) => {
            let moves = f64::from(moves.clamp(1, 50));
            let pool = time + clock.increment.mul_f64(moves - 1.0);
            let soft = pool.mul_f64(0.9 / moves.max(1.2));
            (soft, soft.mul_f64(if moves < 2.0 { 1.0 } else { 4.0 }))
        }
        None => {
            // Half of each increment is saved, and more of it once the reserve is touched: on a busy
            // machine every move costs some milliseconds more than are measured here.
            let spare = time.saturating_sub(RESERVE);
            let whole = (time.as_secs_f64() / RESERVE.as_secs_f64()).min(1.0);
            let gained = clock.increment.mul_f64(0.5 * whole);
            (spare.mul_f64(0.038) + gained, spare.mul_f64(0.18) + gained)
        }
    };
    let hard = hard.min(most).max(least);
    (soft.min(hard), hard)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: fn(u64) -> Duration = Duration::from_millis;

    #[test]
    fn a_move_never_gets_more_than_the_clock_has() {
        for time in [1, 5, 20, 100, 1000, 60_000, 7_200_000] {
            for increment in [0, 10, 1000, 30_000] {
                for moves_to_go in [None, Some(1), Some(2), Some(40)] {
                    let clock = Clock { time: MS(time), increment: MS(increment), moves_to_go };
                    let (soft, hard) = share(clock, MS(10));
                    assert!(soft <= hard && hard <= MS(time), "{clock:?}: {soft:?} {hard:?}");
                }
            }
        }
    }

    /// A search that begins late, since others wanted the processor, has that much less time.
    #[test]
    fn the_clock_runs_from_when_it_was_asked_for() {
        let begun = Instant::now().checked_sub(MS(400));
        let limits = Limits::<()> { begun, ..Limits::movetime(MS(300)) };
        let time = TimeManager::new(&limits, MS(0));
        assert!(begun.is_some() && time.elapsed() >= MS(400) && time.must_stop(&StopHandle::new()));
    }

    #[test]
    fn an_increment_refills_the_reserve_whatever_each_move_costs_besides() {
        let (increment, besides) = (MS(10), MS(6));
        let mut time = MS(40);
        for _ in 0..100 {
            let (soft, _) = share(Clock { time, increment, moves_to_go: None }, MS(10));
            time = (time + increment).checked_sub(soft + besides).expect("no loss on time");
        }
        assert!(time > MS(90), "{time:?}");
    }

    #[test]
    fn a_clock_with_moves_to_go_lasts() {
        let mut time = MS(60_000);
        for moves in (1..=40).rev() {
            let clock = Clock { time, increment: MS(0), moves_to_go: Some(moves) };
            let (soft, _) = share(clock, MS(10));
            assert!(soft > MS(100), "{moves} moves to go: {soft:?}");
            time -= soft;
        }
    }
}
