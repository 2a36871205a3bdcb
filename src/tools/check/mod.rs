//! Does an engine do what its protocol asks? Each check starts the engine anew and asks it for one
//! thing, as interfaces and match runners do, and as they should not.
//!
//! What is checked for UCI is in `uci`, for Hub in `hub`.

mod hub;
mod uci;

use crate::arena::engine::entrant::{Entrant, Protocol};
use crate::arena::engine::process::{Interrupt, Line};
use crate::arena::engine::talk::{Failure, Link, Patience};
use std::fmt;
use std::time::{Duration, Instant};

/// How a check ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// As it should, with what was measured.
    Passed(String),
    /// Otherwise.
    Failed(String),
    /// There was nothing to check, and why.
    Skipped(String),
}

/// A check that was made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// What was checked.
    pub name: &'static str,
    /// How it ended.
    pub verdict: Verdict,
    /// The last lines of the conversation, where it failed.
    pub transcript: Vec<String>,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (word, text) = match &self.verdict {
            Verdict::Passed(text) => ("ok", text),
            Verdict::Failed(text) => ("FAILED", text),
            Verdict::Skipped(text) => ("skipped", text),
        };
        write!(f, "{word:7} {}", self.name)?;
        if text.is_empty() { Ok(()) } else { write!(f, ": {text}") }
    }
}

/// An engine that is being checked.
struct Subject {
    link: Link,
    /// What it said when it introduced itself.
    greeting: Vec<String>,
}

/// Why a check did not pass.
enum Fault {
    /// The engine failed altogether.
    Engine(Failure),
    /// What it did is not right.
    Wrong(String),
    /// It does not have what would be checked.
    Absent(String),
}

impl From<Failure> for Fault {
    fn from(failure: Failure) -> Self {
        Self::Engine(failure)
    }
}

/// What was measured, or why it did not pass.
type Outcome = Result<String, Fault>;

/// A check by its name.
type Check = (&'static str, fn(&mut Subject) -> Outcome);

/// Has an engine introduce itself and get ready; the lines in which it did.
type Greet = fn(&mut Link) -> Result<Vec<String>, Failure>;

fn wrong<T>(text: impl Into<String>) -> Result<T, Fault> {
    Err(Fault::Wrong(text.into()))
}

/// What an engine may take to answer where it should do so at once. Machines are busy at times.
const SOON: Duration = Duration::from_secs(2);

impl Subject {
    fn send(&mut self, line: &str) -> Result<Instant, Failure> {
        self.link.send(line, "the next command")
    }

    /// All lines up to one that begins with `word`, that one last, within `time`.
    fn until(
        &mut self,
        word: &str,
        time: Duration,
        what: &'static str,
    ) -> Result<Vec<Line>, Failure> {
        let deadline = Instant::now() + time;
        let mut lines = Vec::new();
        loop {
            let line = self.link.line(deadline, what)?;
            let last = line.text.split_whitespace().next() == Some(word);
            lines.push(line);
            if last {
                return Ok(lines);
            }
        }
    }

    /// Fails where a line that begins with `word` comes within `time`.
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

    /// Sends `question` so many times, and waits for as many answers.
    fn many(&mut self, question: &str, answer: &'static str, count: usize) -> Outcome {
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
        self.send(question)?;
        self.until(answer, self.link.patience.ready, answer)?;
        self.silent(answer, Duration::from_millis(20), "was one answer too many")?;
        Ok(format!("{count} answered in {:.0} ms", start.elapsed().as_secs_f64() * 1e3))
    }

    /// Sends lines that mean nothing or cannot be obeyed, and says how many.
    fn send_all(&mut self, lines: &[String]) -> Result<usize, Failure> {
        for line in lines {
            self.send(line)?;
        }
        Ok(lines.len())
    }

    /// Sends `quit` to an engine that has begun to think, and waits for its end.
    fn quits(&mut self) -> Outcome {
        std::thread::sleep(Duration::from_millis(100));
        self.send("quit")?;
        self.ends(SOON)
    }

    /// Closes an engine's input, and waits for its end.
    fn hangs_up(&mut self) -> Outcome {
        self.link.hang_up();
        self.ends(SOON)
    }

    /// Waits for the process to close its output.
    fn ends(&mut self, time: Duration) -> Outcome {
        let start = Instant::now();
        loop {
            match self.link.line(start + time, "its end") {
                Ok(_) => {}
                Err(Failure::Crash(_)) => {
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

/// How long after `since` the last of some lines came.
fn elapsed(lines: &[Line], since: Instant) -> Duration {
    lines.last().map_or(SOON, |line| line.at.saturating_duration_since(since))
}

/// Times of answers.
#[derive(Default)]
struct Times(Vec<Duration>);

impl Times {
    fn add(&mut self, time: Duration) {
        self.0.push(time);
    }
}

impl fmt::Display for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut times = self.0.clone();
        times.sort_unstable();
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        let median = times.get(times.len() / 2).copied().unwrap_or_default();
        let worst = times.last().copied().unwrap_or_default();
        write!(f, "median {:.1} ms, worst {:.1} ms of {}", ms(median), ms(worst), times.len())
    }
}

/// Makes every check of a protocol and reports each as it is done. Returns whether none failed.
///
/// # Errors
/// If the program cannot be run at all, the interrupt was raised, or there are no checks of the
/// protocol.
pub fn run(
    entrant: &Entrant,
    protocol: Protocol,
    interrupt: &Interrupt,
    report: &mut dyn FnMut(&Finding),
) -> Result<bool, Failure> {
    let (checks, greet): (&[Check], Greet) = match protocol {
        Protocol::Uci => (uci::CHECKS, uci::greet),
        Protocol::Hub => (hub::CHECKS, hub::greet),
        Protocol::Dxp | Protocol::DxpClient => return Err(Failure::Unchecked(protocol)),
    };
    let mut all = true;
    for &(name, check) in checks {
        if interrupt.is_raised() {
            return Err(Failure::Aborted);
        }
        let mut link = Link::open(entrant, &entrant.args, Patience::default(), interrupt)?;
        let greeting = greet(&mut link);
        let mute = greeting.is_err();
        let outcome = match greeting {
            Ok(greeting) => {
                let mut subject = Subject { link, greeting };
                let outcome = check(&mut subject);
                link = subject.link;
                outcome
            }
            Err(failure) => Err(failure.into()),
        };
        let verdict = match outcome {
            Ok(text) => Verdict::Passed(text),
            Err(Fault::Absent(text)) => Verdict::Skipped(text),
            Err(Fault::Wrong(text)) => Verdict::Failed(text),
            Err(Fault::Engine(Failure::Aborted)) => return Err(Failure::Aborted),
            Err(Fault::Engine(failure)) => Verdict::Failed(failure.to_string()),
        };
        let failed = matches!(verdict, Verdict::Failed(_));
        all &= !failed;
        let transcript = if failed { link.transcript() } else { Vec::new() };
        report(&Finding { name, verdict, transcript });
        // There is no more to be learnt from an engine that does not even say who it is.
        if mute {
            break;
        }
    }
    Ok(all)
}

/// Lines of garbage that every engine has to survive, and those of a protocol.
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
