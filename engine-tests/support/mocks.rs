//! Mock engines, and matches of the built program between them.
//!
//! A mock engine is this test binary, run with [`MOCK`] in its environment. The test named in
//! [`Mocks`] then speaks the protocol, and misbehaves as specified by the variable.

use super::program::adoube;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{Write, stdout};
use std::process::Output;
use std::time::{Duration, Instant};

/// The environment variable that selects a mock's behaviour. In `crash:8`, the number is the first
/// move at which the mock misbehaves.
pub const MOCK: &str = "ADOUBE_MOCK_ENGINE";

pub const UCI: Mocks = Mocks { test: "arena::chess::mock_engine", args: &[] };
pub const HUB: Mocks =
    Mocks { test: "arena::draughts::mock_engine", args: &["--game", "draughts"] };

/// The state of a pondering mock engine. The counts of ponder hits and misses are written to a file
/// in the engine's working directory.
#[derive(Default)]
pub struct Pondering {
    answer: Option<String>,
    hits: u32,
    stops: u32,
}

impl Pondering {
    pub const FILE: &str = "pondering.txt";

    pub fn is_on(&self) -> bool {
        self.answer.is_some()
    }

    /// Sends an answer immediately, or stores the answer for [`Self::end`] if `later` is set.
    pub fn answer(&mut self, answer: String, later: bool) {
        if later {
            self.answer = Some(answer);
        } else {
            print_line(&answer);
        }
    }

    /// Sends the pending answer after a ponder hit or miss.
    pub fn end(&mut self, hit: bool) {
        let Some(answer) = self.answer.take() else { return };
        print_line(&answer);
        *(if hit { &mut self.hits } else { &mut self.stops }) += 1;
        let counts = format!("{} {}", self.hits, self.stops);
        fs::write(Self::FILE, counts).expect("written");
    }
}

/// Writes one or more lines in one piece, so that they arrive together.
pub fn print_line(line: &str) {
    let mut out = stdout().lock();
    // The arena may have closed the pipe.
    let _ = out.write_all(format!("{line}\n").as_bytes()).and_then(|()| out.flush());
}

/// Performs a kind of misbehaviour that is the same in every protocol.
pub fn misbehave(kind: &str) {
    match kind {
        "crash" => {
            eprintln!("mock: out of cheese");
            std::process::exit(3);
        }
        "stall" => sleep_forever(),
        "late" => std::thread::sleep(Duration::from_millis(400)),
        "slow" => std::thread::sleep(Duration::from_millis(2)),
        _ => {}
    }
}

/// Chooses an element, or returns `None` if there are none. The choice depends only on `occasion`,
/// so that matches are reproducible.
pub fn choose<T: Copy>(from: &[T], occasion: impl Hash) -> Option<T> {
    let mut hasher = DefaultHasher::new();
    occasion.hash(&mut hasher);
    let at = hasher.finish().checked_rem(from.len() as u64)?;
    Some(from[at as usize])
}

pub fn sleep_forever() -> ! {
    loop {
        std::thread::sleep(Duration::from_secs(1));
    }
}

pub struct Mocks {
    /// The name of the test that acts as the mock engine if [`MOCK`] is set.
    pub test: &'static str,
    /// Additional arguments for `adoube match` with these engines.
    pub args: &'static [&'static str],
}

impl Mocks {
    /// Returns the value of `--engine` for a mock engine.
    pub fn describe(&self, name: &str, behaviour: &str) -> String {
        let program = std::env::current_exe().expect("the path of this test");
        let (program, test) = (program.display(), self.test);
        format!(
            "name={name},cmd=/usr/bin/env {MOCK}={behaviour} '{program}' --exact {test} --nocapture"
        )
    }

    pub fn play(&self, first: &str, second: &str, args: &[&str]) -> Match {
        let engines = [self.describe("first", first), self.describe("second", second)];
        Match::play(&engines, &[self.args, args].concat())
    }

    /// Plays games between two mocks from an opening file with this text.
    pub fn play_from(&self, openings: &str, first: &str, second: &str, args: &[&str]) -> Match {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let file = dir.path().join("openings.epd");
        fs::write(&file, openings).expect("written");
        let file = file.to_string_lossy();
        self.play(first, second, &[&["--openings", &file], args].concat())
    }

    /// Plays four games in which the second engine misbehaves, and checks that it loses all four.
    /// The engine's row in the table must have 4 in `column`, and the game records must give
    /// `termination` as the reason.
    pub fn loses(&self, behaviour: &str, column: usize, termination: &str, args: &[&str]) -> Match {
        let played = self.play("random", behaviour, args);
        let mut expected = [4, 0, 0, 4, 0, 0, 0, 0];
        expected[column] = 4;
        assert_eq!(played.row("second"), expected, "{behaviour}\n{}", played.log());
        assert_eq!(played.row("first"), [4, 4, 0, 0, 0, 0, 0, 0]);
        let tag = format!("[Termination \"{termination}\"]");
        assert_eq!(played.games.matches(&tag).count(), 4, "{}", played.games);
        assert!(played.output.status.success());
        played
    }
}

/// Plays two pondering mocks against each other. The arena must report ponder hits and misses. The
/// second mock answers too early, which must not lose the game.
pub fn ponders(mocks: &Mocks, openings: &str) {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let file = dir.path().join("openings.epd");
    fs::write(&file, format!("{openings}\n")).expect("written");
    let openings = file.to_string_lossy().into_owned();
    let args = ["--games", "8", "--nodes", "1", "--openings", &openings];
    let pondering =
        format!("{},ponder=true,dir={}", mocks.describe("a", "ponder"), dir.path().display());
    let hasty = format!("{},ponder=true", mocks.describe("b", "hasty"));
    let played = Match::play(&[pondering, hasty], &[mocks.args, &args].concat());
    for name in ["a", "b"] {
        assert_eq!(played.row(name)[4..], [0; 4], "{}{}", played.log(), played.games);
        assert_eq!(played.row(name)[0], 8);
    }
    let counts = fs::read_to_string(dir.path().join(Pondering::FILE)).expect("the engine pondered");
    let counts: Vec<u32> = counts.split(' ').map(|n| n.parse().expect("a number")).collect();
    assert!(counts.iter().all(|&n| n > 0), "{counts:?}");
}

pub struct Match {
    /// The output and the exit status.
    pub output: Output,
    /// The text of the game records.
    pub games: String,
    pub elapsed: Duration,
}

impl Match {
    pub fn play(engines: &[String], args: &[&str]) -> Self {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let games = dir.path().join("games");
        let started = Instant::now();
        let output = adoube()
            .arg("match")
            .args(engines.iter().flat_map(|engine| ["--engine", engine]))
            .arg("--pgn")
            .arg(&games)
            .args(args)
            .output()
            .expect("adoube runs");
        let games = fs::read_to_string(&games).unwrap_or_default();
        Self { output, games, elapsed: started.elapsed() }
    }

    pub fn report(&self) -> String {
        String::from_utf8_lossy(&self.output.stdout).into_owned()
    }

    pub fn log(&self) -> String {
        String::from_utf8_lossy(&self.output.stderr).into_owned()
    }

    /// Returns a player's row in the table: games, wins, draws, losses, then losses on time,
    /// illegal moves, crashes and stalls.
    pub fn row(&self, name: &str) -> [u64; 8] {
        let report = self.report();
        let row = report.lines().find(|line| line.starts_with(&format!("| {name} ")));
        let row = row.unwrap_or_else(|| panic!("no row of {name} in\n{report}\n{}", self.log()));
        let cells = |row: &str| row.split('|').map(|c| c.trim().to_owned()).collect::<Vec<_>>();
        let header = report.lines().find(|line| line.starts_with("| engine ")).expect("a header");
        let (header, row) = (cells(header), cells(row));
        // A column for a kind of fault is printed only if such a fault occurred.
        ["games", "wins", "draws", "losses", "time", "illegal", "crash", "stall"].map(|name| {
            let column = header.iter().position(|cell| cell == name);
            column.map_or(0, |i| row[i].parse().expect("a number"))
        })
    }
}

pub const FOUR: [&str; 8] =
    ["--games", "4", "--concurrency", "2", "--tc", "10+1", "--openings", "random:4"];
