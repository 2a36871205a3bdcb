//! Chess against itself.

use super::SelfPlay;
use crate::base::side::Side;
use crate::chess::epd::Epd;
use crate::chess::{Move, Position};
use crate::search::chess::{ChessSearcher, Root};
use std::ops::Range;

impl SelfPlay for Position {
    type Searcher = ChessSearcher;

    const OPENING: Range<usize> = 8..12;

    fn root(&self, history: &[u64]) -> Root {
        Root { history: history.to_vec(), ..Root::new(self.clone()) }
    }

    fn over(&self, repeated: bool) -> Option<&'static str> {
        if !self.has_moves() {
            return Some(match self.side() {
                _ if !self.in_check() => "1/2-1/2",
                Side::White => "0-1",
                Side::Black => "1-0",
            });
        }
        let drawn = repeated || self.is_insufficient_material() || self.halfmove_clock() >= 100;
        drawn.then_some("1/2-1/2")
    }

    fn quiet(&self, m: Move) -> Option<String> {
        let quiet = !self.in_check() && !self.is_noisy(m);
        quiet.then(|| Epd { position: self.clone(), operations: vec![] }.to_string())
    }
}
