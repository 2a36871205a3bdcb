//! The recursive node search for chess: principal variation search with pruning, reductions and
//! extensions, in numbered steps.
//!
//! Evaluation margins are on the network's scale. For each technique, the commit messages of this
//! file record the bench nodes saved and the result of test games. Techniques that neither saved
//! nodes nor won games have been removed.

use super::history::{Butterfly, PieceTo, QuietContext};
use super::picker::Picker;
use super::{ChessSearcher, Constants, Node, cycle, see, table_move};
use crate::chess::movegen::Attacks;
use crate::chess::{Kind, Move, MoveList, Position, zobrist};
use crate::search::depth::{Depth, Ply};
use crate::search::driver::{SearchedRootMove, Worker};
use crate::search::kind::{NodeKind, NullWindow, PvNode};
use crate::search::reductions::Reductions;
use crate::search::report::Bound;
use crate::search::score::Score;
use crate::search::tt::Entry;
use crate::search::window::Window;
use std::ops::ControlFlow;

/// Returns the late-move reductions for these constants, in 1024ths of a ply.
pub(super) fn reductions(constants: &Constants) -> Reductions {
    let base = f64::from(constants.reduction_base) / 1024.0;
    let divisor = f64::from(constants.reduction_divisor) / 100.0;
    Reductions::new(|product| (1024.0 * (base + product / divisor)) as i32)
}

#[derive(Clone, Copy, Debug)]
pub(super) struct NodeRole {
    pub ply: Ply,
    /// True if the node is expected to fail high.
    pub cut_node: bool,
}

impl NodeRole {
    pub(super) const ROOT: Self = Self { ply: Ply::ROOT, cut_node: false };

    #[inline(always)]
    const fn child(self, cut_node: bool) -> Self {
        Self { ply: self.ply.child(), cut_node }
    }
}

/// Per-node state computed before the move loop.
struct Local<'a> {
    node: &'a Node,
    role: NodeRole,
    depth: Depth,
    window: Window,
    in_check: bool,
    has_pieces: bool,
    /// The excluded move of a singular search.
    excluded: Option<Move>,
    entry: Option<Entry>,
    /// The score of `entry`, relative to the root, or [`Score::NONE`].
    entry_score: Score,
    /// The transposition-table move; at the root, the first move to search.
    hash: Option<Move>,
    hash_is_noisy: bool,
    /// True if the node is or was on a principal variation.
    was_pv: bool,
    /// The uncorrected network evaluation, or [`Score::NONE`] in check and in a singular search.
    raw: Score,
    /// The corrected static evaluation, or [`Score::NONE`] in check.
    eval: Score,
    /// `eval`, or the table score if its bound makes it a better estimate.
    estimate: Score,
    /// True if the evaluation is better than at this side's previous turn. From step 10 on, also
    /// true if the evaluation reaches beta.
    improving: bool,
    /// The lowest and the highest score that the endgame tables allow.
    floor: Score,
    ceiling: Score,
}

impl Local<'_> {
    #[inline(always)]
    const fn position(&self) -> &Position {
        &self.node.position
    }

    #[inline(always)]
    const fn ply(&self) -> Ply {
        self.role.ply
    }
}

struct Candidate {
    m: Move,
    /// The move's place in the move order, counted from 1.
    number: usize,
    noisy: bool,
    gives_check: bool,
    is_killer: bool,
    /// The butterfly index, if the move is quiet.
    quiet: Option<Butterfly>,
    history: i32,
    /// The base reduction from [`Reductions`], in 1024ths of a ply.
    reduction: i32,
    /// The extension in plies; negative for a reduction.
    extension: i32,
}

/// The state of the move loop.
struct Found {
    best: Score,
    best_move: Option<Move>,
    alpha: Score,
    /// The number of moves tried, including pruned moves.
    number: usize,
    /// The searched quiet moves, and the searched captures and promotions. Moves that raised alpha
    /// are left out.
    quiets: MoveList,
    captures: MoveList,
}

impl ChessSearcher {
    /// Searches `node` to a depth of `depth` plies and returns its score. The search is fail-soft:
    /// a score outside the window is a bound on the true score. The score is meaningless once the
    /// worker is stopped.
    pub(super) fn search<N: NodeKind>(
        &mut self,
        worker: &mut Worker<'_, Move>,
        node: &Node,
        depth: Depth,
        mut window: Window,
        role: NodeRole,
    ) -> Score {
        let ply = role.ply;
        // 1. At the horizon, continue with quiescence.
        if depth <= Depth::HORIZON {
            return self.quiesce::<N>(worker, node, window, ply);
        }
        if self.path.enter::<N>(worker, ply) {
            return Score::DRAW;
        }
        if !N::ROOT
            && let ControlFlow::Break(score) = self.narrow(worker, node, &mut window, ply)
        {
            return score;
        }
        let depth = depth.min(Depth::MAX);
        let entry = worker.table().probe(node.position.key());
        if !N::PV
            && let Some(score) = self.table_score(&node.position, entry, depth, window, ply)
        {
            return score;
        }
        let mut local = self.look_up::<N>(worker, node, depth, window, role, entry);
        if !N::ROOT
            && let Some(score) = self.tablebase_score::<N>(worker, &mut local)
        {
            return score;
        }
        self.evaluate(worker, &mut local);
        if !N::ROOT {
            local.depth = local.depth + self.hindsight(&local);
        }
        if !N::PV
            && !local.in_check
            && local.excluded.is_none()
            && let Some(score) = self.prune_node(worker, &local)
        {
            return score;
        }

        // A side whose evaluation reaches beta counts as improving from here on.
        local.improving |= !local.in_check && local.eval >= local.window.beta;
        // 10. Internal iterative reduction: without a table move, the move order will be poor. A
        //     shallower search finds a table move for the next visit.
        if (N::PV || role.cut_node) && local.depth >= Depth(4) && local.hash.is_none() {
            local.depth = local.depth - 1;
        }
        if !N::PV
            && !local.in_check
            && local.excluded.is_none()
            && let Some(score) = self.probcut(worker, &local)
        {
            return score;
        }
        if worker.is_stopped() {
            return Score::DRAW;
        }
        self.search_moves::<N>(worker, &local)
    }

    /// Steps 2 to 4. Returns `Break` with a score if the node need not be searched. Otherwise may
    /// narrow the window.
    #[inline(always)]
    fn narrow(
        &mut self,
        worker: &Worker<'_, Move>,
        node: &Node,
        window: &mut Window,
        ply: Ply,
    ) -> ControlFlow<Score> {
        let position = &node.position;
        // 2. Draws and the maximum ply.
        if self.is_draw(position, ply) {
            return ControlFlow::Break(Self::draw(worker));
        }
        if ply.is_last() {
            let in_check = position.in_check();
            return ControlFlow::Break(if in_check {
                Score::DRAW
            } else {
                self.fresh_eval(node, ply)
            });
        }
        // 3. Mate-distance pruning: this subtree cannot improve on a shorter mate already found.
        *window = window.within_mates(ply);
        // 4. Upcoming repetition: if the side to move can repeat a position, it scores at least a
        //    draw.
        if !window.is_empty()
            && window.alpha < Score::DRAW
            && cycle::upcoming(position, self.path.keys(), ply)
        {
            window.alpha = Self::draw(worker);
        }
        if window.is_empty() {
            return ControlFlow::Break(window.alpha);
        }
        ControlFlow::Continue(())
    }

    /// Step 5. Returns the score of the table entry if it causes a cutoff.
    #[inline(always)]
    fn table_score(
        &self,
        position: &Position,
        entry: Option<Entry>,
        depth: Depth,
        window: Window,
        ply: Ply,
    ) -> Option<Score> {
        let entry = entry.filter(|entry| entry.depth >= depth)?;
        let near_draw = position.halfmove_clock() >= 90;
        if self.frame(ply).excluded.is_some() || near_draw {
            return None;
        }
        entry.cuts(window.beta, ply)
    }

    /// Step 5, continued. Collects the state of the node from `entry` and the position.
    #[inline(always)]
    fn look_up<'a, N: NodeKind>(
        &self,
        worker: &Worker<'_, Move>,
        node: &'a Node,
        depth: Depth,
        window: Window,
        role: NodeRole,
        entry: Option<Entry>,
    ) -> Local<'a> {
        let (position, ply) = (&node.position, role.ply);
        let hash = if N::ROOT {
            Some(worker.root_moves[worker.first].m)
        } else {
            table_move(position, entry)
        };
        let board = position.board();
        let pawns_and_king = board.kind(Kind::Pawn) | board.kind(Kind::King);
        Local {
            node,
            role,
            depth,
            window,
            in_check: position.in_check(),
            has_pieces: (board.side(position.side()) - pawns_and_king).any(),
            excluded: self.frame(ply).excluded,
            entry,
            entry_score: entry.map_or(Score::NONE, |entry| entry.score.from_table(ply)),
            hash,
            hash_is_noisy: hash.is_some_and(|m| position.is_noisy(m)),
            was_pv: N::PV || entry.is_some_and(|entry| entry.pv),
            raw: Score::NONE,
            eval: Score::NONE,
            estimate: Score::NONE,
            improving: false,
            floor: -Score::INFINITE,
            ceiling: Score::INFINITE,
        }
    }

    /// Step 5, continued. Returns the tablebase score if it causes a cutoff. Otherwise, in a PV
    /// node, the tablebase score becomes a bound on the result of the search.
    #[inline(always)]
    fn tablebase_score<N: NodeKind>(
        &self,
        worker: &mut Worker<'_, Move>,
        local: &mut Local<'_>,
    ) -> Option<Score> {
        let pieces = local.position().board().occupied().len() as usize;
        if pieces > self.tablebase_pieces || local.excluded.is_some() {
            return None;
        }
        self.probe_tablebase::<N>(worker, local, pieces)
    }

    #[cold]
    fn probe_tablebase<N: NodeKind>(
        &self,
        worker: &mut Worker<'_, Move>,
        local: &mut Local<'_>,
        pieces: usize,
    ) -> Option<Score> {
        let (position, ply) = (local.position(), local.ply());
        let too_shallow = pieces == self.tablebase_pieces && local.depth < self.probing.depth;
        // WDL values assume a halfmove clock of zero.
        if position.halfmove_clock() != 0 || too_shallow {
            return None;
        }
        let (score, bound) = self.probing.tablebase_score(position, ply)?;
        worker.hit();
        let decides = match bound {
            Bound::Exact => true,
            Bound::Lower => score >= local.window.beta,
            Bound::Upper => score <= local.window.alpha,
        };
        if decides {
            let depth = (local.depth + 6).min(Depth::MAX);
            let (score, eval, bound) = (score.to_table(ply), Score::NONE, Some(bound));
            let new = Entry { m: 0, score, eval, depth, bound, pv: local.was_pv };
            worker.table().store(position.key(), new);
        } else if N::PV && bound == Bound::Lower {
            local.floor = score;
            local.window.alpha = local.window.alpha.max(score);
        } else if N::PV {
            local.ceiling = score;
        }
        decides.then_some(score)
    }

    /// Step 6. Computes the static evaluation and stores it in the frame for descendants.
    #[inline(always)]
    fn evaluate(&mut self, worker: &Worker<'_, Move>, local: &mut Local<'_>) {
        let (position, ply) = (local.position(), local.ply());
        (local.raw, local.eval) = match local.entry {
            _ if local.in_check => (Score::NONE, Score::NONE),
            _ if local.excluded.is_some() => (Score::NONE, self.frame(ply).eval),
            Some(entry) if entry.eval != Score::NONE => {
                (entry.eval, self.static_eval(position, entry.eval, ply))
            }
            _ => {
                let raw = self.raw_eval(local.node);
                let (score, pv) = (Score::DRAW, local.was_pv);
                let new =
                    Entry { m: 0, score, eval: raw, depth: Depth::UNSEARCHED, bound: None, pv };
                worker.table().store(position.key(), new);
                (raw, self.static_eval(position, raw, ply))
            }
        };
        local.estimate = local
            .entry
            .filter(|_| !local.in_check && local.excluded.is_none())
            .and_then(|entry| entry.improves(local.eval, ply))
            .unwrap_or(local.eval);
        let frame = self.frame_mut(ply);
        (frame.eval, frame.was_pv) = (local.eval, local.was_pv);
        let before = match self.ancestor(ply, 2).eval {
            Score::NONE => self.ancestor(ply, 4).eval,
            before => before,
        };
        // `before` can be Score::NONE, which is lower than any evaluation.
        local.improving = !local.in_check && local.eval > before;
        let grandchild = self.frame_mut(ply + 2);
        grandchild.cutoffs = 0;
        grandchild.killer = None;
    }

    /// Step 6, continued: hindsight. Returns the depth adjustment for a node reached by a reduced
    /// move.
    ///
    /// The mover's loss is the drop in evaluation from the mover's point of view. Returns 1 if the
    /// move was reduced by at least three plies and lost nothing. Returns -1 if the move was
    /// reduced by at least two plies, the loss exceeds a margin, and the depth is at least 2.
    /// Otherwise returns 0.
    #[inline(always)]
    fn hindsight(&self, local: &Local<'_>) -> i32 {
        let before = self.ancestor(local.ply(), 1);
        if local.in_check || local.excluded.is_some() || before.eval == Score::NONE {
            return 0;
        }
        let gain = local.eval.0 + before.eval.0;
        if before.reduced >= 3 && gain <= 0 {
            1
        } else if before.reduced >= 2
            && local.depth >= Depth(2)
            && gain > self.constants.hindsight_margin
        {
            -1
        } else {
            0
        }
    }

    /// Steps 7 to 9. Returns a score if the node can be pruned. The node must have a null window,
    /// and the side to move must not be in check.
    #[inline(always)]
    fn prune_node(&mut self, worker: &mut Worker<'_, Move>, local: &Local<'_>) -> Option<Score> {
        let &Local { node, depth, window: Window { alpha, beta }, estimate, .. } = local;
        // 7. Razoring: the estimate is so far below alpha that only captures could help.
        let constants = &self.constants;
        let margin = constants.razor_margin + constants.razor_slope * depth.0 * depth.0;
        if estimate + margin < alpha && !alpha.is_win() {
            let window = Window::above(alpha);
            let score = self.quiesce::<NullWindow>(worker, node, window, local.ply());
            if score <= alpha || worker.is_stopped() {
                return Some(score);
            }
        }
        // 8. Reverse futility pruning: the estimate is so far above beta that the opponent will not
        //    catch up.
        let constants = &self.constants;
        let margin = constants.futility_slope * (depth.0 - 1)
            + constants.futility_worsening * i32::from(!local.improving);
        if depth <= Depth(9)
            && !local.was_pv
            && estimate - margin >= beta
            && !beta.is_loss()
            && !estimate.is_decisive()
        {
            return Some(Score((estimate.0 + beta.0) / 2));
        }
        // 9. Null move, in expected cut nodes: if passing fails high, a real move will too.
        if depth >= Depth(2)
            && local.role.cut_node
            && estimate >= beta
            && local.eval >= beta - constants.null_slope * depth.0 + constants.null_margin
            && local.has_pieces
            && local.ply() >= self.null_from
            && self.ancestor(local.ply(), 1).moved.is_some()
            && !beta.is_loss()
        {
            return self.null_move(worker, local);
        }
        None
    }

    /// Step 9. Returns the score of a null move if it fails high. At high depth, a verification
    /// search must confirm the score, because in zugzwang every real move is worse than passing.
    #[inline(always)]
    fn null_move(&mut self, worker: &mut Worker<'_, Move>, local: &Local<'_>) -> Option<Score> {
        let &Local { node, role, depth, window: Window { beta, .. }, .. } = local;
        let position = &node.position;
        let reduced =
            depth - 4 - depth.0 / 3 - ((local.estimate - beta) / self.constants.null_eval).min(3);
        worker.table().prefetch(position.key() ^ zobrist::black());
        self.enter_move(role.ply, None, None);
        self.path.push(position.key());
        let child = node.child(position.pass());
        let (window, below) = (Window::reaching(beta), role.child(false));
        let score = -self.search::<NullWindow>(worker, &child, reduced, -window, below);
        self.path.pop();
        if worker.is_stopped() {
            return Some(Score::DRAW);
        }
        if score < beta {
            return None;
        }
        let score = if score.is_win() { beta } else { score };
        if self.null_from > Ply::ROOT || depth < Depth(14) {
            return Some(score);
        }
        self.null_from = role.ply + reduced.0.max(0) as usize * 3 / 4 + 1;
        let again = NodeRole { cut_node: false, ..role };
        let verified = self.search::<NullWindow>(worker, node, reduced, window, again);
        self.null_from = Ply::ROOT;
        (verified >= beta).then_some(score)
    }

    /// Step 11, ProbCut. A capture that beats beta by a margin in a shallow search would probably
    /// beat beta in a deep search. Returns the score of the first such capture, if there is one.
    /// The result is meaningless once the worker is stopped.
    #[inline(always)]
    fn probcut(&mut self, worker: &mut Worker<'_, Move>, local: &Local<'_>) -> Option<Score> {
        let &Local { depth, window: Window { beta, .. }, .. } = local;
        let probable = beta + self.constants.probcut_margin;
        let refuted = |entry: Entry| entry.depth >= depth - 3 && local.entry_score < probable;
        if depth < Depth(5) || beta.is_decisive() || local.entry.is_some_and(refuted) {
            return None;
        }
        self.search_captures(worker, local, probable)
    }

    /// Step 11, continued. Searches for a capture that scores at least `probable`.
    fn search_captures(
        &mut self,
        worker: &mut Worker<'_, Move>,
        local: &Local<'_>,
        probable: Score,
    ) -> Option<Score> {
        let &Local { node, role, depth, .. } = local;
        let position = &node.position;
        let before = self.before(role.ply);
        let context = QuietContext::plain(position, &before);
        let mut picker = Picker::noisy(position, local.hash, probable - local.eval);
        while let Some(m) = picker.next(&self.histories, &context) {
            if picker.is_bad() {
                break;
            }
            worker.table().prefetch(position.key_after(m));
            self.enter_move(role.ply, Some(PieceTo::of(position, m)), None);
            self.path.push(position.key());
            let child = node.child(position.play_unchecked(m));
            let (window, below) = (-Window::reaching(probable), role.child(!role.cut_node));
            let mut score = -self.quiesce::<NullWindow>(worker, &child, window, below.ply);
            if score >= probable {
                score = -self.search::<NullWindow>(worker, &child, depth - 4, window, below);
            }
            self.path.pop();
            if worker.is_stopped() {
                return None;
            }
            if score >= probable {
                let (m, table_score) = (m.bits(), score.to_table(role.ply));
                let (eval, bound) = (local.raw, Some(Bound::Lower));
                let new = Entry { m, score: table_score, eval, depth: depth - 3, bound, pv: false };
                worker.table().store(position.key(), new);
                return Some(score);
            }
        }
        None
    }

    /// Steps 12 to 20: the move loop.
    #[inline(always)]
    fn search_moves<N: NodeKind>(
        &mut self,
        worker: &mut Worker<'_, Move>,
        local: &Local<'_>,
    ) -> Score {
        let &Local { role: NodeRole { ply, .. }, window: Window { beta, .. }, .. } = local;
        let position = local.position();
        // 12. Generate and order the moves.
        let before = self.before(ply);
        let board = position.board();
        let threats = Attacks::of(board, !position.side(), board.occupied());
        let checks = position.checks();
        let context = QuietContext { position, before: &before, threats, checks: Some(&checks) };
        let killer = self.frame(ply).killer;
        let mut picker = Picker::new(local.hash, killer);
        let mut found = Found {
            best: local.floor,
            best_move: None,
            alpha: local.window.alpha,
            number: 0,
            quiets: MoveList::new(),
            captures: MoveList::new(),
        };
        loop {
            let m = if N::ROOT {
                worker.candidates().get(found.number).map(|root_move| root_move.m)
            } else {
                picker.next(&self.histories, &context)
            };
            let Some(m) = m else { break };
            if Some(m) == local.excluded {
                continue;
            }
            found.number += 1;
            // Prefetch before deciding on pruning, to hide memory latency.
            worker.table().prefetch(position.key_after(m));
            if N::ROOT {
                worker.report_current(found.number - 1);
            }
            let noisy = position.is_noisy(m);
            let mut candidate = Candidate {
                m,
                number: found.number,
                noisy,
                gives_check: checks.has(position, m),
                is_killer: Some(m) == killer,
                quiet: (!noisy).then(|| context.butterfly(m)),
                history: if noisy {
                    self.histories.capture(position, m)
                } else {
                    self.histories.quiets(&context).score(m)
                },
                reduction: self.reductions.get(local.depth, found.number),
                extension: 0,
            };
            if !N::ROOT
                && local.has_pieces
                && !found.best.is_loss()
                && prune_move(&self.constants, local, &candidate, &mut picker, &mut found)
            {
                continue;
            }
            if !N::ROOT && Some(m) == local.hash {
                match self.singular::<N>(worker, local, m) {
                    ControlFlow::Continue(extension) => candidate.extension = extension,
                    ControlFlow::Break(score) => return score,
                }
            }
            // 14, continued. Check extension: in a PV or former PV node, extend a check that loses
            // no material.
            if !N::ROOT
                && candidate.extension == 0
                && candidate.gives_check
                && local.was_pv
                && local.depth >= Depth(4)
                && picker.wins(position, m, 0)
            {
                candidate.extension = 1;
            }
            // While this move is searched, the table entry for the next move is loaded.
            if let Some(m) = picker.peek() {
                worker.table().prefetch(position.key_after(m));
            }
            let nodes_before = worker.nodes();
            let window = Window { alpha: found.alpha, beta };
            let score = self.search_child::<N>(worker, local, &candidate, window);
            if worker.is_stopped() {
                return Score::DRAW;
            }

            // 18. Update the best score and alpha.
            if N::ROOT {
                let is_first = found.number == 1;
                let searched = SearchedRootMove { m, is_first, nodes_before };
                worker.note_root_move(searched, score, window, self.path.variation(Ply(1)));
            }
            if score > found.best {
                found.best = score;
                if score > found.alpha {
                    found.best_move = Some(m);
                    if N::PV && !N::ROOT {
                        self.path.extend_variation(ply, m);
                    }
                    if score >= beta {
                        self.frame_mut(ply).cutoffs += 1;
                        break;
                    }
                    found.alpha = score;
                }
            }
            if Some(m) != found.best_move {
                if noisy { &mut found.captures } else { &mut found.quiets }.push(m);
            }
        }
        self.conclude::<N>(worker, local, &context, &mut found)
    }

    /// Step 14, singular extension. Searches all moves except the table move `m`. If they fail low
    /// against the table score minus a margin, returns a positive extension for `m`. If the score
    /// of this search reaches beta, returns `Break` with this score (multicut). Otherwise `m` may
    /// get a negative extension.
    #[inline(always)]
    fn singular<N: NodeKind>(
        &mut self,
        worker: &mut Worker<'_, Move>,
        local: &Local<'_>,
        m: Move,
    ) -> ControlFlow<Score, i32> {
        let &Local { node, role, depth, entry_score, was_pv, .. } = local;
        let beta = local.window.beta;
        if local.excluded.is_some()
            || depth.0 < 5 + i32::from(was_pv)
            || role.ply.0 >= 2 * worker.root_depth.0 as usize
            || entry_score.is_decisive()
            || !local.entry.is_some_and(|entry| {
                matches!(entry.bound, Some(Bound::Lower | Bound::Exact)) && entry.depth >= depth - 3
            })
        {
            return ControlFlow::Continue(0);
        }
        let margins = 1 + i32::from(was_pv && !N::PV);
        let singular_beta = entry_score - margins * depth.0 * self.constants.singular_margin / 16;
        let window = Window::reaching(singular_beta);
        self.frame_mut(role.ply).excluded = Some(m);
        let score = self.search::<NullWindow>(worker, node, Depth((depth.0 - 1) / 2), window, role);
        self.frame_mut(role.ply).excluded = None;
        if worker.is_stopped() {
            return ControlFlow::Break(Score::DRAW);
        }
        if score < singular_beta {
            let constants = &self.constants;
            let further = constants.singular_double + constants.singular_open * i32::from(N::PV);
            ControlFlow::Continue(1 + i32::from(score < singular_beta - further))
        } else if score >= beta && !score.is_decisive() {
            ControlFlow::Break(score)
        } else if entry_score >= beta {
            ControlFlow::Continue(-2)
        } else {
            ControlFlow::Continue(-i32::from(role.cut_node))
        }
    }

    /// Steps 15 to 17. Makes a move, searches it and returns its score from this node's point of
    /// view.
    #[inline(always)]
    fn search_child<N: NodeKind>(
        &mut self,
        worker: &mut Worker<'_, Move>,
        local: &Local<'_>,
        candidate: &Candidate,
        window: Window,
    ) -> Score {
        let &Local { node, role, depth, .. } = local;
        let &Candidate { m, number, extension, .. } = candidate;
        let position = &node.position;
        // 15. Make the move.
        self.enter_move(role.ply, Some(PieceTo::of(position, m)), candidate.quiet);
        self.path.push(position.key());
        let child = node.child(position.play_unchecked(m));
        let new_depth = depth - 1 + extension;
        let null = -Window::above(window.alpha);
        let mut score = -Score::INFINITE;

        // 16. Late-move reduction: late moves are searched at a reduced depth. A reduced search
        //     that fails high is repeated at full depth.
        let mut full_depth = !N::PV || number > 1;
        if depth >= Depth(2) && number > 1 + usize::from(N::ROOT) {
            let reduction = self.reduction::<N>(local, candidate);
            let deepest = new_depth.max(Depth::ONE) + i32::from(N::PV);
            let reduced = (new_depth - reduction / 1024).clamp(Depth::ONE, deepest);
            self.frame_mut(role.ply).reduced = new_depth.0 - reduced.0;
            score = -self.search::<NullWindow>(worker, &child, reduced, null, role.child(true));
            self.frame_mut(role.ply).reduced = 0;
            full_depth = score > window.alpha && reduced < new_depth;
        }
        // 17. Search with a null window at full depth. In a PV node, the first move and every move
        //     that raises alpha are searched with the full window.
        if full_depth {
            let below = role.child(!role.cut_node);
            score = -self.search::<NullWindow>(worker, &child, new_depth, null, below);
        }
        if N::PV && (number == 1 || score > window.alpha) {
            let below = role.child(false);
            score = -self.search::<PvNode>(worker, &child, new_depth, -window, below);
        }
        self.path.pop();
        score
    }

    /// Returns the reduction of a late move for step 16, in 1024ths of a ply.
    #[inline(always)]
    fn reduction<N: NodeKind>(&self, local: &Local<'_>, candidate: &Candidate) -> i32 {
        let &Local { was_pv, role: NodeRole { ply, cut_node }, .. } = local;
        let &Candidate { noisy, history, .. } = candidate;
        let constants = &self.constants;
        let mut reduction = candidate.reduction;
        reduction -= constants.reduction_was_pv * i32::from(was_pv);
        if was_pv && local.entry.is_some_and(|entry| entry.bound.is_some()) {
            reduction += if local.entry_score > local.window.alpha {
                -constants.reduction_above_alpha
            } else {
                constants.reduction_below_alpha
            };
        }
        reduction -= constants.reduction_pv * i32::from(N::PV);
        reduction += constants.reduction_cut * i32::from(cut_node);
        // In an all-node every move is expected to fail low, so its moves are reduced more,
        // especially at low depth.
        if !N::PV && !cut_node {
            reduction += reduction.max(0) / (local.depth.0 + 1);
        }
        reduction += if local.improving {
            -constants.reduction_improving
        } else {
            constants.reduction_worsening
        };
        // A large correction means that the evaluation is unreliable and needs a deeper search.
        if !local.in_check {
            let correction = (local.eval - local.raw).abs().min(100);
            reduction += constants.reduction_certain - constants.reduction_correction * correction;
        }
        reduction += constants.reduction_hash_noisy * i32::from(local.hash_is_noisy && !noisy);
        reduction += constants.reduction_cutoffs * i32::from(self.frame(ply.child()).cutoffs > 3);
        reduction -= constants.reduction_check * i32::from(candidate.gives_check);
        reduction -= constants.reduction_killer * i32::from(candidate.is_killer);
        reduction -= if noisy {
            constants.reduction_noisy + history / constants.noisy_history
        } else {
            history / constants.quiet_history
        };
        reduction
    }

    /// Steps 19 and 20. Returns the node's score, updates the histories and stores the table entry.
    #[inline(always)]
    fn conclude<N: NodeKind>(
        &mut self,
        worker: &Worker<'_, Move>,
        local: &Local<'_>,
        context: &QuietContext<'_>,
        found: &mut Found,
    ) -> Score {
        let &Local { depth, window: Window { beta, .. }, .. } = local;
        // 19. If there are no moves, the position is mate or stalemate, unless a move was excluded.
        if found.number == 0 {
            return match (local.excluded, local.in_check) {
                (Some(_), _) => found.alpha,
                (None, true) => Score::loss_in(local.ply()),
                (None, false) => Score::DRAW,
            };
        }
        // If all moves were pruned without a score, use alpha.
        if found.best == -Score::INFINITE {
            found.best = found.alpha;
        }
        let best = &mut found.best;
        if *best >= beta && !best.is_decisive() && !beta.is_decisive() {
            *best = Score((best.0 * depth.0 + beta.0) / (depth.0 + 1));
        }
        *best = (*best).min(local.ceiling);
        self.learn(local, context, found);
        if local.excluded.is_none() && !(N::ROOT && worker.first > 0) {
            self.store(worker, local, found);
        }
        found.best
    }

    /// Step 20. Rewards the best move and penalizes the searched moves that did not raise alpha.
    /// After a fail low, rewards the opponent's last move instead.
    #[inline(always)]
    fn learn(&mut self, local: &Local<'_>, context: &QuietContext<'_>, found: &Found) {
        let (position, ply, depth) = (local.position(), local.ply(), local.depth);
        // The bonus is larger if the evaluation did not predict the best move's score.
        let surprising = !local.in_check && local.eval <= local.window.alpha;
        let bonus = self.constants.bonus(depth + i32::from(surprising));
        let malus = self.constants.malus(depth);
        let Some(best) = found.best_move else {
            // After a fail low, reward the opponent's last move, which caused it.
            if let Some(last) = self.ancestor(ply, 1).moved
                && depth >= Depth(2)
            {
                let earlier = [2, 3, 5].map(|back| self.ancestor(ply, back).moved);
                self.histories.update_continuation(last, &earlier, bonus);
                if let Some(quiet) = self.ancestor(ply, 1).quiet {
                    self.histories.update_butterfly(!position.side(), quiet, bonus / 2);
                }
            }
            return;
        };
        let noisy = position.is_noisy(best);
        if noisy {
            self.histories.update_capture(position, best, bonus);
        } else {
            if found.best >= local.window.beta {
                self.frame_mut(ply).killer = Some(best);
            }
            self.histories.update_quiet(context, best, bonus);
        }
        for (index, &m) in found.quiets.iter().enumerate() {
            // Quiet moves get a smaller malus if the best move is noisy.
            let malus = self.constants.quiet_malus(depth, index) >> u32::from(noisy);
            self.histories.update_quiet(context, m, -malus);
        }
        for &m in &found.captures {
            self.histories.update_capture(position, m, -malus);
        }
    }

    /// Step 20. Stores the table entry and updates the correction histories.
    #[inline(always)]
    fn store(&mut self, worker: &Worker<'_, Move>, local: &Local<'_>, found: &Found) {
        let &Local { depth, eval, .. } = local;
        let (position, best) = (local.position(), found.best);
        let bound = Bound::of(best, local.window);
        // If this node fails low and its parent is or was on a PV, store this node as a PV node
        // too.
        let follows_pv =
            bound == Bound::Upper && depth > Depth(3) && self.ancestor(local.ply(), 1).was_pv;
        let new = Entry {
            m: found.best_move.map_or(0, Move::bits),
            score: best.to_table(local.ply()),
            eval: local.raw,
            depth,
            bound: Some(bound),
            pv: local.was_pv || follows_pv,
        };
        worker.table().store(position.key(), new);
        let quiet_best = found.best_move.is_none_or(|m| !position.is_noisy(m));
        let informative = match bound {
            Bound::Lower => best > eval,
            Bound::Upper => best < eval,
            Bound::Exact => true,
        };
        if !local.in_check && quiet_best && informative && !best.is_decisive() {
            let before = self.before(local.ply());
            self.histories.update_correction(position, &before, depth, best, eval);
        }
    }
}

/// Step 13, shallow pruning. Returns whether to skip the move. The best score so far must not be a
/// loss.
#[inline(always)]
fn prune_move(
    constants: &Constants,
    local: &Local<'_>,
    candidate: &Candidate,
    picker: &mut Picker,
    found: &mut Found,
) -> bool {
    let (position, depth) = (local.position(), local.depth.0);
    let &Candidate { m, history, reduction, .. } = candidate;
    let enough = (3 + depth * depth) * constants.late_count / 100;
    let enough = if local.improving { enough } else { enough * 3 / 4 };
    if candidate.number as i32 >= enough {
        picker.skip_quiets();
    }
    if candidate.noisy || candidate.gives_check {
        let threshold = -constants.noisy_exchange * depth - (history / 64).clamp(-100, 100);
        return !picker.wins(position, m, threshold);
    }
    if history < -constants.history_margin * depth {
        return true;
    }
    let reduced = ((depth - reduction / 1024).max(0) + history / constants.late_history).max(0);
    let reach = local.eval + constants.quiet_margin + constants.quiet_slope * reduced;
    if !local.in_check && reduced < 11 && reach <= found.alpha {
        found.best = found.best.max(reach);
        return true;
    }
    !see::at_least(position, m, -constants.quiet_exchange * reduced * reduced)
}
