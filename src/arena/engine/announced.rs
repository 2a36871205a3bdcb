//! Checks an entrant's options against the options that its engine announces.

use crate::base::text::nearest;
use std::fmt;

#[derive(Clone, PartialEq, Debug)]
pub struct Announced {
    pub name: String,
    pub values: Values,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Values {
    /// Any text: a string option or an option of unknown type.
    Any,
    Switch,
    /// A number within the announced bounds. A bound is `None` if the engine did not announce it.
    Number {
        min: Option<f64>,
        max: Option<f64>,
        /// True if only integers are accepted.
        whole: bool,
    },
    OneOf(Vec<String>),
}

impl Values {
    /// Returns whether an option accepts this value. Switches and fixed choices are
    /// case-insensitive.
    fn take(&self, value: &str) -> bool {
        match self {
            Self::Any => true,
            Self::Switch => ["true", "false"].iter().any(|word| value.eq_ignore_ascii_case(word)),
            Self::OneOf(words) => words.iter().any(|word| value.eq_ignore_ascii_case(word)),
            Self::Number { min, max, whole } => match value.trim().parse::<f64>() {
                Ok(n) => {
                    n.is_finite()
                        && min.is_none_or(|min| n >= min)
                        && max.is_none_or(|max| n <= max)
                        && !(*whole && n.fract() != 0.0)
                }
                Err(_) => false,
            },
        }
    }
}

impl fmt::Display for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => f.write_str("any text"),
            Self::Switch => f.write_str("true or false"),
            Self::OneOf(words) => write!(f, "one of {}", words.join(", ")),
            Self::Number { min, max, whole } => {
                f.write_str(if *whole { "a whole number" } else { "a number" })?;
                match (min, max) {
                    (Some(min), Some(max)) => write!(f, " from {min} to {max}"),
                    (Some(min), None) => write!(f, " from {min}"),
                    (None, Some(max)) => write!(f, " up to {max}"),
                    (None, None) => Ok(()),
                }
            }
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Misfit {
    #[error("has no {noun} {name}{}", nearest.as_ref().map_or(String::new(), |n| format!("; did you mean {n}?")))]
    Unknown { noun: &'static str, name: String, nearest: Option<String> },
    #[error("{name}={value}: the engine expects {accepted} for this {noun}")]
    Value { noun: &'static str, name: String, value: String, accepted: String },
}

/// The minimum Jaro-Winkler similarity between an unknown option and an option that is suggested in
/// its place.
const MIN_SIMILARITY: f64 = 0.8;

/// Checks one setting (name and value) against the announced options. `same` returns whether two
/// names denote the same option. `noun` is the protocol's word for an option, for error messages.
pub fn check(
    options: &[Announced],
    same: fn(&str, &str) -> bool,
    noun: &'static str,
    (name, value): (&str, &str),
) -> Result<(), Misfit> {
    let Some(Announced { values, .. }) = options.iter().find(|option| same(&option.name, name))
    else {
        let nearest =
            nearest(name, options.iter().map(|option| option.name.as_str()), MIN_SIMILARITY);
        let nearest = nearest.map(str::to_owned);
        return Err(Misfit::Unknown { noun, name: name.to_owned(), nearest });
    };
    if values.take(value) {
        return Ok(());
    }
    let (name, value) = (name.to_owned(), value.to_owned());
    Err(Misfit::Value { noun, name, value, accepted: values.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects_wrong_values_and_suggests_the_nearest_name() {
        let whole = Values::Number { min: Some(1.0), max: Some(64.0), whole: true };
        let options = [
            Announced { name: "Hash".into(), values: whole },
            Announced { name: "Style".into(), values: Values::OneOf(vec!["Solid".into()]) },
            Announced { name: "Ponder".into(), values: Values::Switch },
            Announced { name: "Log".into(), values: Values::Any },
        ];
        let error_of = |name, value| {
            let checked = check(&options, str::eq_ignore_ascii_case, "option", (name, value));
            checked.map_err(|misfit| misfit.to_string())
        };
        for (name, value) in
            [("hash", "1"), ("Hash", "64"), ("Style", "solid"), ("Ponder", "TRUE"), ("Log", "")]
        {
            assert_eq!(error_of(name, value), Ok(()));
        }
        let message = "Hash=65: the engine expects a whole number from 1 to 64 for this option";
        assert_eq!(error_of("Hash", "65"), Err(message.into()));
        for value in ["0", "1.5", "many", "NaN", "inf", ""] {
            assert!(error_of("Hash", value).is_err(), "{value}");
        }
        assert!(error_of("Style", "Wild").is_err_and(|error| error.contains("one of Solid")));
        assert!(error_of("Ponder", "on").is_err_and(|error| error.contains("true or false")));
        assert_eq!(error_of("Hsah", "1"), Err("has no option Hsah; did you mean Hash?".into()));
        let unlike = error_of("UCI_Chess960", "true");
        assert_eq!(unlike, Err("has no option UCI_Chess960".into()));
        let none = check(&[], |a, b| a == b, "parameter", ("x", ""));
        assert_eq!(none.map_err(|m| m.to_string()), Err("has no parameter x".into()));
    }
}
