//! The parameters of this engine, each listed once, and the `param` line by which any engine announces
//! a parameter.

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
use std::time::Duration;

/// The values of all parameters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HubParams {
    /// What every engine can be told.
    pub engine: EngineSettings,
    /// The game.
    pub variant: Variant,
    /// The most pieces of a bitbase that is used, if it is there.
    pub bb_size: u32,
    /// Whether moves of the book are played without thinking.
    pub book: bool,
    /// The number of lines that are shown.
    pub multi_pv: usize,
    /// How well the engine plays; see [`Strength::skilled`](crate::protocol::strength::Strength::skilled).
    pub skill: u32,
}

impl Default for HubParams {
    /// Every default of [`PARAMS`].
    fn default() -> Self {
        let mut settings = Self {
            engine: EngineSettings::default(),
            variant: Variant::default(),
            bb_size: 0,
            book: false,
            multi_pv: 0,
            skill: 0,
        };
        settings.reset();
        settings
    }
}

/// The logarithm to base 2 of the number of table entries in a mebibyte, of 16 bytes each.
const ENTRIES_PER_MB: u32 = 16;

type Row = Setting<HubParams>;

const fn param(name: &'static str, effect: Effect, kind: SettingKind<HubParams>) -> Row {
    Row { name, kind, effect }
}

/// All parameters, in the order in which `hub` lists them. Where Scan has the same, it has the same
/// name and meaning; `tt-size` is the logarithm to base 2 of the number of entries of the
/// transposition table.
#[rustfmt::skip]
pub const PARAMS: &[Row] = &[
    param("variant", Effect::None,
        SettingKind::Enum { words: &Variant::NAMES, set: |s, name| s.variant = name.parse().unwrap_or_default() }),
    param("book", Effect::None, SettingKind::Bool { default: true, set: |s, on| s.book = on }),
    param("ponder", Effect::None,
        SettingKind::Bool { default: false, set: |s, on| s.engine.ponder = on }),
    param("threads", Effect::Threads,
        SettingKind::Int { default: 1, min: 1, max: 512, set: |s, n| s.engine.threads = n as usize }),
    param("tt-size", Effect::Hash,
        SettingKind::Int { default: 20, min: ENTRIES_PER_MB, max: 36,
            set: |s, n| s.engine.hash_mb = 1 << (n - ENTRIES_PER_MB) }),
    param("bb-size", Effect::Tables,
        SettingKind::Int { default: MAX_PIECES, min: 0, max: MAX_PIECES, set: |s, n| s.bb_size = n }),
    param("multi-pv", Effect::None,
        SettingKind::Int { default: 1, min: 1, max: 256, set: |s, n| s.multi_pv = n as usize }),
    param("skill", Effect::None,
        SettingKind::Int { default: FULL_SKILL, min: 0, max: FULL_SKILL, set: |s, n| s.skill = n }),
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
    /// Sets a parameter and says what has to be done now.
    ///
    /// # Errors
    /// If there is no such parameter or it cannot have the value; nothing has changed then.
    pub fn set(&mut self, name: &str, value: &str) -> Result<Effect, SettingError> {
        self.change(name, Some(value))
    }
}

/// A `param` line: how an engine announces a parameter. What is not said, or is not a number although
/// it should be, is `None`.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ParamLine<'a> {
    /// The name.
    pub name: Option<Cow<'a, str>>,
    /// The value that it has now.
    pub value: Option<Cow<'a, str>>,
    /// `bool`, `int`, `real`, `enum` or `string`, if the engine keeps to the protocol.
    pub kind: Option<Cow<'a, str>>,
    /// The least value of a number.
    pub min: Option<f64>,
    /// The greatest value of a number.
    pub max: Option<f64>,
    /// The values of an `enum`, separated by blanks.
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
            // Hub has no buttons: setting any value presses this one.
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
    use crate::protocol::setting::tests::every_setting_can_be_set_to_what_it_announces;

    #[test]
    fn every_parameter_can_be_set_to_what_it_announces() {
        every_setting_can_be_set_to_what_it_announces::<HubParams>();
        let mut settings = HubParams::default();
        for wrong in ["TRUE", "russian"] {
            assert!(
                settings.set("ponder", wrong).is_err() && settings.set("variant", wrong).is_err()
            );
        }
        assert!(settings.set("Ponder", "true").is_err());
    }

    #[test]
    fn errors_say_what_would_be_right() {
        let mut settings = HubParams::default();
        let mut error = |name, value| settings.set(name, value).expect_err("bad").to_string();
        for (name, value, message) in [
            ("speed", "9", "there is no parameter 'speed'"),
            ("book", "maybe", "parameter 'book' is true or false, not 'maybe'"),
            ("threads", "0", "parameter 'threads' is a whole number from 1 to 512, not '0'"),
            ("move-overhead", "9", "parameter 'move-overhead' is a number from 0 to 5, not '9'"),
            (
                "variant",
                "russian",
                "parameter 'variant' is one of 'normal', 'killer', 'bt', 'frisian', 'losing', \
                 not 'russian'",
            ),
        ] {
            assert_eq!(error(name, value), message);
        }
    }

    #[test]
    fn the_table_has_the_size_that_is_asked_for() {
        let mut settings = HubParams::default();
        assert_eq!(settings.engine.hash_mb, 16);
        settings.set("tt-size", "24").expect("in range");
        assert_eq!(settings.engine.hash_mb, 256);
    }

    #[test]
    fn parameters_print_as_the_protocol_has_them() {
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
    fn parameters_read_back() {
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
