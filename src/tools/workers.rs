//! A thread pool for numbered work units, with per-thread state.

use crate::search::driver::STACK;
use std::io;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::thread;

/// Calls `work` with each number below `count`, on `threads` threads, until `stop` is set. Each
/// thread has a stack that is large enough for a search, and state created by `prepare`. After the
/// first error, no thread takes another number. If a thread cannot be started, `refused` converts
/// the error.
pub(super) fn each_number<T, E: Send>(
    threads: usize,
    count: usize,
    stop: &AtomicBool,
    prepare: impl Fn() -> Result<T, E> + Sync,
    work: impl Fn(&mut T, usize) -> Result<(), E> + Sync,
    refused: impl FnOnce(io::Error) -> E,
) -> Result<(), E> {
    let next = AtomicUsize::new(0);
    let is_finished = AtomicBool::new(false);
    let finish = || is_finished.store(true, Relaxed);
    let worker = || {
        let mut own = prepare().inspect_err(|_| finish())?;
        while !(stop.load(Relaxed) || is_finished.load(Relaxed)) {
            let number = next.fetch_add(1, Relaxed);
            if number >= count {
                break;
            }
            work(&mut own, number).inspect_err(|_| finish())?;
        }
        Ok(())
    };
    thread::scope(|scope| {
        let start = |_| thread::Builder::new().stack_size(STACK).spawn_scoped(scope, worker);
        let started: Result<Vec<_>, _> = (0..threads.max(1)).map(start).collect();
        let started = started.inspect_err(|_| finish()).map_err(refused)?;
        started
            .into_iter()
            .try_for_each(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[test]
    fn processes_each_number_once() {
        let done = Mutex::new(Vec::new());
        let stop = AtomicBool::new(false);
        let work = |own: &mut usize, number| {
            *own += 1;
            done.lock().expect("no panic").push(number);
            Ok(())
        };
        each_number(3, 100, &stop, || Ok::<_, io::Error>(0), work, |error| error).expect("done");
        let mut done = done.into_inner().expect("no panic");
        done.sort_unstable();
        assert!(done.into_iter().eq(0..100));
    }

    #[test]
    fn stops_at_the_first_error() {
        let stop = AtomicBool::new(false);
        let work = |(): &mut (), number| if number == 7 { Err("seven") } else { Ok(()) };
        let ended = each_number(2, usize::MAX, &stop, || Ok(()), work, |_| "no thread");
        assert_eq!(ended, Err("seven"));
        let prepared = AtomicBool::new(false);
        let prepare = || if prepared.swap(true, Relaxed) { Err("second") } else { Ok(()) };
        let ended = each_number(2, usize::MAX, &stop, prepare, |(), _| Ok(()), |_| "no thread");
        assert_eq!(ended, Err("second"));
    }
}
