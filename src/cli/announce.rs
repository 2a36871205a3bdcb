//! `adoube announce`: prints the moves of chess games as spoken words.

use super::games::{self, Format};
use crate::base::game::{Game, GameKind};
use crate::base::side::Side;
use crate::chess::notation::Notation;
use crate::record::games::Recorded;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Print the moves of chess games as spoken words
///
/// Uses the words that the laws recommend for games with blind players (FIDE 2009, 19.2). Each line
/// contains the move number, the side and the spoken move. The exit code is 1 if a game cannot be
/// read.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Game files; standard input if omitted or -
    files: Vec<PathBuf>,
    /// Format of the files: pgn, or the notation of a score sheet [default: detected from their
    /// names and contents]
    #[arg(long, value_name = "FORMAT")]
    from: Option<Format>,
    /// Name the origin square only if the move would otherwise be ambiguous
    #[arg(long)]
    short: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let spoken = Notation::Spoken { long: !args.short };
    let mut out = io::BufWriter::new(io::stdout().lock());
    let mut all_well = true;
    for input in games::open(&args.files, args.from)? {
        let name = input.name.clone();
        anyhow::ensure!(input.format.game() == GameKind::Chess, "{name}: not a chess game");
        let counts = games::each(&name, games::chess(input), |game| {
            let mut position = game.start().clone();
            let mut number = position.first_number();
            for m in game.moves() {
                let side = position.side();
                writeln!(out, "{number}. {side}: {}", spoken.write(&position, m))?;
                position = Game::after(&position, m);
                number += u32::from(side == Side::Black);
            }
            writeln!(out, "{}\n", game.result)
        })?;
        all_well &= counts.faults == 0;
    }
    out.flush()?;
    Ok(if all_well { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
