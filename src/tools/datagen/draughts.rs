//! Draughts against itself.

use super::SelfPlay;
use crate::draughts::{Move, Position};
use crate::search::draughts::{DraughtsSearcher, Root};
use std::ops::Range;

impl SelfPlay for Position {
    type Searcher = DraughtsSearcher;

    const OPENING: Range<usize> = 4..12;

    fn root(&self, history: &[u64]) -> Root {
        Root { history: history.to_vec(), ..Root::new(*self) }
    }

    fn over(&self, repeated: bool) -> Option<&'static str> {
        if !self.has_moves() {
            return Some(if self.side().is_white() { "0-1" } else { "1-0" });
        }
        (repeated || self.is_drawn_by_count()).then_some("1/2-1/2")
    }

    fn quiet(&self, _: Move) -> Option<String> {
        (!self.can_capture()).then(|| self.to_string())
    }
}
