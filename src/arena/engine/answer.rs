//! Engine answers: the move and the search information.

use crate::protocol::uci::info;
use std::borrow::Cow;
use std::fmt;
use std::time::{Duration, Instant};

#[derive(Clone, Copy, Debug)]
pub struct PendingQuestion {
    /// Lines that arrived before this time do not belong to the answer.
    pub from: Instant,
    pub sent: Instant,
}

/// A score reported by an engine, from the point of view of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReportedScore {
    /// A score in hundredths of a pawn or man.
    Centipawns(i32),
    /// Mate in this number of moves. The number is negative if the side to move is mated.
    Mate(i32),
}

impl ReportedScore {
    /// Returns the score in centipawns. The absolute value of a mate score is greater than that of
    /// any other score.
    pub fn centipawns(self) -> i32 {
        /// Engines may report absurd scores. Clamping them prevents overflow when scores are added.
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
    /// Formats the score as other match runners do in PGN: in pawns with a sign (`+0.25`), or as a
    /// mate (`+M5`).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Centipawns(score) => write!(f, "{:+.2}", f64::from(score) / 100.0),
            Self::Mate(moves) => {
                write!(f, "{}M{}", if moves > 0 { '+' } else { '-' }, moves.unsigned_abs())
            }
        }
    }
}

/// The search information that an engine sent with its move; 0 for missing numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Thought {
    /// The depth in plies.
    pub depth: u32,
    /// The selective depth in plies.
    pub seldepth: u32,
    /// The score for the side to move.
    pub score: Option<ReportedScore>,
    /// The number of nodes.
    pub nodes: u64,
    /// The number of nodes per second.
    pub nps: u64,
    /// The number of tablebase hits.
    pub tbhits: u64,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The move as sent by the engine. It may be illegal.
    pub best: String,
    /// The expected reply as sent by the engine. It may be illegal.
    pub ponder: Option<String>,
    pub elapsed: Duration,
    pub thought: Thought,
    /// The last lines of search information, as sent by the engine.
    pub infos: Vec<String>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveText {
    pub best: String,
    pub ponder: Option<String>,
}

impl MoveText {
    pub fn new(best: Cow<'_, str>, ponder: Option<Cow<'_, str>>) -> Self {
        Self { best: best.into_owned(), ponder: ponder.map(Cow::into_owned) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_outrank_centipawns_and_absurd_scores_are_clamped() {
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
