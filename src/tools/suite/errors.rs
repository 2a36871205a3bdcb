//! Errors of suites: lines that cannot be checked, and positions that contradict their record.

use crate::record::epd::Operation;
use crate::{chess, draughts};
use std::collections::BTreeSet;
use std::error::Error;

/// A line of a suite that cannot be checked.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct SuiteRecordError<E: Error> {
    /// The line, from 1.
    pub line: usize,
    /// The problem.
    pub problem: LineProblem<E>,
}

/// Why a line cannot be checked; `E` is the game's error for moves.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LineProblem<E: Error> {
    /// The line is not a record.
    #[error(transparent)]
    Record(#[from] RecordProblem),
    /// The operands do not fit the operation.
    #[error("in '{operation}': {problem}")]
    Operation {
        /// The operation.
        operation: Operation,
        /// The problem with its operands.
        problem: OperandProblem<E>,
    },
    /// The record has no operation that can be checked.
    #[error("there is nothing to check: no D1, bm, am, dm, legal, ...")]
    Empty,
}

/// Why a line is not an EPD record.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RecordProblem {
    /// In chess.
    #[error(transparent)]
    Chess(#[from] chess::epd::EpdError),
    /// In draughts.
    #[error(transparent)]
    Draughts(#[from] draughts::epd::EpdError),
}

/// Why operands do not fit their operation; `E` is the game's error for moves.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OperandProblem<E: Error> {
    /// A text is not one legal move.
    #[error(transparent)]
    Move(E),
    /// No move is given.
    #[error("no move is given")]
    NoMove,
    /// The operand is not a number, or is too large.
    #[error("'{0}' is not such a number")]
    Number(String),
    /// Not exactly one operand is given.
    #[error("exactly one number must stand here")]
    NotOneNumber,
    /// The game has no state of this name.
    #[error("not one of: {}", .0.join(", "))]
    State(&'static [&'static str]),
    /// Other operands are expected.
    #[error("not {0}")]
    Shape(&'static str),
}

/// How a position or a search contradicts a record; `E` is the game's error for moves.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Contradiction<E: Error> {
    /// The tree has another number of leaves.
    #[error("{found} leaves {depth} plies deep, not {expected}")]
    Leaves {
        /// The leaves counted.
        found: u64,
        /// The depth in plies.
        depth: u32,
        /// The leaves expected.
        expected: u64,
    },
    /// A move is not legal.
    #[error(transparent)]
    Move(E),
    /// A text does not have the form of a move.
    #[error("{0} is not the text of a move")]
    NotAMove(String),
    /// A move is legal that should not be.
    #[error("{0} is legal and should not be")]
    Legal(String),
    /// A legal move is missing from a complete list.
    #[error("{0} is legal too")]
    Unlisted(String),
    /// A list has a move twice.
    #[error("a move is named twice")]
    Twice,
    /// The position is in another state.
    #[error("the state is {found}, not {expected}")]
    State {
        /// The state found.
        found: &'static str,
        /// The state expected.
        expected: String,
    },
    /// A move leads to another position.
    #[error("after {m} the position is {found}, not {expected}")]
    After {
        /// The move.
        m: String,
        /// The position found.
        found: String,
        /// The position expected.
        expected: String,
    },
    /// The position expected after a move cannot be read.
    #[error("after {m}: {problem}")]
    AfterUnreadable {
        /// The move.
        m: String,
        /// The problem.
        problem: RecordProblem,
    },
    /// A search is asked for in a position without a legal move.
    #[error("there is no move to find")]
    NoMove,
    /// The search plays another move than the best ones.
    #[error("played {played}, not {expected}")]
    NotBest {
        /// The move played.
        played: String,
        /// The best moves.
        expected: String,
    },
    /// The search plays a move to be avoided.
    #[error("played {0}, which should be avoided")]
    Avoidable(String),
    /// The search does not find the mate.
    #[error("found {}, not in {expected}", mate(*found))]
    Mate {
        /// The distance to mate found, in moves.
        found: Option<i32>,
        /// The distance expected.
        expected: u32,
    },
    /// The position is not this start position of Chess960.
    #[error("Chess960 start {number} is {fen}")]
    Start {
        /// The number of the start position.
        number: u16,
        /// Its FEN.
        fen: String,
    },
    /// Chess960 has no start position of this number.
    #[error("there is no Chess960 start {0}")]
    NoStart(u16),
    /// A move has other names.
    #[error("{m} is named {found:?}, not {expected:?}")]
    Names {
        /// The move.
        m: String,
        /// The names found.
        found: BTreeSet<String>,
        /// The names expected.
        expected: BTreeSet<String>,
    },
    /// A capture has other routes.
    #[error("{m} has the routes {found:?}, not {expected:?}")]
    Routes {
        /// The move.
        m: String,
        /// The routes found.
        found: BTreeSet<String>,
        /// The routes expected.
        expected: BTreeSet<String>,
    },
}

fn mate(distance: Option<i32>) -> String {
    distance.map_or("no mate".to_owned(), |distance| format!("mate in {distance}"))
}
