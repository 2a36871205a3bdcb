//! Protocols on standard input and output.

use super::bench;
use adoube::protocol::{hub, uci};
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::process::ExitCode;

/// Speaks Hub.
pub fn hub() -> anyhow::Result<ExitCode> {
    hub::session::run(io::stdin(), io::stdout())?;
    Ok(ExitCode::SUCCESS)
}

/// Speaks Hub if the first word is `hub`, else UCI.
pub fn whichever() -> anyhow::Result<ExitCode> {
    let mut input = BufReader::new(io::stdin());
    let first = first_line(&mut input);
    let is_hub = first.split(u8::is_ascii_whitespace).find(|word| !word.is_empty()) == Some(b"hub");
    let input = Cursor::new(first).chain(input);
    if is_hub {
        hub::session::run(input, io::stdout())?;
    } else {
        uci::session::run(input, io::stdout(), bench::over_uci)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Reads up to the end of the first line that is not blank. An error, or the rest of a very long line, is left
/// to the protocol.
fn first_line(input: &mut impl BufRead) -> Vec<u8> {
    const ENOUGH: usize = 1 << 12;
    let mut line = Vec::new();
    while line.len() < ENOUGH
        && let Ok(&[byte, ..]) = input.fill_buf()
    {
        input.consume(1);
        line.push(byte);
        if matches!(byte, b'\n' | b'\r') && !line.trim_ascii().is_empty() {
            break;
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_is_what_it_is() {
        for (text, line) in
            [("hub\nping\n", "hub\n"), ("\r\n  uci\rgo", "\r\n  uci\r"), ("quit", "quit"), ("", "")]
        {
            let mut input = text.as_bytes();
            assert_eq!(first_line(&mut input), line.as_bytes());
            assert_eq!(input, &text.as_bytes()[line.len()..]);
        }
    }
}
