//! A stopwatch that measures a player's thinking time for a move. The caller passes in the current
//! time.

use std::time::{Duration, Instant};

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Watch {
    /// The start of the current interval, or `None` while the watch is stopped.
    since: Option<Instant>,
    before: Duration,
}

impl Watch {
    /// Creates a stopped watch that shows the time `before`.
    pub(super) const fn stopped_at(before: Duration) -> Self {
        Self { since: None, before }
    }

    pub(super) const fn runs(&self) -> bool {
        self.since.is_some()
    }

    pub(super) fn taken(&self, now: Instant) -> Duration {
        let running =
            self.since.map_or(Duration::ZERO, |since| now.saturating_duration_since(since));
        self.before.saturating_add(running)
    }

    pub(super) fn start(&mut self, now: Instant) {
        self.since.get_or_insert(now);
    }

    pub(super) fn halt(&mut self, now: Instant) {
        *self = Self::stopped_at(self.taken(now));
    }

    /// Resets the watch for the next turn. A running watch keeps running, and a stopped watch stays
    /// stopped.
    pub(super) fn turn(&mut self, now: Instant) {
        *self = Self { since: self.since.map(|_| now), before: Duration::ZERO };
    }

    /// Resumes the previous turn, which had taken `passed`.
    pub(super) const fn turn_back(&mut self, passed: Duration) {
        self.before = self.before.saturating_add(passed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_time_only_while_running() {
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let seconds = Duration::from_secs;
        let mut watch = Watch::default();
        assert_eq!((watch.taken(at(5)), watch.runs()), (seconds(0), false));
        watch.start(at(10));
        watch.start(at(12));
        assert_eq!(watch.taken(at(15)), seconds(5));
        watch.halt(at(17));
        assert_eq!((watch.taken(at(30)), watch.runs()), (seconds(7), false));
        watch.start(at(40));
        assert_eq!(watch.taken(at(41)), seconds(8));
        watch.turn(at(42));
        assert_eq!((watch.taken(at(45)), watch.runs()), (seconds(3), true));
        watch.turn_back(seconds(9));
        assert_eq!(watch.taken(at(45)), seconds(12));
    }
}
