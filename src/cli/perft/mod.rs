//! `adoube perft`: counts the leaves of the legal move tree, or compares another program's counts
//! with its own.

mod against;
mod count;
mod detail;
mod merge;

use super::{VARIANT_HELP, threads};
use crate::base::game::GameKind;
use crate::base::shard::Shard;
use crate::chess::Position;
use crate::draughts;
use crate::tools::perft::compare::MovePath;
use anyhow::{Context, bail};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;

/// Count the leaves of the legal move tree to verify a move generator
///
/// Ctrl-C stops the count. The output then reports how much has been counted, with lower bounds
/// instead of counts, and the exit code is 130. With --against, the exit code is 1 if the counts of
/// the two programs differ.
#[derive(clap::Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct Command {
    #[command(subcommand)]
    merge: Option<Merge>,
    #[command(flatten)]
    args: Option<Args>,
}

#[derive(clap::Subcommand, Debug)]
enum Merge {
    Merge(merge::Args),
}

#[derive(clap::Args, Debug)]
struct Args {
    /// Depth in plies
    #[arg(value_parser = clap::value_parser!(u32).range(..=64))]
    depth: u32,
    /// Position, as in --fen
    #[arg(value_name = "FEN", conflicts_with = "fen")]
    position: Option<String>,
    /// Compare the counts with another program's and, if they differ, find a position where that
    /// program generates the wrong moves. ENGINE is either a UCI engine with `go perft` ("PROGRAM
    /// ARGS" or "cmd=PROGRAM ARGS,dir=DIR,option.NAME=VALUE"), or a program that prints a line such
    /// as `e2e4: 20` for each move ("PROGRAM {fen} {depth}")
    #[arg(long, value_name = "ENGINE", conflicts_with_all = ["divide", "hash", "no_bulk", "shard", "detail", "dir"])]
    against: Option<String>,
    /// Compare the counts in N positions reached by random moves from the position, or from random
    /// Chess960 start positions if --chess960 is given without a position
    #[arg(long, value_name = "N", requires = "against")]
    random: Option<NonZeroUsize>,
    /// Seed of the random moves; the same seed gives the same positions
    #[arg(long, requires = "random", default_value_t = 1)]
    seed: u64,
    /// Game [default: the game of the position, else chess]
    #[arg(long)]
    game: Option<GameKind>,
    /// Position. For chess: a FEN, X-FEN or Shredder-FEN, or with --chess960 the number of a start
    /// position, 0 to 959. For draughts: a FEN such as W:W31-50:B1-20 [default: startpos, the start
    /// position]
    #[arg(long)]
    fen: Option<String>,
    /// Write castling as the king capturing its rook
    #[arg(long)]
    chess960: bool,
    #[arg(long, value_name = "VARIANT", help = VARIANT_HELP, conflicts_with = "chess960")]
    variant: Option<draughts::Variant>,
    /// Print the count for each root move
    #[arg(long)]
    divide: bool,
    /// Count the moves of each ply by kind: captures, castling, checks, mates and so on; in
    /// draughts, captures by the number of pieces taken
    #[arg(long, conflicts_with_all = ["divide", "hash", "no_bulk", "shard", "dir"])]
    detail: bool,
    /// Print one line of JSON
    #[arg(long)]
    json: bool,
    /// Number of threads [default: one per processor]
    #[arg(long, value_name = "N", value_parser = threads::number())]
    threads: Option<usize>,
    /// Cache the counts of positions in a hash table of this many MiB
    #[arg(long, value_name = "MB", default_value_t = 0)]
    hash: usize,
    /// Make the moves of the last ply instead of only counting them (no bulk counting)
    #[arg(long)]
    no_bulk: bool,
    /// Count only shard I of N; the subtrees after two plies are distributed over the shards
    #[arg(long, value_name = "I/N", default_value = "1/1", hide_default_value = true)]
    shard: Shard,
    /// Save results to this folder and resume from it
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

impl Args {
    fn threads(&self) -> usize {
        self.threads.unwrap_or_else(threads::processors)
    }

    /// Returns the given position, or `None` for the start position.
    fn fen(&self) -> Option<&str> {
        self.fen.as_deref().or(self.position.as_deref()).filter(|fen| fen.trim() != "startpos")
    }
}

pub(super) fn run(command: &Command) -> anyhow::Result<ExitCode> {
    match command {
        Command { merge: Some(Merge::Merge(args)), .. } => merge::run(args),
        Command { args: Some(args), .. } => run_here(args),
        _ => bail!(
            "no depth: give the number of plies, as in adoube perft 5; see adoube perft --help"
        ),
    }
}

fn run_here(args: &Args) -> anyhow::Result<ExitCode> {
    let fen = args.fen();
    let named = args.game.or_else(|| fen.map(GameKind::of_fen));
    let game = named.or_else(|| args.variant.map(|_| GameKind::Draughts));
    let game = game.unwrap_or(GameKind::Chess);
    match game {
        GameKind::Chess if args.variant.is_some() => bail!("--variant is for draughts"),
        GameKind::Chess => {
            let position = position(fen, args.chess960)?;
            match &args.against {
                Some(peer) => against::chess(peer, position, args),
                None if args.detail => detail::run(&position, args),
                None => count::run(&position, args, |m| position.uci(m, args.chess960)),
            }
        }
        GameKind::Draughts if args.chess960 => bail!("--chess960 is for chess"),
        GameKind::Draughts => {
            let position = draughts(fen, args.variant)?;
            match &args.against {
                Some(peer) => {
                    let own = fen.filter(|_| args.variant.is_none());
                    let text = own.map_or_else(|| position.to_string(), str::to_owned);
                    let line = MovePath::new(position, text);
                    against::run(peer, args, |_| line.clone())
                }
                None if args.detail => detail::run(&position, args),
                None => count::run(&position, args, |m| m.to_string()),
            }
        }
    }
}

fn draughts(
    fen: Option<&str>,
    variant: Option<draughts::Variant>,
) -> anyhow::Result<draughts::Position> {
    let position = match fen {
        None => draughts::Position::start(),
        Some(fen) => fen.parse().with_context(|| format!("in '{fen}'"))?,
    };
    let variant = variant.unwrap_or(position.variant());
    position.in_game(variant).with_context(|| format!("--variant {variant}"))
}

fn position(fen: Option<&str>, chess960: bool) -> anyhow::Result<Position> {
    let Some(fen) = fen else { return Ok(Position::start()) };
    match fen.trim().parse::<u16>() {
        Ok(number) if chess960 => Position::chess960(number)
            .with_context(|| format!("there is no Chess960 start position {number} (0 to 959)")),
        Ok(number) => bail!("'{number}' is not a FEN; a start position number needs --chess960"),
        Err(_) => fen.parse().with_context(|| format!("in '{fen}'")),
    }
}
