//! What the sessions of all protocols have in common.
//!
//! One thread reads commands and obeys them in order; it never does anything long and never waits for
//! the reader of the output, so that it notices the end of input at any time. The [`SearchThread`] thinks.

use super::failure::EngineFailure;
use super::log_file;
use super::search_thread::SearchThread;
use super::setting::{Effect, EngineSettings};
use super::wire::{Flow, Incoming, MAX_LINE, Wire, converse};
use crate::search::driver::{Engine, Options, ResourceError, Root, Searcher};
use crate::search::limits::Limits;
use crate::search::report::{Listener, Report, SearchResult};
use crate::search::stop::StopHandle;
use std::fmt::{self, Debug, Display, Formatter};
use std::io::{Read, Write};
use std::iter;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

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
///
/// # Errors
/// If the engine cannot be made, or dies.
pub fn run<S: Session>(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    start: impl FnOnce(&Arc<Wire>) -> S + Send + 'static,
) -> Result<(), EngineFailure> {
    let ended = converse(input, output, |wire, lines| {
        let Some(first) = lines.next() else { return Ok(()) };
        let mut session = start(wire);
        for incoming in iter::once(first).chain(lines) {
            let told = match incoming {
                Incoming::Line(line) => session.obey(&line).map_err(|error| error.to_string()),
                Incoming::TooLong => {
                    Err(format!("a line of more than {MAX_LINE} bytes is ignored"))
                }
            };
            match told {
                Ok(Flow::Continue) => {}
                Ok(Flow::Quit) => break,
                Err(words) => session.tell(words),
            }
        }
        session.engine().end()
    });
    ended.unwrap_or_else(|wire| wire.failure().map_or(Ok(()), Err))
}

/// How long the end of a session waits for a count: `go perft 6`, then `quit`, tells the count, but one that
/// would take days, or that nobody reads, does not keep the program.
const LAST_WORK: Duration = Duration::from_secs(5);

/// The engine of a session: the thread that owns it, and the handle of its last search.
pub struct EngineHandle<S: Searcher> {
    wire: Arc<Wire>,
    thread: SearchThread<Engine<S>>,
    /// The handle of the last search, if there was one; it may have ended.
    control: StopHandle,
    /// Whether what was begun last ends by itself and is worth nothing before, as a count does.
    whole: bool,
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
        let told = Arc::clone(wire);
        let on_death = move |error: &EngineFailure| {
            told.send(message(error));
            told.fail(error.clone());
        };
        let thread = SearchThread::spawn(Arc::clone(wire), move || Engine::new(options), on_death);
        let control = StopHandle::new();
        Self { wire: Arc::clone(wire), thread, control, whole: false, message }
    }

    /// The thread that owns the engine.
    pub const fn thread(&self) -> &SearchThread<Engine<S>> {
        &self.thread
    }

    /// Answers the interface, from the thread that reads its commands.
    pub fn answer(&self, reply: impl Display) {
        self.wire.answer(reply);
    }

    /// Says something to the user, from that thread.
    pub fn tell(&self, words: impl Display) {
        self.wire.answer((self.message)(&words));
    }

    /// Stops the search that is going on, if any; returns the handle for the next.
    pub fn begin(&mut self) -> StopHandle {
        self.control.stop();
        self.control = StopHandle::new();
        self.whole = false;
        self.control.clone()
    }

    /// The same for what ends by itself and is worth nothing before: the end of the session waits for it.
    pub fn begin_whole(&mut self) -> StopHandle {
        let control = self.begin();
        self.whole = true;
        control
    }

    /// Stops the search.
    pub fn stop(&self) {
        self.control.stop();
    }

    /// The expected move was played.
    pub fn ponder_hit(&self) {
        self.control.ponderhit();
    }

    /// Does something short after the searches that were asked for before.
    pub fn push(&self, job: impl FnOnce(&mut Engine<S>, &Wire) + Send + 'static) {
        if let Err(error) = self.thread.push(job) {
            self.tell(error);
        }
    }

    /// Does something that takes long, after those searches, which have been stopped.
    pub fn push_long(
        &self,
        job: impl FnOnce(&mut Engine<S>, &Wire) -> Option<String> + Send + 'static,
    ) {
        if let Err(error) = self.thread.push_long(job) {
            self.tell(error);
        }
    }

    /// Forgets what was learnt from earlier searches.
    pub fn clear(&self) {
        self.push(|engine, _| engine.clear());
    }

    /// Does what a changed setting entails; the session itself deals with
    /// [`Effect::Tables`], [`Effect::Book`] and [`Effect::Network`].
    pub fn apply(&self, effect: Effect, settings: &mut EngineSettings) {
        let &mut EngineSettings { hash_mb, threads, .. } = settings;
        match effect {
            Effect::None | Effect::Tables | Effect::Book | Effect::Network => {}
            Effect::Hash => self.resize(move |engine| engine.set_hash(hash_mb)),
            Effect::Threads => self.resize(move |engine| engine.set_threads(threads)),
            Effect::ClearHash => self.clear(),
            Effect::LogFile => {
                let log = settings.log_file.as_deref().map(log_file::open).transpose();
                self.wire.log_to(log.unwrap_or_else(|error| {
                    self.tell(format_args!("the log file cannot be opened: {error}"));
                    settings.log_file = None;
                    None
                }));
            }
        }
    }

    /// Changes the engine after the searches that were asked for before.
    fn resize(
        &self,
        change: impl FnOnce(&mut Engine<S>) -> Result<(), ResourceError> + Send + 'static,
    ) {
        let message = self.message;
        self.push(move |engine, wire| {
            if let Err(error) = change(engine) {
                wire.answer(message(&error));
            }
        });
    }

    /// Stops the search, or waits for a count to end, though not for ever; then waits a moment for the
    /// thread to end. Nothing more can be asked of it.
    ///
    /// # Errors
    /// If the engine had ended before.
    pub fn end(&self) -> Result<(), EngineFailure> {
        let start = Instant::now();
        while self.whole && self.thread.is_thinking() && start.elapsed() < LAST_WORK {
            std::thread::sleep(Duration::from_millis(1));
        }
        self.control.stop();
        self.thread.finish()
    }
}

/// What a `go` asks of the engine.
pub struct Search<S: Searcher> {
    /// Where to start; shared, since it holds the game that led to it.
    pub root: Arc<Root<S>>,
    /// When to end.
    pub limits: Limits<S::Move>,
    /// The handle by which it is ended earlier.
    pub control: StopHandle,
}

/// Reports of a search that plays by the clock do not leave before this: there may be little time, and each
/// line wakes the interface, which needs the processor too.
const TOO_SOON: Duration = Duration::from_millis(10);

impl<S: Searcher> Search<S> {
    /// Sends the report of a moment in this search.
    pub fn tell(&self, wire: &Wire, elapsed: Duration, report: impl Display) {
        if self.limits.clock.is_some() && !self.limits.ponder && elapsed < TOO_SOON {
            wire.send_later(report);
        } else {
            wire.send(report);
        }
    }

    /// Searches and reports to `tell` meanwhile. A search that has to wait for the interface (for
    /// `stop`, or a ponder hit) does not return earlier, even if it has nothing left to do.
    ///
    /// Also returns whether the node count of the outcome differs from the last one that was told: if
    /// so, the final statistics have to be told before the answer.
    pub fn run(
        &self,
        engine: &mut Engine<S>,
        tell: Listener<'_, S::Move>,
    ) -> (SearchResult<S::Move>, bool) {
        let Self { root, limits, control } = self;
        let told_nodes = AtomicU64::new(0);
        let counting = tell.map(|tell| {
            let told_nodes = &told_nodes;
            move |report| {
                if let Report::Info(info) = &report {
                    told_nodes.store(info.nodes, Ordering::Relaxed);
                }
                tell(report);
            }
        });
        let listener = counting.as_ref().map(|listener| listener as _);
        let outcome = engine.search_here(root, limits, control, listener);
        if limits.infinite || limits.ponder {
            control.wait(!limits.infinite);
        }
        let differs = told_nodes.load(Ordering::Relaxed) != outcome.nodes;
        (outcome, differs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::draughts::DraughtsSearcher;
    use std::convert::Infallible;
    use std::io;

    /// Whatever it is told, its engine dies of it.
    struct Mortal(EngineHandle<DraughtsSearcher>);

    impl Session for Mortal {
        type Searcher = DraughtsSearcher;
        type Error = Infallible;

        fn obey(&mut self, _: &str) -> Result<Flow, Infallible> {
            self.0.push(|_, _| panic!("out of cheese"));
            Ok(Flow::Continue)
        }

        fn engine(&self) -> &EngineHandle<DraughtsSearcher> {
            &self.0
        }
    }

    #[test]
    fn an_engine_that_dies_says_so_and_ends_the_conversation() {
        let (input, mut interface) = io::pipe().expect("a pipe");
        let (mut said, output) = io::pipe().expect("a pipe");
        interface.write_all(b"go\n").expect("written");
        let settings = EngineSettings { hash_mb: 1, ..EngineSettings::default() };
        let message = |words: &dyn Display| format!("info string {words}");
        // The interface's end stays open: nothing else ends it.
        let ended =
            run(input, output, move |wire| Mortal(EngineHandle::new(wire, &settings, message)));
        assert_eq!(ended, Err(EngineFailure::Panic("out of cheese".to_owned())));
        // The thread that reads still waits for a line; in a program, it ends with that.
        drop(interface);
        let mut text = String::new();
        said.read_to_string(&mut text).expect("text");
        assert!(text.starts_with("info string the engine has ended"), "{text}");
    }
}
