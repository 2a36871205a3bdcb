//! Quiescence: captures, which are forced, until none is pending for the side to move.

use super::{DraughtsSearcher, Node};
use crate::draughts::{Move, MoveList, movegen};
use crate::search::driver::Worker;
use crate::search::kind::NodeKind;
use crate::search::score::{MAX_PLY, Ply, Score};

impl DraughtsSearcher {
    /// The score of `position` within the window once nothing can be captured.
    pub(super) fn quiesce<N: NodeKind>(
        &mut self,
        worker: &mut Worker<'_, Move>,
        node: &Node,
        alpha: Score,
        beta: Score,
        ply: Ply,
    ) -> Score {
        let position = &node.position;
        if N::PV {
            self.frame_mut(ply).line.clear();
            worker.seldepth = worker.seldepth.max(ply + 1);
        }
        if worker.visit() {
            return Score::DRAW;
        }
        if self.is_draw(position, ply) {
            return Score::DRAW;
        }
        if let Some(score) = self.known_score(position, ply) {
            worker.known_leaf(ply);
            return score;
        }
        if ply >= MAX_PLY - 1 || !position.can_capture() {
            worker.leaf(ply);
            return self.evaluate(node, ply);
        }
        self.settle::<N>(worker, node, alpha, beta, ply)
    }

    /// The score of a position in which something can, and so must, be captured. Apart, because
    /// most positions at the horizon are quiet and need no room for moves.
    #[inline(never)]
    fn settle<N: NodeKind>(
        &mut self,
        worker: &mut Worker<'_, Move>,
        node: &Node,
        mut alpha: Score,
        beta: Score,
        ply: Ply,
    ) -> Score {
        let position = &node.position;
        let mut captures = MoveList::new();
        movegen::generate(position.board(), position.side(), &mut captures);
        let mut best = -Score::INFINITE;
        self.keys.push(position.key());
        for &m in &captures {
            let score = -self.quiesce::<N>(worker, &node.play(m), -beta, -alpha, ply + 1);
            if worker.is_stopped() {
                break;
            }
            if score > best {
                best = score;
                if score > alpha {
                    if N::PV {
                        self.extend_line(ply, m);
                    }
                    if score >= beta {
                        break;
                    }
                    alpha = score;
                }
            }
        }
        self.keys.pop();
        best
    }

    /// The static evaluation; a loss where there is no move.
    #[inline(always)]
    pub(super) fn evaluate(&mut self, node: &Node, ply: Ply) -> Score {
        if !node.position.has_moves() {
            return Score::loss_in(ply);
        }
        Score::evaluation(self.evaluator.evaluate(&node.position, &node.accumulator))
    }
}
