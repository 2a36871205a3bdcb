//! `adoube bench`: searches a fixed set of positions.

use super::{interrupt, print_error, threads};
use crate::base::cpu::level::Build;
use crate::base::game::GameKind;
use crate::search::stop::StopHandle;
use crate::tools::bench::{Bench, CHESS_DEPTH, DRAUGHTS_DEPTH, VARIANTS_DEPTH};
use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;

/// Search a fixed set of positions in chess, draughts and its variants, and count nodes
///
/// Also prints the speed. With one thread, the node count is reproducible: a different count means
/// that the search has changed.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    #[arg(help = format!(
        "Depth of each search, in plies [default: chess {CHESS_DEPTH}, draughts {DRAUGHTS_DEPTH}, variants {VARIANTS_DEPTH}]"
    ))]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Number of threads; with more than one, the node count varies from run to run
    #[arg(default_value_t = 1, value_parser = threads::number())]
    threads: usize,
    /// Size of the transposition table in MiB
    #[arg(default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..))]
    hash: u32,
    /// Search only the positions of this game: chess or draughts
    #[arg(long, value_name = "GAME")]
    game: Option<GameKind>,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let control = interrupt::control()?;
    if let Some(advice) = Build::current().advice() {
        print_error(format_args!("warning: {advice}"));
    }
    let mut result = Ok(());
    let mut line = |line: &dyn Display| {
        result = writeln!(io::stdout(), "{line}").and_then(|()| io::stdout().flush());
        if result.is_err() {
            control.stop();
        }
    };
    let bench = Bench { depth: args.depth, threads: args.threads, hash_mb: args.hash as usize };
    match args.game {
        None => {
            bench.run(&control, &mut line)?;
        }
        Some(GameKind::Chess) => {
            let total = bench.chess(&control, &mut line)?;
            line(&total);
        }
        Some(GameKind::Draughts) => {
            let total = bench.draughts(&control, &mut line)?;
            line(&total);
        }
    }
    result?;
    Ok(ExitCode::SUCCESS)
}

/// Runs the `bench` command of a UCI session, which covers chess only.
pub(super) fn over_uci(
    arguments: &[u32],
    control: &StopHandle,
    line: &mut dyn FnMut(&dyn Display),
) {
    match Bench::from_arguments(arguments).chess(control, line) {
        Ok(total) => line(&total),
        Err(error) => line(&format_args!("info string {error}")),
    }
}
