//! One thread of a search: its counts, its root moves, and the state it shares with the other
//! threads.

use super::root_move::{RootMove, SearchedRootMove};
use crate::search::clock::TimeManager;
use crate::search::depth::{Depth, Ply};
use crate::search::limits::Limits;
#[cfg(doc)]
use crate::search::report::Info;
use crate::search::report::{Bound, Listener, Report};
use crate::search::score::Score;
use crate::search::stop::StopHandle;
use crate::search::tt::Table;
use crate::search::window::Window;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

pub(super) struct Shared<'a, M> {
    pub(super) table: &'a Table,
    pub(super) handle: &'a StopHandle,
    pub(super) limits: &'a Limits<M>,
    pub(super) time: TimeManager,
    pub(super) stop: AtomicBool,
    pub(super) counts: Vec<Counts>,
    pub(super) listener: Listener<'a, M>,
}

/// The counts that a thread last published to the other threads.
#[derive(Default)]
pub(super) struct Counts {
    nodes: AtomicU64,
    leaves: AtomicU64,
    leaf_plies: AtomicU64,
    hits: AtomicU64,
}

impl<M> Shared<'_, M> {
    fn total(&self, count: fn(&Counts) -> &AtomicU64) -> u64 {
        self.counts.iter().map(|counts| count(counts).load(Ordering::Relaxed)).sum()
    }

    pub(super) fn total_nodes(&self) -> u64 {
        self.total(|counts| &counts.nodes)
    }

    pub(super) fn total_hits(&self) -> u64 {
        self.total(|counts| &counts.hits)
    }

    pub(super) fn mean_depth(&self) -> Option<f64> {
        let leaves = self.total(|counts| &counts.leaves);
        let plies = self.total(|counts| &counts.leaf_plies);
        (leaves > 0).then(|| plies as f64 / leaves as f64)
    }
}

pub struct Worker<'a, M> {
    pub(super) shared: &'a Shared<'a, M>,
    /// The index of the thread. Thread 0 checks the limits and sends the reports.
    pub(super) index: usize,
    nodes: u64,
    leaves: u64,
    leaf_plies: u64,
    hits: u64,
    pub(super) stopped: bool,
    next_poll: u64,
    /// The current number of nodes between two polls.
    poll_interval: u64,
    last_poll: Instant,
    started: Instant,
    /// The length of the longest line searched with an open window, in plies. Reset for each
    /// iteration and for each line of a MultiPV search.
    pub seldepth: usize,
    /// The root moves, best first.
    pub root_moves: Vec<RootMove<M>>,
    /// The index of the first root move to search; the moves before it belong to better lines
    /// (MultiPV).
    pub first: usize,
    pub root_depth: Depth,
    pub(super) completed_depth: Depth,
}

/// The maximum number of nodes between two polls. Searching this many nodes usually takes well
/// under a millisecond.
const MAX_POLL_INTERVAL: u64 = 512;
/// If more time than this passes between two polls, the search polls at every node. In Frisian
/// draughts, a node with a king among twenty pieces can take milliseconds.
const SLOW_POLL: Duration = Duration::from_millis(5);
/// The maximum time for which the first iteration ignores the clock and stop commands, so that it
/// can be completed.
const FIRST_ITERATION: Duration = Duration::from_millis(100);
/// For this long after its start, a search reports only complete iterations, to avoid flooding the
/// interface.
pub(super) const QUIET_TIME: Duration = Duration::from_secs(3);

impl<'a, M: Copy + Eq + fmt::Debug> Worker<'a, M> {
    /// Creates the worker of a thread. The first thread also counts the root moves found in endgame
    /// tables.
    pub(super) fn new(
        shared: &'a Shared<'a, M>,
        index: usize,
        root_moves: Vec<RootMove<M>>,
        tablebase_moves: usize,
    ) -> Self {
        Self {
            shared,
            index,
            nodes: 0,
            leaves: 0,
            leaf_plies: 0,
            hits: if index == 0 { tablebase_moves as u64 } else { 0 },
            stopped: false,
            next_poll: 0,
            poll_interval: 1,
            last_poll: Instant::now(),
            started: Instant::now(),
            seldepth: 0,
            root_moves,
            first: 0,
            root_depth: Depth::HORIZON,
            completed_depth: Depth::HORIZON,
        }
    }

    /// Counts a node. Returns true if the search has been stopped, in which case its result is
    /// meaningless.
    #[inline(always)]
    pub fn visit(&mut self) -> bool {
        if self.nodes >= self.next_poll {
            self.poll();
        }
        self.nodes += u64::from(!self.stopped);
        self.stopped
    }

    #[cold]
    fn poll(&mut self) {
        self.publish();
        let is_slow = self.last_poll.elapsed() > SLOW_POLL;
        self.poll_interval =
            if is_slow { 1 } else { (2 * self.poll_interval).min(MAX_POLL_INTERVAL) };
        self.last_poll = Instant::now();
        self.next_poll = self.nodes + self.poll_interval;
        if self.index == 0 {
            let limit = self.shared.limits.nodes.unwrap_or(u64::MAX);
            self.next_poll = self.next_poll.min(limit);
            self.check_limits(limit);
        }
        self.stopped |= self.shared.stop.load(Ordering::Relaxed);
    }

    fn check_limits(&self, limit: u64) {
        // Let the short first iteration finish: even a shallow search is better than none.
        let may_stop = self.completed_depth > Depth::HORIZON
            || self.nodes >= 1000
            || self.started.elapsed() > FIRST_ITERATION;
        let out_of_time =
            || self.shared.handle.is_stopped() || self.shared.time.must_stop(self.shared.handle);
        if self.shared.total_nodes() >= limit || may_stop && out_of_time() {
            self.shared.stop.store(true, Ordering::Relaxed);
        }
    }

    pub(super) fn publish(&self) {
        let counts = &self.shared.counts[self.index];
        counts.nodes.store(self.nodes, Ordering::Relaxed);
        counts.leaves.store(self.leaves, Ordering::Relaxed);
        counts.leaf_plies.store(self.leaf_plies, Ordering::Relaxed);
        counts.hits.store(self.hits, Ordering::Relaxed);
    }

    /// Counts a leaf for [`Info::mean_depth`]: a quiescence node scored by its static evaluation,
    /// or a node scored by endgame tables.
    #[inline(always)]
    pub fn leaf(&mut self, ply: Ply) {
        self.leaves += 1;
        self.leaf_plies += ply.0 as u64;
    }

    /// Counts a leaf scored by endgame tables, for [`Info::mean_depth`] and [`Info::tbhits`].
    #[inline(always)]
    pub fn tablebase_leaf(&mut self, ply: Ply) {
        self.leaf(ply);
        self.hit();
    }

    /// Counts a position found in endgame tables, for [`Info::tbhits`].
    #[inline(always)]
    pub const fn hit(&mut self) {
        self.hits += 1;
    }

    /// Returns the root moves to search: the move at the index [`Self::first`], and the moves after
    /// it that have the same tablebase rank.
    #[inline]
    pub fn candidates(&self) -> &[RootMove<M>] {
        let rest = &self.root_moves[self.first..];
        let is_equal = |pair: &[RootMove<M>]| pair[0].rank() == pair[1].rank();
        let equal = rest.windows(2).take_while(|pair| is_equal(pair)).count();
        &rest[..rest.len().min(equal + 1)]
    }

    #[inline(always)]
    pub const fn is_stopped(&self) -> bool {
        self.stopped
    }

    #[inline(always)]
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    #[inline(always)]
    pub const fn table(&self) -> &'a Table {
        self.shared.table
    }

    /// Reports the root move at `index` as the move being searched, except during the first seconds
    /// of a search. A MultiPV search searches the root moves again for each further line, so only
    /// the search for the first line is reported.
    pub fn report_current(&self, index: usize) {
        if let Some(report) = self.shared.listener
            && self.index == 0
            && self.first == 0
            && self.shared.time.elapsed() >= QUIET_TIME
        {
            report(Report::CurrentMove {
                depth: self.root_depth,
                m: self.root_moves[index].m,
                number: index + 1,
            });
        }
    }

    /// Stores the result of a root move. The score and the line are stored only if the move is the
    /// first move searched or raises alpha. `rest` is the line below the move.
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
}
