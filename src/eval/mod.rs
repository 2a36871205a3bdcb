//! Static evaluation: the value of a position without a search.
//!
//! The search depends only on the trait [`Evaluate`] and each game's `Evaluator`, so the evaluation
//! can change without the search.

pub mod chess;
pub(crate) mod draughts;
pub mod net;

use crate::base::game::Game;
use std::fmt::Debug;

/// A game with a model of expected points, which all pages and protocols use.
pub trait Chances: Game {
    /// Returns the expected points of the side to move, from 0 to 1. The score is a displayed score
    /// in hundredths, not a forced win or loss.
    fn expected_points(&self, centipawns: i32) -> f64;
}

/// The evaluation of a game, as used by the search.
///
/// The value is computed from the position and its accumulator, which is cheaper to update from the
/// parent's accumulator than to recompute. The evaluator itself contains only disposable data such
/// as caches; each thread has its own.
pub trait Evaluate: Clone + Debug + Default + Send {
    type Position: Clone + Debug + Send + Sync;
    /// Incrementally updated data of a position.
    type Accumulator: Clone + Debug + Send + Sync;

    /// Computes the accumulator of a position from scratch.
    fn accumulate(position: &Self::Position) -> Self::Accumulator;

    /// Computes the accumulator of the position `after` from the accumulator of the position
    /// `before`, one move or null move earlier.
    fn changed(
        accumulator: &Self::Accumulator,
        before: &Self::Position,
        after: &Self::Position,
    ) -> Self::Accumulator;

    /// Returns the value for the side to move, in hundredths of a pawn or man.
    fn evaluate(&mut self, position: &Self::Position, accumulator: &Self::Accumulator) -> i32;

    /// Returns the value of a position without a parent.
    fn value(&mut self, position: &Self::Position) -> i32 {
        self.evaluate(position, &Self::accumulate(position))
    }
}
