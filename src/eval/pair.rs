//! Two values in one word: one for the middle game, one for the endgame.

use std::fmt;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A middle game and an endgame value in centipawns, added and scaled together.
///
/// The endgame half lies in the upper 16 bits; one 32-bit addition adds both halves. Sums must
/// stay within an `i16` each, which no position comes near.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
#[repr(transparent)]
pub struct Pair(i32);

/// Short for [`Pair::new`], for the table of weights.
pub const fn s(middle: i16, end: i16) -> Pair {
    Pair::new(middle, end)
}

impl Pair {
    /// Zero in both phases.
    pub const ZERO: Self = Self(0);

    /// The pair of two values in centipawns.
    pub const fn new(middle: i16, end: i16) -> Self {
        Self(((end as i32) << 16).wrapping_add(middle as i32))
    }

    /// The middle game value.
    #[inline(always)]
    pub const fn middle(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The endgame value. A negative lower half borrows one from the upper half; the rounding gives it
    /// back.
    #[inline(always)]
    pub const fn end(self) -> i32 {
        self.0.wrapping_add(0x8000) >> 16
    }
}

impl fmt::Debug for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "s({}, {})", self.middle(), self.end())
    }
}

impl Add for Pair {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }
}

impl Sub for Pair {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(self.0.wrapping_sub(other.0))
    }
}

impl Neg for Pair {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(self.0.wrapping_neg())
    }
}

impl Mul<i32> for Pair {
    type Output = Self;
    #[inline(always)]
    fn mul(self, count: i32) -> Self {
        Self(self.0.wrapping_mul(count))
    }
}

impl AddAssign for Pair {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Pair {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_do_not_disturb_each_other() {
        for (a, b) in [(1, -1), (-1, 1), (-300, -7), (32, 1000), (0, -1)] {
            let pair = Pair::new(a, b);
            assert_eq!((pair.middle(), pair.end()), (a.into(), b.into()));
            let many = pair * -5 + Pair::new(3, -3) - Pair::new(-2, 9);
            assert_eq!(many.middle(), i32::from(a) * -5 + 5);
            assert_eq!(many.end(), i32::from(b) * -5 - 12);
        }
    }
}
