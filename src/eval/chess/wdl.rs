//! The WDL model: converts scores to win, draw and loss probabilities and to displayed centipawns.
//!
//! The search uses the network's scale, but users see [`centipawns`]. On the centipawn scale, an
//! advantage of 100 in a typical middlegame wins half of the games, as in Stockfish since version
//! 15.1.

use crate::chess::{Kind, Position};
use crate::eval::Chances;

/// Win, draw and loss probabilities in per mille, summing to 1000.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Wdl {
    /// The probability that the side to move wins.
    pub win: u16,
    pub draw: u16,
    /// The probability that the side to move loses.
    pub loss: u16,
}

/// The material at the start of a game, which is also the maximum that the model distinguishes.
const FULL_MATERIAL: u32 = 78;
/// The material for which the centipawn scale is defined, typical of a middlegame.
const MIDDLEGAME: u32 = 58;

/// A model of win and loss probabilities: a logistic curve for winning, and its mirror image for
/// losing. The parameters of the curve depend linearly on the material.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Model {
    /// The score at which half of the games are won, on the network's scale. It is given as
    /// `[base, slope]`: the score with no material, and the change per unit of material.
    pub even_win: [f64; 2],
    /// The width of the curve, also given as `[base, slope]`.
    pub width: [f64; 2],
}

impl Model {
    /// The current model, fitted to the engine's own games (`adoube datagen chances`).
    pub(crate) const IN_PLAY: Self = Self { even_win: [140.1, -1.25], width: [32.8, 0.15] };

    /// Returns the score at which half of the games are won with this material, and the width of
    /// the curve.
    fn at(&self, material: u32) -> (f64, f64) {
        let at = |[base, slope]: [f64; 2]| base + slope * f64::from(material.min(FULL_MATERIAL));
        (at(self.even_win), at(self.width).max(1.0))
    }

    /// Returns the probability, from 0 to 1, that a player with this score wins. The probability of
    /// a loss is the win probability for the negated score.
    pub(crate) fn win(&self, score: f64, material: u32) -> f64 {
        let (even, width) = self.at(material);
        1.0 / (1.0 + ((even - score) / width).exp())
    }
}

/// Converts an evaluation, or a search score that is not a forced win or loss, to centipawns.
pub(crate) fn centipawns(value: i32) -> i32 {
    let (even, _) = Model::IN_PLAY.at(MIDDLEGAME);
    (100.0 * f64::from(value) / even).round() as i32
}

/// Converts a search score, on the network's scale, to win, draw and loss probabilities. All are
/// for the side to move.
pub(crate) fn wdl(score: i32, position: &Position) -> Wdl {
    let material = material(position);
    let win = |score: i32| (1000.0 * Model::IN_PLAY.win(f64::from(score), material)).round() as u16;
    let (win, loss) = (win(score), win(-score));
    Wdl { win, draw: 1000u16.saturating_sub(win + loss), loss }
}

impl Chances for Position {
    fn expected_points(&self, centipawns: i32) -> f64 {
        let (even, _) = Model::IN_PLAY.at(MIDDLEGAME);
        let score = f64::from(centipawns) * even / 100.0;
        let material = material(self);
        let [win, loss] = [score, -score].map(|score| Model::IN_PLAY.win(score, material));
        0.5 + (win - loss) / 2.0
    }
}

/// Returns the material of both sides together: 1 for each pawn, 3 for each minor piece, 5 for each
/// rook and 9 for each queen.
pub(crate) fn material(position: &Position) -> u32 {
    let count = |kind| position.board().kind(kind).len();
    count(Kind::Pawn)
        + 3 * (count(Kind::Knight) + count(Kind::Bishop))
        + 5 * count(Kind::Rook)
        + 9 * count(Kind::Queen)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_sum_to_1000_and_grow_with_the_score() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "8/5pk1/8/8/8/8/5PK1/8 w - - 0 1",
            "QQQQQQQQ/pppppppp/6k1/8/8/8/8/RNBQKBNR w KQ - 0 1",
        ] {
            curves_are_sound(&fen.parse().expect(fen));
        }
    }

    fn curves_are_sound(position: &Position) {
        let mut last = 0;
        for score in (-3000..=3000).step_by(10) {
            let Wdl { win, draw, loss } = wdl(score, position);
            assert_eq!(win + draw + loss, 1000);
            assert!(win >= last);
            last = win;
            let mirrored = wdl(-score, position);
            assert_eq!((mirrored.win, mirrored.loss), (loss, win));
        }
        assert!(wdl(30_000, position).win == 1000 && wdl(0, position).draw > 300);
    }

    #[test]
    fn expected_points_match_the_probabilities() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "8/5pk1/8/8/8/8/5PK1/8 w - - 0 1",
        ] {
            let position: Position = fen.parse().expect(fen);
            for score in (-1000..=1000).step_by(50) {
                let Wdl { win, draw, .. } = wdl(score, &position);
                let points = f64::from(win) / 1000.0 + f64::from(draw) / 2000.0;
                let found = position.expected_points(centipawns(score));
                assert!((points - found).abs() < 0.005, "{score}: {points} {found}");
            }
        }
    }

    #[test]
    fn hundred_centipawns_win_half_of_middlegame_games() {
        let fen = "r2q2k1/pp1b1pp1/2np1n2/4p3/4P3/2NP1N2/PP1B1PP1/R2Q2K1 w - - 0 1";
        let position = fen.parse().expect(fen);
        assert_eq!(material(&position), MIDDLEGAME);
        let even = (0..1000).find(|&score| centipawns(score) >= 100).expect("a score");
        let [below, above] = [even - 1, even].map(|score| wdl(score, &position).win);
        assert!((490..500).contains(&below) && (500..=510).contains(&above), "{below} {above}");
        assert_eq!(centipawns(-even), -centipawns(even));
    }
}
