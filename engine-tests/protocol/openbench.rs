//! Compatibility with the distributed tester OpenBench, which builds the engine with make, reads
//! speed and signature from the output of `bench`, and sets Threads and Hash.

use crate::support::program::{adoube, succeed};
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
    let version = succeed(&adoube().arg("--version").output().expect("adoube runs"));
    let warning = version.lines().nth(1).map_or(String::new(), |line| format!("warning: {line}\n"));
    let bench = |arguments: &[&str]| {
        let output = adoube().arg("bench").args(arguments).output().expect("adoube runs");
        assert!(output.status.success(), "{output:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), warning);
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

/// The test is compiled for the same processor as the program, so `cfg!` describes the program too.
#[test]
fn version_names_the_level_of_the_processor() {
    let version = succeed(&adoube().arg("--version").output().expect("adoube runs"));
    let (number, build) =
        version.lines().next().and_then(|line| line.split_once(" (")).expect("a level");
    assert_eq!(number, concat!("adoube ", env!("CARGO_PKG_VERSION")));
    if cfg!(target_arch = "x86_64") {
        assert!(build.starts_with("x86-64"), "{version}");
        assert_eq!(build.contains("-v4"), cfg!(target_feature = "avx512bw"), "{version}");
        let has_avx2 = ["-v3", "-v4", "AVX2"].iter().any(|part| build.contains(part));
        assert_eq!(has_avx2, cfg!(target_feature = "avx2"), "{version}");
        let advises_avx2 = version.lines().nth(1).is_some_and(|line| line.contains("AVX2,"));
        assert!(!(has_avx2 && advises_avx2), "{version}");
    }
    assert_eq!(succeed(&adoube().arg("-V").output().expect("adoube runs")).trim(), number);
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
