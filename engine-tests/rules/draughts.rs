//! Tests of the rules of draughts, one for each of the rows D-01 to D-10 of `laws::catalogue`. Each
//! test checks the row's records in `epd/draughts/rules-*.epd`, and anything that a record cannot
//! express. Further tests bound the time to generate moves in hard positions.

use crate::support::suites::check;
use crate::support::tree::epd;
use adoube::base::rng::Rng;
use adoube::base::side::Side;
use adoube::draughts::board::Kind;
use adoube::draughts::{Bitboard, Board, Position, Square, Variant, notation};
use adoube::tools::suite;
use std::fs;
use std::time::{Duration, Instant};

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

/// Checks a rules file, which must have at least `count` records, all of them for `row`.
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
        assert!(refusal(fen).contains("promotion row and must be a king"), "{}", refusal(fen));
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

/// Returns the time to generate the moves of a position, and to format and parse each move.
fn duration(position: &Position) -> Duration {
    let start = Instant::now();
    for &m in &position.legal_moves() {
        let text = notation::pdn(position, m);
        assert_eq!(notation::parse(position, &text), Ok(m), "{position} {text}");
    }
    start.elapsed()
}

/// The positions, found by [`hill_climb_for_slow_positions`], have a king that can capture up to
/// twenty pieces. Following every route would take seconds per position in an optimized build.
#[test]
fn long_captures_take_little_time() {
    for fen in [
        "W:WK29:B2,4,7,8,10,11,15,18,19,20,24,26,27,33,34,37,41,44:Vfrisian",
        "W:WK48:B3,8,10,11,14,15,17,22,23,24,26,29,33,34,38,41,42,43,44,K47:Vfrisian",
        "W:WK45,K40:B2,7,9,11,12,14,18,20,22,23,24,26,29,32,34,35,38,42,44,K47:Vfrisian",
    ] {
        let taken = duration(&position(fen));
        assert!(taken < Duration::from_secs(5), "{fen}: {taken:?}");
    }
}

/// Searches for slow positions by hill climbing, with 10,000 attempts per variant, and prints the
/// slowest position. The environment variable `SEED` sets the random seed.
#[test]
#[ignore = "measures for minutes: cargo test --test engine-tests hill_climb -- --ignored --nocapture"]
fn hill_climb_for_slow_positions() {
    let seed = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    for variant in Variant::ALL {
        let mut rng = Rng::new(seed);
        let (mut best, mut stale) = ((Duration::ZERO, Vec::new()), 0);
        let mut worst = (Duration::ZERO, String::new());
        for _ in 0..10_000 {
            let mut pieces: Vec<(Square, Side, Kind)> = best.1.clone();
            if stale > 500 || pieces.is_empty() {
                let (own, all) = (1 + rng.below(4), 15 + rng.below(9));
                (best, stale) = ((Duration::ZERO, Vec::new()), 0);
                pieces = (0..all).map(|i| random_piece(&mut rng, i < own)).collect();
            } else {
                let (i, j) = (rng.below(pieces.len()), rng.below(pieces.len()));
                pieces[i] = random_piece(&mut rng, pieces[i].1 == Side::White);
                if rng.below(4) == 0 {
                    pieces.swap_remove(j);
                } else if rng.below(3) == 0 {
                    let is_own = rng.below(8) == 0;
                    pieces.push(random_piece(&mut rng, is_own));
                }
            }
            let Ok(position) = fen(&pieces, variant).parse::<Position>() else { continue };
            let mut taken = duration(&position);
            // Other programs may slow down a measurement, so a new maximum is measured again.
            for _ in 0..2 {
                if taken > best.0 {
                    taken = taken.min(duration(&position));
                }
            }
            stale += 1;
            if taken > best.0 {
                (best, stale) = ((taken, pieces), 0);
            }
            if taken > worst.0 {
                worst = (taken, position.to_string());
            }
        }
        eprintln!("{variant}: {:?} for {}", worst.0, worst.1);
    }
}

fn fen(pieces: &[(Square, Side, Kind)], variant: Variant) -> String {
    let list = |side| {
        let own = pieces.iter().filter(|piece| piece.1 == side);
        let names = own.map(|(square, _, kind)| match kind {
            Kind::King if variant != Variant::Breakthrough => format!("K{square}"),
            _ => square.to_string(),
        });
        names.collect::<Vec<_>>().join(",")
    };
    format!("W:W{}:B{}:V{variant}", list(Side::White), list(Side::Black))
}

fn random_piece(rng: &mut Rng, is_own: bool) -> (Square, Side, Kind) {
    let square = Square::new(1 + rng.below(50) as u32).expect("a square");
    let side = if is_own { Side::White } else { Side::Black };
    let is_king = is_own || rng.below(5) == 0 || Bitboard::promotion_row(side).has(square);
    (square, side, if is_king { Kind::King } else { Kind::Man })
}
