//! The arguments of `adoube match`, and the tournament that they describe.

use super::super::threads;
use crate::arena::engine::entrant::{Description, Entrant, name_apart};
use crate::arena::engine::link::Patience;
use crate::arena::game::contest::{Contest, Variant};
use crate::arena::game::openings::{Opening, OpeningKind, Openings, Recipe};
use crate::arena::game::{Adjudication, DrawRule, Rules, Tables, WhoSays, WinRule};
use crate::arena::show::watch::Watchers;
use crate::arena::stats::sprt::Sprt;
use crate::arena::tournament::Tournament;
use crate::arena::tournament::cores::Cores;
use crate::arena::tournament::schedule::{Form, Schedule};
use crate::base::game::GameKind;
use crate::base::shard::Shard;
use crate::base::span::{Span, SpanError};
#[cfg(feature = "board")]
use crate::board::broadcast::Address;
use crate::draughts;
use crate::endings::bitbase::{Bitbases, MAX_PIECES};
use crate::laws::Edition;
use crate::laws::clock::{Budget, TimeControl};
use anyhow::{Context, anyhow, bail, ensure};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::BufReader;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The arguments of a match.
#[derive(clap::Args, Clone, PartialEq, Debug)]
pub struct Args {
    /// The game
    #[arg(long, value_enum, default_value_t = GameKind::Chess)]
    pub(super) game: GameKind,
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
    pub(super) openings: String,
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
    pub(super) chess960: bool,
    /// Play another game than the normal one: killer, bt (breakthrough), frisian or losing draughts
    #[arg(long, value_name = "GAME", conflicts_with = "chess960")]
    pub(super) variant: Option<draughts::Variant>,

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
    pub(super) affinity: Option<Cores>,
    /// Wait before each game, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 0)]
    #[arg(value_parser = clap::value_parser!(u64).range(..=3_600_000))]
    start_delay: u64,
    /// Play the I-th of N shares of the pairs of games, in a folder (--dir); `adoube match merge` joins
    /// the shares. Only round robins and gauntlets have shares. --sprt does not end a share; its verdict is known
    /// when all are joined
    #[arg(long, value_name = "I/N", default_value = "1/1", hide_default_value = true)]
    pub(super) shard: Shard,
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
    pub(super) tui: bool,
    /// Show the match in browsers: boards, clocks, standings, all games, and the page of --report at the
    /// end, which stays until Ctrl-C. Without ADDRESS for this machine alone, with a token; with one,
    /// such as 192.168.1.5:8965 or 0.0.0.0 for all of the machine's, for everybody
    #[cfg(feature = "board")]
    #[arg(long, value_name = "ADDRESS")]
    #[expect(clippy::option_option, reason = "without a value, with one, or not at all")]
    pub(super) serve: Option<Option<Address>>,
    /// Append every event to this file, as a line of JSON
    #[arg(long, value_name = "FILE")]
    pub(super) events: Option<PathBuf>,
    /// Append every line to and from the engines to this file; compressed if its name ends in .gz
    #[arg(long, value_name = "FILE")]
    pub(super) log: Option<PathBuf>,

    /// Write a page for a browser to this file, with tables, charts and all games on a board
    #[arg(long, value_name = "FILE")]
    pub(super) report: Option<PathBuf>,
    /// Append the games to this file, as PGN or PDN
    #[arg(long, value_name = "FILE", alias = "pdn")]
    pub(super) pgn: Option<PathBuf>,
    /// Keep the match in this folder: its games, and what --resume needs
    #[arg(long, value_name = "DIR")]
    pub(super) dir: Option<PathBuf>,
    /// Go on with the match in this folder, which was killed or interrupted
    #[arg(long, value_name = "DIR", exclusive = true)]
    pub(super) resume: Option<PathBuf>,
    /// The event's name in the records
    #[arg(long, default_value = "Adoube match")]
    pub(super) event: String,
}

const ONE_PORT: &str =
    "its command names no {port}, so that only one of it can run: --concurrency 1";

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
    /// The arguments that all shares of a match have in common.
    pub(super) fn common(&self) -> Self {
        Self {
            shard: Shard::WHOLE,
            dir: None,
            concurrency: 1,
            affinity: None,
            pgn: None,
            max_time: None,
            start_delay: 0,
            events: None,
            log: None,
            report: None,
            #[cfg(feature = "board")]
            serve: None,
            ..self.clone()
        }
    }

    /// The files that the match reads, including the engines.
    pub(super) fn inputs(&self, entrants: &[Arc<Entrant>]) -> Vec<PathBuf> {
        let openings = (!Recipe::is_meant(&self.openings)).then(|| PathBuf::from(&self.openings));
        let programs = entrants.iter().flat_map(|entrant| entrant.programs());
        openings.into_iter().chain(self.config.clone()).chain(programs).collect()
    }

    fn entrants(&self) -> anyhow::Result<Vec<Entrant>> {
        let each = Description::from_text(&self.each).context("--each")?;
        let mut entrants = Vec::new();
        if let Some(path) = &self.config {
            let name = || path.display().to_string();
            let text = fs::read_to_string(path).with_context(name)?;
            for description in Description::from_toml(&text).with_context(name)? {
                entrants.push(description.or(&each).entrant().with_context(name)?);
            }
        }
        for text in &self.engines {
            let context = || format!("--engine '{text}'");
            let description = Description::from_text(text).with_context(context)?;
            entrants.push(description.or(&each).entrant().with_context(context)?);
        }
        ensure!(entrants.len() >= 2, "a match needs two engines: --engine cmd=PROGRAM, twice");
        name_apart(&mut entrants);
        entrants.iter_mut().for_each(|entrant| entrant.lenient = self.lenient);
        Ok(entrants)
    }

    fn control(&self, entrants: &[Entrant]) -> anyhow::Result<TimeControl> {
        let budget = match (&self.tc, self.movetime) {
            (Some(budget), _) => budget.clone(),
            (None, Some(ms)) => Budget::PerMove(Span::from_millis(ms).time()),
            (None, None) => Budget::Unlimited,
        };
        let control = TimeControl { budget, nodes: self.nodes, depth: self.depth };
        let all_have_one = entrants.iter().all(|e| e.control.is_some());
        ensure!(
            control != TimeControl::default() || all_have_one,
            "how long may they think? --tc, --movetime, --nodes or --depth"
        );
        Ok(control)
    }

    /// The tables of endings that adjudicate.
    fn tables(&self) -> anyhow::Result<Option<Tables>> {
        let is_chess = self.game == GameKind::Chess;
        ensure!(!self.bitbases || !is_chess, "--bitbases are of draughts");
        ensure!(self.tb.is_none() || is_chess, "--tb names tables of chess");
        if let Some(folders) = &self.tb {
            let tables = super::super::syzygy::open(folders).context("--tb")?;
            return Ok(Some(Tables::Syzygy(Arc::new(tables))));
        }
        let bitbases =
            self.bitbases.then(|| Bitbases::with_default_folder(MAX_PIECES)).transpose()?;
        Ok(bitbases.map(|bitbases| Tables::Bitbases(Arc::new(bitbases))))
    }

    fn openings<G: Contest>(&self) -> anyhow::Result<Openings<G>> {
        let source = self.openings.as_str();
        let context = || format!("--openings {source}");
        if Recipe::is_meant(source) {
            let recipe: Recipe = source.parse().with_context(context)?;
            let ballot = recipe.kind == OpeningKind::Ballot;
            ensure!(!ballot || !self.chess960, "--openings {source}: Chess960 has no ballots");
            return Openings::make(recipe, self.seed, self.variant()).with_context(context);
        }
        if source.ends_with(".bin") {
            ensure!(!self.chess960, "--openings {source}: a book begins with standard chess");
            let book = G::read_book(Path::new(source)).map_err(|error| anyhow!("{error}"));
            let book = book.with_context(context)?;
            return Openings::from_book(book, self.plies, self.seed).with_context(context);
        }
        let list = if source.ends_with(".pgn") || source.ends_with(".pdn") {
            let file = BufReader::new(File::open(source).with_context(context)?);
            Opening::from_records(file, self.plies, self.variant())
        } else {
            let text = fs::read_to_string(source).with_context(context)?;
            Opening::from_epd(&text, self.variant())
        };
        Openings::new(list.with_context(context)?, self.shuffle, self.seed).with_context(context)
    }

    pub(super) const fn variant(&self) -> Variant {
        match self.variant {
            Some(game) => Variant::Draughts(game),
            None if self.chess960 => Variant::Chess960,
            None => Variant::Standard,
        }
    }

    /// The engine to whose rating the others are relative.
    pub(super) fn anchor(&self, entrants: &[Arc<Entrant>]) -> anyhow::Result<Option<usize>> {
        let Some(name) = &self.anchor else { return Ok(None) };
        ensure!(entrants.len() > 2, "--anchor is of tournaments of more than two engines");
        let anchor = entrants.iter().position(|entrant| entrant.name == *name);
        anchor.with_context(|| format!("--anchor {name}: no engine has this name")).map(Some)
    }

    fn form(&self, players: usize) -> anyhow::Result<Form> {
        let rounds = self.rounds.map(usize::from);
        let form = match self.schedule {
            ScheduleName::RoundRobin => Form::RoundRobin,
            ScheduleName::Gauntlet => Form::Gauntlet,
            ScheduleName::Knockout => Form::Knockout,
            ScheduleName::Swiss => {
                Form::Swiss(rounds.unwrap_or(players.next_power_of_two().ilog2() as usize))
            }
            ScheduleName::Ladder => Form::Ladder(rounds.unwrap_or(players)),
        };
        let takes_rounds = matches!(form, Form::Swiss(_) | Form::Ladder(_));
        ensure!(rounds.is_none() || takes_rounds, "--rounds are of --schedule swiss and ladder");
        Ok(form)
    }

    pub(super) fn tournament<G: Contest>(&self) -> anyhow::Result<Tournament<G>> {
        let entrants = self.entrants()?;
        ensure!(self.games > 0, "--games must be at least 1");
        ensure!(
            self.shard == Shard::WHOLE || self.dir.is_some(),
            "--shard {}: a share is played in a folder, --dir",
            self.shard
        );
        ensure!(self.concurrency > 0, "--concurrency must be at least 1");
        if self.sprt.is_some() && entrants.len() != 2 {
            bail!("--sprt tests one engine against one other, not {} engines", entrants.len());
        }
        let form = self.form(entrants.len())?;
        let mut schedule =
            Schedule::new(form, entrants.len(), self.games.div_ceil(2)).repeat(self.repeat.get());
        if let Some(games) = self.total_games {
            schedule = schedule.at_most(usize::try_from(games).unwrap_or(usize::MAX));
        }
        let schedule = schedule.share(self.shard).with_context(|| {
            format!(
                "--shard {}: rounds that follow from all results cannot be shared out",
                self.shard
            )
        })?;
        let cores = self.affinity.as_ref().map(|cores| cores.of_games(self.concurrency));
        for entrant in entrants.iter().filter(|_| self.concurrency > 1) {
            ensure!(!entrant.has_one_port(), "{}: {}", entrant.name, ONE_PORT);
        }
        let edition = self.edition.unwrap_or(G::EDITION);
        ensure!(
            edition.terms().game == G::EDITION.terms().game,
            "--edition {edition} ({}): these are laws of the other game",
            edition.title()
        );
        let adjudication = Adjudication {
            win: self.resign,
            draw: self.draw,
            max_moves: self.max_moves,
            tables: self.tables()?,
        };
        Ok(Tournament {
            schedule,
            openings: self.openings()?,
            rules: Rules {
                control: self.control(&entrants)?,
                margin: Span::from_millis(self.margin).time(),
                patience: self.patience.time(),
                variant: self.variant(),
                edition,
                adjudication,
                restarts: self.recover,
            },
            concurrency: self.concurrency,
            cores: cores.transpose().context("--affinity")?.unwrap_or_default(),
            start_delay: Span::from_millis(self.start_delay).time(),
            max_time: self.max_time.map(Span::time),
            sprt: self.sprt,
            patience: Patience::default(),
            entrants: entrants.into_iter().map(Arc::new).collect(),
            watchers: Watchers::default(),
            log: None,
        })
    }
}
