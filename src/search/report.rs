//! The reports of a running search and its result.

use super::depth::Depth;
use super::score::Score;
use super::window::Window;
use std::time::Duration;

/// The relation of a score to the true score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Bound {
    /// The true score is at most this score.
    Upper = 1,
    /// The true score is at least this score.
    Lower = 2,
    /// The score is the true score.
    Exact = 3,
}

impl Bound {
    /// Returns the bound type of a score returned by a search with `window`.
    #[inline(always)]
    pub(crate) fn of(score: Score, window: Window) -> Self {
        if score >= window.beta {
            Self::Lower
        } else if score > window.alpha {
            Self::Exact
        } else {
            Self::Upper
        }
    }
}

/// A callback for the reports of a running search. Without a callback, no reports are made, which
/// saves work.
pub(crate) type Listener<'a, M> = Option<&'a (dyn Fn(Report<M>) + Sync)>;

/// A principal variation with its score and statistics.
#[derive(Clone, PartialEq, Debug)]
pub struct Info<M> {
    /// The depth of the iteration, in plies.
    pub depth: u32,
    /// The length of the longest line searched with an open window, in plies (selective depth).
    pub seldepth: u32,
    /// The mean depth of the leaves in plies, over all threads since the search began; `None` if
    /// the search for this game does not count leaves.
    pub mean_depth: Option<f64>,
    /// The rank of the line among the lines of a MultiPV search, counted from 1.
    pub multipv: usize,
    /// The score for the side to move, in hundredths of a pawn or man.
    pub score: Score,
    /// The score on the internal scale of the search.
    #[doc(hidden)]
    pub internal_score: Score,
    /// The relation of the score to the true score.
    pub bound: Bound,
    /// The number of nodes searched by all threads.
    pub nodes: u64,
    /// The time since the search began, or since the clock started if that was earlier.
    pub elapsed: Duration,
    /// The share of the transposition table written by this search, in per mille.
    pub hashfull: u32,
    /// The number of positions found in endgame tables.
    pub tbhits: u64,
    /// The principal variation, legal from the root.
    pub pv: Vec<M>,
}

/// One report of a running search.
#[derive(Clone, PartialEq, Debug)]
pub enum Report<M> {
    /// A principal variation found so far.
    Info(Info<M>),
    /// The root move being searched.
    CurrentMove {
        /// The depth of the iteration.
        depth: Depth,
        /// The move.
        m: M,
        /// The move's place in the move order, counted from 1.
        number: usize,
    },
}

/// The result of a search.
#[derive(Clone, PartialEq, Debug)]
pub struct SearchResult<M> {
    /// The move to play; `None` if there is no legal move, or none among the moves of
    /// [`Limits::searchmoves`](super::limits::Limits::searchmoves).
    pub best: Option<M>,
    /// The reply to ponder on.
    pub ponder: Option<M>,
    /// The best line; `None` if the search was stopped before its first score, or if `best` is
    /// `None`.
    pub info: Option<Info<M>>,
    /// The lines found, best first; more than one only in a MultiPV search.
    pub lines: Vec<Info<M>>,
    /// The number of nodes searched by all threads.
    pub nodes: u64,
    /// The duration of the search, measured like [`Info::elapsed`].
    pub elapsed: Duration,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn score_at_the_edge_of_the_window_is_a_bound() {
        let window = Window { alpha: Score(-5), beta: Score(5) };
        let bounds = [-6, -5, -4, 4, 5, 6].map(|score| Bound::of(Score(score), window));
        use Bound::{Exact, Lower, Upper};
        assert_eq!(bounds, [Upper, Upper, Exact, Exact, Lower, Lower]);
    }
}
