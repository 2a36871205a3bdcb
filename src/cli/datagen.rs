//! `adoube datagen`: plays games against itself and keeps the quiet positions.

use super::game::GameName;
use super::interrupt;
use adoube::tools::datagen::{self, Chess, Draughts, Options, Progress};
use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Play games against itself and keep their quiet positions
///
/// The positions are written as EPD with score and result. A run that was stopped by Ctrl-C goes on when it is
/// started again.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The game
    #[arg(long, value_name = "GAME", default_value = "chess")]
    game: GameName,
    /// Games to play, including those already in the file
    #[arg(long, value_name = "N")]
    games: usize,
    /// Nodes to search for each move
    #[arg(long, value_name = "N", default_value_t = 5000)]
    nodes: u64,
    /// Threads [default: one per processor]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// The seed: the same seed gives the same games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The file that receives the positions
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Runs `adoube datagen`.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let threads = args.threads.or_else(|| std::thread::available_parallelism().ok());
    let options = Options {
        games: args.games,
        nodes: args.nodes,
        threads: threads.map_or(1, NonZeroUsize::get),
        seed: args.seed,
    };
    let (mut file, earlier) = open(&args.out)?;
    let stop = interrupt::flag()?;

    let bar = ProgressBar::new(args.games as u64).with_style(ProgressStyle::with_template(
        "{elapsed:>4} {wide_bar} {pos}/{len} games, {msg} positions, {eta} left",
    )?);
    let report = |progress: Progress| {
        bar.set_message(progress.positions.to_string());
        bar.set_position(progress.games as u64);
    };
    let run = match args.game {
        GameName::Chess => datagen::run::<Chess>,
        GameName::Draughts => datagen::run::<Draughts>,
    };
    run(&options, &earlier, &mut file, &stop, &report)?;
    file.flush()?;
    bar.abandon();
    Ok(ExitCode::SUCCESS)
}

/// Opens the file for appending, and says which games it has. An incomplete last line is cut off.
fn open(path: &Path) -> anyhow::Result<(File, std::collections::HashSet<usize>)> {
    let in_file = || format!("{}", path.display());
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(error).with_context(in_file),
    };
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    let file = OpenOptions::new().append(true).create(true).open(path).with_context(in_file)?;
    file.set_len(whole as u64).with_context(in_file)?;
    Ok((file, datagen::games_in(&text[..whole])))
}
