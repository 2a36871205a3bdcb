//! `adoube match`: engines play each other.

use super::game::GameName;
use crate::tools::arena::clock::{Budget, Control};
use crate::tools::arena::contest::{Contest, Variant};
use crate::tools::arena::entrant::{Description, Entrant, name_apart};
use crate::tools::arena::game::{Adjudication, DrawRule, GameRecord, Rules, WinRule};
use crate::tools::arena::journal::{Entry, Header, Journal};
use crate::tools::arena::openings::{Opening, Openings};
use crate::tools::arena::process::Interrupt;
use crate::tools::arena::record::{self, Tags};
use crate::tools::arena::schedule::{Form, Pairing, Schedule};
use crate::tools::arena::sprt::{Sprt, Verdict};
use crate::tools::arena::talk::Patience;
use crate::tools::arena::tournament::{Standings, Tournament};
use anyhow::{Context, anyhow, bail, ensure};
use clap::Parser;
use comfy_table::{CellAlignment, Table, presets};
use indicatif::{ProgressBar, ProgressStyle};
use std::fs::{self, File, OpenOptions};
use std::io::{BufReader, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Play matches between engines, UCI for chess and Hub for draughts, and say what they prove
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The game
    #[arg(long, value_enum, default_value_t = GameName::Chess)]
    game: GameName,
    /// An engine: `cmd=PROGRAM ARGS,name=NAME,option.Hash=64,tc=2+0.02,...` (twice or more)
    #[arg(long = "engine", value_name = "KEY=VALUE,...")]
    engines: Vec<String>,
    /// What all engines have in common, in the same form
    #[arg(long, value_name = "KEY=VALUE,...", default_value = "")]
    each: String,
    /// Engines from a TOML file: [[engine]] tables, and [each] for what they have in common
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    /// Time control in seconds: 2+0.02, 40/60, 40/7200+30:20/3600:900+30; 300b5 with Bronstein's
    /// bonus, 300d5 with a delay; *60 an hourglass
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
    /// Without a clock, a move that takes longer than this many seconds is a stall
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    patience: u64,

    /// Openings: `random:PLIES`, made here, or an EPD, PGN or PDN file; each is played with both
    /// colours
    #[arg(long, value_name = "SOURCE", default_value = "random:8")]
    openings: String,
    /// How many plies to play of the games in a PGN or PDN file
    #[arg(long, default_value_t = 16)]
    plies: usize,
    /// Take the openings of a file in random order
    #[arg(long)]
    shuffle: bool,
    /// Seed of whatever is random
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Chess960, from random starts unless the openings are a file
    #[arg(long)]
    chess960: bool,

    /// Games between any two engines that meet (rounded up to an even number)
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: usize,
    /// Who meets whom; engines are seeded in the order in which they are named
    #[arg(long, value_enum, default_value_t = ScheduleName::RoundRobin)]
    schedule: ScheduleName,
    /// Rounds of a Swiss tournament (enough to tell the first by default) or a ladder (as many as
    /// engines)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    rounds: Option<u16>,
    /// How many games at a time
    #[arg(long, value_name = "N", default_value_t = 1)]
    concurrency: usize,
    /// Stop when this test is decided: "elo0=0 elo1=5 alpha=0.05 beta=0.05 model=logistic" (or
    /// normalised; two engines)
    #[arg(long, value_name = "TEST")]
    sprt: Option<Sprt>,

    /// Adjudicate wins on which both engines agree: "moves=3 score=600" (centipawns)
    #[arg(long, value_name = "RULE", value_parser = win_rule)]
    resign: Option<WinRule>,
    /// Adjudicate draws: "from=40 moves=8 score=10"
    #[arg(long, value_name = "RULE", value_parser = draw_rule)]
    draw: Option<DrawRule>,
    /// Draw after this many moves of each side
    #[arg(long, value_name = "N")]
    max_moves: Option<u32>,

    /// Append the games to this file, as PGN or PDN
    #[arg(long, value_name = "FILE", alias = "pdn")]
    pgn: Option<PathBuf>,
    /// Keep the match in this folder: its games, and what --resume needs
    #[arg(long, value_name = "DIR", conflicts_with = "pgn")]
    dir: Option<PathBuf>,
    /// Go on with the match in this folder, which was killed or interrupted
    #[arg(long, value_name = "DIR", exclusive = true)]
    resume: Option<PathBuf>,
    /// The event's name in the records
    #[arg(long, default_value = "Adoube match")]
    event: String,
}

/// Arguments as a match on disk has them.
#[derive(clap::Parser, Debug)]
struct Kept {
    #[command(flatten)]
    args: Args,
}

/// The forms of a tournament.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum ScheduleName {
    /// All meet all
    RoundRobin,
    /// The first meets each other
    Gauntlet,
    /// In each round those of about equal scores meet
    Swiss,
    /// Who loses is out; who is level plays on
    Knockout,
    /// Neighbours meet in each round; who wins stands above who loses
    Ladder,
}

/// Reads `name=number` words into the numbers of the given names, all of which must be there.
fn numbers<const N: usize>(text: &str, names: [&str; N]) -> Result<[u32; N], String> {
    let mut values = [None; N];
    for word in text.split([' ', ',']).filter(|word| !word.is_empty()) {
        let found = word.split_once('=').and_then(|(name, value)| {
            Some((names.iter().position(|n| *n == name)?, value.parse::<u32>().ok()?))
        });
        let (i, value) = found.ok_or(format!("'{word}' is not one of {names:?} =NUMBER"))?;
        values[i] = Some(value.min(1_000_000));
    }
    let mut all = [0; N];
    for (i, value) in values.iter().enumerate() {
        all[i] = value.ok_or(format!("{}=NUMBER is missing", names[i]))?;
    }
    Ok(all)
}

fn win_rule(text: &str) -> Result<WinRule, String> {
    let [moves, score] = numbers(text, ["moves", "score"])?;
    Ok(WinRule { moves, score: score as i32 })
}

fn draw_rule(text: &str) -> Result<DrawRule, String> {
    let [from, moves, score] = numbers(text, ["from", "moves", "score"])?;
    Ok(DrawRule { from, moves, score: score as i32 })
}

impl Args {
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
        Ok(entrants)
    }

    fn control(&self, entrants: &[Entrant]) -> anyhow::Result<Control> {
        let budget = match (&self.tc, self.movetime) {
            (Some(budget), _) => budget.clone(),
            (None, Some(ms)) => Budget::PerMove(Duration::from_millis(ms)),
            (None, None) => Budget::Unlimited,
        };
        let control = Control { budget, nodes: self.nodes, depth: self.depth };
        let all_have_one = entrants.iter().all(|e| e.control.is_some());
        ensure!(
            control != Control::default() || all_have_one,
            "how long may they think? --tc, --movetime, --nodes or --depth"
        );
        Ok(control)
    }

    fn openings<G: Contest>(&self) -> anyhow::Result<Openings<G>> {
        let source = self.openings.as_str();
        if let Some(plies) = source.strip_prefix("random") {
            let plies = match plies.strip_prefix(':') {
                None if plies.is_empty() => Some(8),
                None => None,
                Some(plies) => plies.parse().ok().filter(|&n: &usize| n <= 40),
            };
            let plies = plies
                .with_context(|| format!("--openings {source}: random:PLIES has 0 to 40 plies"))?;
            return Ok(Openings::random(plies, self.seed, self.variant())?);
        }
        let context = || format!("--openings {source}");
        let list = if source.ends_with(".pgn") || source.ends_with(".pdn") {
            let file = BufReader::new(File::open(source).with_context(context)?);
            Opening::from_records(file, self.plies)
        } else {
            Opening::from_epd(&fs::read_to_string(source).with_context(context)?)
        };
        Openings::new(list.with_context(context)?, self.shuffle, self.seed).with_context(context)
    }

    const fn variant(&self) -> Variant {
        if self.chess960 { Variant::Chess960 } else { Variant::Standard }
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

    fn tournament<G: Contest>(&self) -> anyhow::Result<Tournament<G>> {
        let entrants = self.entrants()?;
        ensure!(self.games > 0, "--games must be at least 1");
        ensure!(self.concurrency > 0, "--concurrency must be at least 1");
        if self.sprt.is_some() && entrants.len() != 2 {
            bail!("--sprt tests one engine against one other, not {} engines", entrants.len());
        }
        let form = self.form(entrants.len())?;
        let adjudication =
            Adjudication { win: self.resign, draw: self.draw, max_moves: self.max_moves };
        Ok(Tournament {
            schedule: Schedule::new(form, entrants.len(), self.games.div_ceil(2)),
            openings: self.openings()?,
            rules: Rules {
                control: self.control(&entrants)?,
                margin: Duration::from_millis(self.margin),
                patience: Duration::from_secs(self.patience),
                variant: self.variant(),
                adjudication,
            },
            concurrency: self.concurrency,
            sprt: self.sprt,
            patience: Patience::default(),
            entrants: entrants.into_iter().map(Arc::new).collect(),
        })
    }
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let Some(dir) = &args.resume else { return play_game(args, None) };
    let dir = dir.canonicalize().with_context(|| dir.display().to_string())?;
    let header = Journal::header(&dir)?;
    let from = &header.directory;
    std::env::set_current_dir(from).with_context(|| from.display().to_string())?;
    header.check_inputs()?;
    let words = std::iter::once("match".to_owned()).chain(header.args);
    let kept = Kept::try_parse_from(words).with_context(|| dir.display().to_string())?;
    play_game(&kept.args, Some(&dir))
}

fn play_game(args: &Args, resumed: Option<&Path>) -> anyhow::Result<ExitCode> {
    match args.game {
        GameName::Chess => play::<crate::chess::Position>(args, resumed),
        GameName::Draughts if args.chess960 => bail!("--chess960 is a way to play chess"),
        GameName::Draughts => play::<crate::draughts::Position>(args, resumed),
    }
}

fn play<G: Contest>(args: &Args, resumed: Option<&Path>) -> anyhow::Result<ExitCode> {
    let tournament: Tournament<G> = args.tournament()?;
    let interrupt = Interrupt::default();
    let handler = interrupt.clone();
    ctrlc::set_handler(move || {
        handler.raise();
        eprintln!("\ninterrupted: no further games; once more breaks the running ones off");
    })?;
    tournament.check(&interrupt)?;
    let (mut records, entries) = args.records(resumed)?;
    let before = tournament.resume(&entries)?;

    let mut view = View::new(&tournament, &before);
    let mut write_error = None;
    let standings = tournament.run(before, &interrupt, |pairing, game, standings| {
        // Nothing is written behind half a record.
        if write_error.is_none()
            && let Err(error) = write_game(&mut records, args, &tournament, pairing, game)
        {
            // Games that leave no record are not worth playing.
            write_error = Some(error);
            interrupt.raise();
        }
        view.show(pairing, game, standings);
    })?;
    view.finish();
    println_report(&report(&tournament, &standings))?;
    write_error.map_or(Ok(()), Err)?;
    Ok(if interrupt.is_raised() { ExitCode::from(130) } else { ExitCode::SUCCESS })
}

fn println_report(text: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

/// Where the games go.
enum Records {
    Nowhere,
    File(PathBuf, File),
    Folder(Journal),
}

impl Args {
    /// Opens what the games are written to; with it the games that are there already, where the
    /// match in a folder is resumed.
    fn records(&self, resumed: Option<&Path>) -> anyhow::Result<(Records, Vec<Entry>)> {
        let name = match self.game {
            GameName::Chess => "games.pgn",
            GameName::Draughts => "games.pdn",
        };
        if let Some(dir) = resumed {
            let (journal, entries) = Journal::resume(dir, name)?;
            return Ok((Records::Folder(journal), entries));
        }
        let records = if let Some(dir) = &self.dir {
            let words = std::env::args_os().skip(2).map(std::ffi::OsString::into_string);
            let words = words.collect::<Result<Vec<String>, _>>();
            let words = words.map_err(|word| anyhow!("{} is not UTF-8", word.display()))?;
            let openings = (!self.openings.starts_with("random")).then(|| self.openings.clone());
            let inputs: Vec<PathBuf> =
                openings.map(PathBuf::from).into_iter().chain(self.config.clone()).collect();
            Records::Folder(Journal::create(dir, &Header::new(words, &inputs)?, name)?)
        } else if let Some(path) = &self.pgn {
            let open = OpenOptions::new().create(true).append(true).open(path);
            Records::File(path.clone(), open.with_context(|| path.display().to_string())?)
        } else {
            Records::Nowhere
        };
        Ok((records, Vec::new()))
    }
}

fn write_game<G: Contest>(
    records: &mut Records,
    args: &Args,
    tournament: &Tournament<G>,
    pairing: &Pairing,
    game: &GameRecord<G>,
) -> anyhow::Result<()> {
    let players = [pairing.white, pairing.black];
    let tags = Tags {
        event: &args.event,
        round: pairing.game + 1,
        players: players.map(|p| tournament.entrants[p].name.as_str()),
        controls: players.map(|p| tournament.control(p).to_string()),
        variant: args.variant(),
    };
    let text = || Ok::<_, anyhow::Error>(record::write(game, &tags)?.to_string());
    match (records, game.outcome()) {
        (Records::Folder(journal), Some(outcome)) => {
            journal.add(Entry::new(pairing, outcome, &game.opening), &text()?)?;
        }
        // In one piece: a match that is killed leaves whole games.
        (Records::File(path, file), _) => {
            let written = file.write_all(text()?.as_bytes());
            written.with_context(|| path.display().to_string())?;
        }
        // A game that was broken off is played again when the match goes on.
        (Records::Folder(_), None) | (Records::Nowhere, _) => {}
    }
    Ok(())
}

/// How many lines of a failed engine's conversation are shown.
const SHOWN_LINES: usize = 8;

/// A line short enough to read: the moves of a long game are cut out of its middle.
fn cut(line: &str) -> String {
    let chars: Vec<char> = line.chars().collect();
    match chars.len() {
        0..=160 => line.to_owned(),
        n => chars[..80].iter().chain(&[' ', '…', ' ']).chain(&chars[n - 76..]).collect(),
    }
}

/// The progress: one line that changes on a terminal, now and then a line elsewhere.
struct View<'a, G: Contest> {
    tournament: &'a Tournament<G>,
    bar: Option<ProgressBar>,
    /// Games played before the match was resumed.
    before: u64,
    started: Instant,
    shown: Instant,
}

impl<'a, G: Contest> View<'a, G> {
    fn new(tournament: &'a Tournament<G>, before: &Standings) -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(tournament.schedule.games_in_all() as u64);
            if let Ok(style) = ProgressStyle::with_template("{pos}/{len} {msg} {eta}") {
                bar.set_style(style);
            }
            bar
        });
        let now = Instant::now();
        let before = before.games();
        if before > 0 {
            eprintln!("{before} of {} games are played", tournament.schedule.games_in_all());
        }
        Self { tournament, bar, before, started: now, shown: now }
    }

    fn say(&self, line: &str) {
        match &self.bar {
            Some(bar) => bar.println(line),
            None => eprintln!("{line}"),
        }
    }

    fn show(&mut self, pairing: &Pairing, game: &GameRecord<G>, standings: &Standings) {
        if !game.transcript.is_empty() {
            let name = |p: usize| &self.tournament.entrants[p].name;
            self.say(&format!(
                "game {}, {} - {}, move {}: {}",
                pairing.game + 1,
                name(pairing.white),
                name(pairing.black),
                game.moves.len() / 2 + 1,
                game.ending
            ));
            let last = game.transcript.len().saturating_sub(SHOWN_LINES);
            game.transcript[last..].iter().for_each(|line| self.say(&format!("    {}", cut(line))));
        }
        let line = self.line(standings);
        match &self.bar {
            Some(bar) => {
                bar.set_position(standings.games());
                bar.set_message(line);
            }
            None if self.shown.elapsed() > Duration::from_secs(10) => {
                self.shown = Instant::now();
                let (played, all) = (standings.games(), self.tournament.schedule.games_in_all());
                let minutes = self.started.elapsed().as_secs_f64() / 60.0;
                let speed = (played - self.before) as f64 / minutes;
                eprintln!("{played}/{all} {line} {speed:.1} games/min");
            }
            None => {}
        }
    }

    fn line(&self, standings: &Standings) -> String {
        let entrants = &self.tournament.entrants;
        if entrants.len() > 2 {
            let scores = entrants.iter().zip(&standings.tallies);
            let scores = scores.map(|(e, t)| format!("{} {}/{}", e.name, t.points(), t.games()));
            return scores.collect::<Vec<_>>().join("  ");
        }
        let (tally, pairs) = (standings.tallies[0], standings.pairs[0][1]);
        let elo = pairs.elo();
        let mut line = format!(
            "{} - {}: +{} ={} -{} {:.1}%, Elo {:+.1} ±{:.1}",
            entrants[0].name,
            entrants[1].name,
            tally.wins,
            tally.draws,
            tally.losses,
            100.0 * tally.score(),
            elo.value,
            elo.error
        );
        if let Some(sprt) = self.tournament.sprt {
            let (lower, upper) = sprt.bounds();
            line += &format!(", LLR {:.2} ({lower:.2}, {upper:.2})", sprt.llr(&pairs));
        }
        line
    }

    fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// The final tables.
fn report<G: Contest>(tournament: &Tournament<G>, standings: &Standings) -> String {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header([
        "engine", "games", "wins", "draws", "losses", "score", "Elo", "LOS", "time", "illegal",
        "crash", "stall",
    ]);
    let by_score = || {
        let mut order: Vec<usize> = (0..tournament.entrants.len()).collect();
        let score = |player: usize| standings.tallies[player].score();
        order.sort_by(|&a, &b| score(b).total_cmp(&score(a)));
        order
    };
    for player in tournament.order(standings).unwrap_or_else(by_score) {
        let (tally, faults) = (standings.tallies[player], standings.faults[player]);
        let pairs = standings.pairs_of(player);
        let elo = pairs.elo();
        table.add_row([
            tournament.entrants[player].name.clone(),
            tally.games().to_string(),
            tally.wins.to_string(),
            tally.draws.to_string(),
            tally.losses.to_string(),
            format!("{:.1}%", 100.0 * tally.score()),
            format!("{:+.1} ±{:.1}", elo.value, elo.error),
            format!("{:.1}%", 100.0 * pairs.superiority()),
            faults.time.to_string(),
            faults.illegal.to_string(),
            faults.crashes.to_string(),
            faults.stalls.to_string(),
        ]);
    }
    table.column_iter_mut().skip(1).for_each(|c| c.set_cell_alignment(CellAlignment::Right));
    let mut text = format!("{table}\n");

    let endings: Vec<String> =
        standings.endings.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
    text += &format!("endings: {}\n", endings.join(", "));
    if tournament.entrants.len() == 2 {
        let (tally, pairs) = (standings.tallies[0], standings.pairs[0][1]);
        let normalised = pairs.normalised_elo();
        text += &format!(
            "{}: draws {:.1}%, pairs of 0 ½ 1 1½ 2 points {:?}, pair ratio {}, \
             normalised Elo {:+.1} ±{:.1}\n",
            tournament.entrants[0].name,
            100.0 * tally.draw_ratio(),
            pairs.0,
            pairs.ratio().map_or("-".into(), |ratio| format!("{ratio:.2}")),
            normalised.value,
            normalised.error
        );
        if let Some(sprt) = tournament.sprt {
            let (lower, upper) = sprt.bounds();
            let verdict = match sprt.verdict(&pairs) {
                Verdict::Open => "open",
                Verdict::AcceptH0 => "H0 accepted",
                Verdict::AcceptH1 => "H1 accepted",
            };
            let llr = sprt.llr(&pairs);
            text += &format!("SPRT {sprt}: LLR {llr:.2} ({lower:.2}, {upper:.2}): {verdict}\n");
        }
    }
    text
}
