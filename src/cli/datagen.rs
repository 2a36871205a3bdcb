//! `adoube datagen`: plays games against itself and keeps the quiet positions.

use super::game::GameName;
use super::interrupt;
use adoube::tools::datagen::{self, LEAST_NODES, Options, Progress};
use adoube::{chess, draughts};
use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Instant;

/// Plays games against itself and writes their quiet positions, with score and result, as EPD.
///
/// A run that was stopped (Ctrl-C) goes on where it was when called again.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The game
    #[arg(long, value_name = "GAME", default_value = "chess")]
    game: GameName,
    /// Games to play, those already in the file included
    #[arg(long, value_name = "N")]
    games: usize,
    /// Nodes to search for each move
    #[arg(long, value_name = "N", default_value_t = 5000)]
    #[arg(value_parser = clap::value_parser!(u64).range(LEAST_NODES..))]
    nodes: u64,
    /// Threads, at most 1024 [default: one for each processor]
    #[arg(long, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// The seed: the same seed gives the same games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The file that receives the positions
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Runs `adoube datagen`.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let processors = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let threads = args.threads.map_or(processors, usize::from);
    let (games, nodes, seed) = (args.games, args.nodes, args.seed);
    let options = Options { games, nodes, threads, seed };
    let (mut file, earlier) = open(&args.out)?;
    let stop = interrupt::flag()?;

    let bar = ProgressBar::new(args.games as u64).with_style(ProgressStyle::with_template(
        "{elapsed:>4} {wide_bar} {pos}/{len} games, {msg}, {eta} left",
    )?);
    let (start, cores) = (Instant::now(), threads.min(processors));
    let positions = AtomicUsize::new(0);
    let written = |positions: usize| {
        let rate = positions as f64 / start.elapsed().as_secs_f64().max(1e-3) / cores as f64;
        format!("{positions} positions ({rate:.0} a core-second)")
    };
    let report = |progress: Progress| {
        positions.store(progress.positions, Relaxed);
        bar.set_message(written(progress.positions));
        bar.set_position(progress.games as u64);
    };
    let run = match args.game {
        GameName::Chess => datagen::run::<chess::Position>,
        GameName::Draughts => datagen::run::<draughts::Position>,
    };
    run(&options, &earlier, &mut file, &stop, &report)?;
    file.flush()?;
    bar.abandon();
    let (path, written) = (args.out.display(), written(positions.into_inner()));
    writeln!(io::stdout(), "{path}: {written} added in {:.1?}", start.elapsed())?;
    Ok(ExitCode::SUCCESS)
}

/// Opens the file for appending and returns the games that it has. An incomplete last line is cut
/// off.
fn open(path: &Path) -> anyhow::Result<(File, std::collections::HashSet<usize>)> {
    let in_file = || format!("{}", path.display());
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(error).with_context(in_file),
    };
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    let file = OpenOptions::new().append(true).create(true).open(path).with_context(in_file)?;
    file.set_len(whole as u64).with_context(in_file)?;
    Ok((file, datagen::games_in(&text[..whole])))
}
