//! The settings of a match as data: what `config.json` in the folder of a match has.

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
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// The version of the format.
pub(super) const VERSION: u32 = 3;

/// The settings of a match, and the state of the files that it reads.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MatchConfig {
    /// The version of the format.
    pub(super) version: u32,
    /// The settings.
    pub settings: MatchSettings,
    /// The directory to which the names of files are relative.
    pub directory: PathBuf,
    /// The files that the match reads, engines included, each with its CRC-32.
    pub inputs: BTreeMap<PathBuf, u32>,
}

/// The settings of a match.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MatchSettings {
    /// The name of the event in the records.
    pub event: String,
    /// The game.
    pub game: MatchGame,
    /// The engines, seeded in this order.
    pub engines: Vec<Description>,
    /// Whether engines are sent options that they do not announce, and values out of range.
    pub lenient: bool,
    /// The engine to which ratings are relative; `None` for the mean of all.
    pub anchor: Option<String>,
    /// The time control of the engines that have none of their own.
    pub control: ControlSettings,
    /// The openings.
    pub openings: OpeningSettings,
    /// The pairings.
    pub schedule: ScheduleSettings,
    /// The laws and the adjudication.
    pub rules: RuleSettings,
    /// The test that stops the match.
    pub sprt: Option<Sprt>,
    /// The way in which this machine plays the games.
    pub run: RunSettings,
    /// The output besides the folder.
    pub output: OutputSettings,
}

/// A game that is played in matches.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MatchGame {
    /// Standard chess.
    Chess,
    /// Chess960.
    Chess960,
    /// Draughts, by the rules of one of its variants.
    #[serde(untagged)]
    Draughts(
        /// The variant.
        #[serde(with = "as_text")]
        draughts::Variant,
    ),
}

/// A time control.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ControlSettings {
    /// The time in the form of `--tc`: `40/60+0.5`.
    pub tc: Option<String>,
    /// The time of each move, in milliseconds.
    pub movetime: Option<u64>,
    /// The nodes of each move.
    pub nodes: Option<u64>,
    /// The depth of each search.
    pub depth: Option<u32>,
    /// The grace time before a loss on time, in milliseconds.
    pub margin: u64,
    /// The time after which an engine without a clock has stalled, in milliseconds.
    pub patience: u64,
}

/// The openings of a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OpeningSettings {
    /// A file, or a recipe such as `random:8`.
    pub source: String,
    /// The plies that are played of the games or lines of a file.
    pub plies: usize,
    /// Whether the openings of a file are taken in random order.
    pub shuffle: bool,
    /// The pairs of games that two engines play on each opening.
    pub repeat: NonZeroUsize,
    /// The seed of everything that is random.
    pub seed: u64,
}

/// The form of a tournament and its length.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ScheduleSettings {
    /// The form.
    pub form: ScheduleForm,
    /// The number of rounds of a Swiss tournament or ladder, if it is not the usual one.
    pub rounds: Option<u16>,
    /// The games between any two engines that meet.
    pub games: usize,
    /// The largest number of games in all.
    pub total_games: Option<u64>,
    /// The share of the pairs of games that is played here.
    pub shard: Shard,
}

/// The forms of a tournament.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ScheduleForm {
    /// Every engine plays every other.
    RoundRobin,
    /// The first engine plays every other.
    Gauntlet,
    /// Engines with about equal scores meet.
    Swiss,
    /// The loser of a match is out.
    Knockout,
    /// Neighbours meet, and the winner takes the upper rung.
    Ladder,
}

/// The laws and the adjudication of games.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RuleSettings {
    /// The laws; `None` for the usual ones of the game.
    pub edition: Option<Edition>,
    /// The adjudication of wins.
    pub resign: Option<WinRule>,
    /// The adjudication of draws.
    pub draw: Option<DrawRule>,
    /// The number of moves of each side after which the game is a draw.
    pub max_moves: Option<u32>,
    /// Whether bitbases adjudicate.
    pub bitbases: bool,
    /// The folders of the Syzygy tables that adjudicate.
    pub syzygy: Vec<PathBuf>,
    /// The number of restarts of an engine in a game.
    pub restarts: u32,
}

/// The way in which a machine plays games.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RunSettings {
    /// The number of games at a time.
    pub concurrency: usize,
    /// The processors of these games.
    #[serde(with = "as_optional_text")]
    pub affinity: Option<Cores>,
    /// The pause before each game, in milliseconds.
    pub start_delay: u64,
    /// The time after which no further game begins, in milliseconds.
    pub max_time: Option<u64>,
}

impl RunSettings {
    /// One game at a time on any processor.
    pub const PLAIN: Self = Self { concurrency: 1, affinity: None, start_delay: 0, max_time: None };
}

/// The output of a match besides its folder.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct OutputSettings {
    /// Whether the whole terminal shows the match.
    pub tui: bool,
    /// The address at which browsers see the match; an empty one is that of this machine alone.
    pub serve: Option<String>,
    /// The file of events.
    pub events: Option<PathBuf>,
    /// The file of the lines to and from engines.
    pub log: Option<PathBuf>,
    /// The file of the report.
    pub report: Option<PathBuf>,
    /// The file that games are appended to.
    pub records: Option<PathBuf>,
}

/// Values that are written as text.
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

/// Optional values that are written as text.
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
    /// The settings that all shares of a match have in common.
    #[must_use]
    pub fn common(&self) -> Self {
        let schedule = ScheduleSettings { shard: Shard::WHOLE, ..self.schedule.clone() };
        let output = OutputSettings { tui: self.output.tui, ..OutputSettings::default() };
        Self { schedule, run: RunSettings::PLAIN, output, ..self.clone() }
    }

    /// The differences to another match, such as `schedule.games is 6, not 4`; empty if there are none.
    pub fn differences(&self, other: &Self) -> Vec<String> {
        let fields = |settings: &Self| {
            let mut fields = BTreeMap::new();
            let value = serde_json::to_value(settings).unwrap_or_default();
            collect_fields(String::new(), &value, &mut fields);
            fields
        };
        let (own, others) = (fields(self), fields(other));
        let names: BTreeSet<&String> = own.keys().chain(others.keys()).collect();
        let value = |of: &BTreeMap<String, String>, name: &String| {
            of.get(name).cloned().unwrap_or_else(|| "nothing".to_owned())
        };
        let differing = names.into_iter().filter(|&name| own.get(name) != others.get(name));
        differing
            .map(|name| format!("{name} is {}, not {}", value(&own, name), value(&others, name)))
            .collect()
    }
}

/// Collects the values of the fields of fields, by their names separated by dots.
fn collect_fields(name: String, value: &Value, fields: &mut BTreeMap<String, String>) {
    let under = |key: &dyn std::fmt::Display| {
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
    /// The configuration of a match with these settings, which reads these files.
    ///
    /// # Errors
    /// If the current directory or a file cannot be read.
    pub fn new(settings: MatchSettings, inputs: &[PathBuf]) -> Result<Self, MatchError> {
        let directory = std::env::current_dir().map_err(at(Path::new(".")))?;
        let inputs: BTreeSet<&PathBuf> = inputs.iter().collect();
        let sums = inputs.into_iter().map(|path| Ok((path.clone(), checksum(path)?)));
        let inputs = sums.collect::<Result<_, MatchError>>()?;
        Ok(Self { version: VERSION, settings, directory, inputs })
    }

    /// Returns a file that only one of the two matches reads, or that differs between them.
    pub fn differing_input<'a>(&'a self, other: &'a Self) -> Option<&'a Path> {
        let differs = |of: &BTreeMap<_, _>, (path, sum)| of.get(path) != Some(sum);
        let here = self.inputs.iter().find(|&input| differs(&other.inputs, input));
        let there = || other.inputs.iter().find(|&input| differs(&self.inputs, input));
        here.or_else(there).map(|(path, _)| path.as_path())
    }

    /// Checks that the files that the match reads have not changed. Relative paths count from the
    /// current directory.
    ///
    /// # Errors
    /// The first file that has changed or cannot be read.
    pub fn check_inputs(&self) -> Result<(), MatchError> {
        self.inputs.iter().try_for_each(|(path, &sum)| check_input(path, path, sum))
    }
}

/// The match of a version before `config.json`: its command line.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct OldHeader {
    /// The version of the format.
    pub(super) version: u32,
    /// The arguments on the command line.
    pub args: Vec<String>,
    /// The directory to which the names of files are relative.
    pub directory: PathBuf,
    /// The files that the match reads, engines included, each with its CRC-32.
    inputs: BTreeMap<PathBuf, u32>,
}

impl OldHeader {
    /// The version of the format.
    pub(super) const VERSION: u32 = 2;

    /// Converts the header, given the settings that its arguments mean. The match no longer reads the file
    /// `merged`, whose contents are in the settings.
    ///
    /// # Errors
    /// If this file has changed.
    pub fn into_config(
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

    /// Settings of a small match.
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
    fn settings_are_the_same_after_writing_and_reading() {
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
    fn names_the_settings_that_differ() {
        let mut share = settings();
        share.schedule.shard = "1/2".parse().unwrap();
        share.run.concurrency = 2;
        assert_eq!(share.common(), settings().common());
        share.schedule.games = 6;
        share.anchor = Some("a".to_owned());
        assert_eq!(
            share.common().differences(&settings().common()),
            ["anchor is \"a\", not nothing", "schedule.games is 6, not 4"]
        );
    }

    #[test]
    fn changed_files_are_noticed() {
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
