//! Numbers of plies (half-moves): [`Ply`] counts from the root, and [`Depth`] counts down to the
//! horizon. Separate types keep the two from being confused.

use std::ops::{Add, Sub};

/// The distance from the root of the search tree, in plies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Ply(pub usize);

impl Ply {
    pub const ROOT: Self = Self(0);
    pub const MAX: Self = Self(246);

    #[inline(always)]
    pub const fn child(self) -> Self {
        Self(self.0 + 1)
    }

    /// Returns whether a node at this ply must not be searched further.
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

/// The remaining depth in plies: 0 or less at and below the horizon.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Depth(pub i32);

impl Depth {
    pub(crate) const HORIZON: Self = Self(0);
    pub(crate) const UNSEARCHED: Self = Self(-1);
    /// A depth of one ply.
    pub const ONE: Self = Self(1);
    /// The maximum depth of a search.
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
