//! Benchmarks Adoube's perft against cozy-chess 0.3 and other programs, with one thread and bulk
//! counting of the last ply.
//!
//! `cargo bench --bench perft` first prints the speeds and their ratios for each position. The
//! speeds are medians of five alternating runs, and every count is checked. Then criterion measures
//! each function alone. `--peer "PROGRAM {fen} {depth}"` (repeatable) adds a program that prints
//! either the total count or a count per move. Its time includes the start of the process.
//! `--runs N` sets the number of runs. Either option disables criterion.
//!
//! There is no comparable crate for draughts. The draughts speeds are printed next to the speed of
//! cozy-chess on the chess start position, measured in the same run, so that machines can be
//! compared.
#![allow(clippy::print_stdout)]

mod common;

use adoube::chess::Position;
use adoube::draughts;
use adoube::tools::perft::compare::read_counts;
use criterion::{BenchmarkId, Criterion, SamplingMode, Throughput};
use std::hint::black_box;
use std::process::Command;
use std::time::{Duration, Instant};

/// Name, FEN, depth and known count, from <https://www.chessprogramming.org/Perft_Results>. The
/// count for the last position is from Stockfish 15.1.
const POSITIONS: [(&str, &str, u32, u64); 4] = [
    ("start position", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6, 119_060_324),
    (
        "Kiwipete",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        5,
        193_690_690,
    ),
    (
        "middle game",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        5,
        164_075_551,
    ),
    ("queens", "5nk1/pp3pp1/2p4p/q7/2PPB2P/P5P1/1P5K/3Q4 w - - 1 28", 6, 849_167_880),
];

/// Name, FEN, depth and count. Captures that differ only in their route count as one move.
const DRAUGHTS: [(&str, &str, u32, u64); 3] = [
    ("draughts start", "W:W31-50:B1-20", 11, 1_665_861_398),
    ("Woldouby", "W:W25,27,28,30,32,33,34,35,37,38:B12,13,14,16,18,19,21,23,24,26", 14, 58_360_286),
    ("all kings", "W:WK31-K50:BK1-K20", 9, 8_558_321),
];

/// The default number of runs.
const RUNS: usize = 5;

/// Counts leaves with cozy-chess, with bulk counting as in cozy-chess's own example.
fn cozy_perft(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut nodes = 0;
    if depth <= 1 {
        board.generate_moves(|moves| {
            nodes += moves.len() as u64;
            false
        });
    } else {
        board.generate_moves(|moves| {
            for m in moves {
                let mut child = board.clone();
                child.play_unchecked(m);
                nodes += cozy_perft(&child, depth - 1);
            }
            false
        });
    }
    nodes
}

/// Runs another program. The program must print `count`, possibly with digit separators, or counts
/// per move that add up to `count`.
fn peer_perft(words: &[String], fen: &str, depth: u32, count: u64) -> u64 {
    let mut words =
        words.iter().map(|word| word.replace("{fen}", fen).replace("{depth}", &depth.to_string()));
    let program = words.next().expect("a peer has a program");
    let output = Command::new(&program).args(words).output();
    let output = output.unwrap_or_else(|error| panic!("{program}: {error}"));
    let text = String::from_utf8_lossy(&output.stdout);
    let total = count.to_string();
    let is_total = |word: &str| word.replace([',', '.', '\'', '_', ':', ';'], "") == total;
    match text.split_whitespace().any(is_total) {
        true => count,
        false => read_counts(text.lines()).iter().map(|(_, leaves)| leaves).sum(),
    }
}

/// Calls the functions alternately and returns their median times. Each function must return its
/// expected count.
fn in_turns(runs: usize, functions: &[(u64, &dyn Fn() -> u64)]) -> Vec<Duration> {
    let mut times = vec![Vec::new(); functions.len()];
    for _ in 0..runs {
        for ((count, function), times) in functions.iter().zip(&mut times) {
            let start = Instant::now();
            let nodes = function();
            times.push(start.elapsed());
            assert_eq!(nodes, *count, "wrong count");
        }
    }
    let median = |mut times: Vec<Duration>| {
        times.sort_unstable();
        times[times.len() / 2]
    };
    times.into_iter().map(median).collect()
}

/// Returns the values of a repeatable option.
fn values(name: &str) -> Vec<String> {
    let args: Vec<String> = std::env::args().collect();
    args.windows(2).filter(|pair| pair[0] == name).map(|pair| pair[1].clone()).collect()
}

/// Returns the speed in millions of nodes per second.
fn speed(count: u64, time: Duration) -> f64 {
    count as f64 / time.as_secs_f64() / 1e6
}

fn main() {
    let peers: Vec<Vec<String>> = values("--peer")
        .iter()
        .map(|peer| shlex::split(peer).expect("--peer has unbalanced quotes"))
        .collect();
    let runs = values("--runs").last().map(|runs| runs.parse().expect("--runs needs a number"));
    let alone = peers.is_empty() && runs.is_none();
    let runs = runs.unwrap_or(RUNS).max(1);

    println!(
        "{}, one thread, bulk counting, medians of {runs} alternating runs, million nodes per second,",
        common::machine()
    );
    println!("and Adoube's speed as a multiple:");
    let others = peers.iter().filter_map(|peer| peer.first().map(String::as_str));
    let others = ["cozy-chess"].into_iter().chain(others);
    println!(
        "{:<18}{:>9}{}",
        "",
        "Adoube",
        others.map(|name| format!("{name:>18}")).collect::<String>()
    );
    let positions = POSITIONS.map(|(name, fen, depth, count)| {
        let ours: Position = fen.parse().expect("the FEN is right");
        let theirs: cozy_chess::Board = fen.parse().expect("the FEN is right");
        let name = format!("{name} d{depth}");
        let own = || black_box(&ours).perft(depth);
        let cozy = || cozy_perft(black_box(&theirs), depth);
        let programs: Vec<_> =
            peers.iter().map(|peer| move || peer_perft(peer, fen, depth, count)).collect();
        let mut functions: Vec<(u64, &dyn Fn() -> u64)> = vec![(count, &own), (count, &cozy)];
        functions.extend(programs.iter().map(|program| (count, program as &dyn Fn() -> u64)));
        let times = in_turns(runs, &functions);
        print!("{name:<18}{:>9.0}", speed(count, times[0]));
        for &time in &times[1..] {
            let ratio = time.as_secs_f64() / times[0].as_secs_f64();
            print!("{:>11.0}{ratio:>7.2}", speed(count, time));
        }
        println!();
        (name, ours, theirs, depth, count)
    });

    let draughts = DRAUGHTS.map(|(name, fen, depth, count)| {
        let ours: draughts::Position = fen.parse().expect("the FEN is right");
        let (_, _, start, start_depth, start_count) = &positions[0];
        let own = || black_box(&ours).perft(depth);
        let yardstick = || cozy_perft(black_box(start), *start_depth);
        let times = in_turns(runs, &[(count, &own), (*start_count, &yardstick)]);
        let name = format!("{name} d{depth}");
        let [a, b] = [speed(count, times[0]), speed(*start_count, times[1])];
        println!("{name:<18}{a:>9.0}{b:>11.0}{:>7.2}", a / b);
        (name, ours, depth, count)
    });
    if !alone {
        return;
    }

    let mut criterion = Criterion::default().configure_from_args();
    let mut group = criterion.benchmark_group("perft");
    group.sample_size(10).sampling_mode(SamplingMode::Flat).warm_up_time(Duration::from_secs(1));
    for (name, ours, theirs, depth, count) in &positions {
        group.throughput(Throughput::Elements(*count));
        group.bench_function(BenchmarkId::new("cozy-chess", name), |b| {
            b.iter(|| cozy_perft(black_box(theirs), *depth));
        });
        group.bench_function(BenchmarkId::new("Adoube", name), |b| {
            b.iter(|| black_box(ours).perft(*depth));
        });
    }
    for (name, ours, depth, count) in &draughts {
        group.throughput(Throughput::Elements(*count));
        group.bench_function(BenchmarkId::new("Adoube", name), |b| {
            b.iter(|| black_box(ours).perft(*depth));
        });
    }
    group.finish();
}
