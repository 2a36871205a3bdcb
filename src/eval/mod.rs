//! Static evaluation: what a position is worth without looking ahead.
//!
//! [`Evaluate`] is the seam: of this folder a search knows the trait and each game's `Evaluator`,
//! nothing else. What stands behind it can change without touching the search.

pub mod chess;
pub mod draughts;
pub mod net;

use crate::base::game::Game;
use std::fmt::Debug;

/// A game with a model of the chances that a score stands for. Every page and protocol shows this model.
pub trait Chances: Game {
    /// Returns the points, from 0 to 1, that the side to move can expect with a score. The score is in
    /// hundredths as they are displayed; it is not a forced win or loss.
    fn expected_points(&self, centipawns: i32) -> f64;
}

/// A game's evaluation, as a search uses it.
///
/// The value of a position is computed from the position and an accumulator, which holds what is
/// cheaper to update from the parent's than to compute anew. An evaluator itself holds only what may
/// be forgotten at any time, such as caches; each thread has one of its own.
pub trait Evaluate: Clone + Debug + Default + Send {
    /// A position of the game.
    type Position: Clone + Debug + Send + Sync;
    /// What is kept of a position to evaluate it and those that follow.
    type Accumulator: Clone + Debug + Send + Sync;

    /// The accumulator of a position, computed anew.
    fn accumulate(position: &Self::Position) -> Self::Accumulator;

    /// The accumulator of the position `after`, one move or a pass after the position `before`,
    /// whose accumulator is given.
    fn changed(
        accumulator: &Self::Accumulator,
        before: &Self::Position,
        after: &Self::Position,
    ) -> Self::Accumulator;

    /// The value of a position in hundredths of a pawn or man, seen from the side to move.
    fn evaluate(&mut self, position: &Self::Position, accumulator: &Self::Accumulator) -> i32;

    /// The value of a lone position, whose accumulator is computed for this once.
    fn value(&mut self, position: &Self::Position) -> i32 {
        self.evaluate(position, &Self::accumulate(position))
    }
}
