//! Maximum-likelihood ratings for all players in a tournament.
//!
//! The model is the Bradley-Terry model (*Rank Analysis of Incomplete Block Designs*, 1952; found
//! earlier by Zermelo, 1929). A draw counts as half a win and half a loss, as in Ordo. In models
//! with a draw parameter (Rao and Kupper 1967, used by BayesElo; Davidson 1970), the unit of the
//! scale depends on the draw rate. In this model the unit does not depend on the draw rate, and the
//! rating difference between the players of a two-player tournament is [`Pairs::elo`] if all game
//! pairs are complete. The colours have no parameter, because each player plays both colours in a
//! game pair.
//!
//! The likelihood has a unique maximum unless the players can be divided into two groups such that
//! no player in the first group has lost half a point to a player in the second (Ford, *Solution of
//! a Ranking Problem from Binary Comparisons*, 1957). In that case, each player is given half of a
//! drawn game against an opponent whose rating is fixed at 0. Afterwards, all ratings are shifted
//! so that their mean is 0. A player who won all games against a single opponent is then rated
//! about as if that player had lost an eighth of a pair's points, as in [`Pairs::elo`].
//!
//! The error bars do not use the model's variance, which assumes independent games without draws.
//! The covariance of the ratings is A⁻¹ B A⁻¹ (White, *Maximum Likelihood Estimation of
//! Misspecified Models*, 1982). A is the curvature of the likelihood, and B contains the observed
//! variances of the game pairs.

use super::elo::{CONFIDENCE, Estimate, normal, score_of_elo};
use super::{Pairs, Tally};
use std::f64::consts::LN_10;

/// The fraction of a drawn game that is added for each player if the likelihood would otherwise
/// have no maximum.
const PRIOR_GAMES: f64 = 0.5;
/// The number of Elo points per unit of the logistic distribution.
const UNIT: f64 = 400.0 / LN_10;

/// The maximum-likelihood ratings of all players in a tournament.
#[derive(Clone, PartialEq, Debug)]
pub struct Ratings {
    /// The ratings in Elo, with mean 0.
    values: Vec<f64>,
    /// The covariance matrix of the ratings, in Elo².
    covariance: Vec<Vec<f64>>,
    /// True if half of a drawn game was added for each player to keep the ratings finite.
    pub prior: bool,
}

struct Encounter {
    players: [usize; 2],
    games: f64,
    /// The points scored by the first player.
    points: f64,
    variance: f64,
}

impl Encounter {
    fn new(players: [usize; 2], tally: Tally, pairs: &Pairs) -> Self {
        let games = tally.games() as f64;
        // A pair's points are twice its mean score per game, so their variance is four times as
        // large. If no pair is complete, assume that each game has the greatest possible variance,
        // 1/4.
        let variance =
            if pairs.count() == 0 { games / 4.0 } else { 2.0 * games * pairs.variance() };
        Self { players, games, points: tally.points(), variance }
    }
}

impl Ratings {
    /// Computes the ratings from each player's results (row) against every other player (column),
    /// counted as games and as game pairs. Only the entries above the diagonal are read.
    pub fn new(cross: &[Vec<Tally>], pairs: &[Vec<Pairs>]) -> Self {
        let players = cross.len();
        let all = (0..players).flat_map(|a| (a + 1..players).map(move |b| [a, b]));
        let encounters: Vec<Encounter> = all
            .filter(|&[a, b]| cross[a][b].games() > 0)
            .map(|[a, b]| Encounter::new([a, b], cross[a][b], &pairs[a][b]))
            .collect();
        let prior = !is_strongly_connected(players, &encounters);
        let prior_games = if prior { PRIOR_GAMES } else { 0.0 };
        let logits = most_likely(players, &encounters, prior_games);

        let bread = inverse(curvature(&logits, &encounters, prior_games));
        let mut filling = vec![vec![0.0; players]; players];
        for &Encounter { players: [a, b], variance, .. } in &encounters {
            add_difference(&mut filling, [a, b], variance);
        }
        (0..players).for_each(|i| filling[i][i] += prior_games / 4.0);
        let mut covariance = product(&product(&bread, &filling), &bread);
        covariance.iter_mut().flatten().for_each(|x| *x *= UNIT * UNIT);
        let mean = logits.iter().sum::<f64>() / players.max(1) as f64;
        let values = logits.iter().map(|x| (x - mean) * UNIT).collect();
        Self { values, covariance, prior }
    }

    /// Returns a player's rating relative to `anchor`, or to the mean of all players.
    pub fn of(&self, player: usize, anchor: Option<usize>) -> Estimate {
        let zero = anchor.map_or(0.0, |anchor| self.values[anchor]);
        let variance = match anchor {
            Some(anchor) => self.variance_between(player, anchor),
            None => self.variance_from_mean(player),
        };
        let error = CONFIDENCE * variance.max(0.0).sqrt();
        Estimate { value: self.values[player] - zero, error }
    }

    /// Returns the probability that a player is stronger than another, from 0 to 1.
    pub fn superiority(&self, player: usize, other: usize) -> f64 {
        let deviation = self.variance_between(player, other).max(f64::MIN_POSITIVE).sqrt();
        normal((self.values[player] - self.values[other]) / deviation)
    }

    fn variance_between(&self, a: usize, b: usize) -> f64 {
        self.covariance[a][a] + self.covariance[b][b] - 2.0 * self.covariance[a][b]
    }

    fn variance_from_mean(&self, player: usize) -> f64 {
        let count = self.values.len() as f64;
        let row: f64 = self.covariance[player].iter().sum();
        let all: f64 = self.covariance.iter().flatten().sum();
        self.covariance[player][player] - 2.0 * row / count + all / (count * count)
    }
}

/// Returns whether the graph of results is strongly connected. The graph has an edge from each
/// player to every opponent who took at least half a point from that player.
fn is_strongly_connected(players: usize, encounters: &[Encounter]) -> bool {
    let reaches_all = |forward: bool| {
        let mut reached = vec![false; players];
        let mut waiting = vec![0];
        while let Some(player) = waiting.pop() {
            if std::mem::replace(&mut reached[player], true) {
                continue;
            }
            for e in encounters {
                let [a, b] = e.players;
                let (a_lost, b_lost) = (e.points < e.games, e.points > 0.0);
                let (from_a, from_b) = if forward { (a_lost, b_lost) } else { (b_lost, a_lost) };
                if a == player && from_a {
                    waiting.push(b);
                } else if b == player && from_b {
                    waiting.push(a);
                }
            }
        }
        reached.into_iter().all(|reached| reached)
    };
    players == 0 || reaches_all(true) && reaches_all(false)
}

fn expected(logits: &[f64], [a, b]: [usize; 2]) -> f64 {
    score_of_elo((logits[a] - logits[b]) * UNIT)
}

/// Adds the variance `x` of the difference between two players to a covariance matrix.
fn add_difference(matrix: &mut [Vec<f64>], [a, b]: [usize; 2], x: f64) {
    matrix[a][a] += x;
    matrix[b][b] += x;
    matrix[a][b] -= x;
    matrix[b][a] -= x;
}

/// Returns the negated Hessian of the log-likelihood. Only rating differences matter, so without
/// prior games the matrix would be singular: shifting all ratings by the same amount changes
/// nothing. A constant added to all entries removes this singularity.
fn curvature(logits: &[f64], encounters: &[Encounter], prior_games: f64) -> Vec<Vec<f64>> {
    let players = logits.len();
    let filled = if prior_games > 0.0 { 0.0 } else { 1.0 / players.max(1) as f64 };
    let mut matrix = vec![vec![filled; players]; players];
    for e in encounters {
        let p = expected(logits, e.players);
        add_difference(&mut matrix, e.players, e.games * p * (1.0 - p));
    }
    for (i, &logit) in logits.iter().enumerate() {
        let p = score_of_elo(logit * UNIT);
        matrix[i][i] += prior_games * p * (1.0 - p);
    }
    matrix
}

/// Finds the maximum-likelihood ratings by Newton's method. Long steps are shortened, because far
/// from the maximum they would overshoot it.
fn most_likely(players: usize, encounters: &[Encounter], prior_games: f64) -> Vec<f64> {
    let mut logits = vec![0.0; players];
    for _ in 0..200 {
        let mut slope = vec![0.0; players];
        for e in encounters {
            let surplus = e.points - e.games * expected(&logits, e.players);
            slope[e.players[0]] += surplus;
            slope[e.players[1]] -= surplus;
        }
        for (slope, logit) in slope.iter_mut().zip(&logits) {
            *slope += prior_games * (0.5 - score_of_elo(logit * UNIT));
        }
        let inverse = inverse(curvature(&logits, encounters, prior_games));
        let step: Vec<f64> =
            inverse.iter().map(|row| row.iter().zip(&slope).map(|(x, y)| x * y).sum()).collect();
        let max_step = step.iter().fold(0.0, |max: f64, x| max.max(x.abs()));
        let shortened = 1.0 / max_step.max(1.0);
        logits.iter_mut().zip(step).for_each(|(logit, x)| *logit += x * shortened);
        if max_step < 1e-10 {
            break;
        }
    }
    logits
}

fn product(a: &[Vec<f64>], b: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let columns = b.first().map_or(0, Vec::len);
    let cell = |row: &[f64], j: usize| row.iter().zip(b).map(|(x, other)| x * other[j]).sum();
    a.iter().map(|row| (0..columns).map(|j| cell(row, j)).collect()).collect()
}

/// Inverts a symmetric positive definite matrix by Gauss-Jordan elimination. Such a matrix needs no
/// pivoting.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let size = matrix.len();
    for pivot in 0..size {
        let scale = matrix[pivot][pivot].max(f64::MIN_POSITIVE).recip();
        matrix[pivot][pivot] = 1.0;
        matrix[pivot].iter_mut().for_each(|x| *x *= scale);
        let row = matrix[pivot].clone();
        for (_, other) in matrix.iter_mut().enumerate().filter(|&(i, _)| i != pivot) {
            let factor = std::mem::take(&mut other[pivot]);
            other.iter_mut().zip(&row).for_each(|(x, y)| *x -= factor * y);
        }
    }
    matrix
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::stats::elo::elo_of_score;
    use proptest::prelude::*;

    type Tables = (Vec<Vec<Tally>>, Vec<Vec<Pairs>>);

    fn close(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() <= tolerance, "{a} is not {b}");
    }

    /// Builds the tables from a list of `(a, b, results)`, in which `results` counts the game pairs
    /// by a's score against b.
    fn tables(players: usize, met: &[(usize, usize, [u64; 5])]) -> Tables {
        let mut cross = vec![vec![Tally::default(); players]; players];
        let mut pairs = vec![vec![Pairs::default(); players]; players];
        for &(a, b, counts) in met {
            pairs[a][b] = Pairs(counts);
            pairs[b][a] = Pairs(counts).reversed();
            for (half_points, [first, second]) in
                [[0, 0], [0, 1], [1, 1], [1, 2], [2, 2]].into_iter().enumerate()
            {
                for _ in 0..counts[half_points] {
                    [first, second].into_iter().for_each(|n| {
                        cross[a][b].add(n);
                        cross[b][a].add(2 - n);
                    });
                }
            }
        }
        (cross, pairs)
    }

    fn of_tallies(players: usize, met: &[(usize, usize, [u64; 3])]) -> Ratings {
        let mut cross = vec![vec![Tally::default(); players]; players];
        for &(a, b, [wins, draws, losses]) in met {
            cross[a][b] = Tally { wins, draws, losses };
            cross[b][a] = Tally { wins: losses, draws, losses: wins };
        }
        Ratings::new(&cross, &vec![vec![Pairs::default(); players]; players])
    }

    /// The worked example from the Wikipedia article "Bradley–Terry model".
    #[test]
    fn matches_wikipedia_example() {
        let met = [(0, 1, [2, 0, 3]), (0, 3, [1, 0, 4]), (1, 2, [5, 0, 3]), (2, 3, [1, 0, 3])];
        let ratings = of_tallies(4, &met);
        assert!(!ratings.prior);
        let strengths = ratings.values.iter().map(|elo| (elo / UNIT).exp()).collect::<Vec<f64>>();
        for (strength, published) in strengths.iter().zip([0.640, 1.043, 0.660, 2.270]) {
            close(*strength, published, 0.001);
        }
    }

    /// The expected ratings were computed by Ordo 1.2.6 from the same games, with
    /// `ordo -a 0 -N 3 -z 200.2409`. The option `-z` sets the rating difference for an expected
    /// score of 76%, for which Ordo's default is 202.
    #[test]
    fn agrees_with_ordo() {
        let met = [
            (0, 1, [12, 20, 8]),
            (0, 2, [18, 16, 6]),
            (0, 3, [25, 12, 3]),
            (0, 4, [34, 5, 1]),
            (1, 2, [11, 22, 7]),
            (1, 3, [19, 14, 7]),
            (1, 4, [28, 10, 2]),
            (2, 3, [13, 17, 10]),
            (2, 4, [21, 13, 6]),
            (3, 4, [16, 15, 9]),
        ];
        let ratings = of_tallies(5, &met);
        for (player, elo) in [140.166, 73.192, 4.423, -56.490, -161.291].into_iter().enumerate() {
            close(ratings.of(player, None).value, elo, 0.002);
        }
    }

    /// For two players, the rating difference equals [`Pairs::elo`]. The error bars are only about
    /// equal, because the confidence interval of [`Pairs::elo`] is not quite symmetric.
    #[test]
    fn equals_the_elo_difference_of_two_players() {
        for counts in [[1, 5, 20, 9, 3], [0, 0, 50, 1, 0], [40, 80, 300, 100, 60]] {
            let (cross, pairs) = tables(2, &[(0, 1, counts)]);
            let ratings = Ratings::new(&cross, &pairs);
            let (elo, rating) = (pairs[0][1].elo(), ratings.of(0, Some(1)));
            close(rating.value, elo.value, 1e-6);
            close(rating.error / elo.error, 1.0, 0.03);
            close(ratings.of(0, None).error, rating.error / 2.0, 1e-6);
            close(ratings.superiority(0, 1), pairs[0][1].superiority(), 0.01);
            assert_eq!(ratings.of(1, Some(1)), Estimate { value: 0.0, error: 0.0 });
        }
        // If one player won all games, the added drawn games have about the same effect as if that
        // player had lost an eighth of a pair's points.
        let (cross, pairs) = tables(2, &[(0, 1, [0, 0, 0, 0, 100])]);
        let ratings = Ratings::new(&cross, &pairs);
        assert!(ratings.prior);
        close(ratings.of(0, Some(1)).value, pairs[0][1].elo().value, 15.0);
    }

    /// Computed by hand: A scores 3/4 against B, B scores 3/4 against C, and A never plays C.
    #[test]
    fn adds_differences_along_a_chain() {
        let chain = [0, 0, 20, 0, 20];
        let (cross, pairs) = tables(3, &[(0, 1, chain), (1, 2, chain)]);
        let ratings = Ratings::new(&cross, &pairs);
        let step = elo_of_score(0.75);
        close(ratings.of(0, Some(2)).value, 2.0 * step, 1e-6);
        close(ratings.of(0, None).value, step, 1e-6);
        close(ratings.of(1, None).value, 0.0, 1e-6);
        // The two differences are independent and have the same error.
        let one = ratings.of(0, Some(1)).error;
        close(ratings.of(0, Some(2)).error, one * 2f64.sqrt(), 1e-6);
        close(one / pairs[0][1].elo().error, 1.0, 0.1);
    }

    #[test]
    fn handles_no_players_and_no_games() {
        assert_eq!(Ratings::new(&[], &[]).values, Vec::<f64>::new());
        let ratings = of_tallies(3, &[]);
        for player in 0..3 {
            let Estimate { value, error } = ratings.of(player, None);
            assert_eq!(value, 0.0);
            assert!(error > 500.0 && error.is_finite(), "{error}");
        }
        // A player without games does not affect the others.
        let (cross, pairs) = tables(3, &[(0, 1, [0, 0, 0, 0, 3])]);
        let ratings = Ratings::new(&cross, &pairs);
        assert!(ratings.prior && ratings.of(2, None).error > ratings.of(0, None).error);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        /// At the maximum of the likelihood, each player's points equal the expected points.
        #[test]
        fn ratings_are_finite_with_mean_zero_at_the_maximum(
            results in prop::collection::vec(prop_oneof![Just([0; 5]), [0..3u64, 0..3u64, 0..3u64, 0..3u64, 0..3u64], [0..1u64, 0..1u64, 0..1u64, 0..2u64, 0..100_000u64]], 10)
        ) {
            let all = (0..5).flat_map(|a| (a + 1..5).map(move |b| (a, b)));
            let met: Vec<_> = all.zip(results).map(|((a, b), counts)| (a, b, counts)).collect();
            let (cross, pairs) = tables(5, &met);
            let ratings = Ratings::new(&cross, &pairs);
            prop_assert!(ratings.values.iter().sum::<f64>().abs() < 1e-6);
            for (a, row) in cross.iter().enumerate() {
                let rating = ratings.of(a, None);
                prop_assert!(rating.value.is_finite() && rating.error.is_finite(), "{ratings:?}");
                let mut surplus = 0.0;
                for (b, tally) in row.iter().enumerate() {
                    let rating = ratings.of(a, Some(b));
                    prop_assert!(rating.error.is_finite() && rating.error >= 0.0);
                    prop_assert!((0.0..=1.0).contains(&ratings.superiority(a, b)));
                    surplus += tally.points() - tally.games() as f64 * score_of_elo(rating.value);
                }
                let pulled = if ratings.prior { PRIOR_GAMES / 2.0 } else { 0.0 };
                prop_assert!(surplus.abs() <= pulled + 1e-4, "{surplus} {ratings:?}");
            }
        }
    }
}
