//! Iteration over the set bits of a word, and methods shared by all square sets.

/// An iterator over the indices of the set bits of a word, lowest first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bits(pub u64);

impl Iterator for Bits {
    type Item = u8;

    #[inline(always)]
    fn next(&mut self) -> Option<u8> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros() as u8;
        self.0 &= self.0 - 1;
        Some(bit)
    }

    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = self.0.count_ones() as usize;
        (n, Some(n))
    }
}

impl ExactSizeIterator for Bits {}

macro_rules! square_set {
    ($set:ident) => {
        impl $set {
            /// Returns whether the set is empty.
            #[inline(always)]
            pub const fn is_empty(self) -> bool {
                self.0 == 0
            }

            /// Returns whether the set contains at least one square.
            #[inline(always)]
            pub const fn any(self) -> bool {
                self.0 != 0
            }

            /// Returns whether the set contains at least two squares.
            #[inline(always)]
            pub const fn many(self) -> bool {
                self.0 & self.0.wrapping_sub(1) != 0
            }

            /// Returns the number of squares.
            #[inline(always)]
            pub const fn len(self) -> u32 {
                self.0.count_ones()
            }
        }
    };
}
pub(crate) use square_set;
