//! Settings that a user can change: UCI options and Hub parameters.
//!
//! Each protocol has one table of settings. A row contains the name, kind, default, range and
//! setter of a setting, and the [`Effect`] of a change. A new setting needs only a new row. Each
//! protocol formats the rows for its interface.

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

/// A row of a protocol's table. `S` holds the values of all settings.
#[derive(Debug)]
pub struct Setting<S> {
    pub name: &'static str,
    pub kind: SettingKind<S>,
    pub effect: Effect,
}

#[derive(Debug)]
pub enum SettingKind<S> {
    Bool {
        default: bool,
        set: fn(&mut S, bool),
    },
    Int {
        default: u32,
        min: u32,
        max: u32,
        set: fn(&mut S, u32),
    },
    Real {
        default: f64,
        min: f64,
        max: f64,
        set: fn(&mut S, f64),
    },
    Text {
        default: &'static str,
        set: fn(&mut S, &str),
    },
    /// The path of a file, or a list of folders (`SyzygyPath`), that the engine opens; empty for
    /// none.
    File {
        set: fn(&mut S, &str),
    },
    Enum {
        /// The allowed words, the default first.
        words: &'static [&'static str],
        set: fn(&mut S, &str),
    },
    /// An immediate action without a value.
    Button,
}

/// The action required after a setting has changed, in addition to storing its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    None,
    Hash,
    Threads,
    ClearHash,
    Tables,
    Book,
    Network,
    LogFile,
}

/// The terms and conventions of a protocol.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wording {
    /// The protocol's word for a setting.
    pub noun: &'static str,
    /// The protocol's word for a whole number.
    pub whole_number: &'static str,
    /// True if the case of names and of the values `true` and `false` is ignored.
    pub any_case: bool,
    /// The representation of an empty string.
    pub empty_text: &'static str,
    /// Shortens received text for an error message.
    pub quote: fn(&str) -> String,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EngineSettings {
    /// The size of the transposition table in MB (2^20 bytes).
    pub hash_mb: usize,
    pub threads: usize,
    /// True if the interface may ask the engine to ponder.
    pub ponder: bool,
    /// The delay between the engine's answer and the moment when its clock stops.
    pub move_overhead: Duration,
    pub log_file: Option<PathBuf>,
    pub files: Files,
}

/// The permission to name files in commands. It can be denied, because the sender of the commands
/// may not be the user.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Files {
    #[default]
    Allowed,
    Forbidden,
}

impl EngineSettings {
    pub(crate) fn set_log_file(&mut self, path: &str) {
        self.log_file = (!path.is_empty()).then(|| Path::new(path).to_owned());
    }
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SettingError {
    #[error("there is no {noun} '{name}'")]
    Unknown { noun: &'static str, name: String },
    #[error("{noun} '{name}' needs a value")]
    NoValue { noun: &'static str, name: &'static str },
    #[error("{noun} '{name}' names a file, which --no-files forbids")]
    File { noun: &'static str, name: &'static str },
    #[error("{noun} '{name}' must be {expected}, not '{value}'")]
    BadValue { noun: &'static str, name: &'static str, expected: String, value: String },
}

pub(crate) trait SettingTable: Sized + 'static {
    /// The settings, in the order in which they are announced to the interface.
    const TABLE: &'static [Setting<Self>];
    const WORDING: Wording;

    fn engine(&mut self) -> &mut EngineSettings;

    fn reset(&mut self) {
        for setting in Self::TABLE {
            match &setting.kind {
                SettingKind::Bool { default, set } => set(self, *default),
                SettingKind::Int { default, set, .. } => set(self, *default),
                SettingKind::Real { default, set, .. } => set(self, *default),
                SettingKind::Text { default, set } => set(self, default),
                SettingKind::Enum { words, set } => {
                    words.iter().take(1).for_each(|word| set(self, word))
                }
                SettingKind::File { set } => set(self, ""),
                SettingKind::Button => {}
            }
        }
    }

    /// Changes a setting and returns the effect to apply. A button ignores its value. An error
    /// leaves all settings unchanged.
    fn change(&mut self, name: &str, value: Option<&str>) -> Result<Effect, SettingError> {
        let Wording { noun, whole_number, any_case, empty_text, quote } = Self::WORDING;
        let matches = |setting: &&Setting<Self>| match any_case {
            true => setting.name.eq_ignore_ascii_case(name),
            false => setting.name == name,
        };
        let Some(Setting { name, kind, effect }) = Self::TABLE.iter().find(matches) else {
            return Err(SettingError::Unknown { noun, name: quote(name) });
        };
        let value = match (kind, value) {
            (SettingKind::Button, _) => return Ok(*effect),
            (_, Some(value)) => value,
            // Match runners leave out an empty value.
            (SettingKind::Text { .. } | SettingKind::File { .. }, None) => "",
            (_, None) => return Err(SettingError::NoValue { noun, name }),
        };
        let wrong = |expected| SettingError::BadValue { noun, name, expected, value: quote(value) };
        match kind {
            SettingKind::Bool { set, .. } => {
                let lower = value.to_ascii_lowercase();
                let on = if any_case { lower.parse() } else { value.parse() };
                set(self, on.map_err(|_| wrong("true or false".to_owned()))?);
            }
            SettingKind::Int { min, max, set, .. } => {
                let number = in_range(value, *min, *max);
                let expected = || format!("a {whole_number} from {min} to {max}");
                set(self, number.ok_or_else(|| wrong(expected()))?);
            }
            SettingKind::Real { min, max, set, .. } => {
                let number = in_range(value, *min, *max);
                let expected = || format!("a number from {min} to {max}");
                set(self, number.ok_or_else(|| wrong(expected()))?);
            }
            SettingKind::Text { set, .. } => {
                set(self, if value == empty_text { "" } else { value })
            }
            SettingKind::File { set } if value.is_empty() || value == empty_text => set(self, ""),
            SettingKind::File { .. } if self.engine().files == Files::Forbidden => {
                return Err(SettingError::File { noun, name });
            }
            SettingKind::File { set } => set(self, value),
            SettingKind::Enum { words, set } if words.contains(&value) => set(self, value),
            SettingKind::Enum { words, .. } => return Err(wrong(one_of(words))),
            SettingKind::Button => {}
        }
        Ok(*effect)
    }
}

fn in_range<T: FromStr + PartialOrd + Display>(text: &str, min: T, max: T) -> Option<T> {
    text.parse().ok().filter(|number| (min..=max).contains(number))
}

fn one_of(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
    match &quoted[..] {
        [only] => only.clone(),
        words => format!("one of {}", words.join(", ")),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use std::fmt::Debug;

    /// Checks that every setting of a table accepts the values that it announces and rejects
    /// others, and that names are unique.
    pub fn check_announced_values<S>()
    where
        S: SettingTable + Default + Clone + PartialEq + Debug,
    {
        for Setting { name, kind, effect } in S::TABLE {
            let same_name = |other: &&Setting<S>| other.name.eq_ignore_ascii_case(name);
            assert_eq!(S::TABLE.iter().filter(same_name).count(), 1, "{name}");
            let mut settings = S::default();
            let mut take = |value: &str| {
                assert_eq!(settings.change(name, Some(value)), Ok(*effect), "{name} {value}");
                settings != S::default()
            };
            let (changes, bad): (bool, &[&str]) = match kind {
                SettingKind::Bool { default, .. } => {
                    (take(&(!default).to_string()), &["", "maybe", "1"])
                }
                SettingKind::Int { default, min, max, .. } => {
                    assert!((min..=max).contains(&default), "{name}");
                    let changes = [take(&max.to_string()), take(&min.to_string())].contains(&true);
                    let next = [u64::from(*max) + 1, u64::MAX].map(|n| n.to_string());
                    for beyond in &next {
                        assert!(S::default().change(name, Some(beyond)).is_err(), "{name}");
                    }
                    (changes, &["", "x", "-1", "1.5", "99999999999"])
                }
                SettingKind::Real { default, min, max, .. } => {
                    assert!((min..=max).contains(&default), "{name}");
                    let changes = [take(&max.to_string()), take(&min.to_string())].contains(&true);
                    for beyond in [min - 0.1, max + 0.1, f64::INFINITY].map(|n| n.to_string()) {
                        assert!(S::default().change(name, Some(&beyond)).is_err(), "{name}");
                    }
                    (changes, &["", "x", "NaN", "1e9"])
                }
                SettingKind::Text { .. } => (take("some text"), &[]),
                SettingKind::File { .. } => {
                    let mut closed = S::default();
                    closed.engine().files = Files::Forbidden;
                    let before = closed.clone();
                    let refused = closed.change(name, Some("a.file")).expect_err("no files");
                    assert!(refused.to_string().ends_with("which --no-files forbids"), "{refused}");
                    assert_eq!(closed.change(name, Some(S::WORDING.empty_text)), Ok(*effect));
                    assert_eq!(closed, before);
                    (take("a.file"), &[])
                }
                SettingKind::Enum { words, .. } => {
                    let changes = words.iter().fold(false, |any, word| take(word) | any);
                    (changes, &["", "no such word"])
                }
                SettingKind::Button => (take(""), &[]),
            };
            // An enum with a single word cannot change. A text setting with a non-empty default is
            // read-only: values are accepted but ignored. A button has no value.
            let is_fixed = match kind {
                SettingKind::Enum { words, .. } => words.len() == 1,
                SettingKind::Text { default, .. } => !default.is_empty(),
                SettingKind::Button => true,
                SettingKind::Bool { .. }
                | SettingKind::Int { .. }
                | SettingKind::Real { .. }
                | SettingKind::File { .. } => false,
            };
            assert_eq!(changes, !is_fixed, "{name}");
            let before = settings.clone();
            for value in bad {
                assert!(settings.change(name, Some(value)).is_err(), "{name} {value}");
            }
            assert_eq!(settings, before);
            let takes_none = matches!(
                kind,
                SettingKind::Button | SettingKind::Text { .. } | SettingKind::File { .. }
            );
            assert_eq!(settings.change(name, None).is_ok(), takes_none, "{name}");
            assert!(takes_none || settings == before, "{name}");
        }
    }

    #[test]
    fn lists_the_allowed_words() {
        assert_eq!(one_of(&["normal"]), "'normal'");
        assert_eq!(one_of(&["normal", "killer"]), "one of 'normal', 'killer'");
    }
}
