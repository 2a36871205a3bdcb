//! Quiescence search: plays out the compulsory captures until the side to move has none.

use super::{DraughtsSearcher, Node, without_moves};
use crate::draughts::{Move, MoveList};
use crate::eval::Evaluate;
use crate::search::depth::Ply;
use crate::search::driver::Worker;
use crate::search::kind::NodeKind;
use crate::search::score::Score;
use crate::search::window::Window;

impl DraughtsSearcher {
    pub(super) fn quiesce<N: NodeKind>(
        &mut self,
        worker: &mut Worker<'_, Move>,
        node: &Node,
        window: Window,
        ply: Ply,
    ) -> Score {
        let position = &node.position;
        if self.path.enter::<N>(worker, ply) {
            return Score::DRAW;
        }
        if self.is_draw(position, ply) {
            return Score::DRAW;
        }
        if let Some(score) = self.tablebase_score(position, ply) {
            worker.tablebase_leaf(ply);
            return score;
        }
        if ply.is_last() || !position.can_capture() {
            worker.leaf(ply);
            return self.evaluate(node, ply);
        }
        self.settle::<N>(worker, node, window, ply)
    }

    /// Searches the compulsory captures. This function is not inlined, because most nodes at the
    /// horizon are quiet and need no stack space for moves.
    #[inline(never)]
    fn settle<N: NodeKind>(
        &mut self,
        worker: &mut Worker<'_, Move>,
        node: &Node,
        mut window: Window,
        ply: Ply,
    ) -> Score {
        let position = &node.position;
        let mut captures = MoveList::new();
        position.list_moves(&mut captures);
        let mut best = -Score::INFINITE;
        self.path.push(position.key());
        for &m in &captures {
            let child = node.child(position.play_unchecked(m));
            let score = -self.quiesce::<N>(worker, &child, -window, ply.child());
            if worker.is_stopped() {
                break;
            }
            if score > best {
                best = score;
                if score > window.alpha {
                    if N::PV {
                        self.path.extend_variation(ply, m);
                    }
                    if score >= window.beta {
                        break;
                    }
                    window.alpha = score;
                }
            }
        }
        self.path.pop();
        best
    }

    /// Returns the static evaluation, or the final score if the side to move has no moves.
    #[inline(always)]
    pub(super) fn evaluate(&mut self, node: &Node, ply: Ply) -> Score {
        if !node.position.has_moves() {
            return without_moves(&node.position, ply);
        }
        Score::evaluation(self.evaluator.evaluate(&node.position, &node.accumulator))
    }
}
