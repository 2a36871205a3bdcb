//! Benchmarks the chess evaluation in evaluations per second, on positions from random games.

use adoube::base::rng::Rng;
use adoube::chess::Position;
use adoube::eval::Evaluate;
use adoube::eval::chess::Evaluator;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;

/// Returns quiet positions from all phases of random games.
fn positions() -> Vec<Position> {
    let mut rng = Rng::new(1);
    let mut positions = Vec::new();
    while positions.len() < 1000 {
        let mut position = Position::start();
        for ply in 0..60 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position = position.play(moves[rng.below(moves.len())]);
            if ply >= 10 && !position.in_check() {
                positions.push(position.clone());
            }
        }
    }
    positions
}

fn evaluation(criterion: &mut Criterion) {
    let positions = positions();
    let mut evaluator = Evaluator::default();
    let mut group = criterion.benchmark_group("evaluation");
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("chess", |bencher| {
        bencher.iter(|| {
            positions.iter().map(|position| evaluator.value(black_box(position))).sum::<i32>()
        });
    });
    group.finish();
}

criterion_group!(benches, evaluation);
criterion_main!(benches);
