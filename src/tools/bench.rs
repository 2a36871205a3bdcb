//! A fixed amount of work, to compare builds by speed and searches by their node count.

use crate::base::cursor::Cursor;
use crate::chess::Position;
use crate::chess::setup::Setup;
use crate::search::chess::{ChessEngine, Root};
use crate::search::control::Control;
use crate::search::driver::{Options, ResourceError};
use crate::search::limits::Limits;
use std::fmt;
use std::time::Duration;

/// The positions, an EPD each.
const POSITIONS: &str = include_str!("../../epd/chess/bench.epd");

/// What to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bench {
    /// The depth to which each position is searched, in half-moves.
    pub depth: u32,
    /// Threads; with more than one the node count varies.
    pub threads: usize,
    /// Size of the transposition table in MB (2^20 bytes).
    pub hash_mb: usize,
}

impl Default for Bench {
    fn default() -> Self {
        Self { depth: 12, threads: 1, hash_mb: 16 }
    }
}

/// What was done; prints as the two last lines of a bench.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Total {
    /// Nodes searched.
    pub nodes: u64,
    /// Time spent searching.
    pub elapsed: Duration,
}

impl fmt::Display for Total {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nps = u128::from(self.nodes) * 1_000_000_000 / self.elapsed.as_nanos().max(1);
        write!(f, "{} nodes\n{nps} nps", self.nodes)
    }
}

impl Bench {
    /// Depth, threads and hash in this order; what is missing has its default.
    pub fn from_arguments(arguments: &[u32]) -> Self {
        let default = Self::default();
        let argument = |at: usize| arguments.get(at).map(|&n| n as usize);
        Self {
            depth: arguments.first().copied().unwrap_or(default.depth),
            threads: argument(1).unwrap_or(default.threads),
            hash_mb: argument(2).unwrap_or(default.hash_mb),
        }
    }

    /// Searches every position, each as a new game, and tells of each in a line. A stopped control
    /// ends it early.
    pub fn run(
        &self,
        control: &Control,
        line: &mut dyn FnMut(&dyn fmt::Display),
    ) -> Result<Total, ResourceError> {
        let &Self { depth, threads, hash_mb } = self;
        let mut engine = ChessEngine::new(Options { hash_mb, threads, ..Options::default() })?;
        let mut total = Total::default();
        let positions = positions();
        for (number, position) in (1..).zip(&positions) {
            if control.is_stopped() {
                break;
            }
            engine.clear();
            let root = Root { position: position.clone(), history: Vec::new() };
            let outcome = engine.search(&root, &Limits::depth(depth), control, &|_| ());
            let best = outcome.best.map_or("(none)".to_owned(), |m| position.uci(m, true));
            let nodes = outcome.nodes;
            line(&format_args!("{number:2}/{} {best:5} {nodes:9} nodes", positions.len()));
            total.nodes += nodes;
            total.elapsed += outcome.elapsed;
        }
        line(&total);
        Ok(total)
    }
}

/// The positions of the bench.
fn positions() -> Vec<Position> {
    let records = POSITIONS.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    records
        .filter_map(|line| Setup::read_board(&mut Cursor::new(line)).ok()?.try_into().ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_is_legal_and_has_moves() {
        let records = POSITIONS.lines().filter(|line| line.contains('/')).count();
        assert_eq!(positions().len(), records);
        assert!(records >= 30 && positions().iter().all(Position::has_moves));
    }

    #[test]
    fn one_thread_counts_the_same_nodes_every_time() {
        let count = || {
            let bench = Bench { depth: 5, ..Bench::default() };
            bench.run(&Control::new(), &mut |_| ()).expect("memory").nodes
        };
        let nodes = count();
        assert!(nodes > 1000);
        assert_eq!(nodes, count());
    }

    #[test]
    fn arguments_come_in_order() {
        let bench = Bench::from_arguments(&[5, 2]);
        assert_eq!(bench, Bench { depth: 5, threads: 2, ..Bench::default() });
    }
}
