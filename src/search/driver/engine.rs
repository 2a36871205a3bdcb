//! The engine, which owns the transposition table and the threads, and runs searches.

use super::deepening::{deepen, wait_for_interface};
use super::election::elect;
use super::info::line_info;
use super::options::Options;
use super::root_move::RootMove;
use super::searcher::{Root, Searcher};
use super::worker::{Counts, Shared, Worker};
use crate::base::game::Game;
use crate::base::panics::OnPanic;
use crate::search::clock::TimeManager;
use crate::search::limits::Limits;
use crate::search::report::{Info, Listener, Report, SearchResult};
use crate::search::score::Score;
use crate::search::stop::StopHandle;
use crate::search::tt::Table;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::collections::TryReserveError;
use std::fmt;
use std::iter;
use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// An engine for one game: a transposition table, threads, and the histories of each thread.
pub struct Engine<S: Searcher> {
    /// The options. Change the size of the table with [`Self::set_hash`] and the number of threads
    /// with [`Self::set_threads`]. Changes to the other options apply to the next search.
    pub options: Options,
    table: Table,
    pool: ThreadPool,
    searchers: Vec<Mutex<S>>,
    cleared: bool,
}

impl<S: Searcher> fmt::Debug for Engine<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine").field("options", &self.options).finish_non_exhaustive()
    }
}

/// The error for memory or threads that the system cannot provide.
#[derive(Debug, thiserror::Error)]
pub enum ResourceError {
    /// The system does not have enough memory for a hash table of this size in MB.
    #[error("not enough memory for a hash table of {0} MB; choose a smaller size")]
    Memory(usize, #[source] TryReserveError),
    /// The system cannot start this number of threads.
    #[error("cannot start {0} threads: {1}")]
    Threads(usize, #[source] rayon::ThreadPoolBuildError),
}

/// The stack size of a search thread in bytes: enough for a line of [`Ply::MAX`] nodes, each with
/// its move list.
///
/// [`Ply::MAX`]: crate::search::depth::Ply::MAX
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
    /// Creates an engine with these options.
    pub fn new(options: Options) -> Result<Self, ResourceError> {
        let threads = options.threads.max(1);
        let pool = pool(threads)?;
        let table = pool
            .install(|| Table::new(options.hash_mb))
            .map_err(|error| ResourceError::Memory(options.hash_mb, error))?;
        let searchers = (0..threads).map(|_| Mutex::new(S::new())).collect();
        Ok(Self { options, table, pool, searchers, cleared: true })
    }

    /// Replaces the table with an empty table of another size. If there is not enough memory, fails
    /// and keeps the old table.
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

    /// Changes the number of threads. If the new threads cannot be started, fails and keeps the old
    /// threads.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), ResourceError> {
        let threads = threads.max(1);
        if threads != self.options.threads {
            self.pool = pool(threads)?;
            self.searchers.resize_with(threads, || Mutex::new(S::new()));
            self.options.threads = threads;
        }
        Ok(())
    }

    /// Empties the table and the histories for a new game.
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

    /// Searches until a limit is reached or `handle` stops the search. The `listener` receives
    /// intermediate results.
    pub fn search(
        &mut self,
        root: &Root<S>,
        limits: &Limits<S::Move>,
        handle: &StopHandle,
        listener: Listener<'_, S::Move>,
    ) -> SearchResult<S::Move> {
        self.cleared = false;
        self.pool.install(|| self.lead(root, limits, handle, listener))
    }

    /// Searches like [`Self::search`] and calls `on_info` with each line that the search finds.
    ///
    /// ```
    /// use adoube::chess::Position;
    /// use adoube::engine::{ChessEngine, ChessRoot, Limits, Options, StopHandle};
    ///
    /// let mut engine = ChessEngine::new(Options { hash_mb: 1, ..Options::default() })?;
    /// let root = ChessRoot::new(Position::start());
    /// let mut depths = Vec::new();
    /// engine.search_with(&root, &Limits::depth(3), &StopHandle::new(), |info| {
    ///     depths.push(info.depth);
    /// });
    /// assert_eq!(depths, [1, 2, 3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn search_with(
        &mut self,
        root: &Root<S>,
        limits: &Limits<S::Move>,
        handle: &StopHandle,
        on_info: impl FnMut(&Info<S::Move>) + Send,
    ) -> SearchResult<S::Move> {
        // All threads share the listener, which must therefore be `Sync`, but only one calls it.
        let on_info = Mutex::new(on_info);
        let listener = |report: Report<S::Move>| {
            if let Report::Info(info) = report {
                (on_info.lock().unwrap_or_else(PoisonError::into_inner))(&info);
            }
        };
        self.search(root, limits, handle, Some(&listener))
    }

    /// Like [`Self::search`], but searches on the calling thread, which must have a stack of at
    /// least `STACK` bytes. This avoids delays at the start and end of the search on a busy
    /// machine, where a thread of the pool may have to wait for a processor.
    pub fn search_here(
        &mut self,
        root: &Root<S>,
        limits: &Limits<S::Move>,
        handle: &StopHandle,
        listener: Listener<'_, S::Move>,
    ) -> SearchResult<S::Move> {
        self.cleared = false;
        self.lead(root, limits, handle, listener)
    }

    /// Searches on this thread as the first worker, and on the pool's threads as the other workers.
    fn lead(
        &self,
        root: &Root<S>,
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
            counts: self.searchers.iter().map(|_| Counts::default()).collect(),
            listener,
        };
        let mut moves = root.position.moves();
        if !limits.searchmoves.is_empty() {
            moves.retain(|m| limits.searchmoves.contains(m));
        }
        if moves.is_empty() {
            wait_for_interface(limits, handle);
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
        let ranks = S::tablebase_moves(root);
        let mut root_moves: Vec<_> = moves.iter().map(|&m| RootMove::new(m, &ranks)).collect();
        root_moves.sort_by_key(|root_move| -root_move.rank());
        self.table.new_search();
        let multipv = self.options.multipv.clamp(1, moves.len());

        let workers = self.on_all_threads(|index, searcher| {
            // A panic stops the other workers. The thread that waits for all workers then resumes
            // the panic.
            let _panics = OnPanic(|| {
                shared.stop.store(true, Ordering::Relaxed);
                handle.stop();
            });
            let mut worker = Worker::new(&shared, index, root_moves.clone(), ranks.len());
            deepen(searcher, root, &mut worker, multipv);
            worker.publish();
            worker
        });
        let best = if multipv == 1 { elect(&workers) } else { 0 };
        let worker = &workers[best];
        // A search that was stopped before its first score has a move but no line.
        let lines: Vec<_> = (0..multipv)
            .map(|rank| line_info::<S>(root, worker, rank))
            .filter(|line| line.internal_score != -Score::INFINITE)
            .collect();
        let info = lines.first().cloned();
        if let (Some(report), Some(info)) = (listener, info.as_ref().filter(|_| best != 0)) {
            report(Report::Info(info.clone()));
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

    /// Calls `work` for all searchers concurrently, passing each searcher's index and the searcher.
    /// The first searcher runs on this thread, the others on threads of the pool.
    fn on_all_threads<T: Send>(&self, work: impl Fn(usize, &mut S) -> T + Sync) -> Vec<T> {
        let work = |index: usize| {
            let searcher = self.searchers[index].lock();
            work(index, &mut searcher.unwrap_or_else(PoisonError::into_inner))
        };
        let others = self.searchers.len() - 1;
        if others == 0 {
            return vec![work(0)];
        }
        // The pool has one thread more than needed. Skip the calling thread if it belongs to the
        // pool, otherwise the last thread.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draughts::{Move, Position};
    use crate::search::depth::Depth;
    use crate::search::draughts::Constants;
    use crate::search::score::Score;
    use crate::search::window::Window;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    /// A searcher that panics on the second thread. On the first thread it searches until stopped.
    struct Panics;

    impl Searcher for Panics {
        type Position = Position;
        type Move = Move;
        type Constants = Constants;
        type Resources = ();

        fn new() -> Self {
            Self
        }

        fn clear(&mut self) {}

        fn begin(&mut self, _: &Root<Self>) {}

        fn search_root(
            &mut self,
            _: &Root<Self>,
            worker: &mut Worker<'_, Move>,
            _: Depth,
            _: Window,
        ) -> Score {
            assert_eq!(worker.index, 0, "the second thread panics");
            while !worker.visit() {
                std::thread::yield_now();
            }
            Score(0)
        }

        fn continuation(_: &Position, _: &Table) -> Option<Move> {
            None
        }
    }

    #[test]
    fn each_searcher_runs_once_from_any_calling_thread() {
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
    fn panic_in_one_thread_ends_the_search() {
        let options = Options { hash_mb: 1, threads: 2, ..Options::default() };
        let mut engine = Engine::<Panics>::new(options).expect("two threads");
        let limits = Limits { infinite: true, ..Limits::default() };
        let search =
            || engine.search(&Root::new(Position::start()), &limits, &StopHandle::new(), None);
        let searched = catch_unwind(AssertUnwindSafe(search));
        assert!(searched.is_err(), "the panic is resumed");
    }
}
