//! The settings of a match, as stored in the file `config.json` of its folder.

use super::journal::MatchError;
use crate::arena::engine::entrant::Description;
use crate::arena::game::{DrawRule, WinRule};
use crate::arena::stats::sprt::Sprt;
use crate::arena::tournament::cores::Cores;
use crate::base::file::at;
use crate::base::shard::Shard;
use crate::draughts;
use crate::laws::Edition;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

pub(super) const VERSION: u32 = 3;

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct MatchConfig {
    pub(super) version: u32,
    pub settings: MatchSettings,
    /// The base directory of relative paths.
    pub directory: PathBuf,
    /// The CRC-32 of the openings file, if there is one, and of each engine program.
    pub inputs: BTreeMap<PathBuf, u32>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct MatchSettings {
    pub event: String,
    pub game: MatchGame,
    pub engines: Vec<Description>,
    /// If true, unannounced options and out-of-range values are sent to the engines anyway.
    pub lenient: bool,
    /// The engine whose rating is set to 0. If `None`, the mean rating is 0.
    pub anchor: Option<String>,
    /// The time control for engines that do not have their own.
    pub control: ControlSettings,
    pub openings: OpeningSettings,
    pub schedule: ScheduleSettings,
    pub rules: RuleSettings,
    pub sprt: Option<Sprt>,
    pub run: RunSettings,
    pub output: OutputSettings,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum MatchGame {
    Chess,
    Chess960,
    #[serde(untagged)]
    Draughts(#[serde(with = "as_text")] draughts::Variant),
}

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct ControlSettings {
    /// The time control in the format of `--tc`, such as `40/60+0.5`.
    pub tc: Option<String>,
    /// The time per move, in milliseconds.
    pub movetime: Option<u64>,
    pub nodes: Option<u64>,
    pub depth: Option<u32>,
    /// The grace time before a loss on time, in milliseconds.
    pub margin: u64,
    /// The time, in milliseconds, after which an engine without a clock is sent `stop`.
    pub patience: u64,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct OpeningSettings {
    /// A file name, or a rule for generating openings, such as `random:8`.
    pub source: String,
    /// The maximum number of plies to play from each game in a PGN or PDN file, or from a book.
    pub plies: usize,
    pub shuffle: bool,
    /// The number of the opening to start with, counted from 1. After the last opening, the match
    /// continues with opening 1.
    #[serde(default = "first_opening", skip_serializing_if = "is_first_opening")]
    pub start: usize,
    /// The number of game pairs that two engines play with each opening.
    pub repeat: NonZeroUsize,
    pub seed: u64,
}

const fn first_opening() -> usize {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "required by serde")]
const fn is_first_opening(start: &usize) -> bool {
    *start == 1
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct ScheduleSettings {
    pub form: ScheduleForm,
    /// The number of rounds in a Swiss tournament or ladder, or `None` for the default number.
    pub rounds: Option<u16>,
    /// The number of games in each encounter.
    pub games: usize,
    /// The maximum total number of games.
    pub total_games: Option<u64>,
    pub shard: Shard,
}

/// The error for a change to the number of games that a stored match does not allow.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum GamesError {
    #[error("--games {new}: the match has {stored} games per pairing; the number can only rise")]
    Fewer { new: usize, stored: usize },
    /// Later rounds depend on the number of games in earlier rounds.
    #[error(
        "--games {new}: the match has {stored} games per pairing; the number can rise only in a \
         round robin or gauntlet"
    )]
    Form { new: usize, stored: usize },
    #[error("--total-games {new}: the match has a maximum of {stored} games, which can only rise")]
    FewerInAll { new: u64, stored: u64 },
    #[error("--total-games {new}: the match has no maximum number of games")]
    NoMaximum { new: u64 },
}

impl ScheduleSettings {
    /// Raises the number of games per pairing. Existing games keep their numbers and openings.
    pub(crate) fn raise_games(&mut self, new: usize) -> Result<(), GamesError> {
        let stored = self.games;
        let in_one_round = matches!(self.form, ScheduleForm::RoundRobin | ScheduleForm::Gauntlet);
        match new {
            new if new == stored => {}
            new if !in_one_round => return Err(GamesError::Form { new, stored }),
            new if new < stored => return Err(GamesError::Fewer { new, stored }),
            new => self.games = new,
        }
        Ok(())
    }

    /// Raises the maximum total number of games.
    pub(crate) fn raise_total(&mut self, new: Option<u64>) -> Result<(), GamesError> {
        match (new, self.total_games) {
            (None, _) => {}
            (Some(new), None) => return Err(GamesError::NoMaximum { new }),
            (Some(new), Some(stored)) if new < stored => {
                return Err(GamesError::FewerInAll { new, stored });
            }
            (Some(new), Some(_)) => self.total_games = Some(new),
        }
        Ok(())
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ScheduleForm {
    /// Every engine plays every other engine.
    RoundRobin,
    /// The first engine plays every other engine.
    Gauntlet,
    /// In each round, engines with similar scores are paired.
    Swiss,
    /// The loser of each encounter is eliminated.
    Knockout,
    /// Engines on neighbouring rungs are paired, and the winner takes the upper rung.
    Ladder,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct RuleSettings {
    /// The edition of the laws, or `None` for the game's default edition.
    pub edition: Option<Edition>,
    pub resign: Option<WinRule>,
    pub draw: Option<DrawRule>,
    /// The number of moves by each player after which the game is declared a draw.
    pub max_moves: Option<u32>,
    pub bitbases: bool,
    pub syzygy: Vec<PathBuf>,
    /// The maximum number of times that an engine is restarted in one game.
    pub restarts: u32,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct RunSettings {
    pub concurrency: usize,
    #[serde(with = "as_optional_text")]
    pub affinity: Option<Cores>,
    /// The pause before each game, in milliseconds.
    pub start_delay: u64,
    /// The time after which no new game is started, in milliseconds.
    pub max_time: Option<u64>,
}

impl RunSettings {
    pub(crate) const PLAIN: Self =
        Self { concurrency: 1, affinity: None, start_delay: 0, max_time: None };
}

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct OutputSettings {
    pub tui: bool,
    /// The address for the web server to listen on. If empty, the server accepts connections only
    /// from this machine. If `None`, there is no web server.
    pub serve: Option<String>,
    pub events: Option<PathBuf>,
    pub log: Option<PathBuf>,
    /// The size limit of the log in MiB. 0 means no limit, and `None` means the default limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log_size: Option<u32>,
    pub report: Option<PathBuf>,
    pub records: Option<PathBuf>,
    /// The format of standard output. If `None`, only tables are printed, at the end of the match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub console: Option<Console>,
    /// The number of games between two blocks of statistics. 0 means no blocks, and `None` means
    /// the default number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating_interval: Option<u32>,
}

/// A machine-readable format for standard output.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Console {
    /// The output format of fastchess
    Fastchess,
    /// The output format of cutechess-cli
    Cutechess,
    /// Every event as a line of JSON, as with --events
    Json,
}

mod as_text {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use std::fmt::Display;
    use std::str::FromStr;

    pub(super) fn serialize<T: Display, S: Serializer>(
        value: &T,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_str(value)
    }

    pub(super) fn deserialize<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<T, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

mod as_optional_text {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
    use std::fmt::Display;
    use std::str::FromStr;

    pub(super) fn serialize<T: Display, S: Serializer>(
        value: &Option<T>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        value.as_ref().map(ToString::to_string).serialize(serializer)
    }

    pub(super) fn deserialize<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<T>, D::Error> {
        let text = Option::<String>::deserialize(deserializer)?;
        text.map(|text| text.parse()).transpose().map_err(D::Error::custom)
    }
}

impl MatchSettings {
    /// Returns a copy of these settings that is equal for all shards of a match.
    #[must_use]
    pub(crate) fn common(&self) -> Self {
        let schedule = ScheduleSettings { shard: Shard::WHOLE, ..self.schedule.clone() };
        Self {
            schedule,
            run: RunSettings::PLAIN,
            output: OutputSettings::default(),
            ..self.clone()
        }
    }

    /// Returns the settings that differ from `other`.
    pub(crate) fn differences(&self, other: &Self) -> Vec<Difference> {
        let fields = |settings: &Self| {
            let mut fields = BTreeMap::new();
            let value = serde_json::to_value(settings).unwrap_or_default();
            collect_fields(String::new(), &value, &mut fields);
            fields
        };
        let (own, others) = (fields(self), fields(other));
        let names: BTreeSet<&String> = own.keys().chain(others.keys()).collect();
        let differences = names.into_iter().map(|name| Difference {
            field: name.clone(),
            own: own.get(name).cloned(),
            other: others.get(name).cloned(),
        });
        differences.filter(|difference| difference.own != difference.other).collect()
    }
}

/// A setting that differs between two matches. It is displayed like `--games: 6 instead of 4`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Difference {
    /// The path of the setting in the configuration, such as `schedule.games`.
    field: String,
    own: Option<String>,
    other: Option<String>,
}

impl Difference {
    /// Returns the name of the command-line option for the setting, without dashes. If the setting
    /// is a part of the option's value, the name of this part follows, as in `sprt` and `elo0`.
    pub(crate) fn names(&self) -> Vec<&str> {
        const GROUPS: [&str; 6] = ["control", "openings", "schedule", "rules", "run", "output"];
        let mut names = self.field.split('.');
        let first = names.next().filter(|name| !GROUPS.contains(name)).or_else(|| names.next());
        let option = match first.unwrap_or_default() {
            "engines" => vec!["engine"],
            "source" => vec!["openings"],
            "start" => vec!["openings", "start"],
            "form" => vec!["schedule"],
            "syzygy" => vec!["tb"],
            "restarts" => vec!["recover"],
            "records" => vec!["pgn"],
            "console" => vec!["output"],
            name => vec![name],
        };
        option.into_iter().chain(names).collect()
    }

    /// Returns the command-line option, as in `--games` or `--sprt elo0`.
    pub(crate) fn option(&self) -> String {
        format!("--{}", self.names().join(" ").replace('_', "-"))
    }

    /// Describes the two values, as in `6 instead of 4`. Times that the command line takes in
    /// seconds are stored in milliseconds.
    pub(crate) fn values(&self) -> String {
        let is_in_seconds = matches!(self.names()[..], ["patience" | "max_time"]);
        let [own, other] = [&self.own, &self.other].map(|value| {
            let text = value.as_deref().map_or("none", |value| value.trim_matches('"'));
            match text.parse::<f64>() {
                Ok(milliseconds) if is_in_seconds => format!("{} s", milliseconds / 1000.0),
                _ => text.to_owned(),
            }
        });
        format!("{own} instead of {other}")
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.option(), self.values())
    }
}

/// Collects the values of nested fields, with their names joined by dots.
fn collect_fields(name: String, value: &Value, fields: &mut BTreeMap<String, String>) {
    let under = |key: &dyn fmt::Display| {
        if name.is_empty() { key.to_string() } else { format!("{name}.{key}") }
    };
    match value {
        Value::Object(object) => {
            object.iter().for_each(|(key, value)| collect_fields(under(key), value, fields));
        }
        Value::Array(list) => {
            let list = (1..).zip(list);
            list.for_each(|(number, value)| collect_fields(under(&number), value, fields));
        }
        Value::Null => {}
        value => _ = fields.insert(name, value.to_string()),
    }
}

impl MatchConfig {
    pub(crate) fn new(settings: MatchSettings, inputs: &[PathBuf]) -> Result<Self, MatchError> {
        let directory = std::env::current_dir().map_err(at(Path::new(".")))?;
        let inputs: BTreeSet<&PathBuf> = inputs.iter().collect();
        let sums = inputs.into_iter().map(|path| Ok((path.clone(), checksum(path)?)));
        let inputs = sums.collect::<Result<_, MatchError>>()?;
        Ok(Self { version: VERSION, settings, directory, inputs })
    }

    pub(crate) fn differing_input<'a>(&'a self, other: &'a Self) -> Option<&'a Path> {
        let differs = |of: &BTreeMap<_, _>, (path, sum)| of.get(path) != Some(sum);
        let here = self.inputs.iter().find(|&input| differs(&other.inputs, input));
        let there = || other.inputs.iter().find(|&input| differs(&self.inputs, input));
        here.or_else(there).map(|(path, _)| path.as_path())
    }

    /// Checks that the input files of the match have not changed. Relative paths are relative to
    /// the current directory. The error names the first file that has changed or cannot be read.
    pub(crate) fn check_inputs(&self) -> Result<(), MatchError> {
        self.inputs.iter().try_for_each(|(path, &sum)| check_input(path, path, sum))
    }
}

/// The match file of earlier versions, which contains a command line instead of settings.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub(crate) struct OldHeader {
    pub(super) version: u32,
    pub args: Vec<String>,
    pub directory: PathBuf,
    inputs: BTreeMap<PathBuf, u32>,
}

impl OldHeader {
    pub(super) const VERSION: u32 = 2;

    /// Converts the header to a configuration. `settings` are the settings parsed from the header's
    /// arguments. The file `merged` is removed from the input files, because `settings` already
    /// include its contents. Fails if `merged` has changed.
    pub(crate) fn into_config(
        mut self,
        settings: MatchSettings,
        merged: Option<&Path>,
    ) -> Result<MatchConfig, MatchError> {
        if let Some(merged) = merged
            && let Some(sum) = self.inputs.remove(merged)
        {
            check_input(merged, &self.directory.join(merged), sum)?;
        }
        let Self { directory, inputs, .. } = self;
        Ok(MatchConfig { version: VERSION, settings, directory, inputs })
    }
}

fn check_input(name: &Path, path: &Path, sum: u32) -> Result<(), MatchError> {
    if checksum(path)? == sum { Ok(()) } else { Err(MatchError::Changed(name.to_owned())) }
}

fn checksum(path: &Path) -> Result<u32, MatchError> {
    Ok(crc32fast::hash(&std::fs::read(path).map_err(at(path))?))
}

#[cfg(test)]
pub(super) mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::fs;

    pub(in crate::arena::tournament) fn settings() -> MatchSettings {
        let engine = |text| Description::from_text(text).unwrap();
        MatchSettings {
            event: "Match".to_owned(),
            game: MatchGame::Chess,
            engines: vec![engine("cmd=./a --fast,option.Hash=1"), engine("cmd=b,tc=40/60+0.5")],
            lenient: false,
            anchor: None,
            control: ControlSettings { nodes: Some(1), patience: 60_000, ..Default::default() },
            openings: OpeningSettings {
                source: "random:8".to_owned(),
                plies: 16,
                shuffle: false,
                start: 1,
                repeat: NonZeroUsize::MIN,
                seed: 1,
            },
            schedule: ScheduleSettings {
                form: ScheduleForm::RoundRobin,
                rounds: None,
                games: 4,
                total_games: None,
                shard: Shard::WHOLE,
            },
            rules: RuleSettings {
                edition: None,
                resign: None,
                draw: Some(DrawRule { from: 40, moves: 8, score: 10 }),
                max_moves: None,
                bitbases: false,
                syzygy: Vec::new(),
                restarts: 0,
            },
            sprt: Some("elo0=0 elo1=5 alpha=0.05 beta=0.05".parse().unwrap()),
            run: RunSettings { affinity: Some("0,2".parse().unwrap()), ..RunSettings::PLAIN },
            output: OutputSettings::default(),
        }
    }

    #[test]
    fn settings_round_trip() {
        for game in [
            MatchGame::Chess,
            MatchGame::Chess960,
            MatchGame::Draughts(draughts::Variant::Normal),
            MatchGame::Draughts(draughts::Variant::Frisian),
        ] {
            let config = MatchConfig::new(MatchSettings { game, ..settings() }, &[]).unwrap();
            let text = serde_json::to_string_pretty(&config).unwrap();
            assert_eq!(serde_json::from_str::<MatchConfig>(&text).unwrap(), config, "{text}");
        }
    }

    #[test]
    fn names_differing_settings() {
        let mut shard = settings();
        shard.schedule.shard = "1/2".parse().unwrap();
        shard.run.concurrency = 2;
        assert_eq!(shard.common(), settings().common());
        shard.schedule.games = 6;
        shard.anchor = Some("a".to_owned());
        let differences = shard.common().differences(&settings().common());
        assert_eq!(
            differences.iter().map(ToString::to_string).collect::<Vec<_>>(),
            ["--anchor: a instead of none", "--games: 6 instead of 4"]
        );
    }

    #[test]
    fn detects_changed_files() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("openings.epd");
        fs::write(&file, "a").unwrap();
        let config = MatchConfig::new(settings(), std::slice::from_ref(&file)).unwrap();
        config.check_inputs().unwrap();
        fs::write(&file, "b").unwrap();
        assert!(matches!(config.check_inputs(), Err(MatchError::Changed(path)) if path == file));
        let missing = MatchConfig::new(settings(), &["/no/such".into()]);
        assert!(matches!(missing, Err(MatchError::File { .. })));
    }
}
