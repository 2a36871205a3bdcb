//! Syzygy tables in the chess search: ranks of the root moves, and scores of positions below the
//! root.

use super::Root;
use crate::chess::{Move, Position};
use crate::endings::syzygy::{MAX_PIECES, Tables, Wdl};
use crate::search::depth::{Depth, Ply};
use crate::search::driver::TablebaseRank;
use crate::search::report::Bound;
use crate::search::score::Score;
use std::sync::Arc;

#[derive(Clone, Debug)]
pub struct Probing {
    pub tables: Arc<Tables>,
    /// The maximum number of pieces, including kings, in a position to probe.
    pub limit: usize,
    /// The minimum depth for probing positions with the maximum number of pieces (the smaller of
    /// `limit` and the size of the largest table). Positions with fewer pieces are probed at any
    /// depth.
    pub depth: Depth,
    /// True if the 50-move rule applies, which turns wins that take too long into draws.
    pub fifty_move_rule: bool,
}

impl PartialEq for Probing {
    /// Compares the tables and the conditions for probing. All empty table sets are equal.
    fn eq(&self, other: &Self) -> bool {
        let none = |probing: &Self| probing.tables.largest() == 0;
        let same = Arc::ptr_eq(&self.tables, &other.tables) || none(self) && none(other);
        let how = |probing: &Self| (probing.limit, probing.depth, probing.fifty_move_rule);
        same && how(self) == how(other)
    }
}

impl Default for Probing {
    fn default() -> Self {
        let tables = Arc::default();
        Self { tables, limit: MAX_PIECES, depth: Depth::ONE, fifty_move_rule: true }
    }
}

impl Probing {
    /// Returns the ranks of the root moves, or an empty list if the tables do not contain the root.
    pub(super) fn rank_moves(&self, root: &Root) -> Vec<(Move, TablebaseRank)> {
        if !self.covers(&root.position) {
            return Vec::new();
        }
        let ranked = self.tables.rank(&root.position, &root.history);
        let (moves, _) = ranked.unwrap_or_default();
        let rank = |rank: i32, value: Wdl| TablebaseRank { rank, score: self.score(value, Ply(1)) };
        moves.iter().map(|ranked| (ranked.m, rank(ranked.rank, ranked.value))).collect()
    }

    /// Returns the maximum number of pieces for probing below the root, or 0 to disable probing.
    /// Probing is disabled if the tables show that the root is not won, or if DTZ already ranks the
    /// root moves. The search then looks for mates and traps without the tables.
    pub(super) fn largest_below(&self, root: &Position) -> usize {
        let value = if self.covers(root) { self.tables.wdl(root) } else { None };
        let is_settled =
            value.is_some_and(|wdl| wdl <= Wdl::Draw || self.tables.dtz(root).is_some());
        if is_settled { 0 } else { self.limit.min(self.tables.largest()) }
    }

    /// Returns the score of a position below the root, and the bound type of that score. A win is
    /// only a lower bound, because the search may find a mate, which scores higher. For the same
    /// reason, a loss is only an upper bound.
    pub(super) fn tablebase_score(&self, position: &Position, ply: Ply) -> Option<(Score, Bound)> {
        let value = self.tables.wdl(position)?;
        let bound = match value.under(self.fifty_move_rule) {
            Wdl::Win => Bound::Lower,
            Wdl::Loss => Bound::Upper,
            _ => Bound::Exact,
        };
        Some((self.score(value, ply), bound))
    }

    fn covers(&self, position: &Position) -> bool {
        position.board().occupied().len() as usize <= self.limit.min(self.tables.largest())
    }

    /// Converts a tablebase value found `ply` plies from the root to a score. Under the 50-move
    /// rule, a cursed win scores slightly above other draws, and a blessed loss slightly below,
    /// because a player may err.
    fn score(&self, value: Wdl, ply: Ply) -> Score {
        match (value, value.under(self.fifty_move_rule)) {
            (_, Wdl::Win) => Score::table_win_in(ply),
            (_, Wdl::Loss) => Score::table_loss_in(ply),
            (Wdl::CursedWin, _) => Score::DRAW + 2,
            (Wdl::BlessedLoss, _) => Score::DRAW - 2,
            _ => Score::DRAW,
        }
    }
}
