//! Command-line arguments of `adoube match`, and their conversion to match settings.

use super::super::threads;
use crate::arena::engine::entrant::{Description, read_typed_budget};
use crate::arena::game::openings::Recipe;
use crate::arena::game::{DecidingScores, DrawRule, WinRule};
use crate::arena::stats::sprt::Sprt;
use crate::arena::tournament::config::{
    Console, ControlSettings, Difference, MatchGame, MatchSettings, OpeningSettings,
    OutputSettings, RuleSettings, RunSettings, ScheduleForm, ScheduleSettings,
};
use crate::arena::tournament::cores::Cores;
use crate::base::file::read_regular;
use crate::base::game::GameKind;
use crate::base::shard::Shard;
use crate::base::span::{Span, SpanError};
#[cfg(feature = "board")]
use crate::board::broadcast::Address;
use crate::draughts;
use crate::laws::Edition;
use crate::laws::clock::{Budget, TimeControl};
use anyhow::{Context, bail, ensure};
use clap::parser::ValueSource;
use clap::{ArgMatches, FromArgMatches};
use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// The maximum size of a `--config` file in bytes.
const MAX_CONFIG: u64 = 1 << 20;

#[derive(clap::Args, Clone, PartialEq, Debug)]
#[command(group = clap::ArgGroup::new("logged").args(["log", "resume"]).multiple(true))]
pub(super) struct Args {
    /// Must be the first field, because parsing a field removes its option from clap's
    /// `ArgMatches`.
    #[command(flatten)]
    given: Given,
    /// Game to play
    #[arg(long, value_enum, default_value_t = GameKind::Chess)]
    game: GameKind,
    /// Add an engine, such as "cmd=PROGRAM ARGS,name=NAME,option.Hash=64,tc=2+0.02"; a match needs
    /// at least two
    #[arg(id = "engine", long, value_name = "KEY=VALUE,...")]
    engines: Vec<String>,
    /// Set options for all engines, in the same form as --engine
    #[arg(long, value_name = "KEY=VALUE,...", default_value = "", hide_default_value = true)]
    each: String,
    /// Read engines from a TOML file with an [[engine]] table for each engine, and an [each] table
    /// for settings of all engines
    #[arg(long, value_name = "FILE")]
    pub(super) config: Option<PathBuf>,

    /// Time control in seconds, such as 2+0.02, 40/60 or 40/7200+30:20/3600:900+30, or in minutes
    /// and seconds, such as 1:30+1 or 40/5:00. inf means no clock, 300b5 has a Bronstein increment,
    /// 300d5 has a delay, and *60 is an hourglass
    #[arg(long, value_name = "TC", conflicts_with = "movetime", value_parser = read_typed_budget)]
    tc: Option<Budget>,
    /// Time per move, in milliseconds
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Nodes per move
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Search depth per move
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Grace time before a loss on time, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 5)]
    margin: u64,
    /// In games without a clock, send `stop` to an engine after this many seconds without a move.
    /// An engine that then sends no move within the same time, limited to 1 to 10 seconds, has
    /// stalled
    #[arg(long, value_name = "SECONDS", default_value = "60")]
    patience: Span,

    /// Source of the openings: random:PLIES plays random moves; ballot:PLIES draws from all
    /// positions after this many plies; an EPD, PGN or PDN file; or a Polyglot book (.bin), from
    /// which moves are drawn by weight. random and ballot use only positions that a search of 4000
    /// nodes scores within 60 centipawns; change this with random:8,nodes=10000,window=40. After a
    /// file name, ",start=N" begins with opening N, ",order=random" is --shuffle, and ",plies=N" is
    /// --plies. Each opening is played with both colours
    #[arg(long, value_name = "SOURCE", default_value = "random:8")]
    openings: String,
    /// Number of opening plies to take from each game in a PGN or PDN file, or from a book
    #[arg(long, default_value_t = 16)]
    plies: usize,
    /// Use the openings in the file in random order
    #[arg(long)]
    shuffle: bool,
    /// Number of game pairs that two engines play with each opening
    #[arg(long, value_name = "PAIRS", default_value = "1")]
    repeat: NonZeroUsize,
    /// Random seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Play Chess960, from random start positions unless the openings are a file
    #[arg(long)]
    chess960: bool,
    /// Play a draughts variant: killer, bt (breakthrough), frisian or losing
    #[arg(long, value_name = "VARIANT", conflicts_with = "chess960")]
    variant: Option<draughts::Variant>,

    /// Number of games per pairing (rounded up to an even number)
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: usize,
    /// Tournament format; engines are seeded in the order given
    #[arg(long, value_enum, default_value_t = ScheduleName::RoundRobin)]
    schedule: ScheduleName,
    /// Number of rounds of a Swiss tournament [default: enough to find the winner] or of a ladder
    /// [default: the number of engines]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    rounds: Option<u16>,
    /// Maximum number of games in total (rounded up to an even number)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    total_games: Option<u64>,
    /// Start no new games after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = some_time)]
    max_time: Option<Span>,
    /// Send options to an engine even if it does not announce them or the values are out of range
    #[arg(long)]
    lenient: bool,

    /// Number of games to play in parallel
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = threads::number())]
    concurrency: usize,
    /// Bind each concurrent game to its own processor, for single-threaded engines: "all", or a
    /// list such as 0,2-5
    #[arg(long, value_name = "CORES")]
    affinity: Option<Cores>,
    /// Pause before each game, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 0)]
    #[arg(value_parser = clap::value_parser!(u64).range(..=3_600_000))]
    start_delay: u64,
    /// Play only shard I of N of the game pairs of a round robin or gauntlet; requires --dir.
    /// `adoube match merge` joins the shards. --sprt does not stop a shard; the verdict is in the
    /// merged report
    #[arg(long, value_name = "I/N", default_value = "1/1", hide_default_value = true)]
    shard: Shard,
    /// Stop as soon as this SPRT between two engines is decided: "elo0=0 elo1=5 alpha=0.05
    /// beta=0.05 model=logistic" (or model=normalised)
    #[arg(long, value_name = "TEST")]
    sprt: Option<Sprt>,

    /// Show ratings relative to this engine [default: relative to the mean of all engines]
    #[arg(long, value_name = "NAME")]
    anchor: Option<String>,

    /// Edition of the laws: fide-1928, fide-1930, fide-2009 or fide-2023 (the default) for chess,
    /// fmjd for draughts. Claimable draws are claimed automatically
    #[arg(long, value_name = "EDITION")]
    edition: Option<Edition>,
    /// Adjudicate a win, as in "moves=3 score=600": if both engines score the win at 600 centipawns
    /// or more for 3 moves. With sides=1, the losing engine's scores are enough
    #[arg(long, value_name = "RULE", value_parser = win_rule)]
    resign: Option<WinRule>,
    /// Adjudicate a draw, as in "from=40 moves=8 score=10": once each engine has made 40 moves, if
    /// both engines' scores stay within ±10 centipawns for 8 moves
    #[arg(long, value_name = "RULE", value_parser = draw_rule)]
    draw: Option<DrawRule>,
    /// Adjudicate a draw after this many moves by each side
    #[arg(long, value_name = "N")]
    max_moves: Option<u32>,
    /// Draughts: adjudicate positions by the bitbases
    #[arg(long)]
    bitbases: bool,
    /// Chess: after a capture or pawn move, adjudicate positions by the Syzygy tables in these
    /// folders, separated as in PATH
    #[arg(long, value_name = "DIR")]
    tb: Option<OsString>,
    /// Restart an engine that crashes or stalls, up to N times per game; its clock keeps running.
    /// The next crash or stall loses the game
    #[arg(long, value_name = "N", default_value_t = 0)]
    recover: u32,

    /// Show boards, clocks, scores and standings on the full screen of the terminal
    #[arg(long)]
    tui: bool,
    /// Show the match in a browser until Ctrl-C: boards, clocks, standings, all games and, at the
    /// end, the report. Without ADDRESS, the page is reachable only from this machine and needs a
    /// token. With an address such as 192.168.1.5:8965, or 0.0.0.0 for all interfaces, it needs no
    /// token
    #[cfg(feature = "board")]
    #[arg(long, value_name = "ADDRESS")]
    #[expect(clippy::option_option, reason = "absent, without a value, or with a value")]
    serve: Option<Option<Address>>,
    /// Print progress in the format of fastchess or cutechess-cli, or as lines of JSON, instead of
    /// the final tables
    #[arg(long, value_name = "FORMAT", value_enum, conflicts_with = "tui")]
    output: Option<Console>,
    /// Print statistics after every N games; 0 for never [default: 10 with --output, otherwise 0]
    #[arg(long, value_name = "N", alias = "ratinginterval")]
    rating_interval: Option<u32>,
    /// Append every event to this file as a line of JSON
    #[arg(long, value_name = "FILE")]
    events: Option<PathBuf>,
    /// Append all engine input and output to this file; compressed if its name ends in .gz
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Size in MiB at which the --log file is renamed to FILE.1 (FILE.gz to FILE.1.gz) and a new
    /// file is started; 0 for no limit [default: 100]
    #[arg(long, value_name = "MIB", requires = "logged")]
    log_size: Option<u32>,

    /// Write an HTML report with tables, charts and all games to this file
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Append the games to this file, as PGN or PDN
    #[arg(long, value_name = "FILE", alias = "pdn")]
    pgn: Option<PathBuf>,
    /// Store the match in this folder, so that --resume can continue it
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Resume the match in this folder after a crash or interruption. --games and --total-games can
    /// be raised. --concurrency, --affinity, --start-delay, --max-time, --anchor and the options
    /// for output and files can be changed for this run
    #[arg(long, value_name = "DIR", conflicts_with = "dir")]
    pub(super) resume: Option<PathBuf>,
    /// Event name in the game records
    #[arg(long, default_value = "Adoube match")]
    event: String,
}

/// The ids of the options given on the command line. Options left at their defaults are not
/// included.
#[derive(Clone, PartialEq, Debug, Default)]
struct Given(Vec<String>);

impl clap::Args for Given {
    fn augment_args(command: clap::Command) -> clap::Command {
        command
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        command
    }
}

impl FromArgMatches for Given {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let is_given = |id: &&str| matches.value_source(id) == Some(ValueSource::CommandLine);
        let ids = matches.ids().map(clap::Id::as_str).filter(is_given);
        Ok(Self(ids.map(str::to_owned).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum ScheduleName {
    /// Every engine plays every other engine
    RoundRobin,
    /// The first engine plays every other engine
    Gauntlet,
    /// Each round pairs engines with similar scores
    Swiss,
    /// The loser of each pairing is eliminated; a tie is followed by play-offs
    Knockout,
    /// Each round pairs neighbours in the ranking, and the winner moves above the loser
    Ladder,
}

/// The error for an invalid value of `--resign`, `--draw` or `--max-time`.
#[derive(Debug, thiserror::Error)]
enum ValueError {
    #[error("'{word}' should be NAME=NUMBER with one of the names {names}")]
    Word { word: String, names: String },
    #[error("{0}=NUMBER is missing")]
    Missing(&'static str),
    #[error("sides={0} is neither 1 nor 2")]
    Sides(u32),
    #[error(transparent)]
    Time(#[from] SpanError),
    #[error("must be more than 0 seconds")]
    NoTime,
}

/// Parses `name=number` words and returns the numbers in the order of `names`. Each name is given
/// with its default value, or with `None` if the word is required. The names `movenumber` and
/// `movecount` of cutechess and fastchess are accepted.
fn numbers<const N: usize>(
    text: &str,
    names: [(&'static str, Option<u32>); N],
) -> Result<[u32; N], ValueError> {
    let mut values = names.map(|(_, default)| default);
    for word in text.split([' ', ',']).filter(|word| !word.is_empty()) {
        let found = word.split_once('=').and_then(|(name, value)| {
            let name = match name {
                "movenumber" => "from",
                "movecount" => "moves",
                name => name,
            };
            Some((names.iter().position(|(n, _)| *n == name)?, value.parse::<u32>().ok()?))
        });
        let (i, value) = found.ok_or_else(|| ValueError::Word {
            word: word.to_owned(),
            names: names.map(|(name, _)| name).join(", "),
        })?;
        values[i] = Some(value.min(1_000_000));
    }
    let mut all = [0; N];
    for (i, value) in values.iter().enumerate() {
        all[i] = value.ok_or(ValueError::Missing(names[i].0))?;
    }
    Ok(all)
}

fn win_rule(text: &str) -> Result<WinRule, ValueError> {
    let [moves, score, sides] =
        numbers(text, [("moves", None), ("score", None), ("sides", Some(2))])?;
    let of = match sides {
        1 => DecidingScores::Loser,
        2 => DecidingScores::Both,
        _ => return Err(ValueError::Sides(sides)),
    };
    Ok(WinRule { moves, score: score as i32, of })
}

fn draw_rule(text: &str) -> Result<DrawRule, ValueError> {
    let [from, moves, score] = numbers(text, ["from", "moves", "score"].map(|name| (name, None)))?;
    Ok(DrawRule { from, moves, score: score as i32 })
}

/// The parts of `--openings`: `FILE,start=N,order=random,plies=N`. `file=FILE` and `format=FORMAT`
/// are accepted as in fastchess; the format is detected and therefore ignored.
struct OpeningsText {
    source: String,
    start: usize,
    shuffle: bool,
    plies: Option<usize>,
}

impl OpeningsText {
    fn of(text: &str) -> anyhow::Result<Self> {
        let mut parts = Self { source: text.to_owned(), start: 1, shuffle: false, plies: None };
        if Recipe::is_recipe(text) {
            return Ok(parts);
        }
        // A file name may contain commas, so the options are parsed from the end.
        while let Some((before, option)) = parts.source.rsplit_once(',') {
            let number = |value: &str| {
                let number = value.parse::<usize>().ok().filter(|&n| n > 0);
                number.with_context(|| format!("'{option}' is not a number of at least 1"))
            };
            match option.split_once('=') {
                Some(("start", value)) => parts.start = number(value)?,
                Some(("plies", value)) => parts.plies = Some(number(value)?),
                Some(("order", "random")) => parts.shuffle = true,
                Some(("order", "sequential")) => parts.shuffle = false,
                Some(("format", "epd" | "pgn" | "pdn" | "fen")) => {}
                Some(("order", _)) => bail!("'{option}': give order=random or order=sequential"),
                _ => break,
            }
            parts.source = before.to_owned();
        }
        if let Some(source) = parts.source.strip_prefix("file=") {
            parts.source = source.to_owned();
        }
        Ok(parts)
    }
}

fn some_time(text: &str) -> Result<Span, ValueError> {
    let span: Span = text.parse()?;
    if span == Span::default() { Err(ValueError::NoTime) } else { Ok(span) }
}

impl Args {
    pub(super) fn dir(&self) -> Option<&Path> {
        self.dir.as_deref()
    }

    /// Converts the arguments to settings. The path of the `--config` file is relative to `base`.
    pub(super) fn settings(&self, base: &Path) -> anyhow::Result<MatchSettings> {
        ensure!(
            self.shard == Shard::WHOLE || self.dir.is_some() || self.resume.is_some(),
            "--shard {} needs a folder: give --dir",
            self.shard
        );
        let is_chess = self.game == GameKind::Chess;
        ensure!(!self.bitbases || !is_chess, "--bitbases requires --game draughts");
        ensure!(self.tb.is_none() || is_chess, "--tb requires --game chess");
        let openings = OpeningsText::of(&self.openings)
            .with_context(|| format!("--openings {}", self.openings))?;
        Ok(MatchSettings {
            event: self.event.clone(),
            game: self.match_game()?,
            engines: self.engines(base)?,
            lenient: self.lenient,
            anchor: self.anchor.clone(),
            control: ControlSettings {
                tc: self
                    .tc
                    .clone()
                    .filter(|budget| *budget != Budget::Unlimited)
                    .map(|budget| TimeControl { budget, ..TimeControl::default() }.to_string()),
                movetime: self.movetime,
                nodes: self.nodes,
                depth: self.depth,
                margin: self.margin,
                patience: milliseconds(self.patience),
            },
            openings: OpeningSettings {
                source: openings.source,
                plies: openings.plies.unwrap_or(self.plies),
                shuffle: self.shuffle || openings.shuffle,
                start: openings.start,
                repeat: self.repeat,
                seed: self.seed,
            },
            schedule: ScheduleSettings {
                form: self.schedule.into(),
                rounds: self.rounds,
                games: self.games,
                total_games: self.total_games,
                shard: self.shard,
            },
            rules: RuleSettings {
                edition: self.edition,
                resign: self.resign,
                draw: self.draw,
                max_moves: self.max_moves,
                bitbases: self.bitbases,
                syzygy: self.tb.iter().flat_map(std::env::split_paths).collect(),
                restarts: self.recover,
            },
            sprt: self.sprt,
            run: RunSettings {
                concurrency: self.concurrency,
                affinity: self.affinity.clone(),
                start_delay: self.start_delay,
                max_time: self.max_time.map(|span| milliseconds(span).max(1)),
            },
            output: OutputSettings {
                tui: self.tui,
                serve: self.serve(),
                events: self.events.clone(),
                log: self.log.clone(),
                log_size: self.log_size,
                report: self.report.clone(),
                records: self.pgn.clone(),
                console: self.output,
                rating_interval: self.rating_interval,
            },
        })
    }

    /// Applies the options given with `--resume` to the settings of the stored match. Only the
    /// numbers of games in `stored` change. Returns the settings for this run, in which relative
    /// paths are made absolute, because the stored paths are relative to another directory. Fails
    /// if an option contradicts a stored setting that cannot be changed.
    pub(super) fn change(&self, stored: &mut MatchSettings) -> anyhow::Result<MatchSettings> {
        let new = self.settings(Path::new(""))?;
        let absolute = |path: Option<PathBuf>| -> anyhow::Result<Option<PathBuf>> {
            let absolute = |path: PathBuf| {
                std::path::absolute(&path).with_context(|| path.display().to_string())
            };
            path.map(absolute).transpose()
        };
        let differences = new.differences(stored);
        let mut conflicts = Vec::new();
        let MatchSettings { mut anchor, mut run, mut output, .. } = stored.clone();
        for id in &self.given.0 {
            match id.as_str() {
                "resume" => {}
                "anchor" => anchor.clone_from(&new.anchor),
                "games" => stored.schedule.raise_games(new.schedule.games)?,
                "total_games" => stored.schedule.raise_total(new.schedule.total_games)?,
                "concurrency" => run.concurrency = new.run.concurrency,
                "affinity" => run.affinity.clone_from(&new.run.affinity),
                "start_delay" => run.start_delay = new.run.start_delay,
                "max_time" => run.max_time = new.run.max_time,
                "tui" => (output.tui, output.console) = (true, None),
                "output" => (output.tui, output.console) = (false, new.output.console),
                "serve" => output.serve.clone_from(&new.output.serve),
                "rating_interval" => output.rating_interval = new.output.rating_interval,
                "log_size" => output.log_size = new.output.log_size,
                "events" => output.events = absolute(new.output.events.clone())?,
                "log" => output.log = absolute(new.output.log.clone())?,
                "report" => output.report = absolute(new.output.report.clone())?,
                "pgn" => output.records = absolute(new.output.records.clone())?,
                id => {
                    let mut own = differences.iter().filter(|own| concerns(id, own)).peekable();
                    if own.peek().is_some_and(|own| own.names()[0] == "engine") {
                        let engines = stored.engines.iter().map(|engine| engine.entrant());
                        let names: Vec<String> =
                            engines.filter_map(|engine| Some(engine.ok()?.name)).collect();
                        conflicts.push(format!(
                            "--{id} cannot change: the match was started with the engines {} and their \
                             settings",
                            names.join(", ")
                        ));
                    } else {
                        conflicts.extend(own.map(|difference| {
                            let (option, values) = (difference.option(), difference.values());
                            format!("{option} cannot change: {values} in the stored match")
                        }));
                    }
                }
            }
        }
        ensure!(
            conflicts.is_empty(),
            "{}; leave out these options, or start a new match with --dir",
            conflicts.join("; ")
        );
        ensure!(
            output.log_size.is_none() || output.log.is_some(),
            "--log-size requires --log: the stored match has no log"
        );
        Ok(MatchSettings { anchor, run, output, ..stored.clone() })
    }

    fn match_game(&self) -> anyhow::Result<MatchGame> {
        match (self.game, self.variant) {
            (GameKind::Chess, Some(_)) => {
                bail!("--variant requires --game draughts")
            }
            (GameKind::Chess, None) if self.chess960 => Ok(MatchGame::Chess960),
            (GameKind::Chess, None) => Ok(MatchGame::Chess),
            (GameKind::Draughts, _) if self.chess960 => bail!("--chess960 requires --game chess"),
            (GameKind::Draughts, variant) => {
                Ok(MatchGame::Draughts(variant.unwrap_or(draughts::Variant::Normal)))
            }
        }
    }

    /// Returns the engines from the `--config` file and from `--engine`. Missing settings are taken
    /// from `[each]` in the file and from `--each`.
    fn engines(&self, base: &Path) -> anyhow::Result<Vec<Description>> {
        let each = Description::from_text(&self.each).context("--each")?;
        let mut engines = Vec::new();
        let mut add = |description: Description, name: &dyn Fn() -> String| {
            let description = description.or(&each);
            // Check the engine here, so that the error message names the argument.
            description.entrant().with_context(name)?;
            engines.push(description);
            anyhow::Ok(())
        };
        if let Some(path) = &self.config {
            let name = || path.display().to_string();
            let bytes = read_regular(&base.join(path), MAX_CONFIG).with_context(name)?;
            let text = String::from_utf8(bytes).with_context(name)?;
            for description in Description::from_toml(&text).with_context(name)? {
                description.check_time().with_context(name)?;
                add(description, &name)?;
            }
        }
        for text in &self.engines {
            let name = || format!("--engine '{text}'");
            add(Description::from_text(text).with_context(name)?, &name)?;
        }
        Ok(engines)
    }

    #[cfg(feature = "board")]
    fn serve(&self) -> Option<String> {
        let address = self.serve.as_ref()?;
        Some(address.as_ref().map(ToString::to_string).unwrap_or_default())
    }

    #[cfg(not(feature = "board"))]
    const fn serve(&self) -> Option<String> {
        None
    }
}

/// Returns whether the command-line option `option` sets the setting of `difference`.
fn concerns(option: &str, difference: &Difference) -> bool {
    let names: &[&str] = match option {
        "each" | "config" => &["engine"],
        "chess960" | "variant" => &["game"],
        "openings" => &["openings", "plies", "shuffle"],
        option => &[option],
    };
    names.contains(&difference.names()[0])
}

fn milliseconds(span: Span) -> u64 {
    u64::try_from(span.time().as_millis()).unwrap_or(u64::MAX)
}

impl From<ScheduleName> for ScheduleForm {
    fn from(name: ScheduleName) -> Self {
        match name {
            ScheduleName::RoundRobin => Self::RoundRobin,
            ScheduleName::Gauntlet => Self::Gauntlet,
            ScheduleName::Swiss => Self::Swiss,
            ScheduleName::Knockout => Self::Knockout,
            ScheduleName::Ladder => Self::Ladder,
        }
    }
}
