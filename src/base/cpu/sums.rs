//! Addition of network rows, thirty-two values at a time.
#![allow(unsafe_code)]

pub(crate) use implementation::Sums;
use std::array::from_fn;

/// The number of [`Sums`] that fit into the vector registers.
const TOGETHER: usize = if cfg!(target_feature = "avx512bw") { 8 } else { 4 };

/// Adjacent 16-bit numbers that fit into the vector registers together; additions wrap.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block([Sums; TOGETHER]);

impl Block {
    /// The number of 16-bit numbers in a block.
    pub(crate) const LEN: usize = 32 * TOGETHER;

    #[inline(always)]
    pub(crate) fn load(row: &[i16; Self::LEN]) -> Self {
        let (parts, _) = row.as_chunks();
        Self(from_fn(|i| Sums::load(&parts[i])))
    }

    #[inline(always)]
    pub(crate) fn plus(self, other: Self) -> Self {
        Self(from_fn(|i| self.0[i].plus(other.0[i])))
    }

    #[inline(always)]
    pub(crate) fn minus(self, other: Self) -> Self {
        Self(from_fn(|i| self.0[i].minus(other.0[i])))
    }

    #[inline(always)]
    pub(crate) fn store(self, row: &mut [i16; Self::LEN]) {
        for (part, sums) in row.as_chunks_mut().0.iter_mut().zip(self.0) {
            *part = sums.row();
        }
    }
}

#[cfg(target_feature = "avx512bw")]
mod implementation {
    use std::arch::x86_64::*;

    /// Thirty-two 16-bit numbers in one AVX-512 register; additions wrap.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Sums(__m512i);

    impl Sums {
        #[inline(always)]
        pub(crate) fn load(row: &[i16; 32]) -> Self {
            // SAFETY: the build enables AVX-512F, and `row` is as long as the register: 64 bytes.
            Self(unsafe { _mm512_loadu_si512(row.as_ptr().cast()) })
        }
        #[inline(always)]
        pub(crate) fn plus(self, other: Self) -> Self {
            // SAFETY: the build enables AVX-512BW.
            Self(unsafe { _mm512_add_epi16(self.0, other.0) })
        }
        #[inline(always)]
        pub(crate) fn minus(self, other: Self) -> Self {
            // SAFETY: the build enables AVX-512BW.
            Self(unsafe { _mm512_sub_epi16(self.0, other.0) })
        }
        /// Swaps the lower and the upper sixteen numbers.
        #[inline(always)]
        pub(crate) fn halves_exchanged(self) -> Self {
            // SAFETY: the build enables AVX-512F.
            Self(unsafe { _mm512_shuffle_i64x2::<0x4e>(self.0, self.0) })
        }
        #[inline(always)]
        pub(crate) fn row(self) -> [i16; 32] {
            let mut row = [0; 32];
            // SAFETY: the build enables AVX-512F, and `row` is as long as the register: 64 bytes.
            unsafe { _mm512_storeu_si512(row.as_mut_ptr().cast(), self.0) };
            row
        }
    }
}

#[cfg(not(target_feature = "avx512bw"))]
mod implementation {
    #![allow(missing_docs)]

    use std::array::from_fn;

    #[derive(Clone, Copy, Debug)]
    pub struct Sums([i16; 32]);

    impl Sums {
        #[inline(always)]
        pub fn load(row: &[i16; 32]) -> Self {
            Self(*row)
        }
        #[inline(always)]
        pub fn plus(self, other: Self) -> Self {
            Self(from_fn(|i| self.0[i].wrapping_add(other.0[i])))
        }
        #[inline(always)]
        pub fn minus(self, other: Self) -> Self {
            Self(from_fn(|i| self.0[i].wrapping_sub(other.0[i])))
        }
        #[inline(always)]
        pub fn halves_exchanged(self) -> Self {
            Self(from_fn(|i| self.0[i ^ 16]))
        }
        #[inline(always)]
        pub fn row(self) -> [i16; 32] {
            self.0
        }
    }
}
