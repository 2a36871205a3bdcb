//! Benchmarks the referee in events per second. The events are the moves and clock presses of
//! random games.

use adoube::base::rng::Rng;
use adoube::laws::edition::Edition;
use adoube::laws::event::{Act, Event, PressTime};
use adoube::laws::referee::Referee;
use adoube::laws::regulations::Regulations;
use adoube::laws::ruled::Ruled;
use adoube::{chess, draughts};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use std::time::Duration;

/// Returns random games as lists of moves and clock presses.
fn games<G: Ruled>(edition: Edition, rules: &Regulations) -> Vec<Vec<Event<G>>> {
    let mut rng = Rng::new(1);
    let game = |_| {
        let mut referee = Referee::<G>::new(edition, rules.clone());
        while referee.verdict().is_none() && referee.plies() < 120 {
            let side = referee.position().side();
            let moves = referee.position().moves();
            let m = moves[rng.below(moves.len())];
            let press = Act::Press(Some(PressTime::Taken(Duration::from_millis(900))));
            for act in [Act::Move(m), press] {
                if referee.rule(Event::Player(side, act)).is_err() {
                    break;
                }
            }
        }
        referee.log().cloned().collect()
    };
    (0..50).map(game).collect()
}

fn bench<G: Ruled>(criterion: &mut Criterion, edition: Edition) {
    let rules = Regulations { time: "5400+30".parse().ok(), ..Regulations::default() };
    let games = games::<G>(edition, &rules);
    let events: usize = games.iter().map(Vec::len).sum();
    let mut group = criterion.benchmark_group("referee");
    group.throughput(Throughput::Elements(events as u64));
    group.bench_function(edition.id(), |bencher| {
        bencher.iter(|| {
            let mut rulings = 0;
            for game in &games {
                let mut referee = Referee::<G>::new(edition, rules.clone());
                for event in game {
                    rulings += referee.rule(black_box(event.clone())).map_or(0, |r| r.len());
                }
            }
            rulings
        });
    });
    group.finish();
}

fn events(criterion: &mut Criterion) {
    bench::<chess::Position>(criterion, Edition::Fide1930);
    bench::<chess::Position>(criterion, Edition::Fide2009);
    bench::<chess::Position>(criterion, Edition::Fide2023);
    bench::<draughts::Position>(criterion, Edition::Fmjd);
}

criterion_group!(benches, events);
criterion_main!(benches);
