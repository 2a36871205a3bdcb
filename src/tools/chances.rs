//! Fits the chess win-draw-loss model to self-play games.

use super::datagen::replay;
use crate::chess::Position;
use crate::eval::chess::{Model, material};
use crate::record::selfplay::Game;
use std::collections::BTreeMap;

/// The width of a score bucket, in internal search units.
const STEP: f64 = 10.0;
/// The number of score buckets on either side of 0. Scores are clamped to this range, because games
/// with larger scores are decided.
const MAX_STEPS: f64 = 150.0;

/// A histogram of search scores and game results.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chances {
    /// The number of positions for each combination of a score bucket, the material on the board
    /// (in pawns), and the half points scored by the side to move.
    counts: BTreeMap<(i32, u32, u8), f64>,
    total: f64,
}

impl Chances {
    /// The minimum number of positions for a fit. With fewer, the results of single games determine
    /// the parameters.
    pub(crate) const MIN_POSITIONS: u64 = 10_000;

    /// Adds the searched positions in a game that has a result, up to the first unreadable move.
    pub(crate) fn add(&mut self, game: &Game) {
        let Some(of_white) = game.half_points else { return };
        let _ = replay::<Position>(game, |position, _, score| {
            let Some(score) = score else { return };
            let white = position.side().is_white();
            let half_points = if white { of_white } else { 2u8.saturating_sub(of_white) };
            let steps = (f64::from(score) / STEP).round().clamp(-MAX_STEPS, MAX_STEPS);
            let key = (steps as i32, material(position), half_points);
            *self.counts.entry(key).or_default() += 1.0;
            self.total += 1.0;
        });
    }

    pub const fn positions(&self) -> u64 {
        self.total as u64
    }

    /// Returns the mean negative log-likelihood of the results under the model.
    pub(crate) fn loss(&self, model: &Model) -> f64 {
        let entropy = |(&(steps, material, half_points), &count): (&(i32, u32, u8), &f64)| {
            let score = STEP * f64::from(steps);
            let (win, loss) = (model.win(score, material), model.win(-score, material));
            let chance = match half_points {
                2 => win,
                0 => loss,
                _ => 1.0 - win - loss,
            };
            -count * chance.max(1e-6).ln()
        };
        self.counts.iter().map(entropy).sum::<f64>() / self.total.max(1.0)
    }

    /// Returns the model with the lowest loss found by a coordinate search from `start`.
    pub(crate) fn fit(&self, start: Model) -> Model {
        let mut best = (start, self.loss(&start));
        let mut steps = [40.0, 0.5, 20.0, 0.25];
        while steps[0] > 0.5 {
            let before = best.1;
            for (i, step) in steps.into_iter().enumerate() {
                for step in [step, -step] {
                    let mut next = best.0;
                    let [even_win, width] = [&mut next.even_win, &mut next.width];
                    even_win.iter_mut().chain(width).nth(i).into_iter().for_each(|x| *x += step);
                    let next = (next, self.loss(&next));
                    if next.1 < best.1 {
                        best = next;
                    }
                }
            }
            if best.1 >= before {
                steps = steps.map(|step| step / 2.0);
            }
        }
        best.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::rng::Rng;

    #[test]
    fn recovers_the_parameters_of_generated_games() {
        let mut rng = Rng::new(3);
        let truth = Model { even_win: [200.0, -2.0], width: [70.0, -0.25] };
        let mut chances = Chances::default();
        for _ in 0..200_000 {
            let (steps, material) = (rng.below(121) as i32 - 60, rng.below(79) as u32);
            let chance = |score: f64| truth.win(score, material);
            let score = STEP * f64::from(steps);
            let drawn = rng.unit();
            let half_points = match drawn {
                _ if drawn < chance(score) => 2,
                _ if drawn < chance(score) + chance(-score) => 0,
                _ => 1,
            };
            *chances.counts.entry((steps, material, half_points)).or_default() += 1.0;
            chances.total += 1.0;
        }
        let found = chances.fit(Model { even_win: [100.0, -1.0], width: [100.0, 0.0] });
        let flat = |model: Model| [model.even_win, model.width].concat();
        for (found, (truth, allowed)) in
            flat(found).iter().zip(flat(truth).iter().zip([8.0, 0.2, 5.0, 0.1]))
        {
            assert!((found - truth).abs() < allowed, "{found} is not {truth}");
        }
    }
}
