//! The driver: iterative deepening with aspiration windows on all threads (Lazy SMP).
//!
//! It knows no game. A [`Searcher`] brings the node; the driver gives it a [`Worker`], through
//! which it counts nodes, learns when to stop, and reaches the shared table. All threads search
//! the same root; they differ only by what they find in the table (Lazy SMP, after Daniel Homan's
//! and Julien Marcel's engines).

use super::clock::{Confidence, TimeManager};
use super::control::Control;
use super::limits::Limits;
use super::report::{Bound, Info, Outcome, Report};
use super::score::{Depth, MAX_PLY, Ply, Score};
use super::tt::Table;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::collections::TryReserveError;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// One game's search: what a thread keeps from node to node and from move to move.
pub trait Searcher: Send {
    /// Where a search starts: a position and the game that led to it.
    type Root: Send + Sync;
    /// A move.
    type Move: Copy + Eq + fmt::Debug + Send + Sync;

    /// A searcher that has learnt nothing.
    fn new() -> Self;

    /// Forgets what it has learnt: a new game begins.
    fn clear(&mut self);

    /// The legal moves of the root.
    fn root_moves(root: &Self::Root) -> Vec<Self::Move>;

    /// Prepares for a search.
    fn begin(&mut self, root: &Self::Root);

    /// Searches the worker's root moves from [`Worker::first`] on, within the window, and writes
    /// the scores and lines of those that raise alpha into them.
    fn search_root(
        &mut self,
        root: &Self::Root,
        worker: &mut Worker<'_, Self::Move>,
        depth: Depth,
        alpha: Score,
        beta: Score,
    ) -> Score;

    /// Extends a line that was cut short by what the table knows; it must stay legal.
    fn complete_line(root: &Self::Root, table: &Table, line: &mut Vec<Self::Move>);
}

/// The settings of an engine that one search can be told from another.
#[derive(Clone, Debug)]
pub struct Options {
    /// Size of the transposition table in units of 2^20 bytes.
    pub hash_mb: usize,
    /// Threads that search.
    pub threads: usize,
    /// How many best lines to find.
    pub multipv: usize,
    /// Time lost between the engine's answer and the stopping of its clock.
    pub move_overhead: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self { hash_mb: 16, threads: 1, multipv: 1, move_overhead: Duration::from_millis(10) }
    }
}

/// A legal move of the root and what is known of it.
#[derive(Clone, Debug)]
pub struct RootMove<M> {
    /// The move.
    pub m: M,
    /// Its score in this iteration; minus infinity where it was not the best.
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
}

/// What all threads of one search share.
struct Shared<'a, M> {
    table: &'a Table,
    control: &'a Control,
    limits: &'a Limits<M>,
    time: TimeManager,
    stop: AtomicBool,
    counts: Vec<Published>,
    report: &'a (dyn Fn(Report<M>) + Sync),
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

/// Nodes between two looks at the clock: well below a millisecond's worth.
const POLL: u64 = 512;
/// No progress is reported before this: interfaces are flooded otherwise.
const QUIET_TIME: Duration = Duration::from_secs(3);

impl<'a, M: Copy + Eq + fmt::Debug> Worker<'a, M> {
    /// Counts a node; says whether the search has to end, its result to be thrown away.
    #[inline(always)]
    pub fn visit(&mut self) -> bool {
        if self.nodes >= self.next_poll {
            self.poll();
        }
        self.nodes += u64::from(!self.stopped);
        self.stopped
    }

    /// Tells the others what was counted, and hears from them whether to stop.
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
        // The first iteration is so short that it may end, for the sake of a considered move.
        let hurry = self.completed_depth > 0 || self.nodes >= 1000;
        let out_of_time =
            || self.shared.control.is_stopped() || self.shared.time.must_stop(self.shared.control);
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
        self.leaf_plies += ply as u64;
    }

    /// Counts a leaf whose score the tables of endings know, also for [`Info::tbhits`].
    #[inline(always)]
    pub fn known_leaf(&mut self, ply: Ply) {
        self.leaf(ply);
        self.hits += 1;
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

    /// Reports the root move at `index` as the one being searched, once that takes long enough; of
    /// several lines (MultiPV) only while the first is searched, lest all moves be told again for
    /// each.
    pub fn report_current(&self, index: usize) {
        if self.index == 0 && self.first == 0 && self.shared.time.elapsed() >= QUIET_TIME {
            (self.shared.report)(Report::CurrentMove {
                depth: self.root_depth,
                m: self.root_moves[index].m,
                number: index + 1,
            });
        }
    }

    /// Keeps what the search found out about a root move: its score and line if it is the `first`
    /// one searched or raises alpha. `nodes_before` were counted when its search began, `rest` is the
    /// line below it.
    pub fn note_root_move(
        &mut self,
        m: M,
        nodes_before: u64,
        first: bool,
        score: Score,
        (alpha, beta): (Score, Score),
        rest: impl Iterator<Item = M>,
    ) {
        let (nodes, seldepth) = (self.nodes - nodes_before, self.seldepth);
        let Some(root_move) = self.root_moves.iter_mut().find(|root_move| root_move.m == m) else {
            return;
        };
        root_move.nodes += nodes;
        if first || score > alpha {
            root_move.score = score;
            root_move.seldepth = seldepth;
            root_move.bound = if score >= beta {
                Bound::Lower
            } else if score <= alpha {
                Bound::Upper
            } else {
                Bound::Exact
            };
            root_move.line.clear();
            root_move.line.push(m);
            root_move.line.extend(rest);
        } else {
            root_move.score = -Score::INFINITE;
        }
    }

    fn info(&self, rank: usize) -> Info<M> {
        let root_move = &self.root_moves[rank];
        // A line not yet reached in this iteration stands with its last score.
        let fresh = root_move.score != -Score::INFINITE;
        let score = if fresh { root_move.score } else { root_move.previous };
        let depth = if fresh { self.root_depth } else { (self.root_depth - 1).max(1) };
        Info {
            depth: depth as u32,
            seldepth: root_move.seldepth.max(1) as u32,
            mean_depth: self.shared.mean_depth(),
            multipv: rank + 1,
            score,
            bound: if fresh { root_move.bound } else { Bound::Exact },
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
}

impl<S: Searcher> fmt::Debug for Engine<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine").field("options", &self.options).finish_non_exhaustive()
    }
}

/// Why an engine cannot have what it was asked for.
#[derive(Debug, thiserror::Error)]
pub enum ResourceError {
    /// Too large a table.
    #[error("no memory for a table of {0} MB")]
    Memory(usize, #[source] TryReserveError),
    /// The system gives no more threads.
    #[error("no {0} threads: {1}")]
    Threads(usize, #[source] rayon::ThreadPoolBuildError),
}

fn pool(threads: usize) -> Result<ThreadPool, ResourceError> {
    ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|i| format!("search-{i}"))
        // A line of MAX_PLY nodes, each with its move list, lies on the stack.
        .stack_size(32 << 20)
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
        Ok(Self { options, table, pool, searchers })
    }

    /// Replaces the table by an empty one. Where there is no memory for it the old one stays.
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

    /// Changes the number of threads. Where the system has no more the old ones stay.
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
        let Self { table, pool, searchers, .. } = self;
        pool.install(|| table.clear());
        pool.broadcast(|context| {
            if let Some(searcher) = searchers.get(context.index()) {
                searcher.lock().unwrap_or_else(PoisonError::into_inner).clear();
            }
        });
    }

    /// Searches until a limit is reached or `control` says stop, and returns what was found.
    pub fn search(
        &mut self,
        root: &S::Root,
        limits: &Limits<S::Move>,
        control: &Control,
        report: &(dyn Fn(Report<S::Move>) + Sync),
    ) -> Outcome<S::Move> {
        let time = TimeManager::new(limits, self.options.move_overhead);
        let shared = Shared {
            table: &self.table,
            control,
            limits,
            time,
            stop: AtomicBool::new(false),
            counts: self.searchers.iter().map(|_| Published::default()).collect(),
            report,
        };
        let mut moves = S::root_moves(root);
        if !limits.searchmoves.is_empty() {
            moves.retain(|m| limits.searchmoves.contains(m));
        }
        if moves.is_empty() {
            wait_if_asked(limits, control);
            let elapsed = shared.time.elapsed();
            return Outcome {
                best: None,
                ponder: None,
                info: None,
                lines: vec![],
                nodes: 0,
                elapsed,
            };
        }
        self.table.new_search();
        let multipv = self.options.multipv.clamp(1, moves.len());

        let searchers = &self.searchers;
        let workers = self.pool.broadcast(|context| {
            let searcher = searchers.get(context.index())?;
            let mut searcher = searcher.lock().unwrap_or_else(PoisonError::into_inner);
            let mut worker = Worker {
                shared: &shared,
                index: context.index(),
                nodes: 0,
                leaves: 0,
                leaf_plies: 0,
                hits: 0,
                stopped: false,
                next_poll: 0,
                seldepth: 0,
                root_moves: moves.iter().map(|&m| RootMove::new(m)).collect(),
                first: 0,
                root_depth: 0,
                completed_depth: 0,
            };
            deepen(&mut *searcher, root, &mut worker, multipv);
            worker.publish();
            Some(worker)
        });
        let workers: Vec<_> = workers.into_iter().flatten().collect();
        let best = if multipv == 1 { elect(&workers) } else { 0 };
        let worker = &workers[best];
        // A search stopped before its first score has no line to show, yet a move.
        let lines: Vec<_> = (0..multipv)
            .map(|rank| completed::<S>(root, worker, rank))
            .filter(|line| line.score != -Score::INFINITE)
            .collect();
        let info = lines.first().cloned();
        if let Some(info) = info.as_ref().filter(|_| best != 0) {
            report(Report::Info(info.clone()));
        }
        Outcome {
            best: Some(worker.root_moves[0].m),
            ponder: info.as_ref().and_then(|info| info.pv.get(1).copied()),
            nodes: shared.total_nodes(),
            elapsed: shared.time.elapsed(),
            info,
            lines,
        }
    }
}

impl<M: Copy> RootMove<M> {
    fn new(m: M) -> Self {
        Self {
            m,
            score: -Score::INFINITE,
            previous: -Score::INFINITE,
            bound: Bound::Exact,
            nodes: 0,
            seldepth: 0,
            line: vec![m],
        }
    }
}

/// The line of a rank, completed through the table.
fn completed<S: Searcher>(
    root: &S::Root,
    worker: &Worker<'_, S::Move>,
    rank: usize,
) -> Info<S::Move> {
    let mut info = worker.info(rank);
    S::complete_line(root, worker.table(), &mut info.pv);
    info
}

fn wait_if_asked<M>(limits: &Limits<M>, control: &Control) {
    if limits.infinite || limits.ponder {
        control.wait(limits.ponder && !limits.infinite);
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
    let deepest = shared.limits.depth.map_or(MAX_PLY as u32 - 1, |d| d.min(MAX_PLY as u32 - 1));
    let mut best = worker.root_moves[0].m;
    let mut stable_iterations = 0;
    let mut average = None;

    for depth in 1..=deepest.max(1) as Depth {
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
            worker.root_moves[..=rank].sort_by_key(|root_move| -root_move.score);
        }
        if worker.stopped {
            break;
        }
        worker.completed_depth = depth;
        worker.publish();
        if leads {
            for rank in 0..multipv {
                (shared.report)(Report::Info(completed::<S>(root, worker, rank)));
            }
        }
        if !leads {
            continue;
        }

        let front = &worker.root_moves[0];
        stable_iterations = if front.m == best { stable_iterations + 1 } else { 0 };
        best = front.m;
        let score = front.score;
        let reference = *average.get_or_insert(score.0);
        let sure = Confidence {
            stable_iterations,
            best_move_share: front.nodes as f64 / worker.nodes.max(1) as f64,
            score_drop: reference - score.0,
            only_move: worker.root_moves.len() == 1 && depth >= 8,
        };
        average = Some((reference * 2 + score.0) / 3);
        let mate = shared.limits.mate.is_some_and(|wanted| {
            score.mate_in().is_some_and(|found| found > 0 && found as u32 <= wanted)
        });
        let enough_nodes = shared.limits.soft_nodes.is_some_and(|n| shared.total_nodes() >= n);
        if mate || enough_nodes || shared.time.is_enough(shared.control, sure) {
            break;
        }
    }
    if leads {
        wait_if_asked(shared.limits, shared.control);
        shared.stop.store(true, Ordering::Relaxed);
    }
}

/// One iteration: searches in a narrow window about the last score, and widens it where the score
/// falls outside.
fn aspire<S: Searcher>(
    searcher: &mut S,
    root: &S::Root,
    worker: &mut Worker<'_, S::Move>,
    depth: Depth,
    multipv: usize,
) {
    let previous = worker.root_moves[worker.first].previous;
    let mut delta = 12 + previous.0.abs().min(2000) / 60;
    let (mut alpha, mut beta) = (-Score::INFINITE, Score::INFINITE);
    if depth >= 5 && !previous.is_decisive() {
        alpha = (previous - delta).max(-Score::INFINITE);
        beta = (previous + delta).min(Score::INFINITE);
    }
    let mut failed_high = 0;
    loop {
        let reduced = (depth - failed_high).max(1);
        let score = searcher.search_root(root, worker, reduced, alpha, beta);
        // Stable: moves that did not raise alpha keep their order.
        let first = worker.first;
        worker.root_moves[first..].sort_by_key(|root_move| -root_move.score);
        if worker.stopped {
            return;
        }
        if score <= alpha {
            beta = Score((alpha.0 + beta.0) / 2);
            alpha = (score - delta).max(-Score::INFINITE);
            failed_high = 0;
        } else if score >= beta {
            beta = (score + delta).min(Score::INFINITE);
            failed_high = (failed_high + 1).min(3);
        } else {
            return;
        }
        if worker.index == 0 && multipv == 1 && worker.shared.time.elapsed() >= QUIET_TIME {
            (worker.shared.report)(Report::Info(completed::<S>(root, worker, first)));
        }
        delta += delta / 2;
        if delta > 600 {
            (alpha, beta) = (-Score::INFINITE, Score::INFINITE);
        }
    }
}

/// The thread whose move to play: each votes for its own with a weight that grows with depth and
/// score; a forced win counts before all.
fn elect<M: Copy + Eq>(workers: &[Worker<'_, M>]) -> usize {
    let score = |w: &Worker<'_, M>| {
        let front = &w.root_moves[0];
        if front.score == -Score::INFINITE { front.previous } else { front.score }
    };
    let lowest = workers.iter().map(|w| score(w).0).min().unwrap_or(0);
    let vote = |w: &Worker<'_, M>| {
        let weight =
            |v: &Worker<'_, M>| i64::from(score(v).0 - lowest + 14) * i64::from(v.completed_depth);
        let m = w.root_moves[0].m;
        workers.iter().filter(|v| v.root_moves[0].m == m).map(weight).sum::<i64>()
    };
    let mut best = 0;
    for (i, worker) in workers.iter().enumerate().skip(1) {
        let (new, old) = (score(worker), score(&workers[best]));
        let better = if new.is_decisive() || old.is_decisive() {
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
