//! The table of Adoube's options, and the `option` line with which an engine announces an option.

use crate::protocol::setting::{
    Effect, EngineSettings, Setting, SettingError, SettingKind, SettingTable as _, Wording,
};
use std::borrow::Cow;
use std::ffi::OsString;
use std::fmt::{self, Display, Formatter};
use std::path::PathBuf;
use std::time::Duration;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UciOptions {
    pub engine: EngineSettings,
    pub multipv: usize,
    /// If true, castling is printed as king takes rook. If false, castling rights that do not exist
    /// in standard chess are removed from positions.
    pub chess960: bool,
    /// If true, the engine searches at full strength and without the book, regardless of the other
    /// options.
    pub analyse_mode: bool,
    pub show_wdl: bool,
    /// If true, the strength is limited to the rating `elo`.
    pub limit_strength: bool,
    pub elo: u32,
    pub syzygy: Syzygy,
    pub book: OpeningBook,
    /// The network file; empty for the embedded network.
    pub network: PathBuf,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OpeningBook {
    pub is_used: bool,
    /// The book file; empty for no book.
    pub file: PathBuf,
    /// The last move number for which the book is used.
    pub depth: u32,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Syzygy {
    /// The table folders, separated as in `PATH`; empty for none.
    pub path: OsString,
    /// The minimum depth for probing positions with the maximum number of pieces.
    pub probe_depth: u32,
    /// The maximum number of pieces in a position to probe.
    pub probe_limit: u32,
    pub fifty_move_rule: bool,
    /// If true, the checksums of tables are checked when the tables are opened.
    pub verify: bool,
}

impl Default for UciOptions {
    /// Returns the defaults of [`OPTIONS`].
    fn default() -> Self {
        let mut settings = Self {
            engine: EngineSettings::default(),
            multipv: 0,
            chess960: false,
            analyse_mode: false,
            show_wdl: false,
            limit_strength: false,
            elo: 0,
            syzygy: Syzygy::default(),
            book: OpeningBook::default(),
            network: PathBuf::new(),
        };
        settings.reset();
        settings
    }
}

pub(crate) const ABOUT: &str = concat!(
    "Adoube ",
    env!("CARGO_PKG_VERSION"),
    ", a chess engine to be read as well as played. Free software: MIT or Apache-2.0."
);

/// The representation of an empty string.
const EMPTY: &str = "<empty>";

type Row = Setting<UciOptions>;

const fn check(name: &'static str, default: bool, set: fn(&mut UciOptions, bool)) -> Row {
    Row { name, kind: SettingKind::Bool { default, set }, effect: Effect::None }
}

const fn spin(
    name: &'static str,
    default: u32,
    (min, max): (u32, u32),
    effect: Effect,
    set: fn(&mut UciOptions, u32),
) -> Row {
    Row { name, kind: SettingKind::Int { default, min, max, set }, effect }
}

const fn text(
    name: &'static str,
    default: &'static str,
    effect: Effect,
    set: fn(&mut UciOptions, &str),
) -> Row {
    Row { name, kind: SettingKind::Text { default, set }, effect }
}

/// All options, in the order in which `uci` lists them.
#[rustfmt::skip]
pub const OPTIONS: &[Row] = &[
    spin("Hash", 16, (1, 1 << 20), Effect::Hash, |s, mb| s.engine.hash_mb = mb as usize),
    Row { name: "Clear Hash", kind: SettingKind::Button, effect: Effect::ClearHash },
    spin("Threads", 1, (1, 512), Effect::Threads, |s, n| s.engine.threads = n as usize),
    check("Ponder", false, |s, on| s.engine.ponder = on),
    spin("MultiPV", 1, (1, 256), Effect::None, |s, n| s.multipv = n as usize),
    check("UCI_Chess960", false, |s, on| s.chess960 = on),
    check("UCI_AnalyseMode", false, |s, on| s.analyse_mode = on),
    check("UCI_ShowWDL", false, |s, on| s.show_wdl = on),
    check("UCI_LimitStrength", false, |s, on| s.limit_strength = on),
    spin("UCI_Elo", 1500, (800, 3000), Effect::None, |s, elo| s.elo = elo),
    text("UCI_EngineAbout", ABOUT, Effect::None, |_, _| ()),
    spin("Move Overhead", 10, (0, 5000), Effect::None,
        |s, ms| s.engine.move_overhead = Duration::from_millis(ms.into())),
    Row { name: "SyzygyPath", kind: SettingKind::File { set: |s, path| s.syzygy.path = path.into() },
        effect: Effect::Tables },
    spin("SyzygyProbeDepth", 1, (1, 100), Effect::None, |s, n| s.syzygy.probe_depth = n),
    spin("SyzygyProbeLimit", 7, (0, 7), Effect::None, |s, n| s.syzygy.probe_limit = n),
    check("Syzygy50MoveRule", true, |s, on| s.syzygy.fifty_move_rule = on),
    Row { name: "SyzygyVerify", kind: SettingKind::Bool { default: false, set: |s, on| s.syzygy.verify = on },
        effect: Effect::Tables },
    check("OwnBook", false, |s, on| s.book.is_used = on),
    Row { name: "BookFile", kind: SettingKind::File { set: |s, path| s.book.file = path.into() },
        effect: Effect::Book },
    spin("BookDepth", 255, (1, 255), Effect::None, |s, moves| s.book.depth = moves),
    Row { name: "EvalFile", kind: SettingKind::File { set: |s, path| s.network = path.into() },
        effect: Effect::Network },
    Row { name: "Debug Log File", kind: SettingKind::File { set: |s, path| s.engine.set_log_file(path) },
        effect: Effect::LogFile },
];

impl crate::protocol::setting::SettingTable for UciOptions {
    const TABLE: &'static [Row] = OPTIONS;
    const WORDING: Wording = Wording {
        noun: "option",
        whole_number: "number",
        any_case: true,
        empty_text: EMPTY,
        quote: str::to_owned,
    };

    fn engine(&mut self) -> &mut EngineSettings {
        &mut self.engine
    }
}

impl UciOptions {
    /// Sets an option and returns the effect to apply. An error leaves all options unchanged.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<Effect, SettingError> {
        self.change(name, value)
    }
}

/// An `option` line, with which an engine announces an option.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OptionLine<'a> {
    /// The case-insensitive name.
    pub name: &'a str,
    /// `check`, `spin`, `combo`, `button` or `string`, if the engine follows the protocol.
    pub kind: &'a str,
    /// The default, which is `<empty>` for an empty string.
    pub default: Option<Cow<'a, str>>,
    pub min: Option<i64>,
    pub max: Option<i64>,
    /// The values of a `combo`.
    pub vars: Vec<Cow<'a, str>>,
}

/// The words that start a field after the type of an option.
const FIELDS: [&str; 4] = ["default", "min", "max", "var"];

impl<'a> OptionLine<'a> {
    /// Parses `option name NAME type TYPE ...`. Returns `None` if the line has another form.
    /// Invalid numbers and unknown words are skipped.
    pub fn parse(line: &'a str) -> Option<Self> {
        let (name, rest) = split_at_type(line.strip_prefix("option name ")?)?;
        let mut words = rest.split_whitespace().peekable();
        let kind = words.next().unwrap_or_default();
        let mut option = Self { name: name.trim(), kind, ..Self::default() };
        while let Some(word) = words.next() {
            let mut text = || {
                let mut text: Vec<&str> = Vec::new();
                while let Some(word) = words.next_if(|word| !FIELDS.contains(word)) {
                    text.push(word);
                }
                text
            };
            match word {
                "default" => option.default = Some(text().join(" ").into()),
                "var" => option.vars.push(text().join(" ").into()),
                "min" => option.min = words.next().and_then(|n| n.parse().ok()),
                "max" => option.max = words.next().and_then(|n| n.parse().ok()),
                _ => {}
            }
        }
        Some(option)
    }
}

/// Splits a string at the first occurrence of `type` as a separate word.
fn split_at_type(text: &str) -> Option<(&str, &str)> {
    text.match_indices("type").find_map(|(at, word)| {
        let (name, rest) = (text.get(..at)?, text.get(at + word.len()..)?);
        let alone = name.ends_with(char::is_whitespace) && rest.starts_with(char::is_whitespace);
        alone.then_some((name, rest))
    })
}

impl From<&'static Row> for OptionLine<'static> {
    fn from(row: &'static Row) -> Self {
        let line = Self { name: row.name, ..Self::default() };
        match row.kind {
            SettingKind::Bool { default, .. } => {
                Self { kind: "check", default: Some(default.to_string().into()), ..line }
            }
            SettingKind::Int { default, min, max, .. } => Self {
                kind: "spin",
                default: Some(default.to_string().into()),
                min: Some(min.into()),
                max: Some(max.into()),
                ..line
            },
            // UCI has no type for fractions. Announce a string, which is checked when it is set.
            SettingKind::Real { default, .. } => {
                Self { kind: "string", default: Some(default.to_string().into()), ..line }
            }
            SettingKind::Text { default, .. } => {
                let default = if default.is_empty() { EMPTY } else { default };
                Self { kind: "string", default: Some(default.into()), ..line }
            }
            SettingKind::File { .. } => {
                Self { kind: "string", default: Some(EMPTY.into()), ..line }
            }
            SettingKind::Enum { words, .. } => Self {
                kind: "combo",
                default: words.first().map(|&word| word.into()),
                vars: words.iter().map(|&word| word.into()).collect(),
                ..line
            },
            SettingKind::Button => Self { kind: "button", ..line },
        }
    }
}

impl Display for OptionLine<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { name, kind, default, min, max, vars } = self;
        write!(f, "option name {name} type {kind}")?;
        default.iter().try_for_each(|default| write!(f, " default {default}"))?;
        min.iter().try_for_each(|min| write!(f, " min {min}"))?;
        max.iter().try_for_each(|max| write!(f, " max {max}"))?;
        vars.iter().try_for_each(|var| write!(f, " var {var}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::setting::tests::check_announced_values;

    #[test]
    fn options_accept_announced_values_only() {
        check_announced_values::<UciOptions>();
        let mut settings = UciOptions::default();
        settings.set("debug log file", Some("some text")).expect("any text");
        assert!(settings.engine.log_file.is_some());
        settings.set("Debug Log File", Some(EMPTY)).expect("no text");
        assert_eq!(settings.engine.log_file, None);
        settings.set("ponder", Some("TRUE")).expect("any case");
        assert!(settings.engine.ponder);
    }

    #[test]
    fn errors_list_the_valid_values() {
        let mut settings = UciOptions::default();
        let mut error = |name, value| settings.set(name, value).expect_err("bad").to_string();
        assert_eq!(
            error("uci_elo", Some("100")),
            "option 'UCI_Elo' must be a number from 800 to 3000, not '100'"
        );
        assert_eq!(
            error("Ponder", Some("maybe")),
            "option 'Ponder' must be true or false, not 'maybe'"
        );
        assert_eq!(error("Ponder", None), "option 'Ponder' needs a value");
        assert_eq!(error("Nonsense", Some("1")), "there is no option 'Nonsense'");
    }

    #[test]
    fn prints_option_lines() {
        let lines: Vec<_> = OPTIONS.iter().map(|row| OptionLine::from(row).to_string()).collect();
        for line in [
            "option name Hash type spin default 16 min 1 max 1048576",
            "option name Clear Hash type button",
            "option name Ponder type check default false",
            "option name Debug Log File type string default <empty>",
        ] {
            assert!(lines.iter().any(|l| l == line), "{line}");
        }
    }

    #[test]
    fn option_lines_round_trip() {
        let style = OptionLine {
            name: "Style of Play",
            kind: "combo",
            default: Some("Very Solid".into()),
            vars: vec!["Very Solid".into(), "Normal".into(), "Risky".into()],
            ..OptionLine::default()
        };
        for option in OPTIONS.iter().map(OptionLine::from).chain([style]) {
            let line = option.to_string();
            assert_eq!(OptionLine::parse(&line), Some(option), "{line}");
        }
    }

    #[test]
    fn parses_options_of_other_engines() {
        let parse = |line| OptionLine::parse(line).unwrap_or_else(|| panic!("{line}"));
        let hash = parse("option name Hash Size type spin default 16 min 1 max 64");
        assert_eq!((hash.name, hash.kind), ("Hash Size", "spin"));
        assert_eq!((hash.default.as_deref(), hash.min, hash.max), (Some("16"), Some(1), Some(64)));
        let file = parse("option name Book type string default my book.bin");
        assert_eq!(file.default.as_deref(), Some("my book.bin"));
        let strange = parse("option name  A  type   spin   max x joho min 3");
        assert_eq!((strange.name, strange.min, strange.max), ("A", Some(3), None));
        assert_eq!(parse("option name X type ").kind, "");
        for line in ["option name Hash", "option  name A type spin", "options", ""] {
            assert_eq!(OptionLine::parse(line), None, "{line}");
        }
    }
}
