//! What a search tells while it runs and when it ends. Results leave by callback.

use super::score::{Depth, Score};
use std::time::Duration;

/// How a score bounds the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Bound {
    /// The true score is this or less.
    Upper = 1,
    /// The true score is this or more.
    Lower = 2,
    /// The true score.
    Exact = 3,
}

/// One line of thought.
#[derive(Clone, PartialEq, Debug)]
pub struct Info<M> {
    /// Depth of the iteration, in half-moves.
    pub depth: u32,
    /// The longest line looked at, in half-moves.
    pub seldepth: u32,
    /// The mean depth of the leaves, in half-moves, over all threads since the search began; none
    /// where the game's search does not count them.
    pub mean_depth: Option<f64>,
    /// The rank of the line, from 1.
    pub multipv: usize,
    /// Its score, from the side to move.
    pub score: Score,
    /// Whether the score is exact.
    pub bound: Bound,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Time since the search began.
    pub elapsed: Duration,
    /// How full the table is, in thousandths.
    pub hashfull: u32,
    /// Endgame table hits.
    pub tbhits: u64,
    /// The line; legal from the root.
    pub pv: Vec<M>,
}

/// What the search says while it runs.
#[derive(Clone, PartialEq, Debug)]
pub enum Report<M> {
    /// A line.
    Info(Info<M>),
    /// The root move being searched.
    CurrentMove {
        /// Depth of the iteration.
        depth: Depth,
        /// The move.
        m: M,
        /// Its place in the order, from 1.
        number: usize,
    },
}

/// What a search found.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome<M> {
    /// The move to play; none where there is no legal move.
    pub best: Option<M>,
    /// The reply to ponder on.
    pub ponder: Option<M>,
    /// The best line, where one was completed.
    pub info: Option<Info<M>>,
    /// Every line of the last completed iteration, best first (MultiPV).
    pub lines: Vec<Info<M>>,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Time taken.
    pub elapsed: Duration,
}
