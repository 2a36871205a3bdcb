//! Four 64-bit words that are processed together.
#![allow(unsafe_code)]

pub(crate) use implementation::Quad;

#[cfg(target_feature = "avx2")]
mod implementation {
    use std::arch::x86_64::*;
    use std::ops::{BitAnd, BitOr, BitXor, Sub};

    /// Four 64-bit words in one AVX2 register.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Quad(__m256i);

    impl Quad {
        #[inline(always)]
        pub(crate) fn new(words: [u64; 4]) -> Self {
            // SAFETY: both types are 32 bytes long, and every bit pattern is valid for both.
            Self(unsafe { std::mem::transmute::<[u64; 4], __m256i>(words) })
        }
        #[inline(always)]
        pub(crate) fn words(self) -> [u64; 4] {
            // SAFETY: both types are 32 bytes long, and every bit pattern is valid for both.
            unsafe { std::mem::transmute::<__m256i, [u64; 4]>(self.0) }
        }
        #[inline(always)]
        pub(crate) fn splat(word: u64) -> Self {
            // SAFETY: the build enables AVX2, and the intrinsics used here take no pointers.
            Self(unsafe { _mm256_set1_epi64x(word as i64) })
        }
        /// Shifts each word left by the corresponding word of `by`, which must be less than 64.
        #[inline(always)]
        pub(crate) fn shift_left(self, by: Self) -> Self {
            // SAFETY: the build enables AVX2, and the intrinsics used here take no pointers.
            Self(unsafe { _mm256_sllv_epi64(self.0, by.0) })
        }
        /// Shifts each word right by the corresponding word of `by`, which must be less than 64.
        #[inline(always)]
        pub(crate) fn shift_right(self, by: Self) -> Self {
            // SAFETY: the build enables AVX2, and the intrinsics used here take no pointers.
            Self(unsafe { _mm256_srlv_epi64(self.0, by.0) })
        }
        /// Exchanges the lower two words with the upper two.
        #[inline(always)]
        pub(crate) fn halves_exchanged(self) -> Self {
            // SAFETY: the build enables AVX2, and the intrinsics used here take no pointers.
            Self(unsafe { _mm256_permute4x64_epi64::<0x4e>(self.0) })
        }
        /// Exchanges the words of each half.
        #[inline(always)]
        pub(crate) fn neighbours_exchanged(self) -> Self {
            // SAFETY: the build enables AVX2, and the intrinsics used here take no pointers.
            Self(unsafe { _mm256_shuffle_epi32::<0x4e>(self.0) })
        }
        /// Returns the lowest word.
        #[inline(always)]
        pub(crate) fn first(self) -> u64 {
            // SAFETY: the build enables AVX2, and the intrinsics used here take no pointers.
            unsafe { _mm_cvtsi128_si64(_mm256_castsi256_si128(self.0)) as u64 }
        }
    }

    macro_rules! operator {
        ($trait:ident $method:ident $a:ident $b:ident $what:expr) => {
            impl $trait for Quad {
                type Output = Self;
                #[inline(always)]
                fn $method(self, other: Self) -> Self {
                    let ($a, $b) = (self.0, other.0);
                    // SAFETY: the build enables AVX2, and the intrinsics used here take no
                    // pointers.
                    Self(unsafe { $what })
                }
            }
        };
    }
    operator!(BitAnd bitand a b _mm256_and_si256(a, b));
    operator!(BitOr bitor a b _mm256_or_si256(a, b));
    operator!(BitXor bitxor a b _mm256_xor_si256(a, b));
    // `a - b` is the set difference, as for bitboards.
    operator!(Sub sub a b _mm256_andnot_si256(b, a));
}

#[cfg(not(target_feature = "avx2"))]
mod implementation {
    #![allow(missing_docs)]

    use std::array::from_fn;

    #[derive(Clone, Copy, Debug)]
    pub struct Quad([u64; 4]);

    impl Quad {
        #[inline(always)]
        pub fn new(words: [u64; 4]) -> Self {
            Self(words)
        }
        #[inline(always)]
        pub fn words(self) -> [u64; 4] {
            self.0
        }
        #[inline(always)]
        pub fn splat(word: u64) -> Self {
            Self([word; 4])
        }
        #[inline(always)]
        pub fn shift_left(self, by: Self) -> Self {
            Self(from_fn(|i| self.0[i] << (by.0[i] & 63)))
        }
        #[inline(always)]
        pub fn shift_right(self, by: Self) -> Self {
            Self(from_fn(|i| self.0[i] >> (by.0[i] & 63)))
        }
        #[inline(always)]
        pub fn halves_exchanged(self) -> Self {
            Self(from_fn(|i| self.0[i ^ 2]))
        }
        #[inline(always)]
        pub fn neighbours_exchanged(self) -> Self {
            Self(from_fn(|i| self.0[i ^ 1]))
        }
        #[inline(always)]
        pub fn first(self) -> u64 {
            self.0[0]
        }
    }

    portable_operators!(Quad);
}
