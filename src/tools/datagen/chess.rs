//! Chess against itself.

use super::SelfPlay;
use crate::base::side::Side;
use crate::chess::epd::Epd;
use crate::chess::{Move, Position};
use crate::search::chess::{ChessSearcher, Root};
use std::ops::Range;

/// Chess, for the data generator.
#[derive(Clone, Copy, Debug)]
pub struct Chess;

impl SelfPlay for Chess {
    type Searcher = ChessSearcher;

    const OPENING: Range<usize> = 8..12;

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
            return Some(match position.side() {
                _ if !position.in_check() => "1/2-1/2",
                Side::White => "0-1",
                Side::Black => "1-0",
            });
        }
        let repeated = || {
            let times = root.history.iter().filter(|&&key| key == position.key()).count();
            times >= 2
        };
        let drawn =
            position.is_insufficient_material() || position.halfmove_clock() >= 100 || repeated();
        drawn.then_some("1/2-1/2")
    }

    fn side(root: &Root) -> Side {
        root.position.side()
    }

    fn quiet(root: &Root, m: Move) -> Option<String> {
        let position = &root.position;
        let quiet = !position.in_check() && !position.is_noisy(m);
        quiet.then(|| Epd { position: position.clone(), operations: vec![] }.to_string())
    }
}
