//! A pair of games between two searches of this program that differ in their constants.

use super::TuneError;
use crate::base::rng::Rng;
use crate::search::constants::Constants;
use crate::search::driver::{Engine, Options, Searcher};
use crate::search::{chess, draughts};
use crate::tools::datagen::{self, Chess, Draughts, Root, SelfPlay};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// A game whose search has constants to tune.
pub trait Tuned: SelfPlay {
    /// These constants.
    type Constants: Constants;

    /// The root, to be searched with these constants.
    fn with(root: Root<Self>, constants: &Arc<Self::Constants>) -> Root<Self>;
}

impl Tuned for Chess {
    type Constants = chess::Constants;

    fn with(root: chess::Root, constants: &Arc<chess::Constants>) -> chess::Root {
        chess::Root { constants: Arc::clone(constants), ..root }
    }
}

impl Tuned for Draughts {
    type Constants = draughts::Constants;

    fn with(root: draughts::Root, constants: &Arc<draughts::Constants>) -> draughts::Root {
        draughts::Root { constants: Arc::clone(constants), ..root }
    }
}

/// The two players.
pub(super) type Engines<S> = [Engine<S>; 2];

/// The size of each engine's table in units of 2^20 bytes.
const HASH_MB: usize = 8;

/// Two engines.
///
/// # Errors
/// If there is no memory for them.
pub(super) fn engines<S: Searcher>() -> Result<Engines<S>, TuneError> {
    let engine = || Engine::new(Options { hash_mb: HASH_MB, ..Options::default() });
    Ok([engine()?, engine()?])
}

/// Plays a pair of games from one balanced opening, which the seed chooses, with both colours. Returns the
/// half points of the first values, 0 to 4; `None` if stopped.
pub fn duel<G: Tuned>(
    engines: &mut Engines<G::Searcher>,
    values: &[G::Constants; 2],
    nodes: u64,
    seed: u64,
    stop: &AtomicBool,
) -> Option<u8> {
    let values = values.clone().map(Arc::new);
    let mut rng = Rng::new(seed);
    let start = loop {
        if stop.load(Relaxed) {
            return None;
        }
        let opening = datagen::opening::<G>(&mut rng, 0);
        if let Some((_, root)) = opening
            && datagen::is_balanced::<G>(&mut engines[0], &root, nodes)
        {
            break root;
        }
    };
    let mut half_points = 0;
    for white in [0, 1] {
        engines.iter_mut().for_each(Engine::clear);
        let of_white = game::<G>(engines, &values, white, start.clone(), nodes, stop)?;
        half_points += if white == 0 { of_white } else { 2 - of_white };
    }
    Some(half_points)
}

/// Plays one game and returns White's half points; `white` is the index of White's engine.
fn game<G: Tuned>(
    engines: &mut Engines<G::Searcher>,
    values: &[Arc<G::Constants>; 2],
    white: usize,
    mut root: Root<G>,
    nodes: u64,
    stop: &AtomicBool,
) -> Option<u8> {
    let mut scores = Vec::new();
    loop {
        if stop.load(Relaxed) {
            return None;
        }
        if let Some(half_points) = G::over(&root).or_else(|| datagen::adjudicated(&scores)) {
            return Some(half_points);
        }
        let is_white = G::side(&root).is_white();
        let player = if is_white { white } else { 1 - white };
        root = G::with(root, &values[player]);
        let m = match G::Searcher::root_moves(&root)[..] {
            [m] => m,
            _ => {
                let (m, score) = datagen::search::<G>(&mut engines[player], &root, nodes)?;
                scores.push(if is_white { score } else { -score });
                m
            }
        };
        root = G::after(root, m);
    }
}
