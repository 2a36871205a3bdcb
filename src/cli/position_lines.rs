//! Positions on standard input, one per line.

use crate::base::text::without_mark;
use anyhow::anyhow;
use std::fmt::Display;
use std::io::{self, BufRead};
use std::process::ExitCode;
use std::str::FromStr;

/// Parses a position.
pub(super) fn read<P: FromStr<Err: Display>>(text: &str) -> anyhow::Result<P> {
    let text = without_mark(text).trim();
    text.parse().map_err(|error| anyhow!("{error}, in '{text}'"))
}

/// Calls `answer` with each position on standard input. Empty lines are ignored. A line that is not
/// a position is reported with its number, and then the exit code is a failure.
pub(super) fn answer<P: FromStr<Err: Display>>(
    mut answer: impl FnMut(P) -> io::Result<()>,
) -> anyhow::Result<ExitCode> {
    let mut code = ExitCode::SUCCESS;
    for (number, line) in (1..).zip(io::stdin().lock().split(b'\n')) {
        let line = line?;
        let line = String::from_utf8_lossy(&line);
        if without_mark(&line).trim().is_empty() {
            continue;
        }
        match read(&line) {
            Ok(position) => answer(position)?,
            Err(error) => {
                super::print_error(format_args!("line {number}: {error}"));
                code = ExitCode::FAILURE;
            }
        }
    }
    Ok(code)
}
