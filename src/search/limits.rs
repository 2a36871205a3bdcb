//! The limits of a search.

use super::depth::Depth;
use std::time::{Duration, Instant};

/// The clock of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// The remaining time.
    pub time: Duration,
    /// The increment per move.
    pub increment: Duration,
    /// The number of moves to the next time control; `None` if the time is for the rest of the
    /// game.
    pub moves_to_go: Option<u32>,
}

/// The limits of one search. A search without limits runs until it is stopped or has completed the
/// maximum depth.
#[derive(Clone, PartialEq, Debug)]
pub struct Limits<M> {
    /// The maximum depth, in plies.
    pub depth: Option<u32>,
    /// The maximum number of nodes, summed over all threads. The limit is exact with one thread.
    pub nodes: Option<u64>,
    /// The number of nodes, summed over all threads, after which no new iteration starts.
    pub soft_nodes: Option<u64>,
    /// The search ends when it finds a mate in at most this many moves.
    pub mate: Option<u32>,
    /// The time for the move. The move overhead is subtracted from it, but at most half of the
    /// time.
    pub movetime: Option<Duration>,
    /// The clock used for time management.
    pub clock: Option<Clock>,
    /// True if the search waits for `stop` even after another limit is reached.
    pub infinite: bool,
    /// True if the engine ponders: the root is the position after the opponent's expected move, and
    /// our clock starts at `ponderhit`.
    pub ponder: bool,
    /// The root moves to search, or empty to search all legal moves. Illegal moves are ignored. If
    /// none of the moves is legal, nothing is searched, and the result has no best move.
    pub searchmoves: Vec<M>,
    /// The time when the clock started; `None` if it starts with the search. On a busy machine, the
    /// clock may start before the search.
    pub clock_start: Option<Instant>,
    /// The largest recent lag: the time that a move costs on the clock beyond the time measured
    /// here. A lag up to the move overhead is expected and has no effect.
    pub lag: Duration,
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
            clock_start: None,
            lag: Duration::ZERO,
        }
    }
}

impl<M> Limits<M> {
    /// Returns the maximum depth of the search, which is at least one ply.
    #[doc(hidden)]
    pub fn deepest(&self) -> Depth {
        let depth = self.depth.and_then(|depth| i32::try_from(depth).ok()).map(Depth);
        depth.map_or(Depth::MAX, |depth| depth.clamp(Depth::ONE, Depth::MAX))
    }

    /// Creates a limit on the depth, in plies.
    pub fn depth(depth: u32) -> Self {
        Self { depth: Some(depth), ..Self::default() }
    }

    /// Creates a limit on the number of nodes.
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// Creates a limit on the time.
    pub fn movetime(time: Duration) -> Self {
        Self { movetime: Some(time), ..Self::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clamps_the_depth() {
        for (depth, deepest) in [
            (0, Depth::ONE),
            (1, Depth::ONE),
            (9, Depth(9)),
            (1000, Depth::MAX),
            (i32::MAX as u32 + 1, Depth::MAX),
            (u32::MAX, Depth::MAX),
        ] {
            assert_eq!(Limits::<u16>::depth(depth).deepest(), deepest, "{depth}");
        }
        assert_eq!(Limits::<u16>::default().deepest(), Depth::MAX);
    }
}
