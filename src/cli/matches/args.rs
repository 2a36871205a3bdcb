//! The arguments of `adoube match`, and the settings that they mean.

use super::super::threads;
use crate::arena::engine::entrant::Description;
use crate::arena::game::{DrawRule, WhoSays, WinRule};
use crate::arena::stats::sprt::Sprt;
use crate::arena::tournament::config::{
    ControlSettings, MatchGame, MatchSettings, OpeningSettings, OutputSettings, RuleSettings,
    RunSettings, ScheduleForm, ScheduleSettings,
};
use crate::arena::tournament::cores::Cores;
use crate::base::game::GameKind;
use crate::base::shard::Shard;
use crate::base::span::{Span, SpanError};
#[cfg(feature = "board")]
use crate::board::broadcast::Address;
use crate::draughts;
use crate::laws::Edition;
use crate::laws::clock::{Budget, TimeControl};
use anyhow::{Context, bail, ensure};
use std::ffi::OsString;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// The arguments of a match.
#[derive(clap::Args, Clone, PartialEq, Debug)]
pub struct Args {
    /// The game
    #[arg(long, value_enum, default_value_t = GameKind::Chess)]
    game: GameKind,
    /// An engine, such as "cmd=PROGRAM ARGS,name=NAME,option.Hash=64,tc=2+0.02" (twice or more)
    #[arg(long = "engine", value_name = "KEY=VALUE,...")]
    engines: Vec<String>,
    /// What all engines have in common, in the same form
    #[arg(long, value_name = "KEY=VALUE,...", default_value = "", hide_default_value = true)]
    each: String,
    /// Engines from a TOML file: [[engine]] tables, and [each] for what they have in common
    #[arg(long, value_name = "FILE")]
    pub(super) config: Option<PathBuf>,

    /// Time control in seconds, such as 2+0.02, 40/60 or 40/7200+30:20/3600:900+30; 300b5 has a
    /// Bronstein bonus, 300d5 a delay; *60 is an hourglass
    #[arg(long, value_name = "TC", conflicts_with = "movetime")]
    tc: Option<Budget>,
    /// Time for each move, in milliseconds
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Nodes for each move
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Depth of each search
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Time forgiven on the clock, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 5)]
    margin: u64,
    /// Without a clock, an engine that takes longer than this many seconds for a move has stalled
    #[arg(long, value_name = "SECONDS", default_value = "60")]
    patience: Span,

    /// Openings: random:PLIES; ballot:PLIES, which draws by lot from all positions after that many plies;
    /// or an EPD, PGN or PDN file, or a Polyglot book (.bin), whose lines are drawn by the weights of their
    /// moves. The first two take positions in which a search of 4000 nodes puts neither
    /// side ahead by more than 60 centipawns; random:8,nodes=10000,window=40 changes that. Each opening is
    /// played with both colours
    #[arg(long, value_name = "SOURCE", default_value = "random:8")]
    openings: String,
    /// How many plies to play of the games in a PGN or PDN file, or of a book's lines
    #[arg(long, default_value_t = 16)]
    plies: usize,
    /// Take the openings of the file in random order
    #[arg(long)]
    shuffle: bool,
    /// Pairs of games that two engines play on each opening
    #[arg(long, value_name = "PAIRS", default_value = "1")]
    repeat: NonZeroUsize,
    /// Seed of everything that is random
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Play Chess960, from random starts unless the openings are a file
    #[arg(long)]
    chess960: bool,
    /// Play another game than the normal one: killer, bt (breakthrough), frisian or losing draughts
    #[arg(long, value_name = "GAME", conflicts_with = "chess960")]
    variant: Option<draughts::Variant>,

    /// Games between any two engines that meet (rounded up to an even number)
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: usize,
    /// Who plays whom; engines are seeded in the order in which they are named
    #[arg(long, value_enum, default_value_t = ScheduleName::RoundRobin)]
    schedule: ScheduleName,
    /// Rounds of a Swiss tournament (by default enough to find the winner) or of a ladder (by default as
    /// many as there are engines)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    rounds: Option<u16>,
    /// Play at most this many games in all (rounded up to an even number)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    total_games: Option<u64>,
    /// Begin no further game after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = some_time)]
    max_time: Option<Span>,
    /// Send engines also options that they do not announce, and values out of their range
    #[arg(long)]
    lenient: bool,

    /// Games played at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = threads::number())]
    concurrency: usize,
    /// Give each concurrent game a processor of its own, for engines with one thread: "all", or a list
    /// such as 0,2-5
    #[arg(long, value_name = "CORES")]
    affinity: Option<Cores>,
    /// Wait before each game, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 0)]
    #[arg(value_parser = clap::value_parser!(u64).range(..=3_600_000))]
    start_delay: u64,
    /// Play the I-th of N shares of the pairs of games, in a folder (--dir); `adoube match merge` joins
    /// the shares. Only round robins and gauntlets have shares. --sprt does not end a share; its verdict is known
    /// when all are joined
    #[arg(long, value_name = "I/N", default_value = "1/1", hide_default_value = true)]
    shard: Shard,
    /// Stop when this test of two engines is decided: "elo0=0 elo1=5 alpha=0.05 beta=0.05
    /// model=logistic" (or model=normalised)
    #[arg(long, value_name = "TEST")]
    sprt: Option<Sprt>,

    /// Make ratings relative to this engine [default: to the mean of all]
    #[arg(long, value_name = "NAME")]
    anchor: Option<String>,

    /// The laws under which the games are played: fide-1928, fide-1930, fide-2009 or fide-2023 (the
    /// default) for chess, fmjd for draughts. Draws that an engine has the right to claim are claimed for it
    #[arg(long, value_name = "EDITION")]
    edition: Option<Edition>,
    /// Adjudicate wins on which both engines agree: "moves=3 score=600" (centipawns); with sides=1 an
    /// engine that sees itself that far behind resigns
    #[arg(long, value_name = "RULE", value_parser = win_rule)]
    resign: Option<WinRule>,
    /// Adjudicate draws: "from=40 moves=8 score=10"
    #[arg(long, value_name = "RULE", value_parser = draw_rule)]
    draw: Option<DrawRule>,
    /// Adjudicate a draw after this many moves by each side
    #[arg(long, value_name = "N")]
    max_moves: Option<u32>,
    /// Draughts: adjudicate positions that are in the bitbases
    #[arg(long)]
    bitbases: bool,
    /// Chess: adjudicate positions after a capture or a move of a pawn that are in the Syzygy tables of
    /// these folders, separated as in PATH
    #[arg(long, value_name = "DIR")]
    tb: Option<OsString>,
    /// How often in a game an engine that crashes or stalls is restarted, while its clock runs, instead
    /// of losing the game
    #[arg(long, value_name = "N", default_value_t = 0)]
    recover: u32,

    /// Show boards, clocks, scores and standings on the whole terminal
    #[arg(long)]
    tui: bool,
    /// Show the match in browsers: boards, clocks, standings, all games, and the page of --report at the
    /// end, which stays until Ctrl-C. Without ADDRESS for this machine alone, with a token; with one,
    /// such as 192.168.1.5:8965 or 0.0.0.0 for all of the machine's, for everybody
    #[cfg(feature = "board")]
    #[arg(long, value_name = "ADDRESS")]
    #[expect(clippy::option_option, reason = "without a value, with one, or not at all")]
    serve: Option<Option<Address>>,
    /// Append every event to this file, as a line of JSON
    #[arg(long, value_name = "FILE")]
    events: Option<PathBuf>,
    /// Append every line to and from the engines to this file; compressed if its name ends in .gz
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,

    /// Write a page for a browser to this file, with tables, charts and all games on a board
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Append the games to this file, as PGN or PDN
    #[arg(long, value_name = "FILE", alias = "pdn")]
    pgn: Option<PathBuf>,
    /// Keep the match in this folder: its games, and what --resume needs
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Go on with the match in this folder, which was killed or interrupted
    #[arg(long, value_name = "DIR", exclusive = true)]
    pub(super) resume: Option<PathBuf>,
    /// The event's name in the records
    #[arg(long, default_value = "Adoube match")]
    event: String,
}

/// The forms of a tournament.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum ScheduleName {
    /// Everyone plays everyone
    RoundRobin,
    /// The first engine plays each of the others
    Gauntlet,
    /// In each round engines of about equal scores meet
    Swiss,
    /// The loser is out; after a tie the two play on
    Knockout,
    /// In each round neighbours meet, and the winner moves above the loser
    Ladder,
}

/// Reads `name=number` words into the numbers of these names. A name without a default is required.
fn numbers<const N: usize>(
    text: &str,
    names: [(&str, Option<u32>); N],
) -> Result<[u32; N], String> {
    let mut values = names.map(|(_, default)| default);
    for word in text.split([' ', ',']).filter(|word| !word.is_empty()) {
        let found = word.split_once('=').and_then(|(name, value)| {
            Some((names.iter().position(|(n, _)| *n == name)?, value.parse::<u32>().ok()?))
        });
        let known = || names.map(|(name, _)| name).join(", ");
        let (i, value) = found.ok_or_else(|| format!("'{word}' is none of {} =NUMBER", known()))?;
        values[i] = Some(value.min(1_000_000));
    }
    let mut all = [0; N];
    for (i, value) in values.iter().enumerate() {
        all[i] = value.ok_or(format!("{}=NUMBER is missing", names[i].0))?;
    }
    Ok(all)
}

fn win_rule(text: &str) -> Result<WinRule, String> {
    let [moves, score, sides] =
        numbers(text, [("moves", None), ("score", None), ("sides", Some(2))])?;
    let of = match sides {
        1 => WhoSays::Loser,
        2 => WhoSays::Both,
        _ => return Err(format!("sides={sides} is neither 1 nor 2")),
    };
    Ok(WinRule { moves, score: score as i32, of })
}

fn draw_rule(text: &str) -> Result<DrawRule, String> {
    let [from, moves, score] = numbers(text, ["from", "moves", "score"].map(|name| (name, None)))?;
    Ok(DrawRule { from, moves, score: score as i32 })
}

fn some_time(text: &str) -> Result<Span, String> {
    let span: Span = text.parse().map_err(|error: SpanError| error.to_string())?;
    if span == Span::default() { Err("no time at all".to_owned()) } else { Ok(span) }
}

impl Args {
    /// The folder of a match that begins, if the match is stored.
    pub(super) fn dir(&self) -> Option<&Path> {
        self.dir.as_deref()
    }

    /// The settings that the arguments mean. The name of the file `--config` is relative to `base`.
    pub(super) fn settings(&self, base: &Path) -> anyhow::Result<MatchSettings> {
        ensure!(
            self.shard == Shard::WHOLE || self.dir.is_some(),
            "--shard {}: a share is played in a folder, --dir",
            self.shard
        );
        let is_chess = self.game == GameKind::Chess;
        ensure!(!self.bitbases || !is_chess, "--bitbases are of draughts");
        ensure!(self.tb.is_none() || is_chess, "--tb names tables of chess");
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
                    .map(|budget| TimeControl { budget, ..TimeControl::default() }.to_string()),
                movetime: self.movetime,
                nodes: self.nodes,
                depth: self.depth,
                margin: self.margin,
                patience: milliseconds(self.patience),
            },
            openings: OpeningSettings {
                source: self.openings.clone(),
                plies: self.plies,
                shuffle: self.shuffle,
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
                report: self.report.clone(),
                records: self.pgn.clone(),
            },
        })
    }

    fn match_game(&self) -> anyhow::Result<MatchGame> {
        match (self.game, self.variant) {
            (GameKind::Chess, Some(_)) => {
                bail!("--variant names a game of draughts (--game draughts)")
            }
            (GameKind::Chess, None) if self.chess960 => Ok(MatchGame::Chess960),
            (GameKind::Chess, None) => Ok(MatchGame::Chess),
            (GameKind::Draughts, _) if self.chess960 => bail!("--chess960 is a way to play chess"),
            (GameKind::Draughts, variant) => {
                Ok(MatchGame::Draughts(variant.unwrap_or(draughts::Variant::Normal)))
            }
        }
    }

    /// The engines, each completed by `[each]` of its file and by `--each`.
    fn engines(&self, base: &Path) -> anyhow::Result<Vec<Description>> {
        let each = Description::from_text(&self.each).context("--each")?;
        let mut engines = Vec::new();
        let mut add = |description: Description, name: &dyn Fn() -> String| {
            let description = description.or(&each);
            // An error is known best with the name of its argument.
            description.entrant().with_context(name)?;
            engines.push(description);
            anyhow::Ok(())
        };
        if let Some(path) = &self.config {
            let name = || path.display().to_string();
            let text = fs::read_to_string(base.join(path)).with_context(name)?;
            for description in Description::from_toml(&text).with_context(name)? {
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
