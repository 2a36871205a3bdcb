//! One search for Hub: it is reported while it runs, and ends in the `done` line.

use super::param::Settings;
use super::reply::{Done, Failure, Thought};
use crate::draughts::Move;
use crate::protocol::wire::Wire;
use crate::search::draughts::{DraughtsEngine, Root};
use crate::search::limits::Limits;
use crate::search::report::{Info, Report};
use crate::search::stop::StopHandle;
use std::sync::atomic::{AtomicU64, Ordering};

/// One `go`.
#[derive(Debug)]
pub struct Search {
    /// Where to start.
    pub root: Root,
    /// When to end.
    pub limits: Limits<Move>,
    /// Who may end it earlier.
    pub control: StopHandle,
    /// The parameters at the time of `go`.
    pub settings: Settings,
}

/// Searches, reports, and returns the answer.
pub fn think(engine: &mut DraughtsEngine, wire: &Wire, search: &Search) -> Done {
    let Search { root, limits, control, settings } = search;
    engine.options.move_overhead = settings.move_overhead;
    let shown_nodes = AtomicU64::new(0);
    let outcome = engine.search(root, limits, control, &|report| {
        if let Report::Info(info) = report {
            shown_nodes.store(info.nodes, Ordering::Relaxed);
            wire.send(Thought(&info));
        }
    });
    // A depth may be reached early; the answer has to wait all the same.
    if limits.infinite || limits.ponder {
        control.wait(!limits.infinite);
    }
    if outcome.best.is_none() {
        wire.send(Failure(format_args!("{} has no move: the game is over", root.position.side())));
    } else if shown_nodes.load(Ordering::Relaxed) != outcome.nodes
        && let Some(info) = outcome.info
    {
        // The final statistics belong directly before the answer.
        let (nodes, elapsed) = (outcome.nodes, outcome.elapsed);
        wire.send(Thought(&Info { nodes, elapsed, ..info }));
    }
    Done { best: outcome.best, ponder: outcome.ponder }
}
