//! The channel from the engines of a tab to its session, and the slots that bound the searches of all
//! tabs. A search that finds no free slot waits.

use super::message::Lines;
use crate::arena::engine::failure::Failure;
use crate::search::driver::ResourceError;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, SendError};
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The time between two attempts to get a slot.
const RETRY: Duration = Duration::from_millis(10);

/// The number of a search. No other search of the same tab has it, whichever game it belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct SearchId(u64);

/// A message of an engine to the session.
#[derive(Debug)]
pub(super) struct EngineEvent {
    pub search: SearchId,
    pub report: EngineReport,
}

/// The content of an [`EngineEvent`].
#[derive(Debug)]
pub(super) enum EngineReport {
    /// The lines found so far.
    Lines(Lines),
    /// The chosen move in the form of programs, and the mover's score if known. The search has ended.
    Move { text: String, score: Option<i32> },
    /// The analysis of a whole game has progressed or ended.
    Progress,
    /// The search has ended without a result.
    Failed(EngineFailure),
}

/// The reason why a search has no result.
#[derive(Debug, thiserror::Error)]
pub(super) enum EngineFailure {
    /// There is no memory or no thread for the search.
    #[error(transparent)]
    Resource(#[from] ResourceError),
    /// The system gives no thread.
    #[error(transparent)]
    Thread(#[from] io::Error),
    /// Another engine has failed.
    #[error(transparent)]
    Engine(#[from] Failure),
    /// The engine's thread has panicked.
    #[error("the engine has ended")]
    Ended,
}

/// The sending end of the channel, shared by all engines of a tab.
#[derive(Clone, Debug)]
pub(super) struct Outlet {
    /// One permit for each search that may run.
    slots: Arc<Semaphore>,
    events: UnboundedSender<EngineEvent>,
    /// The number of searches begun.
    searches: Arc<AtomicU64>,
}

impl Outlet {
    /// Creates the outlet of a tab, and the receiving end for its session.
    pub fn new(slots: Arc<Semaphore>) -> (Self, UnboundedReceiver<EngineEvent>) {
        let (events, receiver) = unbounded_channel();
        (Self { slots, events, searches: Arc::default() }, receiver)
    }

    /// Returns a number for a new search.
    pub fn next_search(&self) -> SearchId {
        SearchId(self.searches.fetch_add(1, Ordering::Relaxed))
    }

    /// Sends an event. Returns whether the session still receives.
    pub fn send(&self, search: SearchId, report: EngineReport) -> bool {
        self.events.send(EngineEvent { search, report }).is_ok()
    }

    /// Waits for a slot; `None` if the search is stopped before it gets one.
    pub fn wait_for_slot(&self, is_stopped: impl Fn() -> bool) -> Option<OwnedSemaphorePermit> {
        while !is_stopped() {
            if let Ok(slot) = Arc::clone(&self.slots).try_acquire_owned() {
                return Some(slot);
            }
            std::thread::sleep(RETRY);
        }
        None
    }
}

/// Sends a job to the thread of an engine. Starts a thread if there is none, or it has panicked.
pub(super) fn send_job<J>(
    jobs: &mut Option<mpsc::Sender<J>>,
    job: J,
    spawn: impl FnOnce() -> io::Result<mpsc::Sender<J>>,
) -> io::Result<()> {
    let job = match jobs {
        None => job,
        Some(jobs) => match jobs.send(job) {
            Ok(()) => return Ok(()),
            Err(SendError(job)) => job,
        },
    };
    jobs.insert(spawn()?).send(job).map_err(|_| io::ErrorKind::BrokenPipe.into())
}
