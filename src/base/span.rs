//! A length of time that comes from outside: typed by a person, read from a file, sent by a program.
//!
//! What comes from outside can be any number, and clocks add: a time near the most that a [`Duration`]
//! holds overflows with the first increment. So whoever reads a time reads a [`Span`], which has
//! bounds, and whoever has one can add and multiply. It is in the lowest room, since time controls,
//! protocols, matches and the command line all read times.

use super::cursor::excerpt;
use std::str::FromStr;
use std::time::Duration;

/// A time from zero to [`Span::MAX`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Span(Duration);

/// A text that is no time of a person's.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is not a time in seconds (as in 2, 0.02), up to {most}", most = Span::MAX.as_secs())]
pub struct SpanError(pub String);

impl Span {
    /// More than thirty years: longer than any game, and far from what cannot be added up.
    pub const MAX: Duration = Duration::from_secs(1_000_000_000);

    /// This many seconds, or the longest time.
    pub const fn from_secs(seconds: u64) -> Self {
        if seconds > Self::MAX.as_secs() {
            return Self(Self::MAX);
        }
        Self(Duration::from_secs(seconds))
    }

    /// This many milliseconds, or the longest time.
    pub const fn from_millis(milliseconds: u64) -> Self {
        if milliseconds > Self::MAX.as_secs() * 1000 {
            return Self(Self::MAX);
        }
        Self(Duration::from_millis(milliseconds))
    }

    /// Milliseconds as a program writes them: below zero, as where a flag has fallen, counts as zero,
    /// and too many as the longest time. `None` if the text is no whole number.
    pub fn milliseconds(text: &str) -> Option<Self> {
        let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        // More digits than a `u64` has are more than the longest time too.
        let count = if text.starts_with('-') { 0 } else { digits.parse().unwrap_or(u64::MAX) };
        Some(Self::from_millis(count))
    }

    /// Seconds as a program writes them, in any form of a number; bounded like
    /// [`Self::milliseconds`]. `None` if the text is no number.
    pub fn seconds(text: &str) -> Option<Self> {
        let seconds: f64 = text.parse().ok()?;
        Self::of_seconds(seconds.clamp(0.0, Self::MAX.as_secs_f64()))
    }

    /// This many seconds; `None` if they are below zero or too many, or are no number.
    pub fn of_seconds(seconds: f64) -> Option<Self> {
        let time = Duration::try_from_secs_f64(seconds).ok();
        time.filter(|time| *time <= Self::MAX).map(Self)
    }

    /// The time.
    pub const fn time(self) -> Duration {
        self.0
    }
}

impl From<Span> for Duration {
    fn from(span: Span) -> Self {
        span.0
    }
}

impl FromStr for Span {
    type Err = SpanError;

    /// Seconds as a person writes them: what is below zero or too long is refused, since it is a slip.
    fn from_str(text: &str) -> Result<Self, SpanError> {
        let span = text.parse().ok().and_then(Self::of_seconds);
        span.ok_or_else(|| SpanError(excerpt(text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_programs_are_bounded() {
        let longest = Some(Span::MAX);
        let ms = |n| Some(Duration::from_millis(n));
        for (text, time) in [
            ("0", ms(0)),
            ("1500", ms(1500)),
            ("+7", ms(7)),
            ("-500", ms(0)),
            ("1000000000000", longest),
            ("1000000000001", longest),
            ("18446744073709551615", longest),
            ("99999999999999999999999999999999999999999999999999", longest),
            ("-99999999999999999999999999999999999999999999999999", ms(0)),
            ("", None),
            ("-", None),
            ("1.5", None),
            ("1e3", None),
        ] {
            assert_eq!(Span::milliseconds(text).map(Span::time), time, "{text}");
        }
        for (text, time) in [
            ("1.5", ms(1500)),
            (".5", ms(500)),
            ("-3", ms(0)),
            ("1.8e19", longest),
            ("1e300", longest),
            ("inf", longest),
            ("-inf", ms(0)),
            ("NaN", None),
            ("x", None),
            ("", None),
        ] {
            assert_eq!(Span::seconds(text).map(Span::time), time, "{text}");
        }
        assert_eq!(Span::from_secs(u64::MAX), Span::from_millis(u64::MAX));
        assert_eq!(Span::from_secs(60).time(), Duration::from_secs(60));
    }

    #[test]
    fn times_of_people_are_refused_beyond_the_bounds() {
        for (text, time) in
            [("2", Duration::from_secs(2)), ("0.02", Duration::from_millis(20)), ("1e9", Span::MAX)]
        {
            assert_eq!(text.parse::<Span>().map(Span::time), Ok(time));
        }
        for text in ["", "x", "-1", "NaN", "inf", "1000000000.1", "1e19", "1e300"] {
            assert_eq!(text.parse::<Span>(), Err(SpanError(text.to_owned())), "{text}");
        }
        let error = "1e19".parse::<Span>().expect_err("too long").to_string();
        assert_eq!(error, "'1e19' is not a time in seconds (as in 2, 0.02), up to 1000000000");
    }
}
