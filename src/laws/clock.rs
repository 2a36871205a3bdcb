//! Time controls and the clock of one player.
//!
//! Elapsed time is passed in, so tests do not have to wait. The time of a completed move is first
//! deducted. Then the increment is added, and at the end of a period also the time of the next
//! period. The flag can therefore fall on the last move of a period (FIDE Laws 2009, 6.2 and 6.9).
//!
//! | text | meaning |
//! |---|---|
//! | `300+5` | each completed move adds 5 s (Fischer) |
//! | `300b5` | each completed move adds the time it took, at most 5 s (Bronstein) |
//! | `300d5` | the clock starts 5 s into a move (simple delay; the "fixed extra time" of 6.2) |
//! | `*60` | an hourglass: the opponent gains the time that a player uses |
//!
//! The first and last forms are those of the PGN Standard (9.6.1), which has no notation for
//! delays.

use crate::base::span::Span;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// One period of a time control, written `[moves/]time[+increment]` with times in seconds. `b` or
/// `d` can replace `+`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Period {
    /// The number of moves in the period; `None` if the period lasts for the rest of the game.
    pub moves: Option<u32>,
    /// The time for the period.
    pub time: Duration,
    /// The increment or delay for each move.
    pub bonus: Bonus,
}

/// An increment or delay for each move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bonus {
    /// Each completed move adds this time.
    Increment(Duration),
    /// Each completed move adds the time it took, up to this maximum.
    Bronstein(Duration),
    /// The clock starts to run this long after the start of each move.
    Delay(Duration),
}

impl Bonus {
    /// Returns the time of the bonus.
    pub const fn time(self) -> Duration {
        match self {
            Self::Increment(time) | Self::Bronstein(time) | Self::Delay(time) => time,
        }
    }
}

/// A time control: the time, and node and depth limits for each move.
///
/// ```
/// use adoube::matches::TimeControl;
///
/// let clock = TimeControl { budget: "40/5m+3".parse()?, ..TimeControl::default() };
/// assert_eq!(clock.to_string(), "40/300+3");
/// let nodes = TimeControl { nodes: Some(10_000), ..TimeControl::default() };
/// assert_eq!(nodes.to_string(), "-");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TimeControl {
    /// The time.
    pub budget: Budget,
    /// The maximum number of nodes per move.
    pub nodes: Option<u64>,
    /// The maximum depth in plies.
    pub depth: Option<u32>,
}

#[cfg_attr(not(feature = "arena"), allow(dead_code, reason = "only used by the arena"))]
impl TimeControl {
    /// Returns whether there is no limit at all.
    pub(crate) fn is_unlimited(&self) -> bool {
        *self == Self::default()
    }

    /// Describes the node and depth limits, as in `5000 nodes per move, depth 7`. Returns an empty
    /// string if there are none.
    pub(crate) fn limits(&self) -> String {
        let nodes = self.nodes.map(|nodes| match nodes {
            1 => "1 node per move".to_owned(),
            _ => format!("{nodes} nodes per move"),
        });
        let depth = self.depth.map(|depth| format!("depth {depth}"));
        nodes.into_iter().chain(depth).collect::<Vec<_>>().join(", ")
    }

    /// Returns a readable description of the time and the limits.
    pub(crate) fn description(&self) -> String {
        let time = match &self.budget {
            // This is more readable than the form in the `TimeControl` tag, which is `1/0.02`.
            Budget::PerMove(time) => format!("{} ms per move", time.as_micros() as f64 / 1e3),
            _ => self.to_string(),
        };
        match (&self.budget, self.limits()) {
            (_, limits) if limits.is_empty() => time,
            (Budget::Unlimited, limits) => limits,
            (_, limits) => format!("{time}, {limits}"),
        }
    }
}

/// The time part of a time control.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Budget {
    /// No clock; only nodes or depth limit a move.
    #[default]
    Unlimited,
    /// A fixed time for each move; unused time is lost.
    PerMove(Duration),
    /// A chess clock with at least one period. The last period repeats if it has a number of moves.
    Periods(Vec<Period>),
    /// An hourglass that starts with this time on each side.
    Hourglass(Duration),
}

impl Reading {
    pub const fn period(&self) -> usize {
        self.period
    }

    /// Returns the remaining time, excluding any delay.
    pub const fn left(&self) -> Duration {
        self.remaining
    }
}

/// The error for text that is not a time control.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ControlError {
    /// An invalid time.
    #[error(
        "'{0}' is not a time in seconds (90, 0.5), minutes (5m) or hours (2h), up to {most} seconds",
        most = Span::MAX.as_secs()
    )]
    Time(String),
    /// An invalid number of moves.
    #[error("'{0}' is not a number of moves from 1 (as in 40/60)")]
    Moves(String),
    /// A period without a number of moves before the last period.
    #[error("period '{0}' has no number of moves, so nothing can follow it")]
    Endless(String),
}

/// Parses a time in seconds, or in minutes or hours as in `5m` and `2h`.
fn seconds(text: &str) -> Result<Duration, ControlError> {
    let (count, unit) = match (text.strip_suffix('m'), text.strip_suffix('h')) {
        (Some(minutes), _) => (minutes, 60.0),
        (_, Some(hours)) => (hours, 3600.0),
        _ => (text, 1.0),
    };
    let count = count.parse::<Span>().ok().map(Span::time);
    let span = count.and_then(|count| Span::of_seconds(count.as_secs_f64() * unit));
    span.map(Span::time).ok_or_else(|| ControlError::Time(text.to_owned()))
}

/// The signs before the increment, the Bronstein increment or the delay.
pub(crate) const BONUS_SIGNS: [char; 3] = ['+', 'b', 'd'];

impl FromStr for Period {
    type Err = ControlError;

    fn from_str(text: &str) -> Result<Self, ControlError> {
        let (moves, rest) = match text.split_once('/') {
            None => (None, text),
            Some((moves, rest)) => match moves.parse() {
                Ok(n) if n > 0 => (Some(n), rest),
                _ => return Err(ControlError::Moves(moves.to_owned())),
            },
        };
        let (time, bonus) = rest.split_once(BONUS_SIGNS).unwrap_or((rest, "0"));
        let sign = rest.chars().find(|c| BONUS_SIGNS.contains(c));
        let (time, bonus) = (seconds(time)?, seconds(bonus)?);
        let bonus = match sign {
            Some('b') => Bonus::Bronstein(bonus),
            Some('d') => Bonus::Delay(bonus),
            _ => Bonus::Increment(bonus),
        };
        Ok(Self { moves, time, bonus })
    }
}

impl FromStr for Budget {
    type Err = ControlError;

    /// Parses `2+0.02`, `40/60`, `40/7200+30:20/3600:900+30`, `300b5`, `300d5`, `*60`. A time can
    /// have a unit: `5m+3`, `40/2h:1h`.
    fn from_str(text: &str) -> Result<Self, ControlError> {
        if let Some(time) = text.strip_prefix('*') {
            return Ok(Self::Hourglass(seconds(time)?));
        }
        let texts: Vec<&str> = text.split(':').collect();
        let periods = texts.iter().map(|t| t.parse()).collect::<Result<Vec<Period>, _>>()?;
        let endless = periods.iter().rev().skip(1).rev().position(|p| p.moves.is_none());
        match endless {
            Some(index) => Err(ControlError::Endless(texts[index].to_owned())),
            None => Ok(Self::Periods(periods)),
        }
    }
}

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.time.as_secs_f64())?;
        let sign = match self.bonus {
            Bonus::Increment(time) if time.is_zero() => return Ok(()),
            Bonus::Increment(_) => '+',
            Bonus::Bronstein(_) => 'b',
            Bonus::Delay(_) => 'd',
        };
        write!(f, "{sign}{}", self.bonus.time().as_secs_f64())
    }
}

impl fmt::Display for TimeControl {
    /// Writes the `TimeControl` tag of PGN. A fixed time per move is written as a period of one
    /// move.
    ///
    /// Without a clock the tag is `-`, "no time control mode in use" (PGN Standard, 9.6.1). The
    /// standard has no notation for node or depth limits, so these are not written. fastchess uses
    /// `-` in the same way. python-chess 1.11 reads `-` as unlimited and rejects non-standard
    /// words.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.budget {
            Budget::Unlimited => f.write_str("-"),
            Budget::PerMove(time) => write!(f, "1/{}", time.as_secs_f64()),
            Budget::Hourglass(time) => write!(f, "*{}", time.as_secs_f64()),
            Budget::Periods(periods) => {
                for (i, period) in periods.iter().enumerate() {
                    write!(f, "{}{period}", if i > 0 { ":" } else { "" })?;
                }
                Ok(())
            }
        }
    }
}

/// A fallen flag, with the times of the move during which it fell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Flag {
    /// The remaining time at the start of the move.
    pub left: Duration,
    /// The time taken for the move.
    pub taken: Duration,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clock {
    budget: Budget,
    reading: Reading,
    /// The time of the current turn that has already been deducted.
    spent: Duration,
}

/// A snapshot of a clock, to be restored by [`Clock::set_back`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reading {
    period: usize,
    moves_to_go: Option<u32>,
    remaining: Duration,
}

impl Clock {
    pub fn new(budget: &Budget) -> Self {
        let (remaining, moves_to_go) = match budget {
            Budget::Unlimited => (Duration::MAX, None),
            Budget::PerMove(time) | Budget::Hourglass(time) => (*time, None),
            Budget::Periods(periods) => {
                periods.first().map_or((Duration::ZERO, None), |p| (p.time, p.moves))
            }
        };
        let reading = Reading { period: 0, moves_to_go, remaining };
        Self { budget: budget.clone(), reading, spent: Duration::ZERO }
    }

    /// Returns the remaining time for this move, including the rest of any delay, or `None` without
    /// a clock.
    pub fn remaining(&self) -> Option<Duration> {
        let delay = self.delay().saturating_sub(self.spent);
        (self.budget != Budget::Unlimited).then(|| self.reading.remaining.saturating_add(delay))
    }

    /// Returns the number of moves until the next period, or `None` if no period follows.
    pub const fn moves_to_go(&self) -> Option<u32> {
        self.reading.moves_to_go
    }

    fn bonus(&self) -> Bonus {
        match &self.budget {
            Budget::Periods(periods) => periods.get(self.reading.period).map(|period| period.bonus),
            _ => None,
        }
        .unwrap_or(Bonus::Increment(Duration::ZERO))
    }

    fn delay(&self) -> Duration {
        match self.bonus() {
            Bonus::Delay(time) => time,
            _ => Duration::ZERO,
        }
    }

    /// Returns the maximum time that this move can add to [`Self::remaining`]. An engine can treat
    /// a delay or a Bronstein bonus as an increment, because the engine normally spends at least
    /// that much time on a move.
    pub fn increment(&self) -> Duration {
        self.bonus().time()
    }

    /// Charges the clock for a move that took `taken`. An excess of up to `margin` is tolerated, to
    /// allow for the latency of the machine. Returns the time that the opponent gains: zero unless
    /// the clock is an hourglass.
    ///
    /// # Errors
    /// Fails if the flag falls.
    pub fn charge(&mut self, taken: Duration, margin: Duration) -> Result<Duration, Flag> {
        let gained = self.deduct(taken, margin)?;
        self.spent = Duration::ZERO;
        let bonus = self.bonus();
        let Budget::Periods(periods) = &self.budget else { return Ok(gained) };
        if let Bonus::Increment(time) = bonus {
            self.reading.remaining = self.reading.remaining.saturating_add(time);
        }
        if let Some(moves) = &mut self.reading.moves_to_go {
            *moves -= 1;
            if *moves == 0 {
                self.reading.period = (self.reading.period + 1).min(periods.len() - 1);
                self.reading.remaining =
                    self.reading.remaining.saturating_add(periods[self.reading.period].time);
                self.reading.moves_to_go = periods[self.reading.period].moves;
            }
        }
        Ok(gained)
    }

    /// Charges the clock for a press that ends the turn without completing a move, such as the press
    /// after an illegal move. The press earns no increment and does not count as a move. Returns the
    /// time that the opponent gains, as [`Self::charge`] does.
    ///
    /// # Errors
    /// Fails if the flag falls. No time then remains.
    pub fn charge_incomplete(&mut self, taken: Duration) -> Result<Duration, Flag> {
        let gained = self.deduct(taken, Duration::ZERO);
        self.spent = Duration::ZERO;
        gained.inspect_err(|_| self.reading.remaining = Duration::ZERO)
    }

    /// Deducts a part of the time of a turn, except for what a delay or a Bronstein bonus covers.
    /// Both cover the turn as a whole, however often the player presses. Returns the time that the
    /// opponent gains.
    fn deduct(&mut self, taken: Duration, margin: Duration) -> Result<Duration, Flag> {
        if let Some(left) = self.remaining()
            && taken > left.saturating_add(margin)
        {
            return Err(Flag { left, taken });
        }
        let covered = match self.bonus() {
            Bonus::Increment(_) => Duration::ZERO,
            Bonus::Bronstein(time) | Bonus::Delay(time) => time.saturating_sub(self.spent),
        };
        let left = self.reading.remaining;
        let gained = match self.budget {
            Budget::Unlimited | Budget::PerMove(_) => return Ok(Duration::ZERO),
            Budget::Hourglass(_) => taken.min(left),
            Budget::Periods(_) => Duration::ZERO,
        };
        self.reading.remaining = left.saturating_sub(taken.saturating_sub(covered));
        Ok(gained)
    }

    /// In an hourglass, adds the time that the opponent's move took.
    pub fn gain(&mut self, time: Duration) {
        if matches!(self.budget, Budget::Hourglass(_)) {
            self.reading.remaining = self.reading.remaining.saturating_add(time);
        }
    }

    pub const fn reading(&self) -> Reading {
        self.reading
    }

    pub const fn set_back(&mut self, reading: Reading) {
        (self.reading, self.spent) = (reading, Duration::ZERO);
    }

    /// Sets the remaining time, excluding any delay, as when an arbiter adjusts the clock (6.10,
    /// 6.13).
    pub const fn set(&mut self, remaining: Duration) {
        self.reading.remaining = remaining;
    }

    /// Deducts time that passed before the press that ends the turn, as when a player arrives late.
    /// Does nothing if the clock has a fixed time per move. Returns the time that the opponent
    /// gains, as [`Self::charge`] does.
    ///
    /// # Errors
    /// Fails if the flag falls. No time then remains.
    pub fn spend(&mut self, time: Duration) -> Result<Duration, Flag> {
        if !matches!(self.budget, Budget::Periods(_) | Budget::Hourglass(_)) {
            return Ok(Duration::ZERO);
        }
        let gained = self.deduct(time, Duration::ZERO);
        self.spent = self.spent.saturating_add(time);
        gained.inspect_err(|_| self.reading.remaining = Duration::ZERO)
    }

    /// Counts additional moves towards the end of the period, as when moves are given as odds (FIDE
    /// Laws 1930, Art. 22.3). The additional moves alone never end the period.
    pub fn count(&mut self, moves: u32) {
        if let Some(to_go) = &mut self.reading.moves_to_go {
            *to_go = to_go.saturating_sub(moves).max(1);
        }
    }

    /// Starts the next period, if there is one, before the moves of this period are complete. This
    /// happens when a flag falls but the game goes on (6.11 a, 8.6).
    pub fn next_period(&mut self) {
        let Budget::Periods(periods) = &self.budget else { return };
        let next = (self.reading.period + 1).min(periods.len().saturating_sub(1));
        if let (Some(_), Some(period)) = (self.reading.moves_to_go, periods.get(next)) {
            let remaining = self.reading.remaining.saturating_add(period.time);
            self.reading = Reading { period: next, moves_to_go: period.moves, remaining };
        }
    }

    /// Sets the increment of the current period.
    pub fn give_increment(&mut self, time: Duration) {
        let period = self.reading.period;
        if let Budget::Periods(periods) = &mut self.budget
            && let Some(period) = periods.get_mut(period)
        {
            period.bonus = Bonus::Increment(time);
        }
    }

    /// Returns whether all remaining moves must be made in the remaining time.
    pub const fn is_last_period(&self) -> bool {
        self.reading.moves_to_go.is_none()
            && matches!(self.budget, Budget::Periods(_) | Budget::Hourglass(_))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    fn clock(text: &str) -> Clock {
        Clock::new(&text.parse().unwrap())
    }

    #[test]
    fn describes_a_fixed_time_per_move_in_milliseconds() {
        let control = |time| TimeControl { budget: Budget::PerMove(time), ..Default::default() };
        assert_eq!(control(ms(20)).to_string(), "1/0.02");
        assert_eq!(control(ms(70)).description(), "70 ms per move");
        let limited = TimeControl { depth: Some(7), ..control(ms(2000)) };
        assert_eq!(limited.description(), "2000 ms per move, depth 7");
    }

    #[test]
    fn increments_are_earned_by_completed_moves() {
        let mut clock = clock("2+0.02");
        assert_eq!(clock.charge(ms(500), ms(0)), Ok(ms(0)));
        assert_eq!(clock.remaining(), Some(ms(1520)));
        let flag = Flag { left: ms(1520), taken: ms(1521) };
        assert_eq!(clock.charge(ms(1521), ms(0)), Err(flag), "the increment comes too late");
        assert_eq!(clock.charge(ms(1521), ms(1)), Ok(ms(0)), "a margin of 1 ms tolerates it");
        assert_eq!(clock.remaining(), Some(ms(20)));
    }

    #[test]
    fn a_period_is_credited_only_after_the_move_that_ends_it() {
        let mut clock = clock("2/1:1/3");
        assert_eq!(clock.moves_to_go(), Some(2));
        clock.charge(ms(600), ms(0)).unwrap();
        assert!(clock.charge(ms(401), ms(0)).is_err(), "the second move oversteps its period");
        clock.charge(ms(400), ms(0)).unwrap();
        assert_eq!((clock.remaining(), clock.moves_to_go()), (Some(ms(3000)), Some(1)));
        clock.charge(ms(1000), ms(0)).unwrap();
        assert_eq!(clock.remaining(), Some(ms(5000)), "the last period repeats");
    }

    #[test]
    fn bronstein_returns_the_time_taken_up_to_the_bonus() {
        let mut clock = clock("10b2");
        assert_eq!((clock.remaining(), clock.increment()), (Some(ms(10_000)), ms(2000)));
        clock.charge(ms(1200), ms(0)).unwrap();
        assert_eq!(clock.remaining(), Some(ms(10_000)), "nothing is saved up");
        clock.charge(ms(5000), ms(0)).unwrap();
        assert_eq!(clock.remaining(), Some(ms(7000)));
        assert!(clock.charge(ms(7001), ms(0)).is_err(), "the bonus comes too late");
        clock.charge(ms(7000), ms(0)).unwrap();
        assert_eq!(clock.remaining(), Some(ms(2000)));
    }

    #[test]
    fn a_delay_runs_before_the_clock() {
        let mut clock = clock("10d2");
        assert_eq!((clock.remaining(), clock.increment()), (Some(ms(12_000)), ms(2000)));
        clock.charge(ms(1200), ms(0)).unwrap();
        assert_eq!(clock.remaining(), Some(ms(12_000)), "nothing is saved up");
        clock.charge(ms(5000), ms(0)).unwrap();
        assert_eq!(clock.remaining(), Some(ms(9000)));
        let flag = Flag { left: ms(9000), taken: ms(9001) };
        assert_eq!(clock.charge(ms(9001), ms(0)), Err(flag));
        clock.charge(ms(9000), ms(0)).unwrap();
        for _ in 0..3 {
            clock.charge(ms(2000), ms(0)).unwrap();
            assert_eq!(clock.remaining(), Some(ms(2000)), "the delay alone is enough to go on");
        }
        assert!(clock.charge(ms(2001), ms(0)).is_err());
    }

    #[test]
    fn an_incomplete_move_earns_no_increment_and_is_not_counted() {
        for (text, taken, left) in [
            ("2/60+5", 10_000, 50_000),
            ("2/60d5", 5000, 60_000),
            ("2/60d5", 65_000, 0),
            ("2/60b5", 10_000, 55_000),
        ] {
            let mut clock = clock(text);
            assert_eq!(clock.charge_incomplete(ms(taken)), Ok(ms(0)), "{text}");
            assert_eq!(
                (clock.reading().left(), clock.moves_to_go()),
                (ms(left), Some(2)),
                "{text}"
            );
        }
        let mut late = clock("60d5");
        assert!(late.charge_incomplete(ms(65_001)).is_err());
        assert_eq!(late.reading().left(), ms(0));
    }

    #[test]
    fn a_delay_covers_a_turn_once() {
        for text in ["60d5", "60b5"] {
            let mut clock = clock(text);
            let mut lefts = Vec::new();
            for taken in [3000, 3000, 10_000] {
                assert_eq!(clock.spend(ms(taken)), Ok(ms(0)), "{text}");
                lefts.push(clock.reading().left());
            }
            clock.charge(ms(1000), ms(0)).expect("time is left");
            lefts.push(clock.reading().left());
            clock.charge(ms(6000), ms(0)).expect("time is left");
            lefts.push(clock.reading().left());
            assert_eq!(lefts, [60_000, 59_000, 49_000, 48_000, 47_000].map(ms), "{text}");
        }
    }

    #[test]
    fn each_period_has_its_own_bonus() {
        let mut clock = clock("1/10d2:1/20b5:30+1");
        clock.charge(ms(12_000), ms(0)).unwrap();
        assert_eq!((clock.remaining(), clock.increment()), (Some(ms(20_000)), ms(5000)));
        clock.charge(ms(20_000), ms(0)).unwrap();
        assert_eq!((clock.remaining(), clock.moves_to_go()), (Some(ms(35_000)), None));
        clock.charge(ms(1000), ms(0)).unwrap();
        assert_eq!(clock.remaining(), Some(ms(35_000)));
    }

    #[test]
    fn hourglass_gives_used_time_to_the_opponent() {
        let [mut white, mut black] = [clock("*60"), clock("*60")];
        let moved = white.charge(ms(15_000), ms(0)).unwrap();
        black.gain(moved);
        assert_eq!((white.remaining(), black.remaining()), (Some(ms(45_000)), Some(ms(75_000))));
        assert!(black.charge(ms(75_001), ms(0)).is_err());
        // Time that passes without a completed move goes to the opponent as well.
        let gained = [white.spend(ms(10_000)), white.charge_incomplete(ms(5000))];
        assert_eq!(gained, [Ok(ms(10_000)), Ok(ms(5000))]);
        white.gain(ms(15_000));
        // The tolerated margin is not added to the opponent's time.
        let moved = black.charge(ms(75_001), ms(1)).unwrap();
        white.gain(moved);
        assert_eq!((white.remaining(), black.remaining()), (Some(ms(120_000)), Some(ms(0))));
    }

    #[test]
    fn time_per_move_is_not_saved_up() {
        let mut clock = Clock::new(&Budget::PerMove(ms(100)));
        clock.charge(ms(1), ms(0)).unwrap();
        assert!(clock.charge(ms(101), ms(0)).is_err());
        assert_eq!(clock.remaining(), Some(ms(100)));
        let mut none = Clock::new(&Budget::Unlimited);
        none.charge(Duration::from_secs(1 << 40), ms(0)).unwrap();
        assert_eq!(none.remaining(), None);
    }

    #[test]
    fn time_controls_round_trip() {
        for text in ["2+0.02", "40/60", "40/7200+30:20/3600:900+30", "300b5", "40/9d0.5:1", "*60"] {
            let control = TimeControl { budget: text.parse().unwrap(), ..TimeControl::default() };
            assert_eq!(control.to_string(), text);
        }
        let time = |text: &str| ControlError::Time(text.to_owned());
        for (text, error) in [
            ("", time("")),
            ("2+x", time("x")),
            ("-1", time("-1")),
            ("NaN", time("NaN")),
            ("5b", time("")),
            ("*", time("")),
            ("1d2d3", time("2d3")),
            ("1e300", time("1e300")),
            ("1.8e19+1e18", time("1.8e19")),
            ("40/1+1e10", time("1e10")),
            ("0/60", ControlError::Moves("0".into())),
            ("60:40/60", ControlError::Endless("60".into())),
        ] {
            assert_eq!(text.parse::<Budget>(), Err(error), "{text}");
        }
    }
}
