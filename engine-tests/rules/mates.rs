//! Proves by brute force that the mates in `epd/chess/mates.epd` are forced and shortest.

use crate::support::tree::epd as file;
use adoube::chess::{Epd, Position};
use adoube::record::epd;
use rayon::prelude::*;
use std::fs;

/// Returns whether the side to move can force mate within `moves` moves.
fn can_mate(position: &Position, moves: u32) -> bool {
    position.legal_moves().iter().any(|&m| {
        if moves == 1 && !position.gives_check(m) {
            return false;
        }
        let next = position.play(m);
        let replies = next.legal_moves();
        if replies.is_empty() {
            return next.in_check();
        }
        moves > 1 && replies.iter().all(|&reply| can_mate(&next.play(reply), moves - 1))
    })
}

#[test]
fn mates_are_forced_and_shortest() {
    /// The maximum number of moves to mate. Longer mates take too long to prove.
    const MAX_PROVED: u32 = 3;
    let text = fs::read_to_string(file("chess/mates.epd")).expect("the file is there");
    let records: Vec<_> = epd::records::<Epd>(&text).collect();
    assert!(records.len() >= 40);
    records.into_par_iter().for_each(|(line, record)| {
        let record = record.unwrap_or_else(|e| panic!("line {line}: {e}"));
        let length: u32 = record
            .get("dm")
            .and_then(|dm| dm.words().next()?.parse().ok())
            .unwrap_or_else(|| panic!("line {line}: no dm"));
        let shortest = (1..=MAX_PROVED).find(|&moves| can_mate(&record.position, moves));
        assert_eq!(shortest, Some(length).filter(|&n| n <= MAX_PROVED), "line {line}");
    });
}
