//! The rounds of a Swiss tournament that have been paired. Pairing can take longer than a game, and a round never
//! changes once the earlier results are final, so each round is paired once.

use super::rounds::{History, Met, Round};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Rounds by number, each with the results from which it follows.
type Rounds = BTreeMap<usize, (Vec<Vec<Met>>, Round)>;

/// A cache of paired rounds, which clones share.
#[derive(Clone, Debug, Default)]
pub(super) struct PairedRounds(Arc<Mutex<Rounds>>);

/// The contents of the cache do not make two schedules differ.
impl PartialEq for PairedRounds {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for PairedRounds {}

impl PairedRounds {
    /// Returns the round after these results, which `pair` computes if it is not in the cache. Other callers
    /// wait meanwhile, since they would have to compute it too.
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
