//! The parameters, each listed once: its name, its type with default and range, what it sets, and
//! what must be done when it changes.

use super::line::Value;
use crate::base::cursor::excerpt;
use crate::endings::bitbase::MOST_PIECES;
use std::fmt;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

/// The values of all parameters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// The logarithm to base 2 of the number of entries of the transposition table.
    pub tt_size: u32,
    /// Threads that search.
    pub threads: usize,
    /// Bitbases of up to so many pieces are used, if there are any.
    pub bb_size: u32,
    /// Whether moves of the book are played without thinking.
    pub book: bool,
    /// Whether the interface may ask to ponder.
    pub ponder: bool,
    /// Time lost between the engine's answer and the stopping of its clock.
    pub move_overhead: Duration,
    /// The file that gets all lines of both directions.
    pub log_file: Option<PathBuf>,
}

/// The logarithm of the number of entries in a mebibyte, of 16 bytes each.
const ENTRIES_PER_MB: u32 = 16;

impl Settings {
    /// The size of the transposition table in MB (2^20 bytes).
    pub const fn hash_mb(&self) -> usize {
        1 << (self.tt_size - ENTRIES_PER_MB)
    }
}

impl Default for Settings {
    /// Every default of [`PARAMS`].
    fn default() -> Self {
        let mut settings = Self {
            tt_size: ENTRIES_PER_MB,
            bb_size: 0,
            threads: 0,
            book: false,
            ponder: false,
            move_overhead: Duration::ZERO,
            log_file: None,
        };
        for param in PARAMS {
            match param.kind {
                Kind::Bool { default, set } => set(&mut settings, default),
                Kind::Int { default, set, .. } => set(&mut settings, default),
                Kind::Real { default, set, .. } => set(&mut settings, default),
                Kind::Text { default, set } => set(&mut settings, default),
                Kind::Enum { .. } => {}
            }
        }
        settings
    }
}

/// What has to be done after a parameter has changed, beside remembering it for the next search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Nothing.
    None,
    /// Make a table of the new size.
    Hash,
    /// Start or end threads.
    Threads,
    /// Use other bitbases.
    Bitbases,
    /// Open or close the log.
    LogFile,
}

/// The type of a parameter, its default, and how to set it.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// True or false.
    Bool {
        /// The default.
        default: bool,
        /// How to set it.
        set: fn(&mut Settings, bool),
    },
    /// A whole number.
    Int {
        /// The default.
        default: u32,
        /// The least and greatest value.
        range: (u32, u32),
        /// How to set it.
        set: fn(&mut Settings, u32),
    },
    /// A number.
    Real {
        /// The default.
        default: f64,
        /// The least and greatest value.
        range: (f64, f64),
        /// How to set it.
        set: fn(&mut Settings, f64),
    },
    /// Any text.
    Text {
        /// The default.
        default: &'static str,
        /// How to set it.
        set: fn(&mut Settings, &str),
    },
    /// One of some words, of which there is but one so far; nothing to set.
    Enum {
        /// The word.
        only: &'static str,
    },
}

/// A parameter as the interface sees it; printed as the `param` line.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// The name.
    pub name: &'static str,
    /// Type, default, setter.
    pub kind: Kind,
    /// What a change entails.
    pub effect: Effect,
}

const fn param(name: &'static str, effect: Effect, kind: Kind) -> Param {
    Param { name, kind, effect }
}

/// All parameters, in the order in which `hub` lists them. Where Scan has the same, it has the same
/// name and meaning.
#[rustfmt::skip]
pub static PARAMS: &[Param] = &[
    param("variant", Effect::None, Kind::Enum { only: "normal" }),
    param("book", Effect::None, Kind::Bool { default: true, set: |s, on| s.book = on }),
    param("ponder", Effect::None, Kind::Bool { default: false, set: |s, on| s.ponder = on }),
    param("threads", Effect::Threads,
        Kind::Int { default: 1, range: (1, 512), set: |s, n| s.threads = n as usize }),
    param("tt-size", Effect::Hash,
        Kind::Int { default: 20, range: (ENTRIES_PER_MB, 36), set: |s, n| s.tt_size = n }),
    param("bb-size", Effect::Bitbases,
        Kind::Int { default: MOST_PIECES, range: (0, MOST_PIECES), set: |s, n| s.bb_size = n }),
    param("move-overhead", Effect::None,
        Kind::Real { default: 0.01, range: (0.0, 5.0),
            set: |s, n| s.move_overhead = Duration::from_secs_f64(n) }),
    param("log-file", Effect::LogFile, Kind::Text { default: "",
        set: |s, path| s.log_file = (!path.is_empty()).then(|| path.into()) }),
];

/// Why a parameter cannot be set.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum ParamError {
    /// No such parameter.
    #[error("there is no parameter '{0}'")]
    Unknown(String),
    /// Not `true` or `false`.
    #[error("parameter '{0}' is true or false, not '{1}'")]
    NotBool(&'static str, String),
    /// No whole number, or not in the range.
    #[error("parameter '{name}' is a whole number from {} to {}, not '{value}'", range.start(), range.end())]
    NotInt {
        /// The parameter.
        name: &'static str,
        /// What it can be.
        range: RangeInclusive<u32>,
        /// The value given.
        value: String,
    },
    /// No number, or not in the range.
    #[error("parameter '{name}' is a number from {} to {}, not '{value}'", range.start(), range.end())]
    NotReal {
        /// The parameter.
        name: &'static str,
        /// What it can be.
        range: RangeInclusive<f64>,
        /// The value given.
        value: String,
    },
    /// Another word.
    #[error("parameter '{0}' can only be '{1}', not '{2}'")]
    NotOne(&'static str, &'static str, String),
}

impl Settings {
    /// Sets a parameter and says what has to be done now. After an error nothing has changed.
    pub fn set(&mut self, name: &str, value: &str) -> Result<Effect, ParamError> {
        let param = PARAMS
            .iter()
            .find(|param| param.name == name)
            .ok_or_else(|| ParamError::Unknown(excerpt(name)))?;
        let name = param.name;
        let wrong = || excerpt(value);
        match param.kind {
            Kind::Bool { set, .. } => {
                set(self, value.parse().map_err(|_| ParamError::NotBool(name, wrong()))?);
            }
            Kind::Int { range: (min, max), set, .. } => {
                let range = min..=max;
                let number = value.parse().ok().filter(|number| range.contains(number));
                set(
                    self,
                    number.ok_or_else(|| ParamError::NotInt { name, range, value: wrong() })?,
                );
            }
            Kind::Real { range: (min, max), set, .. } => {
                let range = min..=max;
                let number = value.parse().ok().filter(|number| range.contains(number));
                set(
                    self,
                    number.ok_or_else(|| ParamError::NotReal { name, range, value: wrong() })?,
                );
            }
            Kind::Text { set, .. } => set(self, value),
            Kind::Enum { only } if value == only => {}
            Kind::Enum { only } => return Err(ParamError::NotOne(name, only, wrong())),
        }
        Ok(param.effect)
    }
}

impl fmt::Display for Param {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "param name={} value=", self.name)?;
        match self.kind {
            Kind::Bool { default, .. } => write!(f, "{default} type=bool"),
            Kind::Int { default, range: (min, max), .. } => {
                write!(f, "{default} type=int min={min} max={max}")
            }
            Kind::Real { default, range: (min, max), .. } => {
                write!(f, "{default} type=real min={min} max={max}")
            }
            Kind::Text { default, .. } => write!(f, "{} type=string", Value(default)),
            Kind::Enum { only } => write!(f, "{only} type=enum values={}", Value(only)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_can_be_set_to_what_it_announces() {
        for param in PARAMS {
            let mut settings = Settings::default();
            let before = settings.clone();
            let bad: &[&str] = match param.kind {
                Kind::Bool { default, .. } => {
                    settings.set(param.name, &(!default).to_string()).expect("a bool");
                    &["", "maybe", "1"]
                }
                Kind::Int { range: (min, max), .. } => {
                    settings.set(param.name, &max.to_string()).expect("in range");
                    settings.set(param.name, &min.to_string()).expect("in range");
                    &["", "-1", "1.5", "99999999999"]
                }
                Kind::Real { range: (min, max), .. } => {
                    settings.set(param.name, &min.to_string()).expect("in range");
                    settings.set(param.name, &max.to_string()).expect("in range");
                    &["", "x", "NaN", "1e9", "-1"]
                }
                Kind::Text { .. } => {
                    settings.set(param.name, "some text").expect("any text");
                    &[]
                }
                Kind::Enum { only } => {
                    settings.set(param.name, only).expect("the only one");
                    &["", "killer"]
                }
            };
            assert_eq!(PARAMS.iter().filter(|p| p.name == param.name).count(), 1);
            let set = settings.clone();
            for bad in bad {
                assert!(settings.set(param.name, bad).is_err(), "{} {bad}", param.name);
            }
            assert_eq!(settings, set);
            assert!(matches!(param.kind, Kind::Enum { .. } | Kind::Int { .. }) || set != before);
        }
    }

    #[test]
    fn parameters_print_as_the_protocol_has_them() {
        let lines: Vec<_> = PARAMS.iter().map(ToString::to_string).collect();
        for line in [
            "param name=variant value=normal type=enum values=normal",
            "param name=ponder value=false type=bool",
            "param name=threads value=1 type=int min=1 max=512",
            "param name=log-file value=\"\" type=string",
        ] {
            assert!(lines.iter().any(|l| l == line), "{line} in {lines:?}");
        }
    }
}
