//! A node of the tree, the same for every game: a position with what the evaluation keeps of it.

use crate::eval::Evaluate;
use std::cell::OnceCell;

/// A position and the evaluation's accumulator for it. The accumulator is made from the parent's, so the
/// rules of the game never know the evaluation, and only when it is asked for: most nodes above the
/// horizon are never evaluated.
#[derive(Clone, Debug)]
pub struct Node<'p, E: Evaluate> {
    /// The position.
    pub position: E::Position,
    /// The node one move, or a pass, before; none if it is not known.
    parent: Option<&'p Node<'p, E>>,
    accumulator: OnceCell<E::Accumulator>,
}

impl<E: Evaluate> Node<'_, E> {
    /// The node of a position whose parent is not known.
    #[inline(always)]
    pub const fn of(position: E::Position) -> Self {
        Self { position, parent: None, accumulator: OnceCell::new() }
    }

    /// The node of the position one move, or a pass, after this one.
    #[inline(always)]
    pub const fn child(&self, position: E::Position) -> Node<'_, E> {
        Node { position, parent: Some(self), accumulator: OnceCell::new() }
    }

    /// What the evaluation keeps of the position.
    #[inline(always)]
    pub fn accumulator(&self) -> &E::Accumulator {
        self.accumulator.get_or_init(|| match self.parent {
            Some(parent) => E::changed(parent.accumulated(), &parent.position, &self.position),
            None => E::accumulate(&self.position),
        })
    }

    /// The same, not inlined, for it calls itself up to the nearest node that has its accumulator.
    #[inline(never)]
    fn accumulated(&self) -> &E::Accumulator {
        self.accumulator()
    }
}
