//! The node of the chess search: principal variation search with all that it prunes, reduces
//! and extends, in numbered steps.
//!
//! Margins are in centipawns. What each technique saves in nodes of the bench, and what it wins in
//! games, stands in this file's log. What did neither has been taken out.

use super::history::{self, Histories, Quiet};
use super::picker::Picker;
use super::{ChessSearcher, cycle, see};
use crate::chess::{Bitboard, Kind, Move, MoveList, Position, movegen};
use crate::search::driver::Worker;
use crate::search::kind::{NodeKind, NullWindow, PvNode};
use crate::search::report::Bound;
use crate::search::score::{Depth, MAX_PLY, Ply, Score};
use crate::search::tt::Entry;
use once_cell::sync::Lazy;

/// Late-move reductions by depth and move number, in 1024ths of a half-move.
static REDUCTIONS: Lazy<[[i32; 64]; 64]> = Lazy::new(|| {
    let mut table = [[0; 64]; 64];
    for (depth, row) in table.iter_mut().enumerate().skip(1) {
        for (number, reduction) in row.iter_mut().enumerate().skip(1) {
            let product = (depth as f64).ln() * (number as f64).ln();
            *reduction = (1024.0 * (0.75 + product / 2.3)) as i32;
        }
    }
    table
});

impl ChessSearcher {
    /// The score of `position` after a search `depth` half-moves deep. Fail-soft: a score outside
    /// the window bounds the true one. Meaningless once the worker is stopped.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn search<N: NodeKind>(
        &mut self,
        worker: &mut Worker<'_, Move>,
        position: &Position,
        mut depth: Depth,
        mut alpha: Score,
        mut beta: Score,
        ply: Ply,
        cut_node: bool,
    ) -> Score {
        // 1. At the horizon: quiescence.
        if depth <= 0 {
            return self.quiesce::<N>(worker, position, alpha, beta, ply);
        }
        let depth_limit = MAX_PLY as Depth - 1;
        depth = depth.min(depth_limit);
        if N::PV {
            self.frame_mut(ply).line.clear();
            worker.seldepth = worker.seldepth.max(ply + 1);
        }
        if worker.visit() {
            return Score::DRAW;
        }
        let in_check = position.in_check();

        if !N::ROOT {
            // 2. Draws, and the end of the stack.
            if self.is_draw(position, ply) {
                return Self::draw(worker);
            }
            if ply >= MAX_PLY - 1 {
                return if in_check { Score::DRAW } else { self.fresh_eval(position) };
            }
            // 3. Mate-distance pruning: no line from here can beat a shorter mate already found.
            alpha = alpha.max(Score::loss_in(ply));
            beta = beta.min(Score::win_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
            // 4. A player who can repeat need not take less than a draw.
            if alpha < Score::DRAW && cycle::upcoming(position, &self.keys, ply) {
                alpha = Self::draw(worker);
                if alpha >= beta {
                    return alpha;
                }
            }
        }

        // 5. What the table knows.
        let table = worker.table();
        let excluded = self.frame(ply).excluded;
        let entry = table.probe(position.key());
        let entry_score = entry.map_or(Score::NONE, |entry| entry.score.from_table(ply));
        let hash = if N::ROOT {
            Some(worker.root_moves[worker.first].m)
        } else {
            entry.and_then(|entry| Move::from_bits(entry.m)).filter(|&m| position.is_legal(m))
        };
        let hash_is_noisy = hash.is_some_and(|m| position.is_noisy(m));
        let was_pv = N::PV || entry.is_some_and(|entry| entry.pv);
        if !N::PV
            && excluded.is_none()
            && let Some(entry) = entry
            && entry.depth >= depth
            && position.halfmove_clock() < 90
            && let Some(score) = entry.cuts(beta, ply)
        {
            return score;
        }

        // 6. The static evaluation.
        let (raw, eval) = match entry {
            _ if in_check => (Score::NONE, Score::NONE),
            _ if excluded.is_some() => (Score::NONE, self.frame(ply).eval),
            Some(entry) if entry.eval != Score::NONE => {
                (entry.eval, self.static_eval(position, entry.eval))
            }
            _ => {
                let raw = Score::evaluation(self.evaluator.evaluate(position));
                let new = Entry {
                    m: 0,
                    score: Score::DRAW,
                    eval: raw,
                    depth: -1,
                    bound: None,
                    pv: was_pv,
                };
                table.store(position.key(), new);
                (raw, self.static_eval(position, raw))
            }
        };
        // Nearer the truth than `eval` where the table holds a bound.
        let estimate = entry
            .filter(|_| !in_check && excluded.is_none())
            .and_then(|entry| entry.improves(eval, ply))
            .unwrap_or(eval);
        self.frame_mut(ply).eval = eval;
        {
            let grandchild = self.frame_mut(ply + 2);
            grandchild.cutoffs = 0;
            grandchild.killer = None;
        }
        let (side, board) = (position.side(), position.board());
        let pawns_and_king = board.kind(Kind::Pawn) | board.kind(Kind::King);
        let has_pieces = (board.side(side) - pawns_and_king).any();

        if !N::PV && !in_check && excluded.is_none() {
            // 7. Razoring: so far below alpha that only captures could help.
            if estimate + 220 + 190 * depth * depth < alpha && !alpha.is_win() {
                let score = self.quiesce::<NullWindow>(worker, position, alpha, alpha + 1, ply);
                if score <= alpha || worker.is_stopped() {
                    return score;
                }
            }
            // 8. Reverse futility: so far above beta that the opponent will not catch up.
            let margin = 75 * (depth - 1);
            if depth <= 9
                && !was_pv
                && estimate - margin >= beta
                && !beta.is_loss()
                && !estimate.is_decisive()
            {
                return Score((estimate.0 + beta.0) / 2);
            }
            // 9. Null move: if passing holds beta, a move will. Its result is verified at great
            // depth, since in zugzwang passing would be best.
            if depth >= 2
                && estimate >= beta
                && eval >= beta - 18 * depth + 160
                && has_pieces
                && ply >= self.null_from
                && self.ancestor(ply, 1).step.is_some()
                && !beta.is_loss()
            {
                let reduced = depth - 4 - depth / 3 - ((estimate - beta) / 180).min(3);
                table.prefetch(position.key() ^ crate::chess::zobrist::black());
                self.frame_mut(ply).step = None;
                self.keys.push(position.key());
                let child = position.pass();
                let score = -self.search::<NullWindow>(
                    worker,
                    &child,
                    reduced,
                    -beta,
                    -beta + 1,
                    ply + 1,
                    !cut_node,
                );
                self.keys.pop();
                if worker.is_stopped() {
                    return Score::DRAW;
                }
                if score >= beta {
                    let score = if score.is_win() { beta } else { score };
                    if self.null_from > 0 || depth < 14 {
                        return score;
                    }
                    self.null_from = ply + reduced.max(0) as Ply * 3 / 4 + 1;
                    let verified = self.search::<NullWindow>(
                        worker,
                        position,
                        reduced,
                        beta - 1,
                        beta,
                        ply,
                        false,
                    );
                    self.null_from = 0;
                    if verified >= beta {
                        return score;
                    }
                }
            }
        }

        // 10. Internal reduction: without a move from the table the order will be poor; a shallower
        // search finds one for the next visit.
        if (N::PV || cut_node) && depth >= 4 && hash.is_none() {
            depth -= 1;
        }

        // 11. ProbCut: a capture that beats beta by a margin in a shallow search would beat it in a
        // deep one.
        let probable = beta + 130;
        if !N::PV
            && !in_check
            && excluded.is_none()
            && depth >= 5
            && !beta.is_decisive()
            && !entry.is_some_and(|entry| entry.depth >= depth - 3 && entry_score < probable)
            && let Some(score) =
                self.probcut(worker, position, depth, probable, ply, cut_node, (hash, eval, raw))
        {
            return score;
        }
        if worker.is_stopped() {
            return Score::DRAW;
        }

        // 12. The moves, one by one.
        let before = self.before(ply);
        let threats = movegen::attacked_by(board, !side, board.occupied());
        let quiet = Quiet { position, before: &before, threats };
        let killer = self.frame(ply).killer;
        let checks = position.checks();
        let mut picker = Picker::new(hash, killer);
        let (mut quiets, mut captures) = (MoveList::new(), MoveList::new());
        let (mut best, mut best_move) = (-Score::INFINITE, None);
        let alpha_before = alpha;
        let mut number = 0;
        loop {
            let m = if N::ROOT {
                worker.root_moves.get(worker.first + number).map(|root_move| root_move.m)
            } else {
                picker.next(&self.histories, &quiet)
            };
            let Some(m) = m else { break };
            if Some(m) == excluded {
                continue;
            }
            number += 1;
            if N::ROOT {
                worker.report_current(number - 1);
            }
            let noisy = position.is_noisy(m);
            let gives_check = checks.has(position, m);
            let history = if noisy {
                self.histories.capture(position, m)
            } else {
                self.histories.quiet(&quiet, m)
            };
            let mut reduction = REDUCTIONS[depth.min(63) as usize][number.min(63)];

            // 13. Shallow pruning: moves that will hardly matter are left out, once one is known
            // that does not get us mated.
            if !N::ROOT && has_pieces && !best.is_loss() {
                if number as Depth >= 3 + depth * depth {
                    picker.skip_quiets();
                }
                if noisy || gives_check {
                    if !see::at_least(position, m, -95 * depth - (history / 64).clamp(-100, 100)) {
                        continue;
                    }
                } else {
                    if history < -4200 * depth {
                        continue;
                    }
                    let reduced = ((depth - reduction / 1024).max(0) + history / 9000).max(0);
                    if !in_check && reduced < 11 && eval + 75 + 95 * reduced <= alpha {
                        best = best.max(eval + 75 + 95 * reduced);
                        continue;
                    }
                    if !see::at_least(position, m, -22 * reduced * reduced) {
                        continue;
                    }
                }
            }

            // 14. Singular extension: where every other move is worse than the table's by a margin,
            // that move is searched deeper. Where another one beats beta as well, the node fails
            // high at once (multicut).
            let mut extension = 0;
            if !N::ROOT
                && Some(m) == hash
                && excluded.is_none()
                && depth >= 6 + Depth::from(was_pv)
                && ply < 2 * worker.root_depth as Ply
                && let Some(entry) = entry
                && matches!(entry.bound, Some(Bound::Lower | Bound::Exact))
                && entry.depth >= depth - 3
                && !entry_score.is_decisive()
            {
                let singular_beta = entry_score - (1 + i32::from(was_pv && !N::PV)) * depth;
                self.frame_mut(ply).excluded = Some(m);
                let score = self.search::<NullWindow>(
                    worker,
                    position,
                    (depth - 1) / 2,
                    singular_beta - 1,
                    singular_beta,
                    ply,
                    cut_node,
                );
                self.frame_mut(ply).excluded = None;
                if worker.is_stopped() {
                    return Score::DRAW;
                }
                if score < singular_beta {
                    extension = 1;
                } else if score >= beta && !score.is_decisive() {
                    return score;
                } else if entry_score >= beta {
                    extension = -2;
                } else if cut_node {
                    extension = -1;
                }
            }

            // 15. Make the move.
            table.prefetch(position.key_after(m));
            self.frame_mut(ply).step = Some(history::step(position, m));
            self.keys.push(position.key());
            let child = position.play(m);
            let nodes = worker.nodes();
            let new_depth = depth - 1 + extension;
            let mut score = -Score::INFINITE;

            // 16. Late-move reduction: what comes late in a good order is searched shallower, and
            // again only if that fails high.
            let mut full_depth = !N::PV || number > 1;
            if depth >= 2 && number > 1 + usize::from(N::ROOT) {
                reduction -= 1024 * i32::from(was_pv) + 512 * i32::from(N::PV);
                reduction += 1700 * i32::from(cut_node);
                reduction += 900 * i32::from(hash_is_noisy && !noisy);
                reduction += 900 * i32::from(self.frame(ply + 1).cutoffs > 3);
                reduction -= 1024 * i32::from(gives_check);
                reduction -= 1200 * i32::from(Some(m) == killer);
                reduction -= if noisy { 700 + history / 12 } else { history / 9 };
                let reduced =
                    (new_depth - reduction / 1024).clamp(1, new_depth.max(1) + Depth::from(N::PV));
                score = -self.search::<NullWindow>(
                    worker,
                    &child,
                    reduced,
                    -alpha - 1,
                    -alpha,
                    ply + 1,
                    true,
                );
                full_depth = score > alpha && reduced < new_depth;
            }
            // 17. The null window at full depth, then the open one for the first move and for one that
            // beats it.
            if full_depth {
                score = -self.search::<NullWindow>(
                    worker,
                    &child,
                    new_depth,
                    -alpha - 1,
                    -alpha,
                    ply + 1,
                    !cut_node,
                );
            }
            if N::PV && (number == 1 || score > alpha) {
                score = -self.search::<PvNode>(
                    worker,
                    &child,
                    new_depth,
                    -beta,
                    -alpha,
                    ply + 1,
                    false,
                );
            }
            self.keys.pop();
            if worker.is_stopped() {
                return Score::DRAW;
            }

            // 18. What it found.
            if N::ROOT {
                let line = self.frame(1).line.iter();
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
                        self.frame_mut(ply).cutoffs += 1;
                        break;
                    }
                    alpha = score;
                }
            }
            if Some(m) != best_move {
                if noisy { &mut captures } else { &mut quiets }.push(m);
            }
        }

        // 19. No move at all: mate, stalemate, or nothing beside the excluded one.
        if number == 0 {
            return match (excluded, in_check) {
                (Some(_), _) => alpha,
                (None, true) => Score::loss_in(ply),
                (None, false) => Score::DRAW,
            };
        }
        // Every move was pruned before one was searched: the bounds used are the answer.
        if best == -Score::INFINITE {
            best = alpha;
        }
        if best >= beta && !best.is_decisive() && !beta.is_decisive() {
            best = Score((best.0 * depth + beta.0) / (depth + 1));
        }

        // 20. Learn from it.
        if let Some(m) = best_move {
            self.learn(&quiet, ply, depth, m, best >= beta, (&quiets, &captures));
        } else if let Some(step) = self.ancestor(ply, 1).step
            && depth >= 2
        {
            // All our moves failed: the opponent's last one was good.
            let earlier = [2, 3, 5].map(|back| self.ancestor(ply, back).step);
            self.histories.update_continuation(step, &earlier, Histories::bonus(depth) / 2);
        }
        if excluded.is_none() && !(N::ROOT && worker.first > 0) {
            let bound = if best >= beta {
                Bound::Lower
            } else if alpha > alpha_before {
                Bound::Exact
            } else {
                Bound::Upper
            };
            let m = best_move.map_or(0, Move::bits);
            let (score, bound) = (best.to_table(ply), Some(bound));
            table.store(position.key(), Entry { m, score, eval: raw, depth, bound, pv: was_pv });
            let quiet_best = best_move.is_none_or(|m| !position.is_noisy(m));
            let informative = match bound {
                Some(Bound::Lower) => best > eval,
                Some(Bound::Upper) => best < eval,
                _ => true,
            };
            if !in_check && quiet_best && informative && !best.is_decisive() {
                self.histories.update_correction(position, depth, best, eval);
            }
        }
        best
    }

    /// Step 11: the score of a capture that makes beating beta probable.
    #[allow(clippy::too_many_arguments)]
    fn probcut(
        &mut self,
        worker: &mut Worker<'_, Move>,
        position: &Position,
        depth: Depth,
        probable: Score,
        ply: Ply,
        cut_node: bool,
        (hash, eval, raw): (Option<Move>, Score, Score),
    ) -> Option<Score> {
        let before = self.before(ply);
        let quiet = Quiet { position, before: &before, threats: Bitboard::EMPTY };
        let mut picker = Picker::noisy(position, hash, probable - eval);
        while let Some(m) = picker.next(&self.histories, &quiet) {
            if picker.is_bad() {
                break;
            }
            worker.table().prefetch(position.key_after(m));
            self.frame_mut(ply).step = Some(history::step(position, m));
            self.keys.push(position.key());
            let child = position.play(m);
            let window = (-probable, -probable + 1);
            let mut score =
                -self.quiesce::<NullWindow>(worker, &child, window.0, window.1, ply + 1);
            if score >= probable {
                score = -self.search::<NullWindow>(
                    worker,
                    &child,
                    depth - 4,
                    window.0,
                    window.1,
                    ply + 1,
                    !cut_node,
                );
            }
            self.keys.pop();
            if worker.is_stopped() {
                return None;
            }
            if score >= probable {
                let (m, table_score) = (m.bits(), score.to_table(ply));
                let bound = Some(Bound::Lower);
                let new =
                    Entry { m, score: table_score, eval: raw, depth: depth - 3, bound, pv: false };
                worker.table().store(position.key(), new);
                return Some(score);
            }
        }
        None
    }

    /// Step 20: rewards the best move and punishes those tried in vain before it.
    fn learn(
        &mut self,
        quiet: &Quiet<'_>,
        ply: Ply,
        depth: Depth,
        best: Move,
        fails_high: bool,
        (quiets, captures): (&MoveList, &MoveList),
    ) {
        let (bonus, malus) = (Histories::bonus(depth), Histories::malus(depth));
        let position = quiet.position;
        if position.is_noisy(best) {
            self.histories.update_capture(position, best, bonus);
        } else {
            if fails_high {
                self.frame_mut(ply).killer = Some(best);
            }
            self.histories.update_quiet(quiet, best, bonus);
            for &m in quiets {
                self.histories.update_quiet(quiet, m, -malus);
            }
        }
        for &m in captures {
            self.histories.update_capture(position, m, -malus);
        }
    }
}
