//! Errors in suites: lines that cannot be checked, and positions that contradict their record.

use crate::record::epd::Operation;
use crate::{chess, draughts};
use std::collections::BTreeSet;
use std::error::Error;

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct SuiteRecordError<E: Error> {
    pub line: usize,
    pub problem: LineProblem<E>,
}

/// The reason why a line cannot be checked. `E` is the game's error type for moves.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LineProblem<E: Error> {
    #[error(transparent)]
    Record(#[from] RecordProblem),
    #[error("in '{operation}': {problem}")]
    Operation { operation: Operation, problem: OperandProblem<E> },
    #[error("there is nothing to check: no D1, bm, am, dm, legal, ...")]
    Empty,
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RecordProblem {
    #[error(transparent)]
    Chess(#[from] chess::epd::EpdError),
    #[error(transparent)]
    Draughts(#[from] draughts::epd::EpdError),
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OperandProblem<E: Error> {
    #[error(transparent)]
    Move(E),
    #[error("no move is given")]
    NoMove,
    #[error("'{0}' is not a number or is out of range")]
    Number(String),
    #[error("expected exactly one number")]
    NotOneNumber,
    #[error("expected one of: {}", .0.join(", "))]
    State(&'static [&'static str]),
    #[error("expected {0}")]
    Shape(&'static str),
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Contradiction<E: Error> {
    #[error("{found} leaves at depth {depth}, not {expected}")]
    Leaves { found: u64, depth: u32, expected: u64 },
    #[error(transparent)]
    Move(E),
    #[error("'{0}' is not a move")]
    NotAMove(String),
    #[error("{0} is legal but should be illegal")]
    Legal(String),
    #[error("the legal move {0} is not listed")]
    Unlisted(String),
    #[error("a move is listed twice")]
    Twice,
    #[error("the state is {found}, not {expected}")]
    State { found: &'static str, expected: String },
    #[error("after {m} the position is {found}, not {expected}")]
    After { m: String, found: String, expected: String },
    #[error("after {m}: {problem}")]
    AfterUnreadable { m: String, problem: RecordProblem },
    #[error("the position has no legal move")]
    NoMove,
    #[error("played {played}, not {expected}")]
    NotBest { played: String, expected: String },
    #[error("played {0}, which should be avoided")]
    Avoidable(String),
    #[error("found {}, expected mate in {expected}", mate(*found))]
    Mate {
        /// The number of moves to mate, or `None` if no mate was found.
        found: Option<i32>,
        /// The expected number of moves to mate.
        expected: u32,
    },
    #[error("Chess960 start position {number} is {fen}")]
    Start { number: u16, fen: String },
    #[error("there is no Chess960 start position {0} (0 to 959)")]
    NoStart(u16),
    #[error("{m} is named {found:?}, not {expected:?}")]
    Names { m: String, found: BTreeSet<String>, expected: BTreeSet<String> },
    #[error("{m} has the routes {found:?}, not {expected:?}")]
    Routes { m: String, found: BTreeSet<String>, expected: BTreeSet<String> },
}

fn mate(distance: Option<i32>) -> String {
    distance.map_or("no mate".to_owned(), |distance| format!("mate in {distance}"))
}
