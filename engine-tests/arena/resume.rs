//! Matches that are killed at any moment and resumed: no game is lost, counted twice, or restarted
//! from another opening.

use crate::support::mocks::{HUB, UCI};
use crate::support::program::{adoube, fail, succeed};
use crate::support::runs::{entries, kill_at, openings, resume};
use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;

#[test]
fn resumed_match_equals_an_uninterrupted_match() {
    const GAMES: usize = 60;
    let folder = tempfile::tempdir().expect("a temporary directory");
    let (whole, killed) = (folder.path().join("whole"), folder.path().join("killed"));
    let start = |dir: &Path| {
        let mut command = adoube();
        command
            .args(["match", "--concurrency", "2", "--nodes", "1", "--max-moves", "20"])
            .args(["--games", "60", "--openings", "random:6", "--seed", "5"])
            .args([
                "--engine",
                &UCI.describe("a", "slow"),
                "--engine",
                &UCI.describe("b", "lie:15"),
            ])
            .arg("--dir")
            .arg(dir);
        command
    };
    succeed(&start(&whole).output().expect("adoube runs"));

    let mut before = kill_at(5, &killed, &mut start(&killed));
    for games in [15, 25, 40] {
        // Append a partial line, as left by a full disk or a kill during a write.
        for (name, rest) in
            [("games.jsonl", "{\"game\":3,"), ("games.pgn", "[Event \"half\"]\n\n1. e")]
        {
            let file = OpenOptions::new().append(true).open(killed.join(name));
            file.and_then(|mut file| file.write_all(rest.as_bytes())).expect("written");
        }
        let now = kill_at(games, &killed, &mut resume(&killed));
        assert!(now >= games.max(before) && now < GAMES, "{before}, then {now}");
        before = now;
    }
    let report = succeed(&resume(&killed).output().expect("adoube runs"));

    let numbers: BTreeSet<usize> = entries(&killed).iter().map(|entry| entry.game).collect();
    assert_eq!((entries(&killed).len(), numbers), (GAMES, (0..GAMES).collect()));
    type Position = adoube::chess::Position;
    let expected = openings::<Position>(&whole.join("games.pgn"));
    assert_eq!(expected.len(), GAMES);
    assert_eq!(openings::<Position>(&killed.join("games.pgn")), expected);
    // The score includes the games before the kill.
    let points: usize = entries(&killed)
        .iter()
        .map(|entry| if entry.white == 0 { entry.score.white } else { 2 - entry.score.white })
        .sum();
    let score = format!("{:.1}%", 100.0 * points as f64 / 120.0);
    let row = report.lines().find(|line| line.starts_with("| a ")).expect("a row");
    assert!(row.contains(" 60 ") && row.contains(&score), "{score} in {row}");

    // A second resume has nothing left to play.
    let again = succeed(&resume(&killed).output().expect("adoube runs"));
    assert_eq!((again, entries(&killed).len()), (report, GAMES));
}

/// The pairings of a Swiss tournament also depend on the games before the kill.
#[test]
fn resumes_a_killed_draughts_tournament() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let dir = folder.path().join("swiss");
    let mut command = adoube();
    command.args(["match", "--game", "draughts", "--schedule", "swiss", "--rounds", "3"]);
    command.args(["--games", "6", "--nodes", "1", "--openings", "random:4", "--max-moves", "20"]);
    for name in ["a", "b", "c", "d"] {
        command.args(["--engine", &HUB.describe(name, "slow")]);
    }
    command.arg("--dir").arg(&dir);
    assert!(kill_at(8, &dir, &mut command) < 36);
    assert!(kill_at(20, &dir, &mut resume(&dir)) < 36);
    succeed(&resume(&dir).output().expect("adoube runs"));
    let entries = entries(&dir);
    assert_eq!(entries.iter().map(|e| e.game).collect::<BTreeSet<_>>(), (0..36).collect());
    assert_eq!(openings::<adoube::draughts::Position>(&dir.join("games.pdn")).len(), 36);
    let met: BTreeSet<(usize, usize)> =
        entries.iter().map(|e| (e.white.min(e.black), e.white.max(e.black))).collect();
    assert_eq!(met.len(), 6, "four players all meet in three rounds");
}

#[test]
fn explains_why_a_match_cannot_resume() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let dir = folder.path().join("match");
    let file = folder.path().join("openings.epd");
    fs::write(&file, "7k/8/8/8/8/8/8/RQ5K w - - 0 1\n").expect("written");
    let start = || {
        let mut command = adoube();
        command.args(["match", "--games", "2", "--nodes", "1", "--max-moves", "2", "--openings"]);
        command.arg(&file).args(["--engine", &UCI.describe("a", "random")]);
        command.args(["--engine", &UCI.describe("b", "random"), "--dir"]).arg(&dir);
        command
    };
    assert!(fail(&mut resume(&dir)).contains("No such file"));
    succeed(&start().output().expect("adoube runs"));
    assert!(fail(&mut start()).contains("holds a match already"));
    fs::write(&file, "7k/8/8/8/8/8/8/R6K w - - 0 1\n").expect("written");
    assert!(fail(&mut resume(&dir)).contains("is not what it was when the match began"));
    fs::remove_file(&file).expect("removed");
    assert!(fail(&mut resume(&dir)).contains("openings.epd"));
    fs::write(&file, "7k/8/8/8/8/8/8/RQ5K w - - 0 1\n").expect("written");
    let journal = dir.join("games.jsonl");
    let lines = fs::read_to_string(&journal).expect("a journal");
    fs::write(&journal, lines.replace("RQ5K", "R6K")).expect("written");
    assert!(fail(&mut resume(&dir)).contains("this build makes other random openings"));
    let twice = format!("{lines}{lines}");
    fs::write(&journal, &twice).expect("written");
    assert!(fail(&mut resume(&dir)).contains("its record ends before the one before"));
    // The last game is repeated, with its record.
    let records = dir.join("games.pgn");
    let text = fs::read_to_string(&records).expect("records");
    let entries: Vec<serde_json::Value> =
        lines.lines().map(|line| serde_json::from_str(line).expect("an entry")).collect();
    let [first, last] = &entries[..] else { panic!("{entries:?}") };
    let (from, to) = (first["records"].as_u64(), last["records"].as_u64());
    let (from, to) = (from.expect("a length") as usize, to.expect("a length") as usize);
    let mut again = last.clone();
    again["records"] = (2 * to - from).into();
    fs::write(&journal, format!("{lines}{again}\n")).expect("written");
    fs::write(&records, format!("{text}{}", &text[from..to])).expect("written");
    assert!(fail(&mut resume(&dir)).contains("is not one of this match"));
    fs::write(&journal, &lines).expect("written");
    fs::write(&records, text.replace("[White", "[Black")).expect("written");
    assert!(fail(&mut resume(&dir)).contains("is not what was written"));
    assert!(fail(resume(&dir).args(["--games", "4"])).contains("cannot be used with"));
}
