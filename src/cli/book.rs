//! `adoube book`: makes the opening book of draughts.

use super::interrupt;
use adoube::tools::book::Builder;
use indicatif::{ProgressBar, ProgressStyle};
use std::fmt::Write as _;
use std::io::{self, Write};
use std::process::ExitCode;

/// Make an opening book of draughts by search
///
/// Prints an EPD record for each position, with its good moves. The book that is built into the program was
/// made like this, with the defaults.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Plies from the start position
    #[arg(long, value_name = "N", default_value_t = 6)]
    plies: u32,
    /// Nodes to search in each position
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    nodes: u64,
    /// How much worse than the best a good move may be, in hundredths of a man
    #[arg(long, value_name = "CENTIMEN", default_value_t = 8)]
    margin: u16,
}

/// Runs `adoube book`.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let builder = Builder { plies: args.plies, nodes: args.nodes, margin: i32::from(args.margin) };
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
    let mut text = format!(
        "# Good moves at draughts: adoube book --plies {} --nodes {} --margin {}\n",
        args.plies, args.nodes, args.margin
    );
    for record in records {
        writeln!(text, "{record}")?;
    }
    io::stdout().lock().write_all(text.as_bytes())?;
    Ok(if control.is_stopped() { ExitCode::from(interrupt::EXIT_CODE) } else { ExitCode::SUCCESS })
}
