//! Compatibility with the distributed tester OpenBench. It builds the engine with make, takes its
//! speed and its signature from `bench`, and sets Threads and Hash.

use crate::support::program::adoube;
use crate::support::tree::root;
use std::process::Command;

/// Returns the number before or after `word` in a line. As in OpenBench's client, every character
/// other than a letter or digit is a separator.
fn number(line: &str, word: &str) -> Option<u64> {
    let line: String =
        line.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { ' ' }).collect();
    let words: Vec<&str> = line.split_whitespace().collect();
    words.windows(2).find_map(|two| match two {
        [n, w] if w.eq_ignore_ascii_case(word) => n.parse().ok(),
        [w, n] if w.eq_ignore_ascii_case(word) => n.parse().ok(),
        _ => None,
    })
}

/// Returns the number next to `word`, searching from the last line upwards as the client does.
fn last(out: &str, word: &str) -> u64 {
    out.lines().rev().find_map(|line| number(line, word)).expect(word)
}

#[test]
fn bench_ends_with_the_total_nodes_and_speed() {
    let bench = |arguments: &[&str]| {
        let output = adoube().arg("bench").args(arguments).output().expect("adoube runs");
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        String::from_utf8(output.stdout).expect("text")
    };
    let (out, again) = (bench(&["4"]), bench(&["4"]));
    let of = |game: &str| -> u64 {
        let line = out.lines().find_map(|line| line.strip_prefix(game)).expect(game);
        number(line, "nodes").expect("a number of nodes")
    };
    assert_eq!(last(&out, "nodes"), of("chess: ") + of("draughts: ") + of("variants: "));
    assert_eq!(last(&out, "nodes"), last(&again, "nodes"), "the same signature each time");
    assert!(last(&out, "nps") > 1000);
    let chess = bench(&["4", "--game", "chess"]);
    assert_eq!(last(&chess, "nodes"), of("chess: "));
}

/// A dry run of make. `.ci/run` also builds the program with make.
#[test]
#[ignore = "needs make"]
fn make_builds_the_requested_program() {
    let mut make = Command::new("make");
    make.current_dir(root());
    make.args([
        "--dry-run",
        "-j",
        "EXE=Adoube-0123ABCD",
        "CXX=g++",
        "EVALFILE=/a/net",
        "CARGO=cargo",
    ]);
    let output = make.output().expect("make runs");
    let command = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(command.trim(), "cargo rustc --release --bin adoube -- --emit link=Adoube-0123ABCD");
}
