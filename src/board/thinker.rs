//! Adoube's engine at one board: a thread that runs searches one after another and reports to the
//! session.
//!
//! A search is stopped when its board is closed.

use super::game::BoardGame;
use super::message::{EngineLine, LineMove, Lines};
use super::outlet::{EngineFailure, EngineReport, Outlet, SearchId, send_job};
use crate::base::panics::OnPanic;
use crate::base::side::Side;
use crate::chess::notation::Notation;
use crate::protocol::strength::Strength;
use crate::search::driver::{Engine, Options, Root, STACK};
use crate::search::limits::Limits;
use crate::search::report::{Info, Report, SearchResult};
use crate::search::score::Score;
use crate::search::stop::StopHandle;
use crate::tools::analyse::points;
use std::io;
use std::sync::{Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};

/// Default size of a board's transposition table, in MiB.
pub(super) const HASH_MB: usize = 32;
/// Minimum time between two reports of shallow iterations.
const REPORT_INTERVAL: Duration = Duration::from_millis(60);
const SLOW_DEPTH: u32 = 8;
const MAX_LINE_MOVES: usize = 30;

/// The purpose of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Aim {
    /// Find a move at this strength, or at full strength if it is `None`. The move is reported no
    /// earlier than at the given time.
    Move { strength: Option<Strength>, not_before: Option<Instant> },
    /// Report the best `lines` lines until stopped. `at` is the number of game moves before the
    /// position.
    Lines { lines: usize, at: usize },
    /// Report the mover's expected points after each move in [`Limits::searchmoves`].
    Compare,
}

struct Job<G: BoardGame> {
    search: SearchId,
    position: G,
    earlier: Vec<u64>,
    limits: Limits<G::Move>,
    aim: Aim,
    notation: Notation,
    control: StopHandle,
    hash_mb: usize,
    threads: usize,
}

pub(super) struct Thinker<G: BoardGame> {
    outlet: Outlet,
    jobs: Option<mpsc::Sender<Job<G>>>,
    current: Option<(SearchId, StopHandle)>,
    /// Size of the transposition table of the next search, in MiB.
    pub hash_mb: usize,
    /// Number of threads of the next search.
    pub threads: usize,
}

impl<G: BoardGame> Thinker<G> {
    /// Creates an engine. Its thread starts with the first search.
    pub(super) const fn new(outlet: Outlet) -> Self {
        Self { outlet, jobs: None, current: None, hash_mb: HASH_MB, threads: 1 }
    }

    pub(super) const fn is_busy(&self) -> bool {
        self.current.is_some()
    }

    pub(super) fn current(&self) -> Option<SearchId> {
        self.current.as_ref().map(|(search, _)| *search)
    }

    pub(super) fn is_current(&self, search: SearchId) -> bool {
        self.current.as_ref().is_some_and(|(current, _)| *current == search)
    }

    /// Marks a search as finished if it is the current search. Returns whether it was.
    pub(super) fn finish(&mut self, search: SearchId) -> bool {
        self.current.take_if(|(current, _)| *current == search).is_some()
    }

    pub(super) fn stop(&mut self) {
        if let Some((_, control)) = self.current.take() {
            control.stop();
        }
    }

    /// Starts a search. `earlier` holds the keys of the positions before `position`.
    pub(super) fn start(
        &mut self,
        position: G,
        earlier: Vec<u64>,
        limits: Limits<G::Move>,
        aim: Aim,
        notation: Notation,
    ) {
        self.stop();
        let (search, control) = (self.outlet.next_search(), StopHandle::new());
        self.current = Some((search, control.clone()));
        let (hash_mb, threads) = (self.hash_mb, self.threads);
        let job =
            Job { search, position, earlier, limits, aim, notation, control, hash_mb, threads };
        let outlet = &self.outlet;
        if let Err(error) = send_job(&mut self.jobs, job, || spawn(outlet.clone())) {
            outlet.send(search, EngineReport::Failed(error.into()));
        }
    }
}

impl<G: BoardGame> Drop for Thinker<G> {
    fn drop(&mut self) {
        self.stop();
    }
}

fn spawn<G: BoardGame>(outlet: Outlet) -> io::Result<mpsc::Sender<Job<G>>> {
    let (sender, jobs) = mpsc::channel::<Job<G>>();
    let run = move || {
        // The engine is allocated only once a slot is free, so that a search stopped while waiting
        // uses no memory.
        let mut engine = None;
        for job in jobs {
            let Some(slot) = outlet.wait_for_slot(|| job.control.is_stopped()) else { continue };
            let fail = |failure| _ = outlet.send(job.search, EngineReport::Failed(failure));
            let _guard = OnPanic(|| fail(EngineFailure::Ended));
            let (hash_mb, threads) = (job.hash_mb, job.threads);
            let fits = |engine: &Engine<G::Searcher>| {
                (engine.options.hash_mb, engine.options.threads) == (hash_mb, threads)
            };
            if !engine.as_ref().is_some_and(fits) {
                // Free the old table before the new one is allocated.
                engine = None;
            }
            let engine = match &mut engine {
                Some(engine) => engine,
                none => {
                    let options = Options { hash_mb, threads, ..Options::default() };
                    match Engine::<G::Searcher>::new(options) {
                        Ok(new) => none.insert(new),
                        Err(error) => {
                            fail(error.into());
                            continue;
                        }
                    }
                }
            };
            let report = think(engine, &job, &outlet);
            drop(slot);
            if let Aim::Move { not_before: Some(time), .. } = job.aim {
                job.control.wait_until(time);
            }
            report.into_iter().for_each(|report| _ = outlet.send(job.search, report));
        }
    };
    std::thread::Builder::new().name("board-engine".to_owned()).stack_size(STACK).spawn(run)?;
    Ok(sender)
}

/// Runs a search. Returns the final report, if the aim has one.
fn think<G: BoardGame>(
    engine: &mut Engine<G::Searcher>,
    job: &Job<G>,
    outlet: &Outlet,
) -> Option<EngineReport> {
    let Job { search, position, earlier, limits, aim, notation, control, .. } = job;
    let root = Root { history: earlier.to_vec(), ..Root::new(position.clone()) };
    match *aim {
        Aim::Move { strength, .. } => {
            let mut limits = limits.clone();
            strength.iter().for_each(|strength| strength.limit(&mut limits));
            engine.options.multipv = Strength::lines(strength, position.key(), 1);
            let found = engine.search_here(&root, &limits, control, None);
            let SearchResult { best, lines, .. } = found;
            let chosen = strength.map_or(0, |strength| strength.choose(position.key(), &lines));
            let line = lines.get(chosen);
            let m = line.and_then(|line| line.pv.first().copied()).or(best)?;
            let score = line.map(|line| line.score.centipawns());
            Some(EngineReport::Move { text: m.to_string(), score })
        }
        Aim::Lines { lines, at } => {
            engine.options.multipv = lines;
            let lines = Mutex::new(LineReports::default());
            let listener = |report| {
                let Report::Info(info) = report else { return };
                let mut lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
                let line = engine_line(position, *notation, info.score, &info.pv);
                let is_last_rank = lines.store(info.multipv - 1, line);
                // The lowest-ranked line completes an iteration.
                if is_last_rank {
                    let (depth, nodes) = (info.depth, info.nodes);
                    let reached = Reached { at, depth, nodes, time: info.elapsed };
                    lines.report(*search, reached, outlet);
                }
            };
            engine.search_here(&root, limits, control, Some(&listener));
            None
        }
        Aim::Compare => {
            engine.options.multipv = limits.searchmoves.len();
            let found = engine.search_here(&root, limits, control, None);
            let points = |info: &Info<G::Move>| {
                let m = info.pv.first()?;
                Some((m.to_string(), points::expected_points(info.score, G::E_TIMES)))
            };
            let points = found.lines.iter().filter_map(points).collect();
            Some(EngineReport::Compared { points })
        }
    }
}

/// Converts an engine's line to the page's form. `score` is from the point of view of the side to
/// move.
pub(super) fn engine_line<G: BoardGame>(
    start: &G,
    notation: Notation,
    score: Score,
    pv: &[G::Move],
) -> EngineLine {
    let white = if start.side() == Side::White { 1 } else { -1 };
    let mut position = start.clone();
    let mut moves = Vec::new();
    for &m in pv.iter().take(MAX_LINE_MOVES) {
        let (text, notated) = (m.to_string(), position.notated(m, notation));
        position = position.after(m);
        moves.push(LineMove { text, notated, squares: position.squares() });
    }
    let routes = pv.first().map(|&m| start.routes(m));
    EngineLine {
        score: white * score.centipawns(),
        white: (1000.0 * score.white_points(start)).round() / 1000.0,
        mate: score.mate_in().map(|mate| white * mate),
        moves,
        route: routes.and_then(|routes| routes.into_iter().next()).unwrap_or_default(),
    }
}

/// The progress of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Reached {
    /// The number of game moves before the position.
    pub at: usize,
    pub depth: u32,
    pub nodes: u64,
    pub time: Duration,
}

/// The lines of a running search, best first.
#[derive(Default)]
pub(super) struct LineReports {
    lines: Vec<EngineLine>,
    reported: Option<Instant>,
}

impl LineReports {
    /// Stores a line at its rank, counted from 0. Returns whether it is the lowest-ranked line so
    /// far.
    pub(super) fn store(&mut self, rank: usize, line: EngineLine) -> bool {
        match self.lines.get_mut(rank) {
            Some(old) => *old = line,
            None => self.lines.push(line),
        }
        rank + 1 == self.lines.len()
    }

    /// Returns whether the last report is recent.
    pub(super) fn is_recent(&self) -> bool {
        self.reported.is_some_and(|last| last.elapsed() < REPORT_INTERVAL)
    }

    /// Reports all lines, unless the iteration is shallow and the last report is recent.
    fn report(&mut self, search: SearchId, reached: Reached, outlet: &Outlet) {
        if !self.is_recent() || reached.depth >= SLOW_DEPTH {
            self.report_now(search, reached, outlet);
        }
    }

    pub(super) fn report_now(&mut self, search: SearchId, reached: Reached, outlet: &Outlet) {
        self.reported = Some(Instant::now());
        let Reached { at, depth, nodes, time } = reached;
        let (time, lines) = (time.as_millis() as u64, self.lines.clone());
        outlet.send(search, EngineReport::Lines(Lines { panel: 0, at, depth, nodes, time, lines }));
    }
}
