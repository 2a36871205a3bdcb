//! The commands `adoube suite` and `adoube perft`: output, errors, exit codes.

use crate::support::program::{PROGRAM, adoube, run};
use crate::support::runs::kill_when;
use serde_json::Value;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn suite(lines: &str) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("test.epd");
    fs::write(&path, lines).expect("written");
    let path = path.to_str().expect("plain");
    let (code, out, errors) = run(&["suite", path, "--nodes", "20000"], "");
    (code, out + &errors)
}

#[test]
fn correct_suite_exits_with_0() {
    let (code, out) = suite(
        "# comment\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - ;D1 20 ;D3 8902\n\
         6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8#; dm 1; id \"mate\";\n",
    );
    assert_eq!(code, Some(0), "{out}");
    assert!(out.contains("passed"), "{out}");
}

#[test]
fn names_failures_by_file_and_line_and_exits_with_1() {
    let (code, out) = suite(
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - D3 8901; id \"wrong\";\n\n\
         8/8 w - - D1 1;\n\
         rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - D1 20;\n",
    );
    assert_eq!(code, Some(1), "{out}");
    assert!(out.contains("test.epd:1: wrong: 8902 leaves at depth 3, not 8901"), "{out}");
    assert!(out.contains("test.epd:3: "), "{out}");
    assert!(!out.contains("test.epd:4"), "{out}");
}

#[test]
fn skips_files_without_checks() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).expect("written");
        path.to_str().expect("plain").to_owned()
    };
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    let openings = at("openings.epd", &format!("{start} id \"a\";\n{start}\n"));
    let counts = at("counts.epd", &format!("{start} D1 20;\n"));
    let mixed = at("mixed.epd", &format!("{start} D1 20;\n{start} id \"b\";\n"));
    // The moves in a book may be slightly worse than the best move, so a book is skipped.
    let book = at("book.epd", "# Good moves at draughts: adoube book\nW:W31-50:B1-20 bm 35-30;\n");
    let (code, out, errors) = run(&["suite", &openings, &counts, &book], "");
    assert_eq!(code, Some(0), "{out}{errors}");
    assert!(errors.contains("book.epd: skipped"), "{errors}");
    assert!(
        errors.contains("openings.epd: skipped: a book, or no record with a check"),
        "{errors}"
    );
    assert!(!out.contains("openings.epd"), "{out}");
    let (code, _, errors) = run(&["suite", &openings], "");
    assert!(code == Some(1) && errors.contains("nothing to check in these files"), "{errors}");
    // Lines without checks are reported, because the cause may be a typing error.
    let (code, out, errors) = run(&["suite", &mixed], "");
    assert_eq!(code, Some(0), "{out}{errors}");
    assert!(errors.contains("mixed.epd: 1 record without checks skipped"), "{errors}");
}

/// The mate takes 5 plies, and 20 nodes are too few to find it.
#[test]
fn hard_puzzles_get_the_nodes_of_their_record() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mate.epd");
    let record = "r1n1k3/2b5/1pbpBQ1p/4P3/p1P2Pp1/P1N5/3N2PP/R4RK1 w - - dm 3; acn 1500000;\n";
    fs::write(&path, record).expect("written");
    let path = path.to_str().expect("plain");
    let (code, out, _) = run(&["suite", path], "");
    assert_eq!(code, Some(0), "{out}");
    let (code, out, _) = run(&["suite", path, "--nodes", "20"], "");
    assert!(code == Some(1) && out.contains("expected mate in 3"), "{out}");
}

/// Every line and every failure is in exactly one shard.
#[test]
fn shards_of_suites_sum_to_the_whole() {
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
        assert_eq!((sum, &all), (counts, &failures), "{of} shards");
    }
}

#[test]
fn rejects_missing_and_empty_files() {
    let (code, _, errors) = run(&["suite", "no/such/file.epd"], "");
    assert!(code == Some(1) && errors.contains("no/such/file.epd"), "{errors}");
    let (code, out) = suite("# nothing\n");
    assert_eq!(code, Some(1), "{out}");
    assert!(out.contains("no EPD records"), "{out}");
}

#[test]
fn perft_counts_divides_and_rejects() {
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
    let counts = ["1/3", "2/3", "3/3"].map(|shard| {
        let (_, out, _) = run(&["perft", "4", "--shard", shard], "");
        assert!(out.starts_with(&format!("shard: {shard}\nnodes: ")), "{out}");
        out.lines().find_map(|line| line.strip_prefix("nodes: ")?.parse::<u64>().ok())
    });
    assert_eq!(counts.into_iter().sum::<Option<u64>>(), Some(197_281));
    let (code, _, errors) = run(&["perft", "1", "--shard", "4/3"], "");
    assert!(code != Some(0) && errors.contains("'4/3' is not a shard"), "{errors}");
    for (arguments, part) in [
        (&["perft", "1", "--fen", "8/8"][..], "ends before its last rows"),
        (&["perft", "1", "--fen", "960", "--chess960"][..], "no Chess960 start position 960"),
        (&["perft", "1", "--fen", "5"][..], "needs --chess960"),
        (&["perft", "1", "--hash", "99999999999"][..], "not enough memory"),
    ] {
        let (code, _, errors) = run(arguments, "");
        assert!(code == Some(1) && errors.contains(part), "{arguments:?}: {errors}");
    }
}

/// Writes a program for `--against` that counts like Adoube but omits two moves: `e1h1` in chess,
/// `28x19` in draughts.
fn forgetful(folder: &Path) -> String {
    let script = folder.join("forgetful.sh");
    let text = format!(
        "'{PROGRAM}' perft \"$2\" --chess960 --divide --fen \"$1\" | grep -v '^e1h1\\|^28x19'\n"
    );
    // In draughts, perft does not accept `--chess960`. A draughts FEN is recognized by the colon
    // after its first letter.
    let text = format!("case \"$1\" in ?:*) {};; *) {text};; esac", text.replace("--chess960", ""));
    fs::write(&script, text).expect("written");
    format!("sh '{}' {{fen}} {{depth}}", script.display())
}

const ROOKS: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -";

#[test]
fn another_engine_solves_the_puzzles() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name).to_str().expect("plain").to_owned();
    let (chess, draughts) = (at("c.epd"), at("d.epd"));
    let lines = "6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8#; dm 1; legal \"e1e2\"; id \"mate\";\n\
                 6k1/5ppp/8/8/8/8/8/R5K1 w - - am Ra8#; id \"no mate\";\n\
                 6k1/5ppp/8/8/8/8/8/R5K1 w - - D1 7;\n";
    fs::write(&chess, lines).expect("written");
    // The capture 28x8 is legal only in Frisian draughts.
    let lines = "W:W27,32:B21,22,11 bm 27x7;\nW:W28:B18:Vfrisian bm 28x8;\nW:W28:B23 bm 28x19;\n";
    fs::write(&draughts, lines).expect("written");
    let engine = ["--nodes", "2000", "--engine", &format!("cmd={PROGRAM},option.Hash=1")];
    let (code, out, errors) = run(&[&["suite", &chess], &engine[..]].concat(), "");
    assert_eq!(code, Some(1), "{out}{errors}");
    // With `--engine`, the operations `legal` and `D1` are not checked.
    assert!(out.contains("c.epd:2: no mate: played Ra8#"), "{out}");
    assert!(!out.contains("c.epd:1:") && !out.contains("c.epd:3:"), "{out}");
    let hub = ["--nodes", "2000", "--engine", &format!("{PROGRAM} hub")];
    let (code, out, errors) = run(&[&["suite", &draughts], &hub[..]].concat(), "");
    assert_eq!(code, Some(0), "{out}{errors}");
    let none = ["--engine", "/no/such/engine"];
    let (code, _, errors) = run(&[&["suite", &chess], &none[..]].concat(), "");
    assert!(code == Some(1) && errors.contains("/no/such/engine"), "{errors}");
}

/// The engine of this test crashes if the white rook is on a2.
#[cfg(unix)]
#[test]
fn failure_of_the_engine_fails_its_record_and_repeated_failures_end_the_suite() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name).to_str().expect("plain").to_owned();
    let (engine, suite) = (at("engine.sh"), at("m.epd"));
    let text = "while read -r line; do case \"$line\" in uci) echo uciok;; isready) echo readyok;;\n\
                position*/R7/*) bad=1;; position*) bad=;;\n\
                go*) if [ $bad ]; then exit 3; fi; echo bestmove a1a8;; quit) exit;; esac; done\n";
    fs::write(&engine, text).expect("written");
    let good = "6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8#;\n";
    let bad = "6k1/5ppp/8/8/8/8/R7/6K1 w - - bm Ra8#; id \"bad\";\n";
    let check = |lines: &[&str]| {
        fs::write(&suite, lines.concat()).expect("written");
        let engine = format!("sh '{engine}'");
        let args = ["suite", "--jobs", "1", "--nodes", "100", "--engine", &engine, &suite];
        let (code, out, errors) = run(&args, "");
        let row = out.lines().find(|line| line.contains("m.epd "));
        let row = row.unwrap_or_else(|| panic!("no row: {out}{errors}"));
        let counts = row.split_whitespace().skip(3).take(2).map(ToOwned::to_owned);
        (code, counts.collect::<Vec<_>>(), out, errors)
    };
    let (code, counts, out, errors) = check(&[good, bad, bad, good, bad]);
    assert_eq!((code, counts), (Some(1), vec!["2".into(), "3".into()]), "{out}{errors}");
    let reason = "m.epd:2: bad: the engine failed: ended with exit status 3 instead of sending";
    assert!(out.contains(reason) && errors.is_empty(), "{out}{errors}");
    let (code, counts, out, errors) = check(&[good, bad, bad, bad, good]);
    assert_eq!((code, counts), (Some(1), vec!["1".into(), "3".into()]), "{out}{errors}");
    assert!(out.contains("Stopped before all records were checked."), "{out}");
    assert!(errors.contains("': the engine failed on 3 consecutive records"), "{errors}");
}

/// In both games, Adoube's count for every perft line is compared with the count in the file and
/// with the count of the other program.
#[test]
fn finds_the_faults_of_another_program() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name).to_str().expect("plain").to_owned();
    let (chess, draughts) = (at("c.epd"), at("d.epd"));
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    let lines = format!(
        "{start} D1 20; D2 400;\n{ROOKS} D1 26; D2 568; id \"rooks\";\n{start} bm e4;\n\
         {start} D2 401;\n"
    );
    fs::write(&chess, lines).expect("written");
    fs::write(&draughts, "W:W31-50:B1-20 ;D1 9 ;D2 81\nW:W28,29:B23 ;D1 2\n").expect("written");
    let against = forgetful(folder.path());
    let (code, out, errors) = run(&["suite", &chess, &draughts, "--against", &against], "");
    assert_eq!(code, Some(1), "{out}{errors}");
    for part in [
        "c.epd:2: rooks: the two differ at depth 1\nmissing: e1g1, castling on the king's side\n",
        "Show the moves: adoube perft 1 --divide --fen 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1'\n",
        "c.epd:4: both count 400 leaves at depth 2, but the file says 401\n",
        "d.epd:2: the two differ at depth 1\nmissing: 28x19x23, capture of 1 by a man\n",
    ] {
        assert!(out.contains(part), "{part}: {out}");
    }
    let row = out.lines().find(|line| line.contains("c.epd ")).expect("a row");
    assert_eq!(row.split_whitespace().skip(1).collect::<Vec<_>>(), ["3", "1", "2", "420"]);

    let (code, out, _) = run(&["suite", &chess, &draughts, "--json", "--against", &against], "");
    let found: Value = serde_json::from_str(&out).expect("one object");
    assert_eq!((code, &found["agree"], &found["records"]), (Some(1), &false.into(), &5.into()));
    let rooks = &found["wrong"][0];
    assert_eq!(
        (&rooks["line"], &rooks["id"], &rooks["depth"]),
        (&2.into(), &"rooks".into(), &1.into())
    );
    assert_eq!(rooks["missing"][0]["kind"], "castling on the king's side");
    assert_eq!(found["wrong"][1]["expected"], 401);
    assert_eq!(found["wrong"][2]["missing"][0]["move"], "28x19x23");

    // At depth 0 there is no perft count to compare.
    let (code, _, errors) = run(&["suite", &chess, "--depth", "0", "--against", &against], "");
    assert_eq!(code, Some(1));
    assert!(errors.contains("there is no perft count"), "{errors}");
    // Adoube, run as a UCI engine, agrees with itself.
    let path = at("sound.epd");
    fs::write(&path, format!("{ROOKS} D1 26; D2 568; D3 13744;\n")).expect("written");
    let (code, out, errors) = run(&["suite", &path, "--against", PROGRAM], "");
    assert_eq!(code, Some(0), "{out}{errors}");
}

/// The engine of this test treats `go perft` as a search without limits.
#[cfg(unix)]
#[test]
fn engine_without_perft_is_reported_at_its_first_answer() {
    let folder = tempfile::tempdir().expect("a folder");
    let engine = folder.path().join("engine.sh");
    let text = "while read -r line; do case \"$line\" in uci) echo uciok;; isready) echo readyok;;\n\
                go*) echo 'info depth 1'; echo 'info depth 1 score cp 6 nodes 2 pv b1a3';;\n\
                quit) exit;; esac; done\n";
    fs::write(&engine, text).expect("written");
    let start = Instant::now();
    let command = format!("sh '{}'", engine.display());
    let (code, out, errors) = run(&["perft", "3", "--against", &command], "");
    assert_eq!((code, out.as_str()), (Some(1), ""));
    assert!(errors.contains("does not support 'go perft'"), "{errors}");
    assert!(errors.contains("--against \"PROGRAM {fen} {depth}\""), "{errors}");
    assert!(start.elapsed().as_secs() < 60);
}

#[test]
fn crash_of_the_other_program_is_reported_with_its_position() {
    let folder = tempfile::tempdir().expect("a folder");
    let engine = folder.path().join("engine.sh");
    let text = "while read -r line; do case \"$line\" in uci) echo uciok;; isready) echo readyok;;\n\
                go*) exit 3;; quit) exit;; esac; done\n";
    fs::write(&engine, text).expect("written");
    let command = format!("cmd=sh '{}',name=Crashy", engine.display());
    let (code, _, errors) = run(&["perft", "3", "--fen", ROOKS, "--against", &command], "");
    let expected =
        format!("error: Crashy: perft 3 of {ROOKS} failed: ended with exit status 3 instead");
    assert!(code == Some(1) && errors.contains(&expected), "{errors}");
    let program = "sh -c 'exit 3' {fen} {depth}";
    let (code, _, errors) = run(&["perft", "2", "--fen", ROOKS, "--against", program], "");
    let expected = format!("error: sh: perft 2 of {ROOKS} failed: ended with exit status: 3");
    assert!(code == Some(1) && errors.contains(&expected), "{errors}");
}

/// The program of this test fails if the white rook is on a2.
#[cfg(unix)]
#[test]
fn failure_of_the_other_program_fails_its_record_and_repeated_failures_end_the_comparison() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name).to_str().expect("plain").to_owned();
    let (script, suite) = (at("count.sh"), at("m.epd"));
    let text = "case \"$1\" in */R7/*) exit 3;; esac\nexec '{PROGRAM}' perft \"$2\" --divide --fen \"$1\"\n";
    fs::write(&script, text.replace("{PROGRAM}", PROGRAM)).expect("written");
    let good = "6k1/5ppp/8/8/8/8/8/R5K1 w - - D1 17;\n";
    let bad = "6k1/5ppp/8/8/8/8/R7/6K1 w - - D1 19; id \"bad\";\n";
    let compare = |lines: &[&str], json: &[&str]| {
        fs::write(&suite, lines.concat()).expect("written");
        let against = format!("sh '{script}' {{fen}} {{depth}}");
        run(&[&["suite", "--against", &against, &suite], json].concat(), "")
    };
    let (code, out, errors) = compare(&[good, bad, bad, good, bad], &[]);
    let row = out.lines().find(|line| line.contains("m.epd ")).expect("a row");
    let row: Vec<_> = row.split_whitespace().skip(1).collect();
    assert_eq!((code, &row[..]), (Some(1), &["5", "2", "3", "34"][..]), "{out}{errors}");
    assert!(
        out.contains("m.epd:2: bad: sh: perft 1 of 6k1/") && errors.is_empty(),
        "{out}{errors}"
    );
    let (_, out, _) = compare(&[good, bad], &["--json"]);
    let found: Value = serde_json::from_str(&out).expect("one object");
    assert_eq!(found["wrong"][0]["id"], "bad", "{out}");
    let (code, _, errors) = compare(&[bad, bad, bad, good], &[]);
    assert_eq!(code, Some(1), "{errors}");
    assert!(errors.contains("bad: the program failed on 3 consecutive records"), "{errors}");
}

#[test]
fn writes_comparisons_as_json() {
    let folder = tempfile::tempdir().expect("a folder");
    let json = |args: &[&str]| {
        let (code, out, errors) = run(&[&["perft", "--json"], args].concat(), "");
        let found: Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{out}{errors}"));
        (code, found)
    };
    let agreed = json(&["3", "--fen", ROOKS, "--against", PROGRAM]);
    let same = serde_json::json!({ "agree": true, "depth": 3, "leaves": 13744, "positions": 1 });
    assert_eq!(agreed, (Some(0), same));
    let against = forgetful(folder.path());
    let (code, found) = json(&["2", "--fen", ROOKS, "--against", &against]);
    assert_eq!((code, &found["agree"]), (Some(1), &false.into()));
    assert_eq!(found["missing"][0]["move"], "e1g1");
    assert_eq!(found["fen"], ROOKS);
    assert_eq!(found["command"], format!("adoube perft 1 --divide --fen '{ROOKS}'"));
    let (_, found) = json(&["1", "--fen", "W:W28,29:B23", "--against", &against]);
    assert_eq!(found["missing"][0]["kind"], "capture of 1 by a man");
}

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn lines(dir: &Path) -> usize {
    fs::read(dir.join("perft.txt")).map_or(0, |text| text.iter().filter(|&&b| b == b'\n').count())
}

/// No subtree is lost or counted twice, and the shards add up to the whole count.
#[test]
fn resumes_a_killed_count() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let count = |dir: &Path, more: &[&str]| {
        let mut command = adoube();
        command.args(["perft", "5", "--threads", "1", "--fen", KIWIPETE]).args(more);
        command.arg("--dir").arg(dir);
        command
    };
    let dir = at("half");
    // This count is slow enough to be killed early.
    let slow = &["--shard", "1/2", "--no-bulk"];
    let first = kill_when(&mut count(&dir, slow), 100, || lines(&dir));
    let file = OpenOptions::new().append(true).open(dir.join("perft.txt"));
    file.and_then(|mut file| file.write_all(b"e2a6 b4c3 12")).expect("written");
    let again = count(&dir, &["--shard", "1/2"]).output().expect("adoube runs");
    let (out, errors) =
        (String::from_utf8_lossy(&again.stdout), String::from_utf8_lossy(&again.stderr));
    assert!(
        errors.contains("the last line is incomplete; its subtree is counted again"),
        "{errors}"
    );
    assert!(out.contains("counted before: ") && again.status.success(), "{out}{errors}");
    assert!((100..1020).contains(&first) && lines(&dir) == 1 + 1020, "{first}");

    let refused = count(&dir, &["--shard", "2/2"]).output().expect("adoube runs");
    let errors = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(errors.contains("contains another count: chess, r3k2r/"), "{errors}");
    assert!(errors.contains("depth 5, shard 1/2; requested: "), "{errors}");

    let other = at("other");
    let merge = |dirs: &[&Path]| {
        let dirs: Vec<_> = dirs.iter().map(|dir| dir.to_str().expect("plain")).collect();
        run(&[&["perft", "merge"], &dirs[..]].concat(), "")
    };
    let (code, out, _) = merge(&[&dir]);
    assert_eq!(code, Some(1));
    assert!(out.starts_with("missing shards: 2/2\nnodes: at least "), "{out}");
    assert!(count(&other, &["--shard", "2/2"]).status().expect("adoube runs").success());
    assert_eq!(merge(&[&dir, &other]), (Some(0), "nodes: 193690690\n".into(), String::new()));
    let (code, _, errors) = merge(&[&dir, &dir]);
    assert!(code == Some(1) && errors.contains("are both shard 1/2"), "{errors}");
}

/// A count stopped before its first subtree is complete reports no number of nodes.
#[test]
fn stopped_count_of_nothing_prints_no_count() {
    let child = adoube().args(["perft", "30", "--threads", "1"]).stdout(Stdio::piped()).spawn();
    let child = child.expect("adoube runs");
    // Give the program time to install its signal handler and begin the count.
    std::thread::sleep(Duration::from_secs(2));
    let kill = Command::new("kill").arg("-INT").arg(child.id().to_string()).status();
    assert!(kill.expect("kill runs").success());
    let output = child.wait_with_output().expect("it ends");
    let out = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(130), "{out}");
    assert!(out.contains("the count is incomplete. 0 of "), "{out}");
    assert!(!out.contains("nodes:") && !out.contains("e2e4"), "{out}");
}

/// A signal ends a count cleanly; the output shows the progress and how to resume.
#[test]
fn interrupted_count_explains_how_to_resume() {
    let folder = tempfile::tempdir().expect("a folder");
    let dir = folder.path();
    for signal in ["-INT", "-TERM"] {
        let mut command = adoube();
        command.args(["perft", "8", "--threads", "2", "--dir"]).arg(dir);
        let child = command.stdout(Stdio::piped()).spawn().expect("adoube runs");
        let (before, deadline) = (lines(dir), Instant::now() + Duration::from_secs(60));
        while lines(dir) < before + 3 && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(1));
        }
        let kill = Command::new("kill").arg(signal).arg(child.id().to_string()).status();
        assert!(kill.expect("kill runs").success());
        let output = child.wait_with_output().expect("it ends");
        let out = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(130), "{out}");
        assert!(
            out.contains("moves are complete. Run the same command again to continue.\n"),
            "{out}"
        );
        assert!(lines(dir) >= before + 3);
    }
}
