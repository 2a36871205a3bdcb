//! What the chess search makes of Syzygy tables: ranks of the root's moves, and scores of positions
//! below it.

use super::Root;
use crate::chess::{Move, Position};
use crate::endings::syzygy::{MOST_PIECES, Tables, Wdl};
use crate::search::depth::{Depth, Ply};
use crate::search::driver::Known;
use crate::search::report::Bound;
use crate::search::score::Score;
use std::sync::Arc;

/// Tables, and when they are asked.
#[derive(Clone, Debug)]
pub struct Probing {
    /// The tables.
    pub tables: Arc<Tables>,
    /// The most pieces, kings included, of a position that is looked up.
    pub limit: usize,
    /// The least depth at which positions with as many pieces as the largest table are looked up;
    /// smaller ones are at any depth.
    pub depth: Depth,
    /// Whether the 50-move rule makes draws of wins that take too long.
    pub fifty_move_rule: bool,
}

impl PartialEq for Probing {
    /// The same tables, or none, asked in the same way.
    fn eq(&self, other: &Self) -> bool {
        let none = |probing: &Self| probing.tables.largest() == 0;
        let same = Arc::ptr_eq(&self.tables, &other.tables) || none(self) && none(other);
        let how = |probing: &Self| (probing.limit, probing.depth, probing.fifty_move_rule);
        same && how(self) == how(other)
    }
}

impl Default for Probing {
    /// No tables.
    fn default() -> Self {
        let tables = Arc::default();
        Self { tables, limit: MOST_PIECES, depth: Depth::ONE, fifty_move_rule: true }
    }
}

impl Probing {
    /// What tables say of the root's moves; nothing if they do not know the root.
    pub(super) fn known_moves(&self, root: &Root) -> Vec<(Move, Known)> {
        if !self.covers(&root.position) {
            return Vec::new();
        }
        let ranked = self.tables.rank(&root.position, &root.history);
        let (moves, _) = ranked.unwrap_or_default();
        let known = |value: Wdl| self.score(value, Ply(1));
        moves.iter().map(|of| (of.m, Known { rank: of.rank, score: known(of.value) })).collect()
    }

    /// How many pieces a position below the root may have to be looked up; 0 for none. Where distances
    /// rank the root's moves, or nothing is to be won, the search looks for mates and traps itself.
    pub(super) fn largest_below(&self, root: &Position) -> usize {
        let value = if self.covers(root) { self.tables.wdl(root) } else { None };
        let is_settled =
            value.is_some_and(|wdl| wdl <= Wdl::Draw || self.tables.dtz(root).is_some());
        if is_settled { 0 } else { self.limit.min(self.tables.largest()) }
    }

    /// The score of a position below the root, and how it bounds the true one: a mate may be nearer
    /// than the table's word.
    pub(super) fn known_score(&self, position: &Position, ply: Ply) -> Option<(Score, Bound)> {
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

    /// The score of a value, seen `ply` half-moves from the root. A win that the 50-move rule prevents is
    /// a little better than other draws: the opponent may err.
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
