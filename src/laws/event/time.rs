//! Times as clocks show them, such as `1:59:30`, `5:00` or `90`, with optional fractions of a
//! second.

use crate::base::cursor::excerpt;
use crate::base::span::Span;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Hms(pub Duration);

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is not a time (as in 1:59:30, 5:00, 90)")]
pub struct TimeError(pub String);

/// The maximum time that is accepted. It is longer than any clock needs, and its nanoseconds can
/// still be represented exactly in an `f64`.
const MAX_TIME: Duration = Duration::from_secs(1_000_000);

impl FromStr for Hms {
    type Err = TimeError;

    fn from_str(text: &str) -> Result<Self, TimeError> {
        let error = || TimeError(excerpt(text));
        let parts: Vec<&str> = text.split(':').collect();
        let ([.., last], 1..=3) = (&parts[..], parts.len()) else { return Err(error()) };
        let digits = |part: &str, more: &str| {
            !part.is_empty() && part.chars().all(|c| c.is_ascii_digit() || more.contains(c))
        };
        let whole = &parts[..parts.len() - 1];
        if !digits(last, ".") || !whole.iter().all(|part| digits(part, "")) {
            return Err(error());
        }
        let mut seconds = 0.0;
        for (place, part) in parts.iter().enumerate() {
            let part = part.parse::<f64>().map_err(|_| error())?;
            // Numbers after a colon are minutes or seconds.
            if place > 0 && part >= 60.0 {
                return Err(error());
            }
            seconds = seconds * 60.0 + part;
        }
        let time = Span::of_seconds(seconds).map(Span::time).filter(|time| *time <= MAX_TIME);
        time.map(Self).ok_or_else(error)
    }
}

impl fmt::Display for Hms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (all, nanos) = (self.0.as_secs(), self.0.subsec_nanos());
        let (hours, minutes, seconds) = (all / 3600, all / 60 % 60, all % 60);
        write!(f, "{hours}:{minutes:02}:{seconds:02}")?;
        if nanos > 0 {
            write!(f, ".{}", format!("{nanos:09}").trim_end_matches('0'))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn times_round_trip() {
        for (text, seconds, written) in [
            ("1:59:30", 7170.0, "1:59:30"),
            ("5:00", 300.0, "0:05:00"),
            ("90", 90.0, "0:01:30"),
            ("0:00:00.25", 0.25, "0:00:00.25"),
        ] {
            let time: Hms = text.parse().unwrap();
            assert_eq!(time.0, Duration::from_secs_f64(seconds));
            assert_eq!(time.to_string(), written);
            assert_eq!(written.parse(), Ok(time));
        }
        for wrong in [
            "",
            ":",
            "1:",
            "1:60",
            "1:59:99",
            "1:2:3:4",
            "-5",
            "+5",
            "1e9",
            "x",
            "1.5:00",
            "99999999999",
            "1.2.3",
        ] {
            assert_eq!(wrong.parse::<Hms>(), Err(TimeError(wrong.to_owned())), "{wrong}");
        }
    }
}
