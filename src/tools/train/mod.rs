//! Trains evaluation networks on records of self-play games.
//!
//! The logistic function, applied to the network's output, predicts the result of the game. The
//! training target is a weighted mean of the [`Outlook`] and the result expected from the search
//! score. AdamW (`optimiser`) minimises the mean squared error in batches of positions. For each
//! pass, the positions from all games are shuffled. With the same data, options and number of
//! threads, the network is bit-identical, even if training was interrupted and resumed.

mod data;
mod errors;
mod network;
mod optimiser;

pub(crate) use data::{Data, Outlook, Sample};
pub(crate) use errors::Judged;
pub(crate) use network::TILE;

use super::datagen::SelfPlay;
use crate::base::rng::Rng;
use crate::eval::chess::features::ChessFeatures;
use crate::eval::draughts::features::DraughtsFeatures;
use crate::eval::net::file::{pack, unpack};
use crate::eval::net::{Features, Header, NetError, NetFile, Recipe, Shape, Source};
use crate::eval::{self, Evaluate};
use crate::{chess, draughts};
use network::{Factors, Layout, Target, Tile, Worker};
use optimiser::{Optimiser, Shrinking, rate_at};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

pub(crate) trait Learn: SelfPlay {
    type Features: Features<Position = Self>;
    /// The current evaluation of the game.
    type Evaluator: Evaluate<Position = Self>;

    /// Returns whether the position is used for training. `best` is the move played in it.
    fn is_sample(&self, best: Option<Self::Move>) -> bool {
        self.is_quiet(best)
    }
}

impl Learn for chess::Position {
    type Features = ChessFeatures;
    type Evaluator = eval::chess::Evaluator;
}

impl Learn for draughts::Position {
    type Features = DraughtsFeatures;
    type Evaluator = eval::draughts::Evaluator;

    /// Returns whether the side to move cannot capture. The search evaluates only such positions
    /// statically.
    fn is_sample(&self, _: Option<draughts::Move>) -> bool {
        !self.can_capture()
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct Options {
    /// The number of hidden values per perspective, a multiple of [`TILE`].
    pub hidden: usize,
    pub recipe: Recipe,
    pub threads: usize,
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum TrainError {
    #[error("the number of hidden values must be a multiple of {TILE}, not {0}")]
    Hidden(usize),
    #[error("too few games: {training} training positions, {held_out} held out")]
    Data { training: usize, held_out: usize },
    #[error(transparent)]
    Threads(#[from] ThreadPoolBuildError),
    #[error(transparent)]
    File(#[from] NetError),
    #[error("the checkpoint belongs to a training run with other data or arguments")]
    Other,
}

#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Loss {
    /// The loss on the training positions, measured during the pass, before each batch's update.
    pub training: f64,
    /// The loss on the held-out positions after the pass.
    pub held_out: f64,
}

#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// The number of positions processed so far, in all passes.
    pub positions: usize,
    /// The mean squared error of the current pass so far.
    pub loss: f64,
}

#[derive(PartialEq, Debug, Serialize, Deserialize)]
struct Checkpoint {
    shape: Shape,
    recipe: Recipe,
    threads: usize,
    data: Vec<Source>,
    steps: u64,
    losses: Vec<Loss>,
}

const CHECKPOINT: [u8; 4] = *b"ANC1";

#[derive(Debug)]
pub(crate) struct Trainer<'a, F: Features> {
    data: &'a Data<F>,
    options: Options,
    /// The score that an output of 1 represents, on the internal scale of the search.
    scale: i32,
    layout: Layout,
    factors: Factors,
    parameters: Vec<Tile>,
    optimiser: Optimiser,
    /// The data on which the initial network was trained.
    earlier: Vec<Source>,
    losses: Vec<Loss>,
    workers: Vec<Worker>,
    pool: ThreadPool,
}

impl<'a, F: Features> Trainer<'a, F> {
    pub(crate) fn new(data: &'a Data<F>, options: Options) -> Result<Self, TrainError> {
        let layout = Layout::of::<F>(options.hidden).ok_or(TrainError::Hidden(options.hidden))?;
        let (training, held_out) = (data.training.len(), data.held_out.len());
        if training == 0 || held_out == 0 {
            return Err(TrainError::Data { training, held_out });
        }
        let threads = options.threads.max(1);
        let pool = ThreadPoolBuilder::new().num_threads(threads).build()?;
        let parameters = layout.random(&mut Rng::new(options.recipe.seed));
        Ok(Self {
            data,
            layout,
            factors: Factors::of::<F>(),
            parameters,
            optimiser: Optimiser::new(layout.len()),
            earlier: Vec::new(),
            losses: Vec::new(),
            workers: vec![Worker::new(layout); threads],
            pool,
            scale: options.recipe.logistic.round() as i32,
            options,
        })
    }

    /// Replaces the random initial weights with the weights of `network`. Must be called before the
    /// first pass. A `network` with fewer hidden values than [`Options::hidden`] is widened. Its
    /// scale is kept, so its scores remain the same with another logistic constant. Fails and
    /// changes nothing if `network` has more hidden values or any other difference in shape.
    pub(crate) fn begin_with(&mut self, network: &NetFile) -> Result<(), TrainError> {
        let expected = Shape::of::<F>(self.options.hidden);
        let found = &network.header.shape;
        let hidden = found.hidden.min(expected.hidden);
        let narrow = Layout::of::<F>(hidden).ok_or(TrainError::Hidden(hidden))?;
        if *found != (Shape { hidden, ..expected.clone() }) {
            return Err(NetError::Shape { found: found.clone(), expected }.into());
        }
        let from = narrow.unfold(&self.factors, &network.weights, &network.output_biases);
        self.scale = network.header.scale;
        self.layout.widen(&mut self.parameters, &narrow, &from);
        self.earlier.clone_from(&network.header.data);
        self.options.recipe.from = network.checksum();
        Ok(())
    }

    pub(crate) fn losses(&self) -> &[Loss] {
        &self.losses
    }

    const fn target(&self) -> Target {
        let Recipe { result_share, logistic, added, .. } = self.options.recipe;
        let (result_share, logistic) = (result_share as f32, logistic as f32);
        Target { result_share, logistic, scale: self.scale as f32, added }
    }

    /// Trains on all positions once. Returns `None` if stopped early. In this case, training must
    /// be resumed from the last checkpoint.
    pub(crate) fn pass(&mut self, stop: &AtomicBool, report: &dyn Fn(Progress)) -> Option<Loss> {
        let Recipe { batch, rate, weight_decay, passes, seed, .. } = self.options.recipe;
        let (target, count) = (self.target(), self.data.training.len());
        let mut order: Vec<u32> = (0..count as u32).collect();
        let pass = self.losses.len();
        Rng::new(seed ^ (pass as u64 + 1) << 32).shuffle(&mut order);
        let steps = (count.div_ceil(batch.max(1)) * passes) as u64;
        let (mut sum, mut done) = (0.0, 0);
        let mut folded = vec![Tile::ZERO; self.layout.folded().len()];
        let mut gradient = vec![Tile::ZERO; self.layout.len()];
        for batch in order.chunks(batch.max(1)) {
            if stop.load(Relaxed) {
                return None;
            }
            let Self { data, layout, factors, parameters, optimiser, workers, pool, .. } = self;
            let chunk_len = batch.len().div_ceil(workers.len());
            pool.install(|| {
                layout.fold::<F>(factors, parameters, &mut folded);
                workers.par_iter_mut().enumerate().for_each(|(i, worker)| {
                    let chunk = batch.chunks(chunk_len).nth(i).unwrap_or_default();
                    worker.learn(&folded, &data.training, chunk, &target);
                });
                layout.unfold_gradient(factors, workers, &mut gradient);
                let rate = rate_at(rate, optimiser.steps, steps) as f32;
                let shrinking =
                    Shrinking { tiles: layout.feature_tiles(), decay: weight_decay as f32 };
                let free = layout.output_biases();
                optimiser.step(parameters, &gradient, batch.len(), rate, shrinking, free);
            });
            sum += self.workers.iter().map(|worker| worker.loss).sum::<f64>();
            done += batch.len();
            report(Progress { positions: pass * count + done, loss: sum / done as f64 });
        }
        let held_out = self.held_out_loss();
        let loss = Loss { training: sum / done.max(1) as f64, held_out };
        self.losses.push(loss);
        Some(loss)
    }

    fn held_out_loss(&self) -> f64 {
        let samples = &self.data.held_out;
        let target = self.target();
        let errors = self.outputs(&self.folded(), samples).into_iter().zip(samples);
        let squares = errors.map(|(output, sample)| {
            f64::from(target.expected(output, sample) - target.of(sample)).powi(2)
        });
        squares.sum::<f64>() / samples.len() as f64
    }

    fn folded(&self) -> Vec<Tile> {
        let mut folded = vec![Tile::ZERO; self.layout.folded().len()];
        self.pool.install(|| {
            self.layout.fold::<F>(&self.factors, &self.parameters, &mut folded);
        });
        folded
    }

    /// Returns the network's outputs for the samples, computed in parallel.
    fn outputs(&self, folded: &[Tile], samples: &[Sample<F>]) -> Vec<f32> {
        const PART: usize = 1 << 16;
        let outputs = |part| Worker::new(self.layout).outputs(folded, part);
        self.pool.install(|| samples.par_chunks(PART).flat_map_iter(outputs).collect())
    }

    /// Converts the current network to a network file, which contains integers.
    pub(crate) fn file(&self) -> NetFile {
        let (weights, output_biases) = self.layout.folded().rounded(&self.folded());
        let header = Header {
            variant: self.data.variant.clone(),
            shape: Shape::of::<F>(self.options.hidden),
            scale: self.scale,
            recipe: self.options.recipe.clone(),
            data: [&self.earlier[..], &self.data.sources].concat(),
        };
        NetFile { header, weights, output_biases }
    }

    /// Compares the network, the current evaluation and the search on the held-out games.
    pub(crate) fn judge(&self) -> Vec<Judged> {
        let samples = &self.data.held_out;
        let rounded = self.layout.folded().as_rounded(&self.folded());
        let outputs = self.outputs(&rounded, samples);
        let today = |sample: &Sample<F>| f32::from(sample.today);
        let target = self.target();
        let net = outputs.iter().zip(samples);
        let net = net.map(|(&output, sample)| target.score(output, sample));
        let name = if target.added { "network, added" } else { "network" };
        let values = [
            (name, net.collect()),
            ("current evaluation", samples.iter().map(today).collect()),
            (
                "the search",
                samples.iter().map(|sample| f32::from(sample.score)).collect::<Vec<_>>(),
            ),
        ];
        self.pool.install(|| {
            values.map(|(name, values)| Judged::of(name, &values, samples, target.logistic)).into()
        })
    }

    fn description(&self) -> Checkpoint {
        Checkpoint {
            shape: Shape::of::<F>(self.options.hidden),
            recipe: self.options.recipe.clone(),
            threads: self.workers.len(),
            data: self.data.sources.clone(),
            steps: self.optimiser.steps,
            losses: self.losses.clone(),
        }
    }

    pub(crate) fn checkpoint(&self) -> Vec<u8> {
        let header = serde_json::to_vec(&self.description()).unwrap_or_default();
        let [means, squares] = &self.optimiser.means;
        let tiles = self.parameters.iter().chain(means).chain(squares);
        let body: Vec<u8> = tiles.flat_map(|tile| tile.0).flat_map(f32::to_le_bytes).collect();
        pack(CHECKPOINT, &header, &body)
    }

    /// Restores the state from a checkpoint. If the bytes are not a checkpoint of this training
    /// run, fails and changes nothing.
    pub(crate) fn resume(&mut self, bytes: &[u8]) -> Result<(), TrainError> {
        let (found, body) = unpack::<Checkpoint>(CHECKPOINT, bytes)?;
        let own = self.description();
        let as_own = Checkpoint { steps: own.steps, losses: own.losses.clone(), ..found };
        let tiles = body.as_chunks::<{ 4 * TILE }>().0;
        if as_own != own || tiles.len() != 3 * self.layout.len() {
            return Err(TrainError::Other);
        }
        let mut tiles = tiles.iter().map(|bytes| {
            let mut tile = Tile::ZERO;
            for (x, bytes) in tile.0.iter_mut().zip(bytes.as_chunks().0) {
                *x = f32::from_le_bytes(*bytes);
            }
            tile
        });
        let mut part = || tiles.by_ref().take(self.layout.len()).collect();
        self.parameters = part();
        self.optimiser = Optimiser { means: [part(), part()], steps: found.steps };
        self.losses = found.losses;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::shard::Shard;
    use crate::eval::net::{Accumulators, Height, Net};
    use crate::record::selfplay::GenerationSettings;
    use crate::tools::datagen;
    use std::collections::HashSet;

    fn options(passes: usize, threads: usize) -> Options {
        let recipe = Recipe {
            passes,
            batch: 64,
            rate: 0.01,
            result_share: 0.5,
            decay: 1.0,
            weight_decay: 0.01,
            logistic: 140.0,
            seed: 3,
            added: false,
            from: 0,
        };
        Options { hidden: TILE, recipe, threads }
    }

    /// Returns samples with scores and results that depend only on the number of pieces.
    fn samples<F: Features>(positions: &[F::Position]) -> Vec<Sample<F>> {
        let sample = |position: &F::Position| {
            let (pieces, side) = (F::pieces(position), F::side(position));
            let (white, black) = pieces.as_ref()[..F::SETS].split_at(F::SETS / 2);
            let count = |sets: &[u64]| sets.iter().map(|set| set.count_ones() as i16).sum::<i16>();
            let lead = count(white) - count(black);
            let lead = if side.is_white() { lead } else { -lead };
            let half_points = (1 + lead.signum()) as u8;
            let outlook = f32::from(half_points) / 2.0;
            let half_points = Some(half_points);
            Sample { pieces, side, half_points, outlook, score: 100 * lead, today: 40 }
        };
        positions.iter().map(sample).collect()
    }

    fn empty<F: Features>() -> Data<F> {
        Data::new("", Outlook { decay: 1.0, logistic: 140.0 })
    }

    fn data<F: Features>(positions: &[F::Position]) -> Data<F> {
        let mut data = empty();
        for (i, sample) in samples(positions).into_iter().enumerate() {
            if i % 5 == 0 { &mut data.held_out } else { &mut data.training }.push(sample);
        }
        data
    }

    fn of_draughts() -> Data<DraughtsFeatures> {
        let mut rng = Rng::new(2);
        let mut positions = Vec::new();
        for _ in 0..30 {
            let mut position = draughts::Position::start();
            for _ in 0..80 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position = position.play(moves[rng.below(moves.len())]);
                positions.push(position);
            }
        }
        data(&positions)
    }

    fn of_chess() -> Data<ChessFeatures> {
        let mut rng = Rng::new(2);
        let games =
            (0..20).flat_map(|_| chess::random_game(chess::Position::start(), 100, &mut rng));
        data(&games.collect::<Vec<_>>())
    }

    fn trained<F: Features>(data: &Data<F>, options: Options) -> Trainer<'_, F> {
        let mut trainer = Trainer::new(data, options).expect("a training");
        for _ in 0..trainer.options.recipe.passes {
            trainer.pass(&AtomicBool::new(false), &|_| ()).expect("not stopped");
        }
        trainer
    }

    fn learns<F: Features>(data: &Data<F>) {
        let trainer = trained(data, options(12, 2));
        let losses = trainer.losses();
        assert!(losses[11].training < losses[0].training / 3.0, "{losses:?}");
        assert!(losses[11].held_out < losses[0].held_out / 2.0, "{losses:?}");
        let judged = trainer.judge();
        assert!(judged[0].scores.error < judged[1].scores.error / 2.0, "{judged:?}");
        assert!(judged[2].scores.error < 1e-4, "{judged:?}");
    }

    #[test]
    fn training_lowers_the_error_in_both_games() {
        learns(&of_draughts());
        learns(&of_chess());
    }

    #[test]
    fn gradients_match_finite_differences() {
        let data = of_draughts();
        let layout = Layout::of::<DraughtsFeatures>(TILE).expect("a layout");
        let factors = Factors::of::<DraughtsFeatures>();
        let mut parameters = layout.random(&mut Rng::new(1));
        let mut folded = vec![Tile::ZERO; layout.folded().len()];
        let target = Target { result_share: 0.5, logistic: 140.0, scale: 200.0, added: true };
        let numbers: Vec<u32> = (0..600).collect();
        let mut workers = [Worker::new(layout)];
        let mut learn = |parameters: &[Tile], workers: &mut [Worker]| {
            layout.fold::<DraughtsFeatures>(&factors, parameters, &mut folded);
            workers[0].learn(&folded, &data.training, &numbers, &target);
        };
        learn(&parameters, &mut workers);
        let mut gradient = parameters.clone();
        layout.unfold_gradient(&factors, &workers, &mut gradient);
        let (mut checked, mut checked_factors) = (0, 0);
        // Check tiles of the features, the factors and the biases of the first layer, and of the
        // output layer and its biases.
        for tile in (0..layout.len()).step_by(3).chain([200, layout.output_biases()]) {
            let (place, slope) = (0..TILE)
                .map(|place| (place, gradient[tile].0[place]))
                .max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()))
                .expect("a tile");
            if slope.abs() < 0.5 {
                continue;
            }
            let mut loss = |by: f32| {
                parameters[tile].0[place] += by;
                learn(&parameters, &mut workers);
                parameters[tile].0[place] -= by;
                workers[0].loss
            };
            let found = (loss(0.002) - loss(-0.002)) / 0.004;
            let error = (found - f64::from(slope)).abs();
            assert!(error < 0.05 * f64::from(slope).abs(), "{tile} {place}: {found} {slope}");
            checked += 1;
            let factors =
                layout.feature_tiles()..layout.feature_tiles() + DraughtsFeatures::FACTORS;
            checked_factors += usize::from(factors.contains(&tile));
        }
        assert!(checked > 10 && checked_factors > 5, "{checked} {checked_factors}");
    }

    #[test]
    fn training_is_reproducible_and_resumable() {
        let data = of_draughts();
        let whole = trained(&data, options(3, 2));
        assert_eq!(trained(&data, options(3, 2)).checkpoint(), whole.checkpoint());
        let mut first = Trainer::new(&data, options(3, 2)).expect("a training");
        first.pass(&AtomicBool::new(false), &|_| ()).expect("not stopped");
        assert!(first.pass(&AtomicBool::new(true), &|_| ()).is_none());
        let mut second = Trainer::new(&data, options(3, 2)).expect("a training");
        second.resume(&first.checkpoint()).expect("a checkpoint");
        for _ in 0..2 {
            second.pass(&AtomicBool::new(false), &|_| ()).expect("not stopped");
        }
        assert_eq!(second.checkpoint(), whole.checkpoint());
        assert_eq!(second.file(), whole.file());
        let mut other = Trainer::new(&data, options(4, 2)).expect("a training");
        assert!(matches!(other.resume(&first.checkpoint()), Err(TrainError::Other)));
        assert!(matches!(other.resume(b"ANC1"), Err(TrainError::File(_))));
        let odd = Options { hidden: 65, ..options(1, 1) };
        assert!(matches!(Trainer::new(&data, odd), Err(TrainError::Hidden(65))));
    }

    fn starts_from_network<F: Features>(data: &Data<F>) {
        let first = trained(data, options(6, 2));
        let network = first.file();
        let mut second = Trainer::new(data, options(6, 2)).expect("a training");
        second.begin_with(&network).expect("its shape");
        assert_eq!(second.file().weights, network.weights);
        assert_eq!(second.file().output_biases, network.output_biases);
        assert!((second.held_out_loss() - first.held_out_loss()).abs() < 0.002);
        second.pass(&AtomicBool::new(false), &|_| ()).expect("not stopped");
        assert!(second.losses()[0].training < first.losses()[0].training / 2.0);
        // A widened network starts with the same outputs. Training then also uses the new hidden
        // values.
        let wide = Options { hidden: 2 * TILE, ..options(6, 2) };
        let mut wider = Trainer::new(data, wide).expect("a training");
        wider.begin_with(&network).expect("a narrower network");
        let difference = wider.held_out_loss() - first.held_out_loss();
        assert!(difference.abs() < 0.002, "{difference}");
        let (layout, before) = (wider.layout, wider.parameters.clone());
        wider.pass(&AtomicBool::new(false), &|_| ()).expect("not stopped");
        assert!(wider.losses()[0].training < first.losses()[0].training / 2.0);
        let new = layout.output_biases() - 1;
        assert!(before[new] == Tile::ZERO && wider.parameters[new] != Tile::ZERO);
        // With another logistic constant, the scores remain the same.
        let mut halved = options(6, 2);
        halved.recipe.logistic = 70.0;
        let mut scaled = Trainer::new(data, halved).expect("a training");
        let mut same = Trainer::new(data, options(6, 2)).expect("a training");
        let [outputs, before] = [&mut scaled, &mut same].map(|trainer| {
            trainer.begin_with(&network).expect("its shape");
            trainer.outputs(&trainer.folded(), &data.held_out)
        });
        assert_eq!(outputs, before);
        assert_eq!(scaled.file().header.scale, network.header.scale);
        scaled.pass(&AtomicBool::new(false), &|_| ()).expect("not stopped");
        let judged = scaled.judge();
        assert!(judged[0].scores.error < judged[1].scores.error / 2.0, "{judged:?}");
        let mut other = Trainer::new(data, options(1, 1)).expect("a training");
        let error = other.begin_with(&wider.file()).expect_err("a wider network");
        assert!(matches!(error, TrainError::File(NetError::Shape { .. })), "{error}");
        // A checkpoint is valid only with the same initial network.
        assert!(matches!(other.resume(&second.checkpoint()), Err(TrainError::Other)));
        let mut random = Trainer::new(data, options(6, 2)).expect("a training");
        assert!(matches!(random.resume(&second.checkpoint()), Err(TrainError::Other)));
    }

    #[test]
    fn starts_from_a_given_network() {
        starts_from_network(&of_draughts());
        starts_from_network(&of_chess());
    }

    #[test]
    fn network_file_reproduces_trained_values() {
        let data = of_chess();
        const HIDDEN: usize = 16 * TILE;
        let trainer = trained(&data, Options { hidden: HIDDEN, ..options(4, 1) });
        let file = NetFile::read(&trainer.file().bytes()).expect("its own file");
        let net = Net::<HIDDEN>::new(&file, &file.header.shape).expect("a net");
        let rounded = trainer.layout.folded().as_rounded(&trainer.folded());
        let outputs = trainer.outputs(&rounded, &data.held_out);
        let mut accumulators = Accumulators::<ChessFeatures, HIDDEN>::new(&net);
        for (sample, output) in data.held_out.iter().zip(outputs) {
            let value = accumulators.of_pieces(&net, &sample.pieces, sample.side, Height::ROOT);
            assert!((value as f32 - 140.0 * output).abs() < 2.0, "{value} {output}");
        }
    }

    #[test]
    fn holds_out_whole_games_and_counts_duplicates() {
        let settings = GenerationSettings {
            variant: String::new(),
            game: "draughts".into(),
            program: "a test".into(),
            signature: 5,
            nodes: 60,
            seed: 4,
            chess960: 0,
            branches: false,
        };
        let play = datagen::Options { settings, games: 60, shard: Shard::WHOLE, threads: 1 };
        let mut bytes = Vec::new();
        let stop = AtomicBool::new(false);
        let resources = crate::search::draughts::Resources::default();
        let done = HashSet::new();
        let output = datagen::Output { done: &done, out: &mut bytes, stop: &stop, report: &|_| () };
        datagen::run::<draughts::Position>(&play, &resources, output).expect("games");
        let mut data = empty();
        data.read::<draughts::Position>(&bytes[..]).expect("no disk");
        let positions = data.training.len() + data.held_out.len();
        let [source] = &data.sources[..] else { panic!("{:?}", data.sources) };
        assert_eq!((source.games, source.positions), (60, positions as u64));
        assert!(data.held_out.len() * 5 < positions && !data.held_out.is_empty());
        assert!(data.faults.is_empty(), "{:?}", data.faults);
        // Positions that were read before are counted and left out.
        let duplicates = data.duplicates;
        data.read::<draughts::Position>(&bytes[..]).expect("no disk");
        assert_eq!(data.training.len() + data.held_out.len(), positions);
        assert_eq!(data.duplicates, 2 * duplicates + positions);
        bytes[500] ^= 1;
        let mut damaged = empty::<DraughtsFeatures>();
        damaged.read::<draughts::Position>(&bytes[..]).expect("no disk");
        assert_eq!(damaged.faults.len(), 1);
        let error = empty().read::<chess::Position>(&bytes[..]).expect_err("another game");
        assert_eq!(error.to_string(), "expected games of chess, found games of draughts");
    }
}
