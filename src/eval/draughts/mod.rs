//! Evaluation of draughts positions.
//!
//! The search uses only the [`Evaluator`], through the trait [`Evaluate`]. A position's value is
//! the output of a trained [`network`] for the kings and for the [`patterns`] of men, which are
//! updated incrementally. Endgames of the normal game with few pieces are mostly drawn, so their
//! value is scaled down ([`endgame`]). Each variant has its own network.

pub(crate) mod endgame;
pub(crate) mod features;
pub(crate) mod network;
pub(crate) mod patterns;

use crate::draughts::{Position, Variant};
use crate::eval::{Chances, Evaluate};
use network::Network;
use patterns::Patterns;
use std::sync::Arc;

/// The maximum evaluation in hundredths of a man. The scores of won games are far greater.
pub(crate) const MAX_VALUE: i32 = 4_000;

/// The score difference, in hundredths of a man, that multiplies the odds of winning by e.
pub(crate) const ODDS: f64 = 140.0;

impl Chances for Position {
    fn expected_points(&self, centipawns: i32) -> f64 {
        1.0 / (1.0 + (-f64::from(centipawns) / ODDS).exp())
    }
}

#[derive(Clone, Debug, Default)]
pub struct Evaluator {
    /// A network loaded from a file; `None` for the embedded network of the variant.
    network: Option<Arc<Network>>,
}

impl Evaluator {
    /// Switches to another network, which must be for the variant of the evaluated positions.
    pub(crate) fn set_network(&mut self, network: Option<&Arc<Network>>) {
        self.network = network.cloned();
    }

    #[inline(never)]
    fn in_variant(&self, position: &Position, patterns: &Patterns) -> i32 {
        let network = self.network(position.variant());
        network.value(position.board(), position.side(), patterns)
    }

    #[inline(always)]
    fn network(&self, variant: Variant) -> &Network {
        match &self.network {
            Some(network) => network,
            None => Network::of_variant(variant),
        }
    }
}

impl Evaluate for Evaluator {
    type Position = Position;
    type Accumulator = Patterns;

    #[inline]
    fn accumulate(position: &Position) -> Patterns {
        Patterns::of(position.board())
    }

    #[inline(always)]
    fn update(patterns: &Patterns, before: &Position, after: &Position) -> Patterns {
        patterns.updated(before.board(), after.board())
    }

    /// Evaluates a position; the result is unreliable while the side to move can capture.
    #[inline]
    fn evaluate(&mut self, position: &Position, patterns: &Patterns) -> i32 {
        let value = match position.variant() {
            Variant::Normal => {
                let (board, side) = (position.board(), position.side());
                let value = self.network(Variant::Normal).value(board, side, patterns);
                let strong = if value > 0 { side } else { !side };
                value * endgame::scale(board, strong) / endgame::FULL_SCALE
            }
            // In the variants, few endgames with a material advantage are drawn.
            _ => self.in_variant(position, patterns),
        };
        value.clamp(-MAX_VALUE, MAX_VALUE)
    }
}

#[cfg(test)]
mod tests {
    use super::endgame::LONG_DIAGONAL;
    use super::*;
    use crate::base::rng::Rng;
    use crate::base::side::Side;

    /// Returns positions from random games, many with kings.
    pub fn positions() -> Vec<Position> {
        let mut rng = Rng::new(7);
        let mut positions = Vec::new();
        for _ in 0..60 {
            let mut position = Position::start();
            for _ in 0..200 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position = position.play(moves[rng.below(moves.len())]);
                positions.push(position);
            }
        }
        positions
    }

    fn value(position: &Position) -> i32 {
        Evaluator::default().value(position)
    }

    /// Rotates the board and swaps the colours.
    fn turned(position: &Position) -> Position {
        let list = |side: Side| {
            let piece = |s: crate::draughts::Square| {
                let king = if position.board().all_kings().has(s) { "K" } else { "" };
                format!("{king}{}", s.turned())
            };
            let pieces: Vec<String> =
                position.board().pieces(side).into_iter().map(piece).collect();
            pieces.join(",")
        };
        let side = if position.side().is_white() { "B" } else { "W" };
        let text = format!("{side}:W{}:B{}", list(Side::Black), list(Side::White));
        text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn colours_are_symmetric() {
        for position in positions() {
            if position.board().pieces(!position.side()).any() && position.has_moves() {
                assert_eq!(value(&position), value(&turned(&position)), "{position:?}");
            }
        }
    }

    #[test]
    fn incremental_patterns_match_recomputed_ones() {
        let mut rng = Rng::new(11);
        for _ in 0..50 {
            let mut position = Position::start();
            let mut accumulator = Evaluator::accumulate(&position);
            for _ in 0..150 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let next = position.play(moves[rng.below(moves.len())]);
                accumulator = Evaluator::update(&accumulator, &position, &next);
                position = next;
                assert_eq!(accumulator, Evaluator::accumulate(&position));
            }
        }
    }

    #[test]
    fn material_counts_for_the_side_to_move() {
        for (fen, min, max) in [
            ("W:W31-50:B1-19", 50, 300),
            ("B:W31-50:B1-19", -300, -50),
            ("W:WK46,31:B1,2", 100, 800),
            // A lone king holds a draw against two pieces.
            ("W:WK46,K41:BK30", -30, 60),
        ] {
            let value = value(&fen.parse().expect(fen));
            assert!((min..=max).contains(&value), "{fen}: {value}");
        }
    }

    #[test]
    fn the_long_diagonal_runs_from_5_to_46() {
        let numbers: Vec<u32> = LONG_DIAGONAL.into_iter().map(|square| square.number()).collect();
        assert_eq!(numbers, [5, 10, 14, 19, 23, 28, 32, 37, 41, 46]);
    }
}
