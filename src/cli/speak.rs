//! UCI and Hub sessions on standard input and output.

use super::bench;
use super::prompt::{Prompt, Typed};
use crate::protocol::setting::Files;
use crate::protocol::{hub, uci};
use std::io::{self, BufRead, BufReader, Cursor, IsTerminal, Read, Write};
use std::process::ExitCode;

const GREETING: &str = concat!(
    "Adoube ",
    env!("CARGO_PKG_VERSION"),
    ": a UCI engine for chess and a Hub engine for draughts.\n",
    "Type uci or hub, then help; quit ends the program. See also `adoube --help`.\n",
);

// No doc comment here: clap would print it instead of the command's help.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(super) struct Args {
    /// Reject commands and options that name a file, such as a log file; use this if untrusted
    /// users can send commands to the engine
    #[arg(long)]
    no_files: bool,
}

impl Args {
    const fn files(self) -> Files {
        if self.no_files { Files::Forbidden } else { Files::Allowed }
    }
}

pub(super) fn hub(args: Args) -> anyhow::Result<ExitCode> {
    hub::session::run(io::stdin(), io::stdout(), args.files())?;
    Ok(ExitCode::SUCCESS)
}

/// Speaks Hub if the first word of the input is `hub`, otherwise UCI. At a terminal, lines can be
/// edited and recalled.
pub(super) fn whichever(args: Args) -> anyhow::Result<ExitCode> {
    if !(io::stdin().is_terminal() && io::stdout().is_terminal()) {
        return speak(io::stdin(), args);
    }
    io::stdout().write_all(GREETING.as_bytes())?;
    match Prompt::new("speak", ()) {
        Ok(prompt) => speak(Keyboard { prompt, line: Cursor::default() }, args),
        Err(error) => {
            tracing::warn!("{error:#}");
            speak(io::stdin(), args)
        }
    }
}

fn speak(input: impl Read + Send + 'static, args: Args) -> anyhow::Result<ExitCode> {
    let mut input = BufReader::new(input);
    let first = first_line(&mut input);
    let text = String::from_utf8_lossy(&first);
    let is_hub = text.split(is_blank).find(|word| !word.is_empty()) == Some("hub");
    let input = Cursor::new(first).chain(input);
    if is_hub {
        hub::session::run(input, io::stdout(), args.files())?;
    } else {
        uci::session::run(input, io::stdout(), bench::over_uci, args.files())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// A reader that returns the lines typed at a terminal. Ctrl-C and Ctrl-D end the input. The prompt
/// is empty, because the engine may print at any time.
struct Keyboard {
    prompt: Prompt<()>,
    /// The part of the last line that has not been read yet.
    line: Cursor<Vec<u8>>,
}

impl Read for Keyboard {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.line.fill_buf()?.is_empty() {
            match self.prompt.read_line("").map_err(io::Error::other)? {
                Typed::Line(line) => self.line = Cursor::new(format!("{line}\n").into_bytes()),
                Typed::Interrupt | Typed::End => return Ok(0),
            }
        }
        self.line.read(into)
    }
}

/// Reads up to the end of the first line that is not blank. If there is a read error or the line is
/// too long, stops earlier and leaves the rest to the protocol session.
fn first_line(input: &mut impl BufRead) -> Vec<u8> {
    const MAX_LEN: usize = 1 << 12;
    let mut line = Vec::new();
    while line.len() < MAX_LEN
        && let Ok(&[byte, ..]) = input.fill_buf()
    {
        input.consume(1);
        line.push(byte);
        if matches!(byte, b'\n' | b'\r') && !String::from_utf8_lossy(&line).chars().all(is_blank) {
            break;
        }
    }
    line
}

/// Returns whether a character is white space or a byte order mark.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == '\u{feff}'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn detects_the_protocol_from_the_first_line() {
        for (text, line) in
            [("hub\nping\n", "hub\n"), ("\r\n  uci\rgo", "\r\n  uci\r"), ("quit", "quit"), ("", "")]
        {
            let mut input = text.as_bytes();
            assert_eq!(first_line(&mut input), line.as_bytes());
            assert_eq!(input, &text.as_bytes()[line.len()..]);
        }
    }
}
