//! The handle by which another thread stops a search or tells it that its guess was right.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

#[derive(Debug, Default)]
struct Shared {
    stop: AtomicBool,
    ponder_hit: Mutex<Option<Instant>>,
    changed: Condvar,
}

/// Controls one search. Make a new one for each; clones control the same search.
#[derive(Clone, Debug, Default)]
pub struct Control(Arc<Shared>);

impl Control {
    /// A control for a new search.
    pub fn new() -> Self {
        Self::default()
    }

    /// Ends the search as soon as possible; also before it has begun.
    pub fn stop(&self) {
        self.0.stop.store(true, Ordering::Relaxed);
        self.notify();
    }

    /// The opponent has played the expected move: our own clock runs from now.
    pub fn ponderhit(&self) {
        self.lock().get_or_insert_with(Instant::now);
        self.notify();
    }

    /// Whether the search was told to stop.
    #[inline(always)]
    pub fn is_stopped(&self) -> bool {
        self.0.stop.load(Ordering::Relaxed)
    }

    /// When `ponderhit` came.
    pub fn ponder_hit_at(&self) -> Option<Instant> {
        *self.lock()
    }

    /// Waits until the search is stopped or, where `ponder` says so, until `ponderhit`.
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
