//! A principal variation in a fixed array, so that the search allocates nothing.

use super::depth::Ply;

/// A line of moves, at most [`Ply::MAX`] long.
#[derive(Clone, Debug)]
pub struct Line<M> {
    moves: [Option<M>; Ply::MAX.0],
    len: usize,
}

impl<M: Copy> Line<M> {
    /// The empty line.
    pub const fn new() -> Self {
        Self { moves: [None; Ply::MAX.0], len: 0 }
    }

    /// Makes the line empty.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Makes the line `m` followed by `rest`.
    #[inline(always)]
    pub fn set(&mut self, m: M, rest: &Self) {
        let len = rest.len.min(Ply::MAX.0 - 1);
        self.moves[0] = Some(m);
        self.moves[1..=len].copy_from_slice(&rest.moves[..len]);
        self.len = len + 1;
    }

    /// The moves, first to last.
    pub fn iter(&self) -> impl Iterator<Item = M> + '_ {
        self.moves[..self.len].iter().copied().flatten()
    }
}

impl<M: Copy> Default for Line<M> {
    fn default() -> Self {
        Self::new()
    }
}
