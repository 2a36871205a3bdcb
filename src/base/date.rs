//! Calendar dates in UTC.

use std::time::{Duration, SystemTime};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct DateTime {
    pub year: u64,
    pub month: u64,
    pub day: u64,
    pub time: [u64; 3],
}

impl From<SystemTime> for DateTime {
    /// Converts a time to UTC. Times before 1970 are clamped to the first second of 1970.
    ///
    /// The algorithm is `civil_from_days` from Howard Hinnant's *chrono-Compatible Low-Level Date
    /// Algorithms*. It begins years in March, so that a leap day is the last day of its year.
    fn from(time: SystemTime) -> Self {
        let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or(Duration::ZERO);
        let seconds = since.as_secs();
        // Days since 1 March of the year 0.
        let days = seconds / 86_400 + 719_468;
        let (era, day_of_era) = (days / 146_097, days % 146_097);
        let year_of_era =
            (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month_from_march = (5 * day_of_year + 2) / 153;
        let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
        Self {
            year: era * 400 + year_of_era + u64::from(month <= 2),
            month,
            day: day_of_year - (153 * month_from_march + 2) / 5 + 1,
            time: [seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60],
        }
    }
}

impl DateTime {
    pub(crate) fn now() -> Self {
        SystemTime::now().into()
    }

    /// Returns a file name for this time, such as `2026-11-26-182400`.
    pub(crate) fn file_stem(self) -> String {
        let Self { year, month, day, time: [hour, minute, second] } = self;
        format!("{year:04}-{month:02}-{day:02}-{hour:02}{minute:02}{second:02}")
    }
}

#[cfg(test)]
mod tests {
    use super::{DateTime, Duration, SystemTime};

    fn stem(seconds: u64) -> String {
        DateTime::from(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)).file_stem()
    }

    #[test]
    fn matches_known_dates() {
        for (seconds, expected) in [
            (0, "1970-01-01-000000"),
            (951_782_399, "2000-02-28-235959"),
            (951_782_400, "2000-02-29-000000"),
            (951_868_800, "2000-03-01-000000"),
            (1_704_067_199, "2023-12-31-235959"),
            (1_709_210_096, "2024-02-29-123456"),
            (4_107_542_400, "2100-03-01-000000"),
        ] {
            assert_eq!(stem(seconds), expected);
        }
    }

    #[test]
    fn time_before_1970_becomes_the_first_second() {
        let before = SystemTime::UNIX_EPOCH - Duration::from_secs(1);
        assert_eq!(DateTime::from(before), DateTime::from(SystemTime::UNIX_EPOCH));
    }
}
