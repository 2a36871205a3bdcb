//! Self-play of chess.

use super::{SelfPlay, is_third_occurrence};
use crate::base::rng::Rng;
use crate::base::side::Side;
use crate::chess::epd::Epd;
use crate::chess::fen::Style;
use crate::chess::{Move, Position};
use crate::eval::chess::network::Network;
use crate::eval::net::{NetError, NetFile};
use crate::search::chess::{Resources, Root, see};
use std::ops::Range;
use std::sync::Arc;

impl SelfPlay for Position {
    const NAME: &'static str = "chess";
    const OPENING: Range<usize> = 8..10;

    fn draw_chess960(rng: &mut Rng) -> Option<Self> {
        Self::chess960(rng.below(960) as u16)
    }

    fn resources(network: &NetFile, _: &str) -> Result<Resources, NetError> {
        Ok(Resources { network: Arc::new(Network::of_file(network)?), ..Resources::default() })
    }

    fn half_points(root: &Root) -> Option<u8> {
        let position = &root.position;
        if !position.has_moves() {
            return Some(match position.side() {
                _ if !position.in_check() => 1,
                Side::White => 0,
                Side::Black => 2,
            });
        }
        let drawn = position.is_insufficient_material()
            || position.halfmove_clock() >= 100
            || is_third_occurrence::<Self>(root);
        drawn.then_some(1)
    }

    fn pieces(&self) -> u32 {
        self.board().occupied().len()
    }

    /// Returns whether the side to move is not in check and the best move neither captures nor
    /// promotes.
    fn is_quiet(&self, best: Option<Move>) -> bool {
        !self.in_check() && best.is_none_or(|m| !self.is_noisy(m))
    }

    /// Returns whether the side to move is not in check and cannot win material according to the
    /// static exchange evaluation. In chess, only about half of the positions after random moves
    /// are quiet.
    fn is_probably_quiet(&self) -> bool {
        let wins = |m| self.is_noisy(m) && see::at_least(self, m, 1);
        self.is_quiet(None) && !self.legal_moves().iter().copied().any(wins)
    }

    fn code(&self, m: Move) -> Option<u16> {
        Some(m.bits())
    }

    fn decode(&self, code: u16) -> Option<Move> {
        Move::from_bits(code).filter(|&m| self.is_legal(m))
    }

    fn epd(&self) -> String {
        self.epd_in(Style::XFen)
    }

    fn parse_epd(line: &str) -> Option<Epd> {
        line.parse().ok()
    }
}
