//! The thread that searches. It does one job after another, so that a second `go` waits for the end
//! of the first and a resized table is never pulled from under a search.

use super::wire::Wire;
use std::fmt::{self, Display};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Duration;

type Task<E, R> = Box<dyn FnOnce(&mut E, &Wire) -> R + Send>;

enum Job<E> {
    Short(Task<E, ()>),
    Long(Task<E, Option<String>>),
    End,
}

/// The handle of the thread, which owns an engine `E`.
pub struct SearchThread<E> {
    jobs: Sender<Job<E>>,
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
        let (jobs, queue) = mpsc::channel();
        let (end, ended) = mpsc::channel();
        let pending = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&pending);
        std::thread::spawn(move || {
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
        Self { jobs, ended, pending }
    }

    /// Whether a long job has not ended yet.
    pub fn is_thinking(&self) -> bool {
        self.pending.load(Ordering::Acquire) > 0
    }

    /// Does something short after all earlier jobs.
    pub fn push(&self, job: impl FnOnce(&mut E, &Wire) + Send + 'static) {
        self.send(Job::Short(Box::new(job)));
    }

    /// Does something that takes long and can be stopped, after all earlier jobs. The answer that it
    /// returns is sent when the job no longer counts as pending, so that whoever has read the answer
    /// can rely on the thread being idle.
    pub fn push_long(&self, job: impl FnOnce(&mut E, &Wire) -> Option<String> + Send + 'static) {
        self.pending.fetch_add(1, Ordering::AcqRel);
        self.send(Job::Long(Box::new(job)));
    }

    fn send(&self, job: Job<E>) {
        if self.jobs.send(job).is_err() {
            tracing::error!("the thinking thread is gone");
        }
    }

    /// Takes no more jobs, and waits a moment for the last to end.
    pub fn finish(&self) {
        self.send(Job::End);
        let _ = self.ended.recv_timeout(Duration::from_millis(500));
    }
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
