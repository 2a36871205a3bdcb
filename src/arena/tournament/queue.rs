//! The queue of remaining games, shared by the worker threads.

use super::schedule::{Pairing, Results, Schedule};
use crate::arena::engine::process::Interrupt;
use std::collections::BTreeSet;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

const POLL_INTERVAL: Duration = Duration::from_millis(100);

#[derive(Debug)]
pub(super) struct Queue {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    schedule: Schedule,
    /// Games played before the match was resumed.
    played: BTreeSet<usize>,
    next: usize,
    over: bool,
    deadline: Option<Instant>,
}

impl Queue {
    /// Queues the games of a schedule that have no result yet. No game is started after `max_time`
    /// has elapsed.
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

    /// Returns the next game, or `None` if no game remains, the match is being stopped, or its
    /// maximum time has elapsed. Blocks while the next round depends on games that are still
    /// running.
    pub(super) fn take(&self, interrupt: &Interrupt) -> Option<Pairing> {
        let mut state = self.lock();
        while !interrupt.is_raised()
            && !state.over
            && state.deadline.is_none_or(|deadline| Instant::now() < deadline)
        {
            if let Some(pairing) = state.schedule.game(state.next) {
                state.next += 1;
                if state.played.contains(&pairing.game) || !state.schedule.contains(&pairing) {
                    continue;
                }
                return Some(pairing);
            }
            if state.schedule.is_complete() {
                return None;
            }
            let woken = self.changed.wait_timeout(state, POLL_INTERVAL);
            state = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
        None
    }

    pub(super) fn extend(&self, results: &Results) {
        self.lock().schedule.extend(results);
        self.changed.notify_all();
    }

    pub(super) fn end(&self) {
        self.lock().over = true;
        self.changed.notify_all();
    }
}
