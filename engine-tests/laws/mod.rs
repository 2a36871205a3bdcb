//! Tests of the laws, one test per row of the catalogue of behaviours. Each test checks the games
//! in `epd/laws/*.txt` that are about its row, for each edition that has the row. The log of a game
//! lists every ruling with its article, and every error. Other tests check behaviour that a log
//! cannot express.

mod coverage;
mod editions;
mod mating;
mod random;
mod words;

use crate::support::tree::epd;
use adoube::laws::edition::Edition::{self, Fide1928, Fide1930, Fide2009, Fide2023, Fmjd};
use adoube::laws::log::{self, Checked};
use adoube::laws::{clock::Budget, regulations};
use std::fs;
use std::sync::LazyLock;

static GAMES: LazyLock<Vec<Checked>> = LazyLock::new(|| {
    let mut games = Vec::new();
    for entry in fs::read_dir(epd("laws")).expect("epd/laws is there") {
        let path = entry.expect("it can be read").path();
        let text = fs::read_to_string(&path).expect("it can be read");
        let name = path.file_name().expect("it has a name").to_string_lossy().into_owned();
        let checked =
            log::check(&text, None).unwrap_or_else(|(line, e)| panic!("{name}:{line}: {e}"));
        games.extend(checked.into_iter().map(|mut game| {
            game.failures.iter_mut().for_each(|failure| failure.insert_str(0, &format!("{name}:")));
            game
        }));
    }
    games
});

/// Checks the games about a row. Each of the editions must have at least one game.
fn row(id: &str, editions: &[Edition]) {
    let games = || GAMES.iter().filter(|game| game.about == id);
    for edition in editions {
        let of_edition = || games().filter(|game| game.edition == *edition);
        assert!(of_edition().count() > 0, "{id} has no game of {edition}");
        let passed: usize = of_edition().map(|game| game.passed).sum();
        assert!(passed > 0, "{id}, {edition}: nothing is ruled");
    }
    let failures: Vec<_> = games().flat_map(|game| game.failures.clone()).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

macro_rules! rows {
    ($($name:ident: $id:literal, [$($edition:ident),*];)*) => {
        $(#[test] fn $name() { row($id, &[$($edition),*]); })*
    };
}

rows! {
    c_01_board_and_turns: "C-01", [Fide2023];
    c_02_king: "C-02", [Fide2023];
    c_03_pieces: "C-03", [Fide2023];
    c_04_pawn: "C-04", [Fide2023];
    c_05_en_passant: "C-05", [Fide2023];
    c_06_promotion: "C-06", [Fide2023];
    c_07_castling: "C-07", [Fide2023];
    c_08_mate_and_stalemate: "C-08", [Fide1928, Fide1930, Fide2009, Fide2023];
    c_09_chess960: "C-09", [Fide2023];
    d_10_no_move_no_piece: "D-10", [Fmjd];
    n_01_repetition_of_the_pieces_alone: "N-01", [Fide1928, Fide1930];
    n_02_repetition_with_the_same_moves: "N-02", [Fide2009, Fide2023];
    n_03_fifty_moves: "N-03", [Fide1928, Fide1930, Fide2009, Fide2023];
    n_04_more_than_fifty_moves: "N-04", [Fide1930];
    n_05_demand_to_be_mated: "N-05", [Fide1928, Fide1930];
    n_06_perpetual_check: "N-06", [Fide1928, Fide1930];
    n_07_agreement_after_thirty_moves: "N-07", [Fide1928, Fide1930];
    n_08_agreement_and_offers: "N-08", [Fide2009, Fide2023];
    n_09_dead_position: "N-09", [Fide2009, Fide2023];
    n_10_claims: "N-10", [Fide2009, Fide2023];
    n_11_quick_play_finish: "N-11", [Fide2009, Fide2023];
    n_12_draughts_repetition: "N-12", [Fmjd];
    n_13_draughts_kings_only: "N-13", [Fmjd];
    n_14_draughts_three_pieces: "N-14", [Fmjd];
    n_15_draughts_two_pieces: "N-15", [Fmjd];
    n_16_draughts_agreement: "N-16", [Fmjd];
    k_01_periods: "K-01", [Fide1928, Fide1930, Fide2009, Fide2023];
    k_02_increment_and_delay: "K-02", [Fide2009, Fide2023];
    k_03_flag_without_exception: "K-03", [Fide1928, Fide1930];
    k_04_flag_and_mate: "K-04", [Fide2009, Fide2023];
    k_05_both_flags: "K-05", [Fide2009, Fide2023];
    k_06_lateness: "K-06", [Fide1930, Fide2009, Fide2023];
    k_07_pressing: "K-07", [Fide1928, Fide1930, Fide2009, Fide2023];
    k_08_draughts_clocks: "K-08", [Fmjd];
    k_09_rapid_and_blitz: "K-09", [Fide2009, Fide2023];
    k_10_clocks_put_right: "K-10", [Fide1928, Fide1930, Fide2009, Fide2023];
    k_11_clocks_stopped: "K-11", [Fide1928, Fide1930, Fide2009, Fide2023];
    t_01_a_touched_piece: "T-01", [Fide1928, Fide1930, Fide2009, Fide2023];
    t_02_several_touched_pieces: "T-02", [Fide1928, Fide1930, Fide2009, Fide2023];
    t_03_nothing_legal: "T-03", [Fide1928, Fide1930, Fide2009, Fide2023];
    t_04_adjusting: "T-04", [Fide1928, Fide1930, Fide2009, Fide2023];
    t_05_castling_by_touch: "T-05", [Fide1928, Fide1930, Fide2009, Fide2023];
    t_06_complete_moves: "T-06", [Fide1928, Fide1930, Fide2009, Fide2023];
    t_07_draughts: "T-07", [Fmjd];
    i_01_illegal_move: "I-01", [Fide1928, Fide1930, Fide2009, Fide2023];
    i_02_penalty: "I-02", [Fide1928, Fide1930, Fide2009, Fide2023];
    i_03_noticed_later: "I-03", [Fide1928, Fide1930, Fide2009, Fide2023];
    i_04_completed_illegal_moves: "I-04", [Fide2009, Fide2023];
    i_05_wrong_set_up: "I-05", [Fide1928, Fide1930, Fide2009, Fide2023, Fmjd];
    i_06_colours_reversed: "I-06", [Fide2009, Fide2023];
    i_07_check_not_parried: "I-07", [Fide1928, Fide1930, Fide2009, Fide2023];
    i_08_announced_mate: "I-08", [Fide1928, Fide1930];
    i_09_forfeits: "I-09", [Fide1928, Fide1930, Fide2009, Fide2023, Fmjd];
    i_11_two_boards: "I-11", [Fide2009, Fide2023];
    i_12_no_move_two_hands_no_promotion: "I-12", [Fide2023];
    s_01_who_seals: "S-01", [Fide1928, Fide1930, Fide2009, Fide2023];
    s_03_resumption: "S-03", [Fide1928, Fide1930, Fide2009, Fide2023];
    s_04_doubtful_sealed_moves: "S-04", [Fide1928, Fide1930, Fide2009, Fide2023];
    s_05_end_before_resumption: "S-05", [Fide1928, Fide1930, Fide2009, Fide2023];
    o_01_odds_of_pieces: "O-01", [Fide1928, Fide1930];
    o_02_odds_of_a_rook: "O-02", [Fide1928, Fide1930];
    o_03_odds_of_moves: "O-03", [Fide1928, Fide1930];
    o_04_draughts_odds: "O-04", [Fmjd];
    p_01_results: "P-01", [Fide1928, Fide1930, Fide2009, Fide2023, Fmjd];
    p_02_penalties: "P-02", [Fide2009, Fide2023];
    w_09_recording: "W-09", [Fide1928, Fide1930, Fide2009, Fide2023, Fmjd];
}

#[test]
fn every_game_is_ruled_on_as_listed() {
    let failures: Vec<_> = GAMES.iter().flat_map(|game| game.failures.clone()).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn editions_differ_where_their_texts_do() {
    row("editions", &[Fide1928, Fide1930, Fide2009, Fide2023]);
}

#[test]
fn s_02_the_envelope() {
    use adoube::chess::Position;
    use adoube::laws::Referee;
    row("S-02", &[Fide1928, Fide1930, Fide2009, Fide2023]);
    let rules = regulations::Regulations {
        time: Some("40/7200".parse().expect("it is a time control")),
        ..Default::default()
    };
    let mut referee = Referee::<Position>::new(Fide2009, rules);
    assert_eq!(referee.envelope(), None);
    for line in ["white move e2e4", "white press +90", "adjourn", "black seal e7e5"] {
        let event = referee.read(line).unwrap_or_else(|e| panic!("{e}"));
        referee.rule(event).unwrap_or_else(|e| panic!("{e}"));
    }
    assert_eq!(referee.envelope(), None, "the clock runs, and the move can still be changed");
    for line in ["black press +60", "white offer"] {
        let event = referee.read(line).unwrap_or_else(|e| panic!("{e}"));
        referee.rule(event).unwrap_or_else(|e| panic!("{e}"));
    }
    let envelope = referee.envelope().expect("it is closed");
    assert_eq!(envelope.position, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    assert_eq!(envelope.left.map(|left| left.map(|time| time.as_secs())), [Some(7110), Some(7140)]);
    assert_eq!((envelope.by, envelope.number), (adoube::base::side::Side::Black, 1));
    assert_eq!(envelope.offer, Some(adoube::base::side::Side::White));
}

/// The pace (standard, rapid or blitz) depends on the time plus sixty increments (2009: Articles
/// 15.1 and 16.1; 2023: A.1 and B.1). A game of 61 minutes is played under the competition rules
/// (2009: Article 21).
#[test]
fn k_09_paces() {
    use regulations::Pace::{self, Blitz, Rapid, Standard};
    for (time, in_2009, in_2023) in [
        ("600", Blitz, Blitz),
        ("601", Blitz, Rapid),
        ("899", Blitz, Rapid),
        ("900", Rapid, Rapid),
        ("3599", Rapid, Rapid),
        ("3600", Standard, Standard),
        ("3660", Standard, Standard),
        ("180+2", Blitz, Blitz),
        ("300+5", Blitz, Blitz),
        ("300+6", Blitz, Rapid),
        ("600+10", Rapid, Rapid),
        ("840+1", Rapid, Rapid),
        ("5400+30", Standard, Standard),
        ("60/300:300", Blitz, Blitz),
    ] {
        let budget: Budget = time.parse().expect("it is a time control");
        let of = |edition: Edition| Pace::of(&budget, edition.terms().blitz);
        assert_eq!([of(Fide2009), of(Fide2023)], [in_2009, in_2023], "{time}");
    }
    assert_eq!(Pace::of(&Budget::Unlimited, Fide2023.terms().blitz), Standard);
}
