//! What the sessions of all protocols have in common.
//!
//! The calling thread takes commands in order and never does anything long; a second one reads the
//! input, so that the end of input or of output is noticed at any time; the [`SearchThread`] thinks.

use super::search_thread::SearchThread;
use super::setting::{Effect, EngineSettings};
use super::wire::{Flow, LONGEST_LINE, Wire, converse};
use crate::search::driver::{Engine, Options, ResourceError, Searcher};
use crate::search::limits::Limits;
use crate::search::report::{Report, SearchResult};
use crate::search::stop::StopHandle;
use std::fmt::{self, Debug, Display, Formatter};
use std::io::{Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A conversation with an interface.
pub trait Session {
    /// The game's searcher.
    type Searcher: Searcher + 'static;
    /// Why a line cannot be obeyed.
    type Error: Display;

    /// Obeys a line.
    ///
    /// # Errors
    /// If the line cannot be read; the user is told why.
    fn obey(&mut self, line: &str) -> Result<Flow, Self::Error>;

    /// The engine that thinks for the session.
    fn engine(&self) -> &EngineHandle<Self::Searcher>;

    /// Says something to the user, in the protocol's form.
    fn tell(&self, words: impl Display) {
        self.engine().tell(words);
    }
}

/// Holds the conversation that `start` begins, until `quit`, the end of `input`, or the closing of
/// `output`.
pub fn run<S: Session>(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    start: impl Fn(&Arc<Wire>) -> S,
) {
    let mut session = None;
    converse(input, output, |wire, line| {
        let session = session.get_or_insert_with(|| start(wire));
        match line.map(|line| session.obey(line)) {
            Some(Ok(flow)) => return flow,
            Some(Err(error)) => session.tell(error),
            None => {
                session.tell(format_args!("a line of more than {LONGEST_LINE} bytes is ignored"));
            }
        }
        Flow::Continue
    });
    if let Some(session) = session {
        session.engine().end();
    }
}

/// The engine of a session: the thread that owns it, and the handle of its last search.
pub struct EngineHandle<S: Searcher> {
    wire: Arc<Wire>,
    thread: SearchThread<Engine<S>>,
    /// The handle of the last search, if there was one; it may have ended.
    control: StopHandle,
    /// How the protocol words a message to the user.
    message: fn(&dyn Display) -> String,
}

impl<S: Searcher> Debug for EngineHandle<S> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("EngineHandle").field("thread", &self.thread).finish_non_exhaustive()
    }
}

impl<S: Searcher + 'static> EngineHandle<S> {
    /// Starts the thread, which makes an engine with these settings. `message` writes a message to
    /// the user as the protocol has it.
    pub fn new(
        wire: &Arc<Wire>,
        settings: &EngineSettings,
        message: fn(&dyn Display) -> String,
    ) -> Self {
        let &EngineSettings { hash_mb, threads, move_overhead, .. } = settings;
        let options = Options { hash_mb, threads, multipv: 1, move_overhead };
        let engine = move || Engine::new(options).map_err(|error| message(&error));
        let thread = SearchThread::spawn(Arc::clone(wire), engine);
        Self { wire: Arc::clone(wire), thread, control: StopHandle::new(), message }
    }

    /// The thread that owns the engine.
    pub const fn thread(&self) -> &SearchThread<Engine<S>> {
        &self.thread
    }

    /// Where lines to the interface go.
    pub fn wire(&self) -> &Wire {
        &self.wire
    }

    /// Says something to the user.
    pub fn tell(&self, words: impl Display) {
        self.wire.send((self.message)(&words));
    }

    /// Stops the search that is going on, if any; returns the handle for the next.
    pub fn begin(&mut self) -> StopHandle {
        self.control.stop();
        self.control = StopHandle::new();
        self.control.clone()
    }

    /// Stops the search.
    pub fn stop(&self) {
        self.control.stop();
    }

    /// The expected move was played.
    pub fn ponder_hit(&self) {
        self.control.ponderhit();
    }

    /// Forgets what was learnt from earlier searches.
    pub fn clear(&self) {
        self.thread.push(|engine, _| engine.clear());
    }

    /// Does what a changed setting entails; the session itself deals with [`Effect::Bitbases`].
    pub fn apply(&self, effect: Effect, settings: &mut EngineSettings) {
        let &mut EngineSettings { hash_mb, threads, .. } = settings;
        match effect {
            Effect::None | Effect::Bitbases => {}
            Effect::Hash => self.resize(move |engine| engine.set_hash(hash_mb)),
            Effect::Threads => self.resize(move |engine| engine.set_threads(threads)),
            Effect::ClearHash => self.clear(),
            Effect::LogFile => {
                if let Err(error) = self.wire.log_to(settings.log_file.as_deref()) {
                    self.tell(format_args!("the log file cannot be opened: {error}"));
                    settings.log_file = None;
                }
            }
        }
    }

    /// Changes the engine after the searches that were asked for before.
    fn resize(
        &self,
        change: impl FnOnce(&mut Engine<S>) -> Result<(), ResourceError> + Send + 'static,
    ) {
        let message = self.message;
        self.thread.push(move |engine, wire| {
            if let Err(error) = change(engine) {
                wire.send(message(&error));
            }
        });
    }

    /// Stops the search and waits a moment for the thread to end. Nothing more can be asked of it.
    pub fn end(&self) {
        self.control.stop();
        self.thread.finish();
    }
}

/// What a `go` asks of the engine.
pub struct Search<S: Searcher> {
    /// Where to start.
    pub root: S::Root,
    /// When to end.
    pub limits: Limits<S::Move>,
    /// The handle by which it is ended earlier.
    pub control: StopHandle,
}

impl<S: Searcher> Search<S> {
    /// Searches and reports to `tell` meanwhile. A search that has to wait for the interface (for
    /// `stop`, or a ponder hit) does not return earlier, even if it has nothing left to do.
    ///
    /// Also returns whether the node count of the outcome differs from the last one that was told: if
    /// so, the final statistics have to be told before the answer.
    pub fn run(
        &self,
        engine: &mut Engine<S>,
        tell: Option<&(dyn Fn(Report<S::Move>) + Sync)>,
    ) -> (SearchResult<S::Move>, bool) {
        let Self { root, limits, control } = self;
        let told_nodes = AtomicU64::new(0);
        let outcome = engine.search(root, limits, control, &|report| {
            let Some(tell) = tell else { return };
            if let Report::Info(info) = &report {
                told_nodes.store(info.nodes, Ordering::Relaxed);
            }
            tell(report);
        });
        if limits.infinite || limits.ponder {
            control.wait(!limits.infinite);
        }
        let differs = told_nodes.load(Ordering::Relaxed) != outcome.nodes;
        (outcome, differs)
    }
}
