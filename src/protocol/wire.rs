//! The line to the interface: whole lines out, whole lines in, and the log of both.
//!
//! Lines leave in one write and are flushed, so that threads cannot mix them. Once the other side has
//! hung up nothing more is sent, and the owner is told once.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, SyncSender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

impl std::fmt::Debug for Wire {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Wire").field("closed", &self.closed).finish_non_exhaustive()
    }
}

/// Writes lines and logs lines.
pub struct Wire {
    ends: Mutex<Ends>,
    closed: AtomicBool,
    on_close: Box<dyn Fn() + Send + Sync>,
    start: Instant,
}

struct Ends {
    output: Box<dyn Write + Send>,
    log: Option<File>,
}

impl Wire {
    /// A wire into `output`; `on_close` is called when `output` accepts no more.
    pub fn new(
        output: impl Write + Send + 'static,
        on_close: impl Fn() + Send + Sync + 'static,
    ) -> Self {
        Self {
            ends: Mutex::new(Ends { output: Box::new(output), log: None }),
            closed: AtomicBool::new(false),
            on_close: Box::new(on_close),
            start: Instant::now(),
        }
    }

    /// Sends a line, or several at once.
    pub fn send(&self, reply: impl Display) {
        if self.is_closed() {
            return;
        }
        let mut text = reply.to_string();
        text.push('\n');
        let mut ends = self.ends();
        let sent = ends.output.write_all(text.as_bytes()).and_then(|()| ends.output.flush());
        self.log(&mut ends, "<", &text);
        drop(ends);
        if let Err(error) = sent {
            tracing::debug!("output closed: {error}");
            self.close();
        }
    }

    /// Logs a line that came in.
    pub fn received(&self, line: &str) {
        self.log(&mut self.ends(), ">", line);
    }

    /// Appends all lines to a file from now on; `None` ends the log.
    pub fn log_to(&self, log: Option<File>) {
        self.ends().log = log;
    }

    /// Sends nothing from now on.
    pub fn close(&self) {
        if !self.closed.swap(true, Ordering::Relaxed) {
            (self.on_close)();
        }
    }

    /// Whether nothing is sent any more.
    pub fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }

    fn log(&self, ends: &mut Ends, direction: &str, text: &str) {
        let Some(file) = &mut ends.log else { return };
        let time = self.start.elapsed().as_secs_f64();
        let lines: String =
            text.lines().map(|line| format!("{time:12.6} {direction} {line}\n")).collect();
        if let Err(error) = file.write_all(lines.as_bytes()) {
            tracing::warn!("the log file cannot be written any more: {error}");
            ends.log = None;
        }
    }

    fn ends(&self) -> MutexGuard<'_, Ends> {
        self.ends.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The longest line that is read, in bytes: a game of more than 100,000 moves.
pub const LONGEST_LINE: usize = 1 << 20;

/// What came in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Incoming {
    /// A line without its end; bytes that are not UTF-8 are replaced.
    Line(String),
    /// A line longer than [`LONGEST_LINE`], thrown away.
    TooLong,
}

/// Reads lines until the input ends or `take` says stop. Any of `\n`, `\r` and both together end a
/// line, as the protocols ask; blank lines are left out.
pub fn read_lines(mut input: impl BufRead, mut take: impl FnMut(Incoming) -> bool) {
    let mut line = Vec::new();
    let mut too_long = false;
    loop {
        let bytes = match input.fill_buf() {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => {
                tracing::debug!("input closed: {error}");
                &[]
            }
        };
        let at_end = bytes.is_empty();
        let end = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        let part = &bytes[..end.unwrap_or(bytes.len())];
        too_long |= line.len() + part.len() > LONGEST_LINE;
        if !too_long {
            line.extend_from_slice(part);
        }
        let used = end.map_or(bytes.len(), |end| end + 1);
        input.consume(used);
        if !(at_end || end.is_some()) {
            continue;
        }
        let text = String::from_utf8_lossy(&line);
        let incoming = match too_long {
            true => Some(Incoming::TooLong),
            false if text.trim().is_empty() => None,
            false => Some(Incoming::Line(text.into_owned())),
        };
        if incoming.is_some_and(|incoming| !take(incoming)) || at_end {
            return;
        }
        line.clear();
        too_long = false;
    }
}

/// Whether a conversation goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
    /// It goes on.
    Continue,
    /// It ends.
    Quit,
}

/// Gives every line of `input` to `obey`, with the wire to answer into, until `obey` quits, the input
/// ends or the output is closed. A line too long to be read is given as `None`.
///
/// A second thread reads the input, so that its end is noticed even while `obey` is at work.
pub fn converse(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    mut obey: impl FnMut(&Arc<Wire>, Option<&str>) -> Flow,
) {
    // Bounded, so that a flood of input waits in the pipe and not in memory.
    let (events, inbox) = mpsc::sync_channel(256);
    let hang_up = SyncSender::clone(&events);
    let wire = Arc::new(Wire::new(output, move || {
        let _ = hang_up.try_send(None);
    }));
    std::thread::spawn(move || {
        read_lines(BufReader::new(input), |incoming| events.send(Some(incoming)).is_ok());
        let _ = events.send(None);
    });
    while let Ok(Some(incoming)) = inbox.recv()
        && !wire.is_closed()
    {
        let flow = match incoming {
            Incoming::Line(line) => {
                wire.received(&line);
                obey(&wire, Some(&line))
            }
            Incoming::TooLong => obey(&wire, None),
        };
        if flow == Flow::Quit {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_in_every_way() {
        let huge = "x".repeat(LONGEST_LINE + 1);
        let text = format!("uci\n\n isready\r\nstop\r{huge}\ngo \u{ff}");
        let bytes: Vec<u8> = text.chars().map(|c| c as u32 as u8).collect();
        let mut lines = Vec::new();
        read_lines(BufReader::with_capacity(3, bytes.as_slice()), |incoming| {
            lines.push(incoming);
            true
        });
        let line = |text: &str| Incoming::Line(text.to_owned());
        let expected =
            [line("uci"), line(" isready"), line("stop"), Incoming::TooLong, line("go \u{fffd}")];
        assert_eq!(lines, expected);
    }
}
