//! Colours (1928, Par. 11; 1930, Art. 11): players alternate colours from game to game, whatever
//! the results. Games that do not count are ignored.
//!
//! These editions annul a game if it was set up wrongly or if its position cannot be restored.
//! Neither happens between engines. In the arena, an aborted game does not count: it has no result,
//! and is played again when the match is resumed.

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

/// Returns White's name and the result of each game, ordered by game number.
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

/// Checks that colours alternate even if the second player loses every game.
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

/// Aborts a match with signals after its second game has started, and checks that this game is
/// played again with the same colours.
fn aborts_and_resumes(signals: &[&str]) {
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
        let matching = |event: &JsonEvent| matches!(event, JsonEvent::GameStarted { game: n, .. } if *n == game);
        runs::events(&events).into_iter().filter(matching).collect::<Vec<_>>()
    };
    // A game is written to the journal shortly after the next game has started.
    let is_stored = || fs::read(dir.join("games.jsonl")).is_ok_and(|text| text.ends_with(b"\n"));
    let deadline = Instant::now() + Duration::from_secs(60);
    while started(2).is_empty() || !is_stored() {
        assert!(Instant::now() < deadline, "the second game does not start");
        thread::sleep(Duration::from_millis(5));
    }
    for signal in signals {
        let kill = Command::new("kill").arg(signal).arg(child.id().to_string()).status();
        assert!(kill.expect("kill runs").success());
        thread::sleep(Duration::from_millis(50));
    }
    child.wait().expect("adoube exits");
    assert_eq!(entries(&dir).len(), 1, "the second game does not count");

    succeed(&resume(&dir).output().expect("adoube runs"));
    let mut games = entries(&dir);
    games.sort_by_key(|entry| entry.game);
    let colours: Vec<_> =
        games.iter().map(|entry| (entry.game, entry.white, entry.black)).collect();
    assert_eq!(colours, [(0, 0, 1), (1, 1, 0), (2, 0, 1), (3, 1, 0)]);
    let started = started(2);
    assert!(started.len() == 2 && started[0] == started[1], "restarted unchanged: {started:?}");
}

#[cfg(unix)]
#[test]
fn i_10_a_killed_game_does_not_count_for_the_colours() {
    aborts_and_resumes(&["-KILL"]);
}

/// The first interrupt lets the running games finish, and the second aborts them.
#[cfg(unix)]
#[test]
fn i_10_an_aborted_game_does_not_count_for_the_colours() {
    aborts_and_resumes(&["-INT", "-INT"]);
}
