//! What takes time to make, and is asked for by many.

use std::time::{Duration, Instant};

/// Of the time, making it anew takes at most one part in so many.
const PARTS: u32 = 25;

/// Something made of what changes. It is made anew when that has changed, but never so often that it takes
/// much of a processor, whoever asks for it how often.
#[derive(Debug, Default)]
pub(super) struct Paced<T> {
    /// What was made, of which change, and when it may be made again.
    made: Option<(T, u64, Instant)>,
}

impl<T: Clone> Paced<T> {
    /// What was made last, or a new one if there is a later `change` and it is time. `at_once` does not
    /// wait for that.
    pub(super) fn get(&mut self, change: u64, at_once: bool, make: impl FnOnce() -> T) -> T {
        self.get_by(Instant::now, change, at_once, make)
    }

    /// The same by this clock.
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
    fn what_takes_long_is_seldom_made() {
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
