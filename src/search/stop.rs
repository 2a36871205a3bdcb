//! The handle by which another thread ends a search, or tells it that the move it ponders on was
//! played.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

#[derive(Debug, Default)]
struct Shared {
    stop: AtomicBool,
    ponder_hit: Mutex<Option<Instant>>,
    changed: Condvar,
}

/// Stops one search. Make a new handle for each search; clones belong to the same one.
#[derive(Clone, Debug, Default)]
pub struct StopHandle(Arc<Shared>);

impl StopHandle {
    /// A handle for a new search.
    pub fn new() -> Self {
        Self::default()
    }

    /// Ends the search as soon as possible; also if it has not begun yet.
    pub fn stop(&self) {
        self.0.stop.store(true, Ordering::Relaxed);
        self.notify();
    }

    /// The opponent has played the expected move: our own clock runs from now.
    pub fn ponderhit(&self) {
        self.lock().get_or_insert_with(Instant::now);
        self.notify();
    }

    /// Whether [`Self::stop`] was called.
    #[inline(always)]
    pub fn is_stopped(&self) -> bool {
        self.0.stop.load(Ordering::Relaxed)
    }

    /// When [`Self::ponderhit`] was first called.
    pub fn ponder_hit_at(&self) -> Option<Instant> {
        *self.lock()
    }

    /// Waits until the search is stopped or, if `ponder`, until [`Self::ponderhit`].
    pub fn wait(&self, ponder: bool) {
        let mut hit = self.lock();
        while !(self.is_stopped() || (ponder && hit.is_some())) {
            let waited = self.0.changed.wait_timeout(hit, Duration::from_millis(100));
            hit = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Instant>> {
        self.0.ponder_hit.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn notify(&self) {
        // Taking the lock orders this after a waiter's check.
        drop(self.lock());
        self.0.changed.notify_all();
    }
}
