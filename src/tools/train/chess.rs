//! Chess, for the trainer.

use super::Learn;
use crate::eval::chess::Evaluator;
use crate::eval::chess::features::ChessFeatures;

pub use crate::tools::datagen::Chess;

impl Learn for Chess {
    type Features = ChessFeatures;
    type Evaluator = Evaluator;
}
