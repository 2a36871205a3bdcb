//! The driver: iterative deepening with aspiration windows on all threads (Lazy SMP).
//!
//! It knows no game. A [`Searcher`] brings the node loop; the driver gives it a [`Worker`], through
//! which it counts nodes, learns when to stop, and reaches the shared table. All threads search
//! the same root; they differ only by what they find in the table (Lazy SMP, after Daniel Homan's
//! and Julien Marcel's engines).

use super::clock::{Confidence, TimeManager};
use super::depth::{Depth, Ply};
use super::limits::Limits;
use super::path;
use super::report::{Bound, Info, Listener, Report, SearchResult};
use super::score::Score;
use super::stop::StopHandle;
use super::tt::Table;
use super::window::Window;
use crate::base::game::Game;
use crate::base::panics::OnPanic;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::collections::TryReserveError;
use std::fmt;
use std::iter;
use std::mem;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// One game's search: what a thread keeps from node to node and from move to move.
pub trait Searcher: Send {
    /// Where a search starts: a position and the game that led to it.
    type Root: Clone + Send + Sync;
    /// A position.
    type Position: Game<Move = Self::Move>;
    /// A move.
    type Move: Copy + Eq + fmt::Debug + Send + Sync;

    /// A searcher with empty histories.
    fn new() -> Self;

    /// Empties what it keeps from search to search: a new game begins.
    fn clear(&mut self);

    /// The position of the root.
    fn position(root: &Self::Root) -> &Self::Position;

    /// The legal moves of the root.
    fn root_moves(root: &Self::Root) -> Vec<Self::Move> {
        Self::position(root).moves()
    }

    /// What tables of endings say of the root's moves; of none or of all.
    fn known_moves(_root: &Self::Root) -> Vec<(Self::Move, Known)> {
        Vec::new()
    }

    /// What people and programs are told of a score. A search counts in the hundredths that its
    /// evaluation was trained in, which need not be those of a pawn or man.
    fn told(score: Score) -> Score {
        score
    }

    /// Half the width of the window in which an iteration begins, in hundredths, where the score before was 0.
    fn aspiration(&self) -> i32 {
        12
    }

    /// Prepares for a search.
    fn begin(&mut self, root: &Self::Root);

    /// Searches the worker's root moves from [`Worker::first`] on, within the window, and hands each
    /// to [`Worker::note_root_move`].
    fn search_root(
        &mut self,
        root: &Self::Root,
        worker: &mut Worker<'_, Self::Move>,
        depth: Depth,
        window: Window,
    ) -> Score;

    /// The legal move that is to be expected after a line that ends here, by what the table knows of
    /// the position; `None` if it knows nothing or the game is drawn.
    fn expected(position: &Self::Position, table: &Table) -> Option<Self::Move>;
}

/// The settings of an engine; they can change from one search to the next.
#[derive(Clone, Debug)]
pub struct Options {
    /// Size of the transposition table in units of 2^20 bytes.
    pub hash_mb: usize,
    /// Threads that search.
    pub threads: usize,
    /// How many lines to find, the best ones.
    pub multipv: usize,
    /// Time lost between the engine's answer and the moment when its clock stops.
    pub move_overhead: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self { hash_mb: 16, threads: 1, multipv: 1, move_overhead: Duration::from_millis(10) }
    }
}

/// What tables of endings say of a move of the root.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Known {
    /// Moves of a higher rank are better, whatever a search says; among those of the same rank it
    /// chooses.
    pub rank: i32,
    /// The score, unless a search finds a mate.
    pub score: Score,
}

/// A legal move of the root and what is known of it.
#[derive(Clone, Debug)]
pub struct RootMove<M> {
    /// The move.
    pub m: M,
    /// Its score in this iteration; minus infinity if it did not raise alpha.
    pub score: Score,
    /// Its score in the last iteration.
    pub previous: Score,
    /// Whether `score` is exact.
    pub bound: Bound,
    /// Nodes spent on it in this search.
    pub nodes: u64,
    /// The longest line below it.
    pub seldepth: usize,
    /// The line that begins with it.
    pub line: Vec<M>,
    /// What tables of endings say of it.
    pub known: Option<Known>,
}

/// Which root move was searched, for [`Worker::note_root_move`].
#[derive(Clone, Copy, Debug)]
pub struct SearchedRootMove<M> {
    /// The move.
    pub m: M,
    /// Whether it was the first one searched.
    pub is_first: bool,
    /// The nodes counted when its search began.
    pub nodes_before: u64,
}

/// What all threads of one search share.
struct Shared<'a, M> {
    table: &'a Table,
    handle: &'a StopHandle,
    limits: &'a Limits<M>,
    time: TimeManager,
    stop: AtomicBool,
    counts: Vec<Published>,
    listener: Listener<'a, M>,
}

/// What a thread has counted, as the others see it.
#[derive(Default)]
struct Published {
    nodes: AtomicU64,
    leaves: AtomicU64,
    leaf_plies: AtomicU64,
    hits: AtomicU64,
}

impl<M> Shared<'_, M> {
    fn total(&self, count: fn(&Published) -> &AtomicU64) -> u64 {
        self.counts.iter().map(|counts| count(counts).load(Ordering::Relaxed)).sum()
    }

    fn total_nodes(&self) -> u64 {
        self.total(|counts| &counts.nodes)
    }

    fn mean_depth(&self) -> Option<f64> {
        let leaves = self.total(|counts| &counts.leaves);
        let plies = self.total(|counts| &counts.leaf_plies);
        (leaves > 0).then(|| plies as f64 / leaves as f64)
    }
}

/// One thread of one search.
pub struct Worker<'a, M> {
    shared: &'a Shared<'a, M>,
    /// 0 for the thread that watches the limits and reports.
    index: usize,
    nodes: u64,
    leaves: u64,
    leaf_plies: u64,
    hits: u64,
    stopped: bool,
    /// The number of nodes at which to look around again.
    next_poll: u64,
    /// The longest line of this iteration, in half-moves.
    pub seldepth: usize,
    /// The root's moves, best first.
    pub root_moves: Vec<RootMove<M>>,
    /// The first root move to search; those before it are better lines (MultiPV).
    pub first: usize,
    /// The depth of the iteration.
    pub root_depth: Depth,
    completed_depth: Depth,
}

/// Nodes between two looks at the clock; they take well below a millisecond.
const POLL: u64 = 512;
/// Only whole iterations are reported before this; interfaces would be flooded otherwise.
const QUIET_TIME: Duration = Duration::from_secs(3);

impl<'a, M: Copy + Eq + fmt::Debug> Worker<'a, M> {
    /// Counts a node. Returns whether the search has been stopped; its result is then meaningless.
    #[inline(always)]
    pub fn visit(&mut self) -> bool {
        if self.nodes >= self.next_poll {
            self.poll();
        }
        self.nodes += u64::from(!self.stopped);
        self.stopped
    }

    /// Publishes what was counted, and finds out whether to stop.
    #[cold]
    fn poll(&mut self) {
        self.publish();
        self.next_poll = self.nodes + POLL;
        if self.index == 0 {
            let limit = self.shared.limits.nodes.unwrap_or(u64::MAX);
            self.next_poll = self.next_poll.min(limit);
            self.look_at_limits(limit);
        }
        self.stopped |= self.shared.stop.load(Ordering::Relaxed);
    }

    fn look_at_limits(&self, limit: u64) {
        // The first iteration is so short that it may always end: some thought is better than none.
        let hurry = self.completed_depth > Depth::HORIZON || self.nodes >= 1000;
        let out_of_time =
            || self.shared.handle.is_stopped() || self.shared.time.must_stop(self.shared.handle);
        if self.shared.total_nodes() >= limit || hurry && out_of_time() {
            self.shared.stop.store(true, Ordering::Relaxed);
        }
    }

    fn publish(&self) {
        let counts = &self.shared.counts[self.index];
        counts.nodes.store(self.nodes, Ordering::Relaxed);
        counts.leaves.store(self.leaves, Ordering::Relaxed);
        counts.leaf_plies.store(self.leaf_plies, Ordering::Relaxed);
        counts.hits.store(self.hits, Ordering::Relaxed);
    }

    /// Counts a leaf, a node whose score is its static evaluation or known, for
    /// [`Info::mean_depth`].
    #[inline(always)]
    pub fn leaf(&mut self, ply: Ply) {
        self.leaves += 1;
        self.leaf_plies += ply.0 as u64;
    }

    /// Counts a leaf whose score the tables of endings know, for [`Info::tbhits`] as well.
    #[inline(always)]
    pub fn known_leaf(&mut self, ply: Ply) {
        self.leaf(ply);
        self.hit();
    }

    /// Counts a position that the tables of endings know, for [`Info::tbhits`].
    #[inline(always)]
    pub const fn hit(&mut self) {
        self.hits += 1;
    }

    /// The root moves to search: from [`Self::first`] on those of its rank.
    #[inline]
    pub fn candidates(&self) -> &[RootMove<M>] {
        let rest = &self.root_moves[self.first..];
        let is_equal = |pair: &[RootMove<M>]| pair[0].rank() == pair[1].rank();
        let equal = rest.windows(2).take_while(|pair| is_equal(pair)).count();
        &rest[..rest.len().min(equal + 1)]
    }

    /// Whether the search has been stopped.
    #[inline(always)]
    pub const fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// The nodes this thread has counted.
    #[inline(always)]
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The transposition table.
    #[inline(always)]
    pub const fn table(&self) -> &'a Table {
        self.shared.table
    }

    /// Reports the root move at `index` as the one being searched, once the search has taken some
    /// seconds. With several lines (MultiPV) only the first one's moves are reported, since each
    /// line goes through them all again.
    pub fn report_current(&self, index: usize) {
        if let Some(tell) = self.shared.listener
            && self.index == 0
            && self.first == 0
            && self.shared.time.elapsed() >= QUIET_TIME
        {
            tell(Report::CurrentMove {
                depth: self.root_depth,
                m: self.root_moves[index].m,
                number: index + 1,
            });
        }
    }

    /// Keeps what the search found out about a root move: its score and line if it is the first one
    /// searched or raises alpha. `rest` is the line below it.
    pub fn note_root_move(
        &mut self,
        searched: SearchedRootMove<M>,
        score: Score,
        window: Window,
        rest: impl Iterator<Item = M>,
    ) {
        let SearchedRootMove { m, is_first, nodes_before } = searched;
        let (nodes, seldepth) = (self.nodes - nodes_before, self.seldepth);
        let Some(root_move) = self.root_moves.iter_mut().find(|root_move| root_move.m == m) else {
            return;
        };
        root_move.nodes += nodes;
        if is_first || score > window.alpha {
            root_move.score = score;
            root_move.seldepth = seldepth;
            root_move.bound = Bound::of(score, window);
            root_move.line.clear();
            root_move.line.push(m);
            root_move.line.extend(rest);
        } else {
            root_move.score = -Score::INFINITE;
        }
    }

    /// The line of a rank; `told` makes of its score what is told of it.
    fn info(&self, rank: usize, told: fn(Score) -> Score) -> Info<M> {
        let root_move = &self.root_moves[rank];
        // A line that this iteration has not reached yet keeps its last score.
        let fresh = root_move.score != -Score::INFINITE;
        let found = if fresh { root_move.score } else { root_move.previous };
        let known = root_move.known.filter(|_| !found.is_mate() && found != -Score::INFINITE);
        let counted = known.map_or(found, |known| known.score);
        let depth = if fresh { self.root_depth } else { (self.root_depth - 1).max(Depth::ONE) };
        Info {
            depth: depth.0 as u32,
            seldepth: root_move.seldepth.max(1) as u32,
            mean_depth: self.shared.mean_depth(),
            multipv: rank + 1,
            score: told(counted),
            counted,
            bound: if fresh && known.is_none() { root_move.bound } else { Bound::Exact },
            nodes: self.shared.total_nodes(),
            elapsed: self.shared.time.elapsed(),
            hashfull: self.shared.table.hashfull(),
            tbhits: self.shared.total(|counts| &counts.hits),
            pv: root_move.line.clone(),
        }
    }
}

/// An engine for one game: table, threads, and what each thread has learnt.
pub struct Engine<S: Searcher> {
    /// The settings. Those of the table and threads change by [`Self::set_hash`] and
    /// [`Self::set_threads`]; the others hold from the next search on.
    pub options: Options,
    table: Table,
    pool: ThreadPool,
    searchers: Vec<Mutex<S>>,
    /// Whether nothing has been learnt since all was forgotten.
    cleared: bool,
}

impl<S: Searcher> fmt::Debug for Engine<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine").field("options", &self.options).finish_non_exhaustive()
    }
}

/// Why an engine does not get the memory or the threads it was asked to use.
#[derive(Debug, thiserror::Error)]
pub enum ResourceError {
    /// Too large a table.
    #[error("no memory for a table of {0} MB")]
    Memory(usize, #[source] TryReserveError),
    /// The system gives no more threads.
    #[error("no {0} threads: {1}")]
    Threads(usize, #[source] rayon::ThreadPoolBuildError),
}

/// The stack, in bytes, of a thread that searches: a line of [`Ply::MAX`] nodes, each with its move list,
/// lies on it.
pub const STACK: usize = 32 << 20;

fn pool(threads: usize) -> Result<ThreadPool, ResourceError> {
    ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|i| format!("search-{i}"))
        .stack_size(STACK)
        .build()
        .map_err(|error| ResourceError::Threads(threads, error))
}

impl<S: Searcher> Engine<S> {
    /// An engine with these settings.
    pub fn new(options: Options) -> Result<Self, ResourceError> {
        let threads = options.threads.max(1);
        let pool = pool(threads)?;
        let table = pool
            .install(|| Table::new(options.hash_mb))
            .map_err(|error| ResourceError::Memory(options.hash_mb, error))?;
        let searchers = (0..threads).map(|_| Mutex::new(S::new())).collect();
        Ok(Self { options, table, pool, searchers, cleared: true })
    }

    /// Replaces the table by an empty one. If there is no memory for it, the old one stays.
    pub fn set_hash(&mut self, megabytes: usize) -> Result<(), ResourceError> {
        if megabytes != self.options.hash_mb {
            self.table = self
                .pool
                .install(|| Table::new(megabytes))
                .map_err(|error| ResourceError::Memory(megabytes, error))?;
            self.options.hash_mb = megabytes;
        }
        Ok(())
    }

    /// Changes the number of threads. If the system has no more, the old ones stay.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), ResourceError> {
        let threads = threads.max(1);
        if threads != self.options.threads {
            self.pool = pool(threads)?;
            self.searchers.resize_with(threads, || Mutex::new(S::new()));
            self.options.threads = threads;
        }
        Ok(())
    }

    /// Forgets everything: a new game begins.
    pub fn clear(&mut self) {
        if mem::replace(&mut self.cleared, true) {
            return;
        }
        let Self { table, pool, searchers, .. } = self;
        pool.install(|| table.clear());
        pool.broadcast(|context| {
            if let Some(searcher) = searchers.get(context.index()) {
                searcher.lock().unwrap_or_else(PoisonError::into_inner).clear();
            }
        });
    }

    /// Searches until a limit is reached or `handle` says stop, and returns what was found. The `listener`
    /// is told what is found meanwhile.
    pub fn search(
        &mut self,
        root: &S::Root,
        limits: &Limits<S::Move>,
        handle: &StopHandle,
        listener: Listener<'_, S::Move>,
    ) -> SearchResult<S::Move> {
        self.cleared = false;
        self.pool.install(|| self.lead(root, limits, handle, listener))
    }

    /// [`Self::search`] on the thread that calls it, whose stack must have [`STACK`] bytes. It begins
    /// and ends at once, however busy the machine is, while a thread that has to be woken may have to
    /// wait for a processor.
    pub fn search_here(
        &mut self,
        root: &S::Root,
        limits: &Limits<S::Move>,
        handle: &StopHandle,
        listener: Listener<'_, S::Move>,
    ) -> SearchResult<S::Move> {
        self.cleared = false;
        self.lead(root, limits, handle, listener)
    }

    /// Searches on this thread, with the help of others.
    fn lead(
        &self,
        root: &S::Root,
        limits: &Limits<S::Move>,
        handle: &StopHandle,
        listener: Listener<'_, S::Move>,
    ) -> SearchResult<S::Move> {
        let time = TimeManager::new(limits, self.options.move_overhead);
        let shared = Shared {
            table: &self.table,
            handle,
            limits,
            time,
            stop: AtomicBool::new(false),
            counts: self.searchers.iter().map(|_| Published::default()).collect(),
            listener,
        };
        let mut moves = S::root_moves(root);
        if !limits.searchmoves.is_empty() {
            moves.retain(|m| limits.searchmoves.contains(m));
        }
        if moves.is_empty() {
            wait_if_asked(limits, handle);
            let elapsed = shared.time.elapsed();
            return SearchResult {
                best: None,
                ponder: None,
                info: None,
                lines: vec![],
                nodes: 0,
                elapsed,
            };
        }
        let known = S::known_moves(root);
        let mut root_moves: Vec<_> = moves.iter().map(|&m| RootMove::new(m, &known)).collect();
        root_moves.sort_by_key(|root_move| -root_move.rank());
        self.table.new_search();
        let multipv = self.options.multipv.clamp(1, moves.len());

        let workers = self.on_all_threads(|index, searcher| {
            // Whoever waits for all threads hands the panic on when they have ended.
            let _panics = OnPanic(|| {
                shared.stop.store(true, Ordering::Relaxed);
                handle.stop();
            });
            let mut worker = Worker {
                shared: &shared,
                index,
                nodes: 0,
                leaves: 0,
                leaf_plies: 0,
                hits: if index == 0 { known.len() as u64 } else { 0 },
                stopped: false,
                next_poll: 0,
                seldepth: 0,
                root_moves: root_moves.clone(),
                first: 0,
                root_depth: Depth::HORIZON,
                completed_depth: Depth::HORIZON,
            };
            deepen(searcher, root, &mut worker, multipv);
            worker.publish();
            worker
        });
        let best = if multipv == 1 { elect(&workers) } else { 0 };
        let worker = &workers[best];
        // A search stopped before its first score has a move, but no line to show.
        let lines: Vec<_> = (0..multipv)
            .map(|rank| completed::<S>(root, worker, rank))
            .filter(|line| line.counted != -Score::INFINITE)
            .collect();
        let info = lines.first().cloned();
        if let (Some(tell), Some(info)) = (listener, info.as_ref().filter(|_| best != 0)) {
            tell(Report::Info(info.clone()));
        }
        SearchResult {
            best: Some(worker.root_moves[0].m),
            ponder: info.as_ref().and_then(|info| info.pv.get(1).copied()),
            nodes: shared.total_nodes(),
            elapsed: shared.time.elapsed(),
            info,
            lines,
        }
    }
}

impl<S: Searcher> Engine<S> {
    /// Runs `work` with each searcher and its number: the first on this thread, the others on those of the
    /// pool, all at the same time.
    fn on_all_threads<T: Send>(&self, work: impl Fn(usize, &mut S) -> T + Sync) -> Vec<T> {
        let work = |index: usize| {
            let searcher = self.searchers[index].lock();
            work(index, &mut searcher.unwrap_or_else(PoisonError::into_inner))
        };
        let others = self.searchers.len() - 1;
        if others == 0 {
            return vec![work(0)];
        }
        // The pool has a thread too many: this one, if it is among them.
        let spare = self.pool.current_thread_index().unwrap_or(others);
        let results: Vec<_> = (0..others).map(|_| Mutex::new(None)).collect();
        let first = self.pool.in_place_scope(|scope| {
            scope.spawn_broadcast(|_, context| {
                let thread = context.index();
                if thread != spare {
                    let other = thread - usize::from(thread > spare);
                    let result = work(other + 1);
                    *results[other].lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
                }
            });
            work(0)
        });
        let results = results.into_iter();
        let results =
            results.filter_map(|m| m.into_inner().unwrap_or_else(PoisonError::into_inner));
        iter::once(first).chain(results).collect()
    }
}

impl<M: Copy + Eq> RootMove<M> {
    fn new(m: M, known: &[(M, Known)]) -> Self {
        let known = known.iter().find(|(known, _)| *known == m).map(|&(_, known)| known);
        Self {
            m,
            score: -Score::INFINITE,
            previous: -Score::INFINITE,
            bound: Bound::Exact,
            nodes: 0,
            seldepth: 0,
            line: vec![m],
            known,
        }
    }

    /// Its rank by tables of endings.
    fn rank(&self) -> i32 {
        self.known.map_or(0, |known| known.rank)
    }

    /// What sorts the better move before the worse.
    fn order(&self) -> (i32, Score) {
        (-self.rank(), -self.score)
    }
}

/// The line of a rank, completed through the table.
fn completed<S: Searcher>(
    root: &S::Root,
    worker: &Worker<'_, S::Move>,
    rank: usize,
) -> Info<S::Move> {
    let mut info = worker.info(rank, S::told);
    path::complete_line::<S>(root, worker.table(), &mut info.pv);
    info
}

fn wait_if_asked<M>(limits: &Limits<M>, handle: &StopHandle) {
    if limits.infinite || limits.ponder {
        handle.wait(limits.ponder && !limits.infinite);
    }
}

/// Iterative deepening of one thread.
fn deepen<S: Searcher>(
    searcher: &mut S,
    root: &S::Root,
    worker: &mut Worker<'_, S::Move>,
    multipv: usize,
) {
    searcher.begin(root);
    let shared = worker.shared;
    let leads = worker.index == 0;
    let deepest = shared.limits.deepest();
    let mut best = worker.root_moves[0].m;
    let mut stable_iterations = 0;
    let mut average = None;

    for depth in (Depth::ONE.0..=deepest.0).map(Depth) {
        worker.root_depth = depth;
        for root_move in &mut worker.root_moves {
            root_move.previous = root_move.score;
        }
        for rank in 0..multipv {
            worker.first = rank;
            worker.seldepth = 0;
            aspire(searcher, root, worker, depth, multipv);
            if worker.stopped {
                break;
            }
            // A later line can turn out better than an earlier one.
            worker.root_moves[..=rank].sort_by_key(RootMove::order);
        }
        if worker.stopped {
            break;
        }
        worker.completed_depth = depth;
        worker.publish();
        if !leads {
            continue;
        }
        if let Some(tell) = shared.listener {
            for rank in 0..multipv {
                tell(Report::Info(completed::<S>(root, worker, rank)));
            }
        }

        worker.first = 0;
        let is_only_move = worker.candidates().len() == 1;
        let front = &worker.root_moves[0];
        stable_iterations = if front.m == best { stable_iterations + 1 } else { 0 };
        best = front.m;
        let score = front.score;
        let reference = *average.get_or_insert(score.0);
        let sure = Confidence {
            stable_iterations,
            best_move_share: front.nodes as f64 / worker.nodes.max(1) as f64,
            score_drop: reference - score.0,
            only_move: is_only_move && depth >= Depth(8),
        };
        average = Some((reference * 2 + score.0) / 3);
        let mate = shared.limits.mate.is_some_and(|wanted| {
            score.mate_in().is_some_and(|found| found > 0 && found as u32 <= wanted)
        });
        let enough_nodes = shared.limits.soft_nodes.is_some_and(|n| shared.total_nodes() >= n);
        if mate || enough_nodes || shared.time.is_enough(shared.handle, sure) {
            break;
        }
    }
    if leads {
        wait_if_asked(shared.limits, shared.handle);
        shared.stop.store(true, Ordering::Relaxed);
    }
}

/// One iteration: searches in a narrow window about the last score, and widens it when the score
/// falls outside.
fn aspire<S: Searcher>(
    searcher: &mut S,
    root: &S::Root,
    worker: &mut Worker<'_, S::Move>,
    depth: Depth,
    multipv: usize,
) {
    let previous = worker.root_moves[worker.first].previous;
    let mut delta = searcher.aspiration() + previous.0.abs().min(2000) / 60;
    let mut window = Window::OPEN;
    if depth >= Depth(5) && !previous.is_mate() {
        window.alpha = (previous - delta).max(-Score::INFINITE);
        window.beta = (previous + delta).min(Score::INFINITE);
    }
    let mut failed_high = 0;
    loop {
        let reduced = (depth - failed_high).max(Depth::ONE);
        let score = searcher.search_root(root, worker, reduced, window);
        // Stable: moves that did not raise alpha keep their order.
        let first = worker.first;
        worker.root_moves[first..].sort_by_key(RootMove::order);
        if worker.stopped {
            return;
        }
        if score <= window.alpha {
            window.beta = Score((window.alpha.0 + window.beta.0) / 2);
            window.alpha = (score - delta).max(-Score::INFINITE);
            failed_high = 0;
        } else if score >= window.beta {
            window.beta = (score + delta).min(Score::INFINITE);
            failed_high = (failed_high + 1).min(3);
        } else {
            return;
        }
        if let Some(tell) = worker.shared.listener
            && worker.index == 0
            && multipv == 1
            && worker.shared.time.elapsed() >= QUIET_TIME
        {
            tell(Report::Info(completed::<S>(root, worker, first)));
        }
        delta += delta / 2;
        if delta > 600 {
            window = Window::OPEN;
        }
    }
}

/// The index of the thread whose move is played: each votes for its own move with a weight that
/// grows with depth and score, but a forced win or loss outweighs all votes.
fn elect<M: Copy + Eq>(workers: &[Worker<'_, M>]) -> usize {
    let score = |w: &Worker<'_, M>| {
        let front = &w.root_moves[0];
        if front.score == -Score::INFINITE { front.previous } else { front.score }
    };
    let lowest = workers.iter().map(|w| score(w).0).min().unwrap_or(0);
    let vote = |w: &Worker<'_, M>| {
        let weight = |v: &Worker<'_, M>| {
            i64::from(score(v).0 - lowest + 14) * i64::from(v.completed_depth.0)
        };
        let m = w.root_moves[0].m;
        workers.iter().filter(|v| v.root_moves[0].m == m).map(weight).sum::<i64>()
    };
    let mut best = 0;
    for (i, worker) in workers.iter().enumerate().skip(1) {
        let (new, old) = (score(worker), score(&workers[best]));
        let better = if new.is_mate() || old.is_mate() {
            new > old
        } else {
            (vote(worker), worker.completed_depth)
                > (vote(&workers[best]), workers[best].completed_depth)
        };
        if better {
            best = i;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draughts::{Move, Position};
    use std::panic::{AssertUnwindSafe, catch_unwind};

    /// Its second thread panics; the first searches until it is stopped.
    struct Panics;

    impl Searcher for Panics {
        type Root = Position;
        type Position = Position;
        type Move = Move;

        fn new() -> Self {
            Self
        }

        fn clear(&mut self) {}

        fn position(root: &Position) -> &Position {
            root
        }

        fn begin(&mut self, _: &Position) {}

        fn search_root(
            &mut self,
            _: &Position,
            worker: &mut Worker<'_, Move>,
            _: Depth,
            _: Window,
        ) -> Score {
            assert_eq!(worker.index, 0, "only the first thread is well");
            while !worker.visit() {
                std::thread::yield_now();
            }
            Score(0)
        }

        fn expected(_: &Position, _: &Table) -> Option<Move> {
            None
        }
    }

    #[test]
    fn every_searcher_works_once_whoever_leads() {
        for threads in 1..5 {
            let options = Options { hash_mb: 1, threads, ..Options::default() };
            let engine = Engine::<Panics>::new(options).expect("threads");
            let all = || engine.on_all_threads(|index, _| index);
            for _ in 0..20 {
                let expected: Vec<_> = (0..threads).collect();
                assert_eq!(all(), expected);
                assert_eq!(engine.pool.install(all), expected);
            }
        }
    }

    #[test]
    fn a_thread_that_panics_ends_the_search_of_all() {
        let options = Options { hash_mb: 1, threads: 2, ..Options::default() };
        let mut engine = Engine::<Panics>::new(options).expect("two threads");
        let limits = Limits { infinite: true, ..Limits::default() };
        let search = || engine.search(&Position::start(), &limits, &StopHandle::new(), None);
        let searched = catch_unwind(AssertUnwindSafe(search));
        assert!(searched.is_err(), "the panic is handed on");
    }
}
