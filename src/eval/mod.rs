//! Static evaluation: the value of a position without a search.
//!
//! The search depends only on the trait [`Evaluate`] and each game's `Evaluator`, so the evaluation
//! can be changed without touching the search.

pub mod chess;
pub(crate) mod draughts;
pub mod net;

use crate::base::game::Game;
use std::fmt::Debug;

/// A game with a model that converts scores to expected points. All pages and protocols use this
/// model.
pub trait Chances: Game {
    /// Returns the expected points of the side to move, from 0 to 1, for a displayed score in
    /// hundredths of a pawn or man. The score must not be a forced win or loss.
    fn expected_points(&self, centipawns: i32) -> f64;
}

/// The evaluation for chess or for draughts, as used by the search.
///
/// The value is computed from the position and its accumulator. Updating the parent's accumulator
/// is cheaper than computing a new one. Each thread has its own evaluator, because evaluators
/// contain caches.
pub trait Evaluate: Clone + Debug + Default + Send {
    type Position: Clone + Debug + Send + Sync;
    /// Incrementally updated data of a position.
    type Accumulator: Clone + Debug + Send + Sync;

    /// Computes the accumulator of a position from scratch.
    fn accumulate(position: &Self::Position) -> Self::Accumulator;

    /// Computes the accumulator of the position `after` from the accumulator of the position
    /// `before`, one move or null move earlier.
    fn update(
        accumulator: &Self::Accumulator,
        before: &Self::Position,
        after: &Self::Position,
    ) -> Self::Accumulator;

    /// Returns the value of a position from the point of view of the side to move, on the network's
    /// scale. For chess, `eval::chess::centipawns` converts it to centipawns.
    fn evaluate(&mut self, position: &Self::Position, accumulator: &Self::Accumulator) -> i32;

    /// Evaluates a position from scratch.
    fn value(&mut self, position: &Self::Position) -> i32 {
        self.evaluate(position, &Self::accumulate(position))
    }
}
