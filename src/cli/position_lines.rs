//! Positions in a file or on standard input, one per line.

use crate::base::text::without_mark;
use anyhow::{Context, anyhow};
use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;

/// Parses a position.
pub(super) fn read<P: FromStr<Err: Display>>(text: &str) -> anyhow::Result<P> {
    let text = without_mark(text).trim();
    text.parse().map_err(|error| anyhow!("{error}, in '{text}'"))
}

#[derive(clap::Args, Debug)]
pub(super) struct PositionFile {
    /// File with positions, one per line, to read instead of standard input
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    file: Option<PathBuf>,
}

/// Calls `answer` with each position in a file, or on standard input. Empty lines are ignored. A
/// line that is not a position is reported with its line number, and makes the exit code a failure.
pub(super) fn answer<P: FromStr<Err: Display>>(
    file: &PositionFile,
    mut answer: impl FnMut(P) -> io::Result<()>,
) -> anyhow::Result<ExitCode> {
    let path = file.file.as_deref().filter(|path| *path != Path::new("-"));
    let name = path.map(|path| path.display().to_string());
    let input: Box<dyn BufRead> = match path {
        Some(path) => {
            let file = File::open(path).with_context(|| path.display().to_string())?;
            Box::new(BufReader::new(file))
        }
        None => Box::new(io::stdin().lock()),
    };
    let place = name.as_ref().map_or_else(String::new, |name| format!("{name}: "));
    let mut code = ExitCode::SUCCESS;
    for (number, line) in (1..).zip(input.split(b'\n')) {
        let line = line.with_context(|| name.as_deref().unwrap_or("standard input").to_owned())?;
        let line = String::from_utf8_lossy(&line);
        if without_mark(&line).trim().is_empty() {
            continue;
        }
        match read(&line) {
            Ok(position) => answer(position)?,
            Err(error) => {
                super::print_error(format_args!("{place}line {number}: {error}"));
                code = ExitCode::FAILURE;
            }
        }
    }
    Ok(code)
}
