//! The lines that a search reports.

use super::searcher::{Root, Searcher};
use super::worker::Worker;
use crate::base::game::Game;
use crate::search::depth::Depth;
use crate::search::report::{Bound, Info};
use crate::search::score::Score;
use crate::search::tt::Table;
use std::fmt;

/// Returns the info of the line at `rank`. The table supplies moves that the line lacks.
pub(super) fn line_info<S: Searcher>(
    root: &Root<S>,
    worker: &Worker<'_, S::Move>,
    rank: usize,
) -> Info<S::Move> {
    let mut info = worker.info(rank, S::display_score);
    complete_line::<S>(root, worker.table(), &mut info.pv);
    info
}

impl<M: Copy + Eq + fmt::Debug> Worker<'_, M> {
    /// Returns the info of the line at `rank`; `to_display` converts its score.
    fn info(&self, rank: usize, to_display: fn(Score) -> Score) -> Info<M> {
        let root_move = &self.root_moves[rank];
        // A line that this iteration has not reached yet keeps its previous score.
        let fresh = root_move.score != -Score::INFINITE;
        let found = if fresh { root_move.score } else { root_move.previous };
        let tablebase =
            root_move.tablebase.filter(|_| !found.is_mate() && found != -Score::INFINITE);
        let counted = tablebase.map_or(found, |tablebase| tablebase.score);
        let depth = if fresh { self.root_depth } else { (self.root_depth - 1).max(Depth::ONE) };
        Info {
            depth: depth.0 as u32,
            seldepth: root_move.seldepth.max(1) as u32,
            mean_depth: self.shared.mean_depth(),
            multipv: rank + 1,
            score: to_display(counted),
            counted,
            bound: if fresh && tablebase.is_none() { root_move.bound } else { Bound::Exact },
            nodes: self.shared.total_nodes(),
            elapsed: self.shared.time.elapsed(),
            hashfull: self.shared.table.hashfull(),
            tbhits: self.shared.total_hits(),
            pv: root_move.line.clone(),
        }
    }
}

/// The maximum length to which the table extends a line. The table supplies the reply to ponder on
/// and the moves that a table cutoff left out.
const MAX_EXTENDED: usize = 12;

/// Truncates a line before its first illegal move, which a concurrent write to the table can cause.
/// Extends a short legal line with the moves that the table expects, until a position repeats.
fn complete_line<S: Searcher>(root: &Root<S>, table: &Table, line: &mut Vec<S::Move>) {
    let mut position = root.position.clone();
    let mut seen = vec![position.key()];
    for (i, &m) in line.iter().enumerate() {
        if !position.moves().contains(&m) {
            line.truncate(i);
            return;
        }
        position = position.after(m);
        seen.push(position.key());
    }
    while line.len() < MAX_EXTENDED
        && let Some(m) = S::expected(&position, table)
    {
        position = position.after(m);
        line.push(m);
        if seen.contains(&position.key()) {
            break;
        }
        seen.push(position.key());
    }
}
