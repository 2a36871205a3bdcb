//! Benchmarks the test for whether a side can still checkmate:
//! `cargo bench --bench winnable -- FILE...`.
//!
//! Each line of a file is an EPD position, optionally preceded by a verdict: `WB`, `W-`, `-B` or
//! `--` for the sides that can checkmate. The exit code is 1 if an answer differs from its verdict.

#![allow(clippy::print_stdout)] // Benchmarks print their results.

use adoube::arena::game::contest::Contest;
use adoube::base::side::Side;
use adoube::chess::Position;
use adoube::laws::mating;
use std::process::ExitCode;
use std::time::{Duration, Instant};

fn main() -> ExitCode {
    let files: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let right: Vec<bool> = files.iter().map(|file| measure(file)).collect();
    if right.iter().all(|&right| right) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Tests both sides in each position of a file. Returns whether all verdicts are correct.
fn measure(file: &str) -> bool {
    let text = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) => {
            println!("{file}: {error}");
            return false;
        }
    };
    let (mut full, mut fast) = (Vec::new(), Vec::new());
    let (mut verdicts, mut wrong) = (0, 0);
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (verdict, epd) = match line.split_once(' ') {
            Some((verdict, epd)) if verdict.len() == 2 => (Some(verdict), epd),
            _ => (None, line),
        };
        let position = match Position::read_start(epd) {
            Ok(position) => position,
            Err(error) => {
                println!("{line}: {error}");
                return false;
            }
        };
        let mut answer = String::new();
        for (side, letter) in [(Side::White, 'W'), (Side::Black, 'B')] {
            let can = timed(&mut full, || mating::can_mate(&position, side));
            answer.push(if can { letter } else { '-' });
        }
        // A position that `is_dead` accepts must be dead. `is_dead` may miss dead positions.
        let dead = timed(&mut fast, || mating::is_dead(&position));
        if let Some(verdict) = verdict {
            verdicts += 1;
            if answer != verdict || dead && verdict != "--" {
                wrong += 1;
                println!("{line}: {answer}{}", if dead { ", dead" } else { "" });
            }
        }
    }
    println!("{file}: {} of {verdicts} verdicts correct", verdicts - wrong);
    show("can mate", &mut full);
    show("is dead", &mut fast);
    wrong == 0
}

fn timed(times: &mut Vec<Duration>, query: impl FnOnce() -> bool) -> bool {
    let started = Instant::now();
    let answer = query();
    times.push(started.elapsed());
    answer
}

fn show(what: &str, times: &mut [Duration]) {
    times.sort_unstable();
    let Some(&worst) = times.last() else { return };
    let median = times[times.len() / 2];
    let mean = times.iter().sum::<Duration>() / times.len() as u32;
    println!(
        "  {what}: {} queries, median {median:.1?}, mean {mean:.1?}, worst {worst:.1?}",
        times.len()
    );
}
