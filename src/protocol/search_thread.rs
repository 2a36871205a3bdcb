//! The search thread. It runs one job after another, so that a second `go` waits for the end of the
//! first and a table is never resized during a search.
//!
//! If a job panics, the thread ends and its owner is notified at once. An engine that can no longer
//! search must exit, because its user would otherwise wait forever.

use super::failure::EngineFailure;
use super::wire::Wire;
use crate::base::panics;
use crate::search::driver::STACK;
use std::fmt::{self, Display};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender, TrySendError};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

type Task<E, R> = Box<dyn FnOnce(&mut E, &Wire) -> R + Send>;

enum Job<E> {
    Short(Task<E, ()>),
    Long(Task<E, Option<String>>),
    End,
}

/// The maximum number of waiting jobs. It limits the memory used by a flood of commands.
const MAX_WAITING: usize = 64;

/// The maximum time to wait for room in a full queue.
const PATIENCE: Duration = Duration::from_secs(10);

#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{MAX_WAITING} commands are waiting for the search to end: this one is ignored")]
pub(crate) struct TooManyWaiting;

/// A handle to the search thread. The thread owns an engine `E`.
pub(crate) struct SearchThread<E> {
    jobs: SyncSender<Job<E>>,
    thread: JoinHandle<()>,
    ended: Receiver<Result<(), EngineFailure>>,
    /// The number of long jobs that have not ended.
    pending: Arc<AtomicUsize>,
}

impl<E> fmt::Debug for SearchThread<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SearchThread").field("pending", &self.pending).finish_non_exhaustive()
    }
}

impl<E: 'static> SearchThread<E> {
    /// Starts the thread, which sends its answers to `wire`. `on_death` is called if the engine
    /// cannot be created or a job panics.
    pub(crate) fn spawn<F: Display>(
        wire: Arc<Wire>,
        engine: impl FnOnce() -> Result<E, F> + Send + 'static,
        on_death: impl FnOnce(&EngineFailure) + Send + 'static,
    ) -> Self {
        let (jobs, queue) = mpsc::sync_channel(MAX_WAITING);
        let (end, ended) = mpsc::channel();
        let pending = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&pending);
        let thread = Builder::new().name("search".to_owned()).stack_size(STACK);
        let thread = thread.spawn(move || {
            let live = || {
                let made = engine().map_err(|error| EngineFailure::Engine(error.to_string()));
                made.map(|mut engine| work(&mut engine, &queue, &wire, &count))
            };
            // Unwind safety: nothing that a panicking job may have changed is used afterwards.
            let ended = catch_unwind(AssertUnwindSafe(live)).unwrap_or_else(|panic| {
                Err(EngineFailure::Panic(panics::message(&*panic).to_owned()))
            });
            if let Err(error) = &ended {
                on_death(error);
            }
            // The receiver may be gone.
            let _ = end.send(ended);
        });
        let thread = thread.expect("cannot start the search thread");
        Self { jobs, thread, ended, pending }
    }

    pub fn is_dead(&self) -> bool {
        self.thread.is_finished()
    }

    pub(crate) fn is_thinking(&self) -> bool {
        self.pending.load(Ordering::Acquire) > 0
    }

    /// Queues a short job after all earlier jobs. If the queue is full, waits for room with a
    /// timeout, but fails at once if a search is pending, because a search may be endless. `counts`
    /// is true if the pending jobs are counts such as perft, which are not endless.
    pub(crate) fn push(
        &self,
        counts: bool,
        job: impl FnOnce(&mut E, &Wire) + Send + 'static,
    ) -> Result<(), TooManyWaiting> {
        match self.jobs.try_send(Job::Short(Box::new(job))) {
            Err(TrySendError::Full(_)) if self.is_thinking() && !counts => Err(TooManyWaiting),
            Err(TrySendError::Full(job)) => self.send(job),
            sent => {
                sent.unwrap_or_else(|_| log_thread_ended());
                Ok(())
            }
        }
    }

    /// Queues a long job that can be stopped. If the queue is full, waits for room with a timeout.
    /// The caller must already have stopped the earlier long jobs, so that there will soon be room.
    /// The thread marks the job as finished before it sends the job's answer, so that a peer that
    /// has read the answer finds the thread idle.
    pub(crate) fn push_long(
        &self,
        job: impl FnOnce(&mut E, &Wire) -> Option<String> + Send + 'static,
    ) -> Result<(), TooManyWaiting> {
        self.pending.fetch_add(1, Ordering::AcqRel);
        self.send(Job::Long(Box::new(job))).inspect_err(|_| {
            self.pending.fetch_sub(1, Ordering::AcqRel);
        })
    }

    /// Queues a job. Waits for room with a timeout, because the thread may be blocked by output
    /// that is not read.
    fn send(&self, mut job: Job<E>) -> Result<(), TooManyWaiting> {
        let start = Instant::now();
        loop {
            job = match self.jobs.try_send(job) {
                Err(TrySendError::Full(_)) if start.elapsed() > PATIENCE => {
                    return Err(TooManyWaiting);
                }
                Err(TrySendError::Full(job)) => job,
                sent => {
                    sent.unwrap_or_else(|_| log_thread_ended());
                    return Ok(());
                }
            };
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Closes the queue and waits briefly for the last job. Fails if the thread has failed.
    pub(crate) fn finish(&self) -> Result<(), EngineFailure> {
        // Ignore an error: either the thread has already ended, or it is busy and its queue is
        // full. A busy thread is left behind.
        let _ = self.jobs.try_send(Job::End);
        self.ended.recv_timeout(Duration::from_millis(500)).unwrap_or(Ok(()))
    }
}

fn log_thread_ended() {
    tracing::error!("the search thread has ended");
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_a_job_that_panics() {
        let (sender, failures) = mpsc::channel();
        let wire = Arc::new(Wire::new(std::io::sink(), || {}));
        let thread = SearchThread::spawn(
            wire,
            || Ok::<_, String>(7),
            move |error| sender.send(error.clone()).expect("an open channel"),
        );
        assert_eq!(thread.push(false, |engine, _| assert_eq!(*engine, 7)), Ok(()));
        assert_eq!(thread.push_long(|engine, _| panic!("the engine is {engine}")), Ok(()));
        let _ = thread.push(false, |_, _| unreachable!("it is dead"));
        let expected = EngineFailure::Panic("the engine is 7".to_owned());
        assert_eq!(failures.recv_timeout(Duration::from_secs(60)), Ok(expected.clone()));
        assert_eq!(thread.finish(), Err(expected));
    }

    #[test]
    fn reports_an_engine_that_cannot_be_created() {
        let wire = Arc::new(Wire::new(std::io::sink(), || {}));
        let thread = SearchThread::<()>::spawn(wire, || Err("no room"), |_| {});
        let ended = thread.ended.recv_timeout(Duration::from_secs(60));
        assert_eq!(ended, Ok(Err(EngineFailure::Engine("no room".to_owned()))));
    }
}
