//! Training positions, read from self-play record files.

use super::Learn;
use super::network::logistic;
use crate::base::side::Side;
use crate::eval::Evaluate;
use crate::eval::net::{Features, Source};
use crate::record::selfplay::{Block, Game, GenerationSettings, ReadError, Reader};
use crate::tools::datagen::{is_held_out, replay};
use rayon::prelude::*;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Read};

/// Positions with at least this absolute score, on the internal scale of the search, count as
/// decided. They are not used for training.
const DECIDED: i16 = 2000;
/// The number of blocks that are decoded in parallel.
const TOGETHER: usize = 64;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample<F: Features> {
    pub pieces: F::Pieces,
    /// The side to move. The results, scores and evaluations are from the point of view of this
    /// side.
    pub side: Side,
    /// The result of the game; `None` if it has no result.
    pub half_points: Option<u8>,
    /// The expected result according to the rest of the game, from 0 to 1; see [`Outlook`].
    pub outlook: f32,
    /// The search score, on the internal scale of the search.
    pub score: i16,
    /// The current evaluation's value for the position, on the same scale.
    pub today: i16,
}

impl<F: Features> Sample<F> {
    /// Returns a hash for detecting duplicates.
    fn digest(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.pieces, self.side.is_white()).hash(&mut hasher);
        hasher.finish()
    }

    /// Returns the game's result: 0, 0.5 or 1. Returns `None` if the game has no result.
    pub(crate) fn result(&self) -> Option<f32> {
        self.half_points.map(fraction)
    }
}

/// Converts half points to a result: 0, 0.5 or 1.
fn fraction(half_points: u8) -> f32 {
    f32::from(half_points) / 2.0
}

/// The rule that judges a position by the rest of the game (R. Sutton, *Learning to predict by the
/// methods of temporal differences*, 1988). The outlook of a position is a weighted mean of the
/// expected results according to all later searches and the result of the game. Each search has
/// `decay` times the weight of the search before it, and the result has the remaining weight. With
/// a decay of 1, the outlook is the result. A game without a result ends with the expected result
/// of its last search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Outlook {
    /// From 0 to 1.
    pub decay: f32,
    /// The constant by which scores are divided before the logistic function is applied.
    pub logistic: f32,
}

impl Outlook {
    /// Returns the outlook before each search, from White's point of view. `scores` are the scores
    /// of all searches in a game, from White's point of view.
    fn of(self, scores: &[f32], half_points: Option<u8>) -> Vec<f32> {
        let expected = |score: &f32| logistic(score / self.logistic);
        let end = half_points.map(fraction).or_else(|| scores.last().map(expected)).unwrap_or(0.5);
        let mut outlooks = vec![end; scores.len()];
        for search in (1..scores.len()).rev() {
            let later = expected(&scores[search]);
            outlooks[search - 1] = (1.0 - self.decay) * later + self.decay * outlooks[search];
        }
        outlooks
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Data<F: Features> {
    /// The variant of all games, or an empty string for the standard game.
    pub variant: String,
    pub outlook: Outlook,
    pub training: Vec<Sample<F>>,
    pub held_out: Vec<Sample<F>>,
    pub sources: Vec<Source>,
    pub faults: Vec<String>,
    /// The number of positions left out because an equal position was added before.
    pub duplicates: usize,
    /// The hashes of all positions added so far, for dropping duplicates. Different games can reach
    /// the same position, and held-out positions must not be in the training set.
    seen: HashSet<u64>,
}

impl<F: Features> Data<F> {
    pub fn new(variant: &str, outlook: Outlook) -> Self {
        Self {
            variant: variant.into(),
            outlook,
            training: vec![],
            held_out: vec![],
            sources: vec![],
            faults: vec![],
            duplicates: 0,
            seen: HashSet::new(),
        }
    }

    /// Adds the positions in a record file. Damaged parts are skipped and listed in `faults`.
    pub fn read<L: Learn<Features = F>>(&mut self, file: impl Read) -> io::Result<()> {
        let mut waiting: Vec<Vec<Game>> = Vec::new();
        let mut run: Option<Run> = None;
        for block in Reader::new(file) {
            match block {
                Ok(Block::Settings(settings)) => {
                    self.take::<L>(&mut waiting, run.as_mut());
                    self.sources.extend(run.take().map(|run| run.source));
                    run = Some(Run::new::<L>(settings, &self.variant)?);
                }
                Ok(Block::Games(games)) => waiting.push(games),
                Err(ReadError::Io(error)) => return Err(error),
                Err(error) => self.faults.push(error.to_string()),
            }
            if waiting.len() >= TOGETHER {
                self.take::<L>(&mut waiting, run.as_mut());
            }
        }
        self.take::<L>(&mut waiting, run.as_mut());
        self.sources.extend(run.map(|run| run.source));
        Ok(())
    }

    /// Adds the positions of all games in `blocks` to the training and held-out sets, and clears
    /// `blocks`. If `run` is `None`, the games are skipped and a fault is recorded.
    fn take<L: Learn<Features = F>>(&mut self, blocks: &mut Vec<Vec<Game>>, run: Option<&mut Run>) {
        let Some(Run { settings, source }) = run else {
            if !blocks.is_empty() {
                self.faults.push("skipped games without settings".into());
            }
            blocks.clear();
            return;
        };
        let (variant, outlook) = (self.variant.as_str(), self.outlook);
        let decoded: Vec<_> = blocks
            .par_iter()
            .map_init(L::Evaluator::default, |evaluator, games| {
                games
                    .iter()
                    .map(|game| (game.number, samples::<L>(evaluator, game, variant, outlook)))
                    .collect::<Vec<_>>()
            })
            .collect();
        for (number, (samples, fault)) in decoded.into_iter().flatten() {
            source.games += 1;
            self.faults.extend(fault);
            let is_held_out = is_held_out(settings, number);
            let set = if is_held_out { &mut self.held_out } else { &mut self.training };
            let fresh = |sample: &Sample<F>| self.seen.insert(sample.digest());
            let (before, found) = (set.len(), samples.len());
            set.extend(samples.into_iter().filter(fresh));
            let added = set.len() - before;
            source.positions += added as u64;
            self.duplicates += found - added;
        }
        blocks.clear();
    }
}

/// A settings block in a record file, and the count of the games that follow it.
struct Run {
    settings: GenerationSettings,
    source: Source,
}

impl Run {
    /// Fails if the settings are not those of the game `L` and the variant `expected`.
    fn new<L: Learn>(settings: GenerationSettings, expected: &str) -> io::Result<Self> {
        let GenerationSettings { game, variant, program, signature, nodes, seed, .. } = &settings;
        if (game.as_str(), variant.as_str()) != (L::NAME, expected) {
            let (expected, found) = (full_name(L::NAME, expected), full_name(game, variant));
            let text = format!("expected games of {expected}, found games of {found}");
            return Err(io::Error::new(io::ErrorKind::InvalidData, text));
        }
        let (program, signature) = (program.clone(), *signature);
        let source =
            Source { program, signature, nodes: *nodes, seed: *seed, games: 0, positions: 0 };
        Ok(Self { settings, source })
    }
}

/// Returns the name of a game, followed by its variant unless it is the standard game.
fn full_name(game: &str, variant: &str) -> String {
    if variant.is_empty() { game.into() } else { format!("{game} ({variant})") }
}

fn short(value: i32) -> i16 {
    value.clamp(i16::MIN.into(), i16::MAX.into()) as i16
}

/// Returns the training positions in a game, and an error message if the game contains an illegal
/// move.
fn samples<L: Learn>(
    evaluator: &mut L::Evaluator,
    game: &Game,
    variant: &str,
    outlook: Outlook,
) -> (Vec<Sample<L::Features>>, Option<String>) {
    // The scores from White's point of view. A sample is completed when all of them are known.
    let (mut scores, mut drafts) = (Vec::new(), Vec::new());
    let outcome = replay::<L>(game, |position, best, score| {
        let Some(score) = score else { return };
        let side = L::Features::side(position);
        let search = scores.len();
        scores.push(f32::from(score) * if side.is_white() { 1.0 } else { -1.0 });
        let is_decided = score.unsigned_abs() >= DECIDED.unsigned_abs();
        if is_decided || !position.is_sample(best) || position.variant_name() != variant {
            return;
        }
        let pieces = L::Features::pieces(position);
        let of_mover =
            |half_points: u8| if side.is_white() { half_points } else { 2 - half_points.min(2) };
        let half_points = game.half_points.map(of_mover);
        let today = short(evaluator.value(position));
        drafts.push(move |outlooks: &[f32]| {
            let of_white = outlooks[search];
            let outlook = if side.is_white() { of_white } else { 1.0 - of_white };
            Sample { pieces, side, half_points, outlook, score, today }
        });
    });
    let outlooks = outlook.of(&scores, game.half_points);
    let samples = drafts.into_iter().map(|complete| complete(&outlooks)).collect();
    (samples, outcome.err().map(|error| error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_near(found: &[f32], expected: &[f32]) -> bool {
        let near = |(a, b): (&f32, &f32)| (a - b).abs() < 1e-6;
        found.len() == expected.len() && found.iter().zip(expected).all(near)
    }

    #[test]
    fn outlook_weighs_later_searches_and_the_result() {
        // A score of 100 is an expected result of `win`.
        let (scores, win) = ([100.0, 0.0, -100.0], logistic(1.0));
        let of = |decay, half_points| Outlook { decay, logistic: 100.0 }.of(&scores, half_points);
        assert!(is_near(&of(1.0, Some(2)), &[1.0, 1.0, 1.0]));
        assert!(is_near(&of(0.0, Some(2)), &[0.5, 1.0 - win, 1.0]));
        let second = 0.25 * (1.0 - win) + 0.75 * 0.0;
        assert!(is_near(&of(0.75, Some(0)), &[0.25 * 0.5 + 0.75 * second, second, 0.0]));
        assert!(is_near(&of(1.0, None), &[1.0 - win; 3]), "the last search");
        assert!(Outlook { decay: 0.5, logistic: 100.0 }.of(&[], Some(1)).is_empty());
    }
}
