//! Caches the paired rounds of a Swiss tournament. Pairing can take longer than a game, and a round
//! never changes once the earlier results are final, so each round is paired only once.

use super::rounds::{History, Met, Round};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Rounds by number, each with the results from which it was paired.
type Rounds = BTreeMap<usize, (Vec<Vec<Met>>, Round)>;

/// A cache of paired rounds, shared by clones.
#[derive(Clone, Debug, Default)]
pub(super) struct PairedRounds(Arc<Mutex<Rounds>>);

/// All caches compare equal, so that they do not affect the equality of schedules.
impl PartialEq for PairedRounds {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for PairedRounds {}

impl PairedRounds {
    /// Returns the round that follows these results. Calls `pair` if the round is not in the cache.
    /// Other threads wait for `pair` to return, because they would compute the same round.
    pub(super) fn round(&self, history: &History, pair: impl FnOnce() -> Round) -> Round {
        let mut rounds = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match rounds.get(&history.len()) {
            Some((before, round)) if before == history => round.clone(),
            _ => {
                let round = pair();
                rounds.insert(history.len(), (history.to_vec(), round.clone()));
                round
            }
        }
    }
}
