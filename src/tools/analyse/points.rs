//! The scale on which moves are judged: how much a move loses, and which sign it gets for that.
//!
//! The curve of chess is the one that lichess fitted to games of its players (lichess.org/page/accuracy),
//! and so are the thresholds of the signs and the accuracy of a move: lichess's users know what they mean.
//! Nothing on this scale is shown as a chance. Shown chances are those of [`crate::eval::Chances`], which
//! come from games between engines. There a small advantage wins, and a sign for every move that an
//! engine would not forgive would stand at every move.

use crate::search::score::Score;

/// How many hundredths of a pawn multiply the odds by e (2.718): 1 / 0.00368208.
pub const CHESS: f64 = 271.6;
/// How many hundredths of a man do. A man is worth more than a pawn: to lose one for nothing is a blunder.
pub const DRAUGHTS: f64 = crate::eval::draughts::ODDS;

/// Scores beyond this one, mates included, promise no more.
const MAX_SCORE: i32 = 1000;

/// A sign, and the fewest expected points that a move with this sign loses.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sign {
    /// Expected points, of 1 for a won game. lichess counts from -1 to 1, where these are 0.3, 0.2, 0.1.
    pub least: f64,
    /// The numeric annotation glyph.
    pub nag: u8,
}

/// The signs of both games, the worst first.
pub const SIGNS: [Sign; 3] =
    [Sign { least: 0.15, nag: 4 }, Sign { least: 0.10, nag: 2 }, Sign { least: 0.05, nag: 6 }];

/// The sign of a move that loses so many expected points.
pub fn sign(loss: f64) -> Option<Sign> {
    SIGNS.into_iter().find(|sign| loss >= sign.least)
}

/// The points, from 0 to 1, that a score makes the player expect who has it. `e_times` is the game's:
/// [`CHESS`] or [`DRAUGHTS`].
pub fn expected(score: Score, e_times: f64) -> f64 {
    1.0 / (1.0 + (-f64::from(score.centipawns().clamp(-MAX_SCORE, MAX_SCORE)) / e_times).exp())
}

/// The accuracy of a move in percent, by the expected points before and after it.
pub fn accuracy(before: f64, after: f64) -> f64 {
    (103.1668 * (-4.354 * (before - after)).exp() - 3.1669).clamp(0.0, 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chess_curve_matches_lichess() {
        // Win percentages that its formula gives: 50 + 50 * (2 / (1 + exp(-0.00368208 * cp)) - 1).
        for (score, percent) in [(0, 50.0), (100, 59.10), (-300, 24.89), (1000, 97.54)] {
            let found = 100.0 * expected(Score(score), CHESS);
            assert!((found - percent).abs() < 0.02, "{score}: {found}");
        }
        for e_times in [CHESS, DRAUGHTS] {
            assert_eq!(expected(Score::MATE, e_times), expected(Score(MAX_SCORE), e_times));
            let (good, bad) = (expected(Score(70), e_times), expected(Score(-70), e_times));
            assert!((good + bad - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn signs_follow_the_loss() {
        let nag = |loss| sign(loss).map_or(0, |sign| sign.nag);
        assert_eq!([0.0, 0.049, 0.05, 0.1, 0.15, 1.0].map(nag), [0, 0, 6, 2, 4, 4]);
        // A man for nothing from an even position; in chess a knight.
        let lost = |score: i32, e_times| 0.5 - expected(Score(-score), e_times);
        assert_eq!((nag(lost(100, DRAUGHTS)), nag(lost(300, CHESS))), (4, 4));
    }

    #[test]
    fn accuracy_is_whole_without_a_loss() {
        assert!((accuracy(0.5, 0.5) - 100.0).abs() < 0.01);
        assert!(accuracy(0.9, 0.1) < 5.0);
    }
}
