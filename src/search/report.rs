//! The reports of a running search and its result.

use super::depth::Depth;
use super::score::Score;
use super::window::Window;
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

impl Bound {
    /// How the score that a search of `window` returned bounds the true one.
    #[inline(always)]
    pub fn of(score: Score, window: Window) -> Self {
        if score >= window.beta {
            Self::Lower
        } else if score > window.alpha {
            Self::Exact
        } else {
            Self::Upper
        }
    }
}

/// A callback for the reports of a running search, called from any of its threads. `None` saves the search the
/// work of making reports.
pub type Listener<'a, M> = Option<&'a (dyn Fn(Report<M>) + Sync)>;

/// One line of thought.
#[derive(Clone, PartialEq, Debug)]
pub struct Info<M> {
    /// Depth of the iteration, in half-moves.
    pub depth: u32,
    /// The longest line looked at, in half-moves.
    pub seldepth: u32,
    /// The mean depth of the leaves, in half-moves, over all threads since the search began; `None`
    /// if the game's search does not count them.
    pub mean_depth: Option<f64>,
    /// The rank of the line, from 1.
    pub multipv: usize,
    /// Its score, seen from the side to move, on the scale that is shown to users.
    pub score: Score,
    /// The score on the scale of the search.
    pub counted: Score,
    /// How the score bounds the true one.
    pub bound: Bound,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Time since the search began.
    pub elapsed: Duration,
    /// How full the table is, in thousandths.
    pub hashfull: u32,
    /// Positions found in the tables of endings.
    pub tbhits: u64,
    /// The line; legal from the root.
    pub pv: Vec<M>,
}

/// One report of a running search.
#[derive(Clone, PartialEq, Debug)]
pub enum Report<M> {
    /// The best line, or one of them, so far.
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
pub struct SearchResult<M> {
    /// The move to play; `None` if there is no legal move.
    pub best: Option<M>,
    /// The reply to ponder on.
    pub ponder: Option<M>,
    /// The best line, if one was completed.
    pub info: Option<Info<M>>,
    /// Every line of the last completed iteration, best first (MultiPV).
    pub lines: Vec<Info<M>>,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Time taken.
    pub elapsed: Duration,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_on_the_edge_of_the_window_is_a_bound() {
        let window = Window { alpha: Score(-5), beta: Score(5) };
        let bounds = [-6, -5, -4, 4, 5, 6].map(|score| Bound::of(Score(score), window));
        use Bound::{Exact, Lower, Upper};
        assert_eq!(bounds, [Upper, Upper, Exact, Exact, Lower, Lower]);
    }
}
