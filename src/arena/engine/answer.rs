//! Answers of engines: the move, and the search that led to it.

use crate::protocol::uci::info;
use std::borrow::Cow;
use std::fmt;
use std::time::{Duration, Instant};

/// The times of a question to an engine.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    /// Lines that the engine wrote before this are not the answer.
    pub from: Instant,
    /// The start of the engine's time.
    pub sent: Instant,
}

/// A score that an engine reports, from the point of view of the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReportedScore {
    /// Centipawns.
    Centipawns(i32),
    /// Mate in this many moves; negative when mated.
    Mate(i32),
}

impl ReportedScore {
    /// In centipawns, a mate being worth more than anything else.
    pub fn centipawns(self) -> i32 {
        /// Bound that keeps sums of absurd scores from overflowing.
        const MAX_CENTIPAWNS: i32 = 90_000;
        match self {
            Self::Centipawns(score) => score.clamp(-MAX_CENTIPAWNS, MAX_CENTIPAWNS),
            Self::Mate(moves) if moves > 0 => 100_000 - moves.min(1000),
            Self::Mate(moves) => -100_000 - moves.max(-1000),
        }
    }
}

impl From<info::UciScore> for ReportedScore {
    fn from(score: info::UciScore) -> Self {
        match score {
            info::UciScore::Centipawns(score) => Self::Centipawns(score),
            info::UciScore::Mate(moves) => Self::Mate(moves),
        }
    }
}

impl fmt::Display for ReportedScore {
    /// In pawns with a sign (`+0.25`) or as a mate (`+M5`), as other match runners write PGN.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Centipawns(score) => write!(f, "{:+.2}", f64::from(score) / 100.0),
            Self::Mate(moves) => {
                write!(f, "{}M{}", if moves > 0 { '+' } else { '-' }, moves.unsigned_abs())
            }
        }
    }
}

/// The last report of an engine on its search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Thought {
    /// The depth, in plies.
    pub depth: u32,
    /// The greatest depth.
    pub seldepth: u32,
    /// The score.
    pub score: Option<ReportedScore>,
    /// Nodes searched.
    pub nodes: u64,
    /// Nodes a second.
    pub nps: u64,
    /// Positions found in endgame tables.
    pub tbhits: u64,
}

/// An engine's answer to `go`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The move as it was written, unchecked.
    pub best: String,
    /// The expected reply as it was written, unchecked.
    pub ponder: Option<String>,
    /// The time used.
    pub elapsed: Duration,
    /// The last report on the search.
    pub thought: Thought,
}

/// The move of an answer and the reply that the engine expects, as they were written, unchecked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveText {
    /// The move.
    pub best: String,
    /// The expected reply.
    pub ponder: Option<String>,
}

impl MoveText {
    /// The move and the reply as a line has them.
    pub fn new(best: Cow<'_, str>, ponder: Option<Cow<'_, str>>) -> Self {
        Self { best: best.into_owned(), ponder: ponder.map(Cow::into_owned) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_outrank_centipawns_and_absurd_scores_are_bounded() {
        let scores = [
            ReportedScore::Mate(-1),
            ReportedScore::Mate(-9),
            ReportedScore::Centipawns(-5),
            ReportedScore::Mate(3),
        ];
        assert!(scores.is_sorted_by_key(|score| score.centipawns()));
        assert_eq!(scores.map(|s| s.to_string()), ["-M1", "-M9", "-0.05", "+M3"]);
        let far = [
            ReportedScore::Mate(i32::MIN),
            ReportedScore::Centipawns(i32::MIN),
            ReportedScore::Centipawns(i32::MAX),
            ReportedScore::Mate(i32::MAX),
        ];
        assert_eq!(far.map(ReportedScore::centipawns), [-99_000, -90_000, 90_000, 99_000]);
    }
}
