//! Matches that are played in shards and merged, and matches that end early because of a limit on
//! games or time.

use crate::support::mocks::{HUB, UCI};
use crate::support::program::{adoube, fail, succeed};
use crate::support::runs::{entries, kill_at, openings, resume};
use adoube::chess::Position;
use adoube::draughts;
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// Returns the command for a gauntlet with three random players, stored in a folder. `more`
/// contains further arguments.
fn gauntlet(dir: &Path, more: &[&str]) -> Command {
    let mut command = adoube();
    command.args(["match", "--nodes", "1", "--max-moves", "15", "--schedule", "gauntlet"]);
    command.args(["--openings", "random:4", "--seed", "3", "--games", "8"]);
    for name in ["a", "b", "c"] {
        command.args(["--engine", &UCI.describe(name, "slow")]);
    }
    command.arg("--dir").arg(dir).args(more);
    command
}

fn merge(dirs: &[&Path]) -> Command {
    let mut command = adoube();
    command.args(["match", "merge"]).args(dirs);
    command
}

#[test]
fn merges_shards_into_their_match() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let at = |name: &str| folder.path().join(name);
    let [whole, first, second, joined] = ["whole", "first", "second", "joined"].map(at);
    succeed(&gauntlet(&whole, &[]).output().expect("adoube runs"));
    // One shard is killed and resumed.
    let mut shard = gauntlet(&first, &["--shard", "1/2"]);
    assert!(kill_at(2, &first, &mut shard) < 8);
    succeed(&resume(&first).output().expect("adoube runs"));
    let second_shard = &["--concurrency", "2", "--shard=2/2"];
    succeed(&gauntlet(&second, second_shard).output().expect("adoube runs"));
    let numbers = |dir: &Path| entries(dir).iter().map(|e| e.game).collect::<BTreeSet<_>>();
    let pairs = |dir: &Path| numbers(dir).iter().map(|n| n / 2).collect::<BTreeSet<_>>();
    assert_eq!((pairs(&first), pairs(&second)), ([0, 2, 4, 6].into(), [1, 3, 5, 7].into()));

    let report = merge(&[&second, &first]).arg("--dir").arg(&joined).output();
    let report = succeed(&report.expect("adoube runs"));
    let row = report.lines().find(|line| line.starts_with("| a ")).expect("a row");
    assert!(row.contains(" 16 ") && !report.contains("missing"), "{report}");
    assert_eq!(
        entries(&joined).iter().map(|e| e.game).collect::<Vec<_>>(),
        (0..16).collect::<Vec<_>>()
    );
    let games = |dir: &Path| openings::<Position>(&dir.join("games.pgn"));
    assert_eq!(games(&joined), games(&whole));
    // The merged match is an ordinary match with nothing left to play.
    let again = succeed(&resume(&joined).output().expect("adoube runs"));
    assert_eq!((again, entries(&joined).len()), (report, 16));
}

#[test]
fn names_missing_shards_and_plays_them_after_resume() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let (shard, joined) = (folder.path().join("shard"), folder.path().join("joined"));
    assert!(kill_at(1, &shard, &mut gauntlet(&shard, &["--shard", "3/3"])) < 4);
    let here = entries(&shard).len();
    let report = merge(&[&shard]).arg("--dir").arg(&joined).output().expect("adoube runs");
    let missing = format!("{} of 16 games are missing; missing shards: 1/3, 2/3", 16 - here);
    assert!(succeed(&report).contains(&missing), "{missing}");
    succeed(&resume(&joined).output().expect("adoube runs"));
    assert_eq!(openings::<Position>(&joined.join("games.pgn")).len(), 16);
}

#[test]
fn rejects_shards_of_other_matches() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let at = |name: &str| folder.path().join(name);
    let engine = at("engine");
    let write_engine = |text: &str| {
        fs::write(&engine, text).expect("written");
        fs::set_permissions(&engine, fs::Permissions::from_mode(0o755)).expect("a program");
    };
    write_engine("#!/bin/sh\nexec /usr/bin/env \"$@\"\n");
    let play = |dir: &Path, games: &str, shard: &str| {
        let mut command = adoube();
        command.args(["match", "--nodes", "1", "--max-moves", "2", "--openings", "random:2"]);
        command.args(["--games", games, "--shard", shard, "--dir"]).arg(dir);
        for name in ["a", "b"] {
            let mock =
                UCI.describe(name, "random").replace("/usr/bin/env", &engine.to_string_lossy());
            command.args(["--engine", &mock]);
        }
        succeed(&command.output().expect("adoube runs"));
    };
    let [one, two, more, third] = ["one", "two", "more", "third"].map(at);
    play(&one, "4", "1/2");
    play(&two, "4", "2/2");
    play(&more, "6", "2/2");
    play(&third, "4", "3/3");
    succeed(&merge(&[&one, &two]).output().expect("adoube runs"));
    assert!(fail(&mut merge(&[&one, &two, &one])).contains("are both shard 1/2"));
    assert!(fail(&mut merge(&[&one, &more])).contains("--games: 6 instead of 4"));
    assert!(fail(&mut merge(&[&one, &third])).contains("is shard 3/3, but "));
    assert!(fail(&mut merge(&[&one, &at("none")])).contains("No such file"));
    let taken = fail(merge(&[&one, &two]).arg("--dir").arg(&one));
    assert!(taken.contains("already contains a match"), "{taken}");
    // Play shard 2 again with a changed engine file.
    fs::remove_dir_all(&two).expect("removed");
    write_engine("#!/bin/sh\n# New.\nexec /usr/bin/env \"$@\"\n");
    play(&two, "4", "2/2");
    assert!(fail(&mut merge(&[&one, &two])).contains("engine differs"));
    assert!(fail(&mut resume(&one)).contains("has changed since the match began"));
}

#[test]
fn rejects_unsupported_uses_of_sharding() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let dir = folder.path().join("match");
    let swiss = &["--shard", "1/2", "--schedule", "swiss"];
    let mut command = adoube();
    command.args(["match", "--nodes", "1", "--dir"]).arg(&dir).args(swiss);
    command.args([
        "--engine",
        &UCI.describe("a", "random"),
        "--engine",
        &UCI.describe("b", "random"),
    ]);
    assert!(fail(&mut command).contains("requires --schedule round-robin or gauntlet"));
    let mut command = adoube();
    command.args(["match", "--nodes", "1", "--shard", "1/2"]);
    command.args([
        "--engine",
        &UCI.describe("a", "random"),
        "--engine",
        &UCI.describe("b", "random"),
    ]);
    assert!(fail(&mut command).contains("--dir"));
    assert!(!dir.exists());
}

/// A decided SPRT stops a match that is not sharded, but does not stop a shard.
#[test]
fn sprt_does_not_stop_a_shard() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let play = |name: &str, shard: &str| {
        let dir = folder.path().join(name);
        let mut command = adoube();
        command.args(["match", "--nodes", "1", "--games", "40", "--openings", "random:2"]);
        command.args(["--sprt", "elo0=0 elo1=200 alpha=0.1 beta=0.1", "--shard", shard]);
        command.args(["--engine", &UCI.describe("a", "random")]);
        command.args(["--engine", &UCI.describe("b", "lie"), "--dir"]).arg(&dir);
        succeed(&command.output().expect("adoube runs"));
        entries(&dir).len()
    };
    assert!(play("whole", "1/1") < 20);
    assert_eq!((play("first", "1/2"), play("second", "2/2")), (20, 20));
    let dirs = ["first", "second"].map(|name| folder.path().join(name));
    let report = merge(&[&dirs[0], &dirs[1]]).output().expect("adoube runs");
    assert!(succeed(&report).contains("H1 accepted"));
}

#[test]
fn games_and_time_can_be_limited() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let play = |name: &str, more: &[&str]| {
        let dir = folder.path().join(name);
        let started = Instant::now();
        succeed(&gauntlet(&dir, more).output().expect("adoube runs"));
        (entries(&dir).len(), started.elapsed())
    };
    assert_eq!(play("games", &["--total-games", "5", "--repeat", "2", "--affinity", "all"]).0, 6);
    let pairs = openings::<Position>(&folder.path().join("games/games.pgn"));
    let books: BTreeSet<&Vec<String>> = pairs.values().map(|(_, book, _)| book).collect();
    assert_eq!(books.len(), 1, "two pairs of each encounter share an opening");
    let (games, time) = play("time", &["--max-time", "0.5", "--start-delay", "200"]);
    assert!((1..=3).contains(&games), "{games}");
    assert!(time > Duration::from_millis(400), "{time:?}");
    let refused = fail(&mut gauntlet(folder.path(), &["--affinity", "0", "--concurrency", "2"]));
    assert!(
        refused.contains("2 concurrent games need 2 processors, but only 1 can be used"),
        "{refused}"
    );
}

#[test]
fn draughts_supports_ballot_openings() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let dir = folder.path().join("match");
    let mut command = adoube();
    command.args([
        "match",
        "--game",
        "draughts",
        "--nodes",
        "1",
        "--games",
        "8",
        "--max-moves",
        "3",
    ]);
    command.args(["--openings", "ballot:3,window=40,nodes=1000", "--seed", "9"]);
    command.args([
        "--engine",
        &HUB.describe("a", "random"),
        "--engine",
        &HUB.describe("b", "random"),
    ]);
    command.arg("--dir").arg(&dir);
    let output = command.output().expect("adoube runs");
    succeed(&output);
    assert!(String::from_utf8_lossy(&output.stderr).contains(" openings"), "{output:?}");
    let games = openings::<draughts::Position>(&dir.join("games.pdn"));
    assert!(games.len() == 8 && games.values().all(|(_, book, _)| book.len() == 3), "{games:?}");
    let books: BTreeSet<&Vec<String>> = games.values().map(|(_, book, _)| book).collect();
    assert_eq!(books.len(), 4);
}
