//! What the referee says beside its rulings: the state of the game, errors, what is possible now.

use adoube::base::side::Side;
use adoube::laws::any::AnyReferee;
use adoube::laws::edition::Edition;
use adoube::laws::regulations::{Regulations, read_time};

/// A referee after some lines, with a clock.
fn referee(edition: Edition, lines: &[&str]) -> AnyReferee {
    let time = read_time("5400+30").expect("it is a time control");
    let rules = Regulations { time: Some(time), ..Regulations::default() };
    let mut referee = AnyReferee::new(edition, rules);
    for line in lines {
        referee.line(line).unwrap_or_else(|error| panic!("{line}: {error}"));
    }
    referee
}

#[test]
fn the_position_told_is_the_board_as_it_stands() {
    for (edition, lines, position, to_move) in [
        // A check that is not parried leaves no legal position.
        (
            Edition::Fide2009,
            &["moves e2e4 f7f6 d1h5", "black illegal a7 a6"][..],
            "rnbqkbnr/1pppp1pp/p4p2/7Q/4P3/8/PPPP1PPP/RNB1KBNR w KQkq - 2 3",
            Side::White,
        ),
        (
            Edition::Fide1930,
            &["white illegal e1 e3"],
            "rnbqkbnr/pppppppp/8/8/8/4K3/PPPPPPPP/RNBQ1BNR b kq - 0 1",
            Side::Black,
        ),
        // One illegal move upon another.
        (
            Edition::Fide2009,
            &["white illegal e2 e5", "white press +1", "black illegal e7 e5", "black press +1"],
            "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
            Side::White,
        ),
        // A draughts player left the board wrong, and his opponent can reply.
        (Edition::Fmjd, &["white irregular B:W32:B19"], "B:W32:B19:H0:F1", Side::Black),
    ] {
        let facts = referee(edition, lines).facts();
        assert_eq!((facts.position.as_str(), facts.to_move), (position, to_move), "{lines:?}");
    }
}

#[test]
fn castling_reads_as_players_write_it() {
    let mut castles = referee(Edition::Fide2009, &["setup r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"]);
    for (touched, ruling) in [
        ("e1", "White must play e1d1, e1f1, e1d2, e1e2, e1f2, O-O-O or O-O"),
        ("h1", "castling by touch: White must play O-O (4.4 a)"),
    ] {
        let rulings = castles.line(&format!("white touch {touched}")).expect("it can be touched");
        assert!(rulings[0].to_string().contains(ruling), "{}", rulings[0]);
    }
    assert_eq!(castles.continuations("white move O").1, ["O-O-O", "O-O"]);
}
