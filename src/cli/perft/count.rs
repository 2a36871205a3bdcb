//! `adoube perft DEPTH`: counts leaves with a progress bar and prints the result.

use super::Args;
use crate::base::game::GameKind;
use crate::base::journal::Damage;
use crate::base::shard::Shard;
use crate::cli::interrupt;
use crate::tools::perft::journal::{CountJournal, Tree};
use crate::tools::perft::{self, Division, Options, Progress};
use crate::tools::suite::SuiteGame;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Map, Value, json};
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

/// Counts the leaves and prints the result. `text` formats root moves.
pub(super) fn run<G: SuiteGame>(
    position: &G,
    args: &Args,
    text: impl Fn(G::Move) -> String,
) -> anyhow::Result<ExitCode> {
    let options = Options {
        depth: args.depth,
        threads: args.threads(),
        hash_mb: args.hash,
        bulk: !args.no_bulk,
        shard: args.shard,
    };
    let mut journal = open(position, args)?;
    let stop = interrupt::flag()?;
    // The bar draws nothing if standard error is not a terminal.
    let bar = ProgressBar::new(0).with_style(ProgressStyle::with_template(
        "{elapsed:>4} {wide_bar} {pos}/{len} subtrees, {msg} nodes, {eta} left",
    )?);
    if let Some((done, of)) = journal.as_ref().and_then(CountJournal::done) {
        bar.set_length(of as u64);
        bar.set_position(done as u64);
        // Estimate the remaining time from the speed of this run only.
        bar.reset_eta();
    }
    let report = |progress: Progress| {
        if bar.elapsed() > Duration::from_millis(500) {
            bar.set_length(progress.of as u64);
            bar.set_message(progress.nodes.to_string());
            bar.set_position(progress.done as u64);
        }
    };
    let division = match &mut journal {
        Some(journal) => perft::resume(position, &options, journal, &stop, &report)?,
        None => perft::divide(position, &options, &stop, &report)?,
    };
    bar.finish_and_clear();
    let out = &mut io::stdout().lock();
    if args.json {
        let mut found = json(&division, args.depth, text);
        found.insert("share".to_owned(), args.shard.to_string().into());
        found.insert("seconds".to_owned(), division.elapsed.as_secs_f64().into());
        writeln!(out, "{}", Value::from(found))?;
    } else {
        print_result(out, &division, args, text)?;
    }
    Ok(if division.complete { ExitCode::SUCCESS } else { ExitCode::from(interrupt::EXIT_CODE) })
}

/// Opens the journal in the folder given by `--dir`, and reports damaged lines in it.
fn open<G: SuiteGame>(position: &G, args: &Args) -> anyhow::Result<Option<CountJournal>> {
    let Some(dir) = &args.dir else { return Ok(None) };
    let position = position.text();
    let game = GameKind::of_fen(&position).to_string();
    let tree = Tree { game, position, depth: args.depth, share: args.shard };
    let journal = CountJournal::open(dir, tree)?;
    let Damage { torn, lines, .. } = journal.damage();
    let dir = dir.display();
    if *torn {
        eprintln!("{dir}: the last line is incomplete; its subtree is counted again");
    }
    for line in lines {
        eprintln!("{dir}: line {line} is damaged; its subtree is counted again");
    }
    Ok(Some(journal))
}

pub(super) fn json<M: Copy>(
    division: &Division<M>,
    depth: u32,
    text: impl Fn(M) -> String,
) -> Map<String, Value> {
    // An incomplete count is only a lower bound, so its JSON member has another name.
    let name = |complete| if complete { "nodes" } else { "at_least" };
    let moves = division.roots.iter().map(|root| {
        json!({ "move": text(root.m), name(root.complete): root.nodes, "complete": root.complete })
    });
    let (done, of) = division.subtrees;
    let fields = [
        ("depth", depth.into()),
        (name(division.complete), division.nodes.into()),
        ("complete", division.complete.into()),
        ("subtrees", of.into()),
        ("subtrees_counted", done.into()),
        ("moves", moves.collect()),
    ];
    fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

fn print_result<M: Copy>(
    out: &mut impl Write,
    division: &Division<M>,
    args: &Args,
    text: impl Fn(M) -> String,
) -> io::Result<()> {
    let (counted, subtrees) = division.subtrees;
    if !division.complete {
        let done = division.roots.iter().filter(|root| root.complete).count();
        let all = division.roots.len();
        let end =
            if args.dir.is_some() { ". Run the same command again to continue." } else { "." };
        writeln!(
            out,
            "Stopped: the count is incomplete. {counted} of {subtrees} subtrees are counted; {done} \
             of {all} moves are complete{end}"
        )?;
    }
    if args.shard != Shard::WHOLE {
        writeln!(out, "shard: {}", args.shard)?;
    }
    print(out, division, args.divide || !division.complete, text)?;
    if division.before > 0 {
        writeln!(out, "counted before: {}", division.before)?;
    }
    let seconds = division.elapsed.as_secs_f64();
    writeln!(out, "time: {seconds:.3} s")?;
    let here = division.nodes.saturating_sub(division.before);
    if counted == 0 && !division.complete {
        return Ok(());
    }
    writeln!(out, "nps: {:.0}", here as f64 / seconds.max(1e-9))
}

/// Prints the total. If `divide` is true, also prints the count for each root move. An incomplete
/// count is only a lower bound. A lower bound of 0 is omitted.
pub(super) fn print<M: Copy>(
    out: &mut impl Write,
    division: &Division<M>,
    divide: bool,
    text: impl Fn(M) -> String,
) -> io::Result<()> {
    if divide {
        let mut lines: Vec<_> =
            division.roots.iter().map(|root| (text(root.m), root.nodes, root.complete)).collect();
        lines.sort();
        lines.retain(|&(_, nodes, complete)| complete || nodes > 0);
        for (m, nodes, complete) in &lines {
            writeln!(out, "{m}: {}{nodes}", bound(*complete))?;
        }
        if !lines.is_empty() {
            writeln!(out)?;
        }
    }
    if division.complete || division.nodes > 0 {
        writeln!(out, "nodes: {}{}", bound(division.complete), division.nodes)?;
    }
    Ok(())
}

const fn bound(complete: bool) -> &'static str {
    if complete { "" } else { "at least " }
}
