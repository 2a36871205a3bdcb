//! A node of the search tree: a position with its evaluation accumulator.

use crate::eval::Evaluate;

/// A position and its accumulator, which is updated from the parent's accumulator. The accumulator
/// is not part of the position, so the rules of the game do not depend on the evaluation.
#[derive(Clone, Debug)]
pub(super) struct Node<E: Evaluate> {
    pub position: E::Position,
    pub accumulator: E::Accumulator,
}

impl<E: Evaluate> Node<E> {
    /// Creates a node without a parent by computing the accumulator from scratch.
    #[inline(always)]
    pub(super) fn of(position: E::Position) -> Self {
        let accumulator = E::accumulate(&position);
        Self { position, accumulator }
    }

    #[inline(always)]
    pub(super) fn child(&self, position: E::Position) -> Self {
        let accumulator = E::update(&self.accumulator, &self.position, &position);
        Self { position, accumulator }
    }
}
