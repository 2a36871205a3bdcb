//! The moves of the root and their order.

use crate::search::report::Bound;
use crate::search::score::Score;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TablebaseRank {
    /// The rank. A move with a higher rank is always preferred; the search decides only among moves
    /// with equal ranks.
    pub rank: i32,
    /// The score to report, unless the search finds a mate.
    pub score: Score,
}

#[derive(Clone, Debug)]
pub struct RootMove<M> {
    pub m: M,
    /// The score in this iteration; minus infinity if the move was not searched first and did not
    /// raise alpha.
    pub score: Score,
    /// The score in the previous iteration.
    pub previous: Score,
    pub bound: Bound,
    pub nodes: u64,
    /// The selective depth when the move was scored, in plies.
    pub seldepth: usize,
    /// The principal variation, which begins with the move.
    pub line: Vec<M>,
    pub tablebase: Option<TablebaseRank>,
}

#[derive(Clone, Copy, Debug)]
pub struct SearchedRootMove<M> {
    pub m: M,
    pub is_first: bool,
    pub nodes_before: u64,
}

impl<M: Copy + Eq> RootMove<M> {
    pub(super) fn new(m: M, ranks: &[(M, TablebaseRank)]) -> Self {
        let tablebase = ranks.iter().find(|(ranked, _)| *ranked == m).map(|&(_, rank)| rank);
        Self {
            m,
            score: -Score::INFINITE,
            previous: -Score::INFINITE,
            bound: Bound::Exact,
            nodes: 0,
            seldepth: 0,
            line: vec![m],
            tablebase,
        }
    }

    pub(super) fn rank(&self) -> i32 {
        self.tablebase.map_or(0, |tablebase| tablebase.rank)
    }

    /// Returns a key that sorts better moves first.
    pub(super) fn order(&self) -> (i32, Score) {
        (-self.rank(), -self.score)
    }
}
