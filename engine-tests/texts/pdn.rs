//! Portable draughts notation: games round-trip, real-world files are read, and errors give their
//! position without affecting the next game.

use crate::support::draughts_samples as samples;
use crate::support::records::{self, check_errors, check_results};
use crate::support::tree::root;
use adoube::draughts::pdn::{Game, GameResult, PdnError};
use adoube::draughts::{Position, notation};

fn games(text: impl AsRef<[u8]>) -> Vec<Result<Game, PdnError>> {
    records::games(text)
}

fn game(text: impl AsRef<[u8]>) -> Game {
    records::game(text)
}

fn moves(game: &Game) -> String {
    game.moves().map(|m| m.to_string()).collect::<Vec<_>>().join(" ")
}

#[test]
fn annotated_games_round_trip() {
    records::check_written_and_read(samples::annotated_game, 6, |_, _, _| {});
}

#[test]
fn writes_the_format_of_the_standard() {
    let mut game = Game::from_position("W:WK47,50:B14,19,22,29,42".parse().expect("a position"));
    game.set_tag("White", "Adoube");
    game.set_tag("GameType", "21");
    let m = notation::parse(game.position(), "47x36x42x29x19x22").expect("legal");
    game.push(m, "[%clk 1:55:21]").expect("legal");
    game.node_mut(0).expect("it is there").nags.push(7);
    let m = notation::parse(game.position(), "14-20").expect("legal");
    game.push(m, "").expect("legal");
    game.result = GameResult::WhiteWins;
    let expected = r#"[Event "?"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "Adoube"]
[Black "?"]
[Result "2-0"]
[FEN "W:WK47,50:B14,19,22,29,42"]
[GameType "20"]
[SetUp "1"]

1. 47x38x24x13x36 $7 {[%clk 1:55:21]} 14-20 2-0

"#;
    assert_eq!(game.to_string(), expected);
    assert_eq!(format!("{game:#}"), expected.replace("2-0", "1-0"));
    assert_eq!(self::game(expected).to_string(), expected);
}

#[test]
fn reads_real_world_files() {
    let text = "\u{feff}% an escape\r\n[Event \"a\"] [Site \"b ] c\"]\r\n\
        [Result \"1-1\"]\r\n[GameType \"20,W,10,10,N2,0\"]\r\n\r\n\
        {before} 1.32-28! {good} $14 19-23?! ; rest {of line\r\n\
        %hidden 1. 31-26\r\n\
        2.28:19 (2.28x19x23 {with the piece} 14x23 (2...13x24) {after} )\r\n\
        {again} 2... 14x23* 3. 37-32(?) 10-14 (!) 04.41-37 ... 05-10{[%clock w0:01:02\r\nB0:00:03]}\r\n\
        5. 46-41 1/2-1/2\r\n";
    let game = game(text);
    assert_eq!(moves(&game), "32-28 19-23 28x19x23 14x23x19 37-32 10-14 41-37 5-10 46-41");
    assert_eq!((game.tag("Site"), game.tag("GameType")), (Some("b ] c"), None));
    assert_eq!(game.result, GameResult::Draw);
    let nodes = &game.line().moves;
    assert_eq!(
        (&nodes[0].before[..], &nodes[0].nags[..]),
        (&["before".to_owned()][..], &[1, 14][..])
    );
    assert_eq!((&nodes[1].nags[..], &nodes[1].comments[0][..]), (&[6][..], "rest {of line"));
    let variation = &nodes[2].variations[0];
    assert_eq!((variation.moves.len(), variation.moves[1].variations.len()), (2, 1));
    assert_eq!(nodes[3].nags, [7]);
    assert_eq!((&nodes[4].nags[..], &nodes[5].nags[..]), (&[2][..], &[1][..]));
    assert_eq!(nodes[7].comments, ["[%clock w0:01:02 B0:00:03]"]);
    let once = game.to_string();
    assert_eq!(self::game(&once).to_string(), once);
    for ends in ["\n", "\r"] {
        assert_eq!(self::game(text.replace("\r\n", ends)), game);
    }
}

/// Random games written by pydraughts 0.6.7. `pydraughts_pdn.py` created the file, and `.ci/run`
/// checks that pydraughts still writes it. The tag `Final` holds the final position according to
/// pydraughts.
#[test]
fn reads_games_of_pydraughts() {
    let path = root().join("engine-tests/clients/pydraughts.pdn");
    let text = std::fs::read_to_string(path).expect("the file is there");
    let games = games(&text);
    let (mut moves, mut results) = (0, std::collections::HashSet::new());
    for game in &games {
        let game = game.as_ref().expect("a game without error");
        let end: Position = game.tag("Final").expect("a tag").parse().expect("a position");
        assert_eq!((game.position().board(), game.position().side()), (end.board(), end.side()));
        if game.result == GameResult::WhiteWins || game.result == GameResult::BlackWins {
            assert!(!end.has_moves(), "{game}");
        }
        moves += game.moves().count();
        results.insert(game.result);
    }
    assert!(games.len() >= 20 && moves > 800 && results.len() >= 3, "{moves} {results:?}");
}

#[test]
fn reads_results_in_both_styles() {
    use GameResult::{BlackWins, BothLose, Draw, Unknown, WhiteWins};
    check_results::<Position>(&[
        ("1. 32-28 2-0 1. 32-28 1-0", &[WhiteWins, WhiteWins]),
        ("1. 32-28 0-2 1. 32-28 0-1", &[BlackWins, BlackWins]),
        ("1. 32-28 1-1 1. 32-28 1/2-1/2", &[Draw, Draw]),
        ("1. 32-28 0-0 1. 32-28 * 1. 32-28", &[BothLose, Unknown, Unknown]),
        // In PDN 3.0 only the `Result` tag gives the result.
        ("[Result \"0-2\"]\n\n1. 32-28 *\n\n[Result \"1-1\"]\n\n1. 32-28 *", &[BlackWins, Draw]),
        ("1. 2-0", &[WhiteWins]),
        ("1. 32-28* 19-23* *", &[Unknown]),
        ("1. 32-28* 19-23 * 1. 32-27", &[Unknown, Unknown]),
        ("", &[]),
    ]);
}

#[test]
fn reads_other_start_positions_and_variants() {
    let text = "[FEN \"B:W31:B20.\"]\n[SetUp \"1\"]\n\n1... 20-24 2. 31-27 *";
    let read = game(text);
    assert_eq!(moves(&read), "20-24 31-27");
    assert_eq!(read.start(), &"B:W31:B20".parse::<Position>().expect("a position"));
    assert!(read.to_string().contains(
        "[FEN \"B:W31:B20\"]\n[GameType \"20\"]\n[SetUp \"1\"]\n\n1... 20-24 2. 31-27 *"
    ));
    for value in ["20", "", "20,W,10,10,N2,0", "20, W, 10, 10, N2"] {
        assert_eq!(
            game(format!("[GameType \"{value}\"]\n1. 32-28 *")).moves().count(),
            1,
            "{value}"
        );
    }
    for value in ["21", "41,W,10,10,N2,0", "20,W,10,10,A0,0", "20,W,8,8,N2"] {
        let error = games(format!("[GameType \"{value}\"]\n*")).remove(0).expect_err(value);
        assert!(
            error.to_string().starts_with("line 1, column 1: unsupported game type '"),
            "{error}"
        );
    }
}

#[test]
fn reports_error_positions_and_reads_the_next_game() {
    let cases = &[
        ("1. 32-28 19-23\n  2. 28-22 1-0", "line 2, column 6: '28-22' is not legal in W:W28,31"),
        ("1. 32-28 19-24 2. 28-19* 1-0", "line 1, column 19: '28-19' is not legal in "),
        ("1. 32-28 e4 1-0", "line 1, column 10: 'e4' is not a move: "),
        ("1. 32-28 /FEN \"W::\"/ 1-0", "line 1, column 10: FEN tag: "),
        ("1. 32-28 <x> 1-0", "line 1, column 10: '<' is not allowed"),
        ("1. 32-28(? 19-23 1-0", "line 1, column 11: expected ')'"),
        ("$1 1-0", "line 1, column 4: a glyph without a move"),
        ("[FEN \"W:W1:B50\"]\n\n1-0", "line 1, column 1: FEN tag: the White man on 1"),
        ("1. 32-28 (1. 31-27 1-0", "line 3, column 1: the game ends inside a variation"),
    ];
    check_errors::<Position>(cases, "1. 31-27 20-24 1-1");
}

#[test]
fn limits_the_size_of_a_game() {
    records::check_bounds::<Position>("31-27", "1. 31-27 20-24 1-1");
}
