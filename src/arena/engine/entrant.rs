//! Entrants: an engine's command and settings, as given on the command line or in a TOML file.

use crate::base::span::Span;
use crate::laws::clock::{BONUS_SIGNS, Budget, ControlError, TimeControl};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The protocol of an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Protocol {
    /// UCI, for chess.
    Uci,
    /// Hub, for draughts.
    Hub,
    /// DXP; the engine listens.
    Dxp,
    /// DXP; the engine connects to the arena.
    DxpClient,
}

impl FromStr for Protocol {
    type Err = EntrantError;

    fn from_str(text: &str) -> Result<Self, EntrantError> {
        match text {
            "uci" => Ok(Self::Uci),
            "hub" => Ok(Self::Hub),
            "dxp" => Ok(Self::Dxp),
            "dxp-client" => Ok(Self::DxpClient),
            _ => Err(EntrantError::Protocol(text.to_owned())),
        }
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Uci => "UCI",
            Self::Hub => "Hub",
            Self::Dxp | Self::DxpClient => "DXP",
        })
    }
}

/// An engine that takes part in a match.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Entrant {
    /// The name in tables and game records.
    pub name: String,
    /// The program to run.
    pub program: String,
    /// The program's command-line arguments.
    pub args: Vec<String>,
    /// The working directory.
    pub dir: Option<PathBuf>,
    /// The protocol, or `None` for the game's default protocol.
    pub protocol: Option<Protocol>,
    /// True if the engine ponders.
    pub ponder: bool,
    /// The options to set, in this order.
    pub options: Vec<(String, String)>,
    /// The engine's own time control, if it differs from the match's.
    pub control: Option<TimeControl>,
    /// True if the arena also sends options that the engine has not announced, and values out of
    /// range.
    pub lenient: bool,
}

/// The placeholder in an entrant's arguments that is replaced by a free port.
pub(crate) const PORT: &str = "{port}";

impl Entrant {
    /// Returns whether the entrant uses a fixed port. If it does, only one of its processes can run
    /// at a time.
    pub fn has_one_port(&self) -> bool {
        let speaks_dxp = matches!(self.protocol, Some(Protocol::Dxp | Protocol::DxpClient));
        speaks_dxp && !self.args.iter().any(|arg| arg.contains(PORT))
    }

    /// Returns the paths of the program and of any executables among its arguments, as in
    /// `nice -n 5 ./engine`. Files that do not exist are omitted.
    pub fn programs(&self) -> Vec<PathBuf> {
        let dir = self.dir.as_deref().unwrap_or(Path::new(""));
        let arguments = self.args.iter().filter_map(|arg| existing_program(dir.join(arg)));
        self.executable().into_iter().chain(arguments).collect()
    }

    fn executable(&self) -> Option<PathBuf> {
        if self.program.contains('/') {
            return existing_program(
                self.dir.as_deref().unwrap_or(Path::new("")).join(&self.program),
            );
        }
        let path = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&path).find_map(|folder| existing_program(folder.join(&self.program)))
    }

    /// Returns whether the program can be found. Always returns true on systems other than Unix,
    /// because they may append an extension to the program's name.
    #[cfg(all(feature = "board", feature = "cli"))]
    pub(crate) fn has_program(&self) -> bool {
        cfg!(not(unix)) || self.executable().is_some()
    }
}

fn existing_program(path: PathBuf) -> Option<PathBuf> {
    is_program(&path).then_some(path)
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.is_file()
}

/// The error for an invalid description of an engine.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EntrantError {
    /// Text without an equals sign.
    #[error("'{0}' is not key=value")]
    NotAPair(String),
    /// An unknown key.
    #[error(
        "unknown key '{0}': give cmd, name, dir, proto, ponder, tc, movetime, nodes, depth or option.NAME"
    )]
    UnknownKey(String),
    /// A missing command.
    #[error("no engine command: give cmd=PROGRAM")]
    NoCommand,
    /// A command with unclosed quotes.
    #[error("unbalanced quotes in the command '{0}'")]
    Command(String),
    /// An invalid time control.
    #[error(transparent)]
    Control(#[from] ControlTextError),
    /// An unknown protocol.
    #[error("unknown protocol '{0}': give proto=uci, hub, dxp or dxp-client")]
    Protocol(String),
    /// A value that is neither true nor false.
    #[error("ponder={0}: give true or false")]
    Switch(String),
    /// An invalid number.
    #[error("{key}={value}: give a whole number of at least 1")]
    Number {
        /// The key.
        key: &'static str,
        /// The rejected value.
        value: String,
    },
    /// Text that is not TOML, or a setting that is unknown or invalid.
    #[error("{0}")]
    Toml(String),
}

/// The error for a time control that cannot be used in a match.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ControlTextError {
    /// Text that is not a time control.
    #[error(transparent)]
    Control(#[from] ControlError),
    /// A period of zero seconds.
    #[error("'{0}': the time must be more than 0 seconds in each period")]
    NoTime(String),
    /// Ambiguous text.
    #[error("'{text}' can mean minutes and seconds, or two periods: write {minutes} or {periods}")]
    Ambiguous {
        /// The ambiguous text.
        text: String,
        /// The unambiguous text for minutes and seconds.
        minutes: String,
        /// The unambiguous text for two periods.
        periods: String,
    },
}

/// Parses a time control for a match. Accepts the format used in game records, minutes and seconds
/// as in cutechess and fastchess (`1:30+1` or `40/5:00`), and `inf`, which means no clock.
pub(crate) fn read_budget(text: &str) -> Result<Budget, ControlTextError> {
    if text == "inf" {
        return Ok(Budget::Unlimited);
    }
    let budget: Budget = in_seconds(text).as_deref().unwrap_or(text).parse()?;
    let has_time = match &budget {
        Budget::Unlimited => true,
        Budget::PerMove(time) | Budget::Hourglass(time) => !time.is_zero(),
        Budget::Periods(periods) => periods.iter().all(|period| !period.time.is_zero()),
    };
    if has_time { Ok(budget) } else { Err(ControlTextError::NoTime(text.to_owned())) }
}

/// Parses a time control typed by a user. Rejects a time control with two periods if its text could
/// also mean minutes and seconds.
pub(crate) fn read_typed_budget(text: &str) -> Result<Budget, ControlTextError> {
    if let Some((first, second)) = text.split_once(':')
        && let Some((moves, minutes)) = first.split_once('/')
        && let (seconds, bonus) = second.split_at(second.find(BONUS_SIGNS).unwrap_or(second.len()))
        && let [tens @ b'0'..=b'5', ones @ b'0'..=b'9'] = seconds.as_bytes()
        && [*tens, *ones] != *b"00"
        && let Ok(minutes) = minutes.parse::<u32>()
    {
        let whole = u64::from((tens - b'0') * 10 + (ones - b'0'));
        return Err(ControlTextError::Ambiguous {
            text: text.to_owned(),
            minutes: format!("{moves}/{}{bonus}", 60 * u64::from(minutes) + whole),
            periods: format!("{first}:{seconds}.0{bonus}"),
        });
    }
    read_budget(text)
}

/// Converts minutes and seconds to seconds: `1:30+1` becomes `90+1`, and `40/5:00` becomes
/// `40/300`. Returns `None` for other text.
///
/// In text such as `40/5:30`, the 30 may be the time of a second period instead of seconds. After a
/// move count (`40/`), the number after the colon is therefore parsed as seconds only if it is
/// `00`.
fn in_seconds(text: &str) -> Option<String> {
    let (first, second) = text.split_once(':')?;
    let end = second.find(BONUS_SIGNS).unwrap_or(second.len());
    let (seconds, bonus) = second.split_at_checked(end)?;
    let (whole, _) = seconds.split_once('.').unwrap_or((seconds, ""));
    let two_digits = whole.len() == 2 && whole.bytes().all(|byte| byte.is_ascii_digit());
    let (moves, minutes) = match first.split_once('/') {
        None => ("", first),
        Some((moves, minutes)) if whole == "00" => (moves, minutes),
        Some(_) => return None,
    };
    if !two_digits {
        return None;
    }
    let (minutes, seconds): (u64, f64) = (minutes.parse().ok()?, seconds.parse().ok()?);
    let time = 60.0 * minutes as f64 + seconds;
    let moves = if moves.is_empty() { String::new() } else { format!("{moves}/") };
    Some(format!("{moves}{time}{bonus}"))
}

/// An engine description as given by the user.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Description {
    cmd: Option<String>,
    name: Option<String>,
    dir: Option<PathBuf>,
    proto: Option<Protocol>,
    ponder: Option<bool>,
    tc: Option<String>,
    /// The time per move, in milliseconds.
    movetime: Option<u64>,
    nodes: Option<u64>,
    depth: Option<u32>,
    /// The engine options, given as `option.NAME = VALUE` or in a table `options`.
    #[serde(default, alias = "option")]
    options: BTreeMap<String, toml::Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    each: Description,
    engine: Vec<Description>,
}

impl Description {
    /// Parses a comma-separated list of `key=value` items. The keys are `cmd`, `name`, `dir`,
    /// `proto`, `ponder`, `tc`, `nodes`, `depth`, `movetime` (in milliseconds) and `option.NAME`. A
    /// comma in a value is written `\,`.
    pub fn from_text(text: &str) -> Result<Self, EntrantError> {
        let mut description = Self::default();
        for part in split_commas(text) {
            let (key, value) =
                part.split_once('=').ok_or_else(|| EntrantError::NotAPair(part.clone()))?;
            let value = value.to_owned();
            match key.trim() {
                "cmd" => description.cmd = Some(value),
                "name" => description.name = Some(value),
                "dir" => description.dir = Some(value.into()),
                "proto" => description.proto = Some(value.parse()?),
                "ponder" => {
                    let on = value.parse().map_err(|_| EntrantError::Switch(value))?;
                    description.ponder = Some(on);
                }
                "tc" => {
                    read_typed_budget(&value)?;
                    description.tc = Some(value);
                }
                "movetime" => description.movetime = Some(number("movetime", value)?),
                "nodes" => description.nodes = Some(number("nodes", value)?),
                "depth" => description.depth = Some(number("depth", value)?),
                key => {
                    let name = key
                        .strip_prefix("option.")
                        .ok_or_else(|| EntrantError::UnknownKey(key.to_owned()))?;
                    description.options.insert(name.to_owned(), toml::Value::String(value));
                }
            }
        }
        Ok(description)
    }

    /// Parses a TOML file of `[[engine]]` tables with the same keys as [`Self::from_text`]. An
    /// `[each]` table contains defaults for all engines. Options are written as
    /// `option.NAME = VALUE` or in a table `options`.
    pub fn from_toml(text: &str) -> Result<Vec<Self>, EntrantError> {
        let file: File =
            toml::from_str(text).map_err(|error| EntrantError::Toml(error.to_string()))?;
        Ok(file.engine.into_iter().map(|engine| engine.or(&file.each)).collect())
    }

    /// Checks that the time control is not ambiguous; see [`read_typed_budget`].
    pub(crate) fn check_time(&self) -> Result<(), EntrantError> {
        if let Some(text) = &self.tc {
            read_typed_budget(text)?;
        }
        Ok(())
    }

    /// Fills missing settings from `common`. `tc`, `movetime`, `nodes` and `depth` are filled only
    /// if all four are missing.
    #[must_use]
    pub fn or(mut self, common: &Self) -> Self {
        if self.tc.is_none()
            && self.movetime.is_none()
            && self.nodes.is_none()
            && self.depth.is_none()
        {
            self.tc.clone_from(&common.tc);
            self.movetime = common.movetime;
            self.nodes = common.nodes;
            self.depth = common.depth;
        }
        self.cmd = self.cmd.or_else(|| common.cmd.clone());
        self.name = self.name.or_else(|| common.name.clone());
        self.dir = self.dir.or_else(|| common.dir.clone());
        self.proto = self.proto.or(common.proto);
        self.ponder = self.ponder.or(common.ponder);
        for (name, value) in &common.options {
            self.options.entry(name.clone()).or_insert_with(|| value.clone());
        }
        self
    }

    /// Returns the time control in the description, if there is one.
    pub fn control(&self) -> Result<Option<TimeControl>, EntrantError> {
        let budget = match (&self.tc, self.movetime) {
            (Some(text), _) => read_budget(text)?,
            (None, Some(ms)) => Budget::PerMove(Span::from_millis(ms).time()),
            (None, None) => Budget::Unlimited,
        };
        let control = TimeControl { budget, nodes: self.nodes, depth: self.depth };
        Ok((control != TimeControl::default()).then_some(control))
    }

    /// Builds the entrant. Its name defaults to the program's file name without the extension.
    pub fn entrant(&self) -> Result<Entrant, EntrantError> {
        let command = self.cmd.as_deref().ok_or(EntrantError::NoCommand)?;
        let mut words = shlex::split(command)
            .ok_or_else(|| EntrantError::Command(command.to_owned()))?
            .into_iter();
        let program = words.next().ok_or(EntrantError::NoCommand)?;
        let stem = || {
            let stem = Path::new(&program).file_stem().unwrap_or_default();
            stem.to_string_lossy().into_owned()
        };
        let text = |value: &toml::Value| match value {
            toml::Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        Ok(Entrant {
            name: self.name.clone().unwrap_or_else(stem),
            args: words.collect(),
            dir: self.dir.clone(),
            protocol: self.proto,
            ponder: self.ponder.unwrap_or_default(),
            options: self.options.iter().map(|(k, v)| (k.clone(), text(v))).collect(),
            control: self.control()?,
            lenient: false,
            program,
        })
    }
}

/// Makes the names of entrants unique by appending numbers, because records identify players by
/// name.
pub(crate) fn make_names_unique(entrants: &mut [Entrant]) {
    for i in 1..entrants.len() {
        let (before, rest) = entrants.split_at_mut(i);
        let taken = |name: &str| before.iter().any(|e| e.name == name);
        let name = rest[0].name.clone();
        if taken(&name)
            && let Some(free) = (2..).map(|n| format!("{name}-{n}")).find(|n| !taken(n))
        {
            rest[0].name = free;
        }
    }
}

fn number<T: FromStr + PartialOrd + From<u8>>(
    key: &'static str,
    value: String,
) -> Result<T, EntrantError> {
    match value.parse::<T>() {
        Ok(n) if n >= T::from(1) => Ok(n),
        _ => Err(EntrantError::Number { key, value }),
    }
}

fn split_commas(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek(), parts.last_mut()) {
            ('\\', Some(','), Some(part)) => {
                part.push(',');
                chars.next();
            }
            (',', _, _) => parts.push(String::new()),
            (c, _, Some(part)) => part.push(c),
            (_, _, None) => {}
        }
    }
    parts.retain(|part| !part.trim().is_empty());
    parts
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn reads_time_controls_of_other_runners() {
        for (text, expected) in [
            ("2+0.02", "2+0.02"),
            ("1:30+1", "90+1"),
            ("0:01.5+0.1", "1.5+0.1"),
            ("40/5:00", "40/300"),
            ("40/5:00+2", "40/300+2"),
            ("10:00d5", "600d5"),
            ("40/7200+30:20/3600:900+30", "40/7200+30:20/3600:900+30"),
            ("40/60:30", "40/60:30"),
            ("inf", "-"),
        ] {
            let budget = read_budget(text).unwrap();
            let control = TimeControl { budget, ..Default::default() };
            assert_eq!(control.to_string(), expected, "{text}");
        }
        for text in ["0", "0+0", "*0", "40/0", "0:00+1", "40/60:0+1"] {
            let error = read_budget(text).unwrap_err().to_string();
            assert!(error.contains("must be more than 0 seconds"), "{text}: {error}");
        }
        assert!(read_budget("1:3+1").is_err());
    }

    #[test]
    fn rejects_ambiguous_time_controls() {
        for (text, minutes, periods) in
            [("40/5:30", "40/330", "40/5:30.0"), ("40/1:30+0.5", "40/90+0.5", "40/1:30.0+0.5")]
        {
            let error = read_typed_budget(text).unwrap_err().to_string();
            assert!(error.ends_with(&format!("write {minutes} or {periods}")), "{error}");
            assert!(Description::from_text(&format!("cmd=a,tc={text}")).is_err());
            let file = format!("[each]\ntc = \"{text}\"\n[[engine]]\ncmd = \"a\"\n");
            let engines = Description::from_toml(&file).unwrap();
            assert!(engines[0].check_time().is_err());
            for text in [minutes, periods] {
                assert!(read_typed_budget(text).is_ok(), "{text}");
            }
        }
        assert!(read_typed_budget("40/5:00+2").is_ok());
    }

    fn entrant(text: &str) -> Result<Entrant, EntrantError> {
        Description::from_text(text)?.entrant()
    }

    #[test]
    fn parses_a_description_from_arguments() {
        let e =
            entrant(r"cmd=/usr/games/x --a 'b c',option.Hash=64,option.Some File=a\,b,tc=2+0.02");
        let e = e.unwrap();
        assert_eq!((e.name.as_str(), e.program.as_str()), ("x", "/usr/games/x"));
        assert_eq!(e.args, ["--a", "b c"]);
        assert_eq!(e.options, [("Hash".into(), "64".into()), ("Some File".into(), "a,b".into())]);
        assert_eq!(e.control.unwrap().to_string(), "2+0.02");
    }

    #[test]
    fn parses_a_description_file() {
        let text = "[each]\ntc = \"1+0.01\"\noption.Hash = 64\noption.Ponder = false\n\
            [[engine]]\ncmd = \"a\"\n[[engine]]\ncmd = \"b -x\"\nname = \"B\"\nnodes = 9\noptions = { Hash = 1 }";
        let all = Description::from_toml(text).unwrap();
        let all: Vec<Entrant> = all.iter().map(|d| d.entrant().unwrap()).collect();
        assert_eq!(
            all[0].options,
            [("Hash".into(), "64".into()), ("Ponder".into(), "false".into())]
        );
        assert_eq!(all[1].options[0], ("Hash".into(), "1".into()));
        assert_eq!(all[0].control.as_ref().unwrap().to_string(), "1+0.01");
        let odds = all[1].control.as_ref().unwrap();
        assert_eq!((&odds.budget, odds.nodes), (&Budget::Unlimited, Some(9)));
    }

    #[test]
    fn errors_describe_the_problem() {
        assert_eq!(entrant("name=x"), Err(EntrantError::NoCommand));
        assert_eq!(entrant("cmd="), Err(EntrantError::NoCommand));
        assert_eq!(entrant("cmd='x"), Err(EntrantError::Command("'x".into())));
        assert_eq!(entrant("stockfish"), Err(EntrantError::NotAPair("stockfish".into())));
        assert_eq!(entrant("cmd=x,ponder=on"), Err(EntrantError::Switch("on".into())));
        assert_eq!(entrant("cmd=x,proto=cecp"), Err(EntrantError::Protocol("cecp".into())));
        assert_eq!(entrant("cmd=x,hash=3"), Err(EntrantError::UnknownKey("hash".into())));
        let number = EntrantError::Number { key: "nodes", value: "0".into() };
        assert_eq!(entrant("cmd=x,nodes=0"), Err(number));
        assert!(matches!(
            Description::from_toml("[[engine]]\ncdm = 1"),
            Err(EntrantError::Toml(_))
        ));
    }

    #[cfg(unix)]
    #[test]
    fn lists_programs_in_command_and_arguments() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("notes");
        std::fs::write(&file, "no program").unwrap();
        let this = std::env::current_exe().unwrap();
        let entrant = Entrant {
            program: "env".into(),
            args: vec!["A=b".into(), file.display().to_string(), this.display().to_string()],
            ..Entrant::default()
        };
        let found = entrant.programs();
        assert!(found.len() == 2 && found[0].ends_with("env") && found[1] == this, "{found:?}");
        let (dir, name) = (this.parent(), this.file_name().unwrap().to_string_lossy());
        let here = Entrant { program: format!("./{name}"), dir: dir.map(Into::into), ..entrant };
        assert!(here.programs()[0].ends_with(&*name));
        let nowhere = Entrant { program: "no such program".into(), ..Entrant::default() };
        assert_eq!(nowhere.programs(), Vec::<PathBuf>::new());
    }

    #[test]
    fn makes_duplicate_names_unique() {
        let mut all = vec![Entrant { name: "x".into(), ..Entrant::default() }; 3];
        make_names_unique(&mut all);
        assert_eq!(all.iter().map(|e| e.name.as_str()).collect::<Vec<_>>(), ["x", "x-2", "x-3"]);
    }
}
