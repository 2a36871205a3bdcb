//! Evaluation of chess positions.
//!
//! The search uses only the [`Evaluator`], through the trait [`Evaluate`]. A position's value is
//! the output of a trained [`network`], except in endgames with a certain result or a drawish
//! advantage. The inputs of the network are properties of the pieces ([`features`]).

mod endgame;
mod explained;
pub(crate) mod features;
mod kpk;
pub(crate) mod network;
mod wdl;

pub(crate) use explained::Explained;
pub(crate) use wdl::{Model, Wdl, centipawns, material, wdl};

use crate::chess::{Position, Square};
use crate::eval::Evaluate;
use crate::eval::net::{Accumulators, Features, Height};
use endgame::FULL_SCALE;
use features::ChessFeatures;
use network::{HIDDEN, Network};
use std::sync::Arc;

/// The maximum evaluation on the network's scale. Mate scores are far greater.
pub(crate) const MAX_VALUE: i32 = 20_000;

#[derive(Clone, Debug)]
pub struct Evaluator {
    network: Arc<Network>,
    accumulators: Accumulators<ChessFeatures, HIDDEN>,
}

impl Default for Evaluator {
    fn default() -> Self {
        Self::of(Network::embedded())
    }
}

impl Evaluate for Evaluator {
    type Position = Position;
    type Accumulator = Height;

    #[inline(always)]
    fn accumulate(_: &Position) -> Height {
        Height::ROOT
    }

    #[inline(always)]
    fn update(height: &Height, _: &Position, _: &Position) -> Height {
        height.next()
    }

    /// Evaluates a position; the result is unreliable while the side to move is in check.
    #[inline]
    fn evaluate(&mut self, position: &Position, height: &Height) -> i32 {
        if let Some(value) = endgame::exact_value(position) {
            return value;
        }
        let value = self.accumulators.value(&self.network.0, position, *height);
        let value = value.clamp(-MAX_VALUE, MAX_VALUE);
        let strong = if value > 0 { position.side() } else { !position.side() };
        let scale = endgame::scale(position.board(), strong);
        value * scale / FULL_SCALE
    }
}

impl Evaluator {
    pub(crate) fn of(network: Arc<Network>) -> Self {
        let accumulators = Accumulators::new(&network.0);
        Self { network, accumulators }
    }

    /// Switches to another network.
    pub(crate) fn set_network(&mut self, network: &Arc<Network>) {
        if !Arc::ptr_eq(&self.network, network) {
            *self = Self::of(Arc::clone(network));
        }
    }

    /// Returns the evaluation of a position and the contribution of each piece.
    pub(crate) fn explain(&mut self, position: &Position) -> Explained {
        let evaluation = self.value(position);
        let (pieces, side) = (ChessFeatures::pieces(position), position.side());
        let mut output =
            |pieces| self.accumulators.of_pieces(&self.network.0, &pieces, side, Height::ROOT);
        let value = output(pieces);
        let piece_value = |square: Square| {
            let without = pieces.map(|set| set & !(1 << square.index()));
            value - output(without)
        };
        Explained::of(position, value, evaluation, piece_value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::rng::Rng;
    use crate::chess::random_game;

    /// Returns positions from random games, many with few pieces.
    fn positions() -> Vec<Position> {
        let mut rng = Rng::new(7);
        (0..100).flat_map(|_| random_game(Position::start(), 200, &mut rng)).collect()
    }

    /// Flips the board and swaps the colours.
    fn mirrored(position: &Position) -> Position {
        let fen = position.fen();
        let fields: Vec<&str> = fen.split(' ').collect();
        let swap = |text: &str| -> String {
            text.chars()
                .map(|c| match c {
                    c if c.is_ascii_uppercase() => c.to_ascii_lowercase(),
                    c => c.to_ascii_uppercase(),
                })
                .collect()
        };
        let rows: Vec<String> = fields[0].split('/').rev().map(swap).collect();
        let side = if fields[1] == "w" { "b" } else { "w" };
        let passant = fields[3].replace('3', "x").replace('6', "3").replace('x', "6");
        let text = format!(
            "{} {side} {} {passant} {} {}",
            rows.join("/"),
            swap(fields[2]),
            fields[4],
            fields[5]
        );
        text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn colours_are_symmetric() {
        let mut evaluator = Evaluator::default();
        for position in positions() {
            let mirror = mirrored(&position);
            let (a, b) = (evaluator.value(&position), evaluator.value(&mirror));
            assert_eq!(a, b, "{}\n{}", position.fen(), evaluator.explain(&position));
        }
    }

    #[test]
    fn evaluates_drawn_and_won_endgames() {
        for (fen, min, max) in [
            ("8/8/4k3/8/8/3KB3/8/8 w - - 0 1", 0, 0),
            ("8/8/4k3/8/8/3KNN2/8/8 b - - 0 1", 0, 0),
            ("8/8/4k3/8/8/3KB3/8/5B2 w - - 0 1", 900, MAX_VALUE),
            ("8/8/4k3/8/8/3KBN2/8/8 b - - 0 1", -MAX_VALUE, -900),
            ("8/8/4k3/8/8/2RK4/8/8 w - - 0 1", 900, MAX_VALUE),
            // A bishop of the wrong colour cannot win with a rook's pawn if the enemy king reaches
            // the corner.
            ("k7/8/8/P7/8/3KB3/8/8 w - - 0 1", 0, 20),
            ("8/4k3/8/P7/8/3KB3/8/8 w - - 0 1", 150, MAX_VALUE),
            // Bishops on one colour cannot mate, wherever the enemy king is.
            ("8/8/4k3/8/7p/3KB3/8/2B5 w - - 0 1", 0, 20),
            ("k7/8/8/8/7p/3K4/8/3B1B2 w - - 0 1", 0, 20),
        ] {
            let value = Evaluator::default().value(&fen.parse().expect(fen));
            assert!((min..=max).contains(&value), "{fen}: {value}");
        }
    }

    #[test]
    fn nine_queens_do_not_overflow() {
        let fen = "QQQQQQQQ/pppppppp/6k1/8/8/8/8/RNBQKBNR w KQ - 0 1";
        let value = Evaluator::default().value(&fen.parse().expect(fen));
        assert!((2_000..MAX_VALUE).contains(&value), "{value}");
    }

    #[test]
    fn explanation_contains_the_evaluation() {
        let mut evaluator = Evaluator::default();
        for position in positions() {
            let explained = evaluator.explain(&position);
            let value = centipawns(evaluator.value(&position));
            assert_eq!(explained.value, if position.side().is_white() { value } else { -value });
        }
        let queens = "3qk3/8/8/8/8/8/8/3QK3 w - - 0 1".parse().expect("a position");
        let explained = evaluator.explain(&queens);
        let worth = |index: usize| explained.pieces[index].2;
        assert!(worth(0) > Some(300) && worth(2) < Some(-300), "{explained}");
        assert_eq!([worth(1), worth(3)], [None, None]);
        assert!(explained.to_string().contains("bucket 1 of 8"), "{explained}");
        // Endgame knowledge replaces the value of king and pawn against king, and scales the value of
        // rook against bishop.
        for (fen, changes) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", false),
            ("8/8/8/4k3/8/4K3/4P3/8 w - - 0 1", true),
            ("8/8/4k3/8/3b4/8/3R4/3K4 w - - 0 1", true),
        ] {
            let explained = evaluator.explain(&fen.parse().expect(fen)).to_string();
            assert_eq!(explained.contains("Endgame knowledge"), changes, "{explained}");
        }
    }
}
