//! The engine panels of a study. A panel runs Adoube, or an engine that was named when the server
//! was started.
//!
//! A named engine is a process with a thread that talks to it. Only this thread waits for the
//! process. The session sends jobs to the thread and receives reports through the outlet.

use crate::arena::engine::analysis::{Analysis, AnalysisSettings, ReportedLine};
use crate::arena::engine::entrant::{Entrant, Protocol};
use crate::arena::engine::failure::Failure;
use crate::arena::engine::link::Patience;
use crate::arena::engine::process::Interrupt;
use crate::arena::game::contest::Variant;
use crate::base::panics::OnPanic;
use crate::board::desk::keys;
use crate::board::game::BoardGame;
use crate::board::message::study::EnginePanel;
use crate::board::outlet::{EngineFailure, EngineReport, Outlet, SearchId, send_job};
use crate::board::thinker::{Aim, HASH_MB, LineReports, Reached, Thinker, engine_line};
use crate::chess::notation::Notation;
use crate::laws::clock::TimeControl;
use crate::laws::language::{Bilingual, InFrench as _, Language};
use crate::search::limits::Limits;
use crate::search::stop::StopHandle;
use crate::tools::analyse::{legal_moves, to_score};
use std::cell::RefCell;
use std::io;
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

/// Timeouts of an engine that analyses.
const PATIENCE: Patience = Patience {
    start: Duration::from_secs(30),
    ready: Duration::from_secs(10),
    stop: Duration::from_secs(10),
};

/// Returns whether an engine can analyse. DXP has no analysis.
pub(in crate::board) const fn can_analyse(entrant: &Entrant) -> bool {
    !matches!(entrant.protocol, Some(Protocol::Dxp | Protocol::DxpClient))
}

/// A position to analyse, with the moves that led to it.
#[derive(Clone)]
pub(super) struct Query<G: BoardGame> {
    pub start: G,
    pub moves: Vec<G::Move>,
    pub position: G,
    /// The number of moves before the displayed position.
    pub at: usize,
    pub notation: Notation,
}

pub(super) struct Panel<G: BoardGame> {
    pub own: Thinker<G>,
    other: Option<Other<G>>,
    settings: AnalysisSettings,
    /// The time per position; `None` for no limit.
    pub limit: Option<Duration>,
    runs: bool,
    error: Option<Bilingual>,
}

impl<G: BoardGame> Panel<G> {
    pub(super) const fn new(outlet: Outlet) -> Self {
        let settings = AnalysisSettings { threads: None, hash_mb: None, lines: 1 };
        let own = Thinker::new(outlet);
        Self { own, other: None, settings, limit: None, runs: false, error: None }
    }

    /// Switches the panel on. If `entrant` is `None`, Adoube itself does the analysis.
    pub(super) fn switch_on(
        &mut self,
        settings: AnalysisSettings,
        entrant: Option<&Entrant>,
        variant: Variant,
        interrupt: &Interrupt,
        outlet: &Outlet,
    ) {
        self.halt();
        if self.other.as_ref().map(|other| &*other.entrant) != entrant {
            let other = |entrant: &Entrant| {
                Other::new(entrant.clone(), variant, interrupt.another(), outlet.clone())
            };
            self.other = entrant.map(other);
        }
        (self.settings, self.runs, self.error) = (settings, true, None);
        self.own.hash_mb = settings.hash_mb.unwrap_or(HASH_MB);
        self.own.threads = settings.threads.unwrap_or(1);
    }

    pub(super) fn switch_off(&mut self) {
        self.halt();
        (self.runs, self.error) = (false, None);
    }

    pub(super) const fn runs(&self) -> bool {
        self.runs
    }

    /// Ends the search, but leaves the panel on.
    fn halt(&mut self) {
        self.own.stop();
        if let Some(other) = &mut self.other {
            other.stop();
        }
    }

    /// Ends the search. If the panel is on and there is a query, searches the query's position.
    pub(super) fn think(&mut self, query: Option<&Query<G>>) {
        self.halt();
        let Some(query) = query.filter(|_| self.runs) else { return };
        let Query { start, moves, position, at, notation } = query;
        if let Some(other) = &mut self.other {
            return other.start(query.clone(), self.settings, self.limit);
        }
        let (infinite, movetime) = (self.limit.is_none(), self.limit);
        let limits = Limits { infinite, movetime, ..Limits::default() };
        let aim = Aim::Lines { lines: self.settings.lines, at: *at };
        self.own.start(position.clone(), keys(start, moves), limits, aim, *notation);
    }

    pub(super) fn is_busy(&self) -> bool {
        self.own.is_busy() || self.other.as_ref().is_some_and(|other| other.current.is_some())
    }

    pub(super) fn is_current(&self, search: SearchId) -> bool {
        let is_others = |other: &Other<G>| {
            other.current.as_ref().is_some_and(|(current, _)| *current == search)
        };
        self.own.is_current(search) || self.other.as_ref().is_some_and(is_others)
    }

    /// Handles the failure of a search: if it is the current search, switches the panel off.
    /// Returns whether it is the current search.
    pub(super) fn fail(&mut self, search: SearchId, failure: &EngineFailure) -> bool {
        let is_current = self.is_current(search);
        if is_current {
            self.switch_off();
            self.error = Some(Bilingual::of(failure));
        }
        is_current
    }

    pub(super) fn view(&self, language: Language) -> EnginePanel {
        let engine = self.other.as_ref().map_or("", |other| &other.entrant.name).to_owned();
        let error = self.error.as_ref().map(|error| error.in_language(language));
        EnginePanel { engine, runs: self.runs, error }
    }
}

struct Job<G: BoardGame> {
    search: SearchId,
    query: Query<G>,
    settings: AnalysisSettings,
    limit: Option<Duration>,
    control: StopHandle,
}

/// An engine other than Adoube. Dropping it ends its process.
struct Other<G: BoardGame> {
    entrant: Arc<Entrant>,
    variant: Variant,
    interrupt: Interrupt,
    outlet: Outlet,
    jobs: Option<mpsc::Sender<Job<G>>>,
    current: Option<(SearchId, StopHandle)>,
}

impl<G: BoardGame> Drop for Other<G> {
    fn drop(&mut self) {
        self.stop();
        self.interrupt.abort();
    }
}

impl<G: BoardGame> Other<G> {
    fn new(entrant: Entrant, variant: Variant, interrupt: Interrupt, outlet: Outlet) -> Self {
        let entrant = Arc::new(entrant);
        Self { entrant, variant, interrupt, outlet, jobs: None, current: None }
    }

    fn stop(&mut self) {
        if let Some((_, control)) = self.current.take() {
            control.stop();
        }
    }

    fn start(&mut self, query: Query<G>, settings: AnalysisSettings, limit: Option<Duration>) {
        self.stop();
        let (search, control) = (self.outlet.next_search(), StopHandle::new());
        self.current = Some((search, control.clone()));
        let job = Job { search, query, settings, limit, control };
        let mut jobs = self.jobs.take();
        if let Err(error) = send_job(&mut jobs, job, || self.spawn()) {
            self.outlet.send(search, EngineReport::Failed(error.into()));
        }
        self.jobs = jobs;
    }

    fn spawn(&self) -> io::Result<mpsc::Sender<Job<G>>> {
        let (sender, jobs) = mpsc::channel();
        let (entrant, variant) = (Arc::clone(&self.entrant), self.variant);
        let (interrupt, outlet) = (self.interrupt.clone(), self.outlet.clone());
        let run = move || serve(&entrant, variant, &interrupt, &jobs, &outlet);
        std::thread::Builder::new().name("board-analysis".to_owned()).spawn(run)?;
        Ok(sender)
    }
}

/// Analyses one position after another. An engine that fails is started again for the next job.
fn serve<G: BoardGame>(
    entrant: &Entrant,
    variant: Variant,
    interrupt: &Interrupt,
    jobs: &mpsc::Receiver<Job<G>>,
    outlet: &Outlet,
) {
    let mut engine = None;
    for job in jobs {
        let Some(_slot) = outlet.wait_for_slot(|| job.control.is_stopped()) else { continue };
        let fail = |search, failure| _ = outlet.send(search, EngineReport::Failed(failure));
        let _guard = OnPanic(|| fail(job.search, EngineFailure::Ended));
        let engine_of = |engine: Option<Analysis<G>>| match engine {
            Some(engine) if engine.settings() == job.settings => Ok(engine),
            _ => Analysis::start(entrant, variant, job.settings, PATIENCE, interrupt),
        };
        let analysed = engine_of(engine.take()).and_then(|mut running| {
            analyse(&mut running, &job, outlet)?;
            Ok(running)
        });
        match analysed {
            Ok(running) => engine = Some(running),
            Err(Failure::Aborted) => return,
            Err(failure) => {
                // If a newer position is waiting, for example because the engine did not stop,
                // report the failure for that position.
                let next = jobs.try_iter().last().map(|job| job.search);
                fail(next.unwrap_or(job.search), failure.into());
            }
        }
    }
}

fn analyse<G: BoardGame>(
    engine: &mut Analysis<G>,
    job: &Job<G>,
    outlet: &Outlet,
) -> Result<(), Failure> {
    let Job { search, query, settings, limit, control } = job;
    let end = limit.and_then(|limit| Instant::now().checked_add(limit));
    let reached = Reached { at: query.at, ..Reached::default() };
    let state = RefCell::new((LineReports::default(), reached, false));
    let flush = || {
        let (lines, reached, is_new) = &mut *state.borrow_mut();
        if *is_new && !lines.is_recent() {
            *is_new = false;
            lines.report_now(*search, *reached, outlet);
        }
    };
    let is_wanted = || {
        flush();
        !control.is_stopped() && end.is_none_or(|end| Instant::now() < end)
    };
    let on_line = |report: ReportedLine| {
        let (lines, reached, is_new) = &mut *state.borrow_mut();
        reached.depth = report.depth.unwrap_or(reached.depth);
        reached.nodes = report.nodes.unwrap_or(reached.nodes);
        reached.time = report.time.unwrap_or(reached.time);
        let pv = legal_moves(&query.position, &report.moves);
        let Some(score) = report.score.filter(|_| !report.is_bound && !pv.is_empty()) else {
            return;
        };
        if report.rank < settings.lines {
            let line = engine_line(&query.position, query.notation, to_score(score), &pv);
            lines.store(report.rank, line);
            *is_new = true;
        }
    };
    let endless = TimeControl::default();
    engine.search(&query.start, &query.moves, &endless, is_wanted, on_line)?;
    // The last lines before the time limit may not have been reported.
    let (mut lines, reached, is_new) = state.into_inner();
    if is_new && !control.is_stopped() {
        lines.report_now(*search, reached, outlet);
    }
    Ok(())
}
