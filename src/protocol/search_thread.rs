//! The thread that searches. It does one job after another, so that a second `go` waits for the end
//! of the first and a resized table is never pulled from under a search.
//!
//! Should a job panic, the thread dies, and its owner is told at once: an engine that cannot think any
//! more must end, or its user would wait for it for ever.

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

/// The most jobs that wait. More are a flood, and would fill the memory.
const MAX_WAITING: usize = 64;

/// How long a job waits for room.
const PATIENCE: Duration = Duration::from_secs(10);

/// Too many jobs wait for the end of a long one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{MAX_WAITING} commands wait for the end of the search: this one is ignored")]
pub struct TooManyWaiting;

/// The handle of the thread, which owns an engine `E`.
pub struct SearchThread<E> {
    jobs: SyncSender<Job<E>>,
    thread: JoinHandle<()>,
    ended: Receiver<Result<(), EngineFailure>>,
    /// Long jobs that have not ended.
    pending: Arc<AtomicUsize>,
}

impl<E> fmt::Debug for SearchThread<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SearchThread").field("pending", &self.pending).finish_non_exhaustive()
    }
}

impl<E: 'static> SearchThread<E> {
    /// Starts the thread, which answers into `wire`. If the engine cannot be made, or dies, `on_death` is
    /// told why.
    ///
    /// # Panics
    /// If the system gives no thread.
    pub fn spawn<F: Display>(
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
            // Nothing that a panic may have left half done is used afterwards.
            let ended = catch_unwind(AssertUnwindSafe(live)).unwrap_or_else(|panic| {
                Err(EngineFailure::Panic(panics::words(&*panic).to_owned()))
            });
            if let Err(error) = &ended {
                on_death(error);
            }
            // Nobody may be waiting any more.
            let _ = end.send(ended);
        });
        let thread = thread.expect("the system gives a thread");
        Self { jobs, thread, ended, pending }
    }

    /// Whether the thread has ended before its time.
    pub fn is_dead(&self) -> bool {
        self.thread.is_finished()
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
    ///
    /// # Errors
    /// If the thread had ended before.
    pub fn finish(&self) -> Result<(), EngineFailure> {
        // It may have ended already; if there is no room, it is busy and left behind.
        let _ = self.jobs.try_send(Job::End);
        self.ended.recv_timeout(Duration::from_millis(500)).unwrap_or(Ok(()))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_that_panics_is_told_of() {
        let (told, heard) = mpsc::channel();
        let wire = Arc::new(Wire::new(std::io::sink(), || {}));
        let thread = SearchThread::spawn(
            wire,
            || Ok::<_, String>(7),
            move |error| told.send(error.clone()).expect("somebody listens"),
        );
        assert_eq!(thread.push(|engine, _| assert_eq!(*engine, 7)), Ok(()));
        assert_eq!(thread.push_long(|engine, _| panic!("the engine is {engine}")), Ok(()));
        let _ = thread.push(|_, _| unreachable!("it is dead"));
        let expected = EngineFailure::Panic("the engine is 7".to_owned());
        assert_eq!(heard.recv_timeout(Duration::from_secs(60)), Ok(expected.clone()));
        assert_eq!(thread.finish(), Err(expected));
    }

    #[test]
    fn an_engine_that_cannot_be_made_is_told_of() {
        let wire = Arc::new(Wire::new(std::io::sink(), || {}));
        let thread = SearchThread::<()>::spawn(wire, || Err("no room"), |_| {});
        let ended = thread.ended.recv_timeout(Duration::from_secs(60));
        assert_eq!(ended, Ok(Err(EngineFailure::Engine("no room".to_owned()))));
    }
}
