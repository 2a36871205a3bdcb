//! `adoube suite` and `adoube perft` as a user runs them: output, errors, exit codes.

use crate::support::program::run;
use std::fs;
use std::path::Path;

/// Runs a suite of these lines.
fn suite(lines: &str) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("test.epd");
    fs::write(&path, lines).expect("written");
    let path = path.to_str().expect("plain");
    let (code, out, errors) = run(&["suite", path, "--nodes", "20000"], "");
    (code, out + &errors)
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

/// Each line is in one share, whichever file it is in; so is what fails.
#[test]
fn shares_of_suites_are_the_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let (chess, draughts) = (folder.path().join("c.epd"), folder.path().join("d.epd"));
    let line = |n| format!("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - D1 {n};\n");
    fs::write(&chess, line(20) + "8/8 w - - D1 1;\n" + &line(21) + &line(20)).expect("written");
    let line = |n| format!("W:W31-50:B1-20 D1 {n};\n");
    fs::write(&draughts, line(9) + &line(8) + &line(9)).expect("written");
    let path = |path: &Path| path.to_str().expect("plain").to_owned();
    let (chess, draughts) = (path(&chess), path(&draughts));
    let check = |shard: &str| {
        let (code, out, _) = run(&["suite", "--shard", shard, &chess, &draughts], "");
        let (mut counts, mut failures) = ([0; 3], Vec::new());
        for line in out.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            match words[..] {
                [file, records, _, passed, failed, ..] if file.ends_with(".epd") => {
                    for (sum, n) in counts.iter_mut().zip([records, passed, failed]) {
                        *sum += n.parse::<usize>().expect("a number");
                    }
                }
                _ if line.contains(".epd:") => failures.push(line.to_owned()),
                _ => {}
            }
        }
        assert_eq!(code, Some(i32::from(!failures.is_empty())), "{out}");
        (counts, failures)
    };
    let (counts, mut failures) = check("1/1");
    assert_eq!((counts, failures.len()), ([6, 4, 3], 3));
    failures.sort();
    for of in [2, 3, 8] {
        let (mut sum, mut all) = ([0; 3], Vec::new());
        for i in 1..=of {
            let (counts, failures) = check(&format!("{i}/{of}"));
            sum.iter_mut().zip(counts).for_each(|(sum, n)| *sum += n);
            all.extend(failures);
        }
        all.sort();
        assert_eq!((sum, &all), (counts, &failures), "{of} shares");
    }
}

#[test]
fn a_missing_or_empty_file_is_an_error() {
    let (code, _, errors) = run(&["suite", "no/such/file.epd"], "");
    assert!(code == Some(1) && errors.contains("no/such/file.epd"), "{errors}");
    let (code, out) = suite("# nothing\n");
    assert_eq!(code, Some(1), "{out}");
    assert!(out.contains("there is no record in it"), "{out}");
}

#[test]
fn perft_counts_divides_and_refuses() {
    let (code, out, _) = run(&["perft", "3", "--divide"], "");
    assert_eq!(code, Some(0), "{out}");
    let lines: Vec<_> = out.lines().collect();
    assert_eq!(lines[..2], ["a2a3: 380", "a2a4: 420"]);
    assert!(out.contains("nodes: 8902"), "{out}");
    let position = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
    for (arguments, part) in [
        (&["perft", "1", "--divide", "--fen", position][..], "e1g1: 1"),
        (&["perft", "1", "--divide", "--chess960", "--fen", position][..], "e1h1: 1"),
        (&["perft", "4", "--no-bulk", "--hash", "1", "--threads", "3"][..], "nodes: 197281"),
        (&["perft", "4", "--chess960", "--fen", "518"][..], "nodes: 197281"),
        (&["perft", "3", "--shard", "20/20", "--game", "draughts"][..], "nodes: 0"),
        (&["perft", "2", "--json"][..], r#"{"complete":true,"move":"a2a3","nodes":20}"#),
        (&["perft", "3", "--detail"][..], "8902"),
        (&["perft", "3", "--detail", "--json"][..], r#""captures":34,"castling":0,"checks":12"#),
    ] {
        let (_, out, errors) = run(arguments, "");
        assert!(out.contains(part), "{arguments:?}: {out}{errors}");
    }
    let shares = ["1/3", "2/3", "3/3"].map(|share| {
        let (_, out, _) = run(&["perft", "4", "--shard", share], "");
        assert!(out.starts_with(&format!("share: {share}\nnodes: ")), "{out}");
        out.lines().find_map(|line| line.strip_prefix("nodes: ")?.parse::<u64>().ok())
    });
    assert_eq!(shares.into_iter().sum::<Option<u64>>(), Some(197_281));
    let (code, _, errors) = run(&["perft", "1", "--shard", "4/3"], "");
    assert!(code != Some(0) && errors.contains("'4/3' is no share"), "{errors}");
    for (arguments, part) in [
        (&["perft", "1", "--fen", "8/8"][..], "ends before its last rows"),
        (&["perft", "1", "--fen", "960", "--chess960"][..], "no Chess960 start 960"),
        (&["perft", "1", "--fen", "5"][..], "with --chess960"),
        (&["perft", "1", "--hash", "99999999999"][..], "no memory"),
    ] {
        let (code, _, errors) = run(arguments, "");
        assert!(code == Some(1) && errors.contains(part), "{arguments:?}: {errors}");
    }
}
