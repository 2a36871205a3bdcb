//! What the results of a match say: Elo with its error, likelihood of superiority, draw ratio.
//!
//! The two games of a pair share their opening, so they are not independent; a pair is the unit,
//! with five possible scores (the pentanomial model). Elo is logistic: a score s is worth
//! `400 log10(s / (1 - s))`. Every figure is finite for every input: where a figure would not be, the
//! comment says what is told instead.

pub mod ratings;
pub mod sprt;

/// Two-sided 95% of the normal distribution, in standard deviations.
pub(super) const CONFIDENCE: f64 = 1.959_963_985;

/// Normalised Elo to a standard deviation of a game: where no game is drawn between equals, it
/// is of the size of Elo.
pub const NORMALISED_UNIT: f64 = 800.0 / std::f64::consts::LN_10;

/// Wins, draws and losses of one player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Tally {
    /// Counts a game in which the player scored 0, 1 or 2 half points.
    pub const fn add(&mut self, half_points: usize) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    /// How many games.
    pub const fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The points, a draw being half of one.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// The points as they are said: `12½`.
    pub fn points_text(&self) -> String {
        match (self.wins + self.draws / 2, self.draws % 2) {
            (0, 1) => "½".to_owned(),
            (whole, 1) => format!("{whole}½"),
            (whole, _) => whole.to_string(),
        }
    }

    /// The share of the points, 0 to 1; 0.5 without games.
    pub fn score(&self) -> f64 {
        if self.games() == 0 { 0.5 } else { self.points() / self.games() as f64 }
    }

    /// The share of drawn games, 0 to 1; 0 without games.
    pub fn draw_ratio(&self) -> f64 {
        self.draws as f64 / self.games().max(1) as f64
    }
}

/// How many pairs of games ended with 0, ½, 1, 1½ and 2 points for the player in view.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pairs(pub [u64; 5]);

/// A figure and the half width of its 95% confidence interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The figure.
    pub value: f64,
    /// Plus or minus.
    pub error: f64,
}

impl Pairs {
    /// Counts a pair in which the player scored 0 to 4 half points.
    pub fn add(&mut self, half_points: usize) {
        self.0[half_points.min(4)] += 1;
    }

    /// The same pairs seen from the other side.
    pub fn reversed(mut self) -> Self {
        self.0.reverse();
        self
    }

    /// How many pairs.
    pub fn count(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The mean score of a game, 0 to 1; 0.5 without pairs.
    pub fn score(&self) -> f64 {
        if self.count() == 0 {
            return 0.5;
        }
        let quarters: u64 = self.0.iter().zip(0..).map(|(n, i)| n * i).sum();
        quarters as f64 / 4.0 / self.count() as f64
    }

    /// The variance of a pair's mean score.
    ///
    /// N pairs that all ended alike have none; that proves only that another outcome has less than
    /// 3/N of the probability (the rule of three). So the variance is at least the one at which
    /// the interval reaches as far as if such pairs were the next better or worse.
    pub(super) fn variance(&self) -> f64 {
        let count = self.count().max(1) as f64;
        let mean = self.score();
        let squares: f64 = (0..5).map(|i| self.0[i] as f64 * (i as f64 / 4.0 - mean).powi(2)).sum();
        (squares / count).max((0.75 / CONFIDENCE).powi(2) / count)
    }

    /// The standard error of [`Self::score`].
    fn deviation(&self) -> f64 {
        (self.variance() / self.count().max(1) as f64).sqrt()
    }

    /// The Elo difference. All won or all lost, it is that of one eighth of a pair's points less.
    pub fn elo(&self) -> Estimate {
        let least = 0.125 / self.count().max(1) as f64;
        let bounded = |score: f64| elo_of_score(score.clamp(least, 1.0 - least));
        let (mean, spread) = (self.score(), CONFIDENCE * self.deviation());
        let (low, high) = (bounded(mean - spread), bounded(mean + spread));
        Estimate { value: bounded(mean), error: (high - low) / 2.0 }
    }

    /// Normalised Elo: the difference in standard deviations of a game, which does not depend on
    /// how drawish the openings are (Van den Bergh, *Normalized Elo*).
    pub fn normalised_elo(&self) -> Estimate {
        let game = (2.0 * self.variance()).sqrt();
        let (value, error) = ((self.score() - 0.5) / game, CONFIDENCE * self.deviation() / game);
        Estimate { value: value * NORMALISED_UNIT, error: error * NORMALISED_UNIT }
    }

    /// How many pairs were won for each that was lost; drawn pairs say nothing. None where no pair
    /// was lost.
    pub fn ratio(&self) -> Option<f64> {
        let (won, lost) = (self.0[3] + self.0[4], self.0[0] + self.0[1]);
        (lost > 0).then(|| won as f64 / lost as f64)
    }

    /// The likelihood of superiority: the probability that the player is the stronger one, 0 to 1.
    pub fn superiority(&self) -> f64 {
        normal((self.score() - 0.5) / self.deviation())
    }
}

/// The Elo difference of an expected score strictly between 0 and 1.
pub fn elo_of_score(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// The expected score of an Elo difference.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The distribution function of the standard normal distribution, to 1e-7
/// (Abramowitz and Stegun, 26.2.17).
pub(super) fn normal(x: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.231_641_9 * x.abs());
    let polynomial = t
        * (0.319_381_530
            + t * (-0.356_563_782
                + t * (1.781_477_937 + t * (-1.821_255_978 + t * 1.330_274_429))));
    let tail = (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt() * polynomial;
    if x >= 0.0 { 1.0 - tail } else { tail }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() <= tolerance, "{a} is not {b}");
    }

    /// The worked examples in fastchess's elo_test.cpp ("EloPentanomial").
    #[test]
    fn published_examples() {
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

    /// What fastchess 1.8.2 printed at the end of two matches that it ran, Adoube at 1,000 nodes a move
    /// against itself at 800 and at 900. The pairs were counted in its PGN too.
    #[test]
    fn as_fastchess_says() {
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

    /// By hand: 3 pairs won 2-0, 1 drawn 1-1: score 7/8, variance 3/64, standard error √(3/256).
    #[test]
    fn by_hand() {
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

    /// Φ(1) and Φ(1.96), from any table.
    #[test]
    fn normal_distribution() {
        close(normal(0.0), 0.5, 1e-7);
        close(normal(1.0), 0.841_344_7, 1e-7);
        close(normal(-1.959_964), 0.025, 1e-6);
        close(normal(40.0), 1.0, 0.0);
    }

    #[test]
    fn finite_where_all_pairs_are_equal() {
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

    #[test]
    fn tallies() {
        let mut tally = Tally::default();
        assert_eq!((tally.score(), tally.draw_ratio()), (0.5, 0.0));
        [2, 2, 1, 0].into_iter().for_each(|half_points| tally.add(half_points));
        assert_eq!((tally.points(), tally.score(), tally.draw_ratio()), (2.5, 0.625, 0.25));
        let draws = |draws| Tally { draws, ..Tally::default() }.points_text();
        assert_eq!([tally.points_text(), draws(0), draws(1), draws(2)], ["2½", "0", "½", "1"]);
    }
}
