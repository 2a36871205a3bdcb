//! Tests of the rules of chess, one for each row of the rules catalogue. Each test checks the row's
//! records in `epd/chess/rules-*.epd`, and anything that a record cannot express.

use crate::support::suites::check;
use crate::support::tree::epd;
use adoube::base::side::Side;
use adoube::chess::naming::{self, MoveName};
use adoube::chess::setup::Setup;
use adoube::chess::{Kind, Position, Square};
use adoube::tools::suite;
use std::collections::HashSet;
use std::fs;

fn position(fen: &str) -> Position {
    fen.parse().unwrap_or_else(|e| panic!("{fen}: {e}"))
}

fn play(position: &Position, moves: &str) -> Position {
    moves.split_whitespace().fold(position.clone(), |position, text| {
        position.play(position.parse_uci(text).unwrap_or_else(|e| panic!("{e}")))
    })
}

/// Checks a rules file, which must have at least `count` records for `row`.
fn records(file: &str, row: &str, count: usize) {
    let path = epd(&format!("chess/{file}"));
    check::<Position>(&path);
    let text = fs::read_to_string(&path).expect("just read");
    let of_row = suite::read::<Position>(&text)
        .into_iter()
        .filter(|record| record.as_ref().is_ok_and(|record| record.id.starts_with(row)))
        .count();
    assert!(of_row >= count, "{file} has {of_row} records of {row}");
}

#[test]
fn c_01_board_and_turns() {
    records("rules-chess.epd", "C-01", 2);
    assert!(!Square::A1.is_light() && Square::H1.is_light());
    assert_eq!(Square::ALL.iter().filter(|square| square.is_light()).count(), 32);
    let start = Position::start();
    assert_eq!(start.side(), Side::White);
    assert_eq!(play(&start, "e2e4").side(), Side::Black);
    assert_eq!(play(&start, "e2e4 e7e5").side(), Side::White);
}

#[test]
fn c_02_king() {
    records("rules-chess.epd", "C-02", 7);
}

#[test]
fn c_03_pieces() {
    records("rules-chess.epd", "C-03", 3);
}

#[test]
fn c_04_pawn() {
    records("rules-chess.epd", "C-04", 5);
}

#[test]
fn c_05_en_passant() {
    records("rules-chess.epd", "C-05", 10);
    // En passant is only possible on the next move.
    let passed = play(&Position::start(), "e2e4 a7a6 e4e5 d7d5");
    assert!(passed.parse_uci("e5d6").is_ok());
    assert!(play(&passed, "h2h3 h7h6").parse_uci("e5d6").is_err());
}

#[test]
fn c_06_promotion() {
    records("rules-chess.epd", "C-06", 6);
    let pawn = position("8/P3k3/8/8/8/8/8/4K3 w - - 0 1");
    for kind in ["k", "p", "x"] {
        assert!(pawn.parse_uci(&format!("a7a8{kind}")).is_err(), "{kind}");
    }
}

#[test]
fn c_07_castling() {
    records("rules-chess.epd", "C-07", 13);
    // A king or rook that returns does not restore the castling right.
    let start = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    let back = play(&start, "h1g1 a8b8 g1h1 b8a8");
    assert!(back.parse_uci("e1g1").is_err() && back.parse_uci("e1c1").is_ok());
    let black = play(&back, "e1c1");
    assert!(black.parse_uci("e8c8").is_err() && black.parse_uci("e8g8").is_ok());
}

#[test]
fn c_08_checkmate_and_stalemate() {
    records("rules-chess.epd", "C-08", 6);
    let mated = play(&Position::start(), "f2f3 e7e5 g2g4 d8h4");
    assert!(mated.is_checkmate() && !mated.is_stalemate());
    let stalemate = position("7k/5K2/6Q1/8/8/8/8/8 b - - 0 1");
    assert!(stalemate.is_stalemate() && !stalemate.is_checkmate());
}

#[test]
fn c_09_chess960() {
    records("rules-chess960.epd", "C-09", 27);
    let mut rows = HashSet::new();
    for number in 0..960 {
        let setup = Setup::chess960(number).expect("a number below 960");
        let row: Vec<Kind> =
            setup.pieces[..8].iter().map(|piece| piece.expect("the row is full").kind).collect();
        let at = |kind| (0..8).filter(|&file| row[file] == kind).collect::<Vec<_>>();
        let (rooks, bishops, king) = (at(Kind::Rook), at(Kind::Bishop), at(Kind::King)[0]);
        assert!(
            rooks[0] < king && king < rooks[1],
            "start {number}: the king is between the rooks"
        );
        assert_ne!(bishops[0] % 2, bishops[1] % 2, "start {number}: bishops of both colours");
        assert!(at(Kind::Knight).len() == 2 && at(Kind::Queen).len() == 1, "start {number}");
        assert_eq!(setup.chess960_number(), Some(number));
        rows.insert(row);
    }
    assert_eq!(rows.len(), 960, "all start positions differ");
    assert!(Position::chess960(960).is_none());
}

#[test]
fn c_10_names_of_moves() {
    records("rules-naming.epd", "C-10", 9);
    // A move may have several names.
    let double = position("4k3/8/8/8/4N3/8/8/K3R3 w - - 0 1");
    let m = double.parse_uci("e4d6").expect("legal");
    assert_eq!(naming::names(&double, m), [MoveName::DiscoveredCheck, MoveName::DoubleCheck]);
}
