//! Prediction errors of evaluations, measured against game results and search scores.

use super::data::Sample;
use super::network::logistic;
use crate::eval::net::Features;
use rayon::prelude::*;

/// The mean squared error of a prediction, computed with the logistic constant that minimises it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Errors {
    pub error: f64,
    /// The logistic constant that minimises the error, on the internal scale of the search. Values
    /// are divided by this constant before the logistic function is applied.
    pub logistic: f32,
}

/// The prediction errors of an evaluation on the held-out games.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Judged {
    pub name: &'static str,
    /// The error in predicting the results of the games.
    pub results: Errors,
    /// The error in predicting the expected results that correspond to the search scores.
    pub scores: Errors,
}

/// The smallest logistic constant that is tried. Each further constant is [`FACTOR`] times the
/// previous constant, up to [`MAX_CONSTANT`].
const MIN_CONSTANT: f32 = 30.0;
const MAX_CONSTANT: f32 = 800.0;
const FACTOR: f32 = 1.03;

impl Judged {
    /// Computes the errors of an evaluation. `values` are its values for `samples`, and `constant`
    /// is the logistic constant that converts search scores to expected results.
    pub(super) fn of<F: Features>(
        name: &'static str,
        values: &[f32],
        samples: &[Sample<F>],
        constant: f32,
    ) -> Self {
        let played = values
            .iter()
            .zip(samples)
            .filter_map(|(&value, sample)| Some((value, sample.result()?)));
        let (of_games, results): (Vec<f32>, Vec<f32>) = played.unzip();
        let score = |sample: &Sample<F>| logistic(f32::from(sample.score) / constant);
        let scores: Vec<f32> = samples.iter().map(score).collect();
        Self { name, results: fit(&of_games, &results), scores: fit(values, &scores) }
    }
}

/// Tries all logistic constants and returns the smallest error with its constant. Both are NaN if
/// `values` is empty.
fn fit(values: &[f32], expected: &[f32]) -> Errors {
    if values.is_empty() {
        return Errors { error: f64::NAN, logistic: f32::NAN };
    }
    let count = values.len() as f64;
    let constants = std::iter::successors(Some(MIN_CONSTANT), |constant| Some(constant * FACTOR));
    let constants: Vec<f32> = constants.take_while(|constant| *constant < MAX_CONSTANT).collect();
    let error = |&constant: &f32| {
        let squares = values
            .iter()
            .zip(expected)
            .map(|(value, expected)| f64::from(logistic(value / constant) - expected).powi(2));
        Errors { error: squares.sum::<f64>() / count, logistic: constant }
    };
    let lowest = constants.par_iter().map(error).min_by(|a, b| a.error.total_cmp(&b.error));
    lowest.unwrap_or(Errors { error: f64::NAN, logistic: f32::NAN })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_best_logistic_constant() {
        let values: Vec<f32> = (-50..=50).map(|i| i as f32 * 10.0).collect();
        let expected: Vec<f32> = values.iter().map(|value| logistic(value / 140.0)).collect();
        let Errors { error, logistic } = fit(&values, &expected);
        assert!(error < 1e-4 && (logistic / 140.0 - 1.0).abs() < 0.02, "{error} {logistic}");
        assert!(fit(&[], &[]).error.is_nan());
    }
}
