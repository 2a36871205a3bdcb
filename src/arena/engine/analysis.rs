//! Analysis with an engine: searches that report principal variations while they run.

use super::answer::ReportedScore;
use super::entrant::Entrant;
use super::failure::Failure;
use super::link::{Link, Patience};
use super::process::Interrupt;
use super::protocol::{EngineProtocol, NewGame};
use crate::arena::game::contest::{Contest, Variant};
use crate::laws::clock::TimeControl;
use std::time::{Duration, Instant};

/// The interval at which the arena checks whether the search is still wanted.
const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// The time without output after which the arena pings the engine.
const MAX_SILENCE: Duration = Duration::from_secs(10);

/// Settings of an analysis. If a setting is `None`, or the engine does not announce it, the engine's
/// default or the entrant's option applies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AnalysisSettings {
    pub threads: Option<usize>,
    pub hash_mb: Option<usize>,
    /// The number of principal variations to report (multi-PV).
    pub lines: usize,
}

/// A principal variation reported by an engine. Values that the engine did not report are `None`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ReportedLine {
    /// The rank of the line. The best line has rank 0.
    pub rank: usize,
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    pub time: Option<Duration>,
    /// The score, from the point of view of the side to move.
    pub score: Option<ReportedScore>,
    /// True if the score is only a bound.
    pub is_bound: bool,
    /// The moves as sent by the engine. They may be illegal.
    pub moves: Vec<String>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AnalysisEvent {
    Line(ReportedLine),
    /// The engine has answered a ping.
    Alive,
    /// The engine has ended its search.
    End,
}

/// A running engine that analyses. Dropping it ends the process.
#[derive(Debug)]
pub(crate) struct Analysis<G: Contest> {
    /// This field is dropped before `link`, as in [`Player`](super::player::Player).
    protocol: Box<dyn EngineProtocol<G>>,
    link: Link,
    settings: AnalysisSettings,
}

impl<G: Contest> Analysis<G> {
    /// Starts an engine.
    ///
    /// # Errors
    /// Returns an error if the engine does not start, does not introduce itself in time, or cannot
    /// analyse.
    pub(crate) fn start(
        entrant: &Entrant,
        variant: Variant,
        settings: AnalysisSettings,
        patience: Patience,
        interrupt: &Interrupt,
    ) -> Result<Self, Failure> {
        let named = entrant.protocol.unwrap_or(G::PROTOCOL);
        let protocol = G::engine_protocol(named, variant).filter(|protocol| protocol.analyses());
        let mut protocol = protocol.ok_or(Failure::NoAnalysis(named))?;
        let args = protocol
            .prepare(entrant)
            .map_err(|error| Failure::Start { program: entrant.program.clone(), error })?;
        // An engine allocates its memory before its first `readyok`, so allow the start timeout.
        let starting = Patience { ready: patience.start, ..patience };
        let mut link = Link::open(entrant, &args, starting, interrupt)?;
        let greeted = protocol.greet_for_analysis(&mut link, entrant, settings);
        greeted.map_err(|failure| match failure {
            Failure::Crash(word, exit) => {
                Failure::ProtocolViolation(format!("{exit} before it sent {word}"))
            }
            other => other,
        })?;
        link.patience = patience;
        Ok(Self { protocol, link, settings })
    }

    pub(crate) const fn settings(&self) -> AnalysisSettings {
        self.settings
    }

    /// Announces a new game to the engine, so that it forgets earlier searches.
    pub(crate) fn new_game(&mut self, position: &G) -> Result<(), Failure> {
        let control = &TimeControl::default();
        let game = NewGame { position, played: 0, side: position.side(), control };
        self.protocol.new_game(&mut self.link, &game)
    }

    /// Searches a position until the limits in `control` are reached or `is_wanted` returns false,
    /// and passes every reported line to `on_line`. Without limits, returns only after `is_wanted`
    /// returns false, even if the engine ends the search earlier.
    ///
    /// # Errors
    /// Returns an error if the engine exits, does not answer during the search, or does not stop in
    /// time.
    pub(crate) fn search(
        &mut self,
        start: &G,
        moves: &[G::Move],
        control: &TimeControl,
        is_wanted: impl Fn() -> bool,
        mut on_line: impl FnMut(ReportedLine),
    ) -> Result<(), Failure> {
        let Self { protocol, link, .. } = self;
        let requested = protocol.analyse(link, start, moves, control)?;
        let is_endless = control.is_unlimited();
        let (mut last_line, mut ping, mut stopped) = (requested, None, None);
        let mut is_over = false;
        while !(is_over && (stopped.is_some() || !is_endless)) {
            if stopped.is_none() && !is_wanted() {
                if is_over {
                    break;
                }
                stopped = Some(link.send("stop", "the end of a search")?);
            }
            match link.line(Instant::now() + POLL_INTERVAL, "the lines of an analysis") {
                Ok(line) => {
                    (last_line, ping) = (line.at, None);
                    // Lines that arrived before the request belong to an earlier search.
                    match protocol.parse_analysis(&line.text).filter(|_| line.at >= requested) {
                        Some(AnalysisEvent::Line(line)) if stopped.is_none() => on_line(line),
                        Some(AnalysisEvent::End) => is_over = true,
                        _ => {}
                    }
                }
                Err(Failure::Stall(_)) => {}
                Err(Failure::Crash(_, exit)) => {
                    return Err(Failure::ProtocolViolation(format!("{exit} during the analysis")));
                }
                Err(failure) => return Err(failure),
            }
            let Patience { ready, stop, .. } = link.patience;
            if stopped.is_some_and(|sent| sent.elapsed() > stop) {
                let seconds = stop.as_secs();
                return Err(Failure::ProtocolViolation(format!(
                    "did not stop its search within {seconds} s"
                )));
            }
            if ping.is_some_and(|sent: Instant| sent.elapsed() > ready) {
                return Err(Failure::ProtocolViolation("does not answer".to_owned()));
            }
            if stopped.is_none() && ping.is_none() && last_line.elapsed() > MAX_SILENCE {
                ping = Some(protocol.ping(link)?);
            }
        }
        Ok(())
    }
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::chess::Position;
    use std::cell::Cell;

    /// Runs a shell script as a UCI engine: `go` and `stop` are its answers to these commands.
    fn engine(go: &str, stop: &str) -> Result<Analysis<Position>, Failure> {
        let script = format!(
            "lines=; while read line; do case $line in
             uci) echo option name MultiPV type spin default 1 min 1 max 3; echo uciok;;
             setoption*) lines=$line;; isready) echo readyok;;
             go*) {go};; stop) {stop};; esac; done"
        );
        let args = vec!["-c".to_owned(), script];
        let entrant = Entrant { program: "sh".into(), args, ..Entrant::default() };
        let [start, ready, stop] = [60_000, 300, 300].map(Duration::from_millis);
        let patience = Patience { start, ready, stop };
        let settings = AnalysisSettings { threads: Some(1), hash_mb: Some(16), lines: 5 };
        Analysis::start(&entrant, Variant::Standard, settings, patience, &Interrupt::default())
    }

    fn lines_of(engine: &mut Analysis<Position>) -> Result<Vec<ReportedLine>, Failure> {
        let (mut lines, wanted) = (Vec::new(), Cell::new(true));
        let on_line = |line| {
            lines.push(line);
            wanted.set(false);
        };
        let endless = TimeControl::default();
        engine.search(&Position::start(), &[], &endless, || wanted.get(), on_line)?;
        Ok(lines)
    }

    #[test]
    fn reports_lines_until_stopped() {
        let go = "echo info depth 3 score cp 20 nodes 7 pv e2e4 e7e5; echo info string $lines";
        let mut engine = engine(go, "echo info depth 4 pv d2d4; echo bestmove e2e4").unwrap();
        for _ in 0..2 {
            // The line that arrives after `stop` is ignored.
            let [line] = &lines_of(&mut engine).unwrap()[..] else { panic!("one line") };
            assert_eq!((line.depth, line.nodes, line.moves.len()), (Some(3), Some(7), 2));
        }
        // The number of lines is limited to the maximum that the engine announces. The engine has
        // no other setting.
        let transcript = engine.link.transcript().join("\n");
        assert!(transcript.contains("info string setoption name MultiPV value 3"), "{transcript}");
        assert!(!transcript.contains("Threads"), "{transcript}");
    }

    #[test]
    fn ends_engines_that_hang_or_exit() {
        let line = "echo info depth 3 score cp 20 pv e2e4";
        let fails = |go: &str, stop: &str| {
            let mut engine = engine(go, stop).unwrap();
            lines_of(&mut engine).unwrap_err().to_string()
        };
        assert_eq!(fails(line, "true"), "did not stop its search within 0 s");
        assert_eq!(fails("exit", "true"), "ended with exit status 0 during the analysis");
        // No `stop` is sent to an engine that has already ended its search.
        let mut early = engine(&format!("{line}; echo bestmove e2e4"), "exit").unwrap();
        assert_eq!(lines_of(&mut early).unwrap().len(), 1);
    }
}
