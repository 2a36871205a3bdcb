//! Matches that are killed at any moment and go on: no game is lost, counted twice, or begun from
//! another opening.

use super::arena::{UCI, adoube};
use super::arena_draughts::HUB;
use adoube::arena::tournament::journal::Entry;
use adoube::base::game::MoveForm;
use adoube::record::games::{Reader, Record, Recorded};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// The games that the journal in a folder has: whole lines.
pub fn played(dir: &Path) -> usize {
    fs::read(dir.join("games.jsonl")).map_or(0, |text| text.iter().filter(|&&b| b == b'\n').count())
}

/// Runs `adoube match` and kills it when so many games are played; says how many then were.
pub fn kill_at(games: usize, dir: &Path, command: &mut Command) -> usize {
    let mut child =
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("adoube runs");
    let deadline = Instant::now() + Duration::from_secs(60);
    while played(dir) < games && Instant::now() < deadline {
        assert!(child.try_wait().expect("a child").is_none(), "it ended before it was killed");
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().expect("SIGKILL");
    child.wait().expect("it has ended");
    played(dir)
}

/// Goes on with the match in a folder.
pub fn resume(dir: &Path) -> Command {
    let mut command = adoube();
    command.args(["match", "--resume"]).arg(dir);
    command
}

/// What was printed by what must succeed.
pub fn succeed(output: &Output) -> String {
    let log = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{log}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// What was said by what must fail.
pub fn fail(command: &mut Command) -> String {
    let output = command.output().expect("adoube runs");
    assert!(!output.status.success() && output.stdout.is_empty());
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The records of a match: by the number of the game the start, the moves of the opening, and who
/// had White.
pub fn openings<G: Recorded>(path: &Path) -> BTreeMap<usize, (String, Vec<String>, String)> {
    let text = fs::read(path).expect("records");
    let mut all = BTreeMap::new();
    for record in Reader::<G, _>::new(&text[..]) {
        let record: Record<G> = record.expect("a whole record");
        let mut position = record.start().clone();
        let mut book = Vec::new();
        for node in record.line().moves.iter().filter(|node| node.comments[0] == "book") {
            book.push(position.write_move(node.m, MoveForm::Record));
            position = position.after(node.m);
        }
        let number = record.tag("Round").and_then(|round| round.parse().ok()).expect("a number");
        let white = record.tag("White").expect("a name").to_owned();
        let before = all.insert(number, (record.start().to_fen(), book, white));
        assert!(before.is_none(), "game {number} is there twice");
    }
    all
}

/// The games that the journal in a folder has.
pub fn entries(dir: &Path) -> Vec<Entry> {
    let text = fs::read_to_string(dir.join("games.jsonl")).expect("a journal");
    text.lines().map(|line| serde_json::from_str(line).expect("an entry")).collect()
}

#[test]
fn a_killed_match_goes_on_as_if_it_had_not_been() {
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
        // Cut in the middle of a line, as a full disk or a kill in a write leaves it.
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
    // The score counts the games before.
    let points: usize = entries(&killed)
        .iter()
        .map(|entry| if entry.white == 0 { entry.outcome.white } else { 2 - entry.outcome.white })
        .sum();
    let score = format!("{:.1}%", 100.0 * points as f64 / 120.0);
    let row = report.lines().find(|line| line.starts_with("| a ")).expect("a row");
    assert!(row.contains(" 60 ") && row.contains(&score), "{score} in {row}");

    // Once more: nothing is left to play.
    let again = succeed(&resume(&killed).output().expect("adoube runs"));
    assert_eq!((again, entries(&killed).len()), (report, GAMES));
}

/// The rounds of a Swiss tournament follow from the games before the kill too.
#[test]
fn a_killed_tournament_of_draughts_goes_on() {
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
    assert_eq!(met.len(), 6, "in three rounds of four players all meet");
}

#[test]
fn what_cannot_go_on_says_why() {
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
    let last = lines.lines().last().expect("a game");
    fs::write(&journal, format!("{lines}{last}\n")).expect("written");
    assert!(fail(&mut resume(&dir)).contains("is not one of this match"));
    assert!(fail(resume(&dir).args(["--games", "4"])).contains("cannot be used with"));
}
