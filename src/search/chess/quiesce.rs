//! Quiescence search: resolves captures and promotions (and evasions when in check) before the
//! static evaluation.

use super::history::{PieceTo, QuietContext};
use super::picker::Picker;
use super::{ChessSearcher, Node, cycle, see, table_move};
use crate::chess::Move;
use crate::search::depth::{Depth, Ply};
use crate::search::driver::Worker;
use crate::search::kind::NodeKind;
use crate::search::report::Bound;
use crate::search::score::Score;
use crate::search::tt::Entry;
use crate::search::window::Window;

struct Local<'a> {
    node: &'a Node,
    ply: Ply,
    /// The window, with alpha raised to the stand-pat score.
    window: Window,
    in_check: bool,
    hash: Option<Move>,
    /// True if the node is or was on a principal variation.
    was_pv: bool,
    /// The uncorrected network evaluation, or [`Score::NONE`] in check.
    raw: Score,
    /// The corrected static evaluation, or [`Score::NONE`] in check.
    eval: Score,
    /// The stand-pat score, or minus infinity in check.
    best: Score,
}

impl ChessSearcher {
    pub(super) fn quiesce<N: NodeKind>(
        &mut self,
        worker: &mut Worker<'_, Move>,
        node: &Node,
        mut window: Window,
        ply: Ply,
    ) -> Score {
        let position = &node.position;
        if self.path.enter::<N>(worker, ply) {
            return Score::DRAW;
        }
        if self.is_draw(position, ply) {
            return Self::draw(worker);
        }
        if window.alpha < Score::DRAW && cycle::upcoming(position, self.path.keys(), ply) {
            window.alpha = Self::draw(worker);
            if window.is_empty() {
                return window.alpha;
            }
        }
        let in_check = position.in_check();
        if ply.is_last() {
            return if in_check { Score::DRAW } else { self.fresh_eval(node, ply) };
        }

        let table = worker.table();
        let entry = table.probe(position.key());
        let was_pv = N::PV || entry.is_some_and(|entry| entry.pv);
        if !N::PV
            && let Some(entry) = entry
            && let Some(score) = entry.cuts(window.beta, ply)
        {
            return score;
        }

        // Stand pat: a side that is not in check may decline every capture.
        let (mut best, mut raw, mut eval) = (-Score::INFINITE, Score::NONE, Score::NONE);
        if !in_check {
            raw = match entry {
                Some(entry) if entry.eval != Score::NONE => entry.eval,
                _ => self.raw_eval(node),
            };
            eval = self.static_eval(position, raw, ply);
            best = entry.and_then(|entry| entry.improves(eval, ply)).unwrap_or(eval);
            if best >= window.beta {
                if entry.is_none() {
                    let (bound, score) = (Some(Bound::Lower), best.to_table(ply));
                    let new = Entry {
                        m: 0,
                        score,
                        eval: raw,
                        depth: Depth::UNSEARCHED,
                        bound,
                        pv: was_pv,
                    };
                    table.store(position.key(), new);
                }
                return best;
            }
            window.alpha = window.alpha.max(best);
        }
        let hash = table_move(position, entry);
        let local = Local { node, ply, window, in_check, hash, was_pv, raw, eval, best };
        self.settle::<N>(worker, &local)
    }

    #[inline(always)]
    fn settle<N: NodeKind>(&mut self, worker: &mut Worker<'_, Move>, local: &Local<'_>) -> Score {
        let &Local { node, ply, window: Window { mut alpha, beta }, in_check, mut best, .. } =
            local;
        let (position, table) = (&node.position, worker.table());
        let before = self.before(ply);
        let context = QuietContext::plain(position, &before);
        let mut picker = if in_check {
            Picker::evasions(local.hash)
        } else {
            Picker::noisy(position, local.hash, 0)
        };
        // The destination of the opponent's last move. Recaptures on this square are exempt from
        // futility pruning.
        let last = self.ancestor(ply, 1).moved.map(PieceTo::to);
        let mut best_move = None;
        let mut tried = 0;
        while let Some(m) = picker.next(&self.histories, &context) {
            if !best.is_loss() {
                if picker.is_bad() {
                    break;
                }
                // In check, quiet evasions are skipped after the first searched move.
                if in_check && tried >= 1 && !position.is_noisy(m) {
                    picker.skip_quiets();
                    continue;
                }
                if !in_check
                    && last != Some(m.to())
                    && let Some(reach) = hopeless(local, m, alpha, self.constants.calm_margin)
                {
                    best = best.max(reach);
                    continue;
                }
            }
            tried += 1;
            table.prefetch(position.key_after(m));
            // While this move is searched, the table entry for the next move is loaded.
            if let Some(m) = picker.peek() {
                table.prefetch(position.key_after(m));
            }
            self.enter_move(ply, Some(PieceTo::of(position, m)), None);
            self.path.push(position.key());
            let child = node.child(position.play_unchecked(m));
            let score = -self.quiesce::<N>(worker, &child, -Window { alpha, beta }, ply.child());
            self.path.pop();
            if worker.is_stopped() {
                return Score::DRAW;
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(m);
                    if N::PV {
                        self.path.extend_variation(ply, m);
                    }
                    if score >= beta {
                        break;
                    }
                    alpha = score;
                }
            }
        }
        if in_check && tried == 0 && best == -Score::INFINITE {
            return Score::loss_in(ply);
        }
        if best >= beta && !best.is_decisive() && !beta.is_decisive() {
            best = Score((best.0 + beta.0) / 2);
        }
        let bound = Some(if best >= beta { Bound::Lower } else { Bound::Upper });
        let (m, score) = (best_move.map_or(0, Move::bits), best.to_table(ply));
        let new =
            Entry { m, score, eval: local.raw, depth: Depth::HORIZON, bound, pv: local.was_pv };
        table.store(position.key(), new);
        best
    }

    pub(super) fn fresh_eval(&mut self, node: &Node, ply: Ply) -> Score {
        let raw = self.raw_eval(node);
        self.static_eval(&node.position, raw, ply)
    }
}

/// Futility pruning. Returns an optimistic estimate of the score after a capture if the capture is
/// unlikely to raise alpha, otherwise `None`. The estimate is the evaluation plus `margin` plus the
/// value of the captured piece. If the exchange wins no material, the captured piece does not
/// count.
#[inline(always)]
fn hopeless(local: &Local<'_>, m: Move, alpha: Score, margin: i32) -> Option<Score> {
    let (position, calm) = (&local.node.position, local.eval + margin);
    if m.promoted().is_some() {
        return None;
    }
    let reach = calm + see::captured_value(position, m);
    if reach <= alpha && !position.gives_check(m) {
        return Some(reach);
    }
    (calm <= alpha && !see::at_least(position, m, 1)).then_some(calm)
}
