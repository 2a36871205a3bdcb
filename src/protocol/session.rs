//! The parts that UCI and Hub sessions share.
//!
//! One thread reads commands and executes them in order. It never runs long jobs, and it waits for
//! the reader of the output only if the buffer for answers is full. It therefore notices the end of
//! input even during a search. The [`SearchThread`] runs the long jobs.

use super::failure::EngineFailure;
use super::log_file::LogFile;
use super::search_thread::SearchThread;
use super::setting::{Effect, EngineSettings};
use super::wire::{Flow, Incoming, MAX_LINE, Wire, converse};
use crate::base::game::Game as _;
use crate::search::driver::{Engine, Options, ResourceError, Root, Searcher};
use crate::search::lag::LagMeter;
use crate::search::limits::Limits;
use crate::search::report::{Listener, Report, SearchResult};
use crate::search::stop::StopHandle;
use std::fmt::{self, Debug, Display, Formatter};
use std::io::{Read, Write};
use std::iter;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The kinds of command that need a reaction even if they are invalid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LineKind {
    /// Sets the position. After an invalid command, the engine must not search the previous
    /// position.
    Position,
    /// Starts a search. Even an invalid command must be answered.
    Search,
}

pub(crate) trait Session {
    type Searcher: Searcher + 'static;
    type Error: Display;

    /// Executes a command. The caller reports errors to the user.
    fn execute(&mut self, line: &str) -> Result<Flow, Self::Error>;

    /// Returns the kind of a line, or `None` if nothing needs to be done when the line is invalid.
    /// The beginning of the line is enough to determine its kind.
    fn kind(line: &str) -> Option<LineKind>;

    /// Refuses to search until another position is set.
    fn invalidate_position(&mut self);

    /// Answers a `go` command whose search cannot begin.
    fn answer_no_move(&mut self, reason: impl Display);

    fn engine(&self) -> &EngineHandle<Self::Searcher>;

    /// Sends a message for the user in the format of the protocol.
    fn send_message(&self, text: impl Display) {
        self.engine().send_message(text);
    }
}

/// Runs the session created by `start` until `quit`, the end of `input`, or the closing of
/// `output`. Fails if the engine cannot be created or crashes.
pub fn run<S: Session>(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    start: impl FnOnce(&Arc<Wire>) -> S + Send + 'static,
) -> Result<(), EngineFailure> {
    let ended = converse(input, output, |wire, lines| {
        let Some(first) = lines.next() else { return Ok(()) };
        let mut session = start(wire);
        for incoming in iter::once(first).chain(lines) {
            let executed = match incoming {
                Incoming::Line(line) => session.execute(&line).map_err(|error| {
                    if S::kind(&line) == Some(LineKind::Position) {
                        session.invalidate_position();
                    }
                    error.to_string()
                }),
                Incoming::TooLong(start) => {
                    session.send_message(format_args!(
                        "a line of more than {MAX_LINE} bytes is ignored"
                    ));
                    match S::kind(&start) {
                        Some(LineKind::Position) => session.invalidate_position(),
                        Some(LineKind::Search) => session.answer_no_move("the command is too long"),
                        None => {}
                    }
                    Ok(Flow::Continue)
                }
            };
            match executed {
                Ok(Flow::Continue) => {}
                Ok(Flow::Quit) => break,
                Err(message) => session.send_message(message),
            }
        }
        session.engine().end()
    });
    ended.unwrap_or_else(|wire| wire.failure().map_or(Ok(()), Err))
}

/// The maximum time to wait, at the end of a session, for the next output of a count (perft or
/// bench). `go perft 6` followed by `quit` therefore prints its count. A count that prints nothing
/// for longer than this, or whose output nobody reads, does not delay the exit.
const LAST_WORK: Duration = Duration::from_secs(5);

/// The engine of a session: its thread, and the handle of its last search.
pub(crate) struct EngineHandle<S: Searcher> {
    wire: Arc<Wire>,
    thread: SearchThread<Engine<S>>,
    control: StopHandle,
    /// The handles of the queued counts (perft and bench). A count is useful only if it runs to
    /// completion, so a new search waits for the counts instead of stopping them.
    counts: Vec<StopHandle>,
    /// Each unfinished count holds a clone, so the number of references gives the number of
    /// unfinished counts.
    counting: Arc<()>,
    lag: Arc<LagMeter>,
    messages: Messages,
}

/// Formats messages for the user as lines of a protocol.
#[derive(Clone, Copy)]
pub(crate) struct Messages {
    pub info: fn(&dyn Display) -> String,
    /// Formats an error in a setting or a failure of the engine, which a match runner should
    /// recognise as an error.
    pub error: fn(&dyn Display) -> String,
}

impl<S: Searcher> Debug for EngineHandle<S> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("EngineHandle").field("thread", &self.thread).finish_non_exhaustive()
    }
}

impl<S: Searcher + 'static> EngineHandle<S> {
    /// Starts the search thread and creates the engine there.
    pub(crate) fn new(wire: &Arc<Wire>, settings: &EngineSettings, messages: Messages) -> Self {
        let &EngineSettings { hash_mb, threads, move_overhead, .. } = settings;
        let options = Options { hash_mb, threads, multipv: 1, move_overhead };
        let failed = Arc::clone(wire);
        let on_death = move |error: &EngineFailure| {
            failed.send((messages.error)(error));
            failed.fail(error.clone());
        };
        let thread = SearchThread::spawn(Arc::clone(wire), move || Engine::new(options), on_death);
        let control = StopHandle::new();
        let (counts, counting, lag) = (Vec::new(), Arc::default(), Arc::default());
        Self { wire: Arc::clone(wire), thread, control, counts, counting, lag, messages }
    }

    /// Creates a search. If there is a clock, adds the largest recent lag to the limits.
    pub(crate) fn search(
        &self,
        root: Arc<Root<S>>,
        mut limits: Limits<S::Move>,
        control: StopHandle,
    ) -> Search<S> {
        if let Some(clock) = limits.clock {
            limits.lag = self.lag.largest(root.position.side(), clock);
        }
        Search { root, limits, control, lag: Arc::clone(&self.lag) }
    }

    pub(crate) const fn thread(&self) -> &SearchThread<Engine<S>> {
        &self.thread
    }

    /// Sends a reply through [`Wire::answer`]. Meant for the thread that reads commands.
    pub(crate) fn answer(&self, reply: impl Display) {
        self.wire.answer(reply);
    }

    /// Sends a message for the user through [`Wire::answer`]. Meant for the thread that reads
    /// commands.
    pub(crate) fn send_message(&self, text: impl Display) {
        self.wire.answer((self.messages.info)(&text));
    }

    /// Sends an error in a setting through [`Wire::answer`]. Meant for the thread that reads
    /// commands.
    pub(crate) fn send_error(&self, error: impl Display) {
        self.wire.answer((self.messages.error)(&error));
    }

    /// Stops the running search and returns the handle for the next search.
    pub(crate) fn begin(&mut self) -> StopHandle {
        self.control.stop();
        self.control = StopHandle::new();
        self.control.clone()
    }

    /// Queues a count, which runs to completion unless [`Self::stop`] is called. Stops the running
    /// search, but not the earlier counts. `job` sends its output.
    pub(crate) fn count(
        &mut self,
        job: impl FnOnce(&StopHandle, &mut Engine<S>, &Wire) + Send + 'static,
    ) {
        self.control.stop();
        if self.counts_left() == 0 {
            self.counts.clear();
        }
        let control = StopHandle::new();
        self.counts.push(control.clone());
        let counting = Arc::clone(&self.counting);
        self.push_long(move |engine, wire| {
            job(&control, engine, wire);
            // Answers to later commands are queued until the count is finished. Finish it only now,
            // so that no answer overtakes the last line.
            drop(counting);
            None
        });
    }

    /// Returns the number of unfinished counts.
    pub(crate) fn counts_left(&self) -> usize {
        Arc::strong_count(&self.counting) - 1
    }

    /// Stops the running search and all counts.
    pub fn stop(&self) {
        self.control.stop();
        self.counts.iter().for_each(StopHandle::stop);
    }

    pub(crate) fn ponder_hit(&self) {
        self.control.ponderhit();
    }

    /// Queues a short job after the earlier jobs. If the queue stays full for some seconds, drops the
    /// job and sends a message to the user (see [`SearchThread::push`]).
    pub(crate) fn push(&self, job: impl FnOnce(&mut Engine<S>, &Wire) + Send + 'static) {
        if let Err(error) = self.thread.push(self.counts_left() > 0, job) {
            self.send_message(error);
        }
    }

    /// Queues a long job after the earlier jobs. The caller must first stop the running search. If
    /// the queue stays full for some seconds, drops the job and sends a message to the user.
    pub(crate) fn push_long(
        &self,
        job: impl FnOnce(&mut Engine<S>, &Wire) -> Option<String> + Send + 'static,
    ) {
        if let Err(error) = self.thread.push_long(job) {
            self.send_message(error);
        }
    }

    /// Answers a `go` command whose search cannot begin. Sends the reason and `answer` after the
    /// answer to the previous search.
    pub(crate) fn answer_no_move(&mut self, reason: impl Display, answer: impl Display) {
        self.begin();
        let lines = format!("{}\n{answer}", (self.messages.info)(&reason));
        self.push_long(|_, _| Some(lines));
    }

    pub(crate) fn clear(&self) {
        self.push(|engine, _| engine.clear());
    }

    /// Applies the effect of a changed setting. The session itself handles [`Effect::Tables`],
    /// [`Effect::Book`] and [`Effect::Network`].
    pub(crate) fn apply(&self, effect: Effect, settings: &mut EngineSettings) {
        let &mut EngineSettings { hash_mb, threads, .. } = settings;
        match effect {
            Effect::None | Effect::Tables | Effect::Book | Effect::Network => {}
            Effect::Hash => self.resize(move |engine| engine.set_hash(hash_mb)),
            Effect::Threads => self.resize(move |engine| engine.set_threads(threads)),
            Effect::ClearHash => self.clear(),
            Effect::LogFile => {
                let log = settings.log_file.as_deref().map(LogFile::open).transpose();
                self.wire.log_to(log.unwrap_or_else(|error| {
                    self.send_error(format_args!("cannot open the log file: {error}"));
                    settings.log_file = None;
                    None
                }));
            }
        }
    }

    fn resize(
        &self,
        change: impl FnOnce(&mut Engine<S>) -> Result<(), ResourceError> + Send + 'static,
    ) {
        let Messages { error: message, .. } = self.messages;
        self.push(move |engine, wire| {
            if let Err(error) = change(engine) {
                wire.answer(message(&error));
            }
        });
    }

    /// Waits for the counts as long as they produce output. Then stops the search and ends the
    /// search thread, which accepts no more jobs. Fails if the engine has crashed.
    pub(crate) fn end(&self) -> Result<(), EngineFailure> {
        let start = Instant::now();
        let is_idle = || start.max(self.wire.last_progress()).elapsed() > LAST_WORK;
        let is_over = || is_idle() || self.wire.is_jammed();
        while self.counts_left() > 0 && !self.thread.is_dead() && !is_over() {
            std::thread::sleep(Duration::from_millis(1));
        }
        self.stop();
        self.thread.finish()
    }
}

pub(crate) struct Search<S: Searcher> {
    /// The root. It is shared, because the history of a long game is large.
    pub root: Arc<Root<S>>,
    pub limits: Limits<S::Move>,
    pub control: StopHandle,
    lag: Arc<LagMeter>,
}

/// The time after the start of a clock-limited search during which each report is held back until
/// the next line is sent. Time may be short, and each line wakes the interface, which competes for
/// the processor. The reports of ponder searches are sent at once.
const TOO_SOON: Duration = Duration::from_millis(10);

impl<S: Searcher> Search<S> {
    /// Sends a report; `elapsed` is the time since the search began.
    pub(crate) fn send_report(&self, wire: &Wire, elapsed: Duration, report: impl Display) {
        if self.limits.clock.is_some() && !self.limits.ponder && elapsed < TOO_SOON {
            wire.send_with_next(report);
        } else {
            wire.send(report);
        }
    }

    /// Searches and passes reports to `on_report`. An infinite or ponder search does not return
    /// before `stop` or a ponder hit, even if it has finished.
    ///
    /// Also returns whether the final node count differs from the last report. If it does, the
    /// final statistics must be sent before the answer.
    pub fn run(
        &self,
        engine: &mut Engine<S>,
        on_report: Listener<'_, S::Move>,
    ) -> (SearchResult<S::Move>, bool) {
        let Self { root, limits, control, lag } = self;
        let reported_nodes = AtomicU64::new(0);
        let counting = on_report.map(|on_report| {
            let reported_nodes = &reported_nodes;
            move |report| {
                if let Report::Info(info) = &report {
                    reported_nodes.store(info.nodes, Ordering::Relaxed);
                }
                on_report(report);
            }
        });
        let listener = counting.as_ref().map(|listener| listener as _);
        let outcome = engine.search_here(root, limits, control, listener);
        if let (Some(clock), Some(start)) = (limits.clock, limits.clock_start) {
            let start = if limits.ponder { control.ponder_hit_at() } else { Some(start) };
            if let Some(start) = start {
                lag.record_search(root.position.side(), clock, start.elapsed());
            }
        }
        let differs = reported_nodes.load(Ordering::Relaxed) != outcome.nodes;
        (outcome, differs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::draughts::DraughtsSearcher;
    use std::convert::Infallible;
    use std::io;

    /// A session with an engine that panics at every command.
    struct Mortal(EngineHandle<DraughtsSearcher>);

    impl Session for Mortal {
        type Searcher = DraughtsSearcher;
        type Error = Infallible;

        fn execute(&mut self, _: &str) -> Result<Flow, Infallible> {
            self.0.push(|_, _| panic!("out of cheese"));
            Ok(Flow::Continue)
        }

        fn kind(_: &str) -> Option<LineKind> {
            None
        }

        fn invalidate_position(&mut self) {}

        fn answer_no_move(&mut self, _: impl Display) {}

        fn engine(&self) -> &EngineHandle<DraughtsSearcher> {
            &self.0
        }
    }

    #[test]
    fn engine_crash_is_reported_and_ends_the_session() {
        let (input, mut interface) = io::pipe().expect("a pipe");
        let (mut reader, output) = io::pipe().expect("a pipe");
        interface.write_all(b"go\n").expect("written");
        let settings = EngineSettings { hash_mb: 1, ..EngineSettings::default() };
        let info = |text: &dyn Display| format!("info string {text}");
        let messages = Messages { info, error: info };
        // The input stays open, so that only the crash can end the session.
        let ended =
            run(input, output, move |wire| Mortal(EngineHandle::new(wire, &settings, messages)));
        assert_eq!(ended, Err(EngineFailure::Panic("out of cheese".to_owned())));
        // The reading thread still waits for a line. In a real program, it ends with the process.
        drop(interface);
        let mut text = String::new();
        reader.read_to_string(&mut text).expect("text");
        assert!(text.starts_with("info string the engine has crashed"), "{text}");
    }
}
