//! `adoube book`: makes a draughts opening book by search, or a Polyglot chess book from games, and
//! shows the moves in a book.

use super::games::{self, Format};
use super::output_file::{self, OutputKind};
use super::{VARIANT_HELP, interrupt, position_lines, threads};
use crate::base::file::{read_regular, replace};
use crate::base::game::{Game, GameKind, MoveForm};
use crate::chess::polyglot::{self, Maker};
use crate::draughts::{self, Variant};
use crate::record::format::{self, Layout};
use crate::record::games::Recorded;
use crate::tools::book::Builder;
use anyhow::{Context, bail, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use std::cmp::Reverse;
use std::convert::Infallible;
use std::fmt::{Display, Write as _};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::{self, FromStr};

/// The start of the first line of a book.
pub(super) const FIRST_LINE: &str = "# Good moves at draughts: adoube book";

/// Make an opening book: for draughts by search, for chess from games; or show the moves in a book
///
/// Without --polyglot, searches draughts positions and prints an EPD record for each, with the good
/// moves. The built-in book of the normal game was made with the default options. The first line of
/// a book contains the options with which the book was made.
#[derive(clap::Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct Command {
    #[command(subcommand)]
    show: Option<Show>,
    #[command(flatten)]
    args: Args,
}

#[derive(clap::Subcommand, Debug)]
enum Show {
    /// Print the book moves in a position, with their weights and shares
    ///
    /// The share is the probability that the move is played. In a draughts book all moves have the
    /// same weight. The exit code is 1 if the book has no move in the position.
    Show(ShowArgs),
}

#[derive(clap::Args, Debug)]
struct ShowArgs {
    /// Polyglot book for chess, draughts book made by `adoube book`, or `built-in` for the built-in
    /// draughts book
    #[arg(value_name = "FILE")]
    book: PathBuf,
    /// Position as a FEN; a draughts FEN can include a variant, as in W:W31-50:B1-20:Vkiller
    /// [default: start position]
    #[arg(value_name = "FEN")]
    position: Option<String>,
}

#[derive(clap::Args, Debug)]
struct Args {
    #[arg(long, value_name = "VARIANT", help = VARIANT_HELP, conflicts_with = "polyglot")]
    variant: Option<Variant>,
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

pub(super) fn run(command: &Command) -> anyhow::Result<ExitCode> {
    let args = &command.args;
    match (&command.show, &args.polyglot) {
        (Some(Show::Show(args)), _) => show(args),
        (None, Some(path)) => from_games(args, path),
        (None, None) => by_search(args),
    }
}

fn show(args: &ShowArgs) -> anyhow::Result<ExitCode> {
    let name = || args.book.display().to_string();
    let fen = args.position.as_deref();
    if args.book == Path::new("built-in") {
        return show_draughts(draughts::book::Book::shipped(), fen);
    }
    // Detect the format: a draughts book is text, a Polyglot book is binary.
    let bytes = read_regular(&args.book, polyglot::MAX_FILE).with_context(name)?;
    match str::from_utf8(&bytes) {
        Ok(text) if !text.is_empty() => {
            let book = draughts::book::Book::read(text).or_else(|error| {
                match format::detect(&name(), &bytes[..bytes.len().min(format::HEAD)]) {
                    (Layout::Games, game) => bail!("{}", games_are_not_a_book(game, &args.book)),
                    _ => Err(error).with_context(name),
                }
            });
            show_draughts(&book?, fen)
        }
        _ => {
            let book = polyglot::Book::read(&bytes).with_context(name)?;
            let position = position(fen)?;
            let moves = book.moves(&position).into_iter();
            print(&position, moves.map(|weighted| (weighted.m, weighted.weight)).collect())
        }
    }
}

/// Returns the error for a file of games, with advice on how to make a book.
fn games_are_not_a_book(game: GameKind, path: &Path) -> String {
    let name = path.display();
    match game {
        GameKind::Chess => format!(
            "{name} contains games and is not a book; make a book from them with `adoube book \
             --polyglot book.bin {name}`"
        ),
        GameKind::Draughts => format!(
            "{name} contains games and is not a book; `adoube book` makes draughts books by search"
        ),
    }
}

fn show_draughts(book: &draughts::book::Book, fen: Option<&str>) -> anyhow::Result<ExitCode> {
    let position: draughts::Position = position(fen)?;
    print(&position, book.moves(&position).iter().map(|&m| (m, 1)).collect())
}

fn position<P: Game + FromStr<Err: Display>>(fen: Option<&str>) -> anyhow::Result<P> {
    fen.map_or_else(|| Ok(P::start()), position_lines::read)
}

/// Prints moves with their weights and shares, by decreasing weight.
fn print<P: Recorded>(position: &P, mut moves: Vec<(P::Move, u16)>) -> anyhow::Result<ExitCode> {
    ensure!(!moves.is_empty(), "the book has no move in {}", position.to_fen());
    moves.sort_by_key(|&(_, weight)| Reverse(weight));
    let sum: f64 = moves.iter().map(|&(_, weight)| f64::from(weight)).sum();
    let out = &mut io::stdout().lock();
    for (m, weight) in moves {
        let text = position.write_move(m, MoveForm::Record);
        writeln!(out, "{text} {weight} {:.1}%", 100.0 * f64::from(weight) / sum)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn from_games(args: &Args, path: &Path) -> anyhow::Result<ExitCode> {
    let plies = args.plies.map_or(40, |plies| plies as usize);
    output_file::check(path, OutputKind::Polyglot, &args.games)?;
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
    let variant = args.variant.unwrap_or_default();
    let (nodes, margin) = (args.nodes, args.margin);
    let threads = threads::processors();
    let builder = Builder { variant, threads, plies, nodes, margin: i32::from(margin) };
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
    let mut text = FIRST_LINE.to_owned();
    if variant != Variant::Normal {
        write!(text, " --variant {variant}")?;
    }
    writeln!(text, " --plies {plies} --nodes {nodes} --margin {margin}")?;
    for record in records {
        writeln!(text, "{record}")?;
    }
    io::stdout().lock().write_all(text.as_bytes())?;
    Ok(if control.is_stopped() { ExitCode::from(interrupt::EXIT_CODE) } else { ExitCode::SUCCESS })
}
