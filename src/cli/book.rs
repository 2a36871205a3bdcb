//! `adoube book`: makes a draughts opening book by search, or a Polyglot chess book from games.

use super::games::{self, Format};
use super::interrupt;
use crate::base::file::replace;
use crate::base::game::GameKind;
use crate::chess::polyglot::Maker;
use crate::tools::book::Builder;
use anyhow::{Context, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use std::convert::Infallible;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The start of the first line of a book.
pub(super) const FIRST_LINE: &str = "# Good moves at draughts: adoube book";

/// Make an opening book: for draughts by search, for chess from games
///
/// Without --polyglot, searches draughts positions and prints an EPD record for each, with the good
/// moves. The built-in book was made with the default options.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Length of the book in plies [default: 6 by search, 40 from games]
    #[arg(long, value_name = "N")]
    plies: Option<u32>,
    /// Nodes to search in each position
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    nodes: u64,
    /// Largest score difference between a good move and the best move, in hundredths of a man
    #[arg(long, value_name = "CENTIMEN", default_value_t = 8)]
    margin: u16,
    /// Write a Polyglot chess book to this file; a move's weight is 2 for each game won by the
    /// player who made it, plus 1 for each draw
    #[arg(long, value_name = "FILE", conflicts_with_all = ["nodes", "margin"])]
    polyglot: Option<PathBuf>,
    /// Include only moves played in at least this many games
    #[arg(long, value_name = "N", default_value_t = 1, requires = "polyglot")]
    min_games: u64,
    /// Format of the games: pgn, or the notation of a score sheet [default: detected from their
    /// names and contents]
    #[arg(long, value_name = "FORMAT", requires = "polyglot")]
    from: Option<Format>,
    /// Games for the Polyglot book [default: standard input]
    #[arg(value_name = "PGN", requires = "polyglot")]
    games: Vec<PathBuf>,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    match &args.polyglot {
        Some(path) => from_games(args, path),
        None => by_search(args),
    }
}

fn from_games(args: &Args, path: &Path) -> anyhow::Result<ExitCode> {
    let plies = args.plies.map_or(40, |plies| plies as usize);
    let mut maker = Maker::new(plies, args.min_games);
    let (mut read, mut faults) = (0, 0);
    for input in games::open(&args.games, args.from)? {
        let name = input.name.clone();
        ensure!(input.format.game() == GameKind::Chess, "{name}: not a chess game");
        let counts = games::each(&name, games::chess(input), |game| {
            maker.add(&game);
            Ok::<_, Infallible>(())
        });
        let Ok(counts) = counts;
        read += counts.games;
        faults += counts.faults;
    }
    let book = maker.book();
    ensure!(!book.is_empty(), "no book written: none of the {read} games has enough moves");
    replace(path, &book.bytes()).with_context(|| path.display().to_string())?;
    eprintln!("{}: {} moves from {read} games", path.display(), book.len());
    Ok(if faults == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn by_search(args: &Args) -> anyhow::Result<ExitCode> {
    let plies = args.plies.unwrap_or(6);
    let builder = Builder { plies, nodes: args.nodes, margin: i32::from(args.margin) };
    let control = interrupt::control()?;
    let bar = ProgressBar::new(1).with_style(ProgressStyle::with_template(
        "{elapsed:>4} {wide_bar} {pos}/{len} positions of {msg}",
    )?);
    let done = |ply: u32, positions: usize| {
        let ply = format!("ply {ply}");
        if bar.message() != ply {
            bar.set_message(ply);
            bar.set_position(0);
            bar.set_length(positions as u64);
        }
        bar.inc(1);
    };
    let records = builder.run(&control, &done)?;
    bar.finish_and_clear();
    let mut text =
        format!("{FIRST_LINE} --plies {plies} --nodes {} --margin {}\n", args.nodes, args.margin);
    for record in records {
        writeln!(text, "{record}")?;
    }
    io::stdout().lock().write_all(text.as_bytes())?;
    Ok(if control.is_stopped() { ExitCode::from(interrupt::EXIT_CODE) } else { ExitCode::SUCCESS })
}
