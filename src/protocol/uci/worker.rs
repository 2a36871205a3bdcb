//! The thread that thinks. It does one job after another, so that a second `go` waits for the end of
//! the first and a resized table is never pulled from under a search.

use super::option::Settings;
use super::reply::{BestMove, CurrentMove, NoMoves, Notation, Text, Thought};
use super::strength::Strength;
use crate::chess::Move;
use crate::protocol::wire::Wire;
use crate::search::chess::{ChessEngine, Root};
use crate::search::control::Control;
use crate::search::driver::Options;
use crate::search::limits::Limits;
use crate::search::report::{Info, Report};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Duration;

/// Something to do at leisure.
pub enum Job {
    /// Change the size of the table, in MB.
    Hash(usize),
    /// Change the number of threads.
    Threads(usize),
    /// Forget everything.
    Clear,
    /// Say that all earlier jobs are done.
    Ready,
    /// Think.
    Search(Box<Search>),
    /// Something else that takes long and can be stopped.
    Other(Box<dyn FnOnce(&Wire) + Send>),
}

impl Job {
    const fn is_long(&self) -> bool {
        matches!(self, Self::Search(_) | Self::Other(_))
    }
}

/// One `go`.
#[derive(Debug)]
pub struct Search {
    /// Where to start.
    pub root: Root,
    /// When to end.
    pub limits: Limits<Move>,
    /// Who may end it earlier.
    pub control: Control,
    /// The options at the time of `go`.
    pub settings: Settings,
    /// Who plays, if not the engine as well as it can.
    pub strength: Option<Strength>,
}

/// The handle of the thread.
pub struct Worker {
    jobs: Sender<Job>,
    ended: Receiver<()>,
    /// Searches and the like that have not ended.
    pending: Arc<AtomicUsize>,
}

impl fmt::Debug for Worker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Worker").field("pending", &self.pending).finish_non_exhaustive()
    }
}

impl Worker {
    /// Starts the thread, which answers into `wire`.
    pub fn spawn(wire: Arc<Wire>, settings: &Settings) -> Self {
        let (jobs, queue) = mpsc::channel();
        let (end, ended) = mpsc::channel();
        let pending = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&pending);
        let options = Options {
            hash_mb: settings.hash_mb,
            threads: settings.threads,
            multipv: settings.multipv,
            move_overhead: settings.move_overhead,
        };
        std::thread::spawn(move || {
            work(options, &queue, &wire, &count);
            // Nobody may be waiting any more.
            let _ = end.send(());
        });
        Self { jobs, ended, pending }
    }

    /// Whether a search has not ended yet.
    pub fn is_thinking(&self) -> bool {
        self.pending.load(Ordering::Acquire) > 0
    }

    /// Does a job after all earlier ones.
    pub fn push(&self, job: Job) {
        if job.is_long() {
            self.pending.fetch_add(1, Ordering::AcqRel);
        }
        if self.jobs.send(job).is_err() {
            tracing::error!("the thinking thread is gone");
        }
    }

    /// Takes no more jobs, and waits a moment for the last to end.
    pub fn finish(self) {
        drop(self.jobs);
        let _ = self.ended.recv_timeout(Duration::from_millis(500));
    }
}

fn work(options: Options, queue: &Receiver<Job>, wire: &Wire, pending: &AtomicUsize) {
    let mut engine = match ChessEngine::new(options) {
        Ok(engine) => engine,
        Err(error) => {
            wire.send(Text(error));
            return wire.close();
        }
    };
    for job in queue {
        let done = match job {
            Job::Hash(megabytes) => engine.set_hash(megabytes),
            Job::Threads(threads) => engine.set_threads(threads),
            Job::Clear => {
                engine.clear();
                Ok(())
            }
            Job::Ready => {
                wire.send("readyok");
                Ok(())
            }
            Job::Search(search) => {
                let answer = think(&mut engine, wire, &search);
                // Before the answer: who has read it may rely on our being idle.
                pending.fetch_sub(1, Ordering::AcqRel);
                wire.send(answer);
                Ok(())
            }
            Job::Other(run) => {
                run(wire);
                pending.fetch_sub(1, Ordering::AcqRel);
                Ok(())
            }
        };
        if let Err(error) = done {
            wire.send(Text(error));
        }
    }
}

/// Searches, reports, and returns the answer.
fn think(engine: &mut ChessEngine, wire: &Wire, search: &Search) -> BestMove {
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
