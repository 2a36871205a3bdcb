//! Comparison of perft counts with another program. `adoube perft --against` and `adoube suite
//! --against` use it to start the program and to report differences.

use super::check::entrant;
use super::interrupt;
use crate::arena::engine::process::Interrupt;
use crate::tools::perft::compare::{CompareError, Comparison, MovePath, Peer, Step, compare};
use crate::tools::perft::game::PerftGame;
use crate::tools::perft::peer::ProgramPeer;
use anyhow::{Context, bail};
use serde_json::{Map, Value, json};
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Creates the peer, the other program in the comparison. Normally the command is an engine, which
/// is started immediately. If the command contains placeholders for position and depth, the peer
/// runs it once for each count.
pub(super) fn start_peer<G: PerftGame>(
    command: &str,
    chess960: bool,
    interrupt: &Interrupt,
) -> anyhow::Result<Box<dyn Peer<G>>> {
    if let Some(program) = ProgramPeer::read(command) {
        return Ok(Box::new(program));
    }
    let Some(start) = G::START_PEER else {
        bail!(
            "no draughts protocol has a perft command: give a program with placeholders for \
             position and depth, as in --against \"PROGRAM {{fen}} {{depth}}\""
        );
    };
    let engine = || Ok(start(&entrant(command)?, chess960, interrupt)?);
    let engine: anyhow::Result<_> = engine();
    engine.with_context(|| format!("'{command}'"))
}

/// Installs a Ctrl-C handler and returns a flag and an interrupt. Ctrl-C sets the flag, which stops
/// our own count. Ctrl-C also raises the interrupt, which aborts every wait for the engine.
pub(super) fn stops() -> anyhow::Result<(Arc<AtomicBool>, Interrupt)> {
    let (stop, interrupt) = (Arc::new(AtomicBool::new(false)), Interrupt::default());
    let (raised, aborted) = (Arc::clone(&stop), interrupt.clone());
    ctrlc::set_handler(move || {
        raised.store(true, Ordering::Relaxed);
        aborted.abort();
    })
    .context("cannot install the Ctrl-C handler")?;
    Ok((stop, interrupt))
}

pub(super) fn stopped() -> ExitCode {
    ExitCode::from(interrupt::EXIT_CODE)
}

pub(super) struct Finding<G: PerftGame> {
    depth: u32,
    chess960: bool,
    steps: Vec<Step<G::Move>>,
    comparison: Comparison<G>,
}

impl<G: PerftGame> Finding<G> {
    /// Compares our count with the peer's count. Returns `None` after Ctrl-C.
    pub(super) fn of(
        peer: &mut dyn Peer<G>,
        line: MovePath<G>,
        depth: u32,
        chess960: bool,
        threads: usize,
        stop: &AtomicBool,
    ) -> anyhow::Result<Option<Self>> {
        let mut steps = Vec::new();
        match compare(peer, line, depth, threads, stop, &mut |step| steps.push(step)) {
            Err(CompareError::Stopped) => Ok(None),
            Err(CompareError::Peer { error, .. }) if error.is_abort() => Ok(None),
            comparison => Ok(Some(Self { depth, chess960, steps, comparison: comparison? })),
        }
    }

    /// Returns the leaf count, or `None` if the counts of the two programs differ.
    pub(super) const fn same(&self) -> Option<u64> {
        match self.comparison {
            Comparison::Same(leaves) => Some(leaves),
            _ => None,
        }
    }

    fn line(&self) -> Option<&MovePath<G>> {
        match &self.comparison {
            Comparison::Same(_) => None,
            Comparison::Moves { line, .. }
            | Comparison::Leaves { line, .. }
            | Comparison::Fickle { line, .. } => Some(line),
        }
    }

    /// Formats a move. The move may come from any position on the path to the difference, because
    /// its text does not depend on the position.
    fn text(&self, m: G::Move) -> String {
        self.line().map_or_else(|| m.to_string(), |line| line.position.move_text(m, self.chess960))
    }

    pub(super) fn print(&self, out: &mut impl Write) -> io::Result<()> {
        for &Step { m, depth, ours, theirs } in &self.steps {
            let m = self.text(m);
            writeln!(out, "below {m}, depth {depth}: {theirs} leaves, should be {ours}")?;
        }
        let line = match &self.comparison {
            Comparison::Same(leaves) => return writeln!(out, "The two agree: {leaves} leaves."),
            Comparison::Moves { line, missing, extra } => {
                for &m in missing {
                    writeln!(out, "missing: {}, {}", self.text(m), line.position.kind_of(m))?;
                }
                for text in extra {
                    writeln!(out, "too many: {}, {}", text.escape_debug(), G::why_not(line, text))?;
                }
                line
            }
            Comparison::Leaves { line, wrong } => {
                for &(m, count) in wrong {
                    let m = self.text(m);
                    writeln!(out, "{m} is one leaf, but counted as {count}")?;
                }
                line
            }
            Comparison::Fickle { line, below: [theirs, right] } => {
                writeln!(
                    out,
                    "Counted from the previous move, this position has {theirs} leaves; counted \
                     directly, {right}, which is correct. The program's count depends on the path: \
                     check its hash table and the state that it updates move by move."
                )?;
                line
            }
        };
        writeln!(out, "\n{}", G::diagram(line))?;
        let moves: Vec<_> = line.moves.iter().map(|&m| self.text(m)).collect();
        if !moves.is_empty() {
            writeln!(out, "After: {}, from {}", moves.join(" "), line.text)?;
        }
        writeln!(out, "Show the moves: {}", command(line))
    }

    pub(super) fn json(&self) -> Map<String, Value> {
        let mut object = Map::new();
        let mut put = |name: &str, value: Value| object.insert(name.to_owned(), value);
        put("agree", self.same().is_some().into());
        put("depth", self.depth.into());
        let line = match &self.comparison {
            &Comparison::Same(leaves) => {
                put("leaves", leaves.into());
                return object;
            }
            Comparison::Moves { line, missing, extra } => {
                let missing = missing
                    .iter()
                    .map(|&m| json!({ "move": self.text(m), "kind": line.position.kind_of(m) }));
                put("missing", missing.collect());
                let extra = extra
                    .iter()
                    .map(|text| json!({ "move": text, "reason": G::why_not(line, text) }));
                put("too_many", extra.collect());
                line
            }
            Comparison::Leaves { line, wrong } => {
                let wrong = wrong
                    .iter()
                    .map(|&(m, count)| json!({ "move": self.text(m), "counted": count }));
                put("not_one_leaf", wrong.collect());
                line
            }
            Comparison::Fickle { line, below: [theirs, right] } => {
                put("depends_on_the_way", json!({ "counted": theirs, "leaves": right }));
                line
            }
        };
        let steps = self.steps.iter().map(|&Step { m, depth, ours, theirs }| {
            json!({ "move": self.text(m), "depth": depth, "counted": theirs, "leaves": ours })
        });
        put("below", steps.collect());
        put("start", line.text.clone().into());
        put("moves", line.moves.iter().map(|&m| self.text(m)).collect());
        put("fen", G::text(line).into());
        put("command", command(line).into());
        object
    }
}

fn command<G: PerftGame>(line: &MovePath<G>) -> String {
    format!("adoube perft 1 --divide --fen '{}'", G::text(line))
}
