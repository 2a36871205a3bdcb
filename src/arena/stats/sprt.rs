//! The sequential probability ratio test (SPRT) on game pairs. The match stops as soon as the test
//! accepts a hypothesis.
//!
//! This is the generalised SPRT on the pentanomial distribution (Van den Bergh, *A practical
//! introduction to the GSPRT*; fishtest's mathematics page). For each hypothesis it finds the
//! maximum-likelihood distribution among the distributions with the hypothesis's expected score.
//! The likelihood ratio of these two distributions decides. In normalised Elo, a hypothesis states
//! the distance of the expected score from ½ in standard deviations (Van den Bergh, *Comments on
//! Normalized Elo*, section 4.1).

use super::Pairs;
use super::elo::{NORMALISED_UNIT, score_of_elo};
use serde::{Deserialize, Serialize};
use std::f64::consts::SQRT_2;
use std::fmt;
use std::str::FromStr;

/// The Elo scale of a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Model {
    /// Logistic Elo. The number of games needed for given bounds depends on how drawish the
    /// openings are.
    #[default]
    Logistic,
    /// Normalised Elo. The number of games needed for given bounds does not depend on how drawish
    /// the openings are.
    Normalised,
}

/// A test of H0 (Elo = `elo0`) against H1 (Elo = `elo1`).
///
/// ```
/// use adoube::matches::{Pairs, Sprt, SprtVerdict};
///
/// let sprt: Sprt = "elo0=0 elo1=5".parse()?;
/// assert_eq!((sprt.alpha, sprt.beta), (0.05, 0.05));
/// assert_eq!(sprt.verdict(&Pairs::default()), SprtVerdict::Open);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Sprt {
    /// The Elo scale.
    pub model: Model,
    /// The Elo difference under H0.
    pub elo0: f64,
    /// The Elo difference under H1.
    pub elo1: f64,
    /// The probability of accepting H1 if H0 is true.
    pub alpha: f64,
    /// The probability of accepting H0 if H1 is true.
    pub beta: f64,
}

/// The result of a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SprtVerdict {
    /// The test needs more games.
    Open,
    /// The test accepts H0.
    AcceptH0,
    /// The test accepts H1.
    AcceptH1,
}

/// The error for text that is not a test.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum SprtError {
    /// An unknown setting or an invalid value.
    #[error(
        "unknown SPRT setting '{0}': give elo0=N elo1=N alpha=N beta=N model=logistic|normalised"
    )]
    Word(String),
    /// Values out of range.
    #[error(
        "SPRT needs elo0 < elo1, alpha > 0, beta > 0, alpha + beta < 1, and both Elo values \
         closer to 0 than {} ({} with model=normalised)",
        Model::Logistic.limit(),
        Model::Normalised.limit()
    )]
    Range,
}

impl Model {
    /// Returns the exclusive upper bound for the absolute values of `elo0` and `elo1`. For larger
    /// values of normalised Elo, the linearised condition in [`normalised_tilt`] might have no
    /// solution.
    const fn limit(self) -> f64 {
        match self {
            Self::Logistic => 1000.0,
            Self::Normalised => 200.0,
        }
    }
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Logistic => "logistic",
            Self::Normalised => "normalised",
        })
    }
}

impl FromStr for Sprt {
    type Err = SprtError;

    /// Parses `elo0=0 elo1=5 alpha=0.05 beta=0.05 model=logistic`; these values are also the
    /// defaults.
    fn from_str(text: &str) -> Result<Self, SprtError> {
        let mut test =
            Self { model: Model::Logistic, elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05 };
        for word in text.split([' ', ',']).filter(|word| !word.is_empty()) {
            let error = || SprtError::Word(word.to_owned());
            let (name, value) = word.split_once('=').ok_or_else(error)?;
            if name == "model" {
                let models = [Model::Logistic, Model::Normalised];
                let value = if value == "normalized" { "normalised" } else { value };
                let named = models.into_iter().find(|model| model.to_string() == value);
                test.model = named.ok_or_else(error)?;
                continue;
            }
            let value: f64 = value.parse().map_err(|_| error())?;
            match name {
                "elo0" => test.elo0 = value,
                "elo1" => test.elo1 = value,
                "alpha" => test.alpha = value,
                "beta" => test.beta = value,
                _ => return Err(error()),
            }
        }
        let Self { model, elo0, elo1, alpha, beta } = test;
        let sound = elo0 < elo1
            && elo0.abs().max(elo1.abs()) < model.limit()
            && alpha > 0.0
            && beta > 0.0
            && alpha + beta < 1.0;
        if sound { Ok(test) } else { Err(SprtError::Range) }
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { model, elo0, elo1, alpha, beta } = self;
        write!(f, "[{elo0}, {elo1}] {model} α {alpha} β {beta}")
    }
}

impl Sprt {
    /// Returns the lower and upper bounds for the log-likelihood ratio. H0 is accepted at or below
    /// the lower bound, and H1 at or above the upper bound.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// Returns the log-likelihood ratio of H1 against H0, or 0 if there are no pairs. The result is
    /// always finite.
    pub fn llr(&self, pairs: &Pairs) -> f64 {
        if pairs.count() == 0 {
            return 0.0;
        }
        // A score that no pair has had so far is rare but not impossible, so its count is replaced
        // by a small number, as in fishtest.
        let counts = pairs.0.map(|n| if n == 0 { 1e-3 } else { n as f64 });
        let total: f64 = counts.iter().sum();
        let p = counts.map(|n| n / total);
        let [tilt0, tilt1] = [self.elo0, self.elo1].map(|elo| match self.model {
            Model::Logistic => {
                let expected = score_of_elo(elo);
                tilt(&p, &SCORES.map(|score| score - expected))
            }
            // A pair's score is the mean of two game scores, so its standard deviation is smaller
            // by a factor of √2.
            Model::Normalised => normalised_tilt(&p, elo / NORMALISED_UNIT * SQRT_2),
        });
        let sum: f64 = (0..5).map(|i| p[i] * (tilt0[i] / tilt1[i]).ln()).sum();
        total * sum
    }

    /// Returns the result of the test for these game pairs.
    pub fn verdict(&self, pairs: &Pairs) -> SprtVerdict {
        let ((lower, upper), llr) = (self.bounds(), self.llr(pairs));
        if llr >= upper {
            SprtVerdict::AcceptH1
        } else if llr <= lower {
            SprtVerdict::AcceptH0
        } else {
            SprtVerdict::Open
        }
    }
}

const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Returns `tilt` such that `p[i] / tilt[i]` is the maximum-likelihood distribution for the observed
/// frequencies `p`, among the distributions in which the mean of `deviation` is 0. The solution has
/// the form `tilt[i] = 1 + x * deviation[i]`. The mean of `deviation` decreases as x increases, so x
/// is found by bisection. `deviation` must have a negative and a positive entry.
fn tilt(p: &[f64; 5], deviation: &[f64; 5]) -> [f64; 5] {
    let max = deviation.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    let min = deviation.iter().copied().fold(-f64::MIN_POSITIVE, f64::min);
    let (mut low, mut high) = (-1.0 / max, -1.0 / min);
    for _ in 0..200 {
        let x = f64::midpoint(low, high);
        let sum: f64 = (0..5).map(|i| p[i] * deviation[i] / (1.0 + x * deviation[i])).sum();
        if sum > 0.0 {
            low = x;
        } else {
            high = x;
        }
    }
    let x = f64::midpoint(low, high);
    deviation.map(|d| (1.0 + x * d).max(f64::MIN_POSITIVE))
}

/// Returns the [`tilt`] for the maximum-likelihood distribution among the distributions with a mean
/// `t` standard deviations above ½. This condition is not linear in the distribution, so it is
/// linearised around an estimate, which is improved iteratively. The first estimate is the uniform
/// distribution; three or four iterations usually suffice.
fn normalised_tilt(p: &[f64; 5], t: f64) -> [f64; 5] {
    let mut estimate = [0.2; 5];
    let mut tilted = [1.0; 5];
    for _ in 0..50 {
        let mean: f64 = (0..5).map(|i| estimate[i] * SCORES[i]).sum();
        let variance: f64 = (0..5).map(|i| estimate[i] * (SCORES[i] - mean).powi(2)).sum();
        let sigma = variance.sqrt().max(1e-9);
        let deviation = SCORES.map(|score| {
            let distance = (score - mean) / sigma;
            score - 0.5 - t * sigma * (1.0 + distance * distance) / 2.0
        });
        tilted = tilt(p, &deviation);
        let next: [f64; 5] = std::array::from_fn(|i| p[i] / tilted[i]);
        let change = (0..5).map(|i| (next[i] - estimate[i]).abs()).fold(0.0, f64::max);
        estimate = next;
        if change < 1e-9 {
            break;
        }
    }
    tilted
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn test(text: &str) -> Sprt {
        text.parse().unwrap()
    }

    /// Worked examples from fastchess's sprt_test.cpp ("logistic pentanomial"), which come from
    /// Stockfish's public tests.
    #[test]
    fn matches_fastchess_test_examples() {
        let pairs = Pairs([223, 9863, 20279 + 1000, 10037, 246]);
        assert!((test("elo0=0.5 elo1=2.5").llr(&pairs) + 3.07).abs() < 0.01);
        let pairs = Pairs([871, 26175, 55003 + 980, 26678, 821]);
        assert!((test("elo0=0 elo1=2").llr(&pairs) + 4.98).abs() < 0.01);
    }

    /// Worked examples from fastchess's sprt_test.cpp ("normalized pentanomial"). In the third
    /// example all 5,550 pairs were won. Before 2025-02-15 ("improve LLR algorithm"), fastchess
    /// used the sample variance and therefore computed 2.94 for this example. An independent
    /// maximisation of the likelihood gives 111.798; see `estimate_maximises_the_likelihood`.
    #[test]
    fn matches_fastchess_test_examples_in_normalised_elo() {
        for (text, pairs, published) in [
            ("elo0=0 elo1=2", [365, 16618, 36029 + 200, 16974, 390], 2.25),
            ("elo0=-1.75 elo1=0.25", [127, 4883, 10311 + 401, 5150, 104], 3.01),
            ("elo0=0 elo1=5", [0, 0, 0, 0, 5550], 111.82),
        ] {
            let llr = test(&format!("{text} model=normalised")).llr(&Pairs(pairs));
            assert!((llr / published - 1.0).abs() < 0.005, "{llr} is not {published}");
        }
    }

    /// The output of fastchess 1.8.2 after three matches, each stopped by fastchess's SPRT. In the
    /// last match an engine played against itself, and all pairs ended 1-1.
    #[test]
    fn agrees_with_fastchess() {
        for (text, pairs, llr, verdict) in [
            ("elo0=0 elo1=40 model=normalised", [14, 6, 50, 14, 28], 3.04, SprtVerdict::AcceptH1),
            ("elo0=0 elo1=30", [16, 10, 48, 10, 38], 3.05, SprtVerdict::AcceptH1),
            ("elo0=0 elo1=10", [0, 0, 102, 0, 0], -2.97, SprtVerdict::AcceptH0),
        ] {
            let (test, pairs) = (test(text), Pairs(pairs));
            assert!((test.llr(&pairs) - llr).abs() < 0.0051, "{text}: {}", test.llr(&pairs));
            assert_eq!(test.verdict(&pairs), verdict, "{text}");
        }
    }

    /// The exact values were computed independently of this module: Newton's method found the most
    /// likely distribution for each combination of mean and standard deviation, and the most likely
    /// of all these distributions gave the exact value.
    ///
    /// If all game pairs were won, there is also a closed form. The most likely distribution then
    /// has only the scores 1 and 0. If m is the probability of the score 1, the mean is m and the
    /// standard deviation σ is √(m (1 - m)). The mean must be ½ + tσ, so m - ½ = t √(m (1 - m)) and
    /// m = (1 + t/√(1 + t²)) / 2, which is ½ for t = 0.
    #[test]
    fn estimate_maximises_the_likelihood() {
        for (text, pairs, exact) in [
            ("elo0=0 elo1=5", [0, 0, 0, 0, 104], 2.09495),
            ("elo0=0 elo1=5", [0, 0, 0, 0, 5550], 111.79755),
            ("elo0=0 elo1=2", [365, 16618, 36029 + 200, 16974, 390], 2.25036),
        ] {
            let llr = test(&format!("{text} model=normalised")).llr(&Pairs(pairs));
            assert!((llr - exact).abs() < 1e-4, "{llr} is not {exact}");
        }
        let t = 5.0 / NORMALISED_UNIT * SQRT_2;
        let by_hand = 104.0 * (1.0 + t / (1.0 + t * t).sqrt()).ln();
        let llr = test("elo0=0 elo1=5 model=normalised").llr(&Pairs([0, 0, 0, 0, 104]));
        assert!((llr - by_hand).abs() < 1e-4, "{llr} is not {by_hand}");
    }

    #[test]
    fn stays_finite_at_the_limits_of_every_model() {
        for text in [
            "elo0=-999 elo1=999",
            "elo0=998 elo1=999",
            "elo0=-199 elo1=199 model=normalised",
            "elo0=198 elo1=199 model=normalised",
        ] {
            let test = test(text);
            for n in 0..3usize.pow(5) {
                let pairs =
                    Pairs(std::array::from_fn(|i| [0, 1, 10_000][n / 3usize.pow(i as u32) % 3]));
                assert!(test.llr(&pairs).is_finite(), "{text} {pairs:?}");
            }
        }
    }

    #[test]
    fn uses_walds_bounds() {
        let (lower, upper) = test("alpha=0.05 beta=0.1").bounds();
        assert!((lower - (0.1f64 / 0.95).ln()).abs() < 1e-12);
        assert!((upper - (0.9f64 / 0.05).ln()).abs() < 1e-12);
    }

    #[test]
    fn decides_with_finite_values_if_all_pairs_are_equal() {
        for model in ["logistic", "normalised"] {
            let test = test(&format!("elo0=0 elo1=5 model={model}"));
            assert_eq!(test.llr(&Pairs::default()), 0.0);
            for outcome in 0..5 {
                let mut pairs = Pairs::default();
                pairs.0[outcome] = 10_000;
                let llr = test.llr(&pairs);
                assert!(llr.is_finite(), "{outcome}: {llr}");
                let expected =
                    if outcome > 2 { SprtVerdict::AcceptH1 } else { SprtVerdict::AcceptH0 };
                assert_eq!(test.verdict(&pairs), expected, "{model} {outcome}: {llr}");
            }
        }
    }

    #[test]
    fn errors_name_the_word() {
        assert_eq!("elo0=1 x=2".parse::<Sprt>(), Err(SprtError::Word("x=2".into())));
        assert_eq!("elo0=5 elo1=5".parse::<Sprt>(), Err(SprtError::Range));
        assert_eq!("alpha=NaN".parse::<Sprt>(), Err(SprtError::Range));
        let word = SprtError::Word("model=x".into());
        assert_eq!("elo0=1 model=x".parse::<Sprt>(), Err(word));
        assert_eq!("elo1=200 model=normalised".parse::<Sprt>(), Err(SprtError::Range));
        assert_eq!(test("elo1=2").to_string(), "[0, 2] logistic α 0.05 β 0.05");
    }
}
