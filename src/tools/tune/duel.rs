//! Game pairs between two searches with different constants.

use super::TuneError;
use crate::base::rng::Rng;
use crate::search::driver::{Engine, Options, RootOf, Searchable, Searcher};
use crate::tools::datagen::{self, SelfPlay};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

pub(crate) type ConstantsOf<G> = <<G as Searchable>::Searcher as Searcher>::Constants;

pub(super) type Engines<S> = [Engine<S>; 2];

const HASH_MB: usize = 8;

pub(super) fn engines<S: Searcher>() -> Result<Engines<S>, TuneError> {
    let engine = || Engine::new(Options { hash_mb: HASH_MB, ..Options::default() });
    Ok([engine()?, engine()?])
}

/// Plays a game pair from a balanced opening that depends on the seed. Returns the half points,
/// from 0 to 4, scored by the engine with the first set of values, or `None` if stopped.
pub(super) fn duel<G: SelfPlay>(
    engines: &mut Engines<G::Searcher>,
    values: &[ConstantsOf<G>; 2],
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
        let opening = datagen::opening::<G>(&mut rng, 0, "");
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

/// Plays one game from `root`. `white` is the index of the engine that plays White. Returns White's
/// half points, or `None` if stopped.
fn game<G: SelfPlay>(
    engines: &mut Engines<G::Searcher>,
    values: &[Arc<ConstantsOf<G>>; 2],
    white: usize,
    mut root: RootOf<G>,
    nodes: u64,
    stop: &AtomicBool,
) -> Option<u8> {
    let mut scores = Vec::new();
    loop {
        if stop.load(Relaxed) {
            return None;
        }
        if let Some(half_points) = G::half_points(&root).or_else(|| datagen::adjudicate(&scores)) {
            return Some(half_points);
        }
        let is_white = root.position.side().is_white();
        let player = if is_white { white } else { 1 - white };
        root.constants = Arc::clone(&values[player]);
        let m = match root.position.moves()[..] {
            [m] => m,
            _ => {
                let (m, score) = datagen::search::<G>(&mut engines[player], &root, nodes)?;
                scores.push(if is_white { score } else { -score });
                m
            }
        };
        root.play(m);
    }
}
