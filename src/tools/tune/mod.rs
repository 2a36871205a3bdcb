//! Fits the weights of an evaluation to games.
//!
//! P. Österlund's method ("Texel's tuning method", 2014): the logistic curve of the evaluation
//! should predict the result of the game from which a position comes. All weights are fitted at once
//! by gradient descent (Adam: D. Kingma and J. Ba, 2015) on the cross entropy, with a pull towards the
//! current weights. A tenth of the games is held out, and the weights that predict these best are
//! kept.

mod chess;
mod wdl;

pub use chess::Chess;
pub use wdl::fit_wdl;

use crate::base::rng::Rng;
use crate::base::side::Side;
use crate::eval::chess::{DANGER_LINEAR, DANGER_SQUARE};
use rayon::prelude::*;

/// How to fit.
#[derive(Clone, Debug)]
pub struct Options {
    /// Passes over the data.
    pub epochs: usize,
    /// The first step of Adam, in centipawns; it shrinks to nearly nothing.
    pub rate: f64,
    /// Positions for each step.
    pub batch: usize,
    /// The share of the search's score in the target, 0 to 1; the rest is the game's result.
    pub blend: f64,
    /// The pull towards the current weights.
    pub prior: f64,
}

impl Default for Options {
    fn default() -> Self {
        Self { epochs: 40, rate: 1.0, batch: 8192, blend: 0.0, prior: 1e-9 }
    }
}

/// The evaluation of a game, as the tuner sees it.
pub trait Model {
    /// The evaluator, with its caches.
    type Evaluator: Default;

    /// The file of the weights in the repository.
    const FILE: &'static str;

    /// The current weights.
    fn weights() -> Vector;

    /// The index of the first weight of a king's danger. Sums of these count squared, and they come last.
    fn first_danger() -> usize {
        usize::MAX
    }

    /// Reads a record; `None` if it is unusable.
    fn row(evaluator: &mut Self::Evaluator, record: &str) -> Option<Row>;

    /// The contents of [`Self::FILE`] with these weights.
    fn contents(weights: &Vector) -> Vec<u8>;
}

/// A value for each weight and phase, in hundredths of a pawn or man.
pub type Vector = Vec<[f32; 2]>;

/// A weight that a position uses, and how often each side uses it.
#[derive(Clone, Copy, Debug)]
pub struct Use {
    index: u16,
    counts: [i16; Side::NUM],
}

/// A position as the tuner sees it.
#[derive(Clone, Debug)]
pub struct Row {
    uses: Box<[Use]>,
    /// Factors of the middle game and endgame sums.
    middle: f32,
    end: f32,
    /// The game's result from White: 1, 0.5, 0.
    result: f32,
    /// The search's score from White, in hundredths of a pawn or man.
    score: f32,
    /// Material on the board, in pawns.
    material: u32,
    held_out: bool,
}

/// Positions to learn from.
#[derive(Clone, Debug, Default)]
pub struct Data {
    rows: Vec<Row>,
}

impl Data {
    /// Reads what `adoube datagen export` prints. Unusable records (a known ending, no score, no result,
    /// no legal position) are left out.
    pub fn read<M: Model>(text: &str) -> Self {
        let lines: Vec<&str> = text.lines().collect();
        let rows = lines
            .par_iter()
            .map_init(M::Evaluator::default, |evaluator, line| M::row(evaluator, line))
            .flatten()
            .collect();
        Self { rows }
    }

    /// Adds the positions of `other`.
    pub fn extend(&mut self, other: Self) {
        self.rows.extend(other.rows);
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

/// White's result of a game: 1, 0.5 or 0.
fn result(text: &str) -> Option<f32> {
    match text {
        "1-0" => Some(1.0),
        "0-1" => Some(0.0),
        "1/2-1/2" => Some(0.5),
        _ => None,
    }
}

/// Whether the positions of a game are held out. Positions of one game are alike, so whole games are
/// held out.
fn held_out(id: &str) -> bool {
    let game = id.bytes().fold(0u64, |hash, b| hash.wrapping_mul(31) + u64::from(b));
    Rng::new(game).below(10) == 0
}

/// The middle game and endgame sums of a position, and the two kings' dangers.
struct Sums {
    sum: [f32; 2],
    danger: [[f32; 2]; Side::NUM],
}

impl Sums {
    fn of(row: &Row, weights: &Vector, first_danger: usize) -> Self {
        let mut sums = Self { sum: [0.0; 2], danger: [[0.0; 2]; 2] };
        let add = |total: &mut [f32; 2], weight: [f32; 2], count: f32| {
            for (total, weight) in total.iter_mut().zip(weight) {
                *total += weight * count;
            }
        };
        for &Use { index, counts } in &row.uses {
            let index = usize::from(index);
            let [white, black] = counts.map(f32::from);
            if index < first_danger {
                add(&mut sums.sum, weights[index], white - black);
            } else {
                add(&mut sums.danger[0], weights[index], white);
                add(&mut sums.danger[1], weights[index], black);
            }
        }
        sums
    }

    /// The evaluation in centipawns from White.
    fn value(&self, row: &Row) -> f32 {
        let middle = |danger: f32| danger.max(0.0).powi(2) / DANGER_SQUARE as f32;
        let end = |danger: f32| danger.max(0.0) / DANGER_LINEAR as f32;
        let [white, black] = self.danger;
        row.middle * (self.sum[0] - middle(white[0]) + middle(black[0]))
            + row.end * (self.sum[1] - end(white[1]) + end(black[1]))
    }
}

fn logistic(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// The cross entropy of a forecast.
fn entropy(forecast: f32, truth: f32) -> f64 {
    let p = f64::from(forecast).clamp(1e-7, 1.0 - 1e-7);
    let t = f64::from(truth);
    -(t * p.ln() + (1.0 - t) * (1.0 - p).ln())
}

/// How well weights predict results, as mean cross entropy.
#[derive(Clone, Copy, Debug)]
pub struct Loss {
    /// On the positions of the training games.
    pub training: f64,
    /// On the positions held out.
    pub held_out: f64,
}

/// A fit in progress.
pub struct Tuner<'a> {
    data: &'a Data,
    options: Options,
    prior: Vector,
    weights: Vector,
    /// Adam's running means of gradient and squared gradient.
    moments: Vec<[[f32; 2]; 2]>,
    steps: i32,
    first_danger: usize,
    /// The steepness of the logistic curve, per centipawn. It is fitted to the current weights and then
    /// fixed, so that a centipawn keeps its meaning.
    pub steepness: f32,
    best: (f64, Vector),
}

impl std::fmt::Debug for Tuner<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tuner").field("options", &self.options).finish_non_exhaustive()
    }
}

impl<'a> Tuner<'a> {
    /// A fit that starts from the current weights.
    pub fn new<M: Model>(data: &'a Data, options: Options) -> Self {
        let weights = M::weights();
        let mut tuner = Self {
            data,
            options,
            prior: weights.clone(),
            best: (f64::INFINITY, weights.clone()),
            moments: vec![[[0.0; 2]; 2]; weights.len()],
            weights,
            steps: 0,
            first_danger: M::first_danger(),
            steepness: 0.0,
        };
        tuner.steepness = tuner.fit_steepness();
        tuner
    }

    /// The steepness with which the weights predict results best, by golden section.
    fn fit_steepness(&self) -> f32 {
        let values: Vec<(f32, f32)> = self
            .data
            .rows
            .par_iter()
            .map(|row| (Sums::of(row, &self.weights, self.first_danger).value(row), row.result))
            .collect();
        let loss = |k: f64| -> f64 {
            values.par_iter().map(|&(value, t)| entropy(logistic(value * k as f32), t)).sum()
        };
        let ratio = (5f64.sqrt() - 1.0) / 2.0;
        let (mut low, mut high) = (0.001, 0.02);
        while high - low > 1e-5 {
            let (a, b) = (high - ratio * (high - low), low + ratio * (high - low));
            if loss(a) < loss(b) {
                high = b;
            } else {
                low = a;
            }
        }
        ((low + high) / 2.0) as f32
    }

    /// The losses of the weights so far, measured against results alone.
    pub fn loss(&self) -> Loss {
        let [training, held_out] = [false, true].map(|held_out| {
            let (sum, count) = self
                .data
                .rows
                .par_iter()
                .filter(|row| row.held_out == held_out)
                .map(|row| {
                    let value = Sums::of(row, &self.weights, self.first_danger).value(row);
                    (entropy(logistic(value * self.steepness), row.result), 1usize)
                })
                .reduce(|| (0.0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
            sum / count.max(1) as f64
        });
        Loss { training, held_out }
    }

    /// Goes through the data once and returns the losses afterwards. `epoch` counts from 0.
    pub fn epoch(&mut self, epoch: usize) -> Loss {
        let mut order: Vec<u32> = (0..self.data.rows.len() as u32)
            .filter(|&i| !self.data.rows[i as usize].held_out)
            .collect();
        Rng::new(epoch as u64).shuffle(&mut order);
        let along = epoch as f64 / self.options.epochs.max(1) as f64;
        let rate =
            self.options.rate * (0.02 + 0.98 * (1.0 + (std::f64::consts::PI * along).cos()) / 2.0);
        for batch in order.chunks(self.options.batch.max(1)) {
            let gradient = self.gradient(batch);
            self.step(&gradient, rate as f32);
        }
        let loss = self.loss();
        if loss.held_out < self.best.0 {
            self.best = (loss.held_out, self.weights.clone());
        }
        loss
    }

    fn gradient(&self, batch: &[u32]) -> Vector {
        let zero = || vec![[0.0; 2]; self.weights.len()];
        let mut gradient = batch
            .par_chunks(1024)
            .fold(zero, |mut gradient, chunk| {
                for &i in chunk {
                    self.add_gradient(&self.data.rows[i as usize], &mut gradient);
                }
                gradient
            })
            .reduce(zero, |mut a, b| {
                for (a, b) in a.iter_mut().flatten().zip(b.iter().flatten()) {
                    *a += b;
                }
                a
            });
        for value in gradient.iter_mut().flatten() {
            *value /= batch.len() as f32;
        }
        gradient
    }

    fn add_gradient(&self, row: &Row, gradient: &mut Vector) {
        let sums = Sums::of(row, &self.weights, self.first_danger);
        let blend = self.options.blend as f32;
        let target = (1.0 - blend) * row.result + blend * logistic(row.score * self.steepness);
        let error = (logistic(sums.value(row) * self.steepness) - target) * self.steepness;
        let phases = [error * row.middle, error * row.end];
        let slope = |danger: [f32; 2]| {
            let middle = 2.0 * danger[0].max(0.0) / DANGER_SQUARE as f32;
            let end = if danger[1] > 0.0 { 1.0 / DANGER_LINEAR as f32 } else { 0.0 };
            [middle, end]
        };
        let [of_white, of_black] = sums.danger.map(slope);
        for &Use { index, counts } in &row.uses {
            let index = usize::from(index);
            let [white, black] = counts.map(f32::from);
            for phase in 0..2 {
                gradient[index][phase] += phases[phase]
                    * if index < self.first_danger {
                        white - black
                    } else {
                        black * of_black[phase] - white * of_white[phase]
                    };
            }
        }
    }

    fn step(&mut self, gradient: &Vector, rate: f32) {
        const DECAY: [f32; 2] = [0.9, 0.999];
        self.steps += 1;
        let bias = DECAY.map(|decay| 1.0 - decay.powi(self.steps));
        let prior = self.options.prior as f32;
        let weights = self.weights.iter_mut().flatten().zip(self.prior.iter().flatten());
        let moments = self.moments.iter_mut().flatten();
        for (((weight, before), [mean, square]), gradient) in
            weights.zip(moments).zip(gradient.iter().flatten())
        {
            let slope = gradient + prior * (*weight - before);
            *mean = DECAY[0] * *mean + (1.0 - DECAY[0]) * slope;
            *square = DECAY[1] * *square + (1.0 - DECAY[1]) * slope * slope;
            *weight -= rate * (*mean / bias[0]) / ((*square / bias[1]).sqrt() + 1e-9);
        }
    }

    /// The weights with the smallest loss on the positions held out.
    pub const fn best(&self) -> &Vector {
        &self.best.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;
    use crate::eval::Evaluate;
    use crate::eval::chess::{COUNT, Evaluator};
    use std::fmt::Write as _;

    /// Games of kings and pawns. In some, one side has a knight more, and wins most of these.
    fn data() -> Data {
        let mut text = String::new();
        for game in 0..400 {
            let (fen, result) = match game % 4 {
                0 => ("4k3/pppp4/8/8/8/8/PPPP4/N3K3 w - -", "1-0"),
                1 => ("n3k3/pppp4/8/8/8/8/PPPP4/4K3 w - -", "0-1"),
                2 => ("4k3/pppp4/8/8/8/8/PPPP4/4K3 w - -", "1/2-1/2"),
                _ => ("4k3/pppp4/8/8/8/8/PPPP4/N3K3 w - -", "1/2-1/2"),
            };
            let _ = writeln!(text, "{fen} ce 0; c9 \"{result}\"; id \"game {game}\";");
        }
        Data::read::<Chess>(&(text + "rubbish\n"))
    }

    #[test]
    fn the_tuner_reads_what_evaluates() {
        let data = data();
        assert_eq!(data.len(), 400);
        let tuner = Tuner::new::<Chess>(&data, Options::default());
        let row = &data.rows[0];
        let value = Sums::of(row, &tuner.weights, tuner.first_danger).value(row);
        let position: Position = "4k3/pppp4/8/8/8/8/PPPP4/N3K3 w - - 0 1".parse().expect("FEN");
        let exact = Evaluator::default().value(&position);
        assert!((value - exact as f32).abs() < 3.0, "{value} {exact}");
    }

    #[test]
    fn gradients_are_the_slopes_of_the_loss() {
        let data = data();
        let mut tuner = Tuner::new::<Chess>(&data, Options::default());
        tuner.steepness = 0.004;
        let row = &data.rows[0];
        let mut gradient = vec![[0.0; 2]; COUNT];
        tuner.add_gradient(row, &mut gradient);
        for &Use { index, .. } in &row.uses {
            let i = usize::from(index);
            let loss = |tuner: &Tuner<'_>| {
                let value = Sums::of(row, &tuner.weights, tuner.first_danger).value(row);
                entropy(logistic(value * tuner.steepness), row.result)
            };
            let before = loss(&tuner);
            tuner.weights[i][1] += 1.0;
            let slope = loss(&tuner) - before;
            tuner.weights[i][1] -= 1.0;
            let expected = f64::from(gradient[i][1]);
            assert!(
                (slope - expected).abs() < 1e-5 + 0.05 * expected.abs(),
                "{i}: {slope} {expected}"
            );
        }
    }

    #[test]
    fn fitting_lowers_the_loss() {
        let data = data();
        let options = Options { epochs: 30, batch: 64, ..Options::default() };
        let mut tuner = Tuner::new::<Chess>(&data, options);
        // A curve to which the weights are not fitted yet.
        tuner.steepness = 0.004;
        let before = tuner.loss();
        let after = (0..30).map(|epoch| tuner.epoch(epoch)).last().expect("epochs");
        assert!(after.training < before.training - 0.001, "{before:?} {after:?}");
        assert!(after.held_out < before.held_out - 0.001, "{before:?} {after:?}");
    }
}
