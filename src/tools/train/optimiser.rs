//! The optimiser AdamW. It divides each parameter's gradient step by the size of the parameter's
//! past gradients (D. Kingma and J. Ba, *Adam*, 2015), and applies decoupled weight decay (I.
//! Loshchilov and F. Hutter, *Decoupled weight decay regularization*, 2019).

use super::network::Tile;
use rayon::prelude::*;

/// The factors by which the running means of the gradient and of the squared gradient decay in each
/// step.
const MOMENTUM: [f32; 2] = [0.9, 0.999];
/// The fraction by which a parameter outside the feature rows decays in a step, at a learning rate
/// of 1.
const DECAY: f32 = 0.01;
/// The maximum absolute value of a parameter other than a bias of the output layer. An output
/// weight with this value is stored as the integer 127.
const BOUND: f32 = 1.98;
/// The fraction of all steps during which the learning rate rises. Afterwards it falls along a
/// cosine curve.
const WARM_UP: f64 = 0.02;
/// The final learning rate, as a fraction of the maximum.
const LAST_RATE: f64 = 0.01;
/// The minimum number of tiles that a thread processes at a time.
const TOGETHER: usize = 64;

/// Returns the learning rate for the step with index `step` in a run of `steps` steps. `rate` is
/// the maximum learning rate.
pub(super) fn rate_at(rate: f64, step: u64, steps: u64) -> f64 {
    let (step, steps) = (step as f64 + 1.0, steps.max(1) as f64);
    let rising = (step / (WARM_UP * steps)).min(1.0);
    let cosine = (1.0 + (std::f64::consts::PI * (step / steps).min(1.0)).cos()) / 2.0;
    rate * rising * (LAST_RATE + (1.0 - LAST_RATE) * cosine)
}

/// The weight decay of the feature rows. A strong decay counters overfitting: positions of the same
/// game have similar features and the same result.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shrinking {
    /// The number of tiles in the feature rows, which come first.
    pub tiles: usize,
    /// The fraction by which a parameter decays in a step, at a learning rate of 1.
    pub decay: f32,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Optimiser {
    /// The running means of the gradient and of the squared gradient.
    pub means: [Vec<Tile>; 2],
    pub steps: u64,
}

impl Optimiser {
    pub(super) fn new(tiles: usize) -> Self {
        Self { means: [vec![Tile::ZERO; tiles], vec![Tile::ZERO; tiles]], steps: 0 }
    }

    /// Updates the parameters by one step with the learning rate `rate`. `gradient` is the sum over
    /// `samples` positions. Parameters in tiles from index `free` on are not bounded.
    pub(super) fn step(
        &mut self,
        parameters: &mut [Tile],
        gradient: &[Tile],
        samples: usize,
        rate: f32,
        shrinking: Shrinking,
        free: usize,
    ) {
        self.steps += 1;
        let corrections = MOMENTUM
            .map(|momentum| 1.0 - momentum.powi(i32::try_from(self.steps).unwrap_or(i32::MAX)));
        let weight = 1.0 / samples.max(1) as f32;
        let [means, squares] = &mut self.means;
        let tiles = parameters.par_iter_mut().zip(gradient).zip(means).zip(squares).enumerate();
        tiles.with_min_len(TOGETHER).for_each(
            |(index, (((parameters, gradient), means), squares))| {
                // Do not change parameters that were not used in the batch. For rare features, a
                // step along the running means would only repeat earlier updates.
                if *gradient == Tile::ZERO {
                    return;
                }
                let decay = if index < shrinking.tiles { shrinking.decay } else { DECAY };
                let bound = if index < free { BOUND } else { f32::MAX };
                let moments = means.0.iter_mut().zip(&mut squares.0);
                for ((parameter, (mean, square)), slope) in
                    parameters.0.iter_mut().zip(moments).zip(gradient.0)
                {
                    let slope = slope * weight;
                    *mean = MOMENTUM[0] * *mean + (1.0 - MOMENTUM[0]) * slope;
                    *square = MOMENTUM[1] * *square + (1.0 - MOMENTUM[1]) * slope * slope;
                    let step =
                        (*mean / corrections[0]) / ((*square / corrections[1]).sqrt() + 1e-8);
                    let next = *parameter * (1.0 - decay * rate) - rate * step;
                    *parameter = next.clamp(-bound, bound);
                }
            },
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn learning_rate_rises_and_then_falls() {
        let rates: Vec<f64> = (0..1000).map(|step| rate_at(0.5, step, 1000)).collect();
        assert!(rates[..20].is_sorted() && rates[20..].iter().rev().is_sorted());
        assert!(rates[0] < 0.03 && (rates[19] - 0.5).abs() < 0.01 && rates[999] < 0.006);
    }
}
