//! Quiescence: captures and promotions (all evasions in check) until the position is calm enough
//! for the static evaluation.

use super::ChessSearcher;
use super::history::{self, Quiet};
use super::picker::Picker;
use super::{cycle, see};
use crate::chess::{Bitboard, Move, Position};
use crate::search::driver::Worker;
use crate::search::kind::NodeKind;
use crate::search::report::Bound;
use crate::search::score::{MAX_PLY, Ply, Score};
use crate::search::tt::Entry;

impl ChessSearcher {
    /// The score of `position` within the window once it is calm.
    pub(super) fn quiesce<N: NodeKind>(
        &mut self,
        worker: &mut Worker<'_, Move>,
        position: &Position,
        mut alpha: Score,
        beta: Score,
        ply: Ply,
    ) -> Score {
        if N::PV {
            self.frame_mut(ply).line.clear();
            worker.seldepth = worker.seldepth.max(ply + 1);
        }
        if worker.visit() {
            return Score::DRAW;
        }
        if self.is_draw(position, ply) {
            return Self::draw(worker);
        }
        if alpha < Score::DRAW && cycle::upcoming(position, &self.keys, ply) {
            alpha = Self::draw(worker);
            if alpha >= beta {
                return alpha;
            }
        }
        let in_check = position.in_check();
        if ply >= MAX_PLY - 1 {
            return if in_check { Score::DRAW } else { self.fresh_eval(position) };
        }

        let table = worker.table();
        let entry = table.probe(position.key());
        let hash =
            entry.and_then(|entry| Move::from_bits(entry.m)).filter(|&m| position.is_legal(m));
        let was_pv = N::PV || entry.is_some_and(|entry| entry.pv);
        if !N::PV
            && let Some(entry) = entry
            && let Some(score) = entry.cuts(beta, ply)
        {
            return score;
        }

        // Stand pat: a side that is not in check may decline all captures.
        let (mut best, mut raw, mut eval) = (-Score::INFINITE, Score::NONE, Score::NONE);
        if !in_check {
            raw = match entry {
                Some(entry) if entry.eval != Score::NONE => entry.eval,
                _ => Score::evaluation(self.evaluator.evaluate(position)),
            };
            eval = self.static_eval(position, raw);
            best = entry.and_then(|entry| entry.improves(eval, ply)).unwrap_or(eval);
            if best >= beta {
                if entry.is_none() {
                    let (bound, score) = (Some(Bound::Lower), best.to_table(ply));
                    let new = Entry { m: 0, score, eval: raw, depth: -1, bound, pv: was_pv };
                    table.store(position.key(), new);
                }
                return best;
            }
            alpha = alpha.max(best);
        }

        let before = self.before(ply);
        let quiet = Quiet { position, before: &before, threats: Bitboard::EMPTY };
        let mut picker =
            if in_check { Picker::new(hash, None) } else { Picker::noisy(position, hash, 0) };
        let mut best_move = None;
        let mut tried = 0;
        while let Some(m) = picker.next(&self.histories, &quiet) {
            if !best.is_loss() {
                // In check the first evasions suffice; else captures that lose material do not pay,
                // nor those that cannot bring the score near alpha.
                if picker.is_bad() {
                    break;
                }
                if in_check {
                    if tried >= 1 && !position.is_noisy(m) {
                        picker.skip_quiets();
                        continue;
                    }
                } else if m.promoted().is_none() {
                    let gain = position.captured(m).map_or(0, see::value);
                    let reach = eval + 180 + gain;
                    if reach <= alpha && !position.gives_check(m) {
                        best = best.max(reach);
                        continue;
                    }
                    if eval + 180 <= alpha && !see::at_least(position, m, 1) {
                        best = best.max(eval + 180);
                        continue;
                    }
                }
            }
            tried += 1;
            table.prefetch(position.key_after(m));
            self.frame_mut(ply).step = Some(history::step(position, m));
            self.keys.push(position.key());
            let child = position.play(m);
            let score = -self.quiesce::<N>(worker, &child, -beta, -alpha, ply + 1);
            self.keys.pop();
            if worker.is_stopped() {
                return Score::DRAW;
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(m);
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
        if in_check && tried == 0 && best == -Score::INFINITE {
            return Score::loss_in(ply);
        }
        if best >= beta && !best.is_decisive() && !beta.is_decisive() {
            best = Score((best.0 + beta.0) / 2);
        }
        let bound = Some(if best >= beta { Bound::Lower } else { Bound::Upper });
        let (m, score) = (best_move.map_or(0, Move::bits), best.to_table(ply));
        table.store(position.key(), Entry { m, score, eval: raw, depth: 0, bound, pv: was_pv });
        best
    }

    /// The corrected evaluation of a position, computed anew.
    pub(super) fn fresh_eval(&mut self, position: &Position) -> Score {
        let raw = Score::evaluation(self.evaluator.evaluate(position));
        self.static_eval(position, raw)
    }

    /// Makes the line at `ply` the move and the line below it.
    #[inline]
    pub(super) fn extend_line(&mut self, ply: Ply, m: Move) {
        let (upper, lower) = self.stack.split_at_mut(ply + super::ANCESTORS + 1);
        if let (Some(node), Some(child)) = (upper.last_mut(), lower.first()) {
            node.line.set(m, &child.line);
        }
    }
}
