//! `adoube completions`: prints shell completion scripts.

use super::Cli;
use clap::CommandFactory;
use clap_complete::Shell;
use std::io::{self, Write};
use std::process::ExitCode;

/// Print a shell completion script
///
/// For bash: adoube completions bash > ~/.local/share/bash-completion/completions/adoube. For zsh:
/// adoube completions zsh > _adoube, in a folder of $fpath. For fish: adoube completions fish >
/// ~/.config/fish/completions/adoube.fish.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Shell to print the script for
    shell: Shell,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "adoube", &mut script);
    io::stdout().lock().write_all(&script)?;
    Ok(ExitCode::SUCCESS)
}
