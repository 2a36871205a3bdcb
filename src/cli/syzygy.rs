//! `adoube syzygy`: probes Syzygy endgame tables for chess.

use super::position_lines::{self, PositionFile};
use crate::chess::Position;
use crate::endings::syzygy::{self, Ranked, Tables, Wdl};
use anyhow::{Context, ensure};
use std::collections::HashSet;
use std::env;
use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::mem;
use std::process::ExitCode;

/// Probe Syzygy tables for chess: the value and distance of a position and of each move
///
/// Without a position, reads positions from a file or standard input, one per line. For each
/// position, prints the value for the side to move, the number of plies to the next capture or pawn
/// move that preserves the value (- if unknown), and the position. The value takes the halfmove
/// clock into account. A line that is not a position is reported with its number; the exit code is
/// then 1.
#[derive(clap::Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct Command {
    #[command(subcommand)]
    verify: Option<Verify>,
    #[command(flatten)]
    args: Args,
}

#[derive(clap::Subcommand, Debug)]
enum Verify {
    /// Verify the checksums of the tables
    ///
    /// Lists the damaged files. The exit code is 1 if there are any.
    Verify(Folders),
}

#[derive(clap::Args, Debug)]
struct Folders {
    /// Folders with the tables, separated as in PATH [default: $ADOUBE_SYZYGY]
    #[arg(long = "tb", value_name = "DIR")]
    folders: Option<OsString>,
}

#[derive(clap::Args, Debug)]
struct Args {
    #[command(flatten)]
    folders: Folders,
    /// Position as FEN
    #[arg(value_name = "FEN")]
    position: Option<String>,
    #[command(flatten)]
    file: PositionFile,
}

pub(super) const VARIABLE: &str = "ADOUBE_SYZYGY";

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Checksums {
    Ignored,
    Verified,
}

/// Opens the tables in `folders`, which are separated as in `PATH`. Prints a warning for each
/// unusable file.
pub(super) fn open(folders: &OsStr, check: Checksums) -> anyhow::Result<Tables> {
    let (tables, unused) = Tables::open(env::split_paths(folders));
    for file in unused {
        super::print_error(format_args!("warning: {file}"));
    }
    ensure!(tables.largest() > 0, "there is no Syzygy table in {}", folders.display());
    if check == Checksums::Verified {
        tables.check(|file| super::print_error(format_args!("warning: {file}")));
    }
    Ok(tables)
}

impl Folders {
    fn get(&self) -> anyhow::Result<OsString> {
        let folders = self.folders.clone().or_else(|| env::var_os(VARIABLE));
        folders.with_context(|| format!("no Syzygy tables: give --tb DIR or set {VARIABLE}"))
    }
}

pub(super) fn run(command: &Command) -> anyhow::Result<ExitCode> {
    match &command.verify {
        Some(Verify::Verify(folders)) => verify(&folders.get()?),
        None => probe(&command.args),
    }
}

fn verify(folders: &OsStr) -> anyhow::Result<ExitCode> {
    // A table consists of two files with the same name but different extensions.
    let mut tables = HashSet::new();
    let (mut files, mut damaged, mut written) = (0, 0, Ok(()));
    for folder in env::split_paths(folders) {
        let verified = syzygy::verify(&folder, |path, result| {
            files += 1;
            tables.insert(path.with_extension(""));
            if let Err(error) = result {
                damaged += 1;
                let line = writeln!(io::stdout(), "{}: {error}", path.display());
                written = mem::replace(&mut written, Ok(())).and(line);
            }
        });
        verified.with_context(|| folder.display().to_string())?;
    }
    written?;
    ensure!(files > 0, "there is no Syzygy table in {}", folders.display());
    writeln!(io::stdout(), "{} tables in {files} files, {damaged} files damaged", tables.len())?;
    Ok(if damaged == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn probe(args: &Args) -> anyhow::Result<ExitCode> {
    let tables = open(&args.folders.get()?, Checksums::Ignored)?;
    let out = &mut io::stdout().lock();
    match &args.position {
        Some(text) => {
            show(&tables, &position_lines::read(text)?, out)?;
            Ok(ExitCode::SUCCESS)
        }
        None => position_lines::answer(&args.file, |position: Position| {
            writeln!(out, "{} {}", verdict(&tables, &position), position.fen())
        }),
    }
}

fn verdict(tables: &Tables, position: &Position) -> String {
    let (value, distance) = tables.at_clock(position).unzip();
    let distance = distance.flatten().map_or("-".to_owned(), |plies| plies.to_string());
    format!("{} {distance}", value.map_or("unknown", name))
}

/// Prints the value of a position, and then its legal moves with their values, best move first.
fn show(tables: &Tables, position: &Position, out: &mut impl Write) -> anyhow::Result<()> {
    let pieces = position.board().occupied().len();
    tables.wdl(position).with_context(|| match position.board().castling.any() {
        true => "Syzygy tables do not contain positions with castling rights".to_owned(),
        false => format!(
            "there is no table for this position of {pieces} pieces; the largest tables have {}",
            tables.largest()
        ),
    })?;
    writeln!(out, "{}", verdict(tables, position))?;
    let (mut moves, _) = tables.rank(position, &[]).unwrap_or_default();
    moves.sort_by_key(|ranked| (-ranked.rank, ranked.distance));
    for Ranked { m, value, distance, .. } in moves {
        let distance = distance.map_or("-".to_owned(), |plies| plies.to_string());
        writeln!(out, "{} {} {distance}", position.san(m), name(value))?;
    }
    Ok(())
}

const fn name(value: Wdl) -> &'static str {
    match value {
        Wdl::Loss => "loss",
        Wdl::BlessedLoss => "blessed-loss",
        Wdl::Draw => "draw",
        Wdl::CursedWin => "cursed-win",
        Wdl::Win => "win",
    }
}
