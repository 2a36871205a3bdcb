//! `adoube suite`: checks EPD files, or compares another program's counts with them.

mod against;

use super::against::stops;
use super::check::entrant;
use super::{book, interrupt, threads};
use crate::arena::engine::process::Interrupt;
use crate::arena::game::contest::{Contest, Variant};
use crate::base::game::GameKind;
use crate::base::shard::Shard;
use crate::base::span::Span;
use crate::base::text::Visible;
use crate::record::{decode, epd};
use crate::search::driver::Options;
use crate::search::limits::Limits;
use crate::tools::suite::peer::PeerSolver;
use crate::tools::suite::{
    self, LineProblem, SuiteGame, SuiteRecord, SuiteRecordError, SuiteSettings, SuiteVerdict,
};
use crate::{chess, draughts};
use anyhow::Context;
use comfy_table::{CellAlignment, Table, presets};
use indicatif::{ProgressBar, ProgressStyle};
use std::fs;
use std::io::{self, Write};
use std::mem;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Check EPD files of chess or draughts: perft counts, rules and puzzles
///
/// The operations D1, D2, ... check perft counts. legal, illegal, moves, state and after check the
/// rules; so do start and names for chess, and routes for draughts. bm, am and dm are puzzles,
/// which a search must solve. Records and files without any of these operations are skipped. With
/// --against, only perft counts are checked, and with --engine, only puzzles.
///
/// The exit code is 0 if everything matches, 1 if a check fails or a line cannot be read, and 130
/// after Ctrl-C.
#[derive(clap::Args, Debug)]
#[command(group = clap::ArgGroup::new("other").args(["against", "engine"]))]
pub(super) struct Args {
    /// EPD files; empty lines and lines that begin with # are skipped
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Game [default: the game of the first position of each file]
    #[arg(long)]
    game: Option<GameKind>,
    /// Nodes per search [default if no limit is given: 1000000, or the record's `acn` if that is
    /// larger]
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Time per search, in milliseconds
    #[arg(long, value_name = "MS")]
    movetime: Option<u64>,
    /// Depth of each search, in plies
    #[arg(long, value_name = "D")]
    depth: Option<u32>,
    /// Number of threads per search
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = threads::number())]
    threads: usize,
    /// Size of the transposition table per search, in MiB
    #[arg(long, value_name = "MB", default_value_t = 16)]
    hash: usize,
    /// Number of records to check in parallel [default: processors divided by threads]
    #[arg(long, value_name = "N", value_parser = threads::number())]
    jobs: Option<usize>,
    /// Check only shard I of N of the records in all files
    #[arg(long, value_name = "I/N", default_value = "1/1", hide_default_value = true)]
    shard: Shard,
    /// Check another program's perft counts instead (not its puzzles), and find the positions in
    /// which its moves are wrong, like `adoube perft --against`. With this option, --depth limits
    /// the depth of the counts, and --jobs sets the number of threads that Adoube counts with. A
    /// record on which the program fails counts as different, and after 3 consecutive failures,
    /// the check ends
    #[arg(long, value_name = "ENGINE", conflicts_with_all = ["nodes", "movetime", "threads", "hash"])]
    against: Option<String>,
    /// Let another engine solve the puzzles (bm, am, dm), with the same syntax as in `adoube
    /// match`, such as `cmd=PROGRAM,option.Hash=64`. Nothing else is checked; --jobs sets the
    /// number of engine processes. A record on which the engine fails counts as failed, and the
    /// engine is restarted for the next record; after 3 consecutive failures, the check ends
    #[arg(long, value_name = "ENGINE", conflicts_with_all = ["against", "threads", "hash"])]
    engine: Option<String>,
    /// Write castling as the king capturing its rook, including in moves sent to the engine
    #[arg(long, requires = "other")]
    chess960: bool,
    /// Print the result of the comparison as one line of JSON
    #[arg(long, requires = "against")]
    json: bool,
}

const DEFAULT_NODES: u64 = 1_000_000;

struct Suite<'a, G: SuiteGame> {
    path: &'a Path,
    records: Vec<SuiteRecord<G>>,
    /// The errors in lines that cannot be read.
    broken: Vec<SuiteRecordError<G::MoveError>>,
}

enum AnySuite<'a> {
    Chess(Suite<'a, chess::Position>),
    Draughts(Suite<'a, draughts::Position>),
}

struct Summary {
    table: Table,
    all_well: bool,
    stopped: bool,
    /// The first error of the engine given by `--engine` that ended a check early.
    error: Option<anyhow::Error>,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    // Clap does not enforce `requires` for an argument that conflicts with a given one.
    anyhow::ensure!(!args.json || args.against.is_some(), "--json requires --against");
    let (mut chess, mut draughts) = (Vec::new(), Vec::new());
    // The shard of a record depends on its number among the records of all files. Unreadable
    // records count too.
    let mut number = 0..;
    let mut mine = || number.next().is_some_and(|number| args.shard.contains(number));
    for path in &args.files {
        match read(path, args.game, &mut mine)? {
            Some(AnySuite::Chess(suite)) => chess.push(suite),
            Some(AnySuite::Draughts(suite)) => draughts.push(suite),
            None => super::print_error(format_args!(
                "{}: skipped: a book, or no record with a check (D1, bm, am, dm, legal, ...)",
                path.display()
            )),
        }
    }
    anyhow::ensure!(
        !(chess.is_empty() && draughts.is_empty()),
        "there is nothing to check in these files"
    );
    if let Some(peer) = &args.against {
        return against::run(peer, &chess, &draughts, args);
    }
    let (stop, interrupt) = match args.engine {
        Some(_) => stops()?,
        None => (interrupt::flag()?, Interrupt::default()),
    };
    if args.engine.is_some() {
        keep_puzzles(&mut chess);
        keep_puzzles(&mut draughts);
        anyhow::ensure!(
            !(chess.is_empty() && draughts.is_empty()),
            "these files have no puzzles (bm, am or dm)"
        );
    }
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY);
    table.set_header(["file", "records", "checks", "passed", "failed", "nodes", "time"]);
    let mut summary = Summary { table, all_well: true, stopped: false, error: None };
    check(&chess, args, &stop, &interrupt, &mut summary)?;
    check(&draughts, args, &stop, &interrupt, &mut summary)?;
    let Summary { mut table, all_well, stopped, error } = summary;
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let mut out = io::stdout().lock();
    writeln!(out, "{table}")?;
    if stopped {
        writeln!(out, "Stopped before all records were checked.")?;
    }
    if let Some(error) = error {
        return Err(error);
    }
    if stopped {
        return Ok(ExitCode::from(interrupt::EXIT_CODE));
    }
    Ok(if all_well { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Removes everything except puzzles: other checks, records without a puzzle, and files without
/// puzzles.
fn keep_puzzles<G: SuiteGame>(suites: &mut Vec<Suite<'_, G>>) {
    for suite in suites.iter_mut() {
        let records = mem::take(&mut suite.records).into_iter();
        suite.records =
            records.filter(SuiteRecord::is_puzzle).map(SuiteRecord::puzzle_only).collect();
    }
    suites.retain(|suite| !suite.records.is_empty());
}

fn check<G: SuiteGame + Contest>(
    suites: &[Suite<'_, G>],
    args: &Args,
    stop: &AtomicBool,
    interrupt: &Interrupt,
    summary: &mut Summary,
) -> anyhow::Result<()> {
    let records: Vec<&SuiteRecord<G>> = suites.iter().flat_map(|suite| &suite.records).collect();
    // The bar draws nothing if standard error is not a terminal.
    let bar = ProgressBar::new(records.len() as u64).with_style(ProgressStyle::with_template(
        "{elapsed:>4} {wide_bar} {pos}/{len} records, {eta} left",
    )?);
    let settings = settings(args);
    let done = |_: &SuiteRecord<G>, _: &SuiteVerdict| bar.inc(1);
    let verdicts = match &args.engine {
        Some(engine) if !records.is_empty() => {
            let entrant = Arc::new(entrant(engine)?);
            let variant = if args.chess960 { Variant::Chess960 } else { Variant::Standard };
            let SuiteSettings { jobs, limits, respect_acn, .. } = &settings;
            let solver = || PeerSolver::new(&entrant, variant, limits, *respect_acn, interrupt);
            let (verdicts, end) = suite::run_with(&records, *jobs, stop, &done, &solver);
            if let Err(error) = end.with_context(|| format!("'{engine}'")) {
                summary.error.get_or_insert(error);
            }
            verdicts
        }
        _ => suite::run(&records, &settings, stop, &done)?,
    };
    bar.finish_and_clear();
    let mut out = Visible(io::stdout().lock());
    let mut verdicts = verdicts.iter();
    for suite in suites {
        let tally = report(&mut out, suite, &mut verdicts)?;
        summary.all_well &= tally.failed == 0;
        summary.stopped |= tally.passed + tally.failed < suite.records.len() + suite.broken.len();
        summary.table.add_row([
            suite.path.display().to_string(),
            suite.records.len().to_string(),
            suite.records.iter().map(SuiteRecord::len).sum::<usize>().to_string(),
            tally.passed.to_string(),
            tally.failed.to_string(),
            tally.nodes.to_string(),
            format!("{:.2} s", tally.elapsed.as_secs_f64()),
        ]);
    }
    Ok(())
}

/// Reads the records in a file. `mine` is called once for each record and returns whether to keep
/// it. Returns `None` if no record in the file has anything to check, or if the file is an opening
/// book. A book's moves are often hardly better than other moves, so a search may choose a move
/// that is not listed.
fn read<'a>(
    path: &'a Path,
    game: Option<GameKind>,
    mine: &mut impl FnMut() -> bool,
) -> anyhow::Result<Option<AnySuite<'a>>> {
    let text = decode(fs::read(path).with_context(|| path.display().to_string())?);
    if text.starts_with(book::FIRST_LINE) {
        return Ok(None);
    }
    let Some((_, first)) = epd::lines(&text).next() else {
        anyhow::bail!("{}: no EPD records", path.display());
    };
    anyhow::ensure!(
        !first.starts_with('['),
        "{}: a file of games, not EPD; `adoube analyse` and `adoube convert` read it",
        path.display()
    );
    Ok(match game.unwrap_or_else(|| GameKind::of_fen(first)) {
        GameKind::Chess => Suite::of(path, &text, mine).map(AnySuite::Chess),
        GameKind::Draughts => Suite::of(path, &text, mine).map(AnySuite::Draughts),
    })
}

impl<'a, G: SuiteGame> Suite<'a, G> {
    /// Parses the text of a file. Returns `None` if no record has anything to check, for example in
    /// a list of openings.
    fn of(path: &'a Path, text: &str, mine: &mut impl FnMut() -> bool) -> Option<Self> {
        let lines = suite::read(text);
        let is_empty = |line: &suite::ReadRecord<G>| {
            line.as_ref().is_err_and(|error| error.problem == LineProblem::Empty)
        };
        if lines.iter().all(is_empty) {
            return None;
        }
        let mut suite = Self { path, records: Vec::new(), broken: Vec::new() };
        let mut unchecked = 0;
        for line in lines.into_iter().filter(|_| mine()) {
            match line {
                Ok(record) => suite.records.push(record),
                Err(error) if error.problem == LineProblem::Empty => unchecked += 1,
                Err(error) => suite.broken.push(error),
            }
        }
        if unchecked > 0 {
            let (path, s) = (path.display(), if unchecked == 1 { "" } else { "s" });
            super::print_error(format_args!(
                "{path}: {unchecked} record{s} without checks skipped"
            ));
        }
        Some(suite)
    }
}

fn settings<M>(args: &Args) -> SuiteSettings<M> {
    let limited = args.nodes.or(args.movetime).is_some() || args.depth.is_some();
    let (threads, processors) = (args.threads, threads::processors());
    SuiteSettings {
        jobs: args.jobs.unwrap_or((processors / threads).max(1)),
        engine: Options { hash_mb: args.hash, threads, ..Options::default() },
        limits: Limits {
            depth: args.depth,
            nodes: args.nodes.or((!limited).then_some(DEFAULT_NODES)),
            movetime: args.movetime.map(|ms| Span::from_millis(ms).time()),
            ..Limits::default()
        },
        respect_acn: !limited,
    }
}

/// Formats the file, line and id of a record as the prefix of a message.
fn place<G: SuiteGame>(path: &Path, record: &SuiteRecord<G>) -> String {
    let id = if record.id.is_empty() { String::new() } else { format!(" {}:", record.id) };
    format!("{}:{}:{id}", path.display(), record.line)
}

#[derive(Default)]
struct Tally {
    passed: usize,
    /// The number of records that failed, including unreadable lines.
    failed: usize,
    nodes: u64,
    /// The total time of all jobs.
    elapsed: Duration,
}

/// Prints each failure with its file and line. Returns the counts for the suite.
fn report<'a, G: SuiteGame>(
    out: &mut impl Write,
    suite: &Suite<'_, G>,
    verdicts: &mut impl Iterator<Item = &'a Option<SuiteVerdict>>,
) -> io::Result<Tally> {
    let path = suite.path;
    let mut tally = Tally { failed: suite.broken.len(), ..Tally::default() };
    for error in &suite.broken {
        writeln!(out, "{}:{}: {}", path.display(), error.line, error.problem)?;
    }
    for (record, verdict) in suite.records.iter().zip(verdicts) {
        let Some(verdict) = verdict else { continue };
        for failure in &verdict.failures {
            writeln!(out, "{} {failure}", place(path, record))?;
        }
        if verdict.failures.is_empty() {
            tally.passed += 1;
        } else {
            tally.failed += 1;
        }
        tally.nodes += verdict.nodes;
        tally.elapsed += verdict.elapsed;
    }
    Ok(tally)
}
