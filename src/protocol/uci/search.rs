//! A UCI search: reports progress while it runs and ends with the `bestmove` line.

use super::info::Info;
use super::option::UciOptions;
use super::reply::{BestMove, Notation};
use crate::chess::{Move, Position};
use crate::eval::Evaluate;
use crate::eval::chess::Evaluator;
use crate::eval::chess::network::Network;
use crate::protocol::session;
use crate::protocol::strength::Strength;
use crate::protocol::wire::Wire;
use crate::search::chess::{ChessEngine, ChessSearcher};
use crate::search::driver::Searcher;
use crate::search::report::{self, Bound, Report};
use crate::search::score::Score;
use std::sync::Arc;
use std::time::Duration;

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
        search.send_report(wire, info.elapsed, notation.info(position, info, settings.show_wdl));
    };
    engine.options.move_overhead = settings.engine.move_overhead;
    engine.options.multipv = Strength::lines(*strength, position.key(), settings.multipv);
    let on_report = |report: Report<_>| match report {
        Report::Info(info) => show(&info),
        Report::CurrentMove { depth, m, number } => wire.send(Info {
            depth: u32::try_from(depth.0).ok(),
            currmove: Some(notation.write(position, m).into()),
            currmovenumber: u32::try_from(number).ok(),
            ..Info::default()
        }),
    };
    // At limited strength, progress is not reported, because it would show full-strength play.
    let (outcome, differs) =
        search.run(engine, if strength.is_none() { Some(&on_report) } else { None });
    let mut best = outcome.best;
    let mut ponder = outcome.ponder;
    let mut lines = outcome.lines;
    if let Some(strength) = strength
        && !lines.is_empty()
    {
        (best, ponder) = strength.play(position.key(), &mut lines, settings.multipv);
    }
    let Some(best) = best else {
        wire.send(Info::game_over(position.in_check()));
        return BestMove { best: BestMove::NONE.into(), ponder: None };
    };
    if lines.is_empty() {
        // The search was stopped before its first score.
        let network = Arc::clone(&search.root.resources.network);
        let nodes = outcome.nodes;
        wire.send_with_next(unsearched(position, best, network, settings, nodes, outcome.elapsed));
    } else if differs {
        // Report the final statistics before the answer.
        for (rank, line) in lines.into_iter().enumerate() {
            let (nodes, elapsed) = (outcome.nodes, outcome.elapsed);
            show(&report::Info { multipv: rank + 1, nodes, elapsed, ..line });
        }
    }
    let write = |m| notation.write(position, m).into();
    BestMove { best: write(best), ponder: ponder.map(write) }
}

/// Returns the answer for a move that needs no search. First sends an info with the static
/// evaluation, because interfaces expect an info before every answer.
pub(crate) fn answer_without_search(
    wire: &Wire,
    position: &Position,
    m: Move,
    network: Arc<Network>,
    settings: &UciOptions,
) -> BestMove<'static> {
    wire.send_with_next(unsearched(position, m, network, settings, 0, Duration::ZERO));
    let notation = Notation { chess960: settings.chess960 };
    BestMove { best: notation.write(position, m).into(), ponder: None }
}

/// Returns an info with the static evaluation, for a move that no search has scored.
fn unsearched(
    position: &Position,
    m: Move,
    network: Arc<Network>,
    settings: &UciOptions,
    nodes: u64,
    elapsed: Duration,
) -> Info<'static> {
    let internal_score = Score::evaluation(Evaluator::of(network).value(position));
    let info = report::Info {
        depth: 0,
        seldepth: 0,
        mean_depth: None,
        multipv: 1,
        score: ChessSearcher::display_score(internal_score),
        internal_score,
        bound: Bound::Exact,
        nodes,
        elapsed,
        hashfull: 0,
        tbhits: 0,
        pv: vec![m],
    };
    Notation { chess960: settings.chess960 }.info(position, &info, settings.show_wdl)
}
