//! Benchmarks the arena with engines that answer immediately. Reports the moves per second, the
//! time charged to the engines' clocks, and leaks of memory, files and processes.
//!
//! `cargo bench --bench arena -- [--games N] [--fastchess PROGRAM]`. With `--fastchess`, compares
//! the games per second that `adoube match` and fastchess play in alternating runs. The engines are
//! this benchmark itself, run with the argument `mock-uci` or `mock-hub`.

#![allow(clippy::print_stdout)] // Benchmarks print their results.

mod common;

use adoube::arena::engine::entrant::Description;
use adoube::arena::engine::link::Patience;
use adoube::arena::engine::process::Interrupt;
use adoube::arena::game::contest::{Contest, Variant};
use adoube::arena::game::openings::Openings;
use adoube::arena::game::{Adjudication, Rules};
use adoube::arena::show::watch::Watchers;
use adoube::arena::tournament::schedule::{Form, Schedule};
use adoube::arena::tournament::{Standings, Tournament};
use adoube::base::rng::Rng;
use adoube::{chess, draughts};
use std::io::{BufRead, Write, stdin, stdout};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Move limit per game, so that all games have about the same length.
const MOVES: u32 = 40;
const CONCURRENCY: usize = 2;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let value = |name: &str| {
        args.iter().position(|arg| arg == name).and_then(|at| args.get(at + 1)).map(String::as_str)
    };
    if let Some(at) = args.iter().position(|arg| arg.starts_with("mock-")) {
        let crash = args.get(at + 1).and_then(|n| n.parse().ok());
        match args[at].as_str() {
            "mock-uci" => uci(crash.unwrap_or(usize::MAX)),
            _ => hub(crash.unwrap_or(usize::MAX)),
        }
        return;
    }
    let games = value("--games").and_then(|n| n.parse().ok()).unwrap_or(400);
    println!("{}", common::machine());
    if let Some(fastchess) = value("--fastchess") {
        return compare(fastchess, games);
    }
    let chess = measure::<chess::Position>("chess", "mock-uci", games);
    let draughts = measure::<draughts::Position>("draughts", "mock-hub", games);
    let both = (chess.0 + draughts.0) as f64 / (chess.1 + draughts.1).as_secs_f64();
    println!("both games: {both:.0} moves per second");
}

fn print_line(text: &str) {
    let mut out = stdout().lock();
    if out.write_all(text.as_bytes()).and_then(|()| out.flush()).is_err() {
        std::process::exit(1);
    }
}

/// The last position command and the position that it sets. A command usually repeats the previous
/// command and adds moves.
struct SentPosition<P> {
    text: String,
    position: P,
}

impl<P: Clone> SentPosition<P> {
    /// Returns the position that a command sets. Plays only the moves that the previous command did
    /// not contain.
    fn after(&mut self, text: &str, start: impl Fn(&str) -> P, play: impl Fn(&P, &str) -> P) -> &P {
        let more = text.strip_prefix(self.text.as_str()).filter(|_| !self.text.is_empty());
        let (mut position, moves) = match (more, text.split_once(" moves")) {
            (Some(more), _) => (self.position.clone(), more.trim_start_matches(" moves")),
            (None, Some((first, moves))) => (start(first), moves),
            (None, None) => (start(text), ""),
        };
        for m in moves.split_whitespace() {
            position = play(&position, m);
        }
        text.clone_into(&mut self.text);
        self.position = position;
        &self.position
    }
}

/// Runs a UCI engine that plays random moves immediately and exits silently in its `crash`-th game.
fn uci(crash: usize) {
    let start = |text: &str| match text.strip_prefix("position fen ") {
        Some(fen) => fen.parse().expect("a FEN"),
        None => chess::Position::start(),
    };
    let mut sent = SentPosition { text: String::new(), position: chess::Position::start() };
    let mut rng = Rng::new(u64::from(std::process::id()));
    let mut games = 0;
    for line in stdin().lock().lines() {
        let line = line.expect("text");
        match line.split(' ').next() {
            Some("uci") => print_line(
                "id name Mock\noption name Hash type spin default 1 min 1 max 64\nuciok\n",
            ),
            Some("isready") => print_line("readyok\n"),
            Some("ucinewgame") => games += 1,
            Some("position") => {
                sent.after(&line, start, |p, m| p.play(p.parse_uci(m).expect("a legal move")));
            }
            Some("go") if games == crash => return,
            Some("go") => {
                let moves = sent.position.legal_moves();
                let best = sent.position.uci(moves[rng.below(moves.len())], false);
                print_line(&format!(
                    "info depth 1 score cp 0 nodes 1 pv {best}\nbestmove {best}\n"
                ));
            }
            Some("quit") => return,
            _ => {}
        }
    }
}

fn hub(crash: usize) {
    use adoube::draughts::{hub, notation};
    use adoube::protocol::hub::line::HubLine;
    let start =
        |text: &str| hub::parse(text.strip_prefix("pos=").unwrap_or(text)).expect("a position");
    let mut sent = SentPosition { text: String::new(), position: draughts::Position::start() };
    let mut rng = Rng::new(u64::from(std::process::id()));
    let mut games = 0;
    for line in stdin().lock().lines() {
        let line = line.expect("text");
        match line.split(' ').next() {
            Some("hub") => print_line("id name=Mock version=1\nwait\n"),
            Some("init") => print_line("ready\n"),
            Some("new-game") => games += 1,
            Some("ping") => print_line("pong\n"),
            Some("pos") => {
                let line = HubLine::parse(&line).expect("a line");
                let (pos, moves) = (line.get("pos").expect("a position"), line.get("moves"));
                let text = format!("{pos} moves {}", moves.unwrap_or_default());
                sent.after(text.trim_end(), start, |p, m| {
                    p.play(notation::parse(p, m).expect("a legal move"))
                });
            }
            Some("go") if games == crash => return,
            Some("go") => {
                let moves = sent.position.legal_moves();
                let best = moves[rng.below(moves.len())].to_string();
                print_line(&format!("info depth=1 score=0 nodes=1 pv={best}\ndone move={best}\n"));
            }
            Some("quit") => return,
            _ => {}
        }
    }
}

fn entrant(mock: &str, name: &str, crash: usize) -> String {
    let program = std::env::current_exe().expect("the path of this program");
    format!("name={name},cmd='{}' {mock} {crash}", program.display())
}

/// The resources in use: memory, open files, threads and child processes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Usage {
    resident_kib: usize,
    files: usize,
    threads: usize,
    children: usize,
}

impl Usage {
    /// Returns the current usage, or `None` if there is no `/proc`.
    fn now() -> Option<Self> {
        let status = std::fs::read_to_string("/proc/self/status").ok()?;
        let number = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name))?;
            line.split_whitespace().next()?.parse().ok()
        };
        let parent = format!("PPid:\t{}\n", std::process::id());
        let of = |entry: std::io::Result<std::fs::DirEntry>| {
            std::fs::read_to_string(entry.ok()?.path().join("status")).ok()
        };
        let processes = std::fs::read_dir("/proc").ok()?.filter_map(of);
        Some(Self {
            resident_kib: number("VmRSS:")?,
            files: std::fs::read_dir("/proc/self/fd").ok()?.count(),
            threads: number("Threads:")?,
            children: processes.filter(|status| status.contains(&parent)).count(),
        })
    }
}

/// Plays games in this process; one engine crashes in every hundredth game. Returns the number of
/// moves and the elapsed time.
fn measure<G: Contest>(name: &str, mock: &str, games: usize) -> (usize, Duration) {
    let entrants = [("a", usize::MAX), ("b", 100)].map(|(name, crash)| {
        let description =
            Description::from_text(&entrant(mock, name, crash)).expect("a description");
        Arc::new(description.entrant().expect("an entrant"))
    });
    let tournament: Tournament<G> = Tournament {
        entrants: entrants.into(),
        schedule: Schedule::new(Form::RoundRobin, 2, games.div_ceil(2)),
        openings: Openings::make("random:0".parse().expect("a recipe"), 1, Variant::Standard)
            .unwrap_or_else(|error| panic!("{error}")),
        rules: Rules {
            control: "60+1"
                .parse()
                .map(|budget| adoube::laws::clock::TimeControl { budget, ..Default::default() })
                .expect("a control"),
            margin: Duration::ZERO,
            patience: Duration::from_secs(10),
            variant: Variant::Standard,
            edition: G::EDITION,
            adjudication: Adjudication { max_moves: Some(MOVES), ..Adjudication::default() },
            restarts: 0,
        },
        concurrency: CONCURRENCY,
        cores: Vec::new(),
        start_delay: Duration::ZERO,
        max_time: None,
        sprt: None,
        watchers: Watchers::default(),
        log: None,
        patience: Patience::default(),
    };
    let before = Usage::now();
    // Histogram in 0.1 µs buckets; a plain list would distort the leak measurement.
    let (mut early, mut moves, mut charged) = (None, 0, vec![0_u32; 1 << 20]);
    let started = Instant::now();
    let played = tournament.run(Standings::new(2), &Interrupt::default(), |_, game, standings| {
        moves += game.moves.len();
        for m in &game.moves {
            charged[(m.elapsed.as_nanos() / 100).min((1 << 20) - 1) as usize] += 1;
        }
        if standings.games() as usize == games.div_ceil(10) {
            early = Usage::now();
        }
    });
    let time = started.elapsed();
    let played = played.unwrap_or_else(|error| panic!("{error}"));
    let after = Usage::now();
    let at = |part: usize| {
        let mut below = 0;
        let of_part = |&count: &u32| {
            below += count as usize;
            below * 1000 >= moves * part
        };
        Duration::from_nanos(100 * charged.iter().position(of_part).unwrap_or_default() as u64)
    };
    println!(
        "{name}: {} games, {} moves in {:.2} s: {:.0} moves per second; clock charged: median {:?}, \
         99% below {:?}; {} crashes",
        played.games(),
        moves,
        time.as_secs_f64(),
        moves as f64 / time.as_secs_f64(),
        at(500),
        at(990),
        played.faults[1].crashes,
    );
    if let (Some(before), Some(early), Some(after)) = (before, early, after) {
        println!(
            "  before:            {before:?}\n  after a tenth:     {early:?}\n  after the match:   {after:?}"
        );
    }
    (moves, time)
}

/// Compares the games per second of Adoube and fastchess in alternating runs.
fn compare(fastchess: &str, games: usize) {
    let program = std::env::current_exe().expect("the path of this program");
    let folder = std::env::temp_dir().join(format!("adoube-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let (pgn, games_text) = (folder.join("games.pgn"), games.to_string());
    let (moves, concurrency) = (MOVES.to_string(), CONCURRENCY.to_string());
    let ours = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_adoube"));
        command.args(["match", "--tc", "60+1", "--openings", "random:0", "--games", &games_text]);
        command.args(["--concurrency", &concurrency, "--max-moves", &moves]);
        for name in ["a", "b"] {
            command.args(["--engine", &entrant("mock-uci", name, usize::MAX)]);
        }
        command.arg("--pgn").arg(&pgn);
        command
    };
    let theirs = || {
        let mut command = Command::new(fastchess);
        command.current_dir(&folder);
        for name in ["a", "b"] {
            command.arg("-engine").arg(format!("cmd={}", program.display()));
            command.args([&format!("name={name}"), "args=mock-uci"]);
        }
        command.args(["-each", "tc=60+1", "-rounds", &games.div_ceil(2).to_string()]);
        command.args(["-games", "2", "-concurrency", &concurrency, "-maxmoves", &moves]);
        command.arg("-pgnout").arg(format!("file={}", pgn.display()));
        command
    };
    let time = |mut command: Command| {
        let _ = std::fs::remove_file(&pgn);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let started = Instant::now();
        let status = command.status().expect("it runs");
        let time = started.elapsed();
        assert!(status.success(), "{command:?}: {status}");
        assert_eq!(played(&pgn), games.next_multiple_of(2), "{command:?}");
        games as f64 / time.as_secs_f64()
    };
    let (mut adoube, mut other) = (Vec::new(), Vec::new());
    for turn in 1..=5 {
        adoube.push(time(ours()));
        other.push(time(theirs()));
        println!(
            "turn {turn}: adoube {:.1} games per second, fastchess {:.1}",
            adoube[turn - 1],
            other[turn - 1]
        );
    }
    let median = |mut rates: Vec<f64>| {
        rates.sort_by(f64::total_cmp);
        rates[rates.len() / 2]
    };
    let (adoube, other) = (median(adoube), median(other));
    println!("median: adoube {adoube:.1}, fastchess {other:.1}, ratio {:.2}", adoube / other);
    let _ = std::fs::remove_dir_all(&folder);
}

fn played(pgn: &Path) -> usize {
    std::fs::read_to_string(pgn).map_or(0, |text| text.matches("[Result ").count())
}
