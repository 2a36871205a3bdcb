//! The choice among the best moves of several threads.

use super::worker::Worker;
use crate::search::score::Score;

/// Returns the index of the thread that supplies the move to play. Each thread votes for its own
/// move, with a weight that grows with depth and score. If one of two compared threads has found a
/// mate, the thread with the higher score wins instead.
pub(super) fn elect<M: Copy + Eq>(workers: &[Worker<'_, M>]) -> usize {
    let score = |w: &Worker<'_, M>| {
        let front = &w.root_moves[0];
        if front.score == -Score::INFINITE { front.previous } else { front.score }
    };
    let lowest = workers.iter().map(|w| score(w).0).min().unwrap_or(0);
    let vote = |w: &Worker<'_, M>| {
        let weight = |v: &Worker<'_, M>| {
            i64::from(score(v).0 - lowest + 14) * i64::from(v.completed_depth.0)
        };
        let m = w.root_moves[0].m;
        workers.iter().filter(|v| v.root_moves[0].m == m).map(weight).sum::<i64>()
    };
    let mut best = 0;
    for (i, worker) in workers.iter().enumerate().skip(1) {
        let (new, old) = (score(worker), score(&workers[best]));
        let better = if new.is_mate() || old.is_mate() {
            new > old
        } else {
            (vote(worker), worker.completed_depth)
                > (vote(&workers[best]), workers[best].completed_depth)
        };
        if better {
            best = i;
        }
    }
    best
}
