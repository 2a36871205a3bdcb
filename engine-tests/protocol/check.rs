//! `adoube check`: accepts Adoube in both protocols, and detects faulty mock engines.

use crate::support::mocks::UCI;
use crate::support::program::{PROGRAM, adoube};

fn check(engine: &str, protocol: &str) -> (String, bool) {
    let output =
        adoube().args(["check", engine, "--proto", protocol]).output().expect("adoube runs");
    let text = String::from_utf8(output.stdout).expect("text");
    (text, output.status.success())
}

#[test]
fn own_engine_passes() {
    for (protocol, args, checks) in [("uci", "", 16), ("hub", " hub", 13)] {
        let (text, _) = check(&format!("'{PROGRAM}'{args}"), protocol);
        let findings: Vec<&str> = text.lines().filter(|line| !line.starts_with(' ')).collect();
        assert_eq!(findings.len(), checks + 1, "{text}");
        for finding in &findings[..checks] {
            // Timing is not tested, because other processes may be running.
            let timed = finding.contains("very short clocks");
            assert!(timed || finding.starts_with("ok "), "{text}");
        }
    }
}

#[test]
fn detects_misbehaving_engines() {
    for (behaviour, finding, line) in [
        (
            "lie:3",
            "FAILED  plays legal moves, ponder moves and lines: 'e2e5' is not a legal move",
            "< bestmove e2e5",
        ),
        (
            "crash:5",
            "FAILED  plays legal moves, ponder moves and lines: ended with exit status 3 instead",
            "! mock: out of cheese",
        ),
        (
            "twice",
            "FAILED  plays legal moves, ponder moves and lines: sent a second bestmove for one search",
            "< bestmove",
        ),
        (
            "wild",
            "FAILED  plays legal moves, ponder moves and lines: 'depth x' is not a valid number",
            "< info depth x pv",
        ),
        (
            "empty",
            "FAILED  plays legal moves, ponder moves and lines: '' is not a legal move",
            "< bestmove",
        ),
        (
            "good",
            "FAILED  go infinite waits for stop, also with one move only: 'bestmove",
            "> go infinite",
        ),
        ("good", "skipped plays Chess960: no option UCI_Chess960", "skipped gives as many lines"),
    ] {
        let (text, passed) = check(&UCI.describe("mock", behaviour), "uci");
        assert!(!passed, "{text}");
        assert!(text.lines().any(|found| found.starts_with(finding)), "{behaviour}: {text}");
        assert!(text.contains(line), "{behaviour}: {text}");
    }
}

/// Writes a shell script that acts as an engine, and returns the command that runs it. The script
/// answers `uci`. `cases` contains the shell cases for all other commands.
#[cfg(unix)]
fn script(folder: &std::path::Path, cases: &str) -> String {
    let path = folder.join("engine.sh");
    let text = format!(
        "while read -r line; do case \"$line\" in\n\
         uci) echo 'option name Ballast type check default true'; echo uciok;;\n\
         {cases}\nquit) exit;;\nesac; done\n"
    );
    std::fs::write(&path, text).expect("written");
    format!("sh '{}'", path.display())
}

#[cfg(unix)]
#[test]
fn gives_up_after_the_first_timeout_of_an_unready_engine() {
    let folder = tempfile::tempdir().expect("a folder");
    let start = std::time::Instant::now();
    let (text, passed) = check(&script(folder.path(), "isready) ;;"), "uci");
    assert!(!passed && text.contains("did not send readyok in time"), "{text}");
    assert_eq!((text.matches("FAILED").count(), text.contains("Ballast")), (1, false), "{text}");
    assert!(text.ends_with(": 0 passed, 1 failed, 0 skipped, 15 not run\n"), "{text}");
    // The program waits for a single timeout of 10 seconds, not for one timeout per check.
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

#[cfg(unix)]
#[test]
fn failed_limit_is_named_with_its_consequence() {
    let folder = tempfile::tempdir().expect("a folder");
    let cases = "isready) echo readyok;;\n\
                 'go nodes'*) echo 'info depth 9 nodes 100000'; echo bestmove e2e4;;\n\
                 'go depth'*) echo 'info depth 1 nodes 20'; echo bestmove e2e4;;";
    let engine = script(folder.path(), cases);
    let failed = "FAILED  obeys depth, nodes, movetime, mate and searchmoves: 'go nodes 5000' went to \
                  nodes 100000: it cannot play matches with --nodes";
    let output = adoube().args(["check", &engine, "--options"]).output().expect("adoube runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.lines().any(|line| line == failed), "{text}");
    assert!(text.contains("< option name Ballast"), "{text}");
}

#[cfg(unix)]
#[test]
fn names_all_malformed_options() {
    let folder = tempfile::tempdir().expect("a folder");
    let engine = script(folder.path(), "isready) echo readyok;;\ngo*) echo bestmove a1a1;;");
    let path = folder.path().join("engine.sh");
    let options = "echo 'id name A'; echo 'id author B'; \
                   echo 'option name X type spin default 5 min 1 max 3'; \
                   echo 'option name Y type check'; echo uciok;;";
    let text = std::fs::read_to_string(&path).expect("a script");
    std::fs::write(&path, text.replace("echo uciok;;", options)).expect("written");
    let (text, _) = check(&engine, "uci");
    assert!(text.contains("max 3' the default is out of range; in 'option name Y"), "{text}");
}

#[cfg(unix)]
#[test]
fn repeated_fault_has_one_transcript() {
    let folder = tempfile::tempdir().expect("a folder");
    let engine = script(folder.path(), "isready) echo readyok;;\ngo*) echo bestmove a1a1;;");
    let (text, _) = check(&engine, "uci");
    let fault =
        "'a1a1' is not a legal move in rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let first = format!("FAILED  plays legal moves, ponder moves and lines: {fault}");
    let again = format!(
        "FAILED  obeys depth, nodes, movetime, mate and searchmoves: {fault} (as in 'plays legal \
         moves, ponder moves and lines')"
    );
    let lines: Vec<&str> = text.lines().collect();
    let at = |line: &str| lines.iter().position(|found| *found == line);
    let (first, again) = (at(&first).expect(&text), at(&again).expect(&text));
    assert!(lines[first + 1].starts_with("        > uci"), "{text}");
    assert!(!lines[again + 1].starts_with(' '), "{text}");
}

#[cfg(unix)]
#[test]
fn shows_the_line_with_an_illegal_move() {
    let folder = tempfile::tempdir().expect("a folder");
    let go = "echo 'info depth 4 nodes 9 pv e2e4 e2e5 d7d5'; echo bestmove e2e4";
    let engine = script(folder.path(), &format!("isready) echo readyok;;\ngo*) {go};;"));
    let (text, _) = check(&engine, "uci");
    let fault =
        "lines: 'e2e5' is not a legal move in rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b";
    assert!(text.contains(fault), "{text}");
    assert!(text.contains(" (in a principal variation, pv)\n"), "{text}");
    assert!(text.contains("\n        < info depth 4 nodes 9 pv e2e4 e2e5 ...\n"), "{text}");
}

#[cfg(unix)]
#[test]
fn sets_the_options_and_limits_of_the_description() {
    let folder = tempfile::tempdir().expect("a folder");
    let engine = script(folder.path(), "isready) echo readyok;;\ngo*) echo bestmove a1a1;;");
    let run = |settings: &str| {
        let engine = format!("cmd={engine},{settings}");
        let output = adoube().args(["check", &engine]).output().expect("adoube runs");
        let [out, errors] =
            [output.stdout, output.stderr].map(|b| String::from_utf8(b).expect("text"));
        assert_eq!(output.status.code(), Some(1), "{out}{errors}");
        (out, errors)
    };
    let (text, _) = run("option.ballast=false,nodes=77");
    assert!(text.contains("> setoption name ballast value false\n"), "{text}");
    assert!(text.contains("> go nodes 77\n") && !text.contains("> go movetime 20"), "{text}");
    let (text, _) = run("tc=3+0.5");
    assert!(text.contains("> go wtime 3000 btime 3000 winc 500 binc 500\n"), "{text}");
    for (settings, error) in [
        ("option.Balast=true", "has no option Balast; did you mean Ballast?"),
        ("option.Ballast=much", "Ballast=much: the engine expects true or false"),
    ] {
        let (text, errors) = run(settings);
        assert!(text.is_empty() && errors.contains(error), "{text}{errors}");
    }
}

#[cfg(unix)]
#[test]
fn rejects_a_combo_default_that_is_not_a_value() {
    let folder = tempfile::tempdir().expect("a folder");
    let option = "option name Style type combo default Wild var Solid var Risky";
    let engine = script(folder.path(), "isready) echo readyok;;\ngo*) exit;;");
    let path = folder.path().join("engine.sh");
    let text = std::fs::read_to_string(&path).expect("a script");
    let text = text.replace(
        "uci) echo",
        &format!("uci) echo id name x; echo id author x; echo '{option}'; echo"),
    );
    std::fs::write(&path, text).expect("written");
    let (text, _) = check(&engine, "uci");
    let fault = format!("options: in '{option}' the default is not one of the values (var)\n");
    assert!(text.contains(&fault), "{text}");
}

#[test]
fn rejects_programs_that_cannot_run() {
    for (engine, part) in [
        ("/nonexistent/engine", "cannot run /nonexistent/engine"),
        ("'unclosed", "unbalanced quotes in the command"),
        ("cmd=x,colour=red", "unknown key 'colour': give cmd"),
    ] {
        let output = adoube().args(["check", engine]).output().expect("adoube runs");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && output.stdout.is_empty(), "{error}");
        assert!(error.contains(part), "{error}");
    }
}
