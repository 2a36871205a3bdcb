//! A tournament's regulations on matters that the laws leave open.

use crate::base::side::Side;
use crate::base::span::Span;
use crate::base::text::plain_dashes;
use crate::laws::clock::Budget;
use crate::laws::edition::{BlitzLimit, Edition, LateResuming, Sealer};
use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// The settings of a tournament, each with a default.
///
/// The settings are read from TOML by [`Self::from_toml`]. This example shows the FIDE 2009
/// defaults, except for the times:
///
/// ```toml
/// time = "40/7200+30:3600+30"   # seconds, or units as in "40/2h+30:60m+30"; "-" for no clock
/// white-time = "600"            # White's time if it differs, as odds; also `black-time`
/// supervised = true             # an arbiter watches each game of rapid play or blitz (15, 16)
/// arbiter-present = true        # an arbiter can be called (18)
/// white-blind = false           # White uses a board for the blind (19.2); also `black-blind`
/// lateness = 0                  # seconds (6.6 a)
/// resumption-lateness = 3600    # seconds, when an adjourned game is resumed (annex 10)
/// draws-after = 0               # moves of each player before a draw can be agreed (9.1 a)
/// draws-need-arbiter = false    # a draw by agreement needs the arbiter's consent (9.1 a)
/// illegal-moves = 2             # illegal moves that only cost time; the next one loses (7.4 b)
/// quickplay-finish = false      # the guidelines for games without increment apply (III of 2023)
/// # sealer = "to-move"          # who seals at an adjournment: "to-move", "black-without-clock"
/// points = { win = 1.0, draw = 0.5, loss = 0.0 }   # or "1-0.5-0"
/// theory = {}                   # moves allowed in endings (Art. 16), as { KNNKP = 115 }
/// perpetual-limit = 20000       # positions searched to prove or refute perpetual check
/// ```
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Regulations {
    /// The time control; `None` for the default of the edition.
    #[serde(deserialize_with = "time")]
    pub time: Option<Budget>,
    /// White's time control, if it differs from `time`.
    #[serde(deserialize_with = "time")]
    pub white_time: Option<Budget>,
    /// Black's time control, if it differs from `time`.
    #[serde(deserialize_with = "time")]
    pub black_time: Option<Budget>,
    /// True if an arbiter watches each game of rapid play or blitz.
    pub supervised: bool,
    /// True if an arbiter can be called.
    pub arbiter_present: bool,
    /// True if White plays on a board for the blind.
    pub white_blind: bool,
    /// True if Black plays on a board for the blind.
    pub black_blind: bool,
    /// The allowed lateness for the start of the game, in seconds; `None` for the edition's
    /// default.
    pub lateness: Option<u64>,
    /// The allowed lateness for a resumption, in seconds; `None` for the edition's default.
    pub resumption_lateness: Option<u64>,
    /// The number of moves by each player before a draw can be agreed.
    pub draws_after: u32,
    /// True if a draw by agreement needs the arbiter's consent.
    pub draws_need_arbiter: bool,
    /// The number of completed illegal moves that cost a player only time, before the next one
    /// loses the game; `None` for the edition's default.
    pub illegal_moves: Option<u8>,
    /// True if the tournament has announced the guidelines for games without increment. The setting
    /// is used only under editions that leave this to the tournament.
    pub quickplay_finish: bool,
    /// The player who seals; `None` for the edition's default.
    pub sealer: Option<Sealer>,
    /// The points for a win, a draw and a loss.
    #[serde(deserialize_with = "points")]
    pub points: Points,
    /// The number of moves needed to win endings that take more than fifty moves, keyed by material
    /// such as `KNNKP`.
    pub theory: BTreeMap<String, u32>,
    /// Maximum number of positions searched to prove or refute perpetual check.
    pub perpetual_limit: usize,
}

/// The points for each result, read from TOML as `"3-1-0"` or `{ win = 3.0, draw = 1.0 }`.
#[derive(Clone, Copy, PartialEq, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Points {
    /// The points for a win.
    pub win: f64,
    /// The points for a draw.
    pub draw: f64,
    /// The points for a loss.
    pub loss: f64,
}

impl FromStr for Points {
    type Err = PointsError;

    /// Parses the points for a win, a draw and a loss, such as `3-1-0` or `1-½-0`.
    fn from_str(text: &str) -> Result<Self, PointsError> {
        let error = || PointsError(text.to_owned());
        let number = |text: &str| match text.trim() {
            "½" => Ok(0.5),
            text => text.parse::<f64>().ok().filter(|n| n.is_finite()).ok_or_else(error),
        };
        match plain_dashes(text).split('-').collect::<Vec<_>>()[..] {
            [win, draw, loss] => {
                Ok(Self { win: number(win)?, draw: number(draw)?, loss: number(loss)? })
            }
            _ => Err(error()),
        }
    }
}

/// The error for text that is not the points for a win, a draw and a loss.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is not the points for a win, a draw and a loss, such as 3-1-0")]
pub struct PointsError(String);

fn points<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Points, D::Error> {
    struct Form;

    impl<'de> Visitor<'de> for Form {
        type Value = Points;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("\"3-1-0\" or { win = 3.0, draw = 1.0, loss = 0.0 }")
        }

        fn visit_str<E: Error>(self, text: &str) -> Result<Points, E> {
            text.parse().map_err(E::custom)
        }

        fn visit_map<M: MapAccess<'de>>(self, map: M) -> Result<Points, M::Error> {
            Points::deserialize(MapAccessDeserializer::new(map))
        }
    }

    deserializer.deserialize_any(Form)
}

impl Default for Points {
    fn default() -> Self {
        Self { win: 1.0, draw: 0.5, loss: 0.0 }
    }
}

impl Default for Regulations {
    fn default() -> Self {
        Self {
            time: None,
            white_time: None,
            black_time: None,
            supervised: true,
            arbiter_present: true,
            white_blind: false,
            black_blind: false,
            lateness: None,
            resumption_lateness: None,
            draws_after: 0,
            draws_need_arbiter: false,
            illegal_moves: None,
            quickplay_finish: false,
            sealer: None,
            points: Points::default(),
            theory: BTreeMap::new(),
            perpetual_limit: 20_000,
        }
    }
}

fn time<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Budget>, D::Error> {
    let text = String::deserialize(deserializer)?;
    read_time(&text).map(Some).map_err(D::Error::custom)
}

/// Parses a time control, or `-` for no clock. Times are in seconds unless they have a unit, as in
/// `60m`, `90m+30` or `40/2h:1h`.
pub fn read_time(text: &str) -> Result<Budget, crate::laws::clock::ControlError> {
    if text == "-" { Ok(Budget::Unlimited) } else { text.parse() }
}

/// The error for text that does not describe the regulations of a tournament.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct RegulationsError(String);

impl Regulations {
    /// Parses TOML. Missing settings have their defaults.
    ///
    /// ```
    /// use adoube::referee::Regulations;
    ///
    /// let regulations = Regulations::from_toml("time = \"90m+30\"\ndraws-after = 30")?;
    /// assert_eq!(regulations.draws_after, 30);
    /// let error = Regulations::from_toml("time = \"soon\"").unwrap_err();
    /// assert!(error.to_string().contains("line 1"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error, with the line and the column, if the text is not TOML or a setting is
    /// unknown or invalid.
    pub fn from_toml(text: &str) -> Result<Self, RegulationsError> {
        toml::from_str(text).map_err(|error| RegulationsError(error.to_string()))
    }

    /// Returns the time control of one player.
    pub fn budget_of(&self, side: Side, edition: Edition) -> Budget {
        let own = match side {
            Side::White => &self.white_time,
            Side::Black => &self.black_time,
        };
        own.clone().unwrap_or_else(|| self.budget(edition))
    }

    /// Returns the pace of the game. Each player's time must be within the limit of rapid play or
    /// blitz (15.1, 16.1; A.1, B.1), so if the times differ, the longer time decides.
    pub(super) fn pace(&self, edition: Edition) -> Pace {
        let [white, black] =
            Side::ALL.map(|side| Pace::of(&self.budget_of(side, edition), edition.terms().blitz));
        white.min(black)
    }

    /// Returns whether a player plays on a board for the blind.
    pub const fn blind(&self, side: Side) -> bool {
        match side {
            Side::White => self.white_blind,
            Side::Black => self.black_blind,
        }
    }

    /// Returns the tournament's time control, or the edition's default.
    pub fn budget(&self, edition: Edition) -> Budget {
        let own = || edition.terms().control.parse().unwrap_or_default();
        self.time.clone().unwrap_or_else(own)
    }

    /// Returns the number of completed illegal moves that cost a player only time, before the next
    /// one loses the game.
    pub fn illegal_moves(&self, edition: Edition) -> u8 {
        self.illegal_moves.unwrap_or(edition.terms().illegal_moves)
    }

    /// Returns the allowed lateness for the start of the game, or `None` if the edition has no rule
    /// on lateness.
    pub fn lateness(&self, edition: Edition) -> Option<Duration> {
        let granted = self.lateness.map(|seconds| Span::from_secs(seconds).time());
        edition.terms().lateness.map(|own| granted.unwrap_or(own))
    }

    /// Returns the rules on lateness for a resumption, or `None` if the edition has none.
    ///
    /// ```
    /// use adoube::referee::{Edition, LateResuming, Regulations};
    ///
    /// let rules: Option<LateResuming> = Regulations::default().late_resuming(Edition::Fide2023);
    /// assert!(rules.is_some_and(|rules| rules.sealed_move_first));
    /// ```
    pub fn late_resuming(&self, edition: Edition) -> Option<LateResuming> {
        let event = self.resumption_lateness.map(|seconds| Span::from_secs(seconds).time());
        let own = edition.terms().late_resuming?;
        let granted = event.or(own.granted).or_else(|| self.lateness(edition));
        Some(LateResuming { granted, ..own })
    }
}

/// The category of a game by its time control (15.1, 16.1; A.1, B.1), from slow to fast.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Pace {
    /// At least 60 minutes, no clock, or a fixed time per move. This includes the game of 61
    /// minutes (chapter 21 of FIDE 2009).
    Standard,
    /// Below 60 minutes, but longer than blitz.
    Rapid,
    /// Below 15 minutes or up to 10 minutes, depending on the edition.
    Blitz,
}

impl Pace {
    /// Returns the pace of a time control, based on the total time of all periods plus sixty
    /// increments of the first period.
    pub fn of(budget: &Budget, blitz: BlitzLimit) -> Self {
        let time = match budget {
            Budget::Unlimited | Budget::PerMove(_) => return Self::Standard,
            Budget::Hourglass(time) => *time,
            Budget::Periods(periods) => {
                let time = periods.iter().fold(Duration::ZERO, |sum, p| sum.saturating_add(p.time));
                let bonus = periods.first().map_or(Duration::ZERO, |period| period.bonus.time());
                time.saturating_add(bonus.saturating_mul(60))
            }
        };
        match time.as_secs() / 60 {
            _ if blitz.holds(time) => Self::Blitz,
            0..60 => Self::Rapid,
            _ => Self::Standard,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_points_as_text_or_table() {
        let read = |text: &str| toml::from_str::<Regulations>(text).map(|rules| rules.points);
        for text in [
            "points = \"2-1-0\"",
            "points = \"2–1–0\"",
            "points = { win = 2, draw = 1 }",
            "points = { win = 2.0, draw = 1.0, loss = 0.0 }",
        ] {
            assert_eq!(read(text), Ok(Points { win: 2.0, draw: 1.0, loss: 0.0 }), "{text}");
        }
        assert_eq!(read("points = \"1-½-0\""), Ok(Points::default()));
        for (text, expected) in [
            ("points = \"2-1\"", "'2-1' is not the points for a win, a draw and a loss"),
            ("points = \"two-1-0\"", "'two-1-0' is not the points for a win, a draw and a loss"),
            ("points = 3", "integer `3`, expected \"3-1-0\" or { win = 3.0"),
            ("points = { wins = 3 }", "unknown field `wins`"),
        ] {
            let error = read(text).expect_err(text).to_string();
            assert!(error.contains(expected) && !error.contains("struct"), "{text}: {error}");
        }
    }

    #[test]
    fn reads_times_in_seconds_minutes_or_hours() {
        for (text, seconds) in [
            ("60m", "3600"),
            ("90m+30", "5400+30"),
            ("40/2h:1h+0.5", "40/7200:3600+0.5"),
            ("1.5h", "5400"),
            ("300b5", "300b5"),
            ("300", "300"),
        ] {
            assert_eq!(read_time(text), seconds.parse(), "{text}");
        }
        for wrong in ["60x", "m", "60mm", "40m/60", "5m m", "-m"] {
            assert!(read_time(wrong).is_err(), "{wrong}");
        }
    }
}
