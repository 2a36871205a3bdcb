//! Analysis by another engine.

use super::{Analysed, FoundLine, LineSearch, PositionInGame};
use crate::arena::engine::analysis::{Analysis, AnalysisSettings, ReportedLine};
use crate::arena::engine::answer::ReportedScore;
use crate::arena::engine::entrant::Entrant;
use crate::arena::engine::failure::Failure;
use crate::arena::engine::link::Patience;
use crate::arena::engine::process::Interrupt;
use crate::arena::game::contest::Variant;
use crate::base::game::{Game, MoveForm};
use crate::search::depth::Ply;
use crate::search::limits::Limits;
use crate::search::score::Score;
use crate::search::stop::StopHandle;
use crate::tools::peer_limits::PeerLimits;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

/// The maximum number of forced moves to make before an engine must report a score. Some engines
/// play a forced move without a search.
const MAX_FORCED: usize = 16;

/// Analysis by an engine process. If a search fails and the process has already completed a search,
/// the process is replaced and the search is repeated once.
pub(super) struct PeerSearch<G: Analysed> {
    entrant: Arc<Entrant>,
    running: Option<Running<G>>,
    /// True if the user has been warned that the engine reports too few lines.
    is_warned: bool,
}

struct Running<G: Analysed> {
    variant: Variant,
    lines: usize,
    analysis: Analysis<G>,
    /// True if the next search is the first search of a game.
    is_new_game: bool,
    /// True after the first completed search.
    has_worked: bool,
}

impl<G: Analysed> PeerSearch<G> {
    /// Starts an engine.
    pub(super) fn start(entrant: &Arc<Entrant>, lines: usize) -> Result<Self, Failure> {
        let mut search = Self { entrant: Arc::clone(entrant), running: None, is_warned: false };
        search.running(Variant::Standard, lines)?;
        Ok(search)
    }

    /// Returns the running engine. Starts the engine if it is not running, and restarts it if the
    /// variant or the number of lines has changed.
    fn running(&mut self, variant: Variant, lines: usize) -> Result<&mut Running<G>, Failure> {
        let Self { entrant, running, .. } = self;
        let running = match running.take() {
            Some(running) if (running.variant, running.lines) == (variant, lines) => running,
            // The old process ends before the new process starts.
            old => {
                drop(old);
                let settings = AnalysisSettings { threads: None, hash_mb: None, lines };
                let (patience, interrupt) = (Patience::default(), Interrupt::default());
                let analysis = Analysis::start(entrant, variant, settings, patience, &interrupt)?;
                Running { variant, lines, analysis, is_new_game: true, has_worked: false }
            }
        };
        Ok(self.running.insert(running))
    }

    /// Searches a position. Returns the lines for which the engine reported a score.
    fn lines(
        &mut self,
        start: &G,
        moves: &[G::Move],
        position: &G,
        query: &Query<'_>,
    ) -> Result<Vec<FoundLine<G::Move>>, Failure> {
        let running = self.running(start.variant_of(), query.count)?;
        let Running { analysis, is_new_game, has_worked, .. } = running;
        if std::mem::take(is_new_game) {
            analysis.new_game(start)?;
        }
        // Exact scores replace bounds, but a bound is better than no score.
        let mut ranks: BTreeMap<usize, (bool, FoundLine<G::Move>)> = BTreeMap::new();
        let on_line = |line: ReportedLine| {
            let moves = legal_moves(position, &line.moves);
            let Some(score) = line.score.filter(|_| !moves.is_empty()) else { return };
            let (depth, nodes) = (line.depth.unwrap_or(0), line.nodes.unwrap_or(0));
            let found = FoundLine { score: to_score(score), depth, nodes, moves };
            let is_exact = ranks.get(&line.rank).is_some_and(|(is_bound, _)| !is_bound);
            if line.rank < query.count && !(line.is_bound && is_exact) {
                ranks.insert(line.rank, (line.is_bound, found));
            }
        };
        let began = Instant::now();
        let PeerLimits { control, allowed } = query.limits;
        let is_wanted = || !query.stop.is_stopped() && began.elapsed() < *allowed;
        analysis.search(start, moves, control, is_wanted, on_line)?;
        *has_worked = true;
        // A search that stops within an iteration may have reported a move at two ranks.
        let mut lines: Vec<FoundLine<G::Move>> = Vec::new();
        for (_, line) in ranks.into_values() {
            if lines.iter().all(|other| other.moves.first() != line.moves.first()) {
                lines.push(line);
            }
        }
        Ok(lines)
    }

    /// Searches like [`Self::lines`]. If the engine reports no score in a position with a single
    /// legal move, searches after this move.
    fn scored_lines(
        &mut self,
        start: &G,
        moves: &[G::Move],
        position: &G,
        query: &Query<'_>,
        forced: usize,
    ) -> Result<Vec<FoundLine<G::Move>>, Failure> {
        let legal = position.moves();
        if legal.is_empty() {
            return Ok(Vec::new());
        }
        let lines = self.lines(start, moves, position, query)?;
        if !lines.is_empty() || query.stop.is_stopped() {
            self.warn_of_few_lines(lines.len(), query.count.min(legal.len()));
            return Ok(lines);
        }
        let [only] = legal[..] else { return Err(no_score(position)) };
        if forced == MAX_FORCED {
            return Err(no_score(position));
        }
        let (next, moves) = (position.after(only), [moves, &[only]].concat());
        let replies = self.scored_lines(start, &moves, &next, query, forced + 1)?;
        let reply = replies.into_iter().next().unwrap_or_else(|| FoundLine {
            score: next.score_at_end(),
            depth: 0,
            nodes: 0,
            moves: Vec::new(),
        });
        let moves = [&[only], &reply.moves[..]].concat();
        // The distance to a mate is one ply longer from here.
        let score = (-reply.score).from_table(Ply(1));
        Ok(vec![FoundLine { score, moves, depth: reply.depth + 1, ..reply }])
    }

    fn warn_of_few_lines(&mut self, found: usize, expected: usize) {
        if (1..expected).contains(&found) && !self.is_warned {
            self.is_warned = true;
            tracing::warn!(
                "{} reported {found} of {expected} lines: it has no option for the number of lines \
                 (MultiPV, or multi-pv in Hub), or needs more nodes or time",
                self.entrant.name
            );
        }
    }
}

/// The parameters of a search.
struct Query<'a> {
    count: usize,
    limits: &'a PeerLimits,
    stop: &'a StopHandle,
}

fn no_score<G: Analysed>(position: &G) -> Failure {
    Failure::ProtocolViolation(format!(
        "did not report a line with a score for {}",
        position.to_fen()
    ))
}

impl<G: Analysed> LineSearch<G> for PeerSearch<G> {
    fn clear(&mut self) {
        if let Some(running) = &mut self.running {
            running.is_new_game = true;
        }
    }

    fn search(
        &mut self,
        from: &PositionInGame<'_, G>,
        count: usize,
        limits: &Limits<G::Move>,
        stop: &StopHandle,
    ) -> Result<Vec<FoundLine<G::Move>>, Failure> {
        let (start, position) = (from.earlier.first().unwrap_or(from.position), from.position);
        let limits = &PeerLimits::new(limits);
        let query = Query { count, limits, stop };
        let has_worked = self.running.as_ref().is_some_and(|running| running.has_worked);
        let found = self.scored_lines(start, from.moves, position, &query, 0);
        let found = match found {
            Err(failure) if has_worked => {
                tracing::warn!("{} {failure}; it is started again", self.entrant.name);
                self.running = None;
                self.scored_lines(start, from.moves, position, &query, 0)
            }
            found => found,
        };
        found.inspect_err(|_| self.running = None)
    }
}

/// Parses the moves of a line, up to the first illegal move.
pub(crate) fn legal_moves<G: Game>(start: &G, texts: &[String]) -> Vec<G::Move> {
    let mut position = start.clone();
    let read = |text: &String| {
        let m = position.read_move(text, MoveForm::Program).ok()?;
        position = position.after(m);
        Some(m)
    };
    texts.iter().map_while(read).collect()
}

/// Converts a score reported by an engine.
pub(crate) fn to_score(score: ReportedScore) -> Score {
    let plies = |moves: i32| 2 * moves.unsigned_abs().min(100) as usize;
    match score {
        ReportedScore::Mate(moves) if moves > 0 => Score::win_in(Ply(plies(moves) - 1)),
        ReportedScore::Mate(moves) => Score::loss_in(Ply(plies(moves))),
        ReportedScore::Centipawns(_) => Score::evaluation(score.centipawns()),
    }
}
