//! A principal variation in a fixed array, which avoids allocation in the search.

use super::depth::Ply;

/// A sequence of at most [`Ply::MAX`] moves.
#[derive(Clone, Debug)]
pub(super) struct Variation<M> {
    moves: [Option<M>; Ply::MAX.0],
    len: usize,
}

impl<M: Copy> Variation<M> {
    pub(super) const fn new() -> Self {
        Self { moves: [None; Ply::MAX.0], len: 0 }
    }

    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    /// Replaces the moves with `m`, followed by the moves of `rest`.
    #[inline(always)]
    pub(super) fn set(&mut self, m: M, rest: &Self) {
        let len = rest.len.min(Ply::MAX.0 - 1);
        self.moves[0] = Some(m);
        self.moves[1..=len].copy_from_slice(&rest.moves[..len]);
        self.len = len + 1;
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = M> + '_ {
        self.moves[..self.len].iter().copied().flatten()
    }
}
