//! Portable game notation: games round-trip, real-world files are read as a stream, and errors
//! report their line and column without affecting the next game.

use crate::support::chess_samples as samples;
use crate::support::records::{self, check_errors, check_results};
use adoube::chess::Position;
use adoube::chess::pgn::{Game, GameResult, MAX_NESTING, Node, PgnError, PgnProblem, Reader};
use std::io::{self, BufRead, BufReader, Read};

fn games(text: impl AsRef<[u8]>) -> Vec<Result<Game, PgnError>> {
    records::games(text)
}

fn game(text: impl AsRef<[u8]>) -> Game {
    records::game(text)
}

fn sans(game: &Game) -> Vec<String> {
    let mut position = game.start().clone();
    let mut text = Vec::new();
    for m in game.moves() {
        text.push(position.san(m));
        position = position.play(m);
    }
    text
}

#[test]
fn annotated_games_round_trip() {
    records::check_written_and_read(samples::annotated_game, 4, |written, text, read| {
        assert_eq!(read.position(), written.position());
        for (name, value) in written.tags() {
            assert_eq!(read.tag(name), Some(value));
        }
        let moves = text.split_once("\n\n").expect("tags, empty line, moves").1;
        for line in moves.lines() {
            let long_word = line.split(' ').any(|word| word.chars().count() > 50);
            assert!(line.chars().count() < 80 || long_word, "{line}");
        }
    });
}

#[test]
fn writes_the_format_of_the_standard() {
    let mut game = Game::new();
    game.set_tag("White", "Adoube \"0.1\"");
    game.set_tag("TimeControl", "2+0.02");
    game.set_tag("Annotator", r"C:\chess");
    for (text, comment) in [("e4", ""), ("e5", "0.25/12"), ("Nf3", "a } brace"), ("Nc6", "")] {
        let m = game.position().parse_san(text).expect(text);
        game.push(m, comment).expect(text);
    }
    let before = game.node_mut(3).expect("Nc6");
    let d6 = Position::start().parse_uci("d2d4").expect("legal");
    before.nags.push(1);
    assert_eq!(game.push(d6, "").map_err(|e| e.m), Ok(()), "d4 is legal here too");
    assert!(game.push(d6, "").is_err(), "but not twice");
    game.result = GameResult::Draw;
    let expected = r#"[Event "?"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "Adoube \"0.1\""]
[Black "?"]
[Result "1/2-1/2"]
[Annotator "C:\\chess"]
[TimeControl "2+0.02"]

1. e4 e5 {0.25/12} 2. Nf3 ; a } brace
2... Nc6 $1 3. d4 1/2-1/2

"#;
    assert_eq!(game.to_string(), expected);
    let mut bytes = Vec::new();
    game.write_to(&mut bytes).expect("a Vec takes everything");
    assert_eq!(bytes, expected.as_bytes());
    assert_eq!(self::game(expected).to_string(), expected);
}

#[test]
fn reads_real_world_files() {
    let text = "\u{feff}% an escape\r\n; about this file\r\n[Event \"a\"] [Site \"b ] c\"]\r\n\
        [ White  \"J. \"Joe\" Doe\" ]\r\n[Result \"1-0\"]\r\n\r\n\
        {before} 1.e4! {good} $14 e5?! ; rest {of line\r\n\
        %hidden 1. d4\r\n\
        2. Ng1f3 (2.f4 {gambit} exf4 (2...d5) {after} ) ({empty}) () (2. Bc4)\r\n\
        {again} 2...Nc6 3.Bb5 a6 4. 0-0 {[%clk 0:01]\r\n[%eval 0.3]} 1-0\r\n";
    let game = game(text);
    assert_eq!(sans(&game), ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "O-O"]);
    assert_eq!(game.tag("Site"), Some("b ] c"));
    assert_eq!(game.tag("White"), Some("J. \"Joe\" Doe"));
    assert_eq!(game.result, GameResult::WhiteWins);
    let nodes = &game.line().moves;
    assert_eq!(
        (&nodes[0].before[..], &nodes[0].comments[..]),
        (&["before".to_owned()][..], &["good".to_owned()][..])
    );
    assert_eq!(nodes[0].nags, [1, 14]);
    assert_eq!(
        (&nodes[1].nags[..], &nodes[1].comments[..]),
        (&[6][..], &["rest {of line".to_owned()][..])
    );
    assert_eq!(nodes[2].variations.len(), 3);
    let gambit = &nodes[2].variations[0];
    assert_eq!((gambit.moves.len(), gambit.moves[1].variations.len()), (2, 1));
    assert_eq!(gambit.closing, ["after"]);
    assert_eq!(nodes[2].variations[1].closing, ["empty"]);
    assert_eq!(nodes[3].before, ["again"]);
    assert_eq!(nodes[6].comments, ["[%clk 0:01] [%eval 0.3]"]);
    let once = game.to_string();
    assert_eq!(self::game(&once).to_string(), once);
    // Other line breaks do not change the game.
    for ends in ["\n", "\r"] {
        assert_eq!(self::game(text.replace("\r\n", ends)), game);
    }
}

#[test]
fn reads_the_piece_letters_of_other_languages() {
    let english = ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "O-O", "Nf6", "Re1", "Be7"];
    for moves in [
        "1. e4 e5 2. Sf3 Sc6 3. Lb5 a6 (3... Sf6! 4. De2) 4. O-O Sf6 5. Te1 {good} Le7",
        "1. e4 e5 2. Cf3 Cc6 3. Fb5 a6 (3... Cf6! 4. De2) 4. O-O Cf6 5. Te1 {good} Fe7",
        "1. e4 e5 2. Кf3 Кc6 3. Сb5 a6 (3... Кf6! 4. Фe2) 4. O-O Кf6 5. Лe1 {good} Сe7",
        "1. e4 e5 2. Pf3 Pc6 3. Lb5 a6 (3... Pf6! 4. De2) 4. O-O Pf6 5. Te1 {good} Le7",
    ] {
        let game = game(format!("{moves} *"));
        assert_eq!(sans(&game), english, "{moves}");
        let variation = &game.line().moves[5].variations[0].moves;
        assert_eq!((variation.len(), &variation[0].nags[..]), (2, &[1][..]), "{moves}");
    }
    // The French king has the letter of the English rook.
    let french = game("1. e4 e5 2. Cc3 Cc6 3. Re2 Re7 *");
    assert_eq!(sans(&french).last().map(String::as_str), Some("Ke7"));
    // The Dutch knight has the letter of the English pawn.
    for (moves, black, plies) in [
        ("1. d4 Pf6 2. c4 g6 3. Pc3 Lg7 4. Pf3", "Nf6", 7),
        ("1. Pd4 Pf6 2. Pc4 g6 3. Nc3 Bg7", "f6", 6),
        ("1. d4 Pf6! 2. c4 Pc6 3. f3", "f6", 5),
    ] {
        let sans = sans(&game(format!("{moves} *")));
        assert_eq!((sans[1].as_str(), sans.len()), (black, plies), "{moves}");
    }
    let promoted = game("[FEN \"7k/4P3/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. e8=D+ Kg7 2. Dg8+ *");
    assert_eq!(sans(&promoted), ["e8=Q+", "Kg7", "Qg8+"]);
    for text in [
        "1. e4 e5 2. Fc4 Cc6 3. Fxf7 éch. Rxf7 4. Cf3 mat *",
        "1. e4 e5 2. Lc4 Sc6 3. Lxf7 sch. Kxf7 4. Sf3 matt *",
        "1. e4 e5 2. Fc4 Cc6 3. Fxf7 échec Rxf7 4. Cf3 *",
    ] {
        assert_eq!(sans(&game(text)).len(), 7, "{text}");
    }
    // A single move with foreign letters can be a typing error, and must not be guessed.
    for (text, moves) in [
        ("1. e4 e5 2. Tf3 Nc6 3. Bb5 *", 2),
        ("1. e4 e5 2. Sf3 Nc6 3. Bb5 *", 2),
        ("1. e4 e5 2. Sf3 Lh8 3. Lb5 *", 3),
        ("1. e4 e5 2. Sf3 Sc6 3. Lb5 a6 4. Lh8 *", 6),
    ] {
        let [Err(error)] = &games(text)[..] else { panic!("{text}") };
        let kept = error.game.as_ref().map(|game| game.moves().count());
        assert_eq!(kept, Some(moves), "{text}: {error}");
    }
}

#[test]
fn reads_old_files_as_latin_1() {
    let game = game(b"[White \"M\xfcller\"]\n\n1. e4 {gr\xf6\xdfer} *" as &[u8]);
    assert_eq!(game.tag("White"), Some("Müller"));
    assert_eq!(game.line().moves[0].comments, ["größer"]);
}

#[test]
fn accepts_missing_and_contradictory_results() {
    use GameResult::{BlackWins, Draw, Unknown, WhiteWins};
    check_results::<Position>(&[
        ("1. e4", &[Unknown]),
        ("1. e4 1/2-1/2", &[Draw]),
        ("[Result \"0-1\"]\n\n1. e4", &[BlackWins]),
        ("[Result \"0-1\"]\n\n1. e4 *", &[BlackWins]),
        ("[Result \"*\"]\n\n1. e4 1-0", &[WhiteWins]),
        ("[Result \"won\"]\n\n1. e4 1-0", &[WhiteWins]),
        ("1. e4 1-0 1. d4 0-1 *", &[WhiteWins, BlackWins, Unknown]),
        ("[Event \"a\"]\n\n[Event \"b\"]\n[Result \"1-0\"]\n", &[Unknown, WhiteWins]),
        ("[Event \"a\"]\n1. e4\n[Event \"b\"]\n1. d4 1-0\n", &[Unknown, WhiteWins]),
        ("[Event \"a\"]\n*\n\u{feff}[Event \"b\"]\n1-0", &[Unknown, WhiteWins]),
        ("", &[]),
        (" \r\n% nothing\n; at all\n", &[]),
    ]);
}

#[test]
fn reads_other_start_positions_and_variants() {
    let text = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 3 40\"]\n[SetUp \"1\"]\n\n40... Kd7 41. e4 *";
    let read = game(text);
    assert_eq!(sans(&read), ["Kd7", "e4"]);
    assert!(read.to_string().contains("[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 3 40\"]\n[SetUp \"1\"]"));
    assert!(read.to_string().contains("\n40... Kd7 41. e4 *"));

    let start = Position::chess960(5).expect("a number below 960");
    let written = Game::from_position(start.clone());
    assert!(written.is_chess960());
    assert_eq!(game(written.to_string()).start(), &start);
    assert!(!Game::from_position(Position::start()).is_chess960());

    for name in ["Chess960", "chess 960", "Fischerandom", "Standard", "From Position", "normal"] {
        assert_eq!(
            games(format!("[Variant \"{name}\"]\n*")).into_iter().filter_map(Result::ok).count(),
            1
        );
    }
    let error = games("[Variant \"Atomic\"]\n*").remove(0).expect_err("not chess");
    assert_eq!(
        error.to_string(),
        "line 1, column 1: variant 'Atomic' is not chess and not Chess960; the game is left out"
    );
}

#[test]
fn reports_error_positions_and_reads_the_next_game() {
    let cases = &[
        ("[Event \"a\"]\n\n1. e4 e5\n  2. Ke3 e6 1-0", "line 4, column 6: 'Ke3' is not legal"),
        ("[Event \"a\"]\n\n1. e4 <e5> {1-0}\n\n1-0", "line 3, column 7: '<' is not allowed"),
        ("1. e4 {Ä} Q9 (1-0) 1-0", "line 1, column 11: 'Q9' is not a move"),
        ("1. e4 f6 2. Qh5+ -- 1-0", "line 1, column 18: '--' is not legal"),
        ("(1. e4) 1-0", "line 1, column 1: a variation without a move"),
        ("$1 1-0", "line 1, column 4: a glyph without a move"),
        ("1. e4 $65536 1-0", "line 1, column 7: '$65536' is not a glyph"),
        ("1. e4 $ 1-0", "line 1, column 7: '$' is not a glyph"),
        ("1. e4 ) 1-0", "line 1, column 7: ')' without an open variation"),
        ("1. e4 (1. d4 1-0", "line 3, column 1: the game ends inside a variation"),
        ("1. e4 (1. d4 (1. c4 [x] ) e5) 1-0", "line 1, column 21: '[' is not allowed"),
        ("1. e4 {never closed\n[x]\n 1-0", "line 1, column 7: the comment that begins here"),
        ("[Event \"a\"]\n[FEN \"8/8 w - - 0 1\"]\n\n1-0", "line 2, column 1: FEN tag: "),
        ("[Event \"a]\n[Site \"b\"]\n\n1. e4 1-0", "line 1, column 11: not a tag"),
        ("[Event a]\n[Site \"b\"]\n1. e4 1-0", "line 1, column 8: not a tag"),
        ("[\"a\"]\n\n1. e4 1-0", "line 1, column 2: not a tag"),
    ];
    check_errors::<Position>(cases, "1. d4 d5 1/2-1/2");
}

#[test]
fn limits_the_nesting_of_variations() {
    let nested = |depth| format!("1. e4 {}{} *", "(1. e4 ".repeat(depth), ")".repeat(depth));
    let read = game(nested(MAX_NESTING));
    assert_eq!(game(read.to_string()), read);
    let error = games(nested(MAX_NESTING + 1)).remove(0).expect_err("too deep");
    assert!(matches!(error.faults[0].problem, PgnProblem::Nesting));
    assert_eq!(games(nested(1_000_000)).len(), 1, "deep nesting must not overflow the stack");
}

#[test]
fn keeps_comments_after_the_last_variation_in_place() {
    let mut game = game("1. e4 (1. d4) {after} *");
    assert_eq!(game.line().closing, ["after"]);
    let m = game.position().parse_san("e5").expect("legal");
    game.push(m, "").expect("legal");
    assert!(game.to_string().ends_with("\n1. e4 (1. d4) {after} 1... e5 *\n\n"));
    assert_eq!(game.node_mut(1).map(|node| node.before.len()), Some(1));
    assert_eq!(Node::new(m).m, m);
}

/// A source of games that counts the bytes read and finally fails.
struct Endless {
    text: Vec<u8>,
    given: usize,
    limit: usize,
}

impl Read for Endless {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        if self.given >= self.limit {
            return Err(io::Error::other("cable cut"));
        }
        let from = &self.text[self.given % self.text.len()..];
        let n = from.len().min(to.len()).min(7);
        to[..n].copy_from_slice(&from[..n]);
        self.given += n;
        Ok(n)
    }
}

#[test]
fn streams_games_and_reports_a_failed_source_once() {
    let text = b"[Event \"x\"]\n\n1. e4 {a comment} e5 2. Ke2 *\n\n".to_vec();
    let size = text.len();
    let endless = Endless { text, given: 0, limit: 1000 * size + size / 2 };
    let mut reader = Reader::new(BufReader::with_capacity(16, endless));
    for n in 0..1000 {
        assert_eq!(reader.next().expect("another").expect("a game").moves().count(), 3, "{n}");
    }
    let error = reader.next().expect("the failure").expect_err("half a game");
    assert!(
        matches!(error.faults[0].problem, PgnProblem::Io(_))
            && error.to_string().contains("cable cut")
    );
    assert_eq!(error.faults[0].line, 4001 + 2);
    assert!(reader.next().is_none());
}

#[test]
fn limits_the_size_of_a_game() {
    records::check_bounds::<Position>("d4", "1. d4 d5 1/2-1/2");
}

#[test]
fn an_ambiguous_foreign_move_is_quoted_as_written() {
    let text = "1. Sf3 Sf6 2. d4 d5 3. Sd2 *";
    let error = Reader::new(text.as_bytes()).next().expect("a game").expect_err("ambiguous");
    let message = "line 1, column 24: 'Sd2' is ambiguous: Sbd2 or Sfd2; ";
    assert!(
        error.to_string().replace("Sfd2 or Sbd2", "Sbd2 or Sfd2").starts_with(message),
        "{error}"
    );
}

#[test]
fn a_line_break_can_wrap_a_command() {
    for text in [
        "1. e4 {[%eval\n0.3]} e5 {[%clk\r\n0:01:00]} *",
        "1. e4 [%eval\n0.3] e5 [%clk\r\n0:01:00] *",
    ] {
        let game: Game = text.parse().unwrap_or_else(|error| panic!("{text:?}: {error}"));
        let comments = game.line().moves.iter().map(|node| node.comments.concat());
        assert_eq!(comments.collect::<Vec<_>>(), ["[%eval 0.3]", "[%clk 0:01:00]"], "{text:?}");
    }
    // An unclosed bracket affects only its own line.
    let game: Game = "1. e4 [%eval\ne5 [%clk 0:01:00] *".parse().expect("a game");
    assert_eq!(game.moves().count(), 2);
}

#[test]
fn a_year_is_a_date_without_month_and_day() {
    for (date, expected) in [("1910", "1910.??.??"), ("1910.05.??", "1910.05.??"), ("May", "May")] {
        let game: Game = format!("[Date \"{date}\"]\n\n1. e4 *").parse().expect("a game");
        assert_eq!(game.tag("Date"), Some(expected));
    }
}

/// A reader that fails at the end of its text.
struct Cut<'a>(&'a [u8]);

impl Read for Cut<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.fill_buf()?;
        self.0.read(buffer)
    }
}

impl BufRead for Cut<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.0.is_empty() { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(self.0) }
    }

    fn consume(&mut self, count: usize) {
        self.0.consume(count);
    }
}

#[test]
fn a_source_that_fails_keeps_the_moves_before_the_failure() {
    for (text, expected) in [
        ("1. e4 e5 1-0\n", &["1. e4 e5 1-0", "-"][..]),
        ("1. e4 e5 1-0\n\n[White \"B\"]\n", &["1. e4 e5 1-0", "-"]),
        (
            "1. e4 e5 1-0 {good}\n\n[White \"B\"]\n\n1. d4 d5 2. c",
            &["1. e4 e5 {good} 1-0", "1. d4 d5 *"],
        ),
        ("[Result \"0-1\"]\n\n1. d4 (1. c4 e5 2. N", &["1. d4 (1. c4 e5) 0-1"]),
    ] {
        let games: Vec<_> = Reader::new(Cut(text.as_bytes())).collect();
        let moves = games.iter().map(|game| match game {
            Ok(game) => game.to_string(),
            Err(error) => {
                assert_eq!(error.faults.len(), 1, "{text}: {error:?}");
                assert!(error.to_string().contains("reading failed"), "{text}: {error}");
                error.game.as_ref().map_or("-".to_owned(), |game| game.to_string())
            }
        });
        let last = |game: String| game.trim_end().lines().next_back().unwrap_or("").to_owned();
        assert_eq!(moves.map(last).collect::<Vec<_>>(), expected, "{text}");
        assert!(games.last().is_some_and(Result::is_err), "{text}");
    }
}
