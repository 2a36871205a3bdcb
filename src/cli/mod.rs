//! The command line: arguments, one `match`, and the set-up of the log.
//!
//! Each subcommand lives in its own file with its `Args` and a `run` function.

mod perft;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Adoube, a chess engine. Without a command it speaks UCI on standard input and output.
#[derive(Parser, Debug)]
#[command(version, about)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand, Debug)]
enum Command {
    Perft(perft::Args),
}

/// Runs the program; errors go to standard error and into the exit code.
pub fn run() -> ExitCode {
    let cli = Cli::parse();
    let result: anyhow::Result<ExitCode> = match cli.command {
        None => Ok(ExitCode::SUCCESS),
        Some(Command::Perft(args)) => perft::run(&args),
    };
    result.unwrap_or_else(|error| {
        tracing::error!("{error:#}");
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}
