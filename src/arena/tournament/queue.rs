//! The games that are still to be played, which workers share.

use super::schedule::{Pairing, Results, Schedule};
use crate::arena::engine::process::Interrupt;
use std::collections::BTreeSet;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How often a worker without a game checks whether the match was interrupted.
const LOOK_UP: Duration = Duration::from_millis(100);

/// The games that no worker has taken yet.
#[derive(Debug)]
pub(super) struct Queue {
    state: Mutex<State>,
    /// Notified when there are more games, or no more will come.
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    schedule: Schedule,
    /// The games that were played before the match was resumed.
    played: BTreeSet<usize>,
    /// The number of the next game.
    next: usize,
    over: bool,
    /// No game begins after this.
    deadline: Option<Instant>,
}

impl Queue {
    /// The games of a schedule that have no result yet, for at most `max_time`.
    pub(super) fn new(
        mut schedule: Schedule,
        results: &Results,
        max_time: Option<Duration>,
    ) -> Self {
        schedule.extend(results);
        let played = results.keys().copied().collect();
        let deadline = max_time.and_then(|time| Instant::now().checked_add(time));
        let state = Mutex::new(State { schedule, played, next: 0, over: false, deadline });
        Self { state, changed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next game; `None` if there are no more. While the next round depends on games that others
    /// are still playing, it waits for them.
    pub(super) fn take(&self, interrupt: &Interrupt) -> Option<Pairing> {
        let mut state = self.lock();
        while !interrupt.is_raised()
            && !state.over
            && state.deadline.is_none_or(|deadline| Instant::now() < deadline)
        {
            if let Some(pairing) = state.schedule.game(state.next) {
                state.next += 1;
                if state.played.contains(&pairing.game) || !state.schedule.has(&pairing) {
                    continue;
                }
                return Some(pairing);
            }
            if state.schedule.is_complete() {
                return None;
            }
            let woken = self.changed.wait_timeout(state, LOOK_UP);
            state = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
        None
    }

    /// Adds the rounds that follow from the results.
    pub(super) fn extend(&self, results: &Results) {
        self.lock().schedule.extend(results);
        self.changed.notify_all();
    }

    /// Gives out no more games.
    pub(super) fn end(&self) {
        self.lock().over = true;
        self.changed.notify_all();
    }
}
