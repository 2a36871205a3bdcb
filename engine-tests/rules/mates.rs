//! The mates of `epd/chess/mates.epd` are forced and the shortest, proved by trying every move.

use crate::support::tree::epd as file;
use adoube::chess::{Epd, Position};
use adoube::record::epd;
use rayon::prelude::*;
use std::fs;

/// Whether the side to move can mate within so many moves, whatever the other side does.
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
fn mates_are_forced_and_the_shortest() {
    /// Longer ones take too long to prove.
    const PROVED: u32 = 3;
    let text = fs::read_to_string(file("chess/mates.epd")).expect("the file is there");
    let records: Vec<_> = epd::records::<Epd>(&text).collect();
    assert!(records.len() >= 40);
    records.into_par_iter().for_each(|(line, record)| {
        let record = record.unwrap_or_else(|e| panic!("line {line}: {e}"));
        let length: u32 = record
            .get("dm")
            .and_then(|dm| dm.words().next()?.parse().ok())
            .unwrap_or_else(|| panic!("line {line}: no dm"));
        let shortest = (1..=PROVED).find(|&moves| can_mate(&record.position, moves));
        assert_eq!(shortest, Some(length).filter(|&n| n <= PROVED), "line {line}");
    });
}
