//! Durations parsed from untrusted input, bounded so that adding to them cannot overflow.
//!
//! Input can contain any number, and a time near the maximum of a [`Duration`] would overflow with
//! the first clock increment. Parsers therefore return a [`Span`], which can safely be added and
//! multiplied. Time controls, protocols, matches and the command line use this module.

use super::cursor::excerpt;
use std::str::FromStr;
use std::time::Duration;

/// A duration from zero to [`Span::MAX`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Span(Duration);

/// The error for text that is not a valid duration.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is not a time in seconds (as in 2, 0.02), up to {most}", most = Span::MAX.as_secs())]
pub struct SpanError(pub String);

impl Span {
    /// More than thirty years: longer than any game, and far from an overflow.
    pub const MAX: Duration = Duration::from_secs(1_000_000_000);

    /// Returns this number of seconds, limited to [`Self::MAX`].
    pub const fn from_secs(seconds: u64) -> Self {
        if seconds > Self::MAX.as_secs() {
            return Self(Self::MAX);
        }
        Self(Duration::from_secs(seconds))
    }

    /// Returns this number of milliseconds, limited to [`Self::MAX`].
    pub const fn from_millis(milliseconds: u64) -> Self {
        if milliseconds > Self::MAX.as_secs() * 1000 {
            return Self(Self::MAX);
        }
        Self(Duration::from_millis(milliseconds))
    }

    /// Parses milliseconds sent by a program. Negative numbers, which programs send after a flag
    /// fall, are clamped to zero, and large numbers to [`Self::MAX`]. Returns `None` if the text is
    /// not an integer.
    pub fn milliseconds(text: &str) -> Option<Self> {
        let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        // A number that does not fit in a `u64` is greater than the maximum.
        let count = if text.starts_with('-') { 0 } else { digits.parse().unwrap_or(u64::MAX) };
        Some(Self::from_millis(count))
    }

    /// Parses seconds sent by a program, in any format that `f64` accepts, clamped as in
    /// [`Self::milliseconds`]. Returns `None` if the text is not a number.
    pub fn seconds(text: &str) -> Option<Self> {
        let seconds: f64 = text.parse().ok()?;
        Self::of_seconds(seconds.clamp(0.0, Self::MAX.as_secs_f64()))
    }

    /// Converts a number of seconds. Returns `None` if it is negative, too large or not a number.
    pub fn of_seconds(seconds: f64) -> Option<Self> {
        let time = Duration::try_from_secs_f64(seconds).ok();
        time.filter(|time| *time <= Self::MAX).map(Self)
    }

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

    /// Parses seconds entered by a user. Negative and too large numbers are rejected, because they
    /// are probably typing errors.
    fn from_str(text: &str) -> Result<Self, SpanError> {
        let span = text.parse().ok().and_then(Self::of_seconds);
        span.ok_or_else(|| SpanError(excerpt(text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn program_times_are_clamped() {
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
    fn user_times_out_of_bounds_are_rejected() {
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
