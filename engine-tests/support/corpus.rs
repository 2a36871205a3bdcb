//! The seed corpus of the fuzz targets, taken from the files of this repository.

use super::tree::root;
use proptest::prelude::*;
use proptest::sample::select;
use std::fs;

/// Returns the non-empty lines of all files with this extension in a folder.
fn lines(folder: &str, ending: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for entry in fs::read_dir(root().join(folder)).expect("a folder of the package") {
        let path = entry.expect("an entry of a folder").path();
        if path.extension().is_some_and(|extension| extension == ending) {
            let text = fs::read_to_string(path).expect("a text");
            lines.extend(text.lines().filter(|line| !line.is_empty()).map(str::to_owned));
        }
    }
    lines.sort();
    assert!(!lines.is_empty(), "no *.{ending} in {folder}");
    lines
}

pub fn epd(game: &str) -> impl Strategy<Value = String> + use<> {
    select(lines(&format!("epd/{game}"), "epd"))
}

/// Generates FENs of the positions in the EPD files; chess positions get move counters.
pub fn fens(game: &str) -> impl Strategy<Value = String> + use<> {
    let four = if game == "chess" { 4 } else { 1 };
    epd(game).prop_map(move |line| {
        let words: Vec<&str> = line.split_whitespace().take(four).collect();
        if four == 4 { format!("{} 0 1", words.join(" ")) } else { words.join(" ") }
    })
}

pub fn laws() -> impl Strategy<Value = String> {
    select(lines("epd/laws", "txt"))
}

/// Generates draughts games in PDN as written by another program.
pub fn pdn() -> impl Strategy<Value = String> {
    let text = fs::read_to_string(root().join("engine-tests/clients/pydraughts.pdn"));
    let text = text.expect("a file of this package");
    let games: Vec<String> =
        text.split("[Event").skip(1).map(|game| format!("[Event{game}")).collect();
    select(games)
}
