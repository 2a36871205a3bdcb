//! The recursive node search for draughts: principal variation search, in numbered steps.
//!
//! There is no null move: in draughts, passing would often be the best move (zugzwang).

use super::history::History;
use super::picker::Picker;
use super::{Constants, DraughtsSearcher, Node, without_moves};
use crate::base::side::Side;
use crate::draughts::{Bitboard, Move, Variant, movegen};
use crate::search::depth::{Depth, Ply};
use crate::search::driver::{SearchedRootMove, Worker};
use crate::search::kind::{NodeKind, NullWindow, PvNode};
use crate::search::reductions::Reductions;
use crate::search::report::Bound;
use crate::search::score::Score;
use crate::search::tt::Entry;
use crate::search::window::Window;
use std::ops::ControlFlow;

/// Returns the late-move reductions for these constants, in plies.
pub(super) fn reductions(constants: &Constants) -> Reductions {
    let divisor = f64::from(constants.reduction_divisor) / 100.0;
    Reductions::new(|product| (product / divisor) as i32)
}

/// The maximum depth for step 6.
const FUTILITY_DEPTH: Depth = Depth(6);

/// Per-node state computed before the move loop.
struct Local<'a> {
    node: &'a Node,
    ply: Ply,
    depth: Depth,
    window: Window,
    /// The depth of an unreduced child.
    depth_below: Depth,
    /// True if the node is or was on a principal variation.
    was_pv: bool,
}

struct Candidate<'a> {
    m: Move,
    /// The move's place in the move order, counted from 1.
    number: usize,
    child: &'a Node,
}

struct Found {
    best: Score,
    best_move: Option<Move>,
}

impl DraughtsSearcher {
    /// Searches `node` to a depth of `depth` plies and returns its score. The search is fail-soft:
    /// a score outside the window is a bound on the true score. The score is meaningless once the
    /// worker is stopped.
    #[inline(always)]
    pub(super) fn search<N: NodeKind>(
        &mut self,
        worker: &mut Worker<'_, Move>,
        node: &Node,
        depth: Depth,
        window: Window,
        ply: Ply,
    ) -> Score {
        // 1. At the horizon, continue with quiescence.
        if depth <= Depth::HORIZON && !N::ROOT {
            self.quiesce::<N>(worker, node, window, ply)
        } else {
            self.search_node::<N>(worker, node, depth, window, ply)
        }
    }

    fn search_node<N: NodeKind>(
        &mut self,
        worker: &mut Worker<'_, Move>,
        node: &Node,
        depth: Depth,
        mut window: Window,
        ply: Ply,
    ) -> Score {
        let position = &node.position;
        if self.path.enter::<N>(worker, ply) {
            return Score::DRAW;
        }
        if !N::ROOT
            && let ControlFlow::Break(score) = self.narrow(worker, node, &mut window, ply)
        {
            return score;
        }

        // 4. Generate the moves. A player without moves has lost, or has won in losing draughts.
        //    Meanwhile the table entry is loaded, because the parent has started to prefetch it.
        let mut picker = Picker::new();
        if N::ROOT {
            let root_moves = worker.candidates();
            root_moves.iter().for_each(|root_move| picker.moves.push(root_move.m));
        } else {
            position.list_moves(&mut picker.moves);
        }
        if picker.moves.is_empty() {
            return without_moves(position, ply);
        }
        let forced = picker.moves.len() == 1;

        // 5. Probe the transposition table.
        let entry = worker.table().probe(position.key());
        if !N::PV
            && let Some(entry) = entry
            && entry.depth >= depth
            && let Some(score) = entry.cuts(window.beta, ply)
        {
            return score;
        }
        let was_pv = N::PV || entry.is_some_and(|entry| entry.pv);
        let hash = match entry {
            _ if N::ROOT => worker.root_moves[worker.first].m.digest(),
            Some(entry) => entry.m,
            None => 0,
        };
        // 6. Reverse futility pruning: the evaluation is so far above beta that the opponent will
        //    not catch up.
        if !N::PV
            && !forced
            && let Some(score) = self.far_above(node, depth, window.beta, ply)
        {
            return score;
        }
        // Extend forced moves.
        let depth_below = if forced && !N::ROOT { depth } else { depth - 1 };
        let local = Local { node, ply, depth, window, depth_below, was_pv };

        let found = self.search_moves::<N>(worker, &local, &mut picker, hash);
        if worker.is_stopped() {
            return Score::DRAW;
        }
        // 9. Update the history and store the result.
        if found.best >= window.beta
            && let Some(m) = found.best_move
            && !forced
        {
            self.learn(&local, m, picker.picked());
        }
        if !(N::ROOT && worker.first > 0) {
            store(worker, &local, &found);
        }
        found.best
    }

    /// Step 6. Returns the evaluation of a quiet node near the horizon if the evaluation exceeds
    /// `beta` by a margin. A node is quiet if neither side could capture, regardless of the side to
    /// move. Applies only to the normal game, because `movegen::can_capture` does not find all
    /// captures of Frisian draughts.
    #[inline(always)]
    fn far_above(&mut self, node: &Node, depth: Depth, beta: Score, ply: Ply) -> Option<Score> {
        let position = &node.position;
        let threat = |side| movegen::can_capture(position.board(), side);
        if depth > FUTILITY_DEPTH
            || beta.is_decisive()
            || position.variant() != Variant::Normal
            || threat(Side::White)
            || threat(Side::Black)
        {
            return None;
        }
        let eval = self.evaluate(node, ply);
        let far = !eval.is_decisive() && eval - self.constants.futility_margin * depth.0 >= beta;
        far.then_some(eval)
    }

    /// Steps 2 and 3. Returns `Break` with a score if the node need not be searched. Otherwise may
    /// narrow the window.
    #[inline(always)]
    fn narrow(
        &mut self,
        worker: &mut Worker<'_, Move>,
        node: &Node,
        window: &mut Window,
        ply: Ply,
    ) -> ControlFlow<Score> {
        // 2. Draws, the maximum ply and tablebase positions.
        if self.is_draw(&node.position, ply) {
            return ControlFlow::Break(Score::DRAW);
        }
        if ply.is_last() {
            return ControlFlow::Break(self.evaluate(node, ply));
        }
        if let Some(score) = self.tablebase_score(&node.position, ply) {
            worker.tablebase_leaf(ply);
            return ControlFlow::Break(score);
        }
        // 3. Mate-distance pruning: this subtree cannot improve on a shorter win already found.
        //    In losing draughts, other bounds would be needed.
        if !node.position.variant().is_won_without_moves() {
            *window = window.within_mates(ply);
        }
        if window.is_empty() {
            return ControlFlow::Break(window.alpha);
        }
        ControlFlow::Continue(())
    }

    /// Steps 7 and 8: the move loop. `hash` is the digest of the move to search first: at the root
    /// the first remaining root move, otherwise the table move. It is 0 if there is none. The result
    /// is meaningless once the worker is stopped.
    #[inline(always)]
    fn search_moves<N: NodeKind>(
        &mut self,
        worker: &mut Worker<'_, Move>,
        local: &Local<'_>,
        picker: &mut Picker,
        hash: u16,
    ) -> Found {
        let &Local { node, ply, mut window, .. } = local;
        let position = &node.position;
        let table = worker.table();
        let killer = self.killers[ply.0];
        self.killers[ply.child().0] = None;
        let mut found = Found { best: -Score::INFINITE, best_move: None };
        self.path.push(position.key());
        while let Some(m) = picker.next(position.side(), hash, killer, &self.history) {
            let number = picker.picked().len();
            if N::ROOT {
                worker.report_current(worker.first + number - 1);
            }
            let next = position.play_unchecked(m);
            // Quiescence search does not probe the table. The search of one move can be too short
            // to hide the memory latency, so the entry for the next move is prefetched too.
            if local.depth_below > Depth::HORIZON {
                table.prefetch(next.key());
                if let Some(after) = picker.peek() {
                    table.prefetch(position.play_unchecked(after).key());
                }
            }
            let child = node.child(next);
            let nodes_before = worker.nodes();
            let candidate = Candidate { m, number, child: &child };
            let score = self.search_child::<N>(worker, local, &candidate, window);
            if worker.is_stopped() {
                break;
            }

            // 8. Update the best score and alpha.
            if N::ROOT {
                let searched = SearchedRootMove { m, is_first: number == 1, nodes_before };
                worker.note_root_move(searched, score, window, self.path.variation(Ply(1)));
            }
            if score > found.best {
                found.best = score;
                if score > window.alpha {
                    found.best_move = Some(m);
                    if N::PV && !N::ROOT {
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
        found
    }

    /// Step 7. Returns the score of a move from this node's point of view. The first move of a PV
    /// node is searched with the full window. All other moves are first searched with a null
    /// window, and late moves at reduced depth.
    #[inline(always)]
    fn search_child<N: NodeKind>(
        &mut self,
        worker: &mut Worker<'_, Move>,
        local: &Local<'_>,
        candidate: &Candidate<'_>,
        window: Window,
    ) -> Score {
        let (depth, below) = (local.depth_below, local.ply.child());
        let child = candidate.child;
        let mut score = -Score::INFINITE;
        let mut open = N::PV && candidate.number == 1;
        if !open {
            let null = -Window::above(window.alpha);
            let reduction = reduction::<N>(&self.reductions, local, candidate);
            score = -self.search::<NullWindow>(worker, child, depth - reduction, null, below);
            if score > window.alpha && reduction > 0 {
                score = -self.search::<NullWindow>(worker, child, depth, null, below);
            }
            open = N::PV && score > window.alpha;
        }
        if open {
            score = -self.search::<PvNode>(worker, child, depth, -window, below);
        }
        score
    }

    /// Step 9. Rewards the best move, which is the last of `searched`, and penalizes the moves
    /// searched before it.
    #[inline(always)]
    fn learn(&mut self, local: &Local<'_>, best: Move, searched: &[Move]) {
        if !best.is_capture() {
            self.killers[local.ply.0] = Some(best);
        }
        let (side, bonus) = (local.node.position.side(), History::bonus(local.depth));
        self.history.update(side, best, bonus);
        for &earlier in searched.split_last().map_or(&[][..], |(_, earlier)| earlier) {
            self.history.update(side, earlier, -bonus);
        }
    }
}

/// Returns the reduction for step 7, in plies. Captures and promotions are not reduced, and neither
/// are moves at a depth below 2. All other moves of a null-window node, except its first move, are
/// reduced by at least one ply.
#[inline(always)]
fn reduction<N: NodeKind>(
    reductions: &Reductions,
    local: &Local<'_>,
    candidate: &Candidate<'_>,
) -> i32 {
    let &Candidate { m, number, .. } = candidate;
    let (position, depth) = (&local.node.position, local.depth);
    let side = position.side();
    let promotes =
        position.board().men(side).has(m.from()) && Bitboard::promotion_row(side).has(m.to());
    if depth >= Depth(2) && !m.is_capture() && !promotes {
        let min_reduction = i32::from(!N::PV && number > 1);
        let reduction = reductions.get(depth, number).max(min_reduction);
        reduction.min(local.depth_below.0)
    } else {
        0
    }
}

#[inline(always)]
fn store(worker: &Worker<'_, Move>, local: &Local<'_>, found: &Found) {
    let new = Entry {
        m: found.best_move.map_or(0, Move::digest),
        score: found.best.to_table(local.ply),
        eval: Score::NONE,
        depth: local.depth,
        bound: Some(Bound::of(found.best, local.window)),
        pv: local.was_pv,
    };
    worker.table().store(local.node.position.key(), new);
}
