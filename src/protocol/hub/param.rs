//! The table of Adoube's parameters, and the `param` line with which an engine announces a
//! parameter.

use super::line::{HubLine, Value};
use crate::base::cursor::excerpt;
use crate::draughts::Variant;
use crate::endings::bitbase::MAX_PIECES;
use crate::protocol::setting::{
    Effect, EngineSettings, Setting, SettingError, SettingKind, SettingTable as _, Wording,
};
use crate::protocol::strength::FULL_SKILL;
use std::borrow::Cow;
use std::fmt::{self, Display, Formatter};
use std::path::PathBuf;
use std::time::Duration;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HubParams {
    pub engine: EngineSettings,
    pub variant: Variant,
    /// The maximum number of pieces for which bitbases are used.
    pub bb_size: u32,
    pub book: bool,
    pub multi_pv: usize,
    /// The playing strength; see
    /// [`Strength::skilled`](crate::protocol::strength::Strength::skilled).
    pub skill: u32,
    /// The network file; empty for the embedded network.
    pub network: PathBuf,
}

impl Default for HubParams {
    /// Returns the defaults of [`PARAMS`].
    fn default() -> Self {
        let mut settings = Self {
            engine: EngineSettings::default(),
            variant: Variant::default(),
            bb_size: 0,
            book: false,
            multi_pv: 0,
            skill: 0,
            network: PathBuf::new(),
        };
        settings.reset();
        settings
    }
}

/// The binary logarithm of the number of 16-byte table entries in a mebibyte.
const LOG_ENTRIES_PER_MB: u32 = 16;

type Row = Setting<HubParams>;

const fn param(name: &'static str, effect: Effect, kind: SettingKind<HubParams>) -> Row {
    Row { name, kind, effect }
}

/// All parameters, in the order in which `hub` lists them. Parameters that also exist in Scan have
/// the same names and meanings there. `tt-size` is the binary logarithm of the number of table
/// entries.
#[rustfmt::skip]
pub const PARAMS: &[Row] = &[
    param("variant", Effect::Network,
        SettingKind::Enum { words: &Variant::NAMES, set: |s, name| s.variant = name.parse().unwrap_or_default() }),
    param("book", Effect::None, SettingKind::Bool { default: true, set: |s, on| s.book = on }),
    param("ponder", Effect::None,
        SettingKind::Bool { default: false, set: |s, on| s.engine.ponder = on }),
    param("threads", Effect::Threads,
        SettingKind::Int { default: 1, min: 1, max: 512, set: |s, n| s.engine.threads = n as usize }),
    param("tt-size", Effect::Hash,
        SettingKind::Int { default: 20, min: LOG_ENTRIES_PER_MB, max: 36,
            set: |s, n| s.engine.hash_mb = 1 << (n - LOG_ENTRIES_PER_MB) }),
    param("bb-size", Effect::Tables,
        SettingKind::Int { default: MAX_PIECES, min: 0, max: MAX_PIECES, set: |s, n| s.bb_size = n }),
    param("multi-pv", Effect::None,
        SettingKind::Int { default: 1, min: 1, max: 256, set: |s, n| s.multi_pv = n as usize }),
    param("skill", Effect::None,
        SettingKind::Int { default: FULL_SKILL, min: 0, max: FULL_SKILL, set: |s, n| s.skill = n }),
    param("eval-file", Effect::Network,
        SettingKind::File { set: |s, path| s.network = path.into() }),
    param("move-overhead", Effect::None,
        SettingKind::Real { default: 0.01, min: 0.0, max: 5.0,
            set: |s, n| s.engine.move_overhead = Duration::from_secs_f64(n) }),
    param("log-file", Effect::LogFile,
        SettingKind::File { set: |s, path| s.engine.set_log_file(path) }),
];

impl crate::protocol::setting::SettingTable for HubParams {
    const TABLE: &'static [Row] = PARAMS;
    const WORDING: Wording = Wording {
        noun: "parameter",
        whole_number: "whole number",
        any_case: false,
        empty_text: "",
        quote: excerpt,
    };

    fn engine(&mut self) -> &mut EngineSettings {
        &mut self.engine
    }
}

impl HubParams {
    /// Sets a parameter and returns the effect to apply. An error leaves all parameters unchanged.
    pub fn set(&mut self, name: &str, value: &str) -> Result<Effect, SettingError> {
        self.change(name, Some(value))
    }
}

/// A `param` line, with which an engine announces a parameter. A missing field or an invalid number
/// is `None`.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ParamLine<'a> {
    pub name: Option<Cow<'a, str>>,
    pub value: Option<Cow<'a, str>>,
    /// `bool`, `int`, `real`, `enum` or `string`, if the engine follows the protocol.
    pub kind: Option<Cow<'a, str>>,
    pub min: Option<f64>,
    pub max: Option<f64>,
    /// The values of an `enum`, separated by spaces.
    pub values: Option<Cow<'a, str>>,
}

impl<'a> From<&HubLine<'a>> for ParamLine<'a> {
    fn from(line: &HubLine<'a>) -> Self {
        let text = |name| line.get(name).map(Cow::Borrowed);
        let number = |name| line.get(name)?.parse().ok();
        Self {
            name: text("name"),
            value: text("value"),
            kind: text("type"),
            min: number("min"),
            max: number("max"),
            values: text("values"),
        }
    }
}

impl From<&'static Row> for ParamLine<'static> {
    fn from(row: &'static Row) -> Self {
        let of = |kind: &'static str, value: String| Self {
            name: Some(row.name.into()),
            value: Some(value.into()),
            kind: Some(kind.into()),
            ..Self::default()
        };
        match row.kind {
            SettingKind::Bool { default, .. } => of("bool", default.to_string()),
            SettingKind::Int { default, min, max, .. } => {
                let (min, max) = (Some(min.into()), Some(max.into()));
                Self { min, max, ..of("int", default.to_string()) }
            }
            SettingKind::Real { default, min, max, .. } => {
                Self { min: Some(min), max: Some(max), ..of("real", default.to_string()) }
            }
            SettingKind::Text { default, .. } => of("string", default.to_owned()),
            SettingKind::File { .. } => of("string", String::new()),
            SettingKind::Enum { words, .. } => {
                let first = words.first().copied().unwrap_or_default();
                Self { values: Some(words.join(" ").into()), ..of("enum", first.to_owned()) }
            }
            // Hub has no buttons: setting any value triggers the action.
            SettingKind::Button => of("bool", false.to_string()),
        }
    }
}

impl Display for ParamLine<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        fn argument<T: Display>(
            f: &mut Formatter<'_>,
            name: &str,
            value: &Option<T>,
        ) -> fmt::Result {
            value.iter().try_for_each(|value| write!(f, " {name}={}", Value(value)))
        }
        f.write_str("param")?;
        argument(f, "name", &self.name)?;
        argument(f, "value", &self.value)?;
        argument(f, "type", &self.kind)?;
        argument(f, "min", &self.min)?;
        argument(f, "max", &self.max)?;
        argument(f, "values", &self.values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::setting::tests::check_announced_values;

    #[test]
    fn parameters_accept_announced_values_only() {
        check_announced_values::<HubParams>();
        let mut settings = HubParams::default();
        for wrong in ["TRUE", "russian"] {
            assert!(
                settings.set("ponder", wrong).is_err() && settings.set("variant", wrong).is_err()
            );
        }
        assert!(settings.set("Ponder", "true").is_err());
    }

    #[test]
    fn errors_list_the_valid_values() {
        let mut settings = HubParams::default();
        let mut error = |name, value| settings.set(name, value).expect_err("bad").to_string();
        for (name, value, message) in [
            ("speed", "9", "there is no parameter 'speed'"),
            ("book", "maybe", "parameter 'book' must be true or false, not 'maybe'"),
            ("threads", "0", "parameter 'threads' must be a whole number from 1 to 512, not '0'"),
            (
                "move-overhead",
                "9",
                "parameter 'move-overhead' must be a number from 0 to 5, not '9'",
            ),
            (
                "variant",
                "russian",
                "parameter 'variant' must be one of 'normal', 'killer', 'bt', 'frisian', 'losing', \
                 not 'russian'",
            ),
        ] {
            assert_eq!(error(name, value), message);
        }
    }

    #[test]
    fn tt_size_sets_the_table_size() {
        let mut settings = HubParams::default();
        assert_eq!(settings.engine.hash_mb, 16);
        settings.set("tt-size", "24").expect("in range");
        assert_eq!(settings.engine.hash_mb, 256);
    }

    #[test]
    fn prints_param_lines() {
        let lines: Vec<_> = PARAMS.iter().map(|row| ParamLine::from(row).to_string()).collect();
        for line in [
            "param name=variant value=normal type=enum values=\"normal killer bt frisian losing\"",
            "param name=ponder value=false type=bool",
            "param name=threads value=1 type=int min=1 max=512",
            "param name=move-overhead value=0.01 type=real min=0 max=5",
            "param name=log-file value=\"\" type=string",
        ] {
            assert!(lines.iter().any(|l| l == line), "{line} in {lines:?}");
        }
    }

    #[test]
    fn param_lines_round_trip() {
        let variant = ParamLine {
            name: Some("my variant".into()),
            value: Some("normal".into()),
            kind: Some("enum".into()),
            values: Some("normal killer".into()),
            ..ParamLine::default()
        };
        for param in PARAMS.iter().map(ParamLine::from).chain([variant]) {
            let text = param.to_string();
            assert_eq!(ParamLine::from(&HubLine::parse(&text).expect("a line")), param, "{text}");
        }
        let odd = HubLine::parse("param name=a min=x max=3").expect("a line");
        let odd = ParamLine::from(&odd);
        assert_eq!((odd.value, odd.kind, odd.min, odd.max), (None, None, None, Some(3.0)));
    }
}
