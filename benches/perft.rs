//! Perft, Adoube against cozy-chess 0.3, one thread, both counting the last ply in bulk.
//!
//! `cargo bench --bench perft` first prints the ratio of the two for each position (median of
//! five runs each, taken in turns, both counts checked), then lets criterion measure each alone.
//! Draughts has no such crate to compare with: its speeds stand beside that of cozy-chess on the
//! start position of chess, measured in the same turns, as a measure of the machine.
#![allow(clippy::print_stdout)]

use adoube::base::game::Game;
use adoube::chess::Position;
use adoube::draughts;
use criterion::{BenchmarkId, Criterion, SamplingMode, Throughput};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Name, FEN, depth and the known count: <https://www.chessprogramming.org/Perft_Results>.
const POSITIONS: [(&str, &str, u32, u64); 2] = [
    ("start position", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6, 119_060_324),
    (
        "Kiwipete",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        5,
        193_690_690,
    ),
];

/// Name, FEN, depth and the count of unique moves.
const DRAUGHTS: [(&str, &str, u32, u64); 3] = [
    ("draughts start", "W:W31-50:B1-20", 11, 1_665_861_398),
    ("Woldouby", "W:W25,27,28,30,32,33,34,35,37,38:B12,13,14,16,18,19,21,23,24,26", 14, 58_360_286),
    ("all kings", "W:WK31-K50:BK1-K20", 9, 8_558_321),
];

/// Runs of each program for the printed ratio.
const RUNS: usize = 5;

/// Perft with cozy-chess, the way its own example counts in bulk.
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

fn timed(count: u64, perft: impl FnOnce() -> u64) -> Duration {
    let start = Instant::now();
    let nodes = perft();
    let elapsed = start.elapsed();
    assert_eq!(nodes, count, "wrong count");
    elapsed
}

fn median(mut times: [Duration; RUNS]) -> Duration {
    times.sort_unstable();
    times[RUNS / 2]
}

fn main() {
    println!("One thread, bulk counting, median of {RUNS} runs in turns, million nodes a second:");
    println!("{:<18}{:>12}{:>12}{:>8}", "", "cozy-chess", "Adoube", "ratio");
    let positions = POSITIONS.map(|(name, fen, depth, count)| {
        let ours: Position = fen.parse().expect("the FEN is right");
        let theirs: cozy_chess::Board = fen.parse().expect("the FEN is right");
        let name = format!("{name} d{depth}");
        let (mut ours_times, mut theirs_times) = ([Duration::ZERO; RUNS], [Duration::ZERO; RUNS]);
        for run in 0..RUNS {
            theirs_times[run] = timed(count, || cozy_perft(black_box(&theirs), depth));
            ours_times[run] = timed(count, || black_box(&ours).perft(depth));
        }
        let speed = |time: Duration| count as f64 / time.as_secs_f64() / 1e6;
        let (a, b) = (speed(median(theirs_times)), speed(median(ours_times)));
        println!("{name:<18}{a:>12.0}{b:>12.0}{:>8.2}", b / a);
        (name, ours, theirs, depth, count)
    });

    let draughts = DRAUGHTS.map(|(name, fen, depth, count)| {
        let ours: draughts::Position = fen.parse().expect("the FEN is right");
        let (_, _, theirs, theirs_depth, theirs_count) = &positions[0];
        let (mut ours_times, mut theirs_times) = ([Duration::ZERO; RUNS], [Duration::ZERO; RUNS]);
        for run in 0..RUNS {
            let yardstick = || cozy_perft(black_box(theirs), *theirs_depth);
            theirs_times[run] = timed(*theirs_count, yardstick);
            ours_times[run] = timed(count, || black_box(&ours).perft(depth));
        }
        let name = format!("{name} d{depth}");
        let speed = |count: u64, time: Duration| count as f64 / time.as_secs_f64() / 1e6;
        let (a, b) = (speed(*theirs_count, median(theirs_times)), speed(count, median(ours_times)));
        println!("{name:<18}{a:>12.0}{b:>12.0}{:>8.2}", b / a);
        (name, ours, depth, count)
    });

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
