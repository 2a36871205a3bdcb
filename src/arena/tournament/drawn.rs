//! A cache of paired Swiss rounds. Pairing can take longer than a game, and a round never changes
//! once the earlier results are fixed.

use super::rounds::{History, Met, Round};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

type Rounds = BTreeMap<usize, (Vec<Vec<Met>>, Round)>;

/// A cache of paired rounds, shared by clones.
#[derive(Clone, Debug, Default)]
pub(super) struct Drawn(Arc<Mutex<Rounds>>);

/// The cache does not affect the equality of schedules.
impl PartialEq for Drawn {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Drawn {}

impl Drawn {
    /// Returns the round after these results and pairs it with `draw` if it is not cached. Other
    /// threads wait meanwhile.
    pub(super) fn round(&self, history: &History, draw: impl FnOnce() -> Round) -> Round {
        let mut cache = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match cache.get(&history.len()) {
            Some((before, round)) if before == history => round.clone(),
            _ => {
                let round = draw();
                cache.insert(history.len(), (history.to_vec(), round.clone()));
                round
            }
        }
    }
}
