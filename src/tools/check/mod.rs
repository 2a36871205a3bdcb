//! Protocol checks for engines. Each check starts a fresh engine process and tests one behaviour,
//! with commands that graphical interfaces and match runners send, or with invalid input.
//!
//! The module `uci` contains the checks for UCI, and `hub` the checks for Hub.

mod hub;
mod uci;

use crate::arena::engine::entrant::{Entrant, Protocol};
use crate::arena::engine::failure::Failure;
use crate::arena::engine::link::{Lines, Link, Patience};
use crate::arena::engine::process::{Interrupt, OutputLine};
use crate::arena::engine::protocol::{ClockReading, LineProtocol, Question, TimeOf};
use crate::arena::engine::warning::cut_after_move;
use crate::base::game::Game;
use crate::base::side::Side;
use crate::laws::clock::{Clock, TimeControl};
use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CheckResult {
    /// The engine behaved correctly. The string contains measurements.
    Passed(String),
    /// The engine misbehaved. The string describes the fault.
    Failed(String),
    /// The engine does not have the feature that is checked. The string names the feature.
    Skipped(String),
}

/// The result of a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    pub name: &'static str,
    pub result: CheckResult,
    /// The last lines exchanged with the engine. Empty unless the check failed.
    pub transcript: Vec<String>,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (word, text) = match &self.result {
            CheckResult::Passed(text) => ("ok", text),
            CheckResult::Failed(text) => ("FAILED", text),
            CheckResult::Skipped(text) => ("skipped", text),
        };
        write!(f, "{word:7} {}", self.name)?;
        if text.is_empty() { Ok(()) } else { write!(f, ": {text}") }
    }
}

/// The engine that is checked.
struct Subject {
    link: Link,
    /// The lines that the engine sent in response to `uci` or `hub`.
    greeting: Vec<String>,
    /// The limits in the engine's description, if there are any.
    control: Option<TimeControl>,
}

enum Fault {
    Engine(Failure),
    Wrong(String),
    /// A fault in a line of search information. The transcript omits such lines, so `line` is
    /// appended to it.
    WrongInfo {
        text: String,
        line: String,
    },
    /// The engine does not have the feature that the check needs.
    Absent(String),
}

impl From<Failure> for Fault {
    fn from(failure: Failure) -> Self {
        Self::Engine(failure)
    }
}

impl Fault {
    /// Converts the failure of a search to a fault. The fault names the command that set the search
    /// limit, and the consequence for matches.
    fn of_limit(command: &str, failure: Failure, in_match: &str) -> Self {
        match failure {
            Failure::Aborted => failure.into(),
            _ => Self::Wrong(format!("'{command}': {failure}: {in_match}")),
        }
    }

    /// Adds the line of search information that contains an illegal move. The line is cut after
    /// this move, which is followed by `later` moves.
    fn in_info(self, line: &str, later: usize) -> Self {
        match self {
            Self::Wrong(text) => {
                let text = format!("{text} (in a principal variation, pv)");
                Self::WrongInfo { text, line: cut_after_move(line, later) }
            }
            fault => fault,
        }
    }

    /// Returns the fault for a malformed field in a line of search information.
    fn of_number(field: &str, line: &str) -> Self {
        let text = format!("'{field}' is not a valid number");
        Self::WrongInfo { text, line: cut_after_move(line, 0) }
    }
}

/// The result of a check: measurements as text, or the reason why the check did not pass.
type Measurement = Result<String, Fault>;

type Check = (&'static str, fn(&mut Subject) -> Measurement);

/// Protocol keywords, and phrases for messages.
struct Words {
    /// The first word of the line that contains the engine's move.
    answer: &'static str,
    /// The command that asks whether the engine is ready, and its answer.
    ready: (&'static str, &'static str),
    /// The phrase for messages about an answer to `stop`.
    after_stop: &'static str,
    /// The command for a ponder hit.
    ponder_hit: &'static str,
    /// The phrase for messages about an answer to a ponder hit.
    after_hit: &'static str,
}

/// A function that checks the output of a search.
type Judge<'a> = &'a dyn Fn(&[OutputLine]) -> Result<(), Fault>;

/// A function that performs the handshake of a protocol, sets the options in the engine's
/// description, and returns the engine's introduction.
type Greet = fn(&mut Link, &Entrant) -> Result<Vec<String>, Failure>;

fn wrong<T>(text: impl Into<String>) -> Result<T, Fault> {
    Err(Fault::Wrong(text.into()))
}

/// The timeout for immediate answers. It is generous, because the machine can be busy.
const SOON: Duration = Duration::from_secs(2);
/// The timeout for a search that is limited only by nodes or depth.
const MAX_SEARCH: Duration = Duration::from_secs(60);

impl Subject {
    fn send(&mut self, line: &str) -> Result<Instant, Failure> {
        self.link.send(line, "the next command")
    }

    /// Reads lines up to and including the first line that begins with `word`. Fails if no such
    /// line arrives within `time`.
    fn until(
        &mut self,
        word: &str,
        time: Duration,
        what: &'static str,
    ) -> Result<Vec<OutputLine>, Failure> {
        let deadline = Instant::now() + time;
        let mut lines = Lines::default();
        loop {
            let line = self.link.line(deadline, what)?;
            let last = line.text.split_whitespace().next() == Some(word);
            lines.store(line, what)?;
            if last {
                return Ok(lines.all);
            }
        }
    }

    /// Waits for `time`. Fails if a line that begins with `word` arrives.
    fn silent(&mut self, word: &str, time: Duration, when: &str) -> Result<(), Fault> {
        let deadline = Instant::now() + time;
        loop {
            match self.link.line(deadline, "nothing") {
                Ok(line) if line.text.split_whitespace().next() == Some(word) => {
                    return wrong(format!("'{}' {when}", line.text));
                }
                Ok(_) => {}
                Err(Failure::Stall(_)) => return Ok(()),
                Err(failure) => return Err(failure.into()),
            }
        }
    }

    /// Sends the line `question` `count` times, and checks that the engine answers each line once.
    /// `count` must be a multiple of 100.
    fn many(&mut self, question: &str, answer: &'static str, count: usize) -> Measurement {
        const AT_ONCE: usize = 100;
        let start = Instant::now();
        for _ in 0..count / AT_ONCE {
            for _ in 0..AT_ONCE {
                self.send(question)?;
            }
            for _ in 0..AT_ONCE {
                self.until(answer, self.link.patience.ready, answer)?;
            }
        }
        self.silent(answer, Duration::from_millis(20), "was sent once too often")?;
        Ok(format!("{count} answered in {:.0} ms", start.elapsed().as_secs_f64() * 1e3))
    }

    fn send_all(&mut self, lines: &[String]) -> Result<usize, Failure> {
        for line in lines {
            self.send(line)?;
        }
        Ok(lines.len())
    }

    /// Sends commands, the last of which starts a search. Returns the lines up to the answer, and
    /// the time until the answer arrived.
    fn think(
        &mut self,
        commands: &[&str],
        words: &Words,
        time: Duration,
    ) -> Result<(Vec<OutputLine>, Duration), Failure> {
        let sent = self.start(commands)?;
        let lines = self.until(words.answer, time, words.answer)?;
        let elapsed = elapsed(&lines, sent);
        Ok((lines, elapsed))
    }

    /// Checks that the engine does not send a second answer to the last search.
    fn answers_once(&mut self, words: &Words) -> Result<(), Fault> {
        let (question, ready) = words.ready;
        let mut second = None;
        self.link.query_with(question, ready, |line| {
            if line.split_whitespace().next() == Some(words.answer) {
                second = Some(line.to_owned());
            }
        })?;
        second.map_or(Ok(()), |line| {
            wrong(format!("sent a second {} for one search: '{line}'", words.answer))
        })
    }

    /// Sends commands, the last of which starts a search. Returns the time at which the last
    /// command was sent.
    fn start(&mut self, commands: &[&str]) -> Result<Instant, Failure> {
        let mut sent = Instant::now();
        for command in commands {
            sent = self.send(command)?;
        }
        Ok(sent)
    }

    /// Checks that the engine sends no answer for `time` and then answers `stop`. The engine must
    /// be searching. Returns the lines up to the answer.
    fn waits_for_stop(
        &mut self,
        words: &Words,
        time: Duration,
        when: &str,
    ) -> Result<Vec<OutputLine>, Fault> {
        self.silent(words.answer, time, when)?;
        self.send("stop")?;
        Ok(self.until(words.answer, SOON, words.after_stop)?)
    }

    /// Runs searches and stops each of them. `searches` contains, for each search, the time before
    /// `stop` in milliseconds, and the commands. Returns the times that the engine needed to answer
    /// `stop`.
    fn stops<'a>(
        &mut self,
        words: &Words,
        searches: impl IntoIterator<Item = (u64, Vec<&'a str>)>,
        judge: Judge<'_>,
    ) -> Result<Times, Fault> {
        let mut times = Times::default();
        for (ms, commands) in searches {
            self.start(&commands)?;
            std::thread::sleep(Duration::from_millis(ms));
            let stop_sent = self.send("stop")?;
            let lines = self.until(words.answer, SOON, words.after_stop)?;
            judge(&lines)?;
            times.add(elapsed(&lines, stop_sent));
        }
        Ok(times)
    }

    /// Starts pondering with one second on the engine's clock. Checks that the engine waits for the
    /// ponder hit and then answers within one second. Then starts pondering again, and checks that
    /// the engine waits for `stop`.
    fn ponders(&mut self, words: &Words, commands: &[&str], judge: Judge<'_>) -> Measurement {
        const WHEN: &str = "came while pondering";
        self.start(commands)?;
        self.silent(words.answer, Duration::from_millis(1200), WHEN)?;
        let hit = self.send(words.ponder_hit)?;
        let lines = self.until(words.answer, SOON, words.after_hit)?;
        judge(&lines)?;
        let time = elapsed(&lines, hit);
        let ms = time.as_millis();
        if time > Duration::from_secs(1) {
            return wrong(format!("{ms} ms after {} with 1000 ms on the clock", words.ponder_hit));
        }
        self.start(commands)?;
        judge(&self.waits_for_stop(words, Duration::from_millis(100), WHEN)?)?;
        Ok(format!("answered {ms} ms after {}", words.ponder_hit))
    }

    fn quits(&mut self) -> Measurement {
        std::thread::sleep(Duration::from_millis(100));
        self.send("quit")?;
        self.ends(SOON)
    }

    fn hangs_up(&mut self) -> Measurement {
        self.link.hang_up();
        self.ends(SOON)
    }

    fn ends(&mut self, time: Duration) -> Measurement {
        let start = Instant::now();
        loop {
            match self.link.line(start + time, "its end") {
                Ok(_) => {}
                Err(Failure::Crash(..)) => {
                    return Ok(format!("after {:.0} ms", start.elapsed().as_secs_f64() * 1e3));
                }
                Err(Failure::Stall(_)) => {
                    return wrong(format!("still running after {} s", time.as_secs()));
                }
                Err(failure) => return Err(failure.into()),
            }
        }
    }
}

/// Returns the commands that start a search with the limits in an engine's description, and the
/// timeout for the answer. The command that sets the position is not included. The commands give the
/// initial time on the clock, so they can be sent again for every move.
fn search_within<G: Game, P: LineProtocol<G>>(
    protocol: &P,
    control: &TimeControl,
) -> (Vec<String>, Duration) {
    let clock = Clock::new(&control.budget);
    let reading = ClockReading {
        left: clock.remaining(),
        increment: clock.increment(),
        moves_to_go: clock.moves_to_go(),
    };
    let (start, side, clocks) = (&G::start(), Side::White, [reading; 2]);
    let question = Question { start, moves: &[], side, clocks, control };
    let commands = protocol.question(&question, TimeOf::Mover).split_off(1);
    (commands, reading.left.unwrap_or(MAX_SEARCH) + SOON)
}

/// Plays the moves of a principal variation. Fails at the first illegal move. `line` is the output
/// line that contains the variation.
fn play_variation<G: Game>(
    start: &G,
    variation: &str,
    line: &str,
    read: impl Fn(&G, &str) -> Result<G::Move, Fault>,
) -> Result<(), Fault> {
    let mut position = start.clone();
    let mut moves = variation.split_whitespace();
    while let Some(text) = moves.next() {
        let m =
            read(&position, text).map_err(|fault| fault.in_info(line, moves.clone().count()))?;
        position = position.after(m);
    }
    Ok(())
}

fn within(question: &str, time: Duration, allowed: Duration) -> Result<(), Fault> {
    if time > allowed {
        return wrong(format!("'{question}' took {} ms", time.as_millis()));
    }
    Ok(())
}

fn position<P: FromStr<Err: fmt::Display>>(fen: &str) -> Result<P, Fault> {
    fen.parse().or_else(|error| wrong(format!("{fen}: {error}")))
}

/// Returns the time from `since` until the arrival of the last line, or [`SOON`] if there are no
/// lines.
fn elapsed(lines: &[OutputLine], since: Instant) -> Duration {
    lines.last().map_or(SOON, |line| line.at.saturating_duration_since(since))
}

/// Response times, and the shortest time limit that applied to any of them.
#[derive(Default)]
struct Times(Vec<Duration>, Option<Duration>);

impl Times {
    fn add(&mut self, time: Duration) {
        self.0.push(time);
    }

    fn add_within(&mut self, question: &str, time: Duration, allowed_ms: u64) -> Result<(), Fault> {
        self.add(time);
        let allowed = Duration::from_millis(allowed_ms);
        self.1 = Some(self.1.map_or(allowed, |limit| limit.min(allowed)));
        within(question, time, allowed)
    }
}

impl fmt::Display for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut times = self.0.clone();
        times.sort_unstable();
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        let median = times.get(times.len() / 2).copied().unwrap_or_default();
        let worst = times.last().copied().unwrap_or_default();
        write!(f, "median {:.1} ms, worst {:.1} ms of {}", ms(median), ms(worst), times.len())?;
        self.1.map_or(Ok(()), |limit| write!(f, " (limits from {:.0} ms)", ms(limit)))
    }
}

/// Runs all checks for a protocol and reports each result. If a handshake fails, the remaining
/// checks are not run. Returns the number of checks that were not run.
///
/// # Errors
/// Returns an error if the program cannot be run, if the engine's description sets an option that
/// the engine does not have or a value that it does not accept, if the checks are interrupted, or
/// if the protocol is DXP.
pub fn run(
    entrant: &Entrant,
    protocol: Protocol,
    interrupt: &Interrupt,
    report: &mut dyn FnMut(&Finding),
) -> Result<usize, Failure> {
    let (checks, greet): (&[Check], Greet) = match protocol {
        Protocol::Uci => (uci::CHECKS, uci::greet),
        Protocol::Hub => (hub::CHECKS, hub::greet),
        Protocol::Dxp | Protocol::DxpClient => return Err(Failure::Unchecked(protocol)),
    };
    for (index, &(name, check)) in checks.iter().enumerate() {
        if interrupt.is_raised() {
            return Err(Failure::Aborted);
        }
        let mut link = Link::open(entrant, &entrant.args, Patience::default(), interrupt)?;
        let greeting = greet(&mut link, entrant);
        if let Err(failure @ Failure::Setting(_)) = greeting {
            return Err(failure);
        }
        let mute = greeting.is_err();
        let measurement = match greeting {
            Ok(greeting) => {
                let mut subject = Subject { link, greeting, control: entrant.control.clone() };
                let measurement = check(&mut subject);
                link = subject.link;
                measurement
            }
            Err(failure) => Err(failure.into()),
        };
        let mut info = None;
        let result = match measurement {
            Ok(text) => CheckResult::Passed(text),
            Err(Fault::Absent(text)) => CheckResult::Skipped(text),
            Err(Fault::Wrong(text)) => CheckResult::Failed(text),
            Err(Fault::WrongInfo { text, line }) => {
                info = Some(format!("< {line}"));
                CheckResult::Failed(text)
            }
            Err(Fault::Engine(Failure::Aborted)) => return Err(Failure::Aborted),
            Err(Fault::Engine(failure)) => CheckResult::Failed(failure.to_string()),
        };
        let failed = matches!(result, CheckResult::Failed(_));
        let mut transcript = if failed { link.transcript() } else { Vec::new() };
        transcript.extend(info);
        report(&Finding { name, result, transcript });
        // If the handshake fails, no other check can pass.
        if mute {
            return Ok(checks.len() - index - 1);
        }
    }
    Ok(0)
}

/// Returns lines that are invalid in every protocol, followed by the lines in `of_protocol`.
fn garbage(of_protocol: &[&str]) -> Vec<String> {
    let mut lines: Vec<String> = [
        "",
        "   ",
        "\t",
        "hello",
        "bestmove e2e4",
        "go\u{0}go",
        "\u{1f4a9} \u{7f}",
        "=",
        "\"",
        "\\",
    ]
    .map(str::to_owned)
    .to_vec();
    lines.push("x".repeat(100_000));
    lines.push("word ".repeat(20_000));
    lines.extend(of_protocol.iter().map(|&line| line.to_owned()));
    lines
}
