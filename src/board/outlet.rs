//! The channel from a tab's engines to its session, and the slots that limit the number of
//! concurrent searches across all tabs. A search waits until a slot is free.

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

const RETRY: Duration = Duration::from_millis(10);

/// The number of a search, unique among all searches of a tab.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct SearchId(u64);

#[derive(Debug)]
pub(super) struct EngineEvent {
    pub search: SearchId,
    pub report: EngineReport,
}

#[derive(Debug)]
pub(super) enum EngineReport {
    Lines(Lines),
    /// The end of a search: the chosen move in UCI or Hub notation, and the mover's score in
    /// hundredths of a pawn or man, if known.
    Move {
        text: String,
        score: Option<i32>,
    },
    /// The end of a comparison: each compared move in UCI or Hub notation, with the mover's
    /// expected points after it.
    Compared {
        points: Vec<(String, f64)>,
    },
    Progress,
    Failed(EngineFailure),
}

#[derive(Debug, thiserror::Error)]
pub(super) enum EngineFailure {
    #[error(transparent)]
    Resource(#[from] ResourceError),
    /// The system could not start a thread.
    #[error(transparent)]
    Thread(#[from] io::Error),
    #[error(transparent)]
    Engine(#[from] Failure),
    #[error("the engine stopped unexpectedly")]
    Ended,
}

/// The sending end of the channel, shared by all engines of a tab.
#[derive(Clone, Debug)]
pub(super) struct Outlet {
    /// One permit per concurrent search.
    slots: Arc<Semaphore>,
    events: UnboundedSender<EngineEvent>,
    searches: Arc<AtomicU64>,
}

impl Outlet {
    pub(super) fn new(slots: Arc<Semaphore>) -> (Self, UnboundedReceiver<EngineEvent>) {
        let (events, receiver) = unbounded_channel();
        (Self { slots, events, searches: Arc::default() }, receiver)
    }

    pub(super) fn next_search(&self) -> SearchId {
        SearchId(self.searches.fetch_add(1, Ordering::Relaxed))
    }

    /// Sends an event. Returns whether the session still exists.
    pub(super) fn send(&self, search: SearchId, report: EngineReport) -> bool {
        self.events.send(EngineEvent { search, report }).is_ok()
    }

    /// Waits for a slot. Returns `None` if the search is stopped while waiting.
    pub(super) fn wait_for_slot(
        &self,
        is_stopped: impl Fn() -> bool,
    ) -> Option<OwnedSemaphorePermit> {
        while !is_stopped() {
            if let Ok(slot) = Arc::clone(&self.slots).try_acquire_owned() {
                return Some(slot);
            }
            std::thread::sleep(RETRY);
        }
        None
    }
}

/// Sends a job to an engine's thread. Starts a new thread if there is none or the thread has ended.
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
