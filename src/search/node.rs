//! A node of the tree, the same for every game: a position with what the evaluation keeps of it.

use crate::eval::Evaluate;

/// A position and the evaluation's accumulator for it. The accumulator of a child is made from its
/// parent's, so the rules of the game never know the evaluation.
#[derive(Clone, Debug)]
pub struct Node<E: Evaluate> {
    /// The position.
    pub position: E::Position,
    /// What the evaluation keeps of it.
    pub accumulator: E::Accumulator,
}

impl<E: Evaluate> Node<E> {
    /// The node of a position whose parent is not known.
    #[inline(always)]
    pub fn of(position: E::Position) -> Self {
        let accumulator = E::accumulate(&position);
        Self { position, accumulator }
    }

    /// The node of the position one move, or a pass, after this one.
    #[inline(always)]
    pub fn child(&self, position: E::Position) -> Self {
        let accumulator = E::changed(&self.accumulator, &self.position, &position);
        Self { position, accumulator }
    }
}
