//! The SPSA update: the values tried in a game pair, and the effect of the result on the tuning.

use super::{Pair, TuneError, TuningSettings, chosen};
use crate::arena::stats::Pairs;
use crate::base::rng::Rng;
use crate::search::constants::{Constant, Constants};

/// After `n` pairs, the perturbation is proportional to `n.powf(-STEP_DECAY)` (Spall's
/// recommendation).
const STEP_DECAY: f64 = 0.101;
/// The exponent with which the learning rate decays.
const RATE_DECAY: f64 = 0.602;
/// An offset that slows the decay of the learning rate at the beginning, as a fraction of all
/// pairs.
const STABILITY: f64 = 0.1;

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Step {
    /// +1 or -1 for each tuned constant.
    directions: Vec<f64>,
    /// A random offset from 0 to 1, added before rounding down, so that rounding is unbiased.
    dither: f64,
    /// The size of the perturbation, in units of the constant's step.
    distance: f64,
    /// The change in a constant for each net win, as a fraction of `distance`.
    rate: f64,
}

impl Step {
    /// Creates the step for a game pair. The step depends only on the settings and the number of
    /// the pair.
    pub(crate) fn new(settings: &TuningSettings, number: u64) -> Self {
        let mut rng = Rng::new(settings.seed ^ number.wrapping_mul(0xe703_7ed1_a0b4_28db));
        let mut direction = || if rng.below(2) == 0 { 1.0 } else { -1.0 };
        let directions = settings.constants.iter().map(|_| direction()).collect();
        let (played, pairs) = (number as f64 + 1.0, settings.pairs.max(1) as f64);
        let distance = (pairs / played).powf(STEP_DECAY);
        let damping = STABILITY * pairs;
        let gain = ((damping + pairs) / (damping + played)).powf(RATE_DECAY);
        // SPSA's gain divided by the square of the distance.
        let rate = settings.rate * gain / (distance * distance);
        Self { directions, dither: rng.unit(), distance, rate }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Tuning {
    settings: TuningSettings,
    /// The tuned constants and their indices in the table of constants.
    constants: Vec<(usize, &'static Constant)>,
    values: Vec<f64>,
    /// The default values of all constants. The constants that are not tuned keep these values.
    in_play: Vec<i32>,
    /// For each tuned constant, the score of the player with the greater value.
    greater: Vec<Pairs>,
    pairs: u64,
}

impl Tuning {
    /// Creates a tuning to which no pairs have been added. It starts from the values in the
    /// settings.
    pub(crate) fn new<C: Constants>(settings: &TuningSettings) -> Result<Self, TuneError> {
        let names: Vec<String> = settings.constants.iter().map(|(name, _)| name.clone()).collect();
        Ok(Self {
            constants: chosen::<C>(&names)?,
            values: settings.constants.iter().map(|&(_, value)| f64::from(value)).collect(),
            in_play: C::TABLE.iter().map(|constant| constant.value).collect(),
            greater: vec![Pairs::default(); settings.constants.len()],
            settings: settings.clone(),
            pairs: 0,
        })
    }

    /// Returns the values of all constants for each of the two players in a step.
    pub(crate) fn trial_values(&self, step: &Step) -> [Vec<i32>; 2] {
        [1.0, -1.0].map(|side| {
            let mut values = self.in_play.clone();
            let found = self.constants.iter().zip(&self.values).zip(&step.directions);
            for ((&(place, constant), value), direction) in found {
                let moved = value + side * direction * step.distance * f64::from(constant.step);
                values[place] = (moved + step.dither).floor() as i32;
            }
            values
        })
    }

    pub(crate) fn learn(&mut self, pair: Pair) {
        let step = Step::new(&self.settings, pair.number);
        let half_points = pair.half_points.min(4);
        let more_won = f64::from(half_points) - 2.0;
        for (greater, &direction) in self.greater.iter_mut().zip(&step.directions) {
            greater.add(if direction > 0.0 { half_points } else { 4 - half_points }.into());
        }
        for ((value, (_, constant)), direction) in
            self.values.iter_mut().zip(&self.constants).zip(&step.directions)
        {
            let unit = step.rate * step.distance * f64::from(constant.step);
            *value += more_won * direction * unit;
            *value = value.clamp(f64::from(constant.min), f64::from(constant.max));
        }
        self.pairs += 1;
    }

    /// Averages the results of shards, weighted by the number of pairs in each shard. Returns
    /// `None` if there are no shards or if they tune different constants.
    pub(crate) fn joined(shards: &[Self]) -> Option<Self> {
        let mut joined = shards.first()?.clone();
        if shards.iter().any(|shard| shard.constants != joined.constants) {
            return None;
        }
        joined.pairs = shards.iter().map(Self::pairs).sum();
        for (index, value) in joined.values.iter_mut().enumerate() {
            let sum = |shard: &Self| shard.values[index] * shard.pairs as f64;
            if joined.pairs > 0 {
                *value = shards.iter().map(sum).sum::<f64>() / joined.pairs as f64;
            }
        }
        for (index, greater) in joined.greater.iter_mut().enumerate() {
            *greater = Pairs::default();
            for shard in shards {
                greater.0.iter_mut().zip(shard.greater[index].0).for_each(|(n, more)| *n += more);
            }
        }
        Some(joined)
    }

    pub(crate) const fn pairs(&self) -> u64 {
        self.pairs
    }

    pub(crate) fn constants(&self) -> impl Iterator<Item = &'static Constant> {
        self.constants.iter().map(|&(_, constant)| constant)
    }

    /// Returns the current values of the tuned constants, in the order of [`Self::constants`].
    pub(crate) fn values(&self) -> &[f64] {
        &self.values
    }

    /// Returns the effect of each constant by itself. In every game pair, one player has a greater
    /// value of the constant than the other; the result is the score of that player. On average,
    /// each of the two values differs from the current value by a little more than one tuning step.
    /// The other constants vary independently, so their effects cancel out.
    pub(crate) fn greater(&self) -> &[Pairs] {
        &self.greater
    }

    /// Returns the values of all constants, with the tuned values rounded to integers.
    pub(crate) fn rounded(&self) -> Vec<i32> {
        let mut values = self.in_play.clone();
        for (&(place, _), value) in self.constants.iter().zip(&self.values) {
            values[place] = value.round() as i32;
        }
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::chess::Constants as Chess;

    fn settings(pairs: u64, rate: f64) -> TuningSettings {
        TuningSettings {
            game: "chess".into(),
            program: "Adoube".into(),
            nodes: 1,
            pairs,
            shard: "1/1".parse().expect("a shard"),
            seed: 3,
            rate,
            constants: Chess::TABLE.iter().map(|c| (c.name.to_owned(), c.value)).collect(),
        }
    }

    /// Every pair shifts all constants. The effect of each constant must still be measurable.
    #[test]
    fn separates_the_effects_of_constants() {
        let settings = settings(2000, 1e-9);
        let mut shards = [0, 1].map(|_| Tuning::new::<Chess>(&settings).expect("constants"));
        let mut rng = Rng::new(6);
        for number in 0..settings.pairs {
            let [first, second] =
                shards[0].trial_values(&Step::new(&settings, number)).map(|v| v[4]);
            let chance = if first > second { 0.6 } else { 0.4 };
            let half_points = (0..4).filter(|_| rng.unit() < chance).count() as u8;
            shards[number as usize % 2].learn(Pair { number, half_points });
        }
        let joined = Tuning::joined(&shards).expect("of one kind");
        for (place, greater) in joined.greater().iter().enumerate() {
            let (elo, truth) = (greater.elo(), if place == 4 { 70.4 } else { 0.0 });
            assert_eq!(greater.count(), 2000);
            assert!((elo.value - truth).abs() < 2.0 * elo.error, "{place}: {elo:?}");
        }
    }

    /// The player with values closer to the goals usually wins, so tuning must move the constants
    /// towards the goals.
    #[test]
    fn finds_the_best_values_of_a_noisy_game() {
        let settings = settings(6000, 0.02);
        // The goals are three tuning steps above or below the current values.
        let goal = |place: usize, constant: &Constant| {
            let side = if place.is_multiple_of(2) { 3 } else { -3 };
            (constant.value + side * constant.step).clamp(constant.min, constant.max)
        };
        let distance = |values: &[i32]| -> f64 {
            let table = Chess::TABLE.iter().enumerate().zip(values);
            let squares = table.map(|((place, constant), value)| {
                (f64::from(value - goal(place, constant)) / f64::from(constant.step)).powi(2)
            });
            squares.sum()
        };
        let mut tuning = Tuning::new::<Chess>(&settings).expect("constants");
        let before = distance(&tuning.rounded());
        let mut rng = Rng::new(5);
        for number in 0..settings.pairs {
            let [first, second] =
                tuning.trial_values(&Step::new(&settings, number)).map(|v| distance(&v));
            // The expected score is a logistic function of the difference, as with Elo.
            let chance = 1.0 / (1.0 + ((first - second) / 60.0).exp());
            let half_points = (0..4).filter(|_| rng.unit() < chance).count() as u8;
            tuning.learn(Pair { number, half_points });
        }
        let after = distance(&tuning.rounded());
        assert!(after < before / 4.0, "{before} to {after}");
    }
}
