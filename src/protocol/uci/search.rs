//! One search for UCI: it is reported while it runs, and ends in the `bestmove` line.

use super::option::Settings;
use super::reply::{BestMove, CurrentMove, NoMoves, Notation, Thought};
use super::strength::Strength;
use crate::chess::Move;
use crate::protocol::wire::Wire;
use crate::search::chess::{ChessEngine, Root};
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
    /// The options at the time of `go`.
    pub settings: Settings,
    /// Who plays, if not the engine as well as it can.
    pub strength: Option<Strength>,
}

/// Searches, reports, and returns the answer.
pub fn think(engine: &mut ChessEngine, wire: &Wire, search: &Search) -> BestMove {
    let Search { root, limits, control, settings, strength } = search;
    let position = &root.position;
    let notation = Notation { chess960: settings.chess960 };
    let show = |info: &Info<Move>| {
        wire.send(Thought { info, root: position, notation, show_wdl: settings.show_wdl });
    };
    engine.options.move_overhead = settings.move_overhead;
    engine.options.multipv = match strength {
        Some(_) => settings.multipv.max(Strength::CANDIDATES),
        None => settings.multipv,
    };
    let shown_nodes = AtomicU64::new(0);
    let outcome = engine.search(root, limits, control, &|report| match report {
        // What the engine finds is not what a weak player sees.
        _ if strength.is_some() => {}
        Report::Info(info) => {
            shown_nodes.store(info.nodes, Ordering::Relaxed);
            show(&info);
        }
        Report::CurrentMove { depth, m, number } => {
            wire.send(CurrentMove { depth, m: notation.write(position, m), number });
        }
    });
    // A depth, a mate or the last ply may be reached early; the answer has to wait all the same.
    if limits.infinite || limits.ponder {
        control.wait(!limits.infinite);
    }
    let mut best = outcome.best;
    let mut ponder = outcome.ponder;
    let mut lines = outcome.lines;
    if let Some(strength) = strength
        && !lines.is_empty()
    {
        let chosen = strength.choose(position.key(), &lines);
        lines.swap(0, chosen);
        lines.truncate(settings.multipv);
        best = lines[0].pv.first().copied();
        ponder = lines[0].pv.get(1).copied();
    }
    if best.is_none() {
        wire.send(NoMoves { in_check: position.in_check() });
    } else if shown_nodes.load(Ordering::Relaxed) != outcome.nodes {
        // The final statistics belong directly before the answer.
        for (rank, line) in lines.into_iter().enumerate() {
            let (nodes, elapsed) = (outcome.nodes, outcome.elapsed);
            show(&Info { multipv: rank + 1, nodes, elapsed, ..line });
        }
    }
    let write = |m| notation.write(position, m);
    BestMove { best: best.map(write), ponder: ponder.map(write) }
}
