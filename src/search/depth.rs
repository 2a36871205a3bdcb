//! The two counts of half-moves in a search, [`Ply`] from the root and [`Depth`] to the horizon. They
//! are types of their own, since one taken for the other would still search, but badly.

use std::ops::{Add, Sub};

/// Distance from the root of the search tree, in half-moves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Ply(pub usize);

impl Ply {
    /// The root.
    pub const ROOT: Self = Self(0);
    /// No line is longer than this.
    pub const MAX: Self = Self(246);

    /// The ply of a child.
    #[inline(always)]
    pub const fn child(self) -> Self {
        Self(self.0 + 1)
    }

    /// Whether a node here must not be searched further: there is no room for longer lines.
    #[inline(always)]
    pub const fn is_last(self) -> bool {
        self.0 >= Self::MAX.0 - 1
    }
}

impl Add<usize> for Ply {
    type Output = Self;
    #[inline(always)]
    fn add(self, half_moves: usize) -> Self {
        Self(self.0 + half_moves)
    }
}

/// Half-moves still to be searched; none are left at the horizon, 0, and below.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Depth(pub i32);

impl Depth {
    /// The depth of a quiescence search.
    pub const HORIZON: Self = Self(0);
    /// The depth of an evaluation without a search.
    pub const UNSEARCHED: Self = Self(-1);
    /// The depth of an iteration's first half-move.
    pub const ONE: Self = Self(1);
    /// No node is searched deeper than this.
    pub const MAX: Self = Self(Ply::MAX.0 as i32 - 1);
}

impl Add<i32> for Depth {
    type Output = Self;
    #[inline(always)]
    fn add(self, half_moves: i32) -> Self {
        Self(self.0 + half_moves)
    }
}

impl Sub<i32> for Depth {
    type Output = Self;
    #[inline(always)]
    fn sub(self, half_moves: i32) -> Self {
        Self(self.0 - half_moves)
    }
}
