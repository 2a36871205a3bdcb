//! Proves or refutes perpetual check (FIDE 1928, Par. 15 B; FIDE 1930, Art. 16 b).
//!
//! A player can give perpetual check from a set of positions if each position has a check after
//! which every reply leads back into the set. Checkmate does not count, because it ends the checks.
//!
//! The algorithm collects the positions reachable by checks and replies, up to a limit. Then it
//! repeatedly removes the positions in which no check forces the game back into the set. For a
//! proof, positions that were not collected count as removed; for a refutation, they count as part
//! of the set. If neither succeeds, the result is undecided.

use crate::chess::{Move, Position};
use std::collections::HashMap;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Proof<M> {
    /// Perpetual check, with a line of checks and replies until a position repeats.
    Proved(Vec<M>),
    /// An escape, with a line of checks and replies until no check is left.
    Refuted(Vec<M>),
    Undecided,
}

/// A check and its replies. Each reply has the index of the next position, if it was collected.
struct Check {
    m: Move,
    replies: Vec<(Move, Option<usize>)>,
}

/// The positions with the checking player to move, and their checks.
struct Graph {
    positions: Vec<Position>,
    checks: Vec<Vec<Check>>,
}

/// Returns whether the side to move in `root` can give perpetual check. Collects at most `limit`
/// positions in which this side is to move.
pub(crate) fn prove(root: &Position, limit: usize) -> Proof<Move> {
    let graph = Graph::gather(root, limit);
    let (good, _) = graph.strike(false);
    if good.first() == Some(&true) {
        return Proof::Proved(graph.endless(&good));
    }
    let (good, rank) = graph.strike(true);
    if good.first() == Some(&false) {
        return Proof::Refuted(graph.escape(&rank));
    }
    Proof::Undecided
}

impl Graph {
    fn gather(root: &Position, limit: usize) -> Self {
        let mut graph = Self { positions: vec![root.clone()], checks: vec![Vec::new()] };
        // Keys cover the pieces, the side to move, and castling and en passant rights.
        let mut indices = HashMap::from([(root.key(), 0)]);
        let mut next = 0;
        while next < graph.positions.len() {
            let position = graph.positions[next].clone();
            let mut checks = Vec::new();
            for &m in position.legal_moves().iter().filter(|&&m| position.gives_check(m)) {
                let answered = position.play_unchecked(m);
                let mut replies = Vec::new();
                for &reply in &answered.legal_moves() {
                    let after = answered.play_unchecked(reply);
                    let mut index = indices.get(&after.key()).copied();
                    if index.is_none() && graph.positions.len() < limit {
                        index = Some(graph.positions.len());
                        indices.insert(after.key(), graph.positions.len());
                        graph.positions.push(after);
                        graph.checks.push(Vec::new());
                    }
                    replies.push((reply, index));
                }
                checks.push(Check { m, replies });
            }
            graph.checks[next] = checks;
            next += 1;
        }
        graph
    }

    /// Repeatedly removes the positions in which no check forces the game back into the set.
    /// Returns which positions remain and, for each removed position, the round of its removal.
    /// Positions that were not collected count as part of the set if `unknown` is true.
    fn strike(&self, unknown: bool) -> (Vec<bool>, Vec<usize>) {
        let mut good = vec![true; self.positions.len()];
        let mut rank = vec![usize::MAX; self.positions.len()];
        for round in 0.. {
            let holds = |check: &Check| {
                !check.replies.is_empty()
                    && check.replies.iter().all(|(_, to)| to.map_or(unknown, |index| good[index]))
            };
            let struck: Vec<usize> =
                (0..good.len()).filter(|&i| good[i] && !self.checks[i].iter().any(holds)).collect();
            if struck.is_empty() {
                break;
            }
            for index in struck {
                good[index] = false;
                rank[index] = round;
            }
        }
        (good, rank)
    }

    /// Returns a line of perpetual checks and replies, until a position repeats.
    fn endless(&self, good: &[bool]) -> Vec<Move> {
        let (mut line, mut seen, mut at) = (Vec::new(), Vec::new(), 0);
        while !seen.contains(&at) {
            seen.push(at);
            let holds = |check: &&Check| {
                !check.replies.is_empty()
                    && check.replies.iter().all(|(_, to)| to.is_some_and(|index| good[index]))
            };
            let Some(check) = self.checks[at].iter().find(holds) else { break };
            line.push(check.m);
            let Some(&(reply, Some(to))) = check.replies.first() else { break };
            line.push(reply);
            at = to;
        }
        line
    }

    /// Returns a line in which the checks last as long as possible and the replies end them as soon
    /// as possible.
    fn escape(&self, rank: &[usize]) -> Vec<Move> {
        let (mut line, mut at) = (Vec::new(), 0);
        let soonest = |check: &Check| {
            let ranked = check
                .replies
                .iter()
                .map(|&(reply, to)| (to.map_or(usize::MAX, |index| rank[index]), reply, to));
            ranked.min_by_key(|&(rank, ..)| rank)
        };
        loop {
            let checks = self.checks[at].iter();
            let best = checks.filter_map(|check| Some((check.m, soonest(check)?)));
            let Some((m, (_, reply, to))) = best.max_by_key(|(_, (rank, ..))| *rank) else { break };
            line.extend([m, reply]);
            // Each reply leads to a position that was removed earlier, so the loop ends.
            match to.filter(|&to| rank[to] < rank[at]) {
                Some(to) => at = to,
                None => break,
            }
        }
        line
    }
}
