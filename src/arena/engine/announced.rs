//! Checks the settings of an entrant's description against the options that its engine announces.

use std::fmt;

/// A setting that an engine announces.
#[derive(Clone, PartialEq, Debug)]
pub struct Announced {
    /// Its name.
    pub name: String,
    /// What it can be set to.
    pub values: Values,
}

/// The values that a setting takes.
#[derive(Clone, PartialEq, Debug)]
pub enum Values {
    /// Free text, or an option of unknown type.
    Any,
    /// `true` or `false`.
    Switch,
    /// A number, between bounds as far as the engine names them.
    Number {
        /// The least.
        min: Option<f64>,
        /// The greatest.
        max: Option<f64>,
        /// Whether it has no fraction.
        whole: bool,
    },
    /// One of these.
    OneOf(Vec<String>),
}

impl Values {
    /// Whether the setting takes this value; words are taken in any case.
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
    /// What is accepted, in words.
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

/// Why an engine cannot be set as its description asks.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Misfit {
    /// It announces no such setting.
    #[error("has no {noun} {name}{}", nearest.as_ref().map_or(String::new(), |n| format!("; the nearest is {n}")))]
    Unknown {
        /// What the protocol calls a setting.
        noun: &'static str,
        /// The name.
        name: String,
        /// The most similar name that it has.
        nearest: Option<String>,
    },
    /// The setting does not take the value.
    #[error("{name}={value}: the engine's {noun} takes {accepted}")]
    Value {
        /// What the protocol calls a setting.
        noun: &'static str,
        /// The name.
        name: String,
        /// The value.
        value: String,
        /// What would be accepted, in words.
        accepted: String,
    },
}

/// Checks a setting against those that an engine announces; `same` says whether two names mean the same.
///
/// # Errors
/// If there is none of that name, or it does not take the value.
pub fn check(
    options: &[Announced],
    same: fn(&str, &str) -> bool,
    noun: &'static str,
    (name, value): (&str, &str),
) -> Result<(), Misfit> {
    let Some(Announced { values, .. }) = options.iter().find(|option| same(&option.name, name))
    else {
        let alike = |other: &str| strsim::jaro_winkler(&other.to_lowercase(), &name.to_lowercase());
        let nearest = options.iter().map(|option| option.name.as_str());
        let nearest = nearest.max_by(|a, b| alike(a).total_cmp(&alike(b))).map(str::to_owned);
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
        let say = |name, value| {
            let checked = check(&options, str::eq_ignore_ascii_case, "option", (name, value));
            checked.map_err(|misfit| misfit.to_string())
        };
        for (name, value) in
            [("hash", "1"), ("Hash", "64"), ("Style", "solid"), ("Ponder", "TRUE"), ("Log", "")]
        {
            assert_eq!(say(name, value), Ok(()));
        }
        let message = "Hash=65: the engine's option takes a whole number from 1 to 64";
        assert_eq!(say("Hash", "65"), Err(message.into()));
        for value in ["0", "1.5", "many", "NaN", "inf", ""] {
            assert!(say("Hash", value).is_err(), "{value}");
        }
        assert!(say("Style", "Wild").is_err_and(|error| error.ends_with("takes one of Solid")));
        assert!(say("Ponder", "on").is_err_and(|error| error.ends_with("takes true or false")));
        assert_eq!(say("Hsah", "1"), Err("has no option Hsah; the nearest is Hash".into()));
        let none = check(&[], |a, b| a == b, "parameter", ("x", ""));
        assert_eq!(none.map_err(|m| m.to_string()), Err("has no parameter x".into()));
    }
}
