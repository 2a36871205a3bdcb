//! One search for Hub: it is reported while it runs, and ends in the `done` line.

use super::info::Info;
use super::param::Settings;
use super::reply::{Done, Reply};
use crate::draughts::Move;
use crate::protocol::session;
use crate::protocol::wire::Wire;
use crate::search::draughts::{DraughtsEngine, DraughtsSearcher};
use crate::search::report::{self, Report};

/// One `go`.
pub struct Search {
    /// What is searched.
    pub search: session::Search<DraughtsSearcher>,
    /// The parameters at the time of `go`.
    pub settings: Settings,
}

/// Searches, reports, and returns the answer.
pub fn think(engine: &mut DraughtsEngine, wire: &Wire, search: &Search) -> Done<'static> {
    let Search { search, settings } = search;
    engine.options.move_overhead = settings.engine.move_overhead;
    let tell = |report: Report<_>| {
        // Hub has no word for the move that is being searched.
        if let Report::Info(info) = report {
            search.tell(wire, info.elapsed, Info::from(&info));
        }
    };
    let (outcome, differs) = search.run(engine, Some(&tell));
    if outcome.best.is_none() {
        let side = search.root.position.side();
        wire.send(Reply::error(&format_args!("{side} has no move: the game is over")));
    } else if differs && let Some(info) = outcome.info {
        // The final statistics belong directly before the answer.
        let (nodes, elapsed) = (outcome.nodes, outcome.elapsed);
        search.tell(wire, elapsed, Info::from(&report::Info { nodes, elapsed, ..info }));
    }
    let write = |m: Move| m.to_string().into();
    Done { best: outcome.best.map_or(Done::NONE.into(), write), ponder: outcome.ponder.map(write) }
}
