//! `adoube match` as its users run it: engines that crash, stall, lie or babble lose their games
//! for the right reason, the others go on, and no process is left behind.
//!
//! The mock engines are this very test binary, run again with [`MOCK`] in its environment.

use adoube::arena::game::contest::Contest;
use adoube::base::rng::Rng;
use adoube::base::side::Side;
use adoube::chess::Position;
use adoube::laws::ruled::Ruled;
use std::fs;
use std::io::{BufRead, Write, stdin, stdout};
use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

/// The variable that names a mock's behaviour, as in `crash:8`: from the eighth move on.
pub const MOCK: &str = "ADOUBE_MOCK_ENGINE";

/// The mock engines of this file.
pub const UCI: Mocks = Mocks { test: "arena::mock_engine", args: &[] };

/// A mock UCI engine at work where [`MOCK`] is set; else a check of what the mocks rely on.
#[test]
fn mock_engine() {
    match std::env::var(MOCK) {
        Ok(behaviour) => serve(&behaviour),
        Err(_) => {
            let mut rng = Rng::new(1);
            let m = answer("position startpos moves e2e4 e7e5", &mut rng).expect("legal moves");
            let position = after("position startpos moves e2e4 e7e5");
            assert!(position.parse_uci(&m).is_ok(), "{m}");
            assert_eq!(answer("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", &mut rng), None);
        }
    }
}

/// The position of a `position` command.
fn after(command: &str) -> Position {
    let command = command.strip_prefix("position ").expect("a position command");
    let (start, moves) = command.split_once(" moves ").unwrap_or((command, ""));
    let mut position: Position = match start.strip_prefix("fen ") {
        Some(fen) => fen.parse().expect("a FEN"),
        None => Position::start(),
    };
    for m in moves.split_whitespace() {
        position = position.play(position.parse_uci(m).expect("a legal move"));
    }
    position
}

fn answer(command: &str, rng: &mut Rng) -> Option<String> {
    let position = after(command);
    let moves = position.legal_moves();
    (!moves.is_empty()).then(|| position.uci(moves[rng.below(moves.len())], false))
}

/// A UCI engine that plays random moves until it misbehaves.
fn serve(behaviour: &str) -> ! {
    let (kind, from) = behaviour.split_once(':').unwrap_or((behaviour, "1"));
    let from: usize = from.parse().expect("the number of a move");
    let mut rng = Rng::new(u64::from(std::process::id()));
    let (mut position, mut count) = (String::new(), 0);
    let mut pondering = Pondering::default();
    // The test harness has already written to this line.
    say("");
    for line in stdin().lock().lines() {
        let line = line.expect("text from the arena");
        match line.split_whitespace().next() {
            Some(word @ ("ponderhit" | "stop")) => pondering.end(word == "ponderhit"),
            Some("position" | "go") if pondering.is_on() => std::process::exit(5),
            Some("uci") => {
                say("id name Mock");
                say("option name Hash type spin default 1 min 1 max 64");
                if kind == "mute" {
                    sleep_forever();
                }
                say("uciok");
            }
            Some("isready") => say("readyok"),
            Some("ucinewgame") => count = 0,
            Some("position") => position = line,
            Some("quit") if kind != "deaf" => break,
            Some("go") => {
                count += 1;
                let best = answer(&position, &mut rng).unwrap_or("0000".into());
                let best = if kind == "back" { to_and_fro(&position) } else { best };
                if kind == "ponder" || kind == "hasty" {
                    let reply = |m| answer(&format!("{} {m}", with_moves(&position)), &mut rng);
                    let reply = Some(&best).filter(|&m| m != "0000").and_then(reply);
                    let reply = reply.map_or(String::new(), |m| format!(" ponder {m}"));
                    let done = format!("info depth 1\nbestmove {best}{reply}");
                    pondering.answer(done, line.contains("ponder") && kind == "ponder");
                    continue;
                }
                if count >= from {
                    misbehave(kind);
                    match kind {
                        "lie" => say("bestmove e2e5"),
                        "nonsense" => say("bestmove \u{1f4a9}} quite"),
                        "empty" => say("bestmove"),
                        "babble" => {
                            let junk = "x".repeat(100_000);
                            say(&format!("info depth\ninfo score cp\nbestmov {best}\n{junk}"));
                        }
                        // An answer that nobody asked for must not pass for the next one.
                        "twice" => {
                            say(&format!(
                                "info depth 1 score cp 0\nbestmove {best}\nbestmove {best}"
                            ));
                            continue;
                        }
                        _ => {}
                    }
                }
                say(&format!("info depth 1 seldepth 2 score cp 3 nodes 1 pv {best}"));
                say(&format!("bestmove {best}"));
            }
            _ => {}
        }
    }
    std::process::exit(0)
}

/// The last move but one back again, where there was one and the rules let it.
fn to_and_fro(command: &str) -> String {
    let position = after(command);
    let back = command.split_whitespace().rev().nth(1).and_then(|m| {
        let (from, to) = m.split_at_checked(2)?;
        position.parse_uci(&format!("{to}{from}")).ok()
    });
    let m = back.or_else(|| position.legal_moves().first().copied());
    m.map_or("0000".into(), |m| position.uci(m, false))
}

/// A `position` command that ends with moves, so that one can be added.
fn with_moves(command: &str) -> String {
    if command.contains(" moves ") { command.to_owned() } else { format!("{command} moves") }
}

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
    output: Output,
    /// The file of records.
    pub games: String,
    elapsed: Duration,
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
        [2, 3, 4, 5, 9, 10, 11, 12].map(|i| cells[i].parse().expect("a number"))
    }
}

/// The built program.
pub fn adoube() -> Command {
    Command::new(env!("CARGO_BIN_EXE_adoube"))
}

pub const FOUR: [&str; 8] =
    ["--games", "4", "--concurrency", "2", "--tc", "10+1", "--openings", "random:4"];

#[test]
fn engines_that_crash_lose_and_are_started_anew() {
    let played = UCI.loses("crash:3", 6, "abandoned", &FOUR);
    assert!(played.log().contains("! mock: out of cheese"), "{}", played.log());
}

#[test]
fn engines_that_lie_lose_by_the_line_they_sent() {
    let played = UCI.loses("lie:2", 5, "rules infraction", &FOUR);
    assert!(played.log().contains("illegal move 'e2e5'"), "{}", played.log());
    assert!(played.log().contains("< bestmove e2e5"), "{}", played.log());
    UCI.loses("nonsense:2", 5, "rules infraction", &FOUR);
    UCI.loses("empty", 5, "rules infraction", &FOUR);
}

#[test]
fn engines_that_answer_late_lose_on_time_and_play_on() {
    UCI.loses(
        "late:2",
        4,
        "time forfeit",
        &["--games", "4", "--tc", "0.3", "--openings", "random:2"],
    );
}

#[test]
fn engines_think_on_their_opponents_time() {
    ponders(&UCI, "7k/8/8/8/8/8/R7/K7 w - - 0 1");
}

/// The new process goes on with the game; what failed is in the record.
#[test]
fn engines_that_crash_can_be_started_anew_within_the_game() {
    let args = [&FOUR[..], &["--recover", "1", "--max-moves", "5"]].concat();
    let played = UCI.play("random", "crash:4", &args);
    assert_eq!(played.row("second")[4..], [0; 4], "{}", played.log());
    let started = played.games.replace('\n', " ").matches("started anew: ended while").count();
    assert_eq!(started, 4, "{}", played.games);
    assert!(played.report().contains("endings: move limit 4"), "{}", played.report());
    // Once is not enough for one that cannot make a single move.
    let args = [&FOUR[..], &["--recover", "1"]].concat();
    assert_eq!(UCI.play("random", "crash", &args).row("second")[6], 4);
}

#[test]
fn engines_that_answer_twice_or_babble_still_play() {
    for behaviour in ["twice:2", "babble"] {
        let played = UCI.play("random", behaviour, &FOUR);
        assert_eq!(played.row("second")[4..], [0; 4], "{behaviour}\n{}", played.log());
        assert_eq!(played.row("second")[0], 4);
    }
}

/// Black has the queen and oversteps its time, White a king alone.
#[test]
fn flags_do_not_lose_against_a_king_alone() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let epd = dir.path().join("openings.epd");
    fs::write(&epd, "7K/8/5k2/8/8/8/8/q7 b - - 0 1\n").expect("written");
    let openings = epd.to_string_lossy().into_owned();
    let args = ["--games", "2", "--tc", "0.3", "--openings", &openings];
    let played = UCI.play("late", "late", &args);
    assert_eq!(played.row("first"), [2, 0, 2, 0, 0, 0, 0, 0], "{}", played.log());
    assert_eq!(played.games.matches("[Termination \"time forfeit\"]").count(), 2);
    assert!(played.report().contains("out of time but drawn 2"), "{}", played.report());
}

/// Every sixth position of `../shared/data`, where that folder is there: who can still mate. The bench
/// `winnable` asks for all of them.
#[test]
fn who_can_still_win_is_known() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/chess-winnable.txt");
    let Ok(text) = fs::read_to_string(&path) else {
        eprintln!("{} is not there", path.display());
        return;
    };
    let mut wrong = Vec::new();
    for line in text.lines().step_by(6) {
        let (verdict, epd) = line.split_once(' ').expect("a verdict and a position");
        let position = Position::read_start(epd).unwrap_or_else(|error| panic!("{epd}: {error}"));
        let can = [(Side::White, 'W'), (Side::Black, 'B')]
            .map(|(side, letter)| if position.can_win(side) { letter } else { '-' });
        if can.iter().collect::<String>() != verdict {
            wrong.push(format!("{line}: {can:?}"));
        }
        // What is called dead is dead.
        assert!(!position.is_dead() || verdict == "--", "{line}");
    }
    assert_eq!(text.lines().count(), 601);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A stalled engine is waited for after its flag has fallen (ten seconds), then killed.
#[test]
fn engines_that_stall_are_killed() {
    let args = ["--games", "4", "--concurrency", "4", "--tc", "0.5", "--openings", "random:2"];
    let played = UCI.loses("stall:2", 7, "abandoned", &args);
    assert!(played.elapsed < Duration::from_secs(40), "{:?}", played.elapsed);
}

#[test]
fn engines_that_cannot_play_are_named_before_the_first_game() {
    for (engine, error) in [
        ("cmd=/nonexistent/engine".to_owned(), "/nonexistent/engine"),
        (UCI.describe("wanderer", "x").replace("--exact", "--list"), "uciok"),
        ("name=nobody".to_owned(), "there is no cmd=PROGRAM"),
    ] {
        let output = adoube()
            .args([
                "match",
                "--tc",
                "1",
                "--engine",
                &UCI.describe("fine", "random"),
                "--engine",
                &engine,
            ])
            .output()
            .expect("adoube runs");
        let log = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && log.contains(error), "{engine}: {log}");
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn a_match_without_a_clock_an_opening_file_and_limits() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let epd = dir.path().join("openings.epd");
    fs::write(&epd, "7k/8/8/8/8/8/8/RQ5K w - - 0 1\n").expect("written");
    let openings = epd.to_string_lossy().into_owned();
    let args = ["--games", "3", "--nodes", "5", "--openings", &openings, "--max-moves", "3"];
    let played = UCI.play("random", "random", &args);
    assert_eq!(played.row("first")[0], 4, "rounded up to pairs");
    assert_eq!(played.games.matches("[FEN \"7k/8/8/8/8/8/8/RQ5K w - - 0 1\"]").count(), 4);
    assert!(played.games.contains("[TimeControl \"-\"]"));
    assert!(played.games.contains("{+0.03/1 "), "{}", played.games);
}

#[test]
fn a_decided_test_stops_the_match() {
    let test = "elo0=0 elo1=50";
    let args = ["--games", "2000", "--tc", "10+1", "--openings", "random:4", "--sprt", test];
    let played = UCI.play("random", "lie", &args);
    assert!(played.report().contains("H1 accepted"), "{}", played.report());
    assert!(played.row("first")[0] < 200);
}

/// Engines that lie lose each game in which they have White, and so are level among each other.
#[test]
fn tournaments_in_rounds() {
    let play = |behaviours: &[&str], args: &[&str]| {
        let names = ["a", "b", "c", "d", "e", "f"];
        let engines: Vec<String> =
            names.iter().zip(behaviours).map(|(name, kind)| UCI.describe(name, kind)).collect();
        let common =
            ["--games", "2", "--nodes", "1", "--openings", "random:4", "--concurrency", "2"];
        let played = Match::play(&engines, &[&common[..], args].concat());
        assert!(played.output.status.success(), "{}", played.log());
        let order: Vec<String> = played.report().lines().skip(2).map(cell).collect();
        (played, order[..engines.len()].concat())
    };
    fn cell(line: &str) -> String {
        line.split('|').nth(1).unwrap_or_default().trim().to_owned()
    }
    let kinds = ["lie", "lie", "lie", "random", "lie", "lie"];
    let (played, order) = play(&kinds, &["--schedule", "swiss", "--rounds", "3"]);
    assert_eq!(played.games.matches("[Result ").count(), 3 * 3 * 2);
    assert!(order.starts_with('d'), "{}", played.report());
    for name in ["a", "b", "c", "d", "e", "f"] {
        assert_eq!(played.row(name)[0], 6, "{}", played.report());
    }
    let (played, order) = play(&kinds[1..5], &["--schedule", "knockout"]);
    // The seeds a and d are level four times; b loses to c, who then meets a.
    assert_eq!(played.games.matches("[Result ").count(), 2 + 2 + 3 * 2 + 2, "{}", played.report());
    assert_eq!(order, "cabd", "{}", played.report());
    let (played, order) = play(&kinds[2..4], &["--schedule", "ladder", "--rounds", "1"]);
    assert_eq!(played.games.matches("[Result ").count(), 2);
    assert_eq!(order, "ba", "{}", played.report());
}

/// How many processes have this in their environment.
#[cfg(target_os = "linux")]
fn running(with: &str) -> usize {
    let processes = fs::read_dir("/proc").expect("processes").flatten();
    let environments = processes.filter_map(|p| fs::read(p.path().join("environ")).ok());
    environments.filter(|text| text.windows(with.len()).any(|w| w == with.as_bytes())).count()
}

/// Waits until so many processes have it.
#[cfg(target_os = "linux")]
fn wait_for(count: std::ops::RangeInclusive<usize>, with: &str) {
    let deadline = Instant::now() + Duration::from_secs(20);
    while !count.contains(&running(with)) && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(count.contains(&running(with)), "{} are there, not {count:?}", running(with));
}

/// Engines that think for ever do not see that their input has ended.
#[cfg(target_os = "linux")]
#[test]
fn killed_matches_leave_no_process_behind() {
    let mark = format!("ADOUBE_MARK={}-killed", std::process::id());
    let engine = |name: &str| {
        UCI.describe(name, "stall:1").replace("/usr/bin/env", &format!("/usr/bin/env {mark}"))
    };
    let mut child = adoube()
        .args(["match", "--tc", "100", "--concurrency", "2"])
        .args(["--engine", &engine("a"), "--engine", &engine("b")])
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("adoube runs");
    wait_for(4..=4, &mark);
    child.kill().expect("killed");
    child.wait().expect("it is gone");
    wait_for(0..=0, &mark);
}

#[cfg(target_os = "linux")]
#[test]
fn interrupted_matches_leave_no_process_behind() {
    use std::process::Stdio;
    // A name that no other process has, seen in the command lines under /proc.
    let marker = format!("deaf:{}", 1_000_000 + std::process::id());
    let mark = format!("{MOCK}={marker}");
    let mut child = adoube()
        .args(["match", "--tc", "100", "--games", "100000", "--concurrency", "2"])
        .args(["--engine", &UCI.describe("a", &marker), "--engine", &UCI.describe("b", &marker)])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("adoube runs");
    // Two games have two engines each.
    wait_for(4..=usize::MAX, &mark);
    for _ in 0..2 {
        let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(kill.expect("kill runs").success());
        std::thread::sleep(Duration::from_millis(100));
    }
    let status = child.wait().expect("adoube ends");
    assert_eq!(status.code(), Some(130));
    assert_eq!(running(&mark), 0);
}
