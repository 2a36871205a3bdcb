//! Engines that crash, stall, are late or babble, in both games: the faults of which no protocol and no
//! game knows more than another.

use crate::support::mocks::{FOUR, HUB, Mocks, UCI};
use crate::support::program::adoube;
use std::time::Duration;

fn crash(mocks: &Mocks) {
    let played = mocks.loses("crash:3", 6, "abandoned", &FOUR);
    assert!(played.log().contains("! mock: out of cheese"), "{}", played.log());
}

#[test]
fn crashed_engine_loses_and_restarts() {
    crash(&UCI);
    crash(&HUB);
}

#[test]
fn late_engine_loses_on_time_and_plays_on() {
    let args = ["--games", "4", "--tc", "0.3", "--openings", "random:2"];
    for mocks in [&UCI, &HUB] {
        mocks.loses("late:2", 4, "time forfeit", &args);
    }
}

fn play_on(mocks: &Mocks, behaviour: &str) {
    let played = mocks.play("random", behaviour, &FOUR);
    assert_eq!(played.row("second")[4..], [0; 4], "{behaviour}\n{}", played.log());
    assert_eq!(played.row("second")[0], 4);
}

/// A line of Hub with a quote that never ends is no Hub and says nothing; what follows counts.
#[test]
fn tolerates_repeated_answers_and_noise() {
    for behaviour in ["twice:2", "babble"] {
        play_on(&UCI, behaviour);
        play_on(&HUB, behaviour);
    }
    play_on(&HUB, "nonsense");
}

/// A stalled engine is waited for after its flag has fallen (ten seconds), then killed.
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

/// Engines of either game, and what is said of each.
#[test]
fn names_unusable_engines_before_the_first_game() {
    let engines = |mocks: &Mocks, answer| {
        [
            ("cmd=/nonexistent/engine".to_owned(), "/nonexistent/engine"),
            (mocks.describe("wanderer", "x").replace("--exact", "--list"), answer),
        ]
    };
    let uci =
        [&engines(&UCI, "uciok")[..], &[("name=nobody".to_owned(), "no engine command: give cmd=PROGRAM")]];
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
