//! `adoube suite --against`: checks another program's perft counts for all positions in a suite.

use super::{Args, Suite, place};
use crate::arena::engine::process::Interrupt;
use crate::base::text::Visible;
use crate::cli::against::{Finding, start_peer, stopped, stops};
use crate::cli::{tables, threads};
use crate::tools::perft::compare::{MovePath, Peer};
use crate::tools::perft::game::PerftGame;
use crate::tools::suite::peer::MAX_FAILURES;
use crate::tools::suite::{SuiteGame, SuiteRecord};
use crate::{chess, draughts};
use anyhow::ensure;
use comfy_table::{CellAlignment, Table};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Map, Value, json};
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

struct Session<'a> {
    args: &'a Args,
    command: &'a str,
    stop: Arc<AtomicBool>,
    interrupt: Interrupt,
    bar: ProgressBar,
    table: Table,
    /// A JSON object for each record that differs, cannot be read or makes the program fail.
    wrong: Vec<Value>,
    leaves: u64,
}

/// The outcome of comparing a record.
enum Compared {
    Whole,
    /// Ended by Ctrl-C.
    Stopped,
    /// The other program failed.
    Failed(anyhow::Error),
}

pub(super) fn run(
    command: &str,
    chess: &[Suite<'_, chess::Position>],
    draughts: &[Suite<'_, draughts::Position>],
    args: &Args,
) -> anyhow::Result<ExitCode> {
    let (stop, interrupt) = stops()?;
    let records = count_records(chess, args) + count_records(draughts, args);
    ensure!(records > 0, "there is no perft count (D1, D2, ...) in these files");
    // The bar draws nothing if standard error is not a terminal.
    let bar = ProgressBar::new(records as u64).with_style(ProgressStyle::with_template(
        "{elapsed:>4} {wide_bar} {pos}/{len} records, {eta} left",
    )?);
    let mut table = tables::table(["file", "records", "agree", "differ", "leaves"]);
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let (wrong, leaves) = (Vec::new(), 0);
    let mut session = Session { args, command, stop, interrupt, bar, table, wrong, leaves };
    if !(session.compare(chess)? && session.compare(draughts)?) {
        return Ok(stopped());
    }
    session.bar.finish_and_clear();
    let Session { table, wrong, leaves, .. } = session;
    let agree = wrong.is_empty();
    let mut out = io::stdout().lock();
    if args.json {
        let found = json!({ "agree": agree, "records": records, "leaves": leaves, "wrong": wrong });
        writeln!(out, "{found}")?;
    } else {
        writeln!(out, "{table}")?;
    }
    Ok(if agree { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Returns the depths to check for a record, each with the expected count, in order of depth.
fn counts<G: SuiteGame>(record: &SuiteRecord<G>, args: &Args) -> impl Iterator<Item = (u32, u64)> {
    let deepest = args.depth.unwrap_or(u32::MAX);
    record.leaves().into_iter().filter(move |&(depth, _)| (1..=deepest).contains(&depth))
}

fn count_records<G: SuiteGame>(suites: &[Suite<'_, G>], args: &Args) -> usize {
    let records = suites.iter().flat_map(|suite| &suite.records);
    records.filter(|record| counts(record, args).next().is_some()).count()
}

impl Session<'_> {
    /// Compares all counts in the suites for one game. Returns false after Ctrl-C.
    fn compare<G: SuiteGame + PerftGame>(
        &mut self,
        suites: &[Suite<'_, G>],
    ) -> anyhow::Result<bool> {
        if suites.is_empty() {
            return Ok(true);
        }
        let mut peer = start_peer::<G>(self.command, self.args.chess960, &self.interrupt)?;
        let mut failures = 0;
        for suite in suites {
            let path = suite.path.display().to_string();
            let (before, leaves) = (self.wrong.len(), self.leaves);
            for error in &suite.broken {
                self.print(&format!("{path}:{}: {}\n", error.line, error.problem))?;
                self.wrong.push(
                    json!({ "file": path, "line": error.line, "error": error.problem.to_string() }),
                );
            }
            let mut records = 0;
            for record in &suite.records {
                if counts(record, self.args).next().is_some() {
                    let place = place(suite.path, record);
                    match self.record(&mut *peer, record, &path, &place)? {
                        Compared::Stopped => return Ok(false),
                        Compared::Whole => failures = 0,
                        Compared::Failed(error) => {
                            failures += 1;
                            if failures == MAX_FAILURES {
                                return Err(error.context(format!(
                                    "{place} the program failed on {failures} consecutive records"
                                )));
                            }
                            self.print(&format!("{place} {error:#}\n"))?;
                            let error = ("error".to_owned(), format!("{error:#}").into());
                            self.add_wrong(Map::from_iter([error]), record, &path);
                            peer = start_peer(self.command, self.args.chess960, &self.interrupt)?;
                        }
                    }
                    records += 1;
                    self.bar.inc(1);
                }
            }
            let wrong = self.wrong.len() - before;
            let agree = records + suite.broken.len() - wrong;
            let row = [path, records.to_string(), agree.to_string(), wrong.to_string()];
            let leaves = (self.leaves - leaves).to_string();
            self.table.add_row(row.into_iter().chain([leaves]));
        }
        Ok(true)
    }

    /// Compares the counts in a record up to the first difference.
    fn record<G: SuiteGame + PerftGame>(
        &mut self,
        peer: &mut dyn Peer<G>,
        record: &SuiteRecord<G>,
        path: &str,
        place: &str,
    ) -> io::Result<Compared> {
        let threads = self.args.jobs.unwrap_or_else(threads::processors);
        for (depth, expected) in counts(record, self.args) {
            let line = MovePath::new(record.position.clone(), record.fen.clone());
            let chess960 = self.args.chess960;
            let found = match Finding::of(peer, line, depth, chess960, threads, &self.stop) {
                Ok(Some(found)) => found,
                Ok(None) => return Ok(Compared::Stopped),
                Err(error) => return Ok(Compared::Failed(error)),
            };
            let mut json = found.json();
            match found.same() {
                Some(leaves) if leaves == expected => {
                    self.leaves += leaves;
                    continue;
                }
                Some(leaves) => {
                    self.print(&format!(
                        "{place} both count {leaves} leaves at depth {depth}, but the file says \
                         {expected}\n"
                    ))?;
                    json.insert("expected".to_owned(), expected.into());
                }
                None => {
                    let mut text = Vec::new();
                    found.print(&mut text)?;
                    let text = String::from_utf8_lossy(&text);
                    self.print(&format!("{place} the two differ at depth {depth}\n{text}\n"))?;
                }
            }
            self.add_wrong(json, record, path);
            break;
        }
        Ok(Compared::Whole)
    }

    /// Adds an error in a record to the JSON output, together with the location of the record.
    fn add_wrong<G: SuiteGame>(
        &mut self,
        mut json: Map<String, Value>,
        record: &SuiteRecord<G>,
        path: &str,
    ) {
        json.insert("file".to_owned(), path.into());
        json.insert("line".to_owned(), record.line.into());
        json.insert("id".to_owned(), record.id.clone().into());
        self.wrong.push(json.into());
    }

    /// Prints text above the progress bar. If the output is JSON, prints nothing.
    fn print(&self, text: &str) -> io::Result<()> {
        if self.args.json {
            return Ok(());
        }
        self.bar.suspend(|| write!(Visible(io::stdout().lock()), "{text}"))
    }
}
