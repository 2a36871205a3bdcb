//! `adoube suite`: checks EPD files.

use super::interrupt;
use crate::search::driver::Options;
use crate::search::limits::Limits;
use crate::tools::suite::{self, Record, Settings, Verdict};
use anyhow::Context;
use comfy_table::{CellAlignment, Table, presets};
use indicatif::{ProgressBar, ProgressStyle};
use std::fs;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// Checks EPD files: perft counts (D1, D2, ...), rules (legal, illegal, state, after, start, names)
/// and puzzles (bm, am, dm), which are searched.
///
/// The exit code is 0 where everything is as the files say, 1 where something is not or a line
/// cannot be read, 130 after Ctrl-C.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// EPD files; empty lines and lines that begin with # are skipped
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Nodes for each search [default: 1000000 where no other limit is given]
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Milliseconds for each search
    #[arg(long, value_name = "MS")]
    movetime: Option<u64>,
    /// Plies for each search
    #[arg(long, value_name = "D")]
    depth: Option<u32>,
    /// Threads of each search
    #[arg(long, value_name = "N", default_value = "1")]
    threads: NonZeroUsize,
    /// Size of each search's table in MiB
    #[arg(long, value_name = "MB", default_value_t = 16)]
    hash: usize,
    /// Records checked at the same time [default: the processors divided by the threads]
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
}

/// Nodes for each search where the user sets no limit.
const DEFAULT_NODES: u64 = 1_000_000;

/// A file and its lines.
struct Suite<'a> {
    path: &'a Path,
    records: Vec<Record>,
    /// Lines that cannot be read, with their reason.
    broken: Vec<suite::RecordError>,
}

/// Runs `adoube suite`.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let suites = args.files.iter().map(|path| read(path)).collect::<anyhow::Result<Vec<_>>>()?;
    let records: Vec<&Record> = suites.iter().flat_map(|suite| &suite.records).collect();
    let stop = interrupt::flag()?;
    // Draws nothing where standard error is not a terminal.
    let bar = ProgressBar::new(records.len() as u64).with_style(ProgressStyle::with_template(
        "{elapsed:>4} {wide_bar} {pos}/{len} records, {eta} left",
    )?);
    let verdicts = suite::run(&records, &settings(args), &stop, &|_, _| bar.inc(1))?;
    bar.finish_and_clear();

    let mut out = io::stdout().lock();
    let mut all_well = true;
    let mut stopped = false;
    let mut verdicts = verdicts.iter();
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY);
    table.set_header(["file", "records", "checks", "passed", "failed", "nodes", "time"]);
    for suite in &suites {
        let tally = report(&mut out, suite, &mut verdicts)?;
        all_well &= tally.failed == 0;
        stopped |= tally.passed + tally.failed < suite.records.len() + suite.broken.len();
        table.add_row([
            suite.path.display().to_string(),
            suite.records.len().to_string(),
            suite.records.iter().map(Record::len).sum::<usize>().to_string(),
            tally.passed.to_string(),
            tally.failed.to_string(),
            tally.nodes.to_string(),
            format!("{:.2} s", tally.elapsed.as_secs_f64()),
        ]);
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    writeln!(out, "{table}")?;
    if stopped {
        writeln!(out, "Stopped: not every record was checked.")?;
        return Ok(ExitCode::from(interrupt::EXIT_CODE));
    }
    Ok(if all_well { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn read(path: &Path) -> anyhow::Result<Suite<'_>> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let (mut records, mut broken) = (Vec::new(), Vec::new());
    for line in suite::read(&text) {
        match line {
            Ok(record) => records.push(record),
            Err(error) => broken.push(error),
        }
    }
    if records.is_empty() && broken.is_empty() {
        anyhow::bail!("{}: there is no record in it", path.display());
    }
    Ok(Suite { path, records, broken })
}

fn settings(args: &Args) -> Settings {
    let limited = args.nodes.or(args.movetime).is_some() || args.depth.is_some();
    let processors = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let threads = args.threads.get();
    Settings {
        jobs: args.jobs.map_or((processors / threads).max(1), NonZeroUsize::get),
        engine: Options { hash_mb: args.hash, threads, ..Options::default() },
        limits: Limits {
            depth: args.depth,
            nodes: args.nodes.or((!limited).then_some(DEFAULT_NODES)),
            movetime: args.movetime.map(Duration::from_millis),
            ..Limits::default()
        },
    }
}

/// What became of a file: records passed, records and lines failed.
#[derive(Default)]
struct Tally {
    passed: usize,
    failed: usize,
    nodes: u64,
    /// The time of all jobs together.
    elapsed: Duration,
}

/// Prints what failed, as `file:line`, and counts.
fn report<'a>(
    out: &mut impl Write,
    suite: &Suite<'_>,
    verdicts: &mut impl Iterator<Item = &'a Option<Verdict>>,
) -> io::Result<Tally> {
    let path = suite.path.display();
    let mut tally = Tally { failed: suite.broken.len(), ..Tally::default() };
    for error in &suite.broken {
        writeln!(out, "{path}:{}: {}", error.line, error.why)?;
    }
    for (record, verdict) in suite.records.iter().zip(verdicts) {
        let Some(verdict) = verdict else { continue };
        for failure in &verdict.failures {
            let id = if record.id.is_empty() { String::new() } else { format!("{}: ", record.id) };
            writeln!(out, "{path}:{}: {id}{failure}", record.line)?;
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
