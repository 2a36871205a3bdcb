//! The options, each listed once: its name, its type with default and range, what it sets, and what
//! must be done when it changes.

use std::fmt;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

/// The values of all options.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Size of the transposition table in MB (2^20 bytes).
    pub hash_mb: usize,
    /// Threads that search.
    pub threads: usize,
    /// Whether the interface may ask to ponder.
    pub ponder: bool,
    /// How many best lines to show.
    pub multipv: usize,
    /// Whether castling is written as king takes rook.
    pub chess960: bool,
    /// Whether positions are analysed, not played: full strength whatever is set.
    pub analyse_mode: bool,
    /// Whether lines come with chances to win, draw and lose.
    pub show_wdl: bool,
    /// Whether to play like somebody of rating `elo`.
    pub limit_strength: bool,
    /// The rating to play at if `limit_strength`.
    pub elo: u32,
    /// Time lost between the engine's answer and the stopping of its clock.
    pub move_overhead: Duration,
    /// The file that gets all lines of both directions.
    pub log_file: Option<PathBuf>,
}

impl Default for Settings {
    /// Every default of [`OPTIONS`].
    fn default() -> Self {
        let mut settings = Self {
            hash_mb: 0,
            threads: 0,
            ponder: false,
            multipv: 0,
            chess960: false,
            analyse_mode: false,
            show_wdl: false,
            limit_strength: false,
            elo: 0,
            move_overhead: Duration::ZERO,
            log_file: None,
        };
        for option in OPTIONS {
            match option.kind {
                Kind::Check { default, set } => set(&mut settings, default),
                Kind::Spin { default, set, .. } => set(&mut settings, default),
                Kind::Text { default, set } => set(&mut settings, default),
                Kind::Button => {}
            }
        }
        settings
    }
}

/// What has to be done after an option has changed, beside remembering it for the next search.
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
    /// Open or close the log.
    LogFile,
}

/// The type of an option, its default, and how to set it.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// True or false.
    Check {
        /// The default.
        default: bool,
        /// How to set it.
        set: fn(&mut Settings, bool),
    },
    /// A whole number.
    Spin {
        /// The default.
        default: u32,
        /// The least and greatest value.
        min: u32,
        /// See `min`.
        max: u32,
        /// How to set it.
        set: fn(&mut Settings, u32),
    },
    /// Something to do at once.
    Button,
    /// Any text.
    Text {
        /// The default; the protocol writes an empty text as `<empty>`.
        default: &'static str,
        /// How to set it.
        set: fn(&mut Settings, &str),
    },
}

/// An option as the interface sees it; printed as the `option` line.
#[derive(Clone, Copy, Debug)]
pub struct UciOption {
    /// The name; its case does not matter.
    pub name: &'static str,
    /// Type, default, setter.
    pub kind: Kind,
    /// What a change entails.
    pub effect: Effect,
}

/// What the engine says of itself.
pub const ABOUT: &str = concat!(
    "Adoube ",
    env!("CARGO_PKG_VERSION"),
    ", a chess engine to be read as well as played. Free software: MIT or Apache-2.0."
);

const EMPTY: &str = "<empty>";

const fn check(name: &'static str, default: bool, set: fn(&mut Settings, bool)) -> UciOption {
    UciOption { name, kind: Kind::Check { default, set }, effect: Effect::None }
}

const fn spin(
    name: &'static str,
    default: u32,
    (min, max): (u32, u32),
    effect: Effect,
    set: fn(&mut Settings, u32),
) -> UciOption {
    UciOption { name, kind: Kind::Spin { default, min, max, set }, effect }
}

const fn text(
    name: &'static str,
    default: &'static str,
    effect: Effect,
    set: fn(&mut Settings, &str),
) -> UciOption {
    UciOption { name, kind: Kind::Text { default, set }, effect }
}

/// All options, in the order in which `uci` lists them.
#[rustfmt::skip]
pub static OPTIONS: &[UciOption] = &[
    spin("Hash", 16, (1, 1 << 20), Effect::Hash, |s, mb| s.hash_mb = mb as usize),
    UciOption { name: "Clear Hash", kind: Kind::Button, effect: Effect::ClearHash },
    spin("Threads", 1, (1, 512), Effect::Threads, |s, n| s.threads = n as usize),
    check("Ponder", false, |s, on| s.ponder = on),
    spin("MultiPV", 1, (1, 256), Effect::None, |s, n| s.multipv = n as usize),
    check("UCI_Chess960", false, |s, on| s.chess960 = on),
    check("UCI_AnalyseMode", false, |s, on| s.analyse_mode = on),
    check("UCI_ShowWDL", false, |s, on| s.show_wdl = on),
    check("UCI_LimitStrength", false, |s, on| s.limit_strength = on),
    spin("UCI_Elo", 1500, (800, 3000), Effect::None, |s, elo| s.elo = elo),
    text("UCI_EngineAbout", ABOUT, Effect::None, |_, _| ()),
    spin("Move Overhead", 10, (0, 5000), Effect::None,
        |s, ms| s.move_overhead = Duration::from_millis(ms.into())),
    text("Debug Log File", "", Effect::LogFile,
        |s, path| s.log_file = (!path.is_empty()).then(|| path.into())),
];

/// Why an option cannot be set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OptionError {
    /// No such option.
    #[error("there is no option '{0}'")]
    Unknown(String),
    /// No value where one is needed.
    #[error("option '{0}' needs a value")]
    Missing(&'static str),
    /// Not `true` or `false`.
    #[error("option '{name}' is true or false, not '{value}'")]
    NotBool {
        /// The option.
        name: &'static str,
        /// The value given.
        value: String,
    },
    /// No number, or not in the range.
    #[error("option '{name}' is a number from {} to {}, not '{value}'", range.start(), range.end())]
    NotInRange {
        /// The option.
        name: &'static str,
        /// What it can be.
        range: RangeInclusive<u32>,
        /// The value given.
        value: String,
    },
}

impl Settings {
    /// Sets an option by its name and says what has to be done now. After an error nothing has changed.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<Effect, OptionError> {
        let option = OPTIONS
            .iter()
            .find(|option| option.name.eq_ignore_ascii_case(name))
            .ok_or_else(|| OptionError::Unknown(name.to_owned()))?;
        let name = option.name;
        let value = match (option.kind, value) {
            (Kind::Button, _) => return Ok(option.effect),
            (_, Some(value)) => value,
            (_, None) => return Err(OptionError::Missing(name)),
        };
        match option.kind {
            Kind::Check { set, .. } => {
                let on = value
                    .to_ascii_lowercase()
                    .parse()
                    .map_err(|_| OptionError::NotBool { name, value: value.to_owned() })?;
                set(self, on);
            }
            Kind::Spin { min, max, set, .. } => {
                let range = min..=max;
                let number = value.parse().ok().filter(|number| range.contains(number));
                set(
                    self,
                    number.ok_or(OptionError::NotInRange {
                        name,
                        range,
                        value: value.to_owned(),
                    })?,
                );
            }
            Kind::Text { set, .. } => set(self, if value == EMPTY { "" } else { value }),
            Kind::Button => {}
        }
        Ok(option.effect)
    }
}

impl fmt::Display for UciOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", self.name)?;
        match self.kind {
            Kind::Check { default, .. } => write!(f, "check default {default}"),
            Kind::Spin { default, min, max, .. } => {
                write!(f, "spin default {default} min {min} max {max}")
            }
            Kind::Button => f.write_str("button"),
            Kind::Text { default: "", .. } => write!(f, "string default {EMPTY}"),
            Kind::Text { default, .. } => write!(f, "string default {default}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_can_be_set_to_what_it_announces() {
        for option in OPTIONS {
            let mut settings = Settings::default();
            assert_eq!(
                OPTIONS.iter().filter(|o| o.name.eq_ignore_ascii_case(option.name)).count(),
                1
            );
            match option.kind {
                Kind::Check { default, .. } => {
                    settings.set(option.name, Some(&(!default).to_string())).expect("a bool");
                    assert_ne!(settings, Settings::default(), "{}", option.name);
                }
                Kind::Spin { default, min, max, .. } => {
                    assert!(min <= default && default <= max);
                    for good in [min, max] {
                        settings.set(option.name, Some(&good.to_string())).expect("in range");
                    }
                    assert_ne!(settings, Settings::default(), "{}", option.name);
                    let before = settings.clone();
                    for bad in ["", "x", "-1", "1.5", &(u64::from(max) + 1).to_string()] {
                        assert!(settings.set(option.name, Some(bad)).is_err(), "{}", option.name);
                    }
                    assert_eq!(settings, before);
                }
                Kind::Button => assert_eq!(settings.set(option.name, None), Ok(option.effect)),
                Kind::Text { .. } => {
                    settings.set(option.name, Some("some text")).expect("any text");
                    settings.set(option.name, Some(EMPTY)).expect("no text");
                }
            }
        }
    }

    #[test]
    fn errors_say_what_would_be_right() {
        let mut settings = Settings::default();
        let mut error = |name, value| settings.set(name, value).expect_err("bad").to_string();
        assert_eq!(
            error("uci_elo", Some("100")),
            "option 'UCI_Elo' is a number from 800 to 3000, not '100'"
        );
        assert_eq!(error("Ponder", Some("maybe")), "option 'Ponder' is true or false, not 'maybe'");
        assert_eq!(error("Ponder", None), "option 'Ponder' needs a value");
        assert_eq!(error("Nonsense", Some("1")), "there is no option 'Nonsense'");
    }

    #[test]
    fn options_print_as_the_protocol_has_them() {
        let lines: Vec<_> = OPTIONS.iter().map(ToString::to_string).collect();
        for line in [
            "option name Hash type spin default 16 min 1 max 1048576",
            "option name Clear Hash type button",
            "option name Ponder type check default false",
            "option name Debug Log File type string default <empty>",
        ] {
            assert!(lines.iter().any(|l| l == line), "{line}");
        }
    }
}
