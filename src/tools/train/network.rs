//! The network in floating point, and its gradient.
//!
//! Positions are processed in blocks that fit into the processor's cache. Sums over the features
//! in a position, and over the positions with a feature, are computed in registers, one [`Tile`] at
//! a time. A row of the gradient is therefore written once per block, not once per position.

use super::data::Sample;
use crate::base::rng::Rng;
use crate::eval::net::layers::{ONE, OUTPUT_ONE};
use crate::eval::net::{Features, Shape};
use rayon::prelude::*;
use std::ops::Range;

/// The number of values in a tile. The number of hidden values is a multiple of `TILE`.
pub(crate) const TILE: usize = 16;
/// The number of positions in a block, multiplied by the number of tiles per row.
const BLOCK: usize = 4096;
/// The minimum number of rows that a thread processes at a time.
const MIN_ROWS: usize = 64;
/// The number of partial sums that the processor can compute in parallel.
const LANES: usize = 16;

/// Adjacent values of a parameter row.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(64))]
pub(super) struct Tile(pub [f32; TILE]);

impl Tile {
    pub(super) const ZERO: Self = Self([0.0; TILE]);

    #[inline(always)]
    fn add(&mut self, other: &Self) {
        for (sum, x) in self.0.iter_mut().zip(&other.0) {
            *sum += x;
        }
    }
}

/// The features that share each factor. See [`Features::FACTORS`].
#[derive(Debug)]
pub(super) struct Factors {
    /// For each factor, its features.
    features: Vec<Vec<usize>>,
    /// For each feature, its factors.
    factors: Vec<Vec<usize>>,
}

impl Factors {
    pub(super) fn of<F: Features>() -> Self {
        let features: Vec<_> = (0..F::FACTORS).map(F::features_of).collect();
        let mut factors = vec![Vec::new(); F::COUNT];
        for (factor, features) in features.iter().enumerate() {
            features.iter().for_each(|&feature| factors[feature].push(factor));
        }
        Self { features, factors }
    }
}

/// The layout of the parameters in tiles, as in the network file: the first layer, its biases, the
/// output layer by buckets, and a tile with the biases of the output layer. The optimiser uses a
/// layout with factors, in which the rows for the features are followed by the rows for the
/// factors. The [folded](Self::fold) parameters, from which outputs are computed, have no factors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Layout {
    features: usize,
    factors: usize,
    /// The number of tiles per row.
    tiles: usize,
    buckets: usize,
}

impl Layout {
    /// Returns the layout for training, or `None` if this number of hidden values is not supported.
    pub(super) fn of<F: Features>(hidden: usize) -> Option<Self> {
        let Shape { features, buckets, .. } = Shape::of::<F>(hidden);
        let fits = hidden > 0 && hidden.is_multiple_of(TILE) && buckets <= TILE;
        fits.then_some(Self { features, factors: F::FACTORS, tiles: hidden / TILE, buckets })
    }

    pub(super) const fn folded(self) -> Self {
        Self { factors: 0, ..self }
    }

    /// Adds the row for each factor to the rows for its features, and clamps the sums to
    /// [`Features::bound`]. Writes the parameters to `folded`, in the layout without factors.
    pub(super) fn fold<F: Features>(
        &self,
        factors: &Factors,
        parameters: &[Tile],
        folded: &mut [Tile],
    ) {
        let (features, others) = folded.split_at_mut(self.feature_tiles());
        others.copy_from_slice(&parameters[self.bias()..]);
        self.each_row(features, |feature, row| {
            row.copy_from_slice(self.row(parameters, feature));
            for factor in &factors.factors[feature] {
                add_row(row, self.row(parameters, self.features + factor));
            }
            let bound = F::bound(feature);
            row.iter_mut().flat_map(|tile| &mut tile.0).for_each(|x| *x = x.clamp(-bound, bound));
        });
    }

    /// Adds the workers' gradients with respect to the folded parameters. Writes the gradient with
    /// respect to the parameters to `gradient`.
    pub(super) fn unfold_gradient(
        &self,
        factors: &Factors,
        workers: &[Worker],
        gradient: &mut [Tile],
    ) {
        let sum = |target: &mut [Tile], from: usize| {
            target.fill(Tile::ZERO);
            for worker in workers {
                add_row(target, &worker.gradient[from..from + target.len()]);
            }
        };
        let (rows, others) = gradient.split_at_mut(self.bias());
        sum(others, self.feature_tiles());
        let (features, rows) = rows.split_at_mut(self.feature_tiles());
        self.each_row(features, |feature, row| sum(row, feature * self.tiles));
        let features: &[Tile] = features;
        self.each_row(rows, |factor, row| {
            row.fill(Tile::ZERO);
            for &feature in &factors.features[factor] {
                add_row(row, self.row(features, feature));
            }
        });
    }

    /// Calls `update` with each row and its index, in parallel.
    fn each_row(&self, rows: &mut [Tile], update: impl Fn(usize, &mut [Tile]) + Sync) {
        let rows = rows.par_chunks_mut(self.tiles).enumerate();
        rows.with_min_len(MIN_ROWS).for_each(|(index, row)| update(index, row));
    }

    fn row<'a>(&self, parameters: &'a [Tile], index: usize) -> &'a [Tile] {
        &parameters[index * self.tiles..(index + 1) * self.tiles]
    }

    /// Converts the `weights` and `biases` in a network file to parameters. This is the inverse of
    /// [`Self::fold`]. The factors are processed in order: the row for the factor is set to the
    /// mean of the rows for its features, and this mean is subtracted from these rows.
    pub(super) fn unfold(&self, factors: &Factors, weights: &[i16], biases: &[i32]) -> Vec<Tile> {
        let mut tiles = vec![Tile::ZERO; self.len()];
        let (first, others) = weights.split_at(self.feature_tiles() * TILE);
        let outputs = self.output(0).start;
        let after = tiles[self.bias()..].iter_mut().flat_map(|tile| &mut tile.0);
        let one = |i: usize| if i < (outputs - self.bias()) * TILE { ONE } else { OUTPUT_ONE };
        for (i, (x, &weight)) in after.zip(others).enumerate() {
            *x = f32::from(weight) / one(i) as f32;
        }
        for (x, &bias) in tiles[self.output_biases()].0.iter_mut().zip(biases) {
            *x = bias as f32 / (ONE * OUTPUT_ONE) as f32;
        }
        let (features, rows) = tiles[..self.bias()].split_at_mut(self.feature_tiles());
        for (x, &weight) in features.iter_mut().flat_map(|tile| &mut tile.0).zip(first) {
            *x = f32::from(weight) / ONE as f32;
        }
        for (row, shared_by) in rows.chunks_mut(self.tiles).zip(&factors.features) {
            let weight = 1.0 / shared_by.len() as f32;
            for (place, mean) in row.iter_mut().enumerate() {
                let places = shared_by.iter().map(|feature| feature * self.tiles + place);
                for (x, mean) in mean.0.iter_mut().enumerate() {
                    *mean = places.clone().map(|at| features[at].0[x]).sum::<f32>() * weight;
                    places.clone().for_each(|at| features[at].0[x] -= *mean);
                }
            }
        }
        tiles
    }

    /// Copies the narrower network `from` to the first hidden values of `parameters`. The other
    /// hidden values keep their first-layer weights, but their output weights are set to 0, so that
    /// both networks have the same output.
    pub(super) fn widen(&self, parameters: &mut [Tile], narrow: &Self, from: &[Tile]) {
        let rows = parameters.chunks_exact_mut(self.tiles).zip(from.chunks_exact(narrow.tiles));
        let first_output = self.rows() + 1;
        for (row, (wide, narrow)) in rows.take(first_output + 2 * self.buckets).enumerate() {
            let (old, new) = wide.split_at_mut(narrow.len());
            old.copy_from_slice(narrow);
            if row >= first_output {
                new.fill(Tile::ZERO);
            }
        }
        parameters[self.output_biases()] = from[narrow.output_biases()];
    }

    /// Returns the number of tiles in the rows for features, which come first.
    pub(super) const fn feature_tiles(&self) -> usize {
        self.features * self.tiles
    }

    const fn block(&self) -> usize {
        BLOCK.div_ceil(self.tiles)
    }

    pub(super) const fn len(&self) -> usize {
        self.output_biases() + 1
    }

    const fn bias(&self) -> usize {
        self.rows() * self.tiles
    }

    const fn rows(&self) -> usize {
        self.features + self.factors
    }

    /// Returns the range of the output-layer tiles of a bucket.
    const fn output(&self, bucket: usize) -> Range<usize> {
        let start = self.bias() + self.tiles * (1 + 2 * bucket);
        start..start + 2 * self.tiles
    }

    /// Returns the index of the tile that contains the biases of the output layer.
    pub(super) const fn output_biases(&self) -> usize {
        self.output(self.buckets).start
    }

    /// Returns random initial parameters, except that the biases of the output layer are 0. If
    /// there are factors, the rows for features are 0 too.
    pub(super) fn random(&self, rng: &mut Rng) -> Vec<Tile> {
        // With this range, the sum over about thirty pieces usually has a magnitude below 1.
        let mut number = || (rng.unit() as f32 - 0.5) * 0.176;
        let mut tiles = vec![Tile::ZERO; self.len()];
        let first = if self.factors > 0 { self.feature_tiles() } else { 0 };
        tiles[first..self.output_biases()]
            .iter_mut()
            .flat_map(|tile| &mut tile.0)
            .for_each(|x| *x = number());
        tiles
    }

    /// Returns the integer that represents 1.0 when a tile is quantised.
    const fn one(&self, tile: usize) -> f32 {
        let one = if tile < self.output(0).start {
            ONE
        } else if tile < self.output_biases() {
            OUTPUT_ONE
        } else {
            ONE * OUTPUT_ONE
        };
        one as f32
    }

    /// Rounds the parameters to values that the integers in a network file can represent.
    pub(super) fn as_rounded(&self, parameters: &[Tile]) -> Vec<Tile> {
        let mut tiles = parameters.to_vec();
        for (i, tile) in tiles.iter_mut().enumerate() {
            let one = self.one(i);
            tile.0.iter_mut().for_each(|x| *x = (*x * one).round() / one);
        }
        tiles
    }

    /// Converts the parameters to the integers in a network file. Returns the weights, and the
    /// biases of the output layer.
    pub(super) fn rounded(&self, parameters: &[Tile]) -> (Vec<i16>, Vec<i32>) {
        let weights =
            parameters[..self.output_biases()].iter().enumerate().flat_map(|(i, tile)| {
                let one = self.one(i);
                tile.0.map(|x| (x * one).round() as i16)
            });
        let one = self.one(self.output_biases());
        let bias = |&x: &f32| (x * one).round() as i32;
        let biases = &parameters[self.output_biases()].0[..self.buckets];
        (weights.collect(), biases.iter().map(bias).collect())
    }
}

fn add_row(row: &mut [Tile], other: &[Tile]) {
    row.iter_mut().zip(other).for_each(|(sum, tile)| sum.add(tile));
}

/// The quantity that the network is trained to predict.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Target {
    /// The weight of the outlook, from 0 to 1. The search score has the remaining weight.
    pub result_share: f32,
    /// The constant by which scores are divided before the logistic function is applied.
    pub logistic: f32,
    /// The score that an output of 1 represents.
    pub scale: f32,
    /// True if the network's output is added to the current evaluation.
    pub added: bool,
}

pub(super) fn logistic(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

impl Target {
    /// Returns the training target for a sample: an expected result from 0 to 1.
    pub(super) fn of<F: Features>(&self, sample: &Sample<F>) -> f32 {
        let score = logistic(f32::from(sample.score) / self.logistic);
        self.result_share * sample.outlook + (1.0 - self.result_share) * score
    }

    /// Returns the score that the network's output represents. If `added`, the current evaluation
    /// is included.
    pub(super) fn score<F: Features>(&self, output: f32, sample: &Sample<F>) -> f32 {
        let base = if self.added { f32::from(sample.today) } else { 0.0 };
        output * self.scale + base
    }

    /// Returns the result that the network expects, from 0 to 1.
    pub(super) fn expected<F: Features>(&self, output: f32, sample: &Sample<F>) -> f32 {
        logistic(self.score(output, sample) / self.logistic)
    }
}

/// The buffers in which a thread computes outputs and gradients.
#[derive(Clone, Debug)]
pub(super) struct Worker {
    layout: Layout,
    /// The gradient of the loss with respect to the folded parameters.
    pub gradient: Vec<Tile>,
    /// The sum of squared errors.
    pub loss: f64,
    /// The hidden values for a block, later replaced by their gradients. Each position has a row
    /// for the side to move and a row for the opponent.
    hidden: Vec<Tile>,
    /// The active features of all rows of `hidden`, concatenated.
    features: Vec<u32>,
    /// The start offset of each row in `features`, and the end offset of the last row.
    starts: Vec<usize>,
    /// The bucket of each position.
    buckets: Vec<usize>,
    /// The rows in which each feature is active, concatenated.
    rows: Vec<u32>,
    /// The offset in `rows` at which the entries for each feature start.
    places: Vec<usize>,
}

impl Worker {
    /// Creates a worker for parameters folded from `layout`.
    pub(super) fn new(layout: Layout) -> Self {
        let layout = layout.folded();
        Self {
            layout,
            gradient: vec![Tile::ZERO; layout.len()],
            loss: 0.0,
            hidden: vec![Tile::ZERO; 2 * layout.block() * layout.tiles],
            features: Vec::new(),
            starts: Vec::new(),
            buckets: Vec::new(),
            rows: Vec::new(),
            places: Vec::new(),
        }
    }

    /// Computes the loss and its gradient for the samples with the given indices.
    pub(super) fn learn<F: Features>(
        &mut self,
        parameters: &[Tile],
        samples: &[Sample<F>],
        numbers: &[u32],
        target: &Target,
    ) {
        self.gradient.fill(Tile::ZERO);
        self.loss = 0.0;
        for block in numbers.chunks(self.layout.block()) {
            let block = block.iter().map(|&number| &samples[number as usize]);
            self.forward(parameters, block.clone());
            for (i, sample) in block.enumerate() {
                let found = target.expected(self.output(parameters, i), sample);
                let error = found - target.of(sample);
                self.loss += f64::from(error * error);
                let slope = 2.0 * error * found * (1.0 - found) * target.scale / target.logistic;
                self.back_to_hidden(parameters, i, slope);
            }
            self.back_to_features();
        }
    }

    /// Returns the network's output for each sample, before the logistic function is applied.
    pub(super) fn outputs<F: Features>(
        &mut self,
        parameters: &[Tile],
        samples: &[Sample<F>],
    ) -> Vec<f32> {
        let mut outputs = Vec::with_capacity(samples.len());
        for block in samples.chunks(self.layout.block()) {
            self.forward(parameters, block.iter());
            outputs.extend((0..block.len()).map(|i| self.output(parameters, i)));
        }
        outputs
    }

    fn forward<'a, F: Features>(
        &mut self,
        parameters: &[Tile],
        block: impl Iterator<Item = &'a Sample<F>>,
    ) {
        self.features.clear();
        self.starts.clear();
        self.buckets.clear();
        for sample in block {
            self.buckets.push(F::bucket(&sample.pieces));
            for view in [sample.side, !sample.side] {
                self.starts.push(self.features.len());
                F::features(&sample.pieces, view, |feature| self.features.push(feature as u32));
            }
        }
        self.starts.push(self.features.len());
        let Layout { tiles, .. } = self.layout;
        for row in 0..self.starts.len() - 1 {
            let list = &self.features[self.starts[row]..self.starts[row + 1]];
            for tile in 0..tiles {
                let mut sum = parameters[self.layout.bias() + tile];
                for &feature in list {
                    sum.add(&parameters[feature as usize * tiles + tile]);
                }
                self.hidden[row * tiles + tile] = sum;
            }
        }
    }

    fn output(&self, parameters: &[Tile], i: usize) -> f32 {
        let Layout { tiles, .. } = self.layout;
        let bucket = self.buckets[i];
        let mut sums = [0.0; LANES];
        let hidden = &self.hidden[2 * i * tiles..][..2 * tiles];
        for (values, weights) in hidden.iter().zip(&parameters[self.layout.output(bucket)]) {
            let values = values.0.as_chunks::<LANES>().0;
            for (values, weights) in values.iter().zip(weights.0.as_chunks::<LANES>().0) {
                for ((sum, value), weight) in sums.iter_mut().zip(values).zip(weights) {
                    let value = value.clamp(0.0, 1.0);
                    *sum += value * value * weight;
                }
            }
        }
        sums.iter().sum::<f32>() + parameters[self.layout.output_biases()].0[bucket]
    }

    /// Backpropagates from the output of position `i` to the output layer. Replaces the hidden
    /// values of the position with their gradients.
    fn back_to_hidden(&mut self, parameters: &[Tile], i: usize, slope: f32) {
        let Layout { tiles, .. } = self.layout;
        let bucket = self.buckets[i];
        self.gradient[self.layout.output_biases()].0[bucket] += slope;
        let hidden = &mut self.hidden[2 * i * tiles..][..2 * tiles];
        let weights = &parameters[self.layout.output(bucket)];
        let gradient = &mut self.gradient[self.layout.output(bucket)];
        for ((values, weights), gradient) in hidden.iter_mut().zip(weights).zip(gradient) {
            for ((value, weight), gradient) in
                values.0.iter_mut().zip(&weights.0).zip(&mut gradient.0)
            {
                let clipped = value.clamp(0.0, 1.0);
                *gradient += slope * clipped * clipped;
                let inside = clipped == *value;
                *value = if inside { 2.0 * slope * clipped * weight } else { 0.0 };
            }
        }
        let bias = self.layout.bias();
        for values in self.hidden[2 * i * tiles..][..2 * tiles].chunks(tiles) {
            for (sum, values) in self.gradient[bias..bias + tiles].iter_mut().zip(values) {
                sum.add(values);
            }
        }
    }

    /// Backpropagates from the hidden values of the block to the first layer.
    fn back_to_features(&mut self) {
        let Layout { features, tiles, .. } = self.layout;
        self.sort_by_feature(features);
        for feature in 0..features {
            let rows = &self.rows[self.places[feature]..self.places[feature + 1]];
            if rows.is_empty() {
                continue;
            }
            for tile in 0..tiles {
                let mut sum = self.gradient[feature * tiles + tile];
                for &row in rows {
                    sum.add(&self.hidden[row as usize * tiles + tile]);
                }
                self.gradient[feature * tiles + tile] = sum;
            }
        }
    }

    /// Groups the rows by their features with a counting sort, and stores them in `rows` and
    /// `places`.
    fn sort_by_feature(&mut self, features: usize) {
        self.places.clear();
        self.places.resize(features + 2, 0);
        // The counts are stored two indices higher. After the loops below, `places[feature]` is
        // therefore the start of a feature's rows, and `places[feature + 1]` is their end.
        for &feature in &self.features {
            self.places[feature as usize + 2] += 1;
        }
        for feature in 2..features + 2 {
            self.places[feature] += self.places[feature - 1];
        }
        self.rows.clear();
        self.rows.resize(self.features.len(), 0);
        for (row, bounds) in self.starts.windows(2).enumerate() {
            for &feature in &self.features[bounds[0]..bounds[1]] {
                let place = &mut self.places[feature as usize + 1];
                self.rows[*place] = row as u32;
                *place += 1;
            }
        }
    }
}
