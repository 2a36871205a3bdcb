//! Benchmarks for reading and writing PGN and PDN files with one thread.
//!
//! `cargo bench --bench files` generates deterministic files of games with comments like those of
//! engine games, and prints the median speeds of five alternating runs. Options:
//!
//! - `--mb N`: the size of each file in megabytes.
//! - `--runs N`: the number of runs.
//! - `--peer "PROGRAM {mode} {file}"`: another program, which reads the PGN file. `{mode}` is
//!   `headers`, `replay`, `uci` or `pgn`. Its time includes the start of the process, and its
//!   output is discarded.
//! - `--keep FOLDER`: writes the files to this folder and does not measure.

#![allow(clippy::print_stdout)] // Benchmarks print their results.

mod common;

use adoube::base::rng::Rng;
use adoube::record::games::{Reader, Record, Recorded};
use adoube::{chess, draughts};
use std::fs::File;
use std::hint::black_box;
use std::io::{BufReader, Write, sink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// Maximum number of plies per game.
const PLIES: usize = 120;

fn values(name: &str) -> Vec<String> {
    let args: Vec<String> = std::env::args().collect();
    args.windows(2).filter(|pair| pair[0] == name).map(|pair| pair[1].clone()).collect()
}

fn number(name: &str, default: usize) -> usize {
    let value = values(name).pop().map(|value| value.parse());
    value.map_or(default, |value| value.unwrap_or_else(|_| panic!("{name} needs a number")))
}

/// Returns a game of random moves with a comment after each move.
fn random_game<P: Recorded>(number: usize, rng: &mut Rng) -> Record<P> {
    let mut game: Record<P> = Record::new();
    let player = |rng: &mut Rng| format!("Engine {}", rng.below(40));
    let (white, black) = (player(rng), player(rng));
    let tags = [
        ("Event", "Benchmark of files"),
        ("Site", "Nowhere"),
        ("Date", "2026.01.31"),
        ("Round", &number.to_string()),
        ("White", &white),
        ("Black", &black),
        ("TimeControl", "60+0.6"),
        ("Termination", "normal"),
    ];
    tags.iter().for_each(|(name, value)| game.set_tag(name, value));
    for _ in 0..PLIES {
        let moves = game.position().moves();
        let Some(&m) = moves.get(rng.below(moves.len())) else { break };
        let score = rng.below(400) as f64 / 100.0 - 2.0;
        let (depth, time) = (rng.below(30), rng.below(3000));
        let comment = format!(
            "{score:+.2}/{depth} {}.{:03}s, n={}",
            time / 1000,
            time % 1000,
            1500 * time + rng.below(1000)
        );
        game.push(m, &comment).expect("a legal move");
    }
    game.result = ["1-0", "0-1", "1/2-1/2"][rng.below(3)].parse().ok().expect("a result");
    game
}

/// Returns a file of this size in megabytes.
fn random_file<P: Recorded>(megabytes: usize) -> Vec<u8> {
    let (mut text, mut rng) = (Vec::new(), Rng::new(45));
    let mut number = 0;
    while text.len() < megabytes * 1_000_000 {
        number += 1;
        random_game::<P>(number, &mut rng).write_to(&mut text).expect("memory");
    }
    text
}

fn open<P: Recorded>(path: &Path) -> Reader<P, BufReader<File>> {
    Reader::new(BufReader::with_capacity(1 << 16, File::open(path).expect("a file")))
}

/// Calls `each` with every game, and returns the number of moves.
fn read<P: Recorded>(games: Reader<P, BufReader<File>>, mut each: impl FnMut(&Record<P>)) -> usize {
    let mut moves = 0;
    for game in games {
        let game = game.unwrap_or_else(|error| panic!("{error}"));
        moves += game.line().moves.len();
        each(&game);
    }
    moves
}

fn write<P: Recorded>(game: &Record<P>) {
    game.write_to(black_box(&mut sink())).expect("it discards everything");
}

fn write_uci(text: &mut Vec<u8>, game: &Record<chess::Position>) {
    text.clear();
    for m in game.moves() {
        write!(text, " {}", game.start().uci(m, false)).expect("memory");
    }
    black_box(text);
}

fn run_peer(words: &[String], mode: &str, path: &Path) {
    let path = path.display().to_string();
    let mut words = words.iter().map(|word| word.replace("{mode}", mode).replace("{file}", &path));
    let program = words.next().expect("--peer is empty");
    let mut command = Command::new(&program);
    let command = command.args(words).stdout(Stdio::null()).stderr(Stdio::null());
    let status = command.status().unwrap_or_else(|error| panic!("{program}: {error}"));
    assert!(status.success(), "{command:?}: {status}");
}

/// A measured task: its name, the `{mode}` in which peers do the same work (if they can), and a
/// function that returns the number of moves read.
type Task<'a> = (&'a str, Option<&'a str>, &'a dyn Fn() -> usize);

/// Runs the tasks and the peers in turn, and prints the median speeds.
fn measure(name: &str, path: &Path, tasks: &[Task<'_>], peers: &[Vec<String>], runs: usize) {
    let bytes = path.metadata().expect("a file").len();
    println!("{name}, {} MB{:>21}{:>14}", bytes / 1_000_000, "MB/s", "moves/s");
    let seconds = |work: &dyn Fn() -> usize| {
        let start = Instant::now();
        let moves = work();
        (start.elapsed().as_secs_f64(), moves)
    };
    let median = |times: &mut Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    };
    for (task, mode, work) in tasks {
        let (mut own, mut others, mut moves) = (Vec::new(), vec![Vec::new(); peers.len()], 0);
        for _ in 0..runs {
            let (time, count) = seconds(work);
            own.push(time);
            moves = count;
            for (peer, times) in peers.iter().zip(&mut others) {
                let Some(mode) = mode else { continue };
                let work = || {
                    run_peer(peer, mode, path);
                    0
                };
                times.push(seconds(&work).0);
            }
        }
        let time = median(&mut own);
        print!("  {task:<28}{:>9.0}{:>14.0}", bytes as f64 / time / 1e6, moves as f64 / time);
        for times in others.iter_mut().filter(|times| !times.is_empty()) {
            print!("{:>8.2} times the speed of the peer", median(times) / time);
        }
        println!();
    }
}

fn main() {
    let (megabytes, runs) = (number("--mb", 32), number("--runs", 5).max(1));
    let peers: Vec<Vec<String>> = values("--peer")
        .iter()
        .map(|peer| shlex::split(peer).expect("--peer has unbalanced quotes"))
        .collect();
    let kept = values("--keep").pop().map(PathBuf::from);
    let temporary = tempfile::tempdir().expect("a folder");
    let folder = kept.as_deref().unwrap_or(temporary.path());
    let [pgn, pdn] = ["games.pgn", "games.pdn"].map(|name| folder.join(name));
    std::fs::write(&pgn, random_file::<chess::Position>(megabytes)).expect("a file");
    std::fs::write(&pdn, random_file::<draughts::Position>(megabytes)).expect("a file");
    if kept.is_some() {
        return;
    }
    println!("{}, one thread, medians of {runs} alternating runs", common::machine());
    let (chess, draughts) = (|| open::<chess::Position>(&pgn), || open::<draughts::Position>(&pdn));
    let to_uci = || {
        let mut text = Vec::new();
        read(chess().without_comments(), |game| write_uci(&mut text, game))
    };
    let tasks: [Task<'_>; 5] = [
        ("tags", Some("headers"), &|| read(chess().without_moves(), |_| ())),
        ("replay", Some("replay"), &|| read(chess().without_comments(), |_| ())),
        ("replay with comments", None, &|| read(chess(), |_| ())),
        ("to UCI", Some("uci"), &to_uci),
        ("to PGN", Some("pgn"), &|| read(chess(), write)),
    ];
    measure("PGN", &pgn, &tasks, &peers, runs);
    let tasks: [Task<'_>; 4] = [
        ("tags", None, &|| read(draughts().without_moves(), |_| ())),
        ("replay", None, &|| read(draughts().without_comments(), |_| ())),
        ("replay with comments", None, &|| read(draughts(), |_| ())),
        ("to PDN", None, &|| read(draughts(), write)),
    ];
    measure("PDN", &pdn, &tasks, &[], runs);
}
