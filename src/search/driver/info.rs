//! The lines that a search reports.

use super::searcher::{Root, Searcher};
use super::worker::Worker;
use crate::base::game::Game;
use crate::search::depth::Depth;
use crate::search::report::{Bound, Info};
use crate::search::score::Score;
use crate::search::tt::Table;
use std::fmt;

/// Returns the info about the root move at index `rank` and its line. A short line is extended with
/// moves from the transposition table.
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
    /// Returns the info about the root move at index `rank`. `to_display` converts the score for
    /// display.
    fn info(&self, rank: usize, to_display: fn(Score) -> Score) -> Info<M> {
        let root_move = &self.root_moves[rank];
        // A line that has no score in this iteration yet is reported with its previous score.
        let fresh = root_move.score != -Score::INFINITE;
        let found = if fresh { root_move.score } else { root_move.previous };
        let tablebase =
            root_move.tablebase.filter(|_| !found.is_mate() && found != -Score::INFINITE);
        let internal_score = tablebase.map_or(found, |tablebase| tablebase.score);
        let depth = if fresh { self.root_depth } else { (self.root_depth - 1).max(Depth::ONE) };
        Info {
            depth: depth.0 as u32,
            seldepth: root_move.seldepth.max(1) as u32,
            mean_depth: self.shared.mean_depth(),
            multipv: rank + 1,
            score: to_display(internal_score),
            internal_score,
            bound: if fresh && tablebase.is_none() { root_move.bound } else { Bound::Exact },
            nodes: self.shared.total_nodes(),
            elapsed: self.shared.time.elapsed(),
            hashfull: self.shared.table.hashfull(),
            tbhits: self.shared.total_hits(),
            pv: root_move.line.clone(),
        }
    }
}

/// The maximum length of an extended line, in plies. The extension supplies the reply to ponder on
/// and the moves missing after a table cutoff.
const MAX_EXTENDED: usize = 12;

/// Truncates or extends a line. As a safeguard, the line is truncated before its first illegal
/// move. The line is also truncated after the third occurrence of a position, because the game ends
/// there. Otherwise a short line is extended with moves from the table until a position repeats.
fn complete_line<S: Searcher>(root: &Root<S>, table: &Table, line: &mut Vec<S::Move>) {
    let mut position = root.position.clone();
    let mut seen = root.history.clone();
    let game = seen.len();
    seen.push(position.key());
    let is_third = |seen: &[u64], key| seen.iter().filter(|&&earlier| earlier == key).count() > 1;
    for (i, &m) in line.iter().enumerate() {
        if !position.moves().contains(&m) {
            line.truncate(i);
            return;
        }
        position = position.after(m);
        if is_third(&seen, position.key()) {
            line.truncate(i + 1);
            return;
        }
        seen.push(position.key());
    }
    while line.len() < MAX_EXTENDED
        && let Some(m) = S::continuation(&position, table)
    {
        position = position.after(m);
        line.push(m);
        if seen[game..].contains(&position.key()) || is_third(&seen, position.key()) {
            break;
        }
        seen.push(position.key());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::game::MoveForm;
    use crate::chess::{Move, Position};
    use crate::search::chess::ChessSearcher;

    fn played(root: &Root<ChessSearcher>, texts: &str) -> (Vec<Move>, Position) {
        let mut position = root.position.clone();
        let moves = texts.split_whitespace().map(|text| {
            let m = position.read_move(text, MoveForm::Program).expect(text);
            position = position.play(m);
            m
        });
        (moves.collect(), position)
    }

    /// Completes `line` with an empty table. The line starts after the moves of `game`.
    fn completed(game: &str, line: &str) -> String {
        let mut root = Root::<ChessSearcher>::new(Position::start());
        for m in played(&root, game).0 {
            root.play(m);
        }
        let (mut line, _) = played(&root, line);
        complete_line::<ChessSearcher>(&root, &Table::new(1).expect("memory"), &mut line);
        line.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn line_ends_at_the_third_occurrence() {
        let shuffle = "g1f3 g8f6 f3g1 f6g8";
        let twice = format!("{shuffle} {shuffle}");
        // The start position occurs at the beginning, and after each shuffle.
        assert_eq!(completed("", &format!("{twice} e2e4")), twice);
        assert_eq!(completed(shuffle, &format!("{shuffle} e2e4 e7e5")), shuffle);
        assert_eq!(
            completed("g1f3 g8f6 f3g1", "f6g8 g1f3 g8f6 f3g1 e7e5"),
            "f6g8 g1f3 g8f6 f3g1 e7e5"
        );
        assert_eq!(completed(&twice, "g1f3 e7e5"), "g1f3");
        assert_eq!(completed("", &format!("{shuffle} e2e4")), format!("{shuffle} e2e4"));
    }
}
