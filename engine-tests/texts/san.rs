//! Standard algebraic notation: all legal moves of many positions round-trip, and a text is
//! rejected as ambiguous if and only if it matches several moves.

use crate::support::chess_samples as samples;
use adoube::base::game::{Game, MoveForm};
use adoube::chess::moves::MoveError;
use adoube::chess::{Kind, Move, Position};

fn position(fen: &str) -> Position {
    fen.parse().expect(fen)
}

#[test]
fn every_move_round_trips() {
    for position in samples::random(60, 200, 1) {
        for &m in position.legal_moves().iter() {
            let text = position.san(m);
            assert_eq!(position.parse_san(&text), Ok(m), "{text} in {}", position.fen());
            assert_eq!(position.parse_san_lenient(&text), Ok(m), "{text} in {}", position.fen());
            let next = position.play(m);
            assert_eq!(text.ends_with('#'), next.is_checkmate(), "{text} in {}", position.fen());
            assert_eq!(text.ends_with(['+', '#']), next.in_check(), "{text}");
            let bare = text.trim_end_matches(['+', '#']);
            assert_eq!(position.parse_san(bare), Ok(m), "{bare} in {}", position.fen());
        }
    }
}

#[test]
fn rejects_exactly_the_ambiguous_texts() {
    let mut found = [0; 4];
    let games = samples::random(40, 200, 2);
    for position in games.into_iter().chain(samples::crowded(2000, 3)) {
        let moves = position.legal_moves();
        for &m in moves.iter().filter(|m| !m.is_castle()) {
            let kind = position.kind_on(m.from()).expect("a piece moves");
            if kind == Kind::Pawn {
                continue;
            }
            let rivals: Vec<Move> = moves
                .iter()
                .copied()
                .filter(|o| {
                    o.to() == m.to() && !o.is_castle() && position.kind_on(o.from()) == Some(kind)
                })
                .collect();
            let letter = kind.letter().to_ascii_uppercase();
            let bare = format!("{letter}{}", m.to());
            match position.parse_san_lenient(&bare) {
                Ok(read) => assert_eq!((read, rivals.len()), (m, 1), "{bare}"),
                Err(MoveError::Ambiguous { candidates, .. }) => {
                    let expected: Vec<_> = rivals.iter().map(|&r| position.san(r)).collect();
                    assert!(rivals.len() > 1 && candidates == expected, "{bare}: {candidates:?}");
                }
                Err(other) => panic!("{bare} in {}: {other}", position.fen()),
            }
            // The written text is the shortest unambiguous one. The file is preferred to the rank.
            let (file, rank) = (m.from().file(), m.from().rank());
            let by_file = rivals.iter().filter(|r| r.from().file() == file).count() == 1;
            let by_rank = rivals.iter().filter(|r| r.from().rank() == rank).count() == 1;
            let (case, origin) = match (rivals.len(), by_file, by_rank) {
                (1, ..) => (0, String::new()),
                (_, true, _) => (1, file.letter().to_string()),
                (_, false, true) => (2, rank.digit().to_string()),
                (_, false, false) => (3, m.from().to_string()),
            };
            found[case] += 1;
            let takes = if position.captured(m).is_some() { "x" } else { "" };
            let expected = format!("{letter}{origin}{takes}{}", m.to());
            let text = position.san(m);
            assert_eq!(text.trim_end_matches(['+', '#']), expected);
            // Only the lenient reader accepts more disambiguation than necessary.
            let long = format!("{letter}{}{takes}{}", m.from(), m.to());
            assert_eq!(position.parse_san_lenient(&long), Ok(m));
            let strict = position.parse_san(&long);
            assert_eq!(strict.is_ok(), long == expected, "{long}: {strict:?}");
        }
    }
    assert!(found.iter().all(|&n| n > 20), "the positions show every case: {found:?}");
}

#[test]
fn disambiguates_in_three_ways_and_ignores_pinned_pieces() {
    let queens = position("2k5/8/8/8/Q6Q/8/8/K6Q w - - 0 1");
    for text in ["Qhe4", "Qae4", "Q1e4", "Qh4e4"] {
        let standard = matches!(text, "Qae4" | "Qh4e4" | "Q1e4");
        assert_eq!(queens.parse_san(text).is_ok(), standard, "{text}");
    }
    let error = queens.parse_san("Qhe4").expect_err("two queens").to_string();
    assert!(error.contains("Q1e4 or Qh4e4"), "{error}");
    // The knight on d2 is pinned, so the other knight needs no file (section 8.2.3.4).
    let pinned = position("4k3/8/8/8/1b6/8/3N4/4K1N1 w - - 0 1");
    let m = pinned.parse_uci("g1f3").expect("legal");
    assert_eq!(pinned.san(m), "Nf3");
}

#[test]
fn lenient_reader_accepts_unambiguous_texts() {
    let cases: [(&str, &str, &[&str]); 8] = [
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "g1f3",
            &["Nf3", "Ng1f3", "Ng1-f3", "g1f3", "nf3", "Nf3!?", " Nf3 ", "N1f3", "Nf3+", "ng1-f3"],
        ),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "e2e4",
            &["e4", "e2e4", "e2-e4", "Pe4", "e2e4!!", "ee4", "2e4", "e4 !"],
        ),
        (
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
            "e1g1",
            &["O-O", "0-0", "o-o", "OO", "O-O+", "e1g1", "e1h1", "Ke1g1", "Ke1-g1", "0-0!"],
        ),
        (
            "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
            "e8c8",
            &["O-O-O", "0-0-0", "o-o-o", "000", "e8c8", "e8a8"],
        ),
        (
            "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
            "e5d6",
            &["exd6", "ed6", "exd6e.p.", "exd6 e.p.", "exd6ep", "e5xd6", "e5:d6", "exd6 e.p.+"],
        ),
        (
            "7k/P7/8/8/8/8/8/4K3 w - - 0 1",
            "a7a8q",
            &["a8=Q+", "a8Q", "a8(Q)", "a8/Q", "a8=q", "a7a8q", "a7-a8=Q", "Pa8=Q"],
        ),
        (
            "4k3/8/8/8/2b5/8/4N3/4K3 b - - 0 1",
            "c4e2",
            &["Bxe2", "bxe2", "be2", "Be2", "Bc4xe2", "bc4xe2", "B:e2", "b4xe2"],
        ),
        ("4k3/8/8/8/8/2p5/1P6/B3K3 w - - 0 1", "b2c3", &["bxc3", "bc3", "b2xc3"]),
    ];
    for (fen, uci, texts) in cases {
        let position = position(fen);
        let m = position.parse_uci(uci).expect(uci);
        for text in texts {
            assert_eq!(position.parse_san_lenient(text), Ok(m), "{text}");
        }
    }
}

#[test]
fn rejects_wrong_texts_with_their_column() {
    let start = Position::start();
    let cases = [
        ("", "column 1: expected a piece or a square"),
        ("?", "column 1"),
        ("Nf", "column 3: expected the destination square"),
        ("Nf9", "column 3"),
        ("Nxxf3", "one x or -"),
        ("Nf3x", "column 5: expected the destination square"),
        ("Nf3~", "column 4: the move should end here"),
        ("e4 e5", "column 4: the move should end here"),
        ("e8=K", "column 4: expected the promotion piece"),
        ("e8(Q", "closing bracket"),
        ("O-O-O-O", "castling is"),
        ("--", "column 3"),
        ("Z0", "column 1"),
        ("Nf6", "is not legal in rnbqkbnr"),
        ("Nxf3", "should be written Nf3"),
        ("e4=Q", "is not legal"),
        ("O-O", "is not legal"),
        ("Nf3+", "should be written Nf3"),
        ("e2e4", "should be written e4"),
        ("♞f3", "should be written Nf3"),
    ];
    for (text, part) in cases {
        let error = start.parse_san(text).expect_err(text).to_string();
        assert!(error.contains(part), "{text}: {error}");
    }
    let long = "e4".repeat(1000);
    let error = start.parse_san(&long).expect_err("no move").to_string();
    assert!(error.len() < 200, "a long text is truncated: {error}");
    let error = position("7k/P7/8/8/8/8/8/4K3 w - - 0 1").parse_san("a8").expect_err("which?");
    assert!(error.to_string().contains("ambiguous: a8=Q+ or a8=N or a8=R+ or a8=B"), "{error}");
}

#[test]
fn accepts_different_forms_from_programs_records_and_players() {
    let at = position("4k3/8/8/8/8/8/3B4/4K2R w K - 0 1");
    let read = |text, form| at.read_move(text, form).map(|m| m.to_string());
    for form in [MoveForm::Record, MoveForm::Player] {
        assert_eq!(read("Bc3", form), Ok("d2c3".to_owned()));
        assert_eq!(read("O-O", form), Ok("e1h1".to_owned()));
        assert_eq!(at.write_move(at.read_move("e1g1", form).expect("legal"), form), "O-O");
    }
    // In SAN, b2c3 is a bishop move from the second rank. In UCI, it is a move from b2, which is
    // empty.
    assert_eq!(read("b2c3", MoveForm::Record), Ok("d2c3".to_owned()));
    for form in [MoveForm::Program, MoveForm::Player] {
        let error = at.read_move("b2c3", form).expect_err("no piece on b2");
        assert!(!Position::is_malformed(&error), "{error}");
    }
    let error = at.read_move("Bc3", MoveForm::Program).expect_err("not UCI");
    assert!(Position::is_malformed(&error), "{error}");
    for text in ["e1g1", "e1h1"] {
        let m = at.read_move(text, MoveForm::Program).expect("castling");
        assert_eq!(at.write_move(m, MoveForm::Program), "e1h1");
    }
}
