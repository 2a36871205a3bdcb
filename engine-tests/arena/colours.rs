//! Who has White (Par. 11; Art. 11): the players alternate from game to game, whatever the results, and
//! games that do not count change nothing about it.
//!
//! The editions annul a game for a wrong set-up or a position that is lost, which cannot happen between
//! engines. The arena's own game that does not count is the one that is broken off: it has no result,
//! and is begun again when the match goes on.

use crate::support::mocks::{HUB, Mocks, UCI};
use crate::support::program::{adoube, succeed};
use crate::support::runs::{self, entries, resume};
use adoube::arena::show::events::JsonEvent;
use adoube::laws::edition::Edition;
use adoube::laws::rule::Rule;
use adoube::record::games::{Reader, Record, Recorded};
use std::fs;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// White's name and the result of each game of a file of records, by the games' numbers.
fn whites<G: Recorded>(records: &str) -> Vec<(String, String)> {
    let mut games: Vec<(u32, String, String)> = Reader::<G, _>::new(records.as_bytes())
        .map(|record| {
            let record: Record<G> = record.expect("a whole record");
            let number = record.tag("Round").and_then(|n| n.parse().ok()).expect("a number");
            (number, record.tag("White").expect("a name").to_owned(), record.result.to_string())
        })
        .collect();
    games.sort();
    games.into_iter().map(|(_, white, result)| (white, result)).collect()
}

/// The second player loses every game, with either colour.
fn alternate<G: Recorded>(mocks: &Mocks, won: [&str; 2]) {
    let args = ["--games", "6", "--nodes", "1", "--openings", "random:4", "--concurrency", "2"];
    let played = mocks.play("random", "lie", &args);
    let expected = [("first", won[0]), ("second", won[1])];
    let expected = expected.map(|(white, result)| (white.to_owned(), result.to_owned()));
    let expected: Vec<_> = expected.into_iter().cycle().take(6).collect();
    assert_eq!(whites::<G>(&played.games), expected, "{}", played.log());
}

#[test]
fn p_03_colours_alternate_from_game_to_game() {
    assert!([Edition::Fide1928, Edition::Fide1930].iter().all(|e| e.has(Rule::Colours)));
    alternate::<adoube::chess::Position>(&UCI, ["1-0", "0-1"]);
    alternate::<adoube::draughts::Position>(&HUB, ["2-0", "0-2"]);
}

/// Waits until the second of two players' games has begun, breaks the match off by signals, and
/// checks that this game is played again with the same colours.
fn broken_off(signals: &[&str]) {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let (dir, events) = (folder.path().join("match"), folder.path().join("events.jsonl"));
    let mut child = adoube()
        .args(["match", "--nodes", "1", "--games", "4", "--max-moves", "4"])
        .args(["--openings", "random:2", "--concurrency", "1"])
        .args(["--engine", &UCI.describe("a", "random"), "--engine", &UCI.describe("b", "late")])
        .arg("--dir")
        .arg(&dir)
        .arg("--events")
        .arg(&events)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("adoube runs");
    let started = |game: usize| {
        let told = |event: &JsonEvent| matches!(event, JsonEvent::GameStarted { game: n, .. } if *n == game);
        runs::events(&events).into_iter().filter(told).collect::<Vec<_>>()
    };
    // A game is in the journal a moment after the next one has begun.
    let is_kept = || fs::read(dir.join("games.jsonl")).is_ok_and(|text| text.ends_with(b"\n"));
    let deadline = Instant::now() + Duration::from_secs(60);
    while started(2).is_empty() || !is_kept() {
        assert!(Instant::now() < deadline, "the second game does not begin");
        thread::sleep(Duration::from_millis(5));
    }
    for signal in signals {
        let kill = Command::new("kill").arg(signal).arg(child.id().to_string()).status();
        assert!(kill.expect("kill runs").success());
        thread::sleep(Duration::from_millis(50));
    }
    child.wait().expect("it has ended");
    assert_eq!(entries(&dir).len(), 1, "the second game does not count");

    succeed(&resume(&dir).output().expect("adoube runs"));
    let mut games = entries(&dir);
    games.sort_by_key(|entry| entry.game);
    let colours: Vec<_> =
        games.iter().map(|entry| (entry.game, entry.white, entry.black)).collect();
    assert_eq!(colours, [(0, 0, 1), (1, 1, 0), (2, 0, 1), (3, 1, 0)]);
    let begun = started(2);
    assert!(begun.len() == 2 && begun[0] == begun[1], "begun again as it was: {begun:?}");
}

#[cfg(unix)]
#[test]
fn i_10_a_game_that_is_killed_does_not_count_for_the_colours() {
    broken_off(&["-KILL"]);
}

/// The first interrupt lets the running games end, the second breaks them off.
#[cfg(unix)]
#[test]
fn i_10_a_game_that_is_broken_off_does_not_count_for_the_colours() {
    broken_off(&["-INT", "-INT"]);
}
