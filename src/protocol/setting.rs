//! Settings: what a user can change, whatever the protocol calls it (UCI's options, Hub's
//! parameters).
//!
//! A protocol lists each of its settings once, as a row of its table: name, kind with default and
//! range, setter, and the [`Effect`] of a change. A new setting is a new row and nothing else; how a
//! row is announced to the interface is the protocol's business.

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

/// A row of a protocol's table. `S` holds the values of all its settings.
#[derive(Debug)]
pub struct Setting<S> {
    /// The name, as the interface sees it.
    pub name: &'static str,
    /// Type, default, range and setter.
    pub kind: SettingKind<S>,
    /// What a change entails.
    pub effect: Effect,
}

/// The type of a setting, its default, and how to set it.
#[derive(Debug)]
pub enum SettingKind<S> {
    /// True or false.
    Bool {
        /// The default.
        default: bool,
        /// The setter.
        set: fn(&mut S, bool),
    },
    /// A whole number.
    Int {
        /// The default.
        default: u32,
        /// The least value.
        min: u32,
        /// The greatest value.
        max: u32,
        /// The setter.
        set: fn(&mut S, u32),
    },
    /// A number.
    Real {
        /// The default.
        default: f64,
        /// The least value.
        min: f64,
        /// The greatest value.
        max: f64,
        /// The setter.
        set: fn(&mut S, f64),
    },
    /// Any text.
    Text {
        /// The default.
        default: &'static str,
        /// The setter.
        set: fn(&mut S, &str),
    },
    /// A file that the engine opens; an empty text for none.
    File {
        /// The setter.
        set: fn(&mut S, &str),
    },
    /// One of several words.
    Enum {
        /// The words, the default first.
        words: &'static [&'static str],
        /// The setter.
        set: fn(&mut S, &str),
    },
    /// Something to do at once, without a value.
    Button,
}

/// What has to be done after a setting has changed, beside remembering it for the next search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Nothing.
    None,
    /// Make a table of the new size.
    Hash,
    /// Start or end threads.
    Threads,
    /// Empty the table.
    ClearHash,
    /// Use other tables of endings.
    Tables,
    /// Use another opening book.
    Book,
    /// Evaluate by another network.
    Network,
    /// Open or close the log.
    LogFile,
}

/// How a protocol words its settings.
#[derive(Clone, Copy, Debug)]
pub struct Wording {
    /// What it calls a setting.
    pub noun: &'static str,
    /// What it calls a whole number.
    pub whole_number: &'static str,
    /// Whether the case of names, of `true` and of `false` does not matter.
    pub any_case: bool,
    /// What it sends for an empty text.
    pub empty_text: &'static str,
    /// Quotes in an error what the interface sent.
    pub quote: fn(&str) -> String,
}

/// What every engine can be told.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EngineSettings {
    /// Size of the transposition table in MB (2^20 bytes).
    pub hash_mb: usize,
    /// Threads that search.
    pub threads: usize,
    /// Whether the interface may ask to ponder.
    pub ponder: bool,
    /// Time lost between the engine's answer and the stopping of its clock.
    pub move_overhead: Duration,
    /// The file that logs all lines of both directions.
    pub log_file: Option<PathBuf>,
    /// Whether the interface may name files.
    pub files: Files,
}

/// Whether files may be named by lines of the protocol. Who speaks it need not be the user.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Files {
    /// They may.
    #[default]
    Allowed,
    /// They may not, whatever they are for.
    Forbidden,
}

impl EngineSettings {
    /// Sets the log file; an empty path means none.
    pub fn set_log_file(&mut self, path: &str) {
        self.log_file = (!path.is_empty()).then(|| Path::new(path).to_owned());
    }
}

/// Why a setting cannot be changed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SettingError {
    /// No setting has the name.
    #[error("there is no {noun} '{name}'")]
    Unknown {
        /// What the protocol calls a setting.
        noun: &'static str,
        /// The name given.
        name: String,
    },
    /// No value where one is needed.
    #[error("{noun} '{name}' needs a value")]
    NoValue {
        /// What the protocol calls a setting.
        noun: &'static str,
        /// The setting.
        name: &'static str,
    },
    /// A file where none may be named.
    #[error("{noun} '{name}' names a file, which --no-files forbids")]
    File {
        /// What the protocol calls a setting.
        noun: &'static str,
        /// The setting.
        name: &'static str,
    },
    /// A value that the setting cannot have.
    #[error("{noun} '{name}' {expected}, not '{value}'")]
    BadValue {
        /// What the protocol calls a setting.
        noun: &'static str,
        /// The setting.
        name: &'static str,
        /// What it can be, beginning with a verb.
        expected: String,
        /// The value given.
        value: String,
    },
}

/// The values of all settings of a protocol.
pub trait SettingTable: Sized + 'static {
    /// The table, in the order in which the interface sees it.
    const TABLE: &'static [Setting<Self>];
    /// How the protocol words them.
    const WORDING: Wording;

    /// Those that every engine has.
    fn engine(&mut self) -> &mut EngineSettings;

    /// Sets every setting to its default.
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

    /// Changes a setting and says what has to be done now. A button takes no value and ignores one.
    ///
    /// # Errors
    /// If there is no such setting or it cannot have the value; nothing has changed then.
    fn change(&mut self, name: &str, value: Option<&str>) -> Result<Effect, SettingError> {
        let Wording { noun, whole_number, any_case, empty_text, quote } = Self::WORDING;
        let is_meant = |setting: &&Setting<Self>| match any_case {
            true => setting.name.eq_ignore_ascii_case(name),
            false => setting.name == name,
        };
        let Some(Setting { name, kind, effect }) = Self::TABLE.iter().find(is_meant) else {
            return Err(SettingError::Unknown { noun, name: quote(name) });
        };
        let value = match (kind, value) {
            (SettingKind::Button, _) => return Ok(*effect),
            (_, Some(value)) => value,
            (_, None) => return Err(SettingError::NoValue { noun, name }),
        };
        let wrong = |expected| SettingError::BadValue { noun, name, expected, value: quote(value) };
        match kind {
            SettingKind::Bool { set, .. } => {
                let lower = value.to_ascii_lowercase();
                let on = if any_case { lower.parse() } else { value.parse() };
                set(self, on.map_err(|_| wrong("is true or false".to_owned()))?);
            }
            SettingKind::Int { min, max, set, .. } => {
                let number = in_range(value, *min, *max);
                let expected = || format!("is a {whole_number} from {min} to {max}");
                set(self, number.ok_or_else(|| wrong(expected()))?);
            }
            SettingKind::Real { min, max, set, .. } => {
                let number = in_range(value, *min, *max);
                let expected = || format!("is a number from {min} to {max}");
                set(self, number.ok_or_else(|| wrong(expected()))?);
            }
            SettingKind::Text { set, .. } => {
                set(self, if value == empty_text { "" } else { value })
            }
            SettingKind::File { set } if value == empty_text => set(self, ""),
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

/// The number that a text is, if it lies in the range.
fn in_range<T: FromStr + PartialOrd + Display>(text: &str, min: T, max: T) -> Option<T> {
    text.parse().ok().filter(|number| (min..=max).contains(number))
}

fn one_of(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
    match &quoted[..] {
        [only] => format!("can only be {only}"),
        words => format!("is one of {}", words.join(", ")),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use std::fmt::Debug;

    /// Checks that every setting of a table takes what it announces and refuses what it must, and
    /// that names are unique.
    pub fn every_setting_can_be_set_to_what_it_announces<S>()
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
            // A single word leaves no choice; what the engine says of itself may be sent back, but
            // changes nothing; a button has no value.
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
            assert_eq!(
                settings.change(name, None).is_ok(),
                matches!(kind, SettingKind::Button),
                "{name}"
            );
            assert_eq!(settings, before);
        }
    }

    #[test]
    fn words_are_listed() {
        assert_eq!(one_of(&["normal"]), "can only be 'normal'");
        assert_eq!(one_of(&["normal", "killer"]), "is one of 'normal', 'killer'");
    }
}
