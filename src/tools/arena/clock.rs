//! Time controls and the clock of one player.
//!
//! Time is passed in, never read: every rule is tested without waiting. A move is charged first,
//! and only then may it earn its increment and, where it ends a period, the next period's time: a
//! flag that falls on the last move of a period has fallen (FIDE Laws 2009, 6.2 and 6.9).

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// One period of a time control: `[moves/]time[+increment]`, in seconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Period {
    /// The moves to make in it; without a number it lasts for the rest of the game.
    pub moves: Option<u32>,
    /// The time it brings.
    pub time: Duration,
    /// What each completed move adds.
    pub increment: Duration,
}

/// What a player may spend on its moves.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Control {
    /// The time.
    pub budget: Budget,
    /// Nodes for each move.
    pub nodes: Option<u64>,
    /// Depth of each search, in plies.
    pub depth: Option<u32>,
}

/// The time of a [`Control`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Budget {
    /// No clock: for nodes and depth.
    #[default]
    Unlimited,
    /// The same time for each move, not saved up.
    PerMove(Duration),
    /// A chess clock; the last period begins anew when its moves are made. Never empty.
    Periods(Vec<Period>),
}

/// Why a text is no time control.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ControlError {
    /// A number of seconds was expected.
    #[error("'{0}' is not a time in seconds (as in 2, 0.02)")]
    Time(String),
    /// A number of moves was expected.
    #[error("'{0}' is not a number of moves from 1 (as in 40/60)")]
    Moves(String),
    /// A period for the rest of the game, and then another.
    #[error("period '{0}' has no number of moves, so nothing can follow it")]
    Endless(String),
}

fn seconds(text: &str) -> Result<Duration, ControlError> {
    text.parse()
        .ok()
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| ControlError::Time(text.to_owned()))
}

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
        let (time, increment) = rest.split_once('+').unwrap_or((rest, "0"));
        Ok(Self { moves, time: seconds(time)?, increment: seconds(increment)? })
    }
}

impl FromStr for Budget {
    type Err = ControlError;

    /// Reads `2+0.02`, `40/60`, `40/7200+30:20/3600:900+30`.
    fn from_str(text: &str) -> Result<Self, ControlError> {
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
        if !self.increment.is_zero() {
            write!(f, "+{}", self.increment.as_secs_f64())?;
        }
        Ok(())
    }
}

impl fmt::Display for Control {
    /// As the `TimeControl` field of PGN has it, a time per move as a period of one move, `-` where
    /// there is no clock.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.budget {
            Budget::Unlimited => f.write_str("-"),
            Budget::PerMove(time) => write!(f, "1/{}", time.as_secs_f64()),
            Budget::Periods(periods) => {
                for (i, period) in periods.iter().enumerate() {
                    write!(f, "{}{period}", if i > 0 { ":" } else { "" })?;
                }
                Ok(())
            }
        }
    }
}

/// The flag fell: the player had `left` and took `taken`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Flag {
    /// What the clock showed before the move.
    pub left: Duration,
    /// What the move took.
    pub taken: Duration,
}

/// The clock of one player in one game.
#[derive(Clone, Debug)]
pub struct Clock {
    budget: Budget,
    period: usize,
    moves_to_go: Option<u32>,
    remaining: Duration,
}

impl Clock {
    /// A clock at the start of a game.
    pub fn new(budget: &Budget) -> Self {
        let (remaining, moves_to_go) = match budget {
            Budget::Unlimited => (Duration::MAX, None),
            Budget::PerMove(time) => (*time, None),
            Budget::Periods(periods) => {
                periods.first().map_or((Duration::ZERO, None), |p| (p.time, p.moves))
            }
        };
        Self { budget: budget.clone(), period: 0, moves_to_go, remaining }
    }

    /// The time left for the move to be made now; `None` without a clock.
    pub fn remaining(&self) -> Option<Duration> {
        (self.budget != Budget::Unlimited).then_some(self.remaining)
    }

    /// Moves until the next period, where there is one.
    pub const fn moves_to_go(&self) -> Option<u32> {
        self.moves_to_go
    }

    /// What this move will add.
    pub fn increment(&self) -> Duration {
        match &self.budget {
            Budget::Periods(periods) => {
                periods.get(self.period).map_or(Duration::ZERO, |p| p.increment)
            }
            _ => Duration::ZERO,
        }
    }

    /// Charges a move that took `taken`; `margin` is forgiven, for what the machine itself delays.
    pub fn charge(&mut self, taken: Duration, margin: Duration) -> Result<(), Flag> {
        if taken > self.remaining.saturating_add(margin) {
            return Err(Flag { left: self.remaining, taken });
        }
        let Budget::Periods(periods) = &self.budget else { return Ok(()) };
        self.remaining = self.remaining.saturating_sub(taken).saturating_add(self.increment());
        if let Some(moves) = &mut self.moves_to_go {
            *moves -= 1;
            if *moves == 0 {
                self.period = (self.period + 1).min(periods.len() - 1);
                self.remaining = self.remaining.saturating_add(periods[self.period].time);
                self.moves_to_go = periods[self.period].moves;
            }
        }
        Ok(())
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
    fn increments_are_earned_by_completed_moves() {
        let mut clock = clock("2+0.02");
        assert_eq!(clock.charge(ms(500), ms(0)), Ok(()));
        assert_eq!(clock.remaining(), Some(ms(1520)));
        let flag = Flag { left: ms(1520), taken: ms(1521) };
        assert_eq!(clock.charge(ms(1521), ms(0)), Err(flag), "the increment comes too late");
        assert_eq!(clock.charge(ms(1521), ms(1)), Ok(()), "a margin of 1 ms forgives it");
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
        assert_eq!(clock.remaining(), Some(ms(5000)), "the last period begins anew");
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
    fn controls_are_read_and_written_as_pgn_has_them() {
        for text in ["2+0.02", "40/60", "40/7200+30:20/3600:900+30"] {
            let control = Control { budget: text.parse().unwrap(), ..Control::default() };
            assert_eq!(control.to_string(), text);
        }
        for (text, error) in [
            ("", ControlError::Time(String::new())),
            ("2+x", ControlError::Time("x".into())),
            ("-1", ControlError::Time("-1".into())),
            ("NaN", ControlError::Time("NaN".into())),
            ("1e300", ControlError::Time("1e300".into())),
            ("0/60", ControlError::Moves("0".into())),
            ("60:40/60", ControlError::Endless("60".into())),
        ] {
            assert_eq!(text.parse::<Budget>(), Err(error), "{text}");
        }
    }
}
