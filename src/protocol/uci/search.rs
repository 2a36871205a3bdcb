//! A UCI search: reports progress while it runs and ends with the `bestmove` line.

use super::info::Info;
use super::option::UciOptions;
use super::reply::{BestMove, Notation};
use crate::protocol::session;
use crate::protocol::strength::Strength;
use crate::protocol::wire::Wire;
use crate::search::chess::{ChessEngine, ChessSearcher};
use crate::search::report::{self, Report};

pub(crate) struct Search {
    pub search: session::Search<ChessSearcher>,
    pub settings: UciOptions,
    /// The limited playing strength; `None` for full strength.
    pub strength: Option<Strength>,
}

pub(crate) fn think(engine: &mut ChessEngine, wire: &Wire, search: &Search) -> BestMove<'static> {
    let Search { search, settings, strength } = search;
    let position = &search.root.position;
    let notation = Notation { chess960: settings.chess960 };
    let show = |info: &report::Info<_>| {
        search.tell(wire, info.elapsed, notation.info(position, info, settings.show_wdl));
    };
    engine.options.move_overhead = settings.engine.move_overhead;
    engine.options.multipv = settings.multipv.max(strength.map_or(1, Strength::candidates));
    let tell = |report: Report<_>| match report {
        Report::Info(info) => show(&info),
        Report::CurrentMove { depth, m, number } => wire.send(Info {
            depth: u32::try_from(depth.0).ok(),
            currmove: Some(notation.write(position, m).into()),
            currmovenumber: u32::try_from(number).ok(),
            ..Info::default()
        }),
    };
    // The full-strength lines are not reported for a limited player.
    let (outcome, differs) =
        search.run(engine, if strength.is_none() { Some(&tell) } else { None });
    let mut best = outcome.best;
    let mut ponder = outcome.ponder;
    let mut lines = outcome.lines;
    if let Some(strength) = strength
        && !lines.is_empty()
    {
        (best, ponder) = strength.play(position.key(), &mut lines, settings.multipv);
    }
    if best.is_none() {
        wire.send(Info::game_over(position.in_check()));
    } else if differs {
        // Report the final statistics before the answer.
        for (rank, line) in lines.into_iter().enumerate() {
            let (nodes, elapsed) = (outcome.nodes, outcome.elapsed);
            show(&report::Info { multipv: rank + 1, nodes, elapsed, ..line });
        }
    }
    let write = |m| notation.write(position, m).into();
    BestMove { best: best.map_or(BestMove::NONE.into(), write), ponder: ponder.map(write) }
}
