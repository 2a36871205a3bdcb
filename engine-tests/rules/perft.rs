//! Every perft count that we have is what the generators count: those of `epd`, and, where it is
//! there, those of `../shared/data`.

use crate::support::suites::check;
use crate::support::tree::{epd, shared};
use adoube::{chess, draughts};

#[test]
fn well_known_positions_have_their_counts() {
    check::<chess::Position>(&epd("chess/perft-standard.epd"));
}

#[test]
fn tricky_positions_have_their_counts() {
    check::<chess::Position>(&epd("chess/perft-tricky.epd"));
}

#[test]
fn positions_of_random_games_have_their_counts() {
    assert_eq!(check::<chess::Position>(&epd("chess/perft-random.epd")), 60);
}

#[test]
fn chess960_positions_have_their_counts() {
    check::<chess::Position>(&epd("chess/perft-chess960.epd"));
}

#[test]
#[ignore = "reads ../shared/data"]
fn the_shared_tricky_positions_have_their_counts() {
    assert_eq!(check::<chess::Position>(&shared("chess-tricky.epd")), 19);
}

#[test]
#[ignore = "reads ../shared/data"]
fn the_shared_random_positions_have_their_counts() {
    assert_eq!(check::<chess::Position>(&shared("chess-random.epd")), 977);
}

#[test]
#[ignore = "reads ../shared/data"]
fn the_shared_chess960_positions_have_their_counts() {
    assert_eq!(check::<chess::Position>(&shared("chess960.epd")), 480);
}

#[test]
fn draughts_positions_have_their_counts() {
    check::<draughts::Position>(&epd("draughts/perft.epd"));
}
