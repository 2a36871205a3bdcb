//! Iterative deepening with aspiration windows.

use super::info::line_info;
use super::root_move::RootMove;
use super::searcher::{Root, Searcher};
use super::worker::{QUIET_TIME, Worker};
use crate::search::clock::Confidence;
use crate::search::depth::Depth;
use crate::search::limits::Limits;
use crate::search::report::Report;
use crate::search::score::Score;
use crate::search::stop::StopHandle;
use crate::search::window::Window;
use std::sync::atomic::Ordering;

/// Delays the result until the interface allows it: after `stop` in an infinite search, or after
/// `stop` or `ponderhit` in a ponder search.
pub(super) fn wait_for_interface<M>(limits: &Limits<M>, handle: &StopHandle) {
    if limits.infinite || limits.ponder {
        handle.wait(limits.ponder && !limits.infinite);
    }
}

pub(super) fn deepen<S: Searcher>(
    searcher: &mut S,
    root: &Root<S>,
    worker: &mut Worker<'_, S::Move>,
    multipv: usize,
) {
    searcher.begin(root);
    let shared = worker.shared;
    let leads = worker.index == 0;
    let deepest = shared.limits.deepest();
    let mut best = worker.root_moves[0].m;
    let mut stable_iterations = 0;
    let mut average = None;

    for depth in (Depth::ONE.0..=deepest.0).map(Depth) {
        worker.root_depth = depth;
        for root_move in &mut worker.root_moves {
            root_move.previous = root_move.score;
        }
        for rank in 0..multipv {
            worker.first = rank;
            worker.seldepth = 0;
            aspire(searcher, root, worker, depth, multipv);
            if worker.stopped {
                break;
            }
            // Sort the lines again, because a later line can score higher than an earlier line.
            worker.root_moves[..=rank].sort_by_key(RootMove::order);
        }
        if worker.stopped {
            break;
        }
        worker.completed_depth = depth;
        worker.publish();
        if !leads {
            continue;
        }
        if let Some(report) = shared.listener {
            for rank in 0..multipv {
                report(Report::Info(line_info::<S>(root, worker, rank)));
            }
        }

        worker.first = 0;
        let is_only_move = worker.candidates().len() == 1;
        let front = &worker.root_moves[0];
        stable_iterations = if front.m == best { stable_iterations + 1 } else { 0 };
        best = front.m;
        let score = front.score;
        let reference = *average.get_or_insert(score.0);
        let confidence = Confidence {
            stable_iterations,
            best_move_share: front.nodes as f64 / worker.nodes().max(1) as f64,
            score_drop: reference - score.0,
            only_move: is_only_move && depth >= Depth(8),
        };
        average = Some((reference * 2 + score.0) / 3);
        let mate = shared.limits.mate.is_some_and(|wanted| {
            score.mate_in().is_some_and(|found| found > 0 && found as u32 <= wanted)
        });
        let enough_nodes = shared.limits.soft_nodes.is_some_and(|n| shared.total_nodes() >= n);
        if mate || enough_nodes || shared.time.should_stop_deepening(shared.handle, confidence) {
            break;
        }
    }
    if leads {
        wait_for_interface(shared.limits, shared.handle);
        shared.stop.store(true, Ordering::Relaxed);
    }
}

/// Runs one iteration for the line at [`Worker::first`]. From depth 5 on, the first window is
/// narrow and contains the previous score, unless that score is a mate. While the score is outside
/// the window, repeats the search with a wider window.
fn aspire<S: Searcher>(
    searcher: &mut S,
    root: &Root<S>,
    worker: &mut Worker<'_, S::Move>,
    depth: Depth,
    multipv: usize,
) {
    let previous = worker.root_moves[worker.first].previous;
    let mut delta = searcher.aspiration() + previous.0.abs().min(2000) / 60;
    let mut window = Window::OPEN;
    if depth >= Depth(5) && !previous.is_mate() {
        window.alpha = (previous - delta).max(-Score::INFINITE);
        window.beta = (previous + delta).min(Score::INFINITE);
    }
    let mut failed_high = 0;
    loop {
        let reduced = (depth - failed_high).max(Depth::ONE);
        let score = searcher.search_root(root, worker, reduced, window);
        // The sort is stable: moves that did not raise alpha keep their order.
        let first = worker.first;
        worker.root_moves[first..].sort_by_key(RootMove::order);
        if worker.stopped {
            return;
        }
        if score <= window.alpha {
            window.beta = Score((window.alpha.0 + window.beta.0) / 2);
            window.alpha = (score - delta).max(-Score::INFINITE);
            failed_high = 0;
        } else if score >= window.beta {
            window.beta = (score + delta).min(Score::INFINITE);
            failed_high = (failed_high + 1).min(3);
        } else {
            return;
        }
        if let Some(report) = worker.shared.listener
            && worker.index == 0
            && multipv == 1
            && worker.shared.time.elapsed() >= QUIET_TIME
        {
            report(Report::Info(line_info::<S>(root, worker, first)));
        }
        delta += delta / 2;
        if delta > 600 {
            window = Window::OPEN;
        }
    }
}
