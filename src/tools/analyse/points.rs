//! The scale for judging moves: the loss of expected points, and the annotation glyphs for losses.
//!
//! The curve for chess, the glyph thresholds and the accuracy formula are taken from lichess
//! (lichess.org/page/accuracy). They are fitted to games between people and familiar to many
//! players. The winning chances shown elsewhere come from [`crate::eval::Chances`], which is fitted
//! to games between engines. That model is not suitable here: engines win with a small advantage,
//! so nearly every move would get a glyph.

use crate::search::score::Score;

/// The score at which the odds of winning are e (2.718) to 1 in chess, in hundredths of a pawn. It
/// is 1 / 0.00368208.
pub(crate) const CHESS: f64 = 271.6;
/// The score at which the odds of winning are e to 1 in draughts, in hundredths of a man. It is
/// smaller than in chess, because a man is worth more than a pawn: losing a man for nothing is a
/// blunder.
pub(crate) const DRAUGHTS: f64 = crate::eval::draughts::ODDS;

/// Scores are clamped to this absolute value, including mate scores.
const MAX_SCORE: i32 = 1000;

#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Sign {
    /// The minimum loss of expected points for this glyph. A win counts 1 and a loss 0. On lichess
    /// they count 1 and −1, so the thresholds there are twice as large: 0.3, 0.2 and 0.1.
    pub min_loss: f64,
    /// The numeric annotation glyph.
    pub nag: u16,
}

/// The glyphs `??`, `?` and `?!`.
pub(crate) const SIGNS: [Sign; 3] = [
    Sign { min_loss: 0.15, nag: 4 },
    Sign { min_loss: 0.10, nag: 2 },
    Sign { min_loss: 0.05, nag: 6 },
];

pub(crate) fn sign(loss: f64) -> Option<Sign> {
    SIGNS.into_iter().find(|sign| loss >= sign.min_loss)
}

/// Converts a score to expected points, from 0 to 1. Both are from the point of view of the same
/// side. `e_times` is [`CHESS`] or [`DRAUGHTS`].
pub(crate) fn expected_points(score: Score, e_times: f64) -> f64 {
    1.0 / (1.0 + (-f64::from(score.centipawns().clamp(-MAX_SCORE, MAX_SCORE)) / e_times).exp())
}

/// Returns the accuracy of a move in percent, given the expected points before and after the move.
pub(crate) fn accuracy(before: f64, after: f64) -> f64 {
    (103.1668 * (-4.354 * (before - after)).exp() - 3.1669).clamp(0.0, 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chess_curve_matches_lichess() {
        // Win percentages by lichess's formula: 50 + 50 * (2 / (1 + exp(-0.00368208 * cp)) - 1).
        for (score, percent) in [(0, 50.0), (100, 59.10), (-300, 24.89), (1000, 97.54)] {
            let found = 100.0 * expected_points(Score(score), CHESS);
            assert!((found - percent).abs() < 0.02, "{score}: {found}");
        }
        for e_times in [CHESS, DRAUGHTS] {
            assert_eq!(
                expected_points(Score::MATE, e_times),
                expected_points(Score(MAX_SCORE), e_times)
            );
            let (good, bad) =
                (expected_points(Score(70), e_times), expected_points(Score(-70), e_times));
            assert!((good + bad - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn signs_follow_the_loss() {
        let nag = |loss| sign(loss).map_or(0, |sign| sign.nag);
        assert_eq!([0.0, 0.049, 0.05, 0.1, 0.15, 1.0].map(nag), [0, 0, 6, 2, 4, 4]);
        // Losing a man, or in chess a knight, from an even position gets `??` ($4).
        let lost = |score: i32, e_times| 0.5 - expected_points(Score(-score), e_times);
        assert_eq!((nag(lost(100, DRAUGHTS)), nag(lost(300, CHESS))), (4, 4));
    }

    #[test]
    fn accuracy_is_100_percent_without_a_loss() {
        assert!((accuracy(0.5, 0.5) - 100.0).abs() < 0.01);
        assert!(accuracy(0.9, 0.1) < 5.0);
    }
}
