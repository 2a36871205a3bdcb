//! Checks of the files that a command is about to write, so that a mistyped name does not destroy a
//! file of the user.

use crate::base::file::read_regular;
use crate::chess::polyglot;
use crate::eval::net::NetFile;
use crate::record::epd::Epd;
use anyhow::ensure;
use std::fs;
use std::path::{Path, PathBuf};
use std::str;

/// The kind of file that a command writes.
#[derive(Clone, Copy, Debug)]
pub(super) enum OutputKind {
    Polyglot,
    Epd,
    Html,
    Network,
}

impl OutputKind {
    const fn name(self) -> &'static str {
        match self {
            Self::Polyglot => "Polyglot book",
            Self::Epd => "EPD file",
            Self::Html => "HTML page",
            Self::Network => "network",
        }
    }

    fn matches(self, bytes: &[u8]) -> bool {
        let text = || str::from_utf8(bytes).unwrap_or_default();
        match self {
            Self::Polyglot => polyglot::Book::read(bytes).is_ok(),
            Self::Epd => {
                text().lines().map(str::trim).find(|line| !line.is_empty()).is_some_and(|line| {
                    line.parse::<Epd<crate::chess::Position>>().is_ok()
                        || line.parse::<Epd<crate::draughts::Position>>().is_ok()
                })
            }
            Self::Html => {
                let start = text().trim_start().get(..14).unwrap_or_default();
                start.eq_ignore_ascii_case("<!doctype html")
            }
            Self::Network => NetFile::read(bytes).is_ok(),
        }
    }
}

/// Checks that a command may replace `path`: the file must not be one of the inputs, and an
/// existing file must be empty or of the kind that the command writes. Devices and pipes are
/// accepted.
pub(super) fn check(path: &Path, kind: OutputKind, inputs: &[PathBuf]) -> anyhow::Result<()> {
    /// The maximum size of an existing file that is recognised. Larger files are never replaced.
    const MAX_FILE: u64 = 1 << 30;
    let Ok(target) = fs::canonicalize(path) else { return Ok(()) };
    let name = path.display();
    let is_target = |input: &&PathBuf| fs::canonicalize(input).is_ok_and(|input| input == target);
    ensure!(
        inputs.iter().find(is_target).is_none(),
        "{name} is an input and would be replaced: give another name for the output"
    );
    if !fs::metadata(&target).is_ok_and(|data| data.is_file() && data.len() > 0) {
        return Ok(());
    }
    let is_kind = read_regular(&target, MAX_FILE).is_ok_and(|bytes| kind.matches(&bytes));
    ensure!(
        is_kind,
        "{name} exists and is not a {}: delete the file or give another name",
        kind.name()
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn protects_inputs_and_files_of_another_kind() {
        let dir = tempfile::tempdir().unwrap();
        let [games, puzzles, page, empty] =
            ["games.pgn", "puzzles.epd", "page.html", "empty"].map(|name| dir.path().join(name));
        fs::write(&games, "[Event \"?\"]\n\n1. e4 e5 *\n").unwrap();
        fs::write(&puzzles, "\n8/8/8/8/8/8/8/K1k5 w - - id \"one\";\n").unwrap();
        fs::write(&page, "<!DOCTYPE html>\n<title>games</title>\n").unwrap();
        fs::write(&empty, "").unwrap();
        let inputs = [games.clone()];
        let error = |path: &Path, kind| {
            check(path, kind, &inputs).map_err(|error| error.to_string()).err().unwrap_or_default()
        };
        assert!(error(&games, OutputKind::Epd).contains("is an input"));
        assert!(error(&dir.path().join("./games.pgn"), OutputKind::Html).contains("is an input"));
        assert!(error(&puzzles, OutputKind::Polyglot).contains("is not a Polyglot book"));
        assert!(error(&page, OutputKind::Network).contains("is not a network"));
        for (path, kind) in [(&puzzles, OutputKind::Epd), (&page, OutputKind::Html)] {
            assert_eq!(error(path, kind), "");
        }
        for kind in [OutputKind::Polyglot, OutputKind::Network] {
            assert_eq!(error(&empty, kind), "");
            assert_eq!(error(&dir.path().join("new"), kind), "");
            if cfg!(unix) {
                assert_eq!(error(Path::new("/dev/null"), kind), "");
            }
        }
    }
}
