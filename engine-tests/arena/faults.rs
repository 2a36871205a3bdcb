//! Engine faults that are the same in every protocol: crashes, stalls, losses on time and noise, in
//! both games.

use crate::support::mocks::{FOUR, HUB, Mocks, UCI};
use crate::support::program::{adoube, fail};
use crate::support::runs;
use adoube::arena::engine::warning::WarningKind;
use adoube::arena::show::events::JsonEvent;
use std::time::Duration;

fn crash(mocks: &Mocks) {
    let played = mocks.loses("crash:3", 6, "abandoned", &FOUR);
    let log = played.log();
    assert!(log.contains("! mock: out of cheese"), "{log}");
    assert!(log.contains("the engine ended with exit status 3 instead of sending"), "{log}");
    // The move number includes the two moves of the opening.
    assert_eq!(log.matches(", move 5)").count(), 4, "{log}");
}

#[test]
fn crashed_engine_loses_and_restarts() {
    crash(&UCI);
    crash(&HUB);
}

#[test]
fn late_engine_loses_on_time_and_keeps_running() {
    let args = ["--games", "4", "--tc", "0.3", "--openings", "random:2"];
    for mocks in [&UCI, &HUB] {
        mocks.loses("late:2", 4, "time forfeit", &args);
    }
}

fn is_tolerated(mocks: &Mocks, behaviour: &str) {
    let played = mocks.play("random", behaviour, &FOUR);
    assert_eq!(played.row("second")[4..], [0; 4], "{behaviour}\n{}", played.log());
    assert_eq!(played.row("second")[0], 4);
}

/// A Hub line with an unclosed quote is ignored, but the following lines are still processed.
#[test]
fn tolerates_repeated_answers_and_noise() {
    for behaviour in ["twice:2", "babble"] {
        is_tolerated(&UCI, behaviour);
        is_tolerated(&HUB, behaviour);
    }
    is_tolerated(&HUB, "nonsense");
}

/// The arena waits ten seconds for a stalled engine after its flag has fallen, then kills it.
fn stall(mocks: &Mocks) {
    let args = ["--games", "4", "--concurrency", "4", "--tc", "0.5", "--openings", "random:2"];
    let played = mocks.loses("stall:2", 7, "abandoned", &args);
    assert!(played.elapsed < Duration::from_secs(40), "{:?}", played.elapsed);
}

#[test]
fn kills_stalled_engines() {
    stall(&UCI);
}

#[test]
fn kills_stalled_draughts_engines() {
    stall(&HUB);
}

#[test]
fn names_unusable_engines_before_the_first_game() {
    let engines = |mocks: &Mocks, answer| {
        [
            ("cmd=/nonexistent/engine".to_owned(), "/nonexistent/engine"),
            (mocks.describe("wanderer", "x").replace("--exact", "--list"), answer),
        ]
    };
    let uci = [
        &engines(&UCI, "uciok")[..],
        &[("name=nobody".to_owned(), "no engine command: give cmd=PROGRAM")],
    ];
    let hub = [
        &engines(&HUB, "wait")[..],
        &[
            (HUB.describe("asks", "asks"), "ready"),
            (format!("{},proto=uci", HUB.describe("other", "x")), "not played over UCI"),
        ],
    ];
    for (mocks, engines) in [(&UCI, uci.concat()), (&HUB, hub.concat())] {
        let fine = mocks.describe("fine", "random");
        for (engine, error) in engines {
            let output = adoube()
                .args(["match", "--tc", "1", "--engine", &fine, "--engine", &engine])
                .args(mocks.args)
                .output()
                .expect("adoube runs");
            let log = String::from_utf8_lossy(&output.stderr);
            assert!(!output.status.success() && log.contains(error), "{engine}: {log}");
            assert!(output.stdout.is_empty());
        }
    }
}

#[test]
fn reports_rejected_settings_before_the_first_game() {
    let program = adoube().get_program().to_string_lossy().into_owned();
    for (engine, game) in [
        (format!("cmd={program},name=a,option.EvalFile=/none"), "chess"),
        (format!("cmd={program} hub,name=a,option.eval-file=/none"), "draughts"),
    ] {
        let other = engine.replace(",name=a", ",name=b").replace("=/none", "=");
        let arguments = ["match", "--nodes", "10", "--games", "2", "--game", game];
        let error = fail(adoube().args(arguments).args(["--engine", &other, "--engine", &engine]));
        assert!(error.contains("cannot use its settings") && error.contains("/none: "), "{error}");
    }
}

#[test]
fn warns_of_engines_that_ignore_a_node_limit() {
    let endless = UCI.describe("endless", "late:1");
    let fine = UCI.describe("fine", "random");
    let output = adoube()
        .args(["match", "--nodes", "10", "--games", "2", "--patience", "0.2"])
        .args(["--max-moves", "4", "--engine", &fine, "--engine", &endless])
        .output()
        .expect("adoube runs");
    let log = String::from_utf8_lossy(&output.stderr);
    assert_eq!(log.matches("endless ignores its limit").count(), 1, "{log}");
}

#[test]
fn warns_once_of_illegal_lines_and_malformed_numbers() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let path = dir.path().join("events.jsonl");
    let args = ["--events", path.to_str().expect("UTF-8")];
    let played = UCI.play("random", "wild:2", &[&FOUR[..], &args].concat());
    let log = played.log();
    assert_eq!(played.row("second")[0], 4, "{log}");
    let events = runs::events(&path);
    let ended = events.iter().position(|event| matches!(event, JsonEvent::GameEnded { .. }));
    for (expected, text) in [
        (WarningKind::MalformedNumber, "sent the malformed number 'depth x': info"),
        (WarningKind::IllegalVariation, "sent the illegal move 'a1a1' in"),
    ] {
        let lines: Vec<&str> = log.lines().filter(|line| line.contains(text)).collect();
        let [line] = lines[..] else { panic!("{log}") };
        assert!(line.starts_with("warning: game ") && line.contains(": second sent "), "{log}");
        let is_warning = |event: &JsonEvent| {
            matches!(event, JsonEvent::EngineWarning { engine, kind, .. }
                if engine == "second" && *kind == expected)
        };
        let first = events.iter().position(is_warning);
        assert!(first.is_some() && first < ended, "{expected:?}: {events:?}");
    }
    assert!(log.contains(" a1a1 ... (reported once)"), "{log}");
}

#[test]
fn patience_also_limits_the_time_after_stop() {
    let args = ["--games", "2", "--nodes", "10", "--patience", "1", "--openings", "random:2"];
    let played = UCI.play("random", "stall:2", &args);
    assert_eq!(played.row("second")[7], 2, "{}", played.log());
    // Each game takes 1 s for the move and 1 s after `stop`. The limit allows for a busy machine.
    assert!(played.elapsed < Duration::from_secs(12), "{:?}", played.elapsed);
}
