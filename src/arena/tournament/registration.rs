//! Registration for a tournament: parses the lines of a list of players, and converts dates and
//! other fields to the format of a report file.

use std::cmp::Reverse;
use std::ops::Range;
use std::str::FromStr;

/// The number of columns for a name in a report.
const MAX_NAME: usize = 33;
/// The number of columns for a FIDE number in a report.
const MAX_FIDE_ID: usize = 11;

/// A player who registers for a tournament, as parsed from one line of a list of players.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Registration {
    name: String,
    pub(super) rating: u16,
    title: String,
    federation: String,
    fide_id: String,
    birth: String,
    sex: String,
}

/// The titles, highest first. Players with equal ratings are ordered by title (C.04.2).
const TITLES: [&str; 9] = ["GM", "IM", "WGM", "FM", "WIM", "CM", "WFM", "WCM", ""];

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RegistrationError {
    #[error("the name is missing")]
    NoName,
    #[error(
        "the fields are separated by commas: use semicolons, as in NAME;RATING;TITLE (a name may \
         contain a comma)"
    )]
    Commas,
    #[error("the name '{0}' has {length} characters: shorten it to {MAX_NAME}", length = .0.chars().count())]
    LongName(String),
    #[error(
        "'{0}' is not a rating from 0 to 9999: write NAME;RATING;TITLE;FEDERATION;ID;BIRTH;SEX"
    )]
    Rating(String),
    #[error("'{0}' is not a title: use GM, IM, FM, CM, WGM, WIM, WFM, WCM or nothing")]
    Title(String),
    #[error("'{0}' is not a federation: use three letters, as in NED")]
    Federation(String),
    #[error("'{0}' is not a FIDE number: use at most {MAX_FIDE_ID} digits")]
    FideId(String),
    #[error(
        "'{0}' is not a date of birth: use 1975/03/12, 1975-03-12, 12.03.1975 or the year alone"
    )]
    Birth(String),
    #[error("'{0}' is not a sex: use m or w")]
    Sex(String),
    #[error("unexpected text after the sex: '{0}'")]
    Extra(String),
}

/// A field of a player's line in a report.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Field {
    Name,
    Rating,
    Title,
    Federation,
    FideId,
    Birth,
    Sex,
}

impl Field {
    /// The fields in the order of a list of players.
    pub(crate) const ALL: [Self; 7] = [
        Self::Name,
        Self::Rating,
        Self::Title,
        Self::Federation,
        Self::FideId,
        Self::Birth,
        Self::Sex,
    ];

    /// Returns the columns of the field, counted from 0.
    pub(super) const fn columns(self) -> Range<usize> {
        match self {
            Self::Sex => 9..10,
            Self::Title => 10..13,
            Self::Name => 14..14 + MAX_NAME,
            Self::Rating => 48..52,
            Self::Federation => 53..56,
            Self::FideId => 57..57 + MAX_FIDE_ID,
            Self::Birth => 69..79,
        }
    }
}

impl FromStr for Registration {
    type Err = RegistrationError;

    /// Parses `NAME;RATING;TITLE;FEDERATION;FIDE ID;BIRTH;SEX`. Only the name is required. Fields
    /// can also be separated by tabs.
    fn from_str(text: &str) -> Result<Self, RegistrationError> {
        if uses_commas(text) {
            return Err(RegistrationError::Commas);
        }
        let mut fields = text.split([';', '\t']).map(|field| field.trim().to_owned());
        let mut next = || fields.next().unwrap_or_default();
        let (name, rating) = (next(), next());
        if name.is_empty() {
            return Err(RegistrationError::NoName);
        }
        if name.chars().count() > MAX_NAME {
            return Err(RegistrationError::LongName(name));
        }
        let rating = match rating.as_str() {
            "" => 0,
            text => match text.parse() {
                Ok(rating @ 0..=9999) => rating,
                _ => return Err(RegistrationError::Rating(rating)),
            },
        };
        let (title, federation, fide_id, birth, sex) = (next(), next(), next(), next(), next());
        let title = title.to_ascii_uppercase();
        if !TITLES.contains(&title.as_str()) {
            return Err(RegistrationError::Title(title));
        }
        let federation = match federation.as_str() {
            "" => federation,
            text => self::federation(text).ok_or(RegistrationError::Federation(federation))?,
        };
        if fide_id.len() > MAX_FIDE_ID || !fide_id.bytes().all(|b| b.is_ascii_digit()) {
            return Err(RegistrationError::FideId(fide_id));
        }
        let birth = match birth.as_str() {
            "" => birth,
            text => date(text).ok_or(RegistrationError::Birth(birth))?,
        };
        let sex = match sex.as_str() {
            "" => "",
            "m" | "M" => "m",
            "w" | "W" | "f" | "F" => "w",
            _ => return Err(RegistrationError::Sex(sex)),
        };
        if let Some(extra) = fields.find(|field| !field.is_empty()) {
            return Err(RegistrationError::Extra(extra));
        }
        Ok(Self { name, rating, title, federation, fide_id, birth, sex: sex.to_owned() })
    }
}

impl Registration {
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Returns the sort key for assigning pairing numbers.
    pub(super) fn order(&self) -> Order {
        order(self.rating, &self.title, &self.name)
    }

    /// Returns the columns before the points in the line of a player with this number.
    pub(super) fn columns(&self, number: usize) -> String {
        let Self { name, rating, title, federation, fide_id, birth, sex } = self;
        let rating = if *rating == 0 { String::new() } else { rating.to_string() };
        format!(
            "001 {number:>4} {sex:1}{title:>3} {name:MAX_NAME$} {rating:>4} {federation:3} \
             {fide_id:>MAX_FIDE_ID$} {birth:10} "
        )
    }
}

/// The sort key for assigning pairing numbers: rating, title and name (C.04.2).
pub(super) type Order = (Reverse<u16>, usize, String);

pub(super) fn order(rating: u16, title: &str, name: &str) -> Order {
    let title = TITLES.iter().position(|t| *t == title).unwrap_or(TITLES.len());
    (Reverse(rating), title, name.to_owned())
}

/// Returns whether a line without semicolons and tabs seems to be separated by commas.
fn uses_commas(text: &str) -> bool {
    let fields: Vec<&str> = text.split(',').collect();
    let is_number = |field: &&str| field.trim().parse::<u32>().is_ok();
    !text.contains([';', '\t']) && (fields.len() > 2 || fields.iter().any(is_number))
}

/// Converts the code of a federation to upper case. Returns `None` if the text is not such a code.
pub(crate) fn federation(text: &str) -> Option<String> {
    let is_code = text.len() == 3 && text.bytes().all(|b| b.is_ascii_alphabetic());
    is_code.then(|| text.to_ascii_uppercase())
}

/// Converts a date to the format of a report, such as `1975/03/12`. A year becomes `1975/00/00`.
/// Returns `None` if the text is not a date.
pub(crate) fn date(text: &str) -> Option<String> {
    let parts: Vec<&str> = text.trim().split(['/', '-', '.']).collect();
    let (year, month, day) = match parts[..] {
        [year] => (year, "00", "00"),
        [year, month, day] if year.len() == 4 => (year, month, day),
        [day, month, year] if text.contains('.') => (year, month, day),
        _ => return None,
    };
    let number = |text: &str, max_digits: usize| {
        let is_number = text.len() <= max_digits && text.bytes().all(|b| b.is_ascii_digit());
        text.parse::<u32>().ok().filter(|_| is_number)
    };
    let year = number(year, 4).filter(|year| (1900..2100).contains(year))?;
    let (month, day) = (number(month, 2)?, number(day, 2)?);
    let days = match month {
        0 => 0,
        2 if year.is_multiple_of(4) && year != 1900 => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    let exists = if month == 0 { day == 0 } else { (1..=days).contains(&day) };
    exists.then(|| format!("{year}/{month:02}/{day:02}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn converts_dates_to_the_form_of_the_report() {
        for (text, expected) in [
            ("1975", Some("1975/00/00")),
            ("1975/00/00", Some("1975/00/00")),
            ("1975/03/12", Some("1975/03/12")),
            ("1975-3-12", Some("1975/03/12")),
            ("12.03.1975", Some("1975/03/12")),
            ("2000.2.29", Some("2000/02/29")),
            ("1900/02/29", None),
            ("1999/02/29", None),
            ("1975/13/01", None),
            ("1975/04/31", None),
            ("1975/04/00", None),
            ("12/03/1975", None),
            ("12.03.75", None),
            ("75", None),
            ("March 1975", None),
            ("+975/1/1", None),
        ] {
            assert_eq!(date(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn reads_the_fields_of_a_player() {
        let anna = "Alder, Anna; 2400;gm;ned;1000001;12.3.1990;F".parse::<Registration>();
        assert_eq!(
            anna.expect("a player").columns(7),
            "001    7 w GM Alder, Anna                       2400 NED     1000001 1990/03/12 "
        );
        for name in ["Alder, Anna", "Müller, Hans, Dr.;", "Ben"] {
            assert!(name.parse::<Registration>().is_ok(), "{name}");
        }
    }

    #[test]
    fn rejects_fields_that_do_not_fit_into_the_report() {
        for (text, expected) in [
            (";2400", "the name is missing"),
            ("Alder Anna,2400,GM,NED", "separated by commas: use semicolons"),
            ("\"Alder, Anna\",2400", "separated by commas: use semicolons"),
            ("Bartholomew-Featherstonehaugh, Maximilian;1", "has 41 characters: shorten it to 33"),
            ("Anna;24000", "'24000' is not a rating"),
            ("Anna;2400;Dr", "'DR' is not a title"),
            ("Anna;2400;;Netherlands", "'Netherlands' is not a federation"),
            ("Anna;2400;;NED;ID 7", "'ID 7' is not a FIDE number"),
            ("Anna;2400;;NED;123456789012", "is not a FIDE number"),
            ("Anna;2400;;NED;1;12/03/1975", "'12/03/1975' is not a date of birth"),
            ("Anna;2400;;NED;1;1975;x", "'x' is not a sex: use m or w"),
            ("Anna;2400;;NED;1;1975;w;1900", "unexpected text after the sex: '1900'"),
        ] {
            let error = text.parse::<Registration>().expect_err(text).to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
