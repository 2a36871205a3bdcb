//! A handle for stopping a search, or signalling a ponderhit, from another thread.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

#[derive(Debug, Default)]
struct Shared {
    stop: AtomicBool,
    ponder_hit: Mutex<Option<Instant>>,
    changed: Condvar,
}

/// A handle that stops one search. Each search needs a new handle. Clones of a handle belong to the
/// same search.
#[derive(Clone, Debug, Default)]
pub struct StopHandle(Arc<Shared>);

impl StopHandle {
    /// Creates a handle for a new search.
    pub fn new() -> Self {
        Self::default()
    }

    /// Stops the search as soon as possible. May be called before the search starts.
    pub fn stop(&self) {
        self.0.stop.store(true, Ordering::Relaxed);
        self.notify();
    }

    /// Signals that the opponent has played the expected move. Our clock starts now.
    pub fn ponderhit(&self) {
        self.lock().get_or_insert_with(Instant::now);
        self.notify();
    }

    /// Returns whether [`Self::stop`] was called.
    #[inline(always)]
    pub fn is_stopped(&self) -> bool {
        self.0.stop.load(Ordering::Relaxed)
    }

    /// Returns the time of the first call to [`Self::ponderhit`].
    pub fn ponder_hit_at(&self) -> Option<Instant> {
        *self.lock()
    }

    /// Waits until the search is stopped or, if `ponder` is set, until [`Self::ponderhit`] is
    /// called.
    pub fn wait(&self, ponder: bool) {
        let mut hit = self.lock();
        while !(self.is_stopped() || (ponder && hit.is_some())) {
            let waited = self.0.changed.wait_timeout(hit, Duration::from_millis(100));
            hit = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Waits until `time` or until the search is stopped.
    #[cfg(feature = "board")]
    pub(crate) fn wait_until(&self, time: Instant) {
        let mut hit = self.lock();
        while !self.is_stopped() {
            let Some(left) = time.checked_duration_since(Instant::now()) else { return };
            let waited = self.0.changed.wait_timeout(hit, left);
            hit = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Instant>> {
        self.0.ponder_hit.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn notify(&self) {
        // Lock first, so that the notification cannot come between a waiter's check and its wait.
        drop(self.lock());
        self.0.changed.notify_all();
    }
}
