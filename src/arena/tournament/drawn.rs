//! The rounds of a Swiss tournament that have been drawn up. To draw one up can take longer than a game,
//! and it never changes once the results before it are fixed, so it is done once.

use super::rounds::{History, Met, Round};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Rounds by number, each with the results from which it follows.
type Rounds = BTreeMap<usize, (Vec<Vec<Met>>, Round)>;

/// What has been drawn up. Clones share what they know.
#[derive(Clone, Debug, Default)]
pub(super) struct Drawn(Arc<Mutex<Rounds>>);

/// What is remembered of the same tournament does not make two schedules differ.
impl PartialEq for Drawn {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Drawn {}

impl Drawn {
    /// The round after these results, which `draw` draws up if nobody has. Others wait meanwhile, since they
    /// would have to draw it up too.
    pub(super) fn round(&self, history: &History, draw: impl FnOnce() -> Round) -> Round {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match known.get(&history.len()) {
            Some((before, round)) if before == history => round.clone(),
            _ => {
                let round = draw();
                known.insert(history.len(), (history.to_vec(), round.clone()));
                round
            }
        }
    }
}
