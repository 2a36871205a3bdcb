//! `adoube analyse`: annotates games with scores and better lines, or prints the best lines in a
//! position.

mod epd;
mod work;

use super::check;
use super::games::{self, Format, Read};
use super::interrupt::{self, Stages};
use super::output_file::{self, OutputKind};
use super::syzygy::{self, Checksums};
use super::tables::table;
use super::threads;
use crate::arena::engine::entrant::Entrant;
use crate::arena::engine::failure::Failure;
use crate::base::file::Replacement;
use crate::base::game::{GameKind, MoveForm};
use crate::base::span::Span;
use crate::record::epd::Epd;
use crate::record::games::Record;
use crate::search::limits::Limits;
use crate::search::stop::StopHandle;
use crate::tools::analyse::journal::{AnalysisJournal, AnalysisSettings};
use crate::tools::analyse::page::Page;
use crate::tools::analyse::{Analysed, Analyst, FoundLine, IsBookMove, Story, annotate, puzzles};
use anyhow::{Context, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};
use std::collections::HashSet;
use std::env;
use std::ffi::{OsStr, OsString};
use std::fmt::{self, Display};
use std::fs;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

/// Analyse games: annotate moves with scores and better lines, and rate each player's accuracy
///
/// Reads PGN or PDN and writes the games to standard output, in the same format or as an HTML page.
/// From EPD files, writes each record with depth (acd), nodes (acn), score for the side to move
/// (ce) or moves to mate (dm), and best line (pv).
///
/// A game or record that cannot be read is reported and left out. The other games and files are
/// analysed, and the exit code is 1.
///
/// Each move of the main line gets a score from White's point of view. A move that loses at least
/// 0.05, 0.10 or 0.15 expected points gets ?!, ? or ??, and the better line as a variation. Book
/// moves and forced moves are exempt. Existing comments and variations are kept, except the
/// variations that an earlier analysis added.
///
/// Scores are in pawns or men. In chess, +1.00 means a 50% chance of a win between engines in a
/// typical middlegame. In draughts, +1.00 means 67% of the points and +2.00 means 81%; material
/// alone does not determine the score.
///
/// The tags WhiteAccuracy and BlackAccuracy are percentages; WhiteLoss and BlackLoss are the
/// expected points lost per move on average.
///
/// With --engine, another engine searches instead of Adoube, and scores are on the scale of that
/// engine. If the engine fails, it is restarted once. If it fails again, the analysis stops, and
/// the finished games are written.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Game files; standard input if omitted or -
    #[arg(conflicts_with = "fen")]
    files: Vec<PathBuf>,
    /// Format of the files [default: detected from their names and contents]
    #[arg(long, value_name = "FORMAT", conflicts_with = "fen")]
    from: Option<Format>,
    /// Analyse only these games in each file, such as 3 or 10..20
    #[arg(long = "game", value_name = "N..M", value_parser = range, conflicts_with = "fen")]
    games: Option<RangeInclusive<usize>>,
    /// Output format [default: pgn or pdn, as in the input]
    #[arg(long, value_name = "FORMAT", conflicts_with = "fen")]
    to: Option<To>,
    /// Write positions with exactly one winning move to this file, as puzzles for `adoube suite`
    #[arg(long, value_name = "FILE.epd", conflicts_with = "fen")]
    puzzles: Option<PathBuf>,
    /// Opening book for recognising book moves: a Polyglot file for chess, or a draughts book made
    /// by `adoube book` [default: no book for chess, the built-in book for draughts]
    #[arg(long, value_name = "FILE", conflicts_with = "fen")]
    book: Option<PathBuf>,
    /// Save results to this file and resume from it
    #[arg(long, value_name = "FILE", conflicts_with = "fen")]
    journal: Option<PathBuf>,
    /// Let another engine search, with the same syntax as in `adoube match`, such as
    /// `cmd=PROGRAM,option.Hash=64`: a UCI engine for chess, a Hub engine for draughts. --threads
    /// sets the number of engine processes
    #[arg(long, value_name = "ENGINE", conflicts_with_all = ["tb", "hash"])]
    engine: Option<String>,
    /// Folders with Syzygy tables for chess, separated as in PATH [default: $ADOUBE_SYZYGY]
    #[arg(long, value_name = "DIR")]
    tb: Option<OsString>,
    /// Analyse this position instead of games, and print its best lines
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// Print the best lines of --fen as one line of JSON: score in hundredths of a pawn or man for
    /// the side to move, or moves to mate, and depth, nodes and moves
    #[arg(long, requires = "fen")]
    json: bool,
    /// Number of lines: to print for the position [default: 3], or to search for in each position
    /// of a game [default: 1]. A move with ?!, ? or ?? gets up to K better lines
    #[arg(long, value_name = "K")]
    multipv: Option<NonZeroUsize>,
    /// Nodes to search in each position [default: 200000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Depth to search in each position, in plies
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Time to search in each position, in milliseconds
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Number of games to analyse in parallel
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = threads::number())]
    threads: usize,
    /// Size of the transposition table of each thread, in MiB
    #[arg(long, value_name = "MB", default_value_t = 16)]
    hash: usize,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum To {
    /// Chess games with scores, annotation glyphs and better lines
    Pgn,
    /// Draughts games with the same annotations
    Pdn,
    /// HTML page with a graph, a board and the turning points of each game
    Html,
}

const DEFAULT_NODES: u64 = 200_000;
/// The default number of lines for a position.
const DEFAULT_LINES: usize = 3;

#[derive(Debug, thiserror::Error)]
#[error("expected a game number (1 or more) or a range N..M")]
struct RangeError;

/// Parses a range of game numbers, `N` or `N..M`. The first game has number 1.
fn range(text: &str) -> Result<RangeInclusive<usize>, RangeError> {
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    match (first.parse(), last.parse()) {
        (Ok(first), Ok(last)) if 1 <= first && first <= last => Ok(first..=last),
        _ => Err(RangeError),
    }
}

impl Args {
    /// Returns the node limit. The default applies only if there is no other limit.
    fn nodes(&self) -> Option<u64> {
        let is_limited = self.depth.is_some() || self.movetime.is_some();
        self.nodes.or((!is_limited).then_some(DEFAULT_NODES))
    }

    fn limits<M>(&self) -> Limits<M> {
        Limits {
            depth: self.depth,
            nodes: self.nodes(),
            movetime: self.movetime.map(|time| Span::from_millis(time).time()),
            ..Limits::default()
        }
    }

    /// Returns whether the command talks to another process.
    pub(super) const fn speaks(&self) -> bool {
        self.engine.is_some()
    }

    /// Parses `--engine`, the engine that searches instead of Adoube.
    fn entrant(&self) -> anyhow::Result<Option<Arc<Entrant>>> {
        let entrant = self.engine.as_deref().map(|engine| {
            let entrant = check::entrant(engine).with_context(|| format!("--engine {engine}"))?;
            anyhow::Ok(Arc::new(entrant))
        });
        entrant.transpose()
    }

    /// Returns the folders with Syzygy tables, or `None` for draughts and for another engine
    /// (`--engine`).
    fn syzygy_folders(&self, game: GameKind) -> anyhow::Result<Option<OsString>> {
        match game {
            _ if self.engine.is_some() => Ok(None),
            GameKind::Chess => Ok(self.tb.clone().or_else(|| env::var_os(syzygy::VARIABLE))),
            GameKind::Draughts => {
                ensure!(self.tb.is_none(), "--tb: Syzygy tables exist only for chess");
                Ok(None)
            }
        }
    }

    /// Creates `count` analysts that search for the best `lines` lines in each position. With an
    /// `entrant`, each analyst starts its own process of that engine. Without one, Adoube searches
    /// and the analysts share the Syzygy tables. `stop` aborts the searches.
    fn analysts<G: Analysed>(
        &self,
        entrant: Option<&Arc<Entrant>>,
        count: usize,
        lines: usize,
        folders: Option<&OsStr>,
        stop: &StopHandle,
    ) -> anyhow::Result<Vec<Analyst<G>>> {
        let tables = folders.map(|folders| syzygy::open(folders, Checksums::Ignored));
        let resources = G::resources(tables.transpose().context("--tb")?.map(Arc::new));
        let analyst = |_| {
            let analyst = match entrant {
                Some(entrant) => Analyst::start(entrant, self.limits(), lines)
                    .map_err(|failure| self.engine_error(failure))?,
                None => Analyst::new(self.hash, self.limits(), resources.clone())?,
            };
            Ok(analyst.with_lines(lines).until(stop.clone()))
        };
        (0..count).map(analyst).collect()
    }

    /// Converts an engine failure to an error that names the engine.
    fn engine_error(&self, failure: Failure) -> anyhow::Error {
        let engine = self.engine.as_deref().unwrap_or("Adoube");
        anyhow::Error::new(failure).context(format!("'{engine}'"))
    }

    fn settings(&self, folders: Option<&OsStr>) -> anyhow::Result<AnalysisSettings> {
        let book = self.book.as_ref().map(|path| {
            fs::read(path).map(|bytes| crc32fast::hash(&bytes)).with_context(|| in_file(path))
        });
        Ok(AnalysisSettings {
            program: concat!("Adoube ", env!("CARGO_PKG_VERSION")).to_owned(),
            limits: self.to_string(),
            hash: self.hash,
            book: book.transpose()?,
            puzzles: self.puzzles.is_some(),
            engine: self.engine.clone(),
            multipv: self.multipv.map(NonZeroUsize::get).filter(|&lines| lines > 1),
            syzygy: folders.map(|folders| folders.to_string_lossy().into_owned()),
        })
    }
}

impl Display for Args {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let limits = [
            self.nodes().map(|nodes| format!("{nodes} nodes")),
            self.depth.map(|depth| format!("depth {depth}")),
            self.movetime.map(|time| format!("{time} ms")),
        ];
        f.write_str(&limits.into_iter().flatten().collect::<Vec<_>>().join(", "))
    }
}

fn in_file(path: &Path) -> String {
    path.display().to_string()
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if let Some(fen) = &args.fen {
        return match GameKind::of_fen(fen) {
            GameKind::Chess => position::<crate::chess::Position>(args, fen),
            GameKind::Draughts => position::<crate::draughts::Position>(args, fen),
        };
    }
    if let Some(path) = &args.puzzles {
        output_file::check(path, OutputKind::Epd, &args.files)?;
    }
    for path in &args.files {
        ensure!(
            !is_position(path),
            "there is no file '{0}', but this is a position: to analyse it, write --fen '{0}'",
            path.display()
        );
    }
    let inputs = games::open(&args.files, args.from)?;
    let game = inputs.first().map_or(GameKind::Chess, |input| input.format.game());
    if let Some(other) = inputs.iter().find(|input| input.format.game() != game) {
        anyhow::bail!("{}: a game of {} among games of {game}", other.name, other.format.game());
    }
    let is_positions = |input: &games::Input| matches!(input.format, Format::Positions(_));
    if inputs.iter().any(is_positions) {
        ensure!(
            inputs.iter().all(is_positions),
            "games and EPD files cannot be analysed together: give them to separate commands"
        );
        return match game {
            GameKind::Chess => epd::run::<crate::chess::Position>(args, game, inputs),
            GameKind::Draughts => epd::run::<crate::draughts::Position>(args, game, inputs),
        };
    }
    let refused = match game {
        GameKind::Chess => To::Pdn,
        GameKind::Draughts => To::Pgn,
    };
    ensure!(args.to != Some(refused), "games of {game} are not written in this format");
    match game {
        GameKind::Chess => all(args, game, inputs, games::chess),
        GameKind::Draughts => all(args, game, inputs, games::draughts),
    }
}

/// Returns whether `path` is the FEN of a position rather than the name of an existing file.
fn is_position(path: &Path) -> bool {
    let Some(fen) = path.to_str().filter(|_| !path.exists()) else { return false };
    match GameKind::of_fen(fen) {
        GameKind::Chess => fen.parse::<crate::chess::Position>().is_ok(),
        GameKind::Draughts => fen.parse::<crate::draughts::Position>().is_ok(),
    }
}

fn exit_code(all_well: bool, stages: &Stages) -> ExitCode {
    match (all_well, stages.is_raised()) {
        (_, true) => ExitCode::from(interrupt::EXIT_CODE),
        (true, false) => ExitCode::SUCCESS,
        (false, false) => ExitCode::FAILURE,
    }
}

/// Prints the best lines in a position. After Ctrl-C, prints the best lines found so far.
fn position<G>(args: &Args, fen: &str) -> anyhow::Result<ExitCode>
where
    G: Analysed + FromStr<Err: std::error::Error + Send + Sync + 'static>,
{
    let start = match fen.trim() {
        "startpos" => G::start(),
        _ => fen.parse::<G>().with_context(|| format!("--fen {fen}"))?,
    };
    ensure!(!start.moves().is_empty(), "there is no legal move in {fen}: {}", start.end_text());
    let folders = args.syzygy_folders(GameKind::of_fen(fen))?;
    let stop = interrupt::control()?;
    let count = args.multipv.map_or(DEFAULT_LINES, NonZeroUsize::get);
    let entrant = args.entrant()?;
    let mut analysts = args.analysts::<G>(entrant.as_ref(), 1, count, folders.as_deref(), &stop)?;
    let lines = analysts[0].lines(&start, count).map_err(|failure| args.engine_error(failure))?;
    if args.json {
        let lines: Vec<Value> = lines.into_iter().map(|line| json_line(&start, line)).collect();
        let result = json!({ "fen": start.to_fen(), "lines": lines });
        writeln!(io::stdout().lock(), "{result}")?;
    } else {
        let mut rows = table(["score", "depth", "line"]);
        for line in lines {
            let words = start.write_line(line.moves, MoveForm::Record);
            rows.add_row([line.score.to_string(), line.depth.to_string(), words.join(" ")]);
        }
        writeln!(io::stdout().lock(), "{rows}")?;
    }
    Ok(if stop.is_stopped() { ExitCode::from(interrupt::EXIT_CODE) } else { ExitCode::SUCCESS })
}

/// Returns the JSON of a line. It contains either the score or the number of moves to mate, which
/// is negative if the side to move is mated.
fn json_line<G: Analysed>(start: &G, line: FoundLine<G::Move>) -> Value {
    let (name, value) = match line.score.mate_in() {
        Some(moves) => ("mate", moves),
        None => ("score", line.score.centipawns()),
    };
    let moves = start.write_line(line.moves, MoveForm::Record);
    json!({ name: value, "depth": line.depth, "nodes": line.nodes, "moves": moves })
}

type Games<G> = Box<dyn Iterator<Item = Read<Record<G>>>>;

/// Analyses the games in parallel and writes them in order.
fn all<G: Analysed>(
    args: &Args,
    game: GameKind,
    inputs: Vec<games::Input>,
    read: fn(games::Input) -> Games<G>,
) -> anyhow::Result<ExitCode>
where
    Epd<G>: Display,
{
    let folders = args.syzygy_folders(game)?;
    let stages = interrupt::stages(
        "finishing the games in progress, writing the finished games; press Ctrl-C again to leave \
         out the games in progress",
    )?;
    let lines = args.multipv.map_or(1, NonZeroUsize::get);
    let (entrant, abort) = (args.entrant()?, &stages.abort);
    let mut analysts =
        args.analysts(entrant.as_ref(), args.threads, lines, folders.as_deref(), abort)?;
    let (first, last) = args.games.clone().map_or((1, usize::MAX), |games| games.into_inner());
    let chosen = move |input| read(input).take(last).skip(first - 1);
    let bar = bar(args, chosen)?;
    let search = Search::open(args, folders.as_deref(), &bar)?;
    let mut output = Output::open::<G>(args, entrant.as_deref())?;
    let (mut all_well, mut found) = (true, false);
    let named = inputs.into_iter().flat_map(|input| {
        let name = input.name.clone();
        chosen(input).zip(first..).map(move |(read, number)| (name.clone(), number, read))
    });
    let has_failed = AtomicBool::new(false);
    let mut failure = None;
    work::in_order(
        &mut analysts,
        named.take_while(|_| !(stages.is_raised() || has_failed.load(Relaxed))),
        |analyst, (name, number, Read { game, faults })| {
            let mut story = |game: &_| search.story(analyst, game, &stages.abort).transpose();
            // After a failure, skip games that have not started; games in progress are finished.
            let game = game.filter(|_| !has_failed.load(Relaxed));
            let analysed = game.and_then(|game| story(&game).map(|story| (story, game)));
            if let Some((Err(StoryError::Engine(_)), _)) = analysed {
                has_failed.store(true, Relaxed);
            }
            (name, number, faults, analysed)
        },
        |(name, number, faults, analysed)| {
            all_well &= faults.is_empty();
            let print_fault = |fault| super::print_error(format_args!("{name}: {fault}"));
            bar.suspend(|| faults.iter().for_each(print_fault));
            let Some((story, game)) = analysed else { return Ok(()) };
            match story {
                Ok(story) => {
                    found = true;
                    output.add(game, &story)
                }
                Err(StoryError::Journal(error)) => {
                    Err(anyhow::Error::new(error).context("cannot write the journal"))
                }
                Err(StoryError::Engine(error)) => {
                    failure.get_or_insert((format!("{name}: game {number}"), error));
                    Ok(())
                }
            }
        },
    )?;
    bar.finish_and_clear();
    ensure!(
        found || failure.is_some() || !all_well || stages.is_raised(),
        "there is no game {}",
        match first {
            1 => "to analyse".to_owned(),
            _ => format!("with number {first} (--game)"),
        }
    );
    if found {
        output.finish()?;
    }
    if let Some((game, failure)) = failure {
        let error = args.engine_error(failure).context(game);
        return Err(error.context("the analysis stopped early; the finished games are written"));
    }
    Ok(exit_code(all_well, &stages))
}

/// Creates a progress bar that counts positions. To compute the total, the files are read once in
/// advance. Standard input cannot be read twice, and therefore gets a spinner instead.
fn bar<G: Analysed, I: Iterator<Item = Read<Record<G>>>>(
    args: &Args,
    chosen: impl Fn(games::Input) -> I,
) -> anyhow::Result<ProgressBar> {
    if args.files.is_empty() || args.files.iter().any(|path| path == Path::new("-")) {
        let style = ProgressStyle::with_template("{elapsed:>4} {spinner} {pos} positions")?;
        return Ok(ProgressBar::new_spinner().with_style(style));
    }
    let style = "{elapsed:>4} {wide_bar} {pos}/{len} positions, {eta} left";
    let mut positions = 0;
    for input in games::open(&args.files, args.from)? {
        let games = chosen(input).filter_map(|read| read.game);
        positions += games.map(|game| game.moves().count() + 1).sum::<usize>();
    }
    let style = ProgressStyle::with_template(style)?;
    Ok(ProgressBar::new(positions as u64).with_style(style))
}

#[derive(Debug, thiserror::Error)]
enum StoryError {
    #[error(transparent)]
    Engine(#[from] Failure),
    #[error(transparent)]
    Journal(#[from] io::Error),
}

struct Search<'a, G: Analysed> {
    book: IsBookMove<G>,
    puzzles: bool,
    journal: Option<Mutex<AnalysisJournal>>,
    bar: &'a ProgressBar,
}

impl<'a, G: Analysed> Search<'a, G> {
    fn open(args: &Args, folders: Option<&OsStr>, bar: &'a ProgressBar) -> anyhow::Result<Self> {
        let book = G::book(args.book.as_deref()).map_err(anyhow::Error::msg);
        let book = book.with_context(|| args.book.as_deref().map_or_else(String::new, in_file))?;
        let journal = args.journal.as_ref().map(|path| {
            let settings = args.settings(folders)?;
            let journal = AnalysisJournal::open(path, &settings).with_context(|| in_file(path))?;
            if journal.damage().is_loss() {
                let damage = journal.damage();
                super::print_error(format_args!("warning: {}: {damage}", path.display()));
            }
            anyhow::Ok(Mutex::new(journal))
        });
        Ok(Self { book, puzzles: args.puzzles.is_some(), journal: journal.transpose()?, bar })
    }

    /// Returns the stored analysis of a game, or analyses the game and adds the result to the
    /// journal. Returns `None` if `abort` stopped the analysis, because its results are then
    /// incomplete.
    fn story(
        &self,
        analyst: &mut Analyst<G>,
        game: &Record<G>,
        abort: &StopHandle,
    ) -> Result<Option<Story<G::Move>>, StoryError> {
        let journal =
            || self.journal.as_ref().map(|j| j.lock().unwrap_or_else(PoisonError::into_inner));
        if let Some(story) = journal().and_then(|journal| journal.story(game)) {
            self.bar.inc(story.seen.len() as u64);
            return Ok(Some(story));
        }
        let mut story = analyst.story(game, &self.book, &|| self.bar.inc(1))?;
        if self.puzzles {
            analyst.find_puzzles(game, &mut story)?;
        }
        if abort.is_stopped() {
            return Ok(None);
        }
        journal().map_or(Ok(()), |mut journal| journal.add(game, &story))?;
        Ok(Some(story))
    }
}

struct Output {
    /// The name of the engine that searches, if it is not Adoube.
    engine: Option<String>,
    /// The HTML page so far; `None` for PGN or PDN output.
    page: Option<Page>,
    puzzles: Option<(Replacement, String)>,
    /// The positions of the puzzles written so far.
    puzzle_positions: HashSet<String>,
}

impl Output {
    fn open<G: Analysed>(args: &Args, entrant: Option<&Entrant>) -> anyhow::Result<Self> {
        let puzzles = args.puzzles.as_ref().map(|path| {
            let name = in_file(path);
            anyhow::Ok((Replacement::begin(path).with_context(|| name.clone())?, name))
        });
        let engine = entrant.map(|entrant| entrant.name.clone());
        let page = (args.to == Some(To::Html)).then(|| match &engine {
            Some(engine) => Page::new::<G>(&format!("{engine}, {args} a position")),
            None => Page::new::<G>(&format!("{args} a position")),
        });
        let (puzzles, puzzle_positions) = (puzzles.transpose()?, HashSet::new());
        Ok(Self { engine, page, puzzles, puzzle_positions })
    }

    fn add<G: Analysed>(
        &mut self,
        mut game: Record<G>,
        story: &Story<G::Move>,
    ) -> anyhow::Result<()>
    where
        Epd<G>: Display,
    {
        if let Some((file, name)) = &mut self.puzzles {
            for puzzle in puzzles(&game, story) {
                if !self.puzzle_positions.insert(puzzle.position.to_fen()) {
                    continue;
                }
                writeln!(file, "{puzzle}").with_context(|| name.clone())?;
            }
        }
        if let Some(page) = &mut self.page {
            page.add(&game, story);
            return Ok(());
        }
        annotate(&mut game, story, self.engine.as_deref());
        let out = &mut io::stdout().lock();
        game.write_to(out)?;
        Ok(out.flush()?)
    }

    fn finish(self) -> anyhow::Result<()> {
        if let Some((file, name)) = self.puzzles {
            file.commit().context(name)?;
        }
        if let Some(page) = self.page {
            io::stdout().lock().write_all(page.html().as_bytes())?;
        }
        Ok(())
    }
}
