//! Perft counts for the positions in `epd` and, if available, in `../shared/data`.

use crate::support::chess_samples;
use crate::support::suites::check;
use crate::support::tree::{epd, shared};
use adoube::{chess, draughts};
use std::env;

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

#[test]
fn draughts_variants_have_the_counts_of_scan() {
    for variant in draughts::Variant::ALL.into_iter().skip(1) {
        let file = epd(&format!("draughts/perft-{variant}.epd"));
        assert_eq!(check::<draughts::Position>(&file), 101);
    }
}

/// With vector instructions, perft counts the replies to all moves of a position together. This
/// test counts them one by one. `ADOUBE_PERFT_POSITIONS` sets the number of positions to compare.
#[test]
fn batched_counts_equal_individual_counts() {
    let wanted = env::var("ADOUBE_PERFT_POSITIONS").map_or(Ok(6000), |number| number.parse());
    let wanted: usize = wanted.expect("ADOUBE_PERFT_POSITIONS is a number");
    let (mut seen, mut pinned, mut checked, mut passed) = (0, 0, 0, 0);
    for seed in 0.. {
        let mut positions = chess_samples::random(10, 150, seed);
        positions.extend(chess_samples::crowded(positions.len() / 4, seed));
        for position in positions {
            let mut count = 0;
            for &m in &position.legal_moves() {
                let child = position.play(m);
                count += child.legal_moves().len() as u64;
                checked += u64::from(child.checkers().any());
                pinned +=
                    u64::from((child.masks().pin_straight | child.masks().pin_diagonal).any());
                passed += u64::from(child.board().en_passant.any());
            }
            assert_eq!(position.perft(2), count, "{}", position.fen());
            seen += 1;
        }
        if seen >= wanted {
            break;
        }
    }
    assert!(checked > 1000 && pinned > 1000 && passed > 10, "{checked}, {pinned}, {passed}");
}
