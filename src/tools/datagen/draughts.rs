//! Draughts against itself.

use super::SelfPlay;
use crate::base::side::Side;
use crate::draughts::{Move, Position};
use crate::search::draughts::{DraughtsSearcher, Root};
use std::ops::Range;

/// International draughts, for the data generator.
#[derive(Clone, Copy, Debug)]
pub struct Draughts;

impl SelfPlay for Draughts {
    type Searcher = DraughtsSearcher;

    const OPENING: Range<usize> = 4..12;

    fn start() -> Root {
        Root::new(Position::start())
    }

    fn after(mut root: Root, m: Move) -> Root {
        root.history.push(root.position.key());
        root.position = root.position.play(m);
        root
    }

    fn over(root: &Root) -> Option<&'static str> {
        let position = &root.position;
        if !position.has_moves() {
            return Some(if position.side().is_white() { "0-1" } else { "1-0" });
        }
        let times = root.history.iter().filter(|&&key| key == position.key()).count();
        (times >= 2 || position.is_drawn_by_count()).then_some("1/2-1/2")
    }

    fn side(root: &Root) -> Side {
        root.position.side()
    }

    fn quiet(root: &Root, _: Move) -> Option<String> {
        (!root.position.can_capture()).then(|| root.position.to_string())
    }
}
