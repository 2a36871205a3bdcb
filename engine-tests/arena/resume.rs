//! Matches that are killed at any moment and resumed: no game is lost, counted twice, or restarted
//! from another opening.

use crate::support::mocks::{HUB, UCI};
use crate::support::program::{adoube, fail, succeed};
use crate::support::runs::{entries, kill_at, openings, resume};
use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

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

/// In a Swiss tournament, the pairings after the kill depend on the games before it.
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

fn without_checksum(line: &str) -> String {
    let (text, sum) = line.rsplit_once(",\"sum\":\"").expect("a checksum");
    assert!(sum.len() == 10 && sum.ends_with("\"}"), "{line}");
    format!("{text}}}")
}

/// Copies a match from version 0.1.0, which stored the command line in `match.json`. The match was
/// killed in its third game.
fn old_match(folder: &Path) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("engine-tests/arena/old-match");
    let dir = folder.join("match");
    fs::create_dir(&dir).expect("a folder");
    for name in ["games.jsonl", "games.pgn", "match.json"] {
        let text = fs::read_to_string(source.join(name)).expect("a file");
        let text = text.replace("{directory}", folder.to_str().expect("UTF-8"));
        fs::write(dir.join(name), text).expect("written");
    }
    fs::copy(source.join("openings.epd"), folder.join("openings.epd")).expect("copied");
    let engine = folder.join("engine");
    fs::copy(source.join("engine"), &engine).expect("copied");
    fs::set_permissions(engine, fs::Permissions::from_mode(0o755)).expect("a program");
    dir
}

fn resume_old(dir: &Path) -> Command {
    let mut command = resume(dir);
    command.env("ADOUBE", env!("CARGO_BIN_EXE_adoube"));
    command
}

#[test]
fn match_of_an_earlier_version_continues_and_is_converted() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let dir = old_match(folder.path());
    let old = fs::read_to_string(dir.join("games.jsonl")).expect("a journal");
    let report = succeed(&resume_old(&dir).output().expect("adoube runs"));
    assert!(
        report.lines().any(|line| line.starts_with("| a ") && line.contains(" 4 ")),
        "{report}"
    );
    assert_eq!(entries(&dir).iter().map(|entry| entry.game).collect::<Vec<_>>(), [0, 1, 2, 3]);
    let new = fs::read_to_string(dir.join("games.jsonl")).expect("a journal");
    assert_eq!(new.lines().take(2).collect::<Vec<_>>(), old.lines().take(2).collect::<Vec<_>>());
    let text = fs::read_to_string(dir.join("config.json")).expect("a configuration");
    let config: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let settings = &config["settings"];
    assert_eq!((&settings["event"], &settings["game"]), (&"Old match".into(), &"chess".into()));
    assert_eq!(settings["engines"][1]["name"], "b");
    assert_eq!(
        (&settings["rules"]["draw"]["from"], &settings["control"]["nodes"]),
        (&40.into(), &1.into())
    );
    // After the conversion, `match.json` is no longer read.
    fs::remove_file(dir.join("match.json")).expect("removed");
    assert_eq!(succeed(&resume_old(&dir).output().expect("adoube runs")), report);
}

/// Changes one byte in a game's journal entry. The match must report the damage and play this game
/// again.
#[test]
fn damaged_entry_costs_one_game() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let dir = folder.path().join("match");
    let mut command = adoube();
    command.args(["match", "--games", "6", "--nodes", "1", "--max-moves", "2", "--openings"]);
    command.args(["random:4", "--engine", &UCI.describe("a", "random")]);
    command.args(["--engine", &UCI.describe("b", "random"), "--dir"]).arg(&dir);
    let output = command.output().expect("adoube runs");
    succeed(&output);
    let journal = dir.join("games.jsonl");
    let text = fs::read_to_string(&journal).expect("a journal");
    fs::write(&journal, text.replacen("\"game\":2,", "\"game\":7,", 1)).expect("written");
    let output = resume(&dir).output().expect("adoube runs");
    let warning = String::from_utf8_lossy(&output.stderr);
    assert!(warning.contains("line 3 is damaged, 1 entry is lost"), "{warning}");
    let report = succeed(&output);
    assert!(
        report.lines().any(|line| line.starts_with("| a ") && line.contains(" 6 ")),
        "{report}"
    );
    let again = resume(&dir).output().expect("adoube runs");
    assert_eq!(succeed(&again), report);
}

/// Simulates a full disk after a few games. The match must end with an error, and must be resumable
/// once there is space.
#[test]
fn match_continues_after_a_full_disk() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let dir = folder.path().join("match");
    let play = |limit: &str, arguments: &[&str]| {
        let mut command = Command::new("sh");
        let script = format!("trap '' XFSZ; {limit}; exec \"$0\" \"$@\"");
        command.args(["-c", &script, env!("CARGO_BIN_EXE_adoube")]).args(arguments);
        command
    };
    let [a, b] = ["a", "b"].map(|name| UCI.describe(name, "random"));
    let path = dir.to_str().expect("UTF-8");
    // The limit is 4 KiB (8 blocks of 512 bytes). The game records reach it before the journal
    // does.
    let output = play(
        "ulimit -f 8",
        &[
            "match",
            "--games",
            "40",
            "--nodes",
            "1",
            "--max-moves",
            "4",
            "--openings",
            "random:4",
            "--engine",
            &a,
            "--engine",
            &b,
            "--dir",
            path,
        ],
    )
    .output()
    .expect("adoube runs");
    assert!(!output.status.success());
    let log = String::from_utf8_lossy(&output.stderr);
    assert!(log.contains("games.pgn: File too large"), "{log}");
    let before = entries(&dir).len();
    assert!(before > 0 && before < 40, "{before}");
    let records = fs::read_to_string(dir.join("games.pgn")).expect("records");
    assert_eq!(records.matches("[Event ").count(), before, "no part of another game");
    succeed(&resume(&dir).output().expect("adoube runs"));
    assert_eq!(openings::<adoube::chess::Position>(&dir.join("games.pgn")).len(), 40);
}

#[test]
fn rejects_a_second_match_in_a_folder() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let dir = folder.path().join("match");
    let mut command = adoube();
    command.args(["match", "--games", "2", "--nodes", "1", "--max-moves", "200", "--openings"]);
    command.args(["random:4", "--engine", &UCI.describe("a", "slow")]);
    command.args(["--engine", &UCI.describe("b", "slow"), "--dir"]).arg(&dir);
    let mut first =
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("adoube runs");
    while !dir.join("config.json").exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    let error = fail(&mut resume(&dir));
    first.kill().expect("SIGKILL");
    first.wait().expect("it has ended");
    assert!(error.contains("is in use by another match"), "{error}");
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
    assert!(fail(&mut start()).contains("already contains a match"));
    fs::write(&file, "7k/8/8/8/8/8/8/R6K w - - 0 1\n").expect("written");
    assert!(fail(&mut resume(&dir)).contains("has changed since the match began"));
    fs::remove_file(&file).expect("removed");
    assert!(fail(&mut resume(&dir)).contains("openings.epd"));
    fs::write(&file, "7k/8/8/8/8/8/8/RQ5K w - - 0 1\n").expect("written");
    let journal = dir.join("games.jsonl");
    // Remove the checksums, which journals of earlier versions do not contain, so that the entries
    // can be changed.
    let lines = fs::read_to_string(&journal).expect("a journal");
    let lines: String = lines.lines().map(|line| without_checksum(line) + "\n").collect();
    fs::write(&journal, lines.replace("RQ5K", "R6K")).expect("written");
    assert!(fail(&mut resume(&dir)).contains("this build generates another opening"));
    let twice = format!("{lines}{lines}");
    fs::write(&journal, &twice).expect("written");
    assert!(fail(&mut resume(&dir)).contains("its record ends before the previous record"));
    // Append a second copy of the last journal entry and of its game record.
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
    assert!(fail(&mut resume(&dir)).contains("does not belong to this match"));
    fs::write(&journal, &lines).expect("written");
    fs::write(&records, text.replace("[White", "[Black")).expect("written");
    assert!(fail(&mut resume(&dir)).contains("has been changed"));
    assert!(fail(resume(&dir).arg("--dir").arg(&dir)).contains("cannot be used with"));
}

#[test]
fn resumes_with_more_games_and_other_outputs() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let dir = folder.path().join("match");
    let mut command = adoube();
    command.args(["match", "--games", "2", "--nodes", "1", "--max-moves", "2", "--margin", "7"]);
    command.args(["--engine", &UCI.describe("a", "random"), "--engine"]);
    command.arg(UCI.describe("b", "random")).arg("--dir").arg(&dir);
    succeed(&command.output().expect("adoube runs"));

    // The path `new.pgn` is relative to the working directory of the second command, not the first.
    let more = ["--games", "6", "--concurrency", "2", "--output", "fastchess", "--pgn", "new.pgn"];
    let output = resume(&dir).args(more).current_dir(folder.path()).output().expect("adoube runs");
    let out = succeed(&output);
    assert!(out.contains("Finished game 6 ") && !out.contains("Finished game 1 "), "{out}");
    let numbers: BTreeSet<usize> = entries(&dir).iter().map(|entry| entry.game).collect();
    assert_eq!(numbers, (0..6).collect());
    let new = fs::read_to_string(folder.path().join("new.pgn")).expect("records");
    assert_eq!(new.matches("[Event ").count(), 4);

    // A finished match prints its result again.
    let again = resume(&dir).args(["--output", "fastchess"]).output().expect("adoube runs");
    let out = succeed(&again);
    assert!(out.contains("Results of a vs b") && out.contains("\nGames: 6, "), "{out}");
    // The number of games is stored, the outputs are not. Options of the first run can be repeated.
    let again = resume(&dir).args(["--nodes", "1", "--margin", "7"]).output().expect("adoube runs");
    assert!(succeed(&again).lines().any(|line| line.starts_with("| a ") && line.contains(" 6 ")));
    let config = fs::read_to_string(dir.join("config.json")).expect("a configuration");
    for (options, expected) in [
        (vec!["--games", "4"], "--games 4: the match has 6 games per pairing"),
        (vec!["--total-games", "4"], "--total-games 4: the match has no maximum number of games"),
        (
            vec!["--nodes", "2"],
            ": --nodes cannot change: 2 instead of 1 in the stored match; leave out",
        ),
        (vec!["--patience", "30"], "--patience cannot change: 30 s instead of 60 s in the stored"),
        (
            vec!["--tc", "1+0"],
            ": --tc cannot change: 1 instead of none in the stored match; leave out",
        ),
        (vec!["--log-size", "5"], "--log-size requires --log: the stored match has no log"),
        // 5 is the default for a new match, but here it would change the stored value.
        (vec!["--margin", "5"], "--margin cannot change: 5 instead of 7 in the stored match"),
        (
            vec!["--engine", "cmd=c"],
            "--engine cannot change: the match was started with the engines",
        ),
        (vec!["--openings", "random:4"], "--openings cannot change: random:4 instead of"),
    ] {
        let error = fail(resume(&dir).args(&options));
        assert!(error.contains(expected), "{options:?}: {error}");
        assert_eq!(fs::read_to_string(dir.join("config.json")).expect("unchanged"), config);
    }
}

/// The pairings of later rounds depend on the number of games in earlier rounds.
#[test]
fn rejects_more_games_in_a_knockout() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let dir = folder.path().join("match");
    let mut command = adoube();
    command.args(["match", "--schedule", "knockout", "--games", "2", "--nodes", "1"]);
    command.args(["--max-moves", "2", "--engine", &UCI.describe("a", "random"), "--engine"]);
    command.arg(UCI.describe("b", "random")).arg("--dir").arg(&dir);
    succeed(&command.output().expect("adoube runs"));
    let error = fail(resume(&dir).args(["--games", "4"]));
    assert!(error.contains("can rise only in a round robin or gauntlet"), "{error}");
}
