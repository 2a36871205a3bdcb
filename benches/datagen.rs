//! Benchmarks the generation of training data by self-play, in positions per second on one core:
//! `cargo bench --bench datagen -- [NODES]`. Runs both games, at 1,000 nodes per move by default.

use adoube::base::shard::Shard;
use adoube::chess::Position as Chess;
use adoube::draughts::Position as Draughts;
use adoube::record::selfplay::GenerationSettings;
use adoube::tools::datagen::{self, Options, Output, SelfPlay};
use std::collections::HashSet;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::Instant;

/// Games per run; the median of `RUNS` runs is reported.
const GAMES: usize = 40;
const RUNS: u64 = 3;

fn main() {
    let nodes = std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(1000);
    bench::<Chess>(nodes);
    bench::<Draughts>(nodes);
}

fn bench<G: SelfPlay>(nodes: u64) {
    let mut speeds: Vec<f64> = (1..=RUNS).map(|seed| speed::<G>(nodes, seed)).collect();
    speeds.sort_by(f64::total_cmp);
    let median = speeds[speeds.len() / 2];
    eprintln!("{}, {nodes} nodes per move: {median:.0} positions per second and core", G::NAME);
}

fn speed<G: SelfPlay>(nodes: u64, seed: u64) -> f64 {
    let settings = GenerationSettings {
        variant: String::new(),
        game: G::NAME.into(),
        program: "bench".into(),
        signature: 0,
        nodes,
        seed,
        chess960: 10,
        branches: false,
    };
    let options = Options { settings, games: GAMES, shard: Shard::WHOLE, threads: 1 };
    let positions = AtomicUsize::new(0);
    let report = |progress: datagen::Progress| positions.store(progress.positions, Relaxed);
    let start = Instant::now();
    let stop = AtomicBool::new(false);
    let resources = datagen::ResourcesOf::<G>::default();
    let (done, mut out) = (HashSet::new(), io::sink());
    let output = Output { done: &done, out: &mut out, stop: &stop, report: &report };
    datagen::run::<G>(&options, &resources, output).expect("an engine of 4 MiB");
    positions.load(Relaxed) as f64 / start.elapsed().as_secs_f64()
}
