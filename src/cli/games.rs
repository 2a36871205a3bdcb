//! Reads games from files or standard input, in any format that the commands support.

use crate::base::game::GameKind;
use crate::base::text::plain_dashes;
use crate::chess::notation::Notation;
use crate::draughts::sheet::Numeric;
use crate::record::games::{self, Record, Recorded};
use crate::record::sheet::{self, Notate};
use anyhow::Context;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::str::FromStr;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Format {
    Pgn,
    Pdn,
    /// A chess score sheet in this notation.
    Chess(Notation),
    /// A draughts score sheet.
    Draughts,
}

impl Format {
    pub(super) const fn game(self) -> GameKind {
        match self {
            Self::Pgn | Self::Chess(_) => GameKind::Chess,
            Self::Pdn | Self::Draughts => GameKind::Draughts,
        }
    }
}

impl FromStr for Format {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        Ok(match text {
            "pgn" => Self::Pgn,
            "pdn" => Self::Pdn,
            "numeric" => Self::Draughts,
            name => {
                let formats = "pgn, pdn, or the notation of a score sheet: numeric for draughts, \
                               descriptive, spoken, san or a language for chess";
                Self::Chess(name.parse().with_context(|| formats)?)
            }
        })
    }
}

pub(super) struct Input {
    /// The name for messages.
    pub name: String,
    pub text: Box<dyn BufRead>,
    pub format: Format,
}

/// Opens files, or standard input if there are none. A missing format is detected from the first
/// lines. PGN and PDN begin with `[`, or have several moves of one side or a final `*` in the first
/// line. A sheet of draughts has a row whose first move consists of two numbers.
pub(super) fn open(files: &[PathBuf], format: Option<Format>) -> anyhow::Result<Vec<Input>> {
    let stdin = [PathBuf::from("-")];
    let files = if files.is_empty() { &stdin[..] } else { files };
    files.iter().map(|path| open_one(path, format)).collect()
}

fn open_one(path: &Path, format: Option<Format>) -> anyhow::Result<Input> {
    let name = path.display().to_string();
    let mut text: Box<dyn BufRead> = if name == "-" {
        Box::new(BufReader::new(io::stdin()))
    } else {
        let file = File::open(path).with_context(|| name.clone())?;
        Box::new(BufReader::with_capacity(1 << 16, file))
    };
    let format = match format {
        Some(format) => format,
        None => guess(&String::from_utf8_lossy(text.fill_buf().with_context(|| name.clone())?)),
    };
    Ok(Input { name, text, format })
}

fn guess(text: &str) -> Format {
    let text = text.trim_start_matches('\u{feff}');
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    // A sheet has one move of each side per row. A record without tags has more moves in its line,
    // or ends with a sign that no sheet uses.
    let goes_on = |line: &str| {
        let mut words = line.split(' ');
        line.starts_with("1.")
            && (line.contains('{') || line.ends_with(" *") || words.any(|w| w.starts_with("2.")))
    };
    let tags = lines().next().is_some_and(|line| line.starts_with(['[', '%']) || goes_on(line));
    let draughts = lines().any(|line| line.starts_with("[GameType") || line == "Notation: numeric")
        || lines().find_map(|line| line.strip_prefix("1.")).is_some_and(|row| {
            let row = plain_dashes(row.trim_start_matches(['.', ' ']));
            let sign = row.trim_start_matches(|c: char| c.is_ascii_digit());
            sign.len() < row.len()
                && sign.chars().nth(1).is_some_and(|c| c.is_ascii_digit())
                && !row.starts_with("0-0")
        });
    match (tags, draughts) {
        (true, false) => Format::Pgn,
        (true, true) => Format::Pdn,
        (false, false) => {
            Format::Chess(Notation::Algebraic(crate::chess::notation::algebraic::Style::SAN))
        }
        (false, true) => Format::Draughts,
    }
}

pub(super) type Read<P> = anyhow::Result<Record<P>>;

pub(super) fn chess(input: Input) -> Box<dyn Iterator<Item = Read<crate::chess::Position>>> {
    match input.format {
        Format::Chess(notation) => sheets(input.text, notation),
        _ => records(input.text),
    }
}

pub(super) fn draughts(input: Input) -> Box<dyn Iterator<Item = Read<crate::draughts::Position>>> {
    match input.format {
        Format::Draughts => sheets(input.text, Numeric),
        _ => records(input.text),
    }
}

fn records<P: Recorded>(text: Box<dyn BufRead>) -> Box<dyn Iterator<Item = Read<P>>> {
    Box::new(games::Reader::new(text).map(|game| Ok(game?)))
}

fn sheets<P: Recorded, N: Notate<P> + 'static>(
    text: Box<dyn BufRead>,
    notation: N,
) -> Box<dyn Iterator<Item = Read<P>>> {
    let sheets = sheet::Reader::<P, N, _>::new(text, notation);
    Box::new(sheets.map(|sheet| Ok(sheet?.replay()?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn detects_the_format_from_the_first_lines() {
        for (text, format) in [
            ("[Event \"?\"]\n\n1. e4 *", "pgn"),
            ("\u{feff}[Event \"?\"]\n[GameType \"20\"]\n\n1. 32-28 *", "pdn"),
            ("White: Anna\n\n1. e4 e5\n", "san"),
            ("1. 0-0 0-0\n", "san"),
            ("1. e4 e5 2. Nf3 *", "pgn"),
            ("1. e4 {best by test} e5", "pgn"),
            ("1. e4 e5 *\n", "pgn"),
            ("1. 32-28 19-23 *", "pdn"),
            ("1. 32-28 19-23*", "numeric"),
            ("1. 32-28 19-23 2. 28x19 14x23 *", "pdn"),
            ("1. 32-28 19-23\n", "numeric"),
            ("1. 32–28 19–23\n", "numeric"),
            ("1. 0—0 0–0\n", "san"),
            ("1. 32é", "san"),
            (" 1.  28x19  14x23", "numeric"),
            ("Notation: numeric\n", "numeric"),
            ("", "san"),
        ] {
            let wanted: Format = format.parse().unwrap_or_else(|e| panic!("{format}: {e}"));
            assert_eq!(guess(text), wanted, "{text}");
        }
        assert!("klingon".parse::<Format>().is_err());
    }
}
