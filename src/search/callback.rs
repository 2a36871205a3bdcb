//! Searching with a callback that may change what it captures.

use super::driver::{Engine, Searcher};
use super::limits::Limits;
use super::report::{Info, Report, SearchResult};
use super::stop::StopHandle;
use std::sync::{Mutex, PoisonError};

impl<S: Searcher> Engine<S> {
    /// Searches like [`Self::search`] and calls `on_info` with each line that the search finds.
    ///
    /// ```
    /// use adoube::chess::Position;
    /// use adoube::engine::{ChessEngine, ChessRoot, Limits, Options, StopHandle};
    ///
    /// let mut engine = ChessEngine::new(Options { hash_mb: 1, ..Options::default() })?;
    /// let root = ChessRoot::new(Position::start());
    /// let mut depths = Vec::new();
    /// engine.search_with(&root, &Limits::depth(3), &StopHandle::new(), |info| depths.push(info.depth));
    /// assert_eq!(depths, [1, 2, 3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn search_with(
        &mut self,
        root: &S::Root,
        limits: &Limits<S::Move>,
        handle: &StopHandle,
        on_info: impl FnMut(&Info<S::Move>) + Send,
    ) -> SearchResult<S::Move> {
        // The driver shares its listener between threads, although only one thread calls it.
        let on_info = Mutex::new(on_info);
        let listener = |report: Report<S::Move>| {
            if let Report::Info(info) = report {
                (on_info.lock().unwrap_or_else(PoisonError::into_inner))(&info);
            }
        };
        self.search(root, limits, handle, Some(&listener))
    }
}
