//! Portable draughts notation: games round-trip, real-world files are read, and errors report their
//! line and column without affecting the next game.

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
        ("[Result \"2 - 0\"]\n\n1. 32-28 *", &[WhiteWins]),
        ("[Result \"-\"]\n\n1. 32-28 0-2", &[BlackWins]),
        ("[Result \"won\"]\n\n1. 32-28 0-2", &[BlackWins]),
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

#[test]
fn keeps_the_text_of_other_results() {
    for (tag, end) in [
        ("4-6", "4-6"),
        ("8-2", "8-2\r\n\r\n"),
        ("1.02-0.98", "1.02-0.98 "),
        ("1½-½", "1½-½\n"),
        ("4 - 6", "4-6"),
        ("4-6", "4-6\n[Event \"next\"]\n\n1. 32-28 *"),
        ("White \\\"won\\\"", "*"),
        ("4-6", ""),
    ] {
        let text = format!("[Result \"{tag}\"]\n\n1. 32-28 19-23 {end}");
        let game = games(&text).remove(0).expect(&text);
        assert_eq!((moves(&game).as_str(), game.result), ("32-28 19-23", GameResult::Unknown));
        let once = game.to_string();
        assert!(once.contains(&format!("[Result \"{tag}\"]")), "{once}");
        assert_eq!(games(&once).remove(0).expect(&once), game, "{once}");
    }
    // The result after the moves takes precedence, but the text of the tag is kept.
    let mut read = game("[Result \"4-6\"]\n\n1. 32-28 19-23 0-2");
    assert_eq!(read.result, GameResult::BlackWins);
    assert!(read.to_string().contains("[Result \"4-6\"]"), "{read}");
    assert_eq!(game(read.to_string()), read);
    // Setting another result replaces the text.
    read.result = GameResult::Draw;
    assert!(read.to_string().contains("[Result \"1-1\"]"), "{read}");
    // A move that is written like the result is a move if the game continues.
    let text = "[Result \"8-2\"]\n[FEN \"W:W8,31:B20\"]\n\n1. 8-2 20-25\n2. 31-27 8-2";
    let read = game(text);
    assert_eq!(moves(&read), "8-2 20-25 31-27");
}

#[test]
fn following_moves_decide_ambiguous_captures() {
    let start = "[FEN \"W:WK4,20,39,44:B12,18,28,29,37\"]\n\n";
    for rest in [
        "28-32 2. 20-15 32-37 3. 24-47 12-18 2-0",
        "28-32",
        "{a (} 28-32! (1... 28-33 2. 39x28) $4 2. 20-15 *",
        "; x\n1... 28 - 32= *",
        "28-32 2. 20-15 32-37 3. 24-47 12-18 4. 47-36 1-1\n\n1. 32-28 *",
    ] {
        let text = format!("{start}1. 4x24 {rest}");
        let read = games(&text).remove(0).expect(&text);
        assert!(read.to_string().contains("1. 4x31x42x24 "), "{read}");
        assert_eq!(game(read.to_string()), read);
    }
    let other = format!("{start}1. 4x24 12-17 2. 24-35 37-42 *");
    assert!(game(other).to_string().contains("1. 4x22x33x24 12-17 2. 24-35 37-42 *"));
    // An ambiguous capture in a variation is resolved by the moves of the variation.
    let inside = format!("{start}1. 20-15 (1. 4x24 28-32) *");
    let inside = inside.replace("1. 20-15", "1. 4x22x33x24");
    assert!(game(inside).to_string().contains("(1. 4x31x42x24 28-32)"));
    for rest in ["2-0", "*", "", "12-17 *", "18-23 2. 20-15 *", "(1. 4x31x42x24 28-32) *"] {
        let text = format!("{start}1. 4x24 {rest}");
        let error = games(&text).remove(0).expect_err(&text).to_string();
        assert!(error.contains("'4x24' is ambiguous"), "{text}: {error}");
    }
}

#[test]
fn leaves_out_games_on_64_squares_with_one_message() {
    let message = "the moves are those of a board with 64 squares, which Adoube does not play; \
                   the game is left out";
    for text in [
        "[Event \"OCA\"]\n[Result \"0-1\"]\n1. 11-15 24-20 2. 8-11 28-24 0-1",
        "[White \"X\"]\n[FEN \"W:W21-32:B1-12\"]\n\n1. c3-d4 d6-e5 1-0",
        "1. gf4 bc5 2. f4:d6 *",
        "1. 9-13 22-18 2. 13x22 25x18 *",
    ] {
        let mut games = games(format!("{text}\n\n[Event \"next\"]\n\n1. 32-28 *"));
        let (next, error) = (games.remove(1), games.remove(0).expect_err(text));
        assert!(error.game.is_none() && error.faults.len() == 1, "{error}");
        assert!(error.to_string().ends_with(message), "{error}");
        assert_eq!(next.expect("the next game").moves().count(), 1);
    }
    for text in [
        "1. 11-15 *",
        "1. 11-15 24-20 2. 34-30 *",
        "1. 11-15 40-35 *",
        "1. 32-28 11-15 *",
        "1. c3-d4 i7-j6 *",
        "1. e4 *",
        "[GameType \"20\"]\n\n1. 11-15 24-20 *",
        "[FEN \"W:W31:B20\"]\n\n1. 11-15 24-20 *",
    ] {
        let text = format!("[White \"A\"]\n{text}");
        let error = games(&text).remove(0).expect_err(&text);
        assert!(error.game.is_some() && !error.to_string().contains("64"), "{error}");
    }
}

#[test]
fn meaningless_tags_cost_only_a_remark() {
    for (tag, fault) in [
        (
            "[GameType \"20,W,0,0,N,0\"]",
            "the fields after the number in the game type '20,W,0,0,N,0' do not describe a board; \
             the game is kept without this text",
        ),
        ("[GameType \"40,,\"]", "the game type '40,,' do not describe a board"),
        ("[FEN \"\"]", "the FEN tag is empty: the usual start position is assumed"),
        ("[FEN \" \"]", "the FEN tag is empty"),
    ] {
        let error = games(format!("{tag}\n\n1. 32-28 19-23 *")).remove(0).expect_err(tag);
        assert!(error.faults.len() == 1 && error.to_string().contains(fault), "{error}");
        assert_eq!(error.game.expect("the game").moves().count(), 2);
    }
}
