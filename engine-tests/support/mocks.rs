//! Mock engines, and matches of the built program between them.
//!
//! A mock engine is this very test binary, run again with [`MOCK`] in its environment: the test that
//! is named in [`Mocks`] then speaks the protocol and misbehaves in the way that the variable says.

use super::program::adoube;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{Write, stdout};
use std::process::Output;
use std::time::{Duration, Instant};

/// The variable that names a mock's behaviour, as in `crash:8`: from the eighth move on.
pub const MOCK: &str = "ADOUBE_MOCK_ENGINE";

/// The mock engines that speak UCI.
pub const UCI: Mocks = Mocks { test: "arena::chess::mock_engine", args: &[] };
/// Those that speak Hub.
pub const HUB: Mocks =
    Mocks { test: "arena::draughts::mock_engine", args: &["--game", "draughts"] };

/// A mock engine's thinking on its opponent's time. What became of it is written to a file of the
/// folder that the engine runs in.
#[derive(Default)]
pub struct Pondering {
    /// What it will answer when it is told to.
    answer: Option<String>,
    hits: u32,
    stops: u32,
}

impl Pondering {
    /// The file.
    pub const FILE: &str = "pondering.txt";

    /// Whether an answer is held back.
    pub fn is_on(&self) -> bool {
        self.answer.is_some()
    }

    /// Answers, or holds the answer back.
    pub fn answer(&mut self, answer: String, later: bool) {
        if later {
            self.answer = Some(answer);
        } else {
            say(&answer);
        }
    }

    /// Answers what was held back, since the expected move was made or another one.
    pub fn end(&mut self, hit: bool) {
        let Some(answer) = self.answer.take() else { return };
        say(&answer);
        *(if hit { &mut self.hits } else { &mut self.stops }) += 1;
        let counts = format!("{} {}", self.hits, self.stops);
        fs::write(Self::FILE, counts).expect("written");
    }
}

/// Writes in one piece, so that what is said at once arrives at once.
pub fn say(line: &str) {
    let mut out = stdout().lock();
    // The arena may have closed its end.
    let _ = out.write_all(format!("{line}\n").as_bytes()).and_then(|()| out.flush());
}

/// What mocks of any protocol do instead of answering, or before they do.
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

/// One of these, always the same for the same `occasion`, so that a match is the same each time.
pub fn choose<T: Copy>(from: &[T], occasion: impl Hash) -> Option<T> {
    let mut hasher = DefaultHasher::new();
    occasion.hash(&mut hasher);
    let at = hasher.finish().checked_rem(from.len() as u64)?;
    Some(from[at as usize])
}

/// Never says a word more.
pub fn sleep_forever() -> ! {
    loop {
        std::thread::sleep(Duration::from_secs(1));
    }
}

/// The mock engines of a protocol.
pub struct Mocks {
    /// The test that is a mock where [`MOCK`] is set.
    pub test: &'static str,
    /// What a match of these needs on its command line.
    pub args: &'static [&'static str],
}

impl Mocks {
    /// The description of a mock engine for `--engine`.
    pub fn describe(&self, name: &str, behaviour: &str) -> String {
        let program = std::env::current_exe().expect("the path of this test");
        let (program, test) = (program.display(), self.test);
        format!(
            "name={name},cmd=/usr/bin/env {MOCK}={behaviour} '{program}' --exact {test} --nocapture"
        )
    }

    /// Games between two mocks.
    pub fn play(&self, first: &str, second: &str, args: &[&str]) -> Match {
        let engines = [self.describe("first", first), self.describe("second", second)];
        Match::play(&engines, &[self.args, args].concat())
    }

    /// The same from the positions of a file with this text.
    pub fn play_from(&self, openings: &str, first: &str, second: &str, args: &[&str]) -> Match {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let file = dir.path().join("openings.epd");
        fs::write(&file, openings).expect("written");
        let file = file.to_string_lossy();
        self.play(first, second, &[&["--openings", &file], args].concat())
    }

    /// Games in which the second engine misbehaves: it loses all of them, each for that reason, and
    /// the reason is in the log and in the record.
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

/// Two mocks that think on their opponent's time meet: the arena tells them of each right guess
/// and of each wrong one. One that answers before it is told to loses nothing by it.
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
    let counts = fs::read_to_string(dir.path().join(Pondering::FILE)).expect("it has pondered");
    let counts: Vec<u32> = counts.split(' ').map(|n| n.parse().expect("a number")).collect();
    assert!(counts.iter().all(|&n| n > 0), "{counts:?}");
}

/// A match that has been played.
pub struct Match {
    /// What it printed, and how it ended.
    pub output: Output,
    /// The file of records.
    pub games: String,
    /// How long it took.
    pub elapsed: Duration,
}

impl Match {
    /// Plays a match of engines so described.
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

    /// What was printed at the end.
    pub fn report(&self) -> String {
        String::from_utf8_lossy(&self.output.stdout).into_owned()
    }

    /// What was said on the way.
    pub fn log(&self) -> String {
        String::from_utf8_lossy(&self.output.stderr).into_owned()
    }

    /// A player's row of the table: games, wins, draws, losses, then time losses, illegal moves,
    /// crashes and stalls.
    pub fn row(&self, name: &str) -> [u64; 8] {
        let report = self.report();
        let row = report.lines().find(|line| line.starts_with(&format!("| {name} ")));
        let row = row.unwrap_or_else(|| panic!("no row of {name} in\n{report}\n{}", self.log()));
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        // Between the results and the faults are the score and what is measured.
        let faults = cells.len() - 5;
        [2, 3, 4, 5, faults, faults + 1, faults + 2, faults + 3]
            .map(|i| cells[i].parse().expect("a number"))
    }
}

/// Four short games.
pub const FOUR: [&str; 8] =
    ["--games", "4", "--concurrency", "2", "--tc", "10+1", "--openings", "random:4"];
