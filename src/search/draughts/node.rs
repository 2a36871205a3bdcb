//! The node of the draughts search: principal variation search, in numbered steps.
//!
//! There is no null move: in draughts passing would often be best (zugzwang).

use super::history::History;
use super::picker::Picker;
use super::{DraughtsSearcher, Node};
use crate::draughts::{Bitboard, Move, movegen};
use crate::search::driver::Worker;
use crate::search::kind::{NodeKind, NullWindow, PvNode};
use crate::search::report::Bound;
use crate::search::score::{Depth, MAX_PLY, Ply, Score};
use crate::search::tt::Entry;
use once_cell::sync::Lazy;

/// Late-move reductions by depth and move number, in half-moves.
static REDUCTIONS: Lazy<[[Depth; 64]; 64]> = Lazy::new(|| {
    let mut table = [[0; 64]; 64];
    for (depth, row) in table.iter_mut().enumerate().skip(1) {
        for (number, reduction) in row.iter_mut().enumerate().skip(1) {
            *reduction = ((depth as f64).ln() * (number as f64).ln() / 1.5) as Depth;
        }
    }
    table
});

impl DraughtsSearcher {
    /// The score of `position` after a search `depth` half-moves deep. Fail-soft: a score outside
    /// the window bounds the true one. Meaningless once the worker is stopped.
    #[inline(always)]
    pub(super) fn search<N: NodeKind>(
        &mut self,
        worker: &mut Worker<'_, Move>,
        node: &Node,
        depth: Depth,
        alpha: Score,
        beta: Score,
        ply: Ply,
    ) -> Score {
        // 1. At the horizon: quiescence.
        if depth <= 0 && !N::ROOT {
            self.quiesce::<N>(worker, node, alpha, beta, ply)
        } else {
            self.search_moves::<N>(worker, node, depth, alpha, beta, ply)
        }
    }

    /// The search of a node above the horizon.
    fn search_moves<N: NodeKind>(
        &mut self,
        worker: &mut Worker<'_, Move>,
        node: &Node,
        depth: Depth,
        mut alpha: Score,
        mut beta: Score,
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
        if !N::ROOT {
            // 2. Draws, the end of the stack, endings that the tables know.
            if self.is_draw(position, ply) {
                return Score::DRAW;
            }
            if ply >= MAX_PLY - 1 {
                return self.evaluate(node, ply);
            }
            if let Some(score) = self.known_score(position, ply) {
                worker.known_leaf(ply);
                return score;
            }
            // 3. Mate-distance pruning: no line from here can beat a shorter win already found.
            alpha = alpha.max(Score::loss_in(ply));
            beta = beta.min(Score::win_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }

        // 4. The moves; a player without any has lost. They are made while the table's entry, asked
        // for by the parent, is on its way from memory.
        let side = position.side();
        let mut picker = Picker::new();
        if N::ROOT {
            let root_moves = &worker.root_moves[worker.first..];
            root_moves.iter().for_each(|root_move| picker.moves.push(root_move.m));
        } else {
            movegen::generate(position.board(), side, &mut picker.moves);
        }
        if picker.moves.is_empty() {
            return Score::loss_in(ply);
        }
        let forced = picker.moves.len() == 1;

        // 5. What the table knows.
        let table = worker.table();
        let entry = table.probe(position.key());
        let was_pv = N::PV || entry.is_some_and(|entry| entry.pv);
        if !N::PV
            && let Some(entry) = entry
            && entry.depth >= depth
            && let Some(score) = entry.cuts(beta, ply)
        {
            return score;
        }
        // 6. A forced move costs no depth.
        let depth_below = if forced && !N::ROOT { depth } else { depth - 1 };
        let hash = match entry {
            _ if N::ROOT => worker.root_moves[worker.first].m.digest(),
            Some(entry) => entry.m,
            None => 0,
        };
        let killer = self.frame_mut(ply).killer;
        self.frame_mut(ply + 1).killer = None;

        let (mut best, mut best_move) = (-Score::INFINITE, None);
        let alpha_before = alpha;
        self.keys.push(position.key());
        while let Some(m) = picker.next(side, hash, killer, &self.history) {
            let number = picker.given().len();
            if N::ROOT {
                worker.report_current(worker.first + number - 1);
            }
            let next = position.play(m);
            // Quiescence does not look into the table. A leaf's worth of time is too short to bring
            // an entry from memory, so the next move's is asked for as well.
            if depth_below > 0 {
                table.prefetch(next.key());
                if let Some(after) = picker.peek() {
                    table.prefetch(position.play(after).key());
                }
            }
            let child = node.with(next);
            let nodes = worker.nodes();

            // 7. The first move with the open window, the others first with a null window, and late
            // ones reduced.
            let mut score = -Score::INFINITE;
            let mut open = N::PV && number == 1;
            if !open {
                let promotes =
                    position.board().men(side).has(m.from()) && Bitboard::far_row(side).has(m.to());
                let reduced = if depth >= 3 && !m.is_capture() && !promotes {
                    REDUCTIONS[depth.min(63) as usize][number.min(63)].min(depth_below)
                } else {
                    0
                };
                let (from, to) = (-alpha - 1, -alpha);
                score = -self.search::<NullWindow>(
                    worker,
                    &child,
                    depth_below - reduced,
                    from,
                    to,
                    ply + 1,
                );
                if score > alpha && reduced > 0 {
                    score =
                        -self.search::<NullWindow>(worker, &child, depth_below, from, to, ply + 1);
                }
                open = N::PV && score > alpha;
            }
            if open {
                score = -self.search::<PvNode>(worker, &child, depth_below, -beta, -alpha, ply + 1);
            }
            if worker.is_stopped() {
                self.keys.pop();
                return Score::DRAW;
            }

            // 8. What it found.
            if N::ROOT {
                let line = self.stack[1].line.iter();
                worker.note_root_move(m, nodes, number == 1, score, (alpha, beta), line);
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(m);
                    if N::PV && !N::ROOT {
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

        // 9. Learn from it.
        if best >= beta
            && let Some(m) = best_move
            && !forced
        {
            if !m.is_capture() {
                self.frame_mut(ply).killer = Some(m);
            }
            let bonus = History::bonus(depth);
            self.history.update(side, m, bonus);
            // The last one given was best.
            for &earlier in picker.given().split_last().map_or(&[][..], |(_, earlier)| earlier) {
                self.history.update(side, earlier, -bonus);
            }
        }
        if !(N::ROOT && worker.first > 0) {
            let bound = if best >= beta {
                Bound::Lower
            } else if alpha > alpha_before {
                Bound::Exact
            } else {
                Bound::Upper
            };
            let m = best_move.map_or(0, Move::digest);
            let (score, bound) = (best.to_table(ply), Some(bound));
            let eval = Score::NONE;
            table.store(position.key(), Entry { m, score, eval, depth, bound, pv: was_pv });
        }
        best
    }
}
