//! The engine of one board: a thread that does one search after another, and tells the session of each.
//!
//! Searches of all boards share a number of slots: one that finds none free waits. A search ends when
//! it is stopped, or when its board is closed.

use super::message::{LineShown, Lines};
use super::shown::Shown;
use crate::base::side::Side;
use crate::chess::notation::Notation;
use crate::protocol::strength::Strength;
use crate::search::driver::{Engine, Options, Root, STACK};
use crate::search::limits::Limits;
use crate::search::report::{Info, Report, SearchResult};
use crate::search::stop::StopHandle;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Size of a board's transposition table in units of 2^20 bytes.
const HASH_MB: usize = 32;
/// Between two looks for a free slot.
const WAIT: Duration = Duration::from_millis(10);
/// Between two reports of lines.
const PAUSE: Duration = Duration::from_millis(60);
/// The moves of a line that are shown.
const SHOWN_MOVES: usize = 16;

/// What a search is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Aim {
    /// A move, by a player of this strength, or the strongest.
    Move(Option<Strength>),
    /// So many lines, after this many plies, until it is stopped.
    Lines(usize, usize),
}

/// What the engine tells of its search of a number.
#[derive(Debug)]
pub(super) enum Told {
    /// What it sees so far.
    Lines(u64, Lines),
    /// Its move, as programs write it, and the score of the line for it, if it tells one.
    Move(u64, String, Option<i32>),
    /// There is more to see of the analysis of a whole game.
    Review,
    /// It cannot be made: why.
    Failed(String),
}

struct Job<G: Shown> {
    number: u64,
    position: G,
    earlier: Vec<u64>,
    limits: Limits<G::Move>,
    aim: Aim,
    notation: Notation,
    control: StopHandle,
}

/// Slots for searches, and where they tell of themselves.
#[derive(Clone, Debug)]
pub(super) struct Outlet {
    /// One permit for each search that may run.
    pub slots: Arc<Semaphore>,
    /// To the session.
    pub told: UnboundedSender<Told>,
}

/// The engine of one board. Dropping it stops its search.
pub(super) struct Thinker<G: Shown> {
    outlet: Outlet,
    jobs: Option<mpsc::Sender<Job<G>>>,
    /// The search that runs or waits: its number, and how it is stopped.
    current: Option<(u64, StopHandle)>,
    number: u64,
}

impl<G: Shown> Thinker<G> {
    /// An engine whose thread is started by its first search.
    pub const fn new(outlet: Outlet) -> Self {
        Self { outlet, jobs: None, current: None, number: 0 }
    }

    /// Whether a search runs or waits.
    pub const fn is_busy(&self) -> bool {
        self.current.is_some()
    }

    /// Whether `number` is that of the search that runs.
    pub fn is_current(&self, number: u64) -> bool {
        self.current.as_ref().is_some_and(|current| current.0 == number)
    }

    /// Whether `number` is that of the search that ran; then it is over.
    pub fn has_ended(&mut self, number: u64) -> bool {
        self.current.take_if(|current| current.0 == number).is_some()
    }

    /// Stops the search; what it still tells is no longer current.
    pub fn stop(&mut self) {
        if let Some((_, control)) = self.current.take() {
            control.stop();
        }
    }

    /// Starts a search of `position`, which comes after positions with the keys `earlier`.
    pub fn start(
        &mut self,
        position: G,
        earlier: Vec<u64>,
        limits: Limits<G::Move>,
        aim: Aim,
        notation: Notation,
    ) {
        self.stop();
        self.number += 1;
        let (number, control) = (self.number, StopHandle::new());
        self.current = Some((number, control.clone()));
        let job = Job { number, position, earlier, limits, aim, notation, control };
        let outlet = &self.outlet;
        let sender = self.jobs.get_or_insert_with(|| spawn::<G>(outlet.clone()));
        if sender.send(job).is_err() {
            self.jobs = None;
            let _ = outlet.told.send(Told::Failed("the engine has ended".to_owned()));
        }
    }
}

impl<G: Shown> Drop for Thinker<G> {
    fn drop(&mut self) {
        self.stop();
    }
}

fn spawn<G: Shown>(outlet: Outlet) -> mpsc::Sender<Job<G>> {
    let (sender, jobs) = mpsc::channel::<Job<G>>();
    let told = outlet.told.clone();
    let run = move || {
        let options = Options { hash_mb: HASH_MB, ..Options::default() };
        let mut engine = match Engine::<G::Searcher>::new(options) {
            Ok(engine) => engine,
            Err(error) => {
                let _ = outlet.told.send(Told::Failed(error.to_string()));
                return;
            }
        };
        for job in jobs {
            if let Some(_slot) = slot(&outlet.slots, || job.control.is_stopped()) {
                think(&mut engine, &job, &outlet.told);
            }
        }
    };
    let thread = std::thread::Builder::new().name("board-engine".to_owned()).stack_size(STACK);
    if let Err(error) = thread.spawn(run) {
        let _ = told.send(Told::Failed(error.to_string()));
    }
    sender
}

/// Waits for a slot; `None` if the search is stopped before.
pub(super) fn slot(
    slots: &Arc<Semaphore>,
    is_stopped: impl Fn() -> bool,
) -> Option<OwnedSemaphorePermit> {
    while !is_stopped() {
        if let Ok(slot) = Arc::clone(slots).try_acquire_owned() {
            return Some(slot);
        }
        std::thread::sleep(WAIT);
    }
    None
}

fn think<G: Shown>(engine: &mut Engine<G::Searcher>, job: &Job<G>, told: &UnboundedSender<Told>) {
    let Job { number, position, earlier, limits, aim, notation, control } = job;
    let root = Root { history: earlier.to_vec(), ..Root::new(position.clone()) };
    match *aim {
        Aim::Move(strength) => {
            let mut limits = limits.clone();
            strength.iter().for_each(|strength| strength.limit(&mut limits));
            engine.options.multipv = strength.map_or(1, Strength::candidates);
            let found = engine.search_here(&root, &limits, control, None);
            let SearchResult { best, lines, .. } = found;
            let chosen = strength.map_or(0, |strength| strength.choose(position.key(), &lines));
            let line = lines.get(chosen);
            let m = line.and_then(|line| line.pv.first().copied()).or(best);
            if let Some(m) = m {
                let score = line.map(|line| line.score.centipawns());
                let _ = told.send(Told::Move(*number, m.to_string(), score));
            }
        }
        Aim::Lines(lines, at) => {
            engine.options.multipv = lines;
            let seen = Mutex::new(Seen::default());
            let listener = |report| {
                let Report::Info(info) = report else { return };
                let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
                let first = seen.note(position, *notation, &info);
                // The last line of an iteration completes it.
                if info.multipv == seen.lines.len().max(1) || first {
                    seen.tell(*number, at, &info, told);
                }
            };
            engine.search_here(&root, limits, control, Some(&listener));
        }
    }
}

/// The lines that were reported so far.
#[derive(Default)]
struct Seen {
    lines: Vec<LineShown>,
    told: Option<Instant>,
}

impl Seen {
    /// Keeps a line. Returns whether there was none of its rank.
    fn note<G: Shown>(&mut self, start: &G, notation: Notation, info: &Info<G::Move>) -> bool {
        let white = if start.side() == Side::White { 1 } else { -1 };
        let mut position = start.clone();
        let mut moves = Vec::new();
        for &m in info.pv.iter().take(SHOWN_MOVES) {
            moves.push(position.noted(m, notation));
            position = position.after(m);
        }
        let first = info.pv.first().map(|&m| start.routes(m));
        let line = LineShown {
            score: white * info.score.centipawns(),
            white: (1000.0 * info.score.white_points(start)).round() / 1000.0,
            mate: info.score.mate_in().map(|mate| white * mate),
            moves,
            route: first.and_then(|routes| routes.into_iter().next()).unwrap_or_default(),
        };
        let rank = info.multipv - 1;
        match self.lines.get_mut(rank) {
            Some(place) => *place = line,
            None => self.lines.push(line),
        }
        rank + 1 == self.lines.len()
    }

    /// Tells of all lines, unless that was done a moment ago.
    fn tell<M>(&mut self, number: u64, at: usize, info: &Info<M>, told: &UnboundedSender<Told>) {
        if self.told.is_some_and(|told| told.elapsed() < PAUSE) && info.depth < 8 {
            return;
        }
        self.told = Some(Instant::now());
        let lines = Lines {
            at,
            depth: info.depth,
            nodes: info.nodes,
            time: info.elapsed.as_millis() as u64,
            lines: self.lines.clone(),
        };
        let _ = told.send(Told::Lines(number, lines));
    }
}
