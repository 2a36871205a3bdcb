//! Draughts, for the trainer.

use super::Learn;
use crate::draughts::Move;
use crate::eval::draughts::Evaluator;
use crate::eval::draughts::features::DraughtsFeatures;
use crate::search::draughts::Root;

pub use crate::tools::datagen::Draughts;

impl Learn for Draughts {
    type Features = DraughtsFeatures;
    type Evaluator = Evaluator;

    /// The side to move has nothing to capture: what the search evaluates.
    fn learns(root: &Root, _: Option<Move>) -> bool {
        !root.position.can_capture()
    }
}
