//! Counts the moves in a perft tree by kind: captures, castling, checks and so on.
//!
//! Two bugs may cancel out, so that the total is correct. The counts by kind reveal such bugs, can
//! be compared with published tables, and show which kinds of moves a faulty generator misses.

use super::PerftError;
use super::game::PerftGame;
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    pub nodes: u64,
    /// The number of moves of each kind, in the order of [`PerftGame::KINDS`].
    pub kinds: Vec<u64>,
}

impl Row {
    fn add(&mut self, other: &Self) {
        self.nodes += other.nodes;
        for (sum, count) in self.kinds.iter_mut().zip(&other.kinds) {
            *sum += count;
        }
    }
}

/// Counts the moves at each ply down to `depth` by kind, and returns a row for each ply. Returns
/// `None` if `stop` was set before the count was complete.
pub(crate) fn detail<G: PerftGame>(
    root: &G,
    depth: u32,
    threads: usize,
    stop: &AtomicBool,
) -> Result<Option<Vec<Row>>, PerftError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.max(1)).build()?;
    let mut rows = empty::<G>(depth as usize);
    pool.install(|| walk(root, &mut rows, stop, SHARED));
    Ok((!stop.load(Relaxed)).then_some(rows))
}

fn empty<G: PerftGame>(plies: usize) -> Vec<Row> {
    vec![Row { nodes: 0, kinds: vec![0; G::KINDS.len()] }; plies]
}

/// The number of plies, counted from the root, at which the moves are distributed to the threads.
const SHARED: u32 = 3;

fn walk<G: PerftGame>(position: &G, rows: &mut [Row], stop: &AtomicBool, shared: u32) {
    let Some((row, below)) = rows.split_first_mut() else { return };
    if stop.load(Relaxed) {
        return;
    }
    let moves = position.moves();
    for &m in &moves {
        let next = position.after(m);
        row.nodes += 1;
        position.kinds(m, &next, |kind| row.kinds[kind] += 1);
        if shared == 0 {
            walk(&next, below, stop, 0);
        }
    }
    if shared > 0 {
        let plies = below.len();
        let count = |mut rows: Vec<Row>, m| {
            walk(&position.after(m), &mut rows, stop, shared - 1);
            rows
        };
        let counts = moves.into_par_iter().with_max_len(1).fold(|| empty::<G>(plies), count);
        let sum = counts.reduce(|| empty::<G>(plies), |rows, others| sum_rows(rows, &others));
        for (row, more) in below.iter_mut().zip(&sum) {
            row.add(more);
        }
    }
}

fn sum_rows(mut rows: Vec<Row>, others: &[Row]) -> Vec<Row> {
    for (row, other) in rows.iter_mut().zip(others) {
        row.add(other);
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{chess, draughts};

    fn counts(row: &Row) -> Vec<u64> {
        [row.nodes].into_iter().chain(row.kinds.iter().copied()).collect()
    }

    fn check<G: PerftGame>(position: &G, expected: &[Vec<u64>]) {
        let rows = detail(position, expected.len() as u32, 2, &AtomicBool::new(false));
        let rows = rows.expect("two threads can be started").expect("nobody stops it");
        let found: Vec<_> = rows.iter().map(counts).collect();
        assert_eq!(found, expected, "{position:?}");
    }

    #[test]
    fn columns_match_other_programs() {
        let lines = include_str!("detail.txt").lines().filter(|line| !line.starts_with('#'));
        let lines: Vec<_> = lines.collect();
        let is_row = |line: &&str| line.starts_with(|c: char| c.is_ascii_digit());
        let mut tables = 0;
        for (i, line) in lines.iter().enumerate().filter(|(_, line)| !is_row(line)) {
            let rows = lines[i + 1..].iter().take_while(|line| is_row(line));
            let numbers =
                |row: &&str| row.split(' ').map(|n| n.parse().expect("a number")).collect();
            let expected: Vec<_> = rows.map(numbers).collect();
            match line.split_once(' ').expect("a game and a position") {
                ("chess", fen) => check::<chess::Position>(&fen.parse().expect(fen), &expected),
                (_, fen) => check::<draughts::Position>(&fen.parse().expect(fen), &expected),
            }
            tables += 1;
        }
        assert_eq!(tables, 10);
    }

    #[test]
    fn classifies_draughts_moves() {
        // A king captures one man and can stop on four squares; a man promotes.
        let king: draughts::Position = "W:WK46:B23".parse().expect("a position");
        check(&king, &[vec![4, 4, 4, 0, 0, 0, 0, 4, 0]]);
        let man: draughts::Position = "W:W6:B45".parse().expect("a position");
        check(&man, &[vec![1, 0, 0, 0, 0, 0, 0, 0, 1]]);
        let start = draughts::Position::start();
        let rows = detail(&start, 6, 1, &AtomicBool::new(false)).expect("a thread");
        for (depth, row) in (1..).zip(rows.expect("nobody stops it")) {
            assert_eq!(row.nodes, start.perft(depth));
            assert_eq!(row.kinds[0], row.kinds[1..6].iter().sum::<u64>());
        }
    }

    #[test]
    fn returns_none_for_a_stopped_count() {
        let start = chess::Position::start();
        assert_eq!(detail(&start, 4, 1, &AtomicBool::new(true)).expect("a thread"), None);
    }
}
