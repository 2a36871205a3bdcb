//! `adoube suite` and `adoube perft` as a user runs them: output, errors, exit codes.

use std::fs;
use std::process::{Command, Output};

fn adoube(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_adoube")).args(arguments).output().expect("the program starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs a suite of these lines.
fn suite(lines: &str) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("test.epd");
    fs::write(&path, lines).expect("written");
    let output = adoube(&["suite", path.to_str().expect("plain"), "--nodes", "20000"]);
    (output.status.code(), text(&output.stdout) + &text(&output.stderr))
}

#[test]
fn a_suite_that_holds_ends_with_0() {
    let (code, out) = suite(
        "# comment\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - ;D1 20 ;D3 8902\n\
         6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8#; dm 1; id \"mate\";\n",
    );
    assert_eq!(code, Some(0), "{out}");
    assert!(out.contains("passed"), "{out}");
}

#[test]
fn what_fails_is_named_by_file_and_line_and_ends_with_1() {
    let (code, out) = suite(
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - D3 8901; id \"wrong\";\n\n\
         8/8 w - - D1 1;\n\
         rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - D1 20;\n",
    );
    assert_eq!(code, Some(1), "{out}");
    assert!(out.contains("test.epd:1: wrong: 8902 leaves 3 plies deep, not 8901"), "{out}");
    assert!(out.contains("test.epd:3: "), "{out}");
    assert!(!out.contains("test.epd:4"), "{out}");
}

#[test]
fn a_missing_or_empty_file_is_an_error() {
    let output = adoube(&["suite", "no/such/file.epd"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("no/such/file.epd"), "{output:?}");
    let (code, out) = suite("# nothing\n");
    assert_eq!(code, Some(1), "{out}");
    assert!(out.contains("there is no record in it"), "{out}");
}

#[test]
fn perft_counts_divides_and_refuses() {
    let output = adoube(&["perft", "3", "--divide"]);
    let out = text(&output.stdout);
    assert!(output.status.success(), "{out}");
    let lines: Vec<_> = out.lines().collect();
    assert_eq!(lines[..2], ["a2a3: 380", "a2a4: 420"]);
    assert!(out.contains("nodes: 8902"), "{out}");
    let position = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
    for (arguments, part) in [
        (&["perft", "1", "--divide", "--fen", position][..], "e1g1: 1"),
        (&["perft", "1", "--divide", "--chess960", "--fen", position][..], "e1h1: 1"),
        (&["perft", "4", "--no-bulk", "--hash", "1", "--threads", "3"][..], "nodes: 197281"),
        (&["perft", "4", "--chess960", "--fen", "518"][..], "nodes: 197281"),
    ] {
        let output = adoube(arguments);
        assert!(text(&output.stdout).contains(part), "{arguments:?}: {output:?}");
    }
    for (arguments, part) in [
        (&["perft", "1", "--fen", "8/8"][..], "ends before its last rows"),
        (&["perft", "1", "--fen", "960", "--chess960"][..], "no Chess960 start 960"),
        (&["perft", "1", "--fen", "5"][..], "with --chess960"),
        (&["perft", "1", "--hash", "99999999999"][..], "no memory"),
    ] {
        let output = adoube(arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert!(text(&output.stderr).contains(part), "{arguments:?}: {output:?}");
    }
}
