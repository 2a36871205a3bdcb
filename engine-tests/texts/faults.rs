//! Faulty real-world files: text that other programs accept is not refused, and nothing is dropped
//! without a message. The tests are named after the kinds of faults that users have encountered.

use crate::support::program::run;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fs;
use std::io::Write as _;

/// Converts a text from `format` to the same format, and returns the output and the errors. The
/// exit code must be 1 if there are errors, otherwise 0.
fn convert(format: &str, text: &str) -> (String, String) {
    let (code, out, errors) = run(&["convert", "--from", format, "--to", format], text);
    assert_eq!(code, Some(i32::from(!errors.is_empty())), "{text}: {out}{errors}");
    (out, errors)
}

/// Converts a text that has no faults, and returns the moves of each game in it.
fn moves(format: &str, text: &str) -> Vec<String> {
    let (out, errors) = convert(format, text);
    assert_eq!(errors, "", "{text}");
    let games = out.split("\n\n").skip(1).step_by(2);
    games.map(|game| game.replace('\n', " ")).collect()
}

/// Converts a text and compares the moves of each game with `games`. The reported faults must
/// contain the elements of `faults`, in this order.
fn check_faults(format: &str, text: &str, games: &[&str], faults: &[&str]) {
    let (out, errors) = convert(format, text);
    let found: Vec<_> = out.split("\n\n").skip(1).step_by(2).collect();
    assert_eq!(found, games, "{text}: {errors}");
    let lines: Vec<_> = errors.lines().collect();
    assert_eq!(lines.len(), faults.len(), "{text}: {errors}");
    for (line, fault) in lines.iter().zip(faults) {
        assert!(line.contains(fault), "{text}: {line}");
    }
}

/// Converts a file without giving its format, so that the format is detected.
fn detected(name: &str, text: &[u8], to: &str) -> (Option<i32>, String, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    fs::write(&path, text).expect("written");
    run(&["convert", "--to", to, path.to_str().expect("plain")], "")
}

#[test]
fn kind_01_null_moves_are_kept() {
    for null in ["--", "---", "––", "Z0", "z0", "<>", "@@@@", "null", "NULL", "pass", "0000"] {
        let text = format!("1. d4 d5 2. {null} c5 (2... {null} 3. Nf3) 3. Nf3 *");
        assert_eq!(moves("pgn", &text), ["1. d4 d5 2. -- c5 (2... -- 3. Nf3) 3. Nf3 *"]);
    }
    let text = "1. d4 -- 2. d5 e5 3. dxe6 *";
    let (_, fen, _) = run(&["convert", "--to", "fen"], text);
    assert_eq!(fen, "rnbqkbnr/pppp1ppp/4P3/8/8/8/PPP1PPPP/RNBQKBNR b KQkq - 0 3\n");
    let (_, uci, _) = run(&["convert", "--to", "uci"], text);
    assert_eq!(uci, "position startpos moves d2d4 0000 d4d5 e7e5 d5e6\n");
    let (_, sheet, _) = run(&["convert", "--to", "de"], text);
    assert!(sheet.contains(" Z0\n"), "{sheet}");
    let (_, again, errors) = run(&["convert", "--to", "pgn"], &sheet);
    assert!(again.contains("\n1. d4 -- 2. d5 e5 3. dxe6 *\n"), "{again}{errors}");
    let (code, out, errors) = run(&["announce"], text);
    assert_eq!((code, errors.as_str()), (Some(0), ""), "{out}");
    let (code, out, errors) = run(&["analyse", "--nodes", "100"], text);
    assert!(code == Some(0) && out.contains(" -- ") && errors.is_empty(), "{out}{errors}");
    let check = "1. e4 f6 2. Qh5+ -- *";
    check_faults("pgn", check, &["1. e4 f6 2. Qh5+ *"], &["column 18: '--' is not legal"]);
}

#[test]
fn kind_02_contents_and_extension_decide_what_a_file_is() {
    let expected = "rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2\n";
    for (name, text) in [
        ("a.pgn", "{1. 32-28} 1. d4 {\n1.40/25 396} d5 *"),
        ("a.txt", "{a comment} 1. d4 d5"),
        ("a.txt", "1.d4\nd5\n"),
        ("a.txt", "d4 d5"),
        ("a.txt", "; about the file\n\n1. d4 d5"),
        ("a.txt", "1. d4 ; queen's pawn\n d5"),
        ("a.pgn", "\n\u{feff}[White \"a\"]\n\n1. d4 d5"),
    ] {
        let found = detected(name, text.as_bytes(), "fen");
        assert_eq!(found, (Some(0), expected.to_owned(), String::new()), "{name}: {text}");
    }
    let pdn = "[Event \"x\"]\n\n{c} 1. 31-27 17-21 *";
    let (code, out, errors) = detected("a.pdn", pdn.as_bytes(), "pdn");
    assert!(code == Some(0) && out.contains("31-27 17-21"), "{out}{errors}");
    for (name, text, to, moves) in [
        ("a.epd", "4k3/8/8/8/8/8/8/4K2R w K - bm Rh8;\n", "pgn", "{bm Rh8;} *"),
        ("a", "W:W31:B20 ;D1 2\n", "pdn", "{D1 2;} *"),
        ("a.epd", "4k3/8/8/8/8/8/8/4K2R w K - id \"a\";\0\r\n\0\n", "pgn", "{id \"a\";} *"),
        ("a.pdn", "[FEN \"?:W31:B20\"]\n*\n\n[White \"A\"]\n\n1. 32-28 *\n", "pdn", "\n1. 32-28 *"),
    ] {
        let (code, out, errors) = detected(name, text.as_bytes(), to);
        let expected = Some(i32::from(text.contains('?')));
        assert!(code == expected && out.contains(moves), "{name}: {out}{errors}");
    }
}

#[test]
fn kind_02_analyse_and_book_have_from() {
    let rows = "1. d4 d5\n2. c4 e6\n1-0\n";
    let (code, out, errors) = run(&["analyse", "--from", "pgn", "--nodes", "50"], rows);
    assert!(code == Some(0) && out.contains("[%eval"), "{out}{errors}");
    let folder = tempfile::tempdir().expect("a folder");
    let book = folder.path().join("book.bin");
    let book = book.to_str().expect("plain");
    let (code, _, errors) = run(&["book", "--polyglot", book, "--from", "fr"], "1. Cf3 d5\n1-0\n");
    assert_eq!((code, errors.contains("1 moves from 1 games")), (Some(0), true), "{errors}");
    let (code, _, errors) = run(&["book", "--polyglot", book], "1. 31-27 17-21 2-0\n");
    assert!(code == Some(1) && errors.contains("not a chess game"), "{errors}");
}

#[test]
fn kind_03_game_type_is_read_by_its_fields() {
    for value in ["20,W,10,10,N1,0", "20,W,10,10,N0", "20, w, 10, 10, n2, 1", "020", "20,W"] {
        let text = format!("[GameType \"{value}\"]\n\n1. 31-27 17-21 *");
        assert_eq!(moves("pdn", &text), ["1. 31-27 17-21 *"], "{value}");
    }
}

#[test]
fn kind_04_spaces_in_draughts_moves() {
    for text in [
        "1. 31 - 27  17-21 2. 34 - 29 *",
        "1. 31- 27 17 -21 2. 34- 29 *",
        "1. 31 -27 17- 21\n2. 34 -\n29 *",
        "1. 31 – 27 17 – 21 2. 34 –29 *",
    ] {
        assert_eq!(moves("pdn", text), ["1. 31-27 17-21 2. 34-29 *"], "{text}");
    }
    let captures = "1. 32 - 28 19 - 23 2. 28 x 19 14 x 23 1 - 1";
    assert_eq!(moves("pdn", captures), ["1. 32-28 19-23 2. 28x19 14x23 1-1"]);
    assert_eq!(moves("pgn", "1. d4 d5 1/2 - 1/2"), ["1. d4 d5 1/2-1/2"]);
    // A `*` directly after a move (chapter 9 of the FMJD rules) is not part of the move.
    assert_eq!(moves("pdn", "1. 31-27* 17-21* *"), ["1. 31-27 $7 17-21 $7 *"]);
}

#[test]
fn kind_05_other_separators_and_lone_numbers() {
    let expected = ["1. 32-28 19-23 2. 28x19 14x23 *"];
    for text in [
        "1. 3228 1923 2. 2819 1423 *",
        "1. 32-28 19-23 2. 28*19 14*23 *",
        "1. 32-28 19-23 2. 28-19 14-23 *",
        "1. 32x28 19:23 2. 28-19 14×23 *",
        "1 32-28 19-23 2 28x19 14x23 *",
    ] {
        assert_eq!(moves("pdn", text), expected, "{text}");
    }
    check_faults("pdn", "1. 32-28 2718 *", &["1. 32-28 *"], &["column 10: '27-18' is not legal"]);
    let lone = "'77' is neither a move nor the number of the next move; the game is kept without";
    check_faults("pgn", "1. d4 77 d5 *", &["1. d4 d5 *"], &[lone]);
    check_faults("pdn", "1. 31-27 77 17-21 *", &["1. 31-27 17-21 *"], &[lone]);
}

#[test]
fn kind_06_glyphs_above_255() {
    assert_eq!(moves("pgn", "1. d4 $256 d5 $999 *"), ["1. d4 $256 d5 $999 *"]);
    assert_eq!(moves("pdn", "1. 31-27 $902 *"), ["1. 31-27 $902 *"]);
    let fault = "column 7: '$70000' is not a glyph from $0 to $65535; the game is kept without";
    check_faults("pgn", "1. d4 $70000 d5 $ *", &["1. d4 d5 *"], &[fault, "'$' is not a glyph"]);
}

#[test]
fn kind_07_signs_on_moves_and_positions() {
    for (sign, nag) in [
        ("±", 16),
        ("∓", 17),
        ("⩲", 14),
        ("⩱", 15),
        ("=", 10),
        ("∞", 13),
        ("□", 7),
        ("+-", 18),
        ("-+", 19),
        ("+/=", 14),
        ("=/+", 15),
        ("+=", 14),
        ("=+", 15),
        ("+/-", 16),
        ("-/+", 17),
        ("~", 13),
        ("N", 146),
        ("D", 220),
        ("RR", 145),
        ("‼", 3),
        ("⁇", 4),
        ("⁈", 6),
        ("⁉", 5),
    ] {
        let expected = [format!("1. d4 Nf6 ${nag} 2. c4 *")];
        for text in [format!("1. d4 Nf6{sign} 2. c4 *"), format!("1. d4 Nf6 {sign} 2. c4 *")] {
            assert_eq!(moves("pgn", &text), expected, "{text}");
        }
    }
    assert_eq!(moves("pgn", "1. d4 d5!?± 2. c4⩲N *"), ["1. d4 d5 $5 $16 2. c4 $14 $146 *"]);
    assert_eq!(moves("pgn", "1. d4 d5 (=) 2. c4 (±) *"), ["1. d4 d5 {(=)} 2. c4 $16 *"]);
    let latin = b"1. d4 d5 \xb1 2. c4 *";
    assert!(detected("a.pgn", latin, "pgn").1.contains("d5 $16 2. c4"));
    for (text, result) in [("½-½", "1/2-1/2"), ("1:0", "1-0"), ("0:1", "0-1")] {
        assert_eq!(moves("pgn", &format!("1. d4 d5 {text}")), [format!("1. d4 d5 {result}")]);
    }
    let fault = "'☺' is not allowed among moves; the game is kept without this text";
    check_faults("pgn", "1. d4☺ d5 ☺ *", &["1. d4 d5 *"], &[fault, fault]);
}

#[test]
fn kind_10_empty_lines_between_tags() {
    let text = "[Event \"Cup\"]\n\n[White \"A\"]\n\n\n[Black \"B\"]\n\n1. d4 *\n\n[Event \"Next\"]\n\n1. c4 *\n";
    let (out, _) = convert("pgn", text);
    assert!(
        out.contains("[Event \"Cup\"]") && out.contains("[White \"A\"]\n[Black \"B\"]"),
        "{out}"
    );
    assert_eq!(moves("pgn", text).len(), 2);
    // A repeated tag begins a new game.
    let (out, errors) = convert("pgn", "[Event \"a\"]\n\n[Event \"b\"]\n\n1. d4 *");
    assert_eq!((out.matches("[Event ").count(), errors.as_str()), (2, ""), "{out}");
}

#[test]
fn kind_11_contradictory_results_are_reported() {
    let text = "[Result \"1-0\"]\n\n1. d4 d5 0-1\n";
    let fault = "line 3, column 10: the result after the moves is 0-1, but the tag is 1-0; \
                 the result of the tag is kept";
    check_faults("pgn", text, &["1. d4 d5 1-0"], &[fault]);
    let fault = "'won' is not a result; the game is kept without this tag";
    check_faults("pgn", "[Result \"won\"]\n\n1. d4 *", &["1. d4 *"], &[fault]);
    let fault = "the tag White was already given with another value";
    check_faults("pgn", "[White \"a\"]\n[White \"b\"]\n\n1. d4 *", &["1. d4 *"], &[fault]);
}

#[test]
fn kind_16_texts_with_one_meaning() {
    for (fen, text, expected) in [
        ("7k/P7/8/8/8/8/8/4K3 w - - 0 1", "a8(Q)+", "a8=Q+"),
        ("7k/P7/8/8/8/8/8/4K3 w - - 0 1", "a8(n)", "a8=N"),
        ("1n5k/P7/8/8/8/8/8/4K3 w - - 0 1", "ab(Q)", "axb8=Q+"),
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "ed", "exd5"),
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "exd", "exd5"),
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "EXD5", "exd5"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "E2-E4", "e4"),
        ("4k3/8/8/8/8/8/8/4K1N1 w - - 0 1", "NF3", "Nf3"),
        ("4k3/8/8/8/8/8/8/4K1N1 w - - 0 1", "♘f3", "Nf3"),
        ("4k3/8/8/8/8/8/8/4K1N1 w - - 0 1", "♞xf3", "Nf3"),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "Kg1", "O-O"),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "Ra8mate", "Ra8#"),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "Ra8X", "Ra8#"),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "Ra8ch", "Ra8#"),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "Ra8†", "Ra8#"),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "Kc1", "O-O-O"),
    ] {
        let game = format!("[FEN \"{fen}\"]\n\n1. {text} *");
        assert_eq!(moves("pgn", &game), [format!("1. {expected} *")], "{text}");
    }
    // A capital B means a bishop, even if only a pawn can go to the square.
    let pawn = "[FEN \"4k3/8/8/8/2p5/1P6/8/4K3 w - - 0 1\"]\n\n1. Bc4 *";
    check_faults("pgn", pawn, &["*"], &["'Bc4' is not legal"]);
}

#[test]
fn kind_17_a_fault_costs_the_rest_of_its_line() {
    for (text, games, faults) in [
        (
            "1. d4 d5 (1... Nf6 2. Ke3 d5 (2... c5)) (1... f5) 2. c4 *",
            &["1. d4 d5 (1... Nf6) (1... f5) 2. c4 *"][..],
            &["column 23: 'Ke3' is not legal"][..],
        ),
        ("1. d4 d5 2. Ke3 (2. c4) Nf6 1-0", &["1. d4 d5 1-0"], &["column 13: 'Ke3' is not legal"]),
        ("1. d4 <b>d5 *", &["1. d4 *"], &["'<' is not allowed", "'b' is not a move"]),
        ("1. d4 } d5 *", &["1. d4 d5 *"], &["'}' is not allowed among moves"]),
        ("1. d4 d5 ) 2. c4 *", &["1. d4 d5 2. c4 *"], &["')' without an open variation"]),
        ("(1. e4) 1. d4 *", &["1. d4 *"], &["a variation without a move"]),
        ("1. d4 (1. c4 *", &["1. d4 (1. c4) *"], &["the game ends inside a variation"]),
        ("1. d4 d5 White resigns 1-0", &["1. d4 d5 1-0"], &["'White' is not", "'resigns' is not"]),
        ("[FEN \"x\"]\n\n1. d4 *\n\n1. c4 *", &["1. c4 *"], &["line 1, column 1: FEN tag"]),
    ] {
        check_faults("pgn", text, games, faults);
    }
}

#[test]
fn kind_18_a_malformed_tag_costs_only_itself() {
    for (tag, fault) in [
        ("[Event \"Open \\\"]", None),
        ("[Event \"Open]", Some("line 1, column 14: not a tag as in [Name \"value\"]")),
        ("[Event Open]", Some("line 1, column 8: not a tag")),
        ("[\"Open\"]", Some("line 1, column 2: not a tag")),
    ] {
        let text = format!("{tag}\n[White \"A\"]\n\n1. d4 d5 *");
        let faults: Vec<_> = fault.into_iter().collect();
        check_faults("pgn", &text, &["1. d4 d5 *"], &faults);
        assert!(convert("pgn", &text).0.contains("[White \"A\"]"), "{tag}");
    }
}

#[test]
fn kind_18_text_after_a_tag_costs_only_itself() {
    let text = "[Event \"A\"] x\n[Site \"B\"]\n[White \"C\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n";
    let fault = "line 1, column 13: 'x' is not allowed after a tag; the game is kept without this";
    check_faults("pgn", text, &["1. e4 e5 1-0"], &[fault]);
    let (out, _) = convert("pgn", text);
    assert!(
        out.starts_with("[Event \"A\"]\n[Site \"B\"]\n") && out.contains("[White \"C\"]"),
        "{out}"
    );
    // A `;` comment after a tag is kept.
    let comment = "[Event \"A\"] ; from a book\n[Site \"B\"]\n\n1. e4 e5 1-0\n";
    assert_eq!(moves("pgn", comment), ["{from a book} 1. e4 e5 1-0"]);
    // Moves can follow a tag on its line.
    for text in [
        "[Event \"A\"] 1. e4 *\n[Site \"B\"]\n\n1. d4 *",
        "[Event \"A\"] e4 *\n[Site \"B\"] d4\n",
        "[Event \"A\"] {a} 1. e4 *\n[Site \"B\"] (=) 1. d4 *",
        "[Event \"A\"] *\n[Site \"B\"] *",
        "[Event \"A\"] e4\n[Event \"B\"] d4",
    ] {
        assert_eq!(moves("pgn", text).len(), 2, "{text}");
    }
}

#[test]
fn kind_18_escaped_line_ends_are_line_ends() {
    let text = "[Event \"A\"]\\r\n[White \"B\"]\\r\\n\n[Result \"2-0\"]\\n\n\\r\n1. 32-28 19-23 2.\\r\n\
                28x19 14x23* 2-0\\r\n\\r\n[Event \"C\"]\\r\n\\r\n1. 32-28 *\\r";
    assert_eq!(moves("pdn", text), ["1. 32-28 19-23 2. 28x19 14x23 $7 2-0", "1. 32-28 *"]);
    let (out, _) = convert("pdn", text);
    assert!(out.contains("[White \"B\"]") && out.contains("[Event \"C\"]"), "{out}");
    let inside = "1. 32-28 \\r 19-23 *";
    check_faults("pdn", inside, &["1. 32-28 *"], &["'\\\\' is not allowed", "'r' is not a move"]);
}

#[test]
fn kind_18_tags_extend_over_several_lines() {
    for tag in ["[\nSite \"B\"]", "[Site\n\"B\"]", "[ \r\n Site\r\n\r\n\"B\"\r\n]"] {
        let text = format!("[Event \"A\"]\n{tag}\n[White \"C\"]\n\n1. d4 d5 *");
        assert_eq!(moves("pgn", &text), ["1. d4 d5 *"], "{text}");
        let (out, _) = convert("pgn", &text);
        assert!(out.contains("[Site \"B\"]\n") && out.contains("[White \"C\"]"), "{out}");
    }
    let cut = "[Event\n[White \"A\"]\n\n1. d4 d5 *";
    check_faults("pgn", cut, &["1. d4 d5 *"], &["line 1, column 7: not a tag"]);
    assert!(convert("pgn", cut).0.contains("[White \"A\"]"));
}

#[test]
fn kind_20_invisible_characters_and_encodings() {
    for text in [
        "1. d4\u{a0}d5 2.\u{202f}c4 *",
        "1. d4\u{200b} d5\u{feff} 2. c\u{ad}4 *",
        "1. d4 d5 2. c4 *\u{1a}",
        "1. d4 \u{2026} d5 2. c4 *",
        "1. d4 1\u{2026}d5 2. c4 *",
    ] {
        assert_eq!(moves("pgn", text), ["1. d4 d5 2. c4 *"], "{text:?}");
    }
    let (_, out, _) = detected("a.pgn", b"[White \"M\xfcller \x96 \x84x\x93\"]\n\n1. d4 *", "pgn");
    assert!(out.contains("[White \"Müller – „x“\"]"), "{out}");
    for utf16 in [&b"\xff\xfe[\0W\0"[..], b"\xfe\xff\0[\0W", b"[\0W\0", b"\0[\0W"] {
        let (code, out, errors) = detected("a.pgn", utf16, "pgn");
        assert_eq!((code, out.as_str()), (Some(1), ""), "{errors}");
        assert!(errors.contains("the text is UTF-16: save it as UTF-8"), "{errors}");
    }
}

#[test]
fn kind_21_names_of_tags_in_any_case() {
    let fen = "5k2/8/8/8/8/8/8/4K2R w K - 0 1";
    for name in ["Fen", "fen", "FEN"] {
        let text = format!("[{name} \"{fen}\"]\n[Setup \"1\"]\n[white \"A\"]\n\n1. O-O+ *");
        let (out, errors) = convert("pgn", &text);
        assert!(out.contains(&format!("[FEN \"{fen}\"]\n[SetUp \"1\"]")), "{out}{errors}");
        assert!(out.contains("[White \"A\"]"), "{out}");
    }
    let text = "[result \"2-0\"]\n[gametype \"20\"]\n[fen \"W:W31:B1\"]\n\n1. 31-27 *";
    assert_eq!(moves("pdn", text), ["1. 31-27 2-0"]);
}

#[test]
fn kind_22_names_of_standard_chess() {
    for name in ["Regular", "Classical", "Standard Chess", "orthodox", "None", "From Position"] {
        assert_eq!(moves("pgn", &format!("[Variant \"{name}\"]\n\n1. d4 *")), ["1. d4 *"]);
    }
    let fault = "variant 'Atomic' is not chess and not Chess960; the game is left out";
    check_faults("pgn", "[Variant \"Atomic\"]\n\n1. d4 *\n\n1. c4 *", &["1. c4 *"], &[fault]);
}

#[test]
fn kind_23_glyphs_before_a_move() {
    assert_eq!(moves("pgn", "$10 1. d4 (! 1. c4) *"), ["1. d4 $10 (1. c4 $1) *"]);
    assert_eq!(moves("pdn", "! 1. 31-27 *"), ["1. 31-27 $1 *"]);
    check_faults("pgn", "[White \"A\"]\n\n$10 *", &["*"], &["a glyph without a move"]);
}

#[test]
fn kind_24_tags_in_comments() {
    let comment = "1. d4 {\n[Event \"quoted\"]\n[Site \"x\"]\n} d5 *";
    assert_eq!(moves("pgn", comment), ["1. d4 {[Event \"quoted\"] [Site \"x\"]} 1... d5 *"]);
    let open = "1. d4 {never closed\n\n[Event \"next\"]\n\n1. c4 {good} e5 *";
    let games = ["1. d4 {never closed} *", "1. c4 {good} 1... e5 *"];
    check_faults("pgn", open, &games, &["the comment that begins here is not closed"]);
    // A comment after the result belongs to the game.
    assert_eq!(
        moves("pgn", "1. d4 1-0 {resigned}\n\n1. c4 *"),
        ["1. d4 {resigned} 1-0", "1. c4 *"]
    );
    assert_eq!(moves("pgn", "{about} [White \"A\"]\n\n1. d4 *"), ["{about} 1. d4 *"]);
    assert_eq!(moves("pgn", "1. d4 [%clk 0:01] d5 *"), ["1. d4 {[%clk 0:01]} 1... d5 *"]);
}

#[test]
fn kind_28_one_bad_opening_is_left_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let openings = folder.path().join("openings.epd");
    let fen = "rnb1kbnr/ppp1pppp/8/4q3/8/2N5/PPPP1PPP/R1BQKBNR w KQkq - hmvc 2; fmvn 4;";
    fs::write(&openings, format!("{fen}\nnonsense w - -\n")).expect("written");
    let path = openings.to_str().expect("plain");
    let adoube = env!("CARGO_BIN_EXE_adoube");
    let engine = format!("cmd={adoube}");
    let twin = format!("cmd={adoube},name=twin");
    let mut arguments = vec!["match", "--engine", &engine, "--engine", &twin, "--games", "2"];
    arguments.extend(["--nodes", "50", "--max-moves", "5", "--openings", path]);
    let pgn = folder.path().join("games.pgn");
    arguments.extend(["--pgn", pgn.to_str().expect("plain")]);
    let (code, out, errors) = run(&arguments, "");
    assert_eq!(code, Some(0), "{out}{errors}");
    assert_eq!(errors.matches("openings.epd: line 2: ").count(), 1, "{errors}");
    let games = fs::read_to_string(pgn).expect("games");
    assert_eq!(games.matches(" w KQkq - 2 4\"]").count(), 2, "{games}");
}

#[test]
fn kind_29_positions_set_up_among_the_moves() {
    let first = "[GameType \"20\"]\n\n/FEN \"W:W31:B1\"/ 1. 31-27 *";
    let (out, errors) = convert("pdn", first);
    assert!(out.contains("[FEN \"W:W31:B1\"]") && errors.is_empty(), "{out}{errors}");
    // If a position is set up after some moves, the following moves become a separate game with the
    // same tags.
    let later = "[White \"A\"]\n\n1. 31-27 17-21 /FEN \"W:W31:B1\"/ 1. 31-26 2-0";
    let (out, _) = convert("pdn", later);
    assert_eq!(moves("pdn", later), ["1. 31-27 17-21 *", "1. 31-26 2-0"]);
    assert_eq!(
        (out.matches("[White \"A\"]").count(), out.matches("[FEN ").count()),
        (2, 1),
        "{out}"
    );
    let inside = "1. 31-27 (/FEN \"W:W31:B1\"/ 1. 31-26) 17-21 *";
    check_faults("pdn", inside, &["1. 31-27 17-21 *"], &["cannot be set up inside a variation"]);
    let wrong = "1. 31-27 /FEN \"W::\"/ 1. 31-26 *";
    check_faults("pdn", wrong, &["1. 31-27 *"], &["column 10: FEN tag"]);
}

#[test]
fn a_truncated_compressed_file_loses_only_its_end() {
    let games: String = (0..3000)
        .map(|i| format!("[White \"W{i}\"]\n\n1. e4 e5 {{{}}} 1-0\n\n", i * 7919 % 10_007))
        .collect();
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(games.as_bytes()).expect("memory");
    let bytes = encoder.finish().expect("memory");
    let (code, out, errors) = detected("games.pgn.gz", &bytes[..bytes.len() / 2], "pgn");
    assert_eq!((code, errors.lines().count()), (Some(1), 1), "{errors}");
    assert!(errors.contains("cannot decompress gzip: the file is truncated"), "{errors}");
    assert!(errors.contains("games.pgn.gz: line "), "{errors}");
    assert!(out.matches("[White \"W").count() > 1000, "{}", out.len());
    // Only the checksum is missing, so every game is complete.
    let (code, out, errors) = detected("games.pgn.gz", &bytes[..bytes.len() - 6], "pgn");
    assert_eq!((code, errors.lines().count()), (Some(1), 1), "{errors}");
    assert_eq!(out.matches(" 1-0\n").count(), 3000);
}

#[test]
fn a_truncated_file_keeps_the_start_and_the_result_of_its_last_game() {
    let truncated = |text: &str| {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(text.as_bytes()).expect("memory");
        let mut bytes = encoder.finish().expect("memory");
        // The checksum is incomplete.
        bytes.truncate(bytes.len() - 6);
        bytes
    };
    let set_up = "1. /FEN \"W:W31:B1\"/ 31-26 1-6 2. 26-21";
    let (_, out, errors) = detected("games.pdn.gz", &truncated(set_up), "pdn");
    assert!(out.contains("W:W31:B1") && out.contains("31-26 1-6"), "{out}{errors}");
    let free = "[Result \"4-6\"]\n\n1. 32-28 19-23 2. 28x19 14x23 4-6\n";
    let (_, out, errors) = detected("games.pdn.gz", &truncated(free), "pdn");
    assert_eq!(out, detected("games.pdn", free.as_bytes(), "pdn").1, "{errors}");
    let sheet = "White: A\n1. e4 e5\n2. Nf3 Nc6\n";
    let (code, out, errors) = detected("sheet.txt.gz", &truncated(sheet), "pgn");
    assert!(code == Some(1) && out.contains("1. e4 e5 2. Nf3 Nc6"), "{out}{errors}");
    assert!(
        errors.ends_with("the file is truncated; the rest of the file is left out\n"),
        "{errors}"
    );
}
