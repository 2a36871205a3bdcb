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
            "FAILED  plays legal moves, ponder moves and lines: ended while",
            "! mock: out of cheese",
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
