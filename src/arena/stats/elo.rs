//! The Elo scale, `400 log10(s / (1 - s))` for an expected score s (logistic curve), and the normal
//! distribution used for error bars and for the likelihood of superiority.

/// Half the width of a 95% confidence interval of the normal distribution, in standard deviations.
pub(super) const CONFIDENCE: f64 = 1.959_963_985;

/// The factor that converts standard deviations per game to normalised Elo. It makes normalised Elo
/// about equal to Elo for evenly matched players who never draw.
pub(crate) const NORMALISED_UNIT: f64 = 800.0 / std::f64::consts::LN_10;

/// An estimated value with its error bar.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The estimated value.
    pub value: f64,
    /// Half the width of the 95% confidence interval.
    pub error: f64,
}

pub(crate) fn elo_of_score(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

pub(crate) fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Returns the cumulative distribution function of the standard normal distribution at `x`,
/// accurate to 1e-7 (Abramowitz and Stegun, 26.2.17).
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

    #[test]
    fn matches_published_normal_table() {
        close(normal(0.0), 0.5, 1e-7);
        close(normal(1.0), 0.841_344_7, 1e-7);
        close(normal(-1.959_964), 0.025, 1e-6);
        close(normal(40.0), 1.0, 0.0);
    }
}
