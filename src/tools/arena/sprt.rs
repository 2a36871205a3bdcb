//! The sequential probability ratio test on pairs of games: stop a match as soon as it is decided.
//!
//! Generalised SPRT on the pentanomial distribution (Van den Bergh, *A practical introduction to
//! the GSPRT*; fishtest's mathematics page): for each hypothesis, the likeliest distribution with
//! its expected score, found exactly, and the log of their likelihood ratio.

use super::stats::{Pairs, score_of_elo};
use std::fmt;
use std::str::FromStr;

/// The test of H0, Elo = `elo0`, against H1, Elo = `elo1` (logistic Elo).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    /// H0.
    pub elo0: f64,
    /// H1, larger.
    pub elo1: f64,
    /// The probability of accepting H1 where H0 is true.
    pub alpha: f64,
    /// The probability of accepting H0 where H1 is true.
    pub beta: f64,
}

/// What the test says so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Play on.
    Open,
    /// Not stronger than `elo0`.
    AcceptH0,
    /// Stronger than `elo0`.
    AcceptH1,
}

/// Why a text is no test.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum SprtError {
    /// A word that is not `name=number`.
    #[error("'{0}' is not one of elo0=N elo1=N alpha=N beta=N")]
    Word(String),
    /// Numbers that make no test.
    #[error("elo0 < elo1, 0 < alpha, 0 < beta and alpha + beta < 1 must hold")]
    Range,
}

impl FromStr for Sprt {
    type Err = SprtError;

    /// Reads `elo0=0 elo1=5 alpha=0.05 beta=0.05`; what is left out has these values.
    fn from_str(text: &str) -> Result<Self, SprtError> {
        let mut test = Self { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05 };
        for word in text.split([' ', ',']).filter(|word| !word.is_empty()) {
            let error = || SprtError::Word(word.to_owned());
            let (name, value) = word.split_once('=').ok_or_else(error)?;
            let value: f64 = value.parse().map_err(|_| error())?;
            match name {
                "elo0" => test.elo0 = value,
                "elo1" => test.elo1 = value,
                "alpha" => test.alpha = value,
                "beta" => test.beta = value,
                _ => return Err(error()),
            }
        }
        let Self { elo0, elo1, alpha, beta } = test;
        let sound = elo0 < elo1
            && elo0.abs().max(elo1.abs()) < 1000.0
            && alpha > 0.0
            && beta > 0.0
            && alpha + beta < 1.0;
        if sound { Ok(test) } else { Err(SprtError::Range) }
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}, {}] α {} β {}", self.elo0, self.elo1, self.alpha, self.beta)
    }
}

impl Sprt {
    /// The bounds of the log-likelihood ratio: below the first H0 is accepted, above the second H1.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio of H1 against H0; 0 without any pair, and always finite.
    pub fn llr(&self, pairs: &Pairs) -> f64 {
        if pairs.count() == 0 {
            return 0.0;
        }
        // An outcome not seen yet is rare, not impossible; the size is fishtest's.
        let counts = pairs.0.map(|n| if n == 0 { 1e-3 } else { n as f64 });
        let total: f64 = counts.iter().sum();
        let p = counts.map(|n| n / total);
        let (tilt0, tilt1) = (tilt(&p, score_of_elo(self.elo0)), tilt(&p, score_of_elo(self.elo1)));
        let sum: f64 = (0..5).map(|i| p[i] * (tilt0[i] / tilt1[i]).ln()).sum();
        total * sum
    }

    /// What the pairs decide.
    pub fn verdict(&self, pairs: &Pairs) -> Verdict {
        let ((lower, upper), llr) = (self.bounds(), self.llr(pairs));
        if llr >= upper {
            Verdict::AcceptH1
        } else if llr <= lower {
            Verdict::AcceptH0
        } else {
            Verdict::Open
        }
    }
}

/// The likeliest distribution with expected score `s`, given frequencies `p` over the scores 0, ¼,
/// ½, ¾ and 1, is `p[i] / tilt[i]` with `tilt[i] = 1 + x (i/4 - s)`, where x makes the expectation
/// right. The sum that must vanish falls in x, so bisection finds it.
fn tilt(p: &[f64; 5], s: f64) -> [f64; 5] {
    let deviation: [f64; 5] = std::array::from_fn(|i| i as f64 / 4.0 - s);
    let (mut low, mut high) = (-1.0 / deviation[4], -1.0 / deviation[0]);
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn test(text: &str) -> Sprt {
        text.parse().unwrap()
    }

    /// The worked examples in fastchess's sprt_test.cpp ("logistic pentanomial"), which are games
    /// of Stockfish's public tests.
    #[test]
    fn published_examples() {
        let pairs = Pairs([223, 9863, 20279 + 1000, 10037, 246]);
        assert!((test("elo0=0.5 elo1=2.5").llr(&pairs) + 3.07).abs() < 0.01);
        let pairs = Pairs([871, 26175, 55003 + 980, 26678, 821]);
        assert!((test("elo0=0 elo1=2").llr(&pairs) + 4.98).abs() < 0.01);
    }

    #[test]
    fn bounds_are_walds() {
        let (lower, upper) = test("alpha=0.05 beta=0.1").bounds();
        assert!((lower - (0.1f64 / 0.95).ln()).abs() < 1e-12);
        assert!((upper - (0.9f64 / 0.05).ln()).abs() < 1e-12);
    }

    #[test]
    fn finite_and_decided_where_all_pairs_are_equal() {
        let test = test("elo0=0 elo1=5");
        assert_eq!(test.llr(&Pairs::default()), 0.0);
        for outcome in 0..5 {
            let mut pairs = Pairs::default();
            pairs.0[outcome] = 10_000;
            let llr = test.llr(&pairs);
            assert!(llr.is_finite(), "{outcome}: {llr}");
            let expected = if outcome > 2 { Verdict::AcceptH1 } else { Verdict::AcceptH0 };
            assert_eq!(test.verdict(&pairs), expected, "{outcome}: {llr}");
        }
    }

    #[test]
    fn errors_name_the_word() {
        assert_eq!("elo0=1 x=2".parse::<Sprt>(), Err(SprtError::Word("x=2".into())));
        assert_eq!("elo0=5 elo1=5".parse::<Sprt>(), Err(SprtError::Range));
        assert_eq!("alpha=NaN".parse::<Sprt>(), Err(SprtError::Range));
    }
}
