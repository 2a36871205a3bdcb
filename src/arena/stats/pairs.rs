//! Statistics on game pairs: Elo with its error bar, likelihood of superiority, pair ratio.
//!
//! The two games of a pair share their opening, so they are not independent. The statistics
//! therefore treat each pair as one observation with five possible scores (the pentanomial model).

use super::elo::{CONFIDENCE, Estimate, NORMALISED_UNIT, elo_of_score, normal};

/// The numbers of game pairs in which a player scored 0, ½, 1, 1½ and 2 points, in that order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pairs(pub [u64; 5]);

impl Pairs {
    /// Counts a pair in which the player scored 0 to 4 half points.
    pub fn add(&mut self, half_points: usize) {
        self.0[half_points.min(4)] += 1;
    }

    /// Returns the same pairs from the opponent's point of view.
    pub fn reversed(mut self) -> Self {
        self.0.reverse();
        self
    }

    /// Returns the number of pairs.
    pub fn count(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Returns the mean score per game, from 0 to 1, or 0.5 if there are no pairs.
    pub fn score(&self) -> f64 {
        if self.count() == 0 {
            return 0.5;
        }
        let quarters: u64 = self.0.iter().zip(0..).map(|(n, i)| n * i).sum();
        quarters as f64 / 4.0 / self.count() as f64
    }

    /// Returns the variance of a pair's score. The score of a pair is the mean of its two game
    /// scores.
    ///
    /// If all N pairs have the same score, the sample variance is 0. By the rule of three, this
    /// shows only that the probability of any other score is below 3/N. The returned variance
    /// therefore has a lower bound. With this bound, the confidence interval includes the mean that
    /// would result if a fraction 3/N of the pairs had the next better or worse score.
    pub(super) fn variance(&self) -> f64 {
        let count = self.count().max(1) as f64;
        let mean = self.score();
        let squares: f64 = (0..5).map(|i| self.0[i] as f64 * (i as f64 / 4.0 - mean).powi(2)).sum();
        (squares / count).max((0.75 / CONFIDENCE).powi(2) / count)
    }

    fn deviation(&self) -> f64 {
        (self.variance() / self.count().max(1) as f64).sqrt()
    }

    /// Returns the Elo difference. If the player won or lost all games, an eighth of one pair's
    /// points is subtracted or added, so that the result is finite.
    pub fn elo(&self) -> Estimate {
        let min = 0.125 / self.count().max(1) as f64;
        let bounded = |score: f64| elo_of_score(score.clamp(min, 1.0 - min));
        let (mean, spread) = (self.score(), CONFIDENCE * self.deviation());
        let (low, high) = (bounded(mean - spread), bounded(mean + spread));
        Estimate { value: bounded(mean), error: (high - low) / 2.0 }
    }

    /// Returns the normalised Elo difference: the score per game minus ½, in standard deviations of
    /// a game's score, converted to the Elo scale. It does not depend on how drawish the openings
    /// are (Van den Bergh, *Normalized Elo*).
    pub fn normalised_elo(&self) -> Estimate {
        let game = (2.0 * self.variance()).sqrt();
        let (value, error) = ((self.score() - 0.5) / game, CONFIDENCE * self.deviation() / game);
        Estimate { value: value * NORMALISED_UNIT, error: error * NORMALISED_UNIT }
    }

    /// Returns the ratio of pairs won to pairs lost, ignoring drawn pairs; `None` if no pair was
    /// lost.
    pub fn ratio(&self) -> Option<f64> {
        let (won, lost) = (self.0[3] + self.0[4], self.0[0] + self.0[1]);
        (lost > 0).then(|| won as f64 / lost as f64)
    }

    /// Returns the likelihood of superiority (LOS): the probability, from 0 to 1, that the player
    /// is stronger than the opponent.
    pub fn superiority(&self) -> f64 {
        normal((self.score() - 0.5) / self.deviation())
    }
}

#[cfg(test)]
mod tests {
    use super::super::elo::score_of_elo;
    use super::*;

    fn close(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() <= tolerance, "{a} is not {b}");
    }

    /// Worked examples from fastchess's elo_test.cpp ("EloPentanomial").
    #[test]
    fn matches_fastchess_test_examples() {
        for (pairs, elo, error, normalised, normalised_error, superiority) in [
            ([34, 54, 31 + 32, 64, 75], 55.58, 27.65, 57.94, 28.28, 1.0),
            ([332, 433, 457 + 41, 333, 334], -8.64, 10.33, -9.17, 10.96, 0.0505),
            ([7895, 8757, 5485 + 200, 568, 9999], -21.04, 2.95, -19.01, 2.65, 0.0),
        ] {
            let pairs = Pairs(pairs);
            close(pairs.elo().value, elo, 0.01);
            close(pairs.elo().error, error, 0.01);
            close(pairs.normalised_elo().value, normalised, 0.01);
            close(pairs.normalised_elo().error, normalised_error, 0.01);
            close(pairs.superiority(), superiority, 1e-4);
        }
    }

    /// The numbers printed by fastchess 1.8.2 after two matches that it ran: Adoube at 1,000 nodes
    /// per move against Adoube at 800 and at 900. The pair counts agree with the PGN that fastchess
    /// wrote.
    #[test]
    fn agrees_with_fastchess() {
        for (pairs, elo, error, normalised, normalised_error, superiority, ratio) in [
            ([14, 6, 50, 14, 28], 56.33, 41.66, 62.92, 45.50, 0.9966, 2.10),
            ([16, 10, 48, 10, 38], 63.34, 43.04, 65.96, 43.59, 0.9985, 1.85),
        ] {
            let pairs = Pairs(pairs);
            close(pairs.elo().value, elo, 0.0051);
            close(pairs.elo().error, error, 0.0051);
            close(pairs.normalised_elo().value, normalised, 0.0051);
            close(pairs.normalised_elo().error, normalised_error, 0.0051);
            close(pairs.superiority(), superiority, 0.000051);
            close(pairs.ratio().unwrap_or_default(), ratio, 0.0051);
        }
    }

    /// Computed by hand: with three pairs won 2-0 and one drawn 1-1, the score is 7/8, the variance
    /// 3/64 and the standard error √(3/256).
    #[test]
    fn agrees_with_a_hand_calculation() {
        let pairs = Pairs([0, 0, 1, 0, 3]);
        close(pairs.score(), 0.875, 1e-12);
        close(pairs.deviation(), (3.0f64 / 256.0).sqrt(), 1e-12);
        close(pairs.elo().value, 400.0 * 7f64.log10(), 1e-9);
        close(pairs.reversed().elo().value, -pairs.elo().value, 1e-9);
        close(pairs.superiority() + pairs.reversed().superiority(), 1.0, 1e-6);
        close(score_of_elo(400.0 * 7f64.log10()), 0.875, 1e-12);
        assert_eq!((pairs.ratio(), pairs.reversed().ratio()), (None, Some(0.0)));
        assert_eq!(Pairs([1, 1, 9, 2, 3]).ratio(), Some(2.5));
    }

    #[test]
    fn stays_finite_if_all_pairs_are_equal() {
        for count in [0, 1, 10, 1_000_000] {
            for outcome in 0..5 {
                let mut pairs = Pairs::default();
                pairs.0[outcome] = count;
                let (elo, normalised) = (pairs.elo(), pairs.normalised_elo());
                for x in [elo.value, elo.error, normalised.value, normalised.error] {
                    assert!(x.is_finite(), "{count} pairs of {outcome}: {x}");
                }
                assert!(elo.error > 0.0);
                assert!((0.0..=1.0).contains(&pairs.superiority()));
            }
        }
        assert!(Pairs([0, 0, 0, 0, 5]).elo().value > 600.0);
        assert_eq!(Pairs([0, 0, 9, 0, 0]).elo().value, 0.0);
    }
}
