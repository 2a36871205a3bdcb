//! The time that really passes while a player thinks. Time is passed in, never read.

use std::time::{Duration, Instant};

/// A stopwatch for one turn. It runs or stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Watch {
    /// Since when it runs; `None` while it stands.
    since: Option<Instant>,
    /// What had passed before.
    before: Duration,
}

impl Watch {
    /// Whether it runs.
    pub const fn runs(&self) -> bool {
        self.since.is_some()
    }

    /// What has passed in this turn.
    pub fn taken(&self, now: Instant) -> Duration {
        let running =
            self.since.map_or(Duration::ZERO, |since| now.saturating_duration_since(since));
        self.before.saturating_add(running)
    }

    /// Lets it run.
    pub fn start(&mut self, now: Instant) {
        self.since.get_or_insert(now);
    }

    /// Halts it.
    pub fn halt(&mut self, now: Instant) {
        *self = Self { since: None, before: self.taken(now) };
    }

    /// Another turn begins. It goes on to run, or to stand.
    pub fn turn(&mut self, now: Instant) {
        *self = Self { since: self.since.map(|_| now), before: Duration::ZERO };
    }

    /// The turn before goes on, in which so much had passed.
    pub const fn turn_back(&mut self, passed: Duration) {
        self.before = self.before.saturating_add(passed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_passes_while_it_runs() {
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
