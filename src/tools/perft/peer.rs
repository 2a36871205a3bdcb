//! Other programs for the comparison of perft counts: engines that support `go perft` (a common
//! extension of UCI), and programs that take a position and a depth as arguments.

use super::compare::{Counts, MovePath, Peer, PeerError, read_counts};
use super::game::PerftGame;
use crate::arena::engine::entrant::{Entrant, Protocol};
use crate::arena::engine::failure::Failure;
use crate::arena::engine::link::{Lines, Link, Patience};
use crate::arena::engine::process::Interrupt;
use crate::arena::game::contest::{Contest, Variant};
use crate::base::cursor::excerpt;
use crate::chess::Position;
use crate::protocol::uci::command::Command;
use crate::protocol::uci::info::Info;
use crate::protocol::uci::reply::Reply;
use std::io::Read;
use std::process::{self, Stdio};
use std::time::{Duration, Instant};

/// The maximum time between two output lines from an engine that is counting.
const TIMEOUT: Duration = Duration::from_secs(600);

/// The maximum number of bytes read from a program's output.
const MAX_OUTPUT: u64 = 1 << 22;

#[derive(Debug)]
pub(crate) struct UciPeer {
    name: String,
    link: Link,
    chess960: bool,
}

impl UciPeer {
    /// Starts the engine and sets its options, including `UCI_Chess960` if `chess960` is true.
    pub(crate) fn start(
        entrant: &Entrant,
        chess960: bool,
        interrupt: &Interrupt,
    ) -> Result<Self, PeerError> {
        let variant = if chess960 { Variant::Chess960 } else { Variant::Standard };
        let mut link = Link::open(entrant, &entrant.args, Patience::default(), interrupt)?;
        let protocol = Position::engine_protocol(Protocol::Uci, variant);
        protocol.ok_or(Failure::Protocol(Protocol::Uci))?.greet(&mut link, entrant)?;
        Ok(Self { name: entrant.name.clone(), link, chess960 })
    }
}

impl Peer<Position> for UciPeer {
    fn name(&self) -> &str {
        &self.name
    }

    fn divide(&mut self, line: &MovePath<Position>, depth: u32) -> Result<Counts, PeerError> {
        let mut position = line.start.clone();
        let mut moves = Vec::with_capacity(line.moves.len());
        for &m in &line.moves {
            moves.push(position.uci(m, self.chess960));
            position = position.play(m);
        }
        let moves = moves.iter().map(String::as_str).collect();
        let command = Command::Position { fen: Some(line.text.clone()), moves };
        self.link.send(&command.to_string(), "a position")?;
        self.link.send(&format!("go perft {depth}"), "a count")?;
        let mut lines = Lines::default();
        loop {
            let line = self.link.line(Instant::now() + TIMEOUT, "a count")?;
            let text = &line.text;
            if is_search(text) {
                return Err(PeerError::NoPerft(excerpt(text)));
            }
            let total = text.to_ascii_lowercase();
            if total.contains("nodes") && !total.starts_with("info") {
                return Ok(read_counts(lines.all.iter().map(|line| line.text.as_str())));
            }
            lines.store(line, "a count")?;
        }
    }
}

/// Returns whether a line shows that the engine is searching instead of counting.
fn is_search(line: &str) -> bool {
    match Reply::parse(line) {
        Some(Reply::BestMove(_)) => true,
        Some(Reply::Info(Info { string: None, score, currmove, pv, .. })) => {
            score.is_some() || currmove.is_some() || !pv.is_empty()
        }
        _ => false,
    }
}

#[derive(Clone, Debug)]
pub(crate) struct ProgramPeer {
    words: Vec<String>,
}

impl ProgramPeer {
    pub(crate) const FEN: &str = "{fen}";
    pub(crate) const DEPTH: &str = "{depth}";

    /// Parses a command that contains the placeholder for the depth. Returns `None` for any other
    /// command, because such a command starts an engine.
    pub fn read(command: &str) -> Option<Self> {
        let words = shlex::split(command)?;
        let whole = words.iter().any(|word| word.contains(Self::DEPTH));
        whole.then_some(Self { words })
    }
}

impl<G: PerftGame> Peer<G> for ProgramPeer {
    fn name(&self) -> &str {
        self.words.first().map_or("", String::as_str)
    }

    fn divide(&mut self, line: &MovePath<G>, depth: u32) -> Result<Counts, PeerError> {
        let (fen, depth) = (G::text(line), depth.to_string());
        let mut words = self
            .words
            .iter()
            .map(|word| word.replace(Self::FEN, &fen).replace(Self::DEPTH, &depth));
        let program = words.next().unwrap_or_default();
        let failed = |error| PeerError::Start { program: program.clone(), error };
        let mut child = process::Command::new(&program)
            .args(words)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .map_err(failed)?;
        let mut output = Vec::new();
        if let Some(stdout) = child.stdout.take() {
            stdout.take(MAX_OUTPUT).read_to_end(&mut output).map_err(failed)?;
        }
        let status = child.wait().map_err(failed)?;
        if !status.success() {
            return Err(PeerError::Ended(status));
        }
        let output = String::from_utf8_lossy(&output);
        let counts = read_counts(output.lines());
        if counts.is_empty() && !line.position.moves().is_empty() {
            let first_line = output.lines().next().map_or_else(|| "nothing".to_owned(), excerpt);
            return Err(PeerError::NoCounts(first_line));
        }
        Ok(counts)
    }
}

impl PeerError {
    pub(crate) const fn is_abort(&self) -> bool {
        matches!(self, Self::Engine(Failure::Aborted))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distinguishes_searches_from_counts() {
        for line in [
            "bestmove e2e4",
            "info depth 1 seldepth 1 score cp 10 time 0 nodes 20",
            "info depth 2 currmove e2e4 currmovenumber 1",
            "info depth 1 pv e2e4",
        ] {
            assert!(is_search(line), "{line}");
        }
        for line in
            ["e2e4: 20", "info string perft depth 3", "info depth 3 nodes 8902 time 1", "", "20"]
        {
            assert!(!is_search(line), "{line}");
        }
    }
}
