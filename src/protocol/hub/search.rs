//! A Hub search: reports progress while it runs and ends with the `done` line.

use super::info::Info;
use super::param::HubParams;
use super::reply::{Done, Reply};
use crate::draughts::Move;
use crate::protocol::session;
use crate::protocol::strength::Strength;
use crate::protocol::wire::Wire;
use crate::search::draughts::{DraughtsEngine, DraughtsSearcher};
use crate::search::report::{self, Report};

pub(crate) struct Search {
    pub search: session::Search<DraughtsSearcher>,
    pub settings: HubParams,
    /// The limited playing strength; `None` for full strength.
    pub strength: Option<Strength>,
}

pub(crate) fn think(engine: &mut DraughtsEngine, wire: &Wire, search: &Search) -> Done<'static> {
    let Search { search, settings, strength } = search;
    let position = &search.root.position;
    engine.options.move_overhead = settings.engine.move_overhead;
    engine.options.multipv = Strength::lines(*strength, position.key(), settings.multi_pv);
    let show = |info: &report::Info<Move>| {
        let rank = u32::try_from(info.multipv).ok().filter(|_| settings.multi_pv > 1);
        search.send_report(wire, info.elapsed, Info { multi_pv: rank, ..Info::from(info) });
    };
    let on_report = |report: Report<_>| {
        // Reports of the move being searched are dropped, because Hub has no field for it.
        if let Report::Info(info) = report {
            show(&info);
        }
    };
    // At limited strength, progress is not reported, because it would show full-strength play.
    let (outcome, differs) =
        search.run(engine, if strength.is_none() { Some(&on_report) } else { None });
    let (mut best, mut ponder, mut lines) = (outcome.best, outcome.ponder, outcome.lines);
    if let Some(strength) = strength
        && !lines.is_empty()
    {
        (best, ponder) = strength.play(position.key(), &mut lines, settings.multi_pv);
    }
    if best.is_none() {
        let side = position.side();
        wire.send(Reply::error(&format_args!("{side} has no legal move: the game is over")));
    } else if differs {
        // Report the final statistics before the answer.
        let (nodes, elapsed) = (outcome.nodes, outcome.elapsed);
        for (rank, line) in lines.into_iter().enumerate() {
            show(&report::Info { multipv: rank + 1, nodes, elapsed, ..line });
        }
    }
    let write = |m: Move| m.to_string().into();
    Done { best: best.map_or(Done::NONE.into(), write), ponder: ponder.map(write) }
}
