//! `adoube bench`: a fixed amount of work.

use crate::search::control::Control;
use crate::tools::bench::Bench;
use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;

/// Searches a fixed set of positions and counts nodes: the same number for the same search, and a
/// measure of speed.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Depth of each search, in half-moves
    #[arg(default_value_t = Bench::default().depth, value_parser = clap::value_parser!(u32).range(1..))]
    depth: u32,
    /// Threads; with more than one the node count varies
    #[arg(default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=512))]
    threads: u32,
    /// Size of the transposition table in MB
    #[arg(default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..))]
    hash: u32,
}

/// Runs `adoube bench`.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let control = Control::new();
    let stop = control.clone();
    ctrlc::set_handler(move || stop.stop())?;
    let mut result = Ok(());
    Bench::from_arguments(&[args.depth, args.threads, args.hash]).run(&control, &mut |line| {
        result = writeln!(io::stdout(), "{line}").and_then(|()| io::stdout().flush());
        if result.is_err() {
            control.stop();
        }
    })?;
    result?;
    Ok(ExitCode::SUCCESS)
}

/// The `bench` command of a UCI session.
pub fn over_uci(arguments: &[u32], control: &Control, line: &mut dyn FnMut(&dyn Display)) {
    if let Err(error) = Bench::from_arguments(arguments).run(control, line) {
        line(&format_args!("info string {error}"));
    }
}
