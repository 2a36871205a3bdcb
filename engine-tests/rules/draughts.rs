//! The rules of draughts by row of the rules catalogue: the records in `epd/draughts/rules-*.epd`
//! with the row's id, plus tests that a record cannot express.

use crate::support::suites::check;
use crate::support::tree::epd;
use adoube::base::side::Side;
use adoube::draughts::board::Kind;
use adoube::draughts::{Bitboard, Board, Position, Square, notation};
use adoube::tools::suite;
use std::fs;

fn position(fen: &str) -> Position {
    fen.parse().unwrap_or_else(|e| panic!("{fen}: {e}"))
}

fn play(position: &Position, moves: &str) -> Position {
    moves.split_whitespace().fold(*position, |position, text| {
        position.play(notation::parse(&position, text).unwrap_or_else(|e| panic!("{e}")))
    })
}

fn refusal(fen: &str) -> String {
    fen.parse::<Position>().map_or_else(|e| e.to_string(), |position| format!("{position} is read"))
}

/// Checks a rules file, which must have at least `count` records, all of `row`.
fn records(file: &str, row: &str, count: usize) {
    let path = epd(&format!("draughts/{file}"));
    check::<Position>(&path);
    let text = fs::read_to_string(&path).expect("just read");
    let records = suite::read::<Position>(&text);
    assert!(records.len() >= count, "{file} has {} records", records.len());
    for record in records {
        let id = record.expect("just checked").id;
        assert!(id.starts_with(row), "{file}: '{id}' is not of {row}");
    }
}

#[test]
fn d_01_board_and_turns() {
    records("rules-d01-board.epd", "D-01", 11);
    let start = Position::start();
    assert_eq!(start.side(), Side::White);
    assert_eq!(play(&start, "32-28").side(), Side::Black);
    assert_eq!(play(&start, "32-28 19-23").side(), Side::White);
    assert_eq!(Square::all().count(), 50);
    let twenty = |side| start.board().men(side).len();
    assert_eq!(Side::ALL.map(twenty), [20, 20]);
    let black: Bitboard = Square::all().take(20).collect();
    assert_eq!(start.board().pieces(Side::Black), black);
    assert_eq!(start.board(), &Board::START);
}

#[test]
fn d_02_men() {
    records("rules-d02-men.epd", "D-02", 4);
}

#[test]
fn d_03_promotion() {
    records("rules-d03-promotion.epd", "D-03", 6);
    let one = Square::new(1).expect("a square");
    let crowned = play(&position("W:W6:B40"), "6-1");
    assert_eq!(crowned.piece_on(one), Some((Side::White, Kind::King)));
    // A position with a man on its promotion row is invalid.
    for fen in ["W:W1:B40", "B:W40:B50"] {
        assert!(refusal(fen).contains("its far row, must be a king"), "{}", refusal(fen));
    }
}

#[test]
fn d_04_kings() {
    records("rules-d04-kings.epd", "D-04", 5);
}

#[test]
fn d_05_captures() {
    records("rules-d05-captures.epd", "D-05", 12);
}

#[test]
fn d_06_rafles() {
    records("rules-d06-rafles.epd", "D-06", 12);
}

#[test]
fn d_07_turkish_stroke() {
    records("rules-d07-turkish-stroke.epd", "D-07", 8);
}

#[test]
fn d_08_majority() {
    records("rules-d08-majority.epd", "D-08", 8);
}

#[test]
fn d_09_passing_the_far_row() {
    records("rules-d09-passing.epd", "D-09", 5);
}

#[test]
fn d_10_end() {
    records("rules-d10-end.epd", "D-10", 8);
    // The game ends when the last piece is captured or blocked.
    let taken = play(&position("W:W28:B23"), "28x19");
    assert!(!taken.has_moves() && taken.board().pieces(Side::Black).is_empty());
    assert!(refusal("W:W:B").contains("no pieces on the board"));
}
