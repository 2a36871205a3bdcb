//! Chess against itself.

use super::SelfPlay;
use crate::base::rng::Rng;
use crate::base::side::Side;
use crate::chess::epd::Epd;
use crate::chess::{Move, Position};
use crate::record::epd::Operation;
use crate::search::chess::{ChessSearcher, Root};
use std::ops::Range;

/// Chess, for the data generator.
#[derive(Clone, Copy, Debug)]
pub struct Chess;

impl SelfPlay for Chess {
    type Searcher = ChessSearcher;

    const NAME: &'static str = "chess";
    // Eight or nine.
    const OPENING: Range<usize> = 8..10;

    fn start(fen: &str) -> Option<Root> {
        let position = if fen.is_empty() { Position::start() } else { fen.parse().ok()? };
        Some(Root::new(position))
    }

    fn chess960(rng: &mut Rng) -> Option<String> {
        Position::chess960(rng.below(960) as u16).map(|position| position.fen())
    }

    fn after(mut root: Root, m: Move) -> Root {
        root.history.push(root.position.key());
        root.position = root.position.play_unchecked(m);
        root
    }

    fn over(root: &Root) -> Option<u8> {
        let position = &root.position;
        if !position.has_moves() {
            return Some(match position.side() {
                _ if !position.in_check() => 1,
                Side::White => 0,
                Side::Black => 2,
            });
        }
        let repeated = || {
            let times = root.history.iter().filter(|&&key| key == position.key()).count();
            times >= 2
        };
        let drawn =
            position.is_insufficient_material() || position.halfmove_clock() >= 100 || repeated();
        drawn.then_some(1)
    }

    fn side(root: &Root) -> Side {
        root.position.side()
    }

    fn key(root: &Root) -> u64 {
        root.position.key()
    }

    fn pieces(root: &Root) -> u32 {
        root.position.board().occupied().len()
    }

    /// Not in check, and the best move takes nothing and promotes nothing.
    fn is_quiet(root: &Root, best: Option<Move>) -> bool {
        let position = &root.position;
        !position.in_check() && best.is_none_or(|m| !position.is_noisy(m))
    }

    /// The 16 bits of a move.
    fn code(_: &Root, m: Move) -> Option<u16> {
        Some(m.bits())
    }

    fn decode(root: &Root, code: u16) -> Option<Move> {
        Move::from_bits(code).filter(|&m| root.position.is_legal(m))
    }

    fn epd(root: &Root) -> String {
        Epd { position: root.position.clone(), operations: vec![] }.to_string()
    }

    fn of_epd(line: &str) -> Option<(Root, Vec<Operation>)> {
        let record: Epd = line.parse().ok()?;
        Some((Root::new(record.position), record.operations))
    }

    fn fen(root: &Root) -> String {
        root.position.fen()
    }
}
