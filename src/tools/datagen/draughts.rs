//! Self-play of draughts.

use super::{SelfPlay, is_third_occurrence};
use crate::base::side::Side;
use crate::draughts::epd::Epd;
use crate::draughts::{Move, Position};
use crate::endings::bitbase::Wdl;
use crate::eval::draughts::network::Network;
use crate::eval::net::{NetError, NetFile};
use crate::record::selfplay::UNKNOWN_MOVE;
use crate::search::draughts::{Resources, Root};
use std::ops::Range;
use std::sync::Arc;

impl SelfPlay for Position {
    const NAME: &'static str = "draughts";
    // Shorter openings produce too few different games. With 6 to 11 random plies, 12.7% of the
    // positions in 7,000 games were duplicates; with this range, 3.1% in 8,000 games.
    const OPENING: Range<usize> = 10..20;

    fn variant_start(variant: &str) -> Option<Self> {
        variant.parse().ok().map(Self::start_of)
    }

    fn variant_name(&self) -> &'static str {
        self.variant().stored_name()
    }

    fn resources(network: &NetFile, variant: &str) -> Result<Resources, NetError> {
        let variant = variant.parse().unwrap_or_default();
        let network = Network::new(network, variant)?;
        Ok(Resources { network: Some(Arc::new(network)), ..Resources::default() })
    }

    fn half_points(root: &Root) -> Option<u8> {
        let position = &root.position;
        let won_by = |side: Side| if side.is_white() { 2 } else { 0 };
        if !position.has_moves() {
            return Some(won_by(position.winner_without_moves()));
        }
        // A position in the bitbases ends the game, because it need not be played out or learned.
        match root.resources.bitbases.probe(position) {
            Some(Wdl::Win) => return Some(won_by(position.side())),
            Some(Wdl::Draw) => return Some(1),
            Some(Wdl::Loss) => return Some(won_by(!position.side())),
            None => {}
        }
        (is_third_occurrence::<Self>(root) || position.is_drawn_by_count()).then_some(1)
    }

    fn pieces(&self) -> u32 {
        self.board().occupied().len()
    }

    fn is_quiet(&self, _: Option<Move>) -> bool {
        let board = self.board();
        Side::ALL.iter().all(|&side| !self.variant().can_capture(board, side))
    }

    /// Encodes a move as its origin and destination squares, counted from 0, and its index among
    /// the legal moves between these squares, sorted by captured pieces.
    fn code(&self, m: Move) -> Option<u16> {
        let index = moves_between(self, m).binary_search(&m).ok()?;
        let squares = m.from().index() * SQUARES + m.to().index();
        u16::try_from(index * SQUARES * SQUARES + squares).ok().filter(|&code| code != UNKNOWN_MOVE)
    }

    fn decode(&self, code: u16) -> Option<Move> {
        let code = usize::from(code);
        let (index, from, to) =
            (code / (SQUARES * SQUARES), code / SQUARES % SQUARES, code % SQUARES);
        let moves = self.legal_moves();
        let m = moves.iter().find(|m| m.from().index() == from && m.to().index() == to)?;
        moves_between(self, *m).get(index).copied()
    }

    fn epd(&self) -> String {
        self.to_string()
    }

    fn parse_epd(line: &str) -> Option<Epd> {
        line.parse().ok()
    }
}

const SQUARES: usize = 50;

/// Returns the legal moves with the same origin and destination squares as `m`, sorted.
fn moves_between(position: &Position, m: Move) -> Vec<Move> {
    let moves = position.legal_moves();
    let between = moves.iter().filter(|other| other.from() == m.from() && other.to() == m.to());
    let mut between: Vec<Move> = between.copied().collect();
    between.sort();
    between
}
