//! Parallel execution of jobs, with results in the order of the jobs.

use std::collections::BTreeMap;
use std::sync::mpsc;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// The maximum number of jobs in flight per worker. A job is in flight until its result has been
/// passed to `done`.
const AHEAD: usize = 2;

/// Runs each job on the next free worker, and calls `done` with the results in the order of the
/// jobs. If `done` returns an error, no more jobs are started and the error is returned.
pub(super) fn in_order<W: Send, J: Send, R: Send, E>(
    workers: &mut [W],
    mut jobs: impl Iterator<Item = J>,
    work: impl Fn(&mut W, J) -> R + Sync,
    mut done: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    let max_ahead = AHEAD * workers.len();
    let (give, taken) = mpsc::channel::<(usize, J)>();
    let (deliver, delivered) = mpsc::channel();
    let (taken, work) = (&Mutex::new(taken), &work);
    thread::scope(|scope| {
        // Move the sender into the scope: dropping it at the end makes the workers exit.
        let give = give;
        for worker in workers {
            let deliver = deliver.clone();
            scope.spawn(move || {
                loop {
                    let job = taken.lock().unwrap_or_else(PoisonError::into_inner).recv();
                    let Ok((number, job)) = job else { break };
                    if deliver.send((number, work(worker, job))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(deliver);
        let (mut given, mut handed_on) = (0, 0);
        let mut early = BTreeMap::new();
        loop {
            while given - handed_on < max_ahead
                && let Some(job) = jobs.next()
                && give.send((given, job)).is_ok()
            {
                given += 1;
            }
            // A worker that panicked sends no result; the scope propagates the panic.
            let Some((number, result)) =
                (given > handed_on).then(|| delivered.recv().ok()).flatten()
            else {
                return Ok(());
            };
            early.insert(number, result);
            while let Some(result) = early.remove(&handed_on) {
                handed_on += 1;
                done(result)?;
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    #[test]
    fn delivers_results_in_job_order() {
        let mut found = Vec::new();
        let work = |counted: &mut u32, job: u64| {
            *counted += 1;
            thread::sleep(std::time::Duration::from_millis(job * 7 % 5));
            job
        };
        let done = |job| -> Result<(), Infallible> {
            found.push(job);
            Ok(())
        };
        let mut workers = [0; 3];
        let Ok(()) = in_order(&mut workers, 0..50, work, done);
        assert_eq!(found, (0..50).collect::<Vec<_>>());
        assert_eq!(workers.iter().sum::<u32>(), 50);
    }

    #[test]
    fn stops_at_the_first_error() {
        let ended = in_order(
            &mut [(); 2],
            0..,
            |(), job: u32| job,
            |job| {
                if job < 3 { Ok(()) } else { Err(job) }
            },
        );
        assert_eq!(ended, Err(3));
    }
}
