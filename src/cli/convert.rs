//! `adoube convert`: games from one notation or format to another.

use super::game::GameName;
use super::games::{self, Format, Input};
use adoube::draughts::sheet::Numeric;
use adoube::record::games::{Record, Recorded};
use adoube::record::sheet::{Notate, Sheet};
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Write games in another notation or format: PGN, PDN, or score sheets
///
/// Games are read and written one at a time. A game that cannot be read is reported with its line on
/// standard error and left out; the exit code is then 1. A score sheet has the main line with signs
/// of quality, offers of a draw and clock times, but no other comments and no variations.
///
/// Formats: pgn; pdn; for a score sheet its notation, such as fr, de:long, fr:1930, figurine,
/// descriptive:fr, descriptive:en, spoken, san, or numeric for draughts.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Files; standard input if there are none, or for -
    files: Vec<PathBuf>,
    /// Format of the files [default: recognised by their first lines]
    #[arg(long, value_name = "FORMAT")]
    from: Option<Format>,
    /// Format to write
    #[arg(long, value_name = "FORMAT")]
    to: Format,
}

/// Runs `adoube convert`.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    let mut all_well = true;
    for input in games::open(&args.files, args.from)? {
        anyhow::ensure!(
            input.format.game() == args.to.game(),
            "{}: this is {}, and cannot be written in a format of {}",
            input.name,
            name(input.format.game()),
            name(args.to.game()),
        );
        all_well &= convert(input, args.to, &mut out)?;
    }
    out.flush()?;
    Ok(if all_well { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

const fn name(game: GameName) -> &'static str {
    match game {
        GameName::Chess => "chess",
        GameName::Draughts => "draughts",
    }
}

/// Writes all games of a source. Returns whether all could be read.
fn convert(input: Input, to: Format, out: &mut impl Write) -> io::Result<bool> {
    let name = input.name.clone();
    match (input.format.game(), to) {
        (GameName::Chess, Format::Chess(notation)) => {
            each(&name, games::chess(input), |game| write_sheet(out, game, notation))
        }
        (GameName::Chess, _) => each(&name, games::chess(input), |game| game.write_to(out)),
        (GameName::Draughts, Format::Draughts) => {
            each(&name, games::draughts(input), |game| write_sheet(out, game, Numeric))
        }
        (GameName::Draughts, _) => each(&name, games::draughts(input), |game| game.write_to(out)),
    }
}

fn each<P: Recorded>(
    name: &str,
    games: impl Iterator<Item = Result<Record<P>, String>>,
    mut write: impl FnMut(&Record<P>) -> io::Result<()>,
) -> io::Result<bool> {
    let mut all_well = true;
    for game in games {
        match game {
            Ok(game) => write(&game)?,
            Err(error) => {
                super::complain(format_args!("{name}: {error}"));
                all_well = false;
            }
        }
    }
    Ok(all_well)
}

fn write_sheet<P: Recorded, N: Notate<P>>(
    out: &mut impl Write,
    game: &Record<P>,
    notation: N,
) -> io::Result<()> {
    write!(out, "{}", Sheet::of(game, notation))
}
