//! Helpers that kill, resume and inspect runs with a progress folder.

use super::program::adoube;
use adoube::arena::show::events::{JsonEvent, JsonLine};
use adoube::arena::tournament::journal::MatchEntry;
use adoube::base::game::MoveForm;
use adoube::record::games::{Reader, Record, Recorded};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Returns the number of games in the journal of a folder, counting complete lines.
pub fn played(dir: &Path) -> usize {
    fs::read(dir.join("games.jsonl")).map_or(0, |text| text.iter().filter(|&&b| b == b'\n').count())
}

/// Runs `adoube match`, kills it after `games` games, and returns the number of games actually
/// played.
pub fn kill_at(games: usize, dir: &Path, command: &mut Command) -> usize {
    kill_when(command, games, || played(dir))
}

/// Runs a command, kills it once `done` returns `enough`, and returns the final value of `done`.
pub fn kill_when(command: &mut Command, enough: usize, done: impl Fn() -> usize) -> usize {
    let mut child =
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("adoube runs");
    let deadline = Instant::now() + Duration::from_secs(60);
    while done() < enough && Instant::now() < deadline {
        assert!(child.try_wait().expect("a child").is_none(), "it ended before it was killed");
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().expect("SIGKILL");
    child.wait().expect("it has ended");
    done()
}

pub fn resume(dir: &Path) -> Command {
    let mut command = adoube();
    command.args(["match", "--resume"]).arg(dir);
    command
}

/// Maps each round of a match to its start position, opening moves and White's name.
pub fn openings<G: Recorded>(path: &Path) -> BTreeMap<String, (String, Vec<String>, String)> {
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
        let round = record.tag("Round").expect("a round").to_owned();
        let white = record.tag("White").expect("a name").to_owned();
        let before = all.insert(round.clone(), (record.start().to_fen(), book, white));
        assert!(before.is_none(), "duplicate game {round}");
    }
    all
}

pub fn entries(dir: &Path) -> Vec<MatchEntry> {
    let text = fs::read_to_string(dir.join("games.jsonl")).expect("a journal");
    text.lines().map(|line| serde_json::from_str(line).expect("an entry")).collect()
}

/// Returns the events in the complete lines of a file, or an empty list if the file does not exist.
pub fn events(path: &Path) -> Vec<JsonEvent> {
    let text = fs::read_to_string(path).unwrap_or_default();
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let line = |line: &str| serde_json::from_str::<JsonLine>(line).expect("an event").event;
    whole.lines().map(line).collect()
}
