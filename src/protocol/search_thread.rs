//! The thread that searches. It does one job after another, so that a second `go` waits for the end
//! of the first and a resized table is never pulled from under a search.

use super::wire::Wire;
use crate::search::driver::STACK;
use std::fmt::{self, Display};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender, TrySendError};
use std::thread::Builder;
use std::time::{Duration, Instant};

type Task<E, R> = Box<dyn FnOnce(&mut E, &Wire) -> R + Send>;

enum Job<E> {
    Short(Task<E, ()>),
    Long(Task<E, Option<String>>),
    End,
}

/// The most jobs that wait. More are a flood, and would fill the memory.
const MOST_WAITING: usize = 64;

/// How long a job waits for room.
const PATIENCE: Duration = Duration::from_secs(10);

/// Too many jobs wait for the end of a long one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{MOST_WAITING} commands wait for the end of the search: this one is ignored")]
pub struct TooManyWaiting;

/// The handle of the thread, which owns an engine `E`.
pub struct SearchThread<E> {
    jobs: SyncSender<Job<E>>,
    ended: Receiver<()>,
    /// Long jobs that have not ended.
    pending: Arc<AtomicUsize>,
}

impl<E> fmt::Debug for SearchThread<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SearchThread").field("pending", &self.pending).finish_non_exhaustive()
    }
}

impl<E: 'static> SearchThread<E> {
    /// Starts the thread, which answers into `wire`. If the engine cannot be made, it says why and
    /// hangs up.
    pub fn spawn<F: Display>(
        wire: Arc<Wire>,
        engine: impl FnOnce() -> Result<E, F> + Send + 'static,
    ) -> Self {
        let (jobs, queue) = mpsc::sync_channel(MOST_WAITING);
        let (end, ended) = mpsc::channel();
        let pending = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&pending);
        let thread = Builder::new().name("search".to_owned()).stack_size(STACK);
        let log = Arc::clone(&wire);
        let started = thread.spawn(move || {
            match engine() {
                Ok(mut engine) => work(&mut engine, &queue, &wire, &count),
                Err(error) => {
                    wire.send(error);
                    wire.close();
                }
            }
            // Nobody may be waiting any more.
            let _ = end.send(());
        });
        if let Err(error) = started {
            log.send(error);
            log.close();
        }
        Self { jobs, ended, pending }
    }

    /// Whether a long job has not ended yet.
    pub fn is_thinking(&self) -> bool {
        self.pending.load(Ordering::Acquire) > 0
    }

    /// Does something short after all earlier jobs.
    ///
    /// # Errors
    /// If there is no room, and none soon since a long job is among the earlier ones.
    pub fn push(
        &self,
        job: impl FnOnce(&mut E, &Wire) + Send + 'static,
    ) -> Result<(), TooManyWaiting> {
        match self.jobs.try_send(Job::Short(Box::new(job))) {
            Err(TrySendError::Full(_)) if self.is_thinking() => Err(TooManyWaiting),
            Err(TrySendError::Full(job)) => self.send(job),
            sent => {
                sent.unwrap_or_else(|_| gone());
                Ok(())
            }
        }
    }

    /// Does something that takes long and can be stopped, after all earlier jobs, of which the long
    /// ones have been stopped: if there is no room, this waits for them. The answer that the job
    /// returns is sent when it no longer counts as pending, so that whoever has read the answer can
    /// rely on the thread being idle.
    ///
    /// # Errors
    /// If there is no room after a while.
    pub fn push_long(
        &self,
        job: impl FnOnce(&mut E, &Wire) -> Option<String> + Send + 'static,
    ) -> Result<(), TooManyWaiting> {
        self.pending.fetch_add(1, Ordering::AcqRel);
        self.send(Job::Long(Box::new(job))).inspect_err(|_| {
            self.pending.fetch_sub(1, Ordering::AcqRel);
        })
    }

    /// Puts a job behind the others, and waits for room, but not for ever: the thread may be held up by
    /// an output that nobody reads.
    fn send(&self, mut job: Job<E>) -> Result<(), TooManyWaiting> {
        let start = Instant::now();
        loop {
            job = match self.jobs.try_send(job) {
                Err(TrySendError::Full(_)) if start.elapsed() > PATIENCE => {
                    return Err(TooManyWaiting);
                }
                Err(TrySendError::Full(job)) => job,
                sent => {
                    sent.unwrap_or_else(|_| gone());
                    return Ok(());
                }
            };
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Takes no more jobs, and waits a moment for the last to end.
    pub fn finish(&self) {
        // If there is no room, the thread is busy and left behind.
        let _ = self.jobs.try_send(Job::End);
        let _ = self.ended.recv_timeout(Duration::from_millis(500));
    }
}

fn gone() {
    tracing::error!("the thinking thread is gone");
}

fn work<E>(engine: &mut E, queue: &Receiver<Job<E>>, wire: &Wire, pending: &AtomicUsize) {
    for job in queue {
        match job {
            Job::Short(run) => run(engine, wire),
            Job::Long(run) => {
                let answer = run(engine, wire);
                pending.fetch_sub(1, Ordering::AcqRel);
                if let Some(answer) = answer {
                    wire.send(answer);
                }
            }
            Job::End => break,
        }
    }
}
