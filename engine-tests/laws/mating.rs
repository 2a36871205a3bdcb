//! Tests Adoube's verdicts on which side can still checkmate. The expected verdicts were found
//! independently, for example with python-chess.

use crate::support::tree::{epd, shared};
use adoube::arena::game::contest::Contest;
use adoube::base::side::Side;
use adoube::chess::Position;
use adoube::laws::ruled::Ruled;
use std::fs;
use std::path::Path;

/// Checks every verdict in a file that has the format of the `winnable` benchmark. Returns the
/// number of verdicts.
fn check(file: &Path) -> usize {
    let text = fs::read_to_string(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    let mut wrong = Vec::new();
    for line in &lines {
        let (verdict, epd) = line.split_once(' ').expect("a verdict and a position");
        let position = Position::read_start(epd).unwrap_or_else(|error| panic!("{epd}: {error}"));
        let can = [(Side::White, 'W'), (Side::Black, 'B')]
            .map(|(side, letter)| if position.can_win(side) { letter } else { '-' });
        if can.iter().collect::<String>() != verdict {
            wrong.push(format!("{line}: {can:?}"));
        }
        // A position reported as dead must be dead.
        assert!(!position.is_dead() || verdict == "--", "{line}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    lines.len()
}

#[test]
fn winnable_positions_match_known_verdicts() {
    assert_eq!(check(&epd("chess/winnable.txt")), 29);
}

#[test]
#[ignore = "reads ../shared/data"]
fn the_shared_winnable_positions_match_known_verdicts() {
    assert_eq!(check(&shared("chess-winnable.txt")), 601);
}
