//! Draughts against itself.

use super::SelfPlay;
use crate::base::side::Side;
use crate::draughts::epd::Epd;
use crate::draughts::{Move, Position, Variant, movegen};
use crate::endings::bitbase::Wdl;
use crate::record::epd::Operation;
use crate::record::selfplay::UNKNOWN_MOVE;
use crate::search::draughts::{DraughtsSearcher, Root};
use std::ops::Range;

/// International draughts, for the data generator.
#[derive(Clone, Copy, Debug)]
pub struct Draughts;

impl SelfPlay for Draughts {
    type Searcher = DraughtsSearcher;

    const NAME: &'static str = "draughts";
    // From shorter ones games of the same few lines come: of 7,000 games with 6 to 11 random plies 12.7%
    // of the positions were met before, with these 3.1%.
    const OPENING: Range<usize> = 10..20;

    fn start(fen: &str) -> Option<Root> {
        let position = if fen.is_empty() { Position::start() } else { fen.parse().ok()? };
        is_normal(&position).then(|| Root::new(position))
    }

    fn after(mut root: Root, m: Move) -> Root {
        root.history.push(root.position.key());
        root.position = root.position.play(m);
        root
    }

    fn over(root: &Root) -> Option<u8> {
        let position = &root.position;
        let won_by = |side: Side| if side.is_white() { 2 } else { 0 };
        if !position.has_moves() {
            return Some(won_by(!position.side()));
        }
        // What the tables know need not be played out, nor learned.
        match root.bitbases.probe(position) {
            Some(Wdl::Win) => return Some(won_by(position.side())),
            Some(Wdl::Draw) => return Some(1),
            Some(Wdl::Loss) => return Some(won_by(!position.side())),
            None => {}
        }
        let times = root.history.iter().filter(|&&key| key == position.key()).count();
        (times >= 2 || position.is_drawn_by_count()).then_some(1)
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

    /// Neither side has anything to capture.
    fn is_quiet(root: &Root, _: Option<Move>) -> bool {
        let board = root.position.board();
        Side::ALL.iter().all(|&side| !movegen::can_capture(board, side))
    }

    /// The squares it leaves and reaches, from 0, and its place among the legal moves between these,
    /// in the order of the pieces that they take.
    fn code(root: &Root, m: Move) -> Option<u16> {
        let place = alike(root, m).binary_search(&m).ok()?;
        let squares = m.from().index() * SQUARES + m.to().index();
        u16::try_from(place * SQUARES * SQUARES + squares).ok().filter(|&code| code != UNKNOWN_MOVE)
    }

    fn decode(root: &Root, code: u16) -> Option<Move> {
        let code = usize::from(code);
        let (place, from, to) =
            (code / (SQUARES * SQUARES), code / SQUARES % SQUARES, code % SQUARES);
        let moves = root.position.legal_moves();
        let m = moves.iter().find(|m| m.from().index() == from && m.to().index() == to)?;
        alike(root, *m).get(place).copied()
    }

    fn epd(root: &Root) -> String {
        root.position.to_string()
    }

    fn of_epd(line: &str) -> Option<(Root, Vec<Operation>)> {
        let record: Epd = line.parse().ok()?;
        is_normal(&record.position).then(|| (Root::new(record.position), record.operations))
    }

    fn fen(root: &Root) -> String {
        root.position.to_string()
    }
}

/// Whether a position is of the game that the network learns.
fn is_normal(position: &Position) -> bool {
    position.variant() == Variant::Normal
}

/// Squares of the board.
const SQUARES: usize = 50;

/// The legal moves between the squares of `m`, sorted.
fn alike(root: &Root, m: Move) -> Vec<Move> {
    let moves = root.position.legal_moves();
    let between = moves.iter().filter(|other| other.from() == m.from() && other.to() == m.to());
    let mut between: Vec<Move> = between.copied().collect();
    between.sort();
    between
}
