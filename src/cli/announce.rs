//! `adoube announce`: a game's moves as they are spoken.

use super::games::{self, Format};
use crate::base::game::{Game, GameKind};
use crate::base::side::Side;
use crate::chess::notation::Notation;
use crate::record::games::Recorded;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Print a chess game's moves as they are spoken
///
/// The words are those that the laws suggest for games with blind players (FIDE 2009, 19.2). Each move has a
/// line with its number, the side and the words. The exit code is 1 if a game cannot be read.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Files of games; standard input if there are none, or for -
    files: Vec<PathBuf>,
    /// Format of the files: pgn, or the notation of a score sheet [default: recognised by their
    /// first lines]
    #[arg(long, value_name = "FORMAT")]
    from: Option<Format>,
    /// Name the square of departure only where it is needed
    #[arg(long)]
    short: bool,
}

/// Runs `adoube announce`.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let spoken = Notation::Spoken { long: !args.short };
    let mut out = io::BufWriter::new(io::stdout().lock());
    let mut all_well = true;
    for input in games::open(&args.files, args.from)? {
        let name = input.name.clone();
        anyhow::ensure!(input.format.game() == GameKind::Chess, "{name}: this is no chess");
        for game in games::chess(input) {
            let game = match game {
                Ok(game) => game,
                Err(error) => {
                    super::complain(format_args!("{name}: {error}"));
                    all_well = false;
                    continue;
                }
            };
            let mut position = game.start().clone();
            let mut number = position.first_number();
            for m in game.moves() {
                let side = position.side();
                writeln!(out, "{number}. {side}: {}", spoken.write(&position, m))?;
                position = Game::after(&position, m);
                number += u32::from(side == Side::Black);
            }
            writeln!(out, "{}\n", game.result)?;
        }
    }
    out.flush()?;
    Ok(if all_well { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
