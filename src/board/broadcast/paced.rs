//! A cached value that is expensive to compute and requested by many spectators.

use std::time::{Duration, Instant};

/// Minimum time from the start of a computation to the next, as a multiple of its duration.
const PARTS: u32 = 25;

/// A value derived from changing data. The value is recomputed after a change, but at a limited
/// rate, so that it uses little CPU time however many requests arrive.
#[derive(Debug, Default)]
pub(super) struct Paced<T> {
    /// The cached value, the number of the change it reflects, and the earliest time of the next
    /// computation.
    made: Option<(T, u64, Instant)>,
}

impl<T: Clone> Paced<T> {
    /// Returns the cached value, or a new value if `change` is newer and enough time has passed. If
    /// `at_once` is set, a new value is computed without waiting.
    pub(super) fn get(&mut self, change: u64, at_once: bool, make: impl FnOnce() -> T) -> T {
        self.get_by(Instant::now, change, at_once, make)
    }

    /// Implements [`Paced::get`] with the given clock.
    fn get_by(
        &mut self,
        clock: impl Fn() -> Instant,
        change: u64,
        at_once: bool,
        make: impl FnOnce() -> T,
    ) -> T {
        let now = clock();
        match &self.made {
            Some((made, of, again)) if *of == change || (now < *again && !at_once) => made.clone(),
            _ => {
                let made = make();
                let rest = (clock() - now) * PARTS;
                self.made = Some((made.clone(), change, now + rest.max(Duration::from_millis(1))));
                made
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn recomputes_expensive_values_rarely() {
        let clock = Cell::new(Instant::now());
        let pass = |ms| clock.set(clock.get() + Duration::from_millis(ms));
        let mut paced = Paced::default();
        let mut made = 0;
        let mut get = |change, at_once| {
            paced.get_by(
                || clock.get(),
                change,
                at_once,
                || {
                    pass(40);
                    made += 1;
                    made
                },
            )
        };
        assert_eq!([get(1, false), get(1, false), get(1, true)], [1, 1, 1], "nothing has changed");
        assert_eq!([get(2, false), get(3, false)], [1, 1], "it is too early");
        assert_eq!(get(3, true), 2);
        pass(959);
        assert_eq!(get(4, false), 2, "it is too early");
        pass(1);
        assert_eq!([get(4, false), get(5, false)], [3, 3], "it was time");
    }
}
