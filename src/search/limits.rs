//! What ends a search.

use super::depth::Depth;
use std::time::{Duration, Instant};

/// The clock of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// Time left.
    pub time: Duration,
    /// Time gained with each move.
    pub increment: Duration,
    /// Moves to the next time control; `None` if the time is for the rest of the game.
    pub moves_to_go: Option<u32>,
}

/// The limits of one search. Without any it goes on until it is stopped.
#[derive(Clone, PartialEq, Debug)]
pub struct Limits<M> {
    /// Deepest iteration, in half-moves.
    pub depth: Option<u32>,
    /// Nodes of all threads; with one thread, exactly.
    pub nodes: Option<u64>,
    /// No new iteration after this many nodes of all threads: the one under way is finished.
    pub soft_nodes: Option<u64>,
    /// Stop at a mate in this many moves.
    pub mate: Option<u32>,
    /// Exactly this time.
    pub movetime: Option<Duration>,
    /// Play by the clock.
    pub clock: Option<Clock>,
    /// Do not end before `stop`, whatever else is reached.
    pub infinite: bool,
    /// The opponent is to move; time does not count before `ponderhit`.
    pub ponder: bool,
    /// Only these moves at the root; all if empty.
    pub searchmoves: Vec<M>,
    /// When the clock began to run; `None` if it does when the search begins. A search can begin later
    /// than it was asked for, where others want the processor.
    pub begun: Option<Instant>,
}

impl<M> Default for Limits<M> {
    fn default() -> Self {
        Self {
            depth: None,
            nodes: None,
            soft_nodes: None,
            mate: None,
            movetime: None,
            clock: None,
            infinite: false,
            ponder: false,
            searchmoves: Vec::new(),
            begun: None,
        }
    }
}

impl<M> Limits<M> {
    /// The depth of the last iteration, at least one half-move.
    pub fn deepest(&self) -> Depth {
        let asked = self.depth.and_then(|depth| i32::try_from(depth).ok()).map(Depth);
        asked.map_or(Depth::MAX, |depth| depth.clamp(Depth::ONE, Depth::MAX))
    }

    /// Search to a depth in half-moves.
    pub fn depth(depth: u32) -> Self {
        Self { depth: Some(depth), ..Self::default() }
    }

    /// Search a number of nodes.
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// Search for a time.
    pub fn movetime(time: Duration) -> Self {
        Self { movetime: Some(time), ..Self::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_depth_that_can_be_asked_for_is_searched() {
        for (asked, deepest) in [
            (0, Depth::ONE),
            (1, Depth::ONE),
            (9, Depth(9)),
            (1000, Depth::MAX),
            (i32::MAX as u32 + 1, Depth::MAX),
            (u32::MAX, Depth::MAX),
        ] {
            assert_eq!(Limits::<u16>::depth(asked).deepest(), deepest, "{asked}");
        }
        assert_eq!(Limits::<u16>::default().deepest(), Depth::MAX);
    }
}
