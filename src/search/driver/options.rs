//! The options of an engine.

use std::time::Duration;

/// The options of an engine, which can be changed between searches.
#[derive(Clone, Debug)]
pub struct Options {
    /// The size of the transposition table in MB (2^20 bytes).
    pub hash_mb: usize,
    /// The number of threads.
    pub threads: usize,
    /// The number of lines to find (MultiPV).
    pub multipv: usize,
    /// The delay between the engine's answer and the moment when its clock stops.
    pub move_overhead: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self { hash_mb: 16, threads: 1, multipv: 1, move_overhead: Duration::from_millis(10) }
    }
}
