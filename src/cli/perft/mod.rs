//! `adoube perft`: counts the leaves of the tree of legal moves, or compares another program's counts
//! with its own.

mod against;
mod detail;

use super::game::GameName;
use super::{interrupt, threads};
use adoube::base::game::Game;
use adoube::base::shard::Shard;
use adoube::chess::Position;
use adoube::draughts;
use adoube::tools::perft::compare::Line;
use adoube::tools::perft::{self, Division, Options, Progress};
use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::time::Duration;

/// Count the leaves of the tree of legal moves, the proof of a move generator
///
/// Ctrl-C stops the count and prints the partial result (exit code 130). With --against the exit code is 1
/// if the other program finds other moves.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Plies to count
    #[arg(value_parser = clap::value_parser!(u32).range(..=64))]
    depth: u32,
    /// Compare with another program, and find the position where it goes wrong: a UCI engine that knows
    /// `go perft`, as "PROGRAM ARGS" or "cmd=PROGRAM ARGS,dir=DIR,option.NAME=VALUE"; or any program, as
    /// "PROGRAM {fen} {depth}", that prints a line such as `e2e4: 20` for each move
    #[arg(long, value_name = "ENGINE", conflicts_with_all = ["divide", "hash", "no_bulk", "shard", "detail"])]
    against: Option<String>,
    /// Compare in this many positions that random moves lead to from the given one, with a start of Chess960
    /// for each if there is --chess960 but no --fen
    #[arg(long, value_name = "N", requires = "against")]
    random: Option<NonZeroUsize>,
    /// The seed of the random moves: the same seed gives the same positions
    #[arg(long, requires = "random", default_value_t = 1)]
    seed: u64,
    /// The game [default: that of --fen, else chess]
    #[arg(long)]
    game: Option<GameName>,
    /// The position: for chess FEN, X-FEN or Shredder-FEN, or with --chess960 the number of a start
    /// position, 0 to 959; for draughts such as W:W31-50:B1-20 [default: the start position]
    #[arg(long)]
    fen: Option<String>,
    /// Write castling as the king taking its rook
    #[arg(long)]
    chess960: bool,
    /// Print the count of each move
    #[arg(long)]
    divide: bool,
    /// Count the moves of each ply by kind: captures, castling, checks, mates and so on; in draughts by the
    /// pieces taken
    #[arg(long, conflicts_with_all = ["divide", "hash", "no_bulk", "shard"])]
    detail: bool,
    /// Print one line of JSON
    #[arg(long)]
    json: bool,
    /// Threads [default: one per processor]
    #[arg(long, value_name = "N", value_parser = threads::number())]
    threads: Option<usize>,
    /// Keep the counts of positions in a table of this many MiB
    #[arg(long, value_name = "MB", default_value_t = 0)]
    hash: usize,
    /// Play the moves of the last ply instead of only counting them
    #[arg(long)]
    no_bulk: bool,
    /// Count the I-th of N shares of the tree, by lines of two plies; together they are the whole
    #[arg(long, value_name = "I/N", default_value = "1/1", hide_default_value = true)]
    shard: Shard,
}

impl Args {
    /// The threads to count with.
    fn threads(&self) -> usize {
        self.threads.unwrap_or_else(threads::processors)
    }
}

/// Runs `adoube perft`.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let fen = args.fen.as_deref();
    let game = args.game.or_else(|| fen.map(GameName::of)).unwrap_or(GameName::Chess);
    match game {
        GameName::Chess => {
            let position = position(fen, args.chess960)?;
            match &args.against {
                Some(peer) => against::chess(peer, position, args),
                None if args.detail => detail::run(&position, args),
                None => count(&position, args, |m| position.uci(m, args.chess960)),
            }
        }
        GameName::Draughts if args.chess960 => bail!("--chess960 is no option of draughts"),
        GameName::Draughts => {
            let position = match fen {
                None => draughts::Position::start(),
                Some(fen) => fen.parse().with_context(|| format!("in --fen '{fen}'"))?,
            };
            match &args.against {
                Some(peer) => {
                    let text = args.fen.clone().unwrap_or_else(|| position.to_string());
                    let line = Line::new(position, text);
                    against::run(peer, args, |_| line.clone())
                }
                None if args.detail => detail::run(&position, args),
                None => count(&position, args, |m| m.to_string()),
            }
        }
    }
}

/// Counts and prints; `text` writes a move of the root.
fn count<G: Game>(
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
    let stop = interrupt::flag()?;
    // Draws nothing if standard error is not a terminal.
    let bar = ProgressBar::new(0).with_style(ProgressStyle::with_template(
        "{elapsed:>4} {wide_bar} {pos}/{len} subtrees, {msg} nodes, {eta} left",
    )?);
    let report = |progress: Progress| {
        // A short count needs no bar.
        if bar.elapsed() > Duration::from_millis(500) {
            bar.set_length(progress.of as u64);
            bar.set_message(progress.nodes.to_string());
            bar.set_position(progress.done as u64);
        }
    };
    let division = perft::divide(position, &options, &stop, &report)?;
    bar.finish_and_clear();
    let out = &mut io::stdout().lock();
    if args.json {
        writeln!(out, "{}", json(&division, args, text))?;
    } else {
        print(out, &division, args, text)?;
    }
    Ok(if division.complete { ExitCode::SUCCESS } else { ExitCode::from(interrupt::EXIT_CODE) })
}

/// The position that the arguments name.
fn position(fen: Option<&str>, chess960: bool) -> anyhow::Result<Position> {
    let Some(fen) = fen else { return Ok(Position::start()) };
    match fen.trim().parse::<u16>() {
        Ok(number) if chess960 => Position::chess960(number)
            .with_context(|| format!("there is no Chess960 start {number} (0 to 959)")),
        Ok(number) => bail!("'{number}' is no FEN; with --chess960 it can be a start's number"),
        Err(_) => fen.parse().with_context(|| format!("in --fen '{fen}'")),
    }
}

/// The counts of all moves, as one object.
fn json<M: Copy>(division: &Division<M>, args: &Args, text: impl Fn(M) -> String) -> Value {
    let moves = division.roots.iter().map(
        |root| json!({ "move": text(root.m), "nodes": root.nodes, "complete": root.complete }),
    );
    json!({
        "depth": args.depth,
        "share": args.shard.to_string(),
        "nodes": division.nodes,
        "complete": division.complete,
        "seconds": division.elapsed.as_secs_f64(),
        "moves": moves.collect::<Vec<_>>(),
    })
}

fn print<M: Copy>(
    out: &mut impl Write,
    division: &Division<M>,
    args: &Args,
    text: impl Fn(M) -> String,
) -> io::Result<()> {
    if !division.complete {
        let done = division.roots.iter().filter(|root| root.complete).count();
        let all = division.roots.len();
        writeln!(out, "Stopped: partial counts; {done} of {all} moves are complete.")?;
    }
    if args.shard != Shard::WHOLE {
        writeln!(out, "share: {}", args.shard)?;
    }
    if args.divide || !division.complete {
        let mut lines: Vec<_> =
            division.roots.iter().map(|root| (text(root.m), root.nodes, root.complete)).collect();
        lines.sort();
        for (m, nodes, complete) in lines {
            writeln!(out, "{m}: {nodes}{}", if complete { "" } else { " (partial)" })?;
        }
        writeln!(out)?;
    }
    let label = if division.complete { "nodes" } else { "partial nodes" };
    let seconds = division.elapsed.as_secs_f64();
    writeln!(out, "{label}: {}", division.nodes)?;
    writeln!(out, "time: {seconds:.3} s")?;
    writeln!(out, "nps: {:.0}", division.nodes as f64 / seconds.max(1e-9))
}
