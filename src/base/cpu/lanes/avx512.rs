//! [`Lanes`] in one AVX-512 register.
#![allow(unsafe_code)]

use std::arch::x86_64::*;
use std::ops::{Add, BitAnd, BitOr, BitXor, Sub};

/// Eight 64-bit words in one register. Sets of lanes are bit masks, with bit `i` for lane `i`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lanes(__m512i);

impl Lanes {
    // SAFETY: both types are 64 bytes long, and every bit pattern is valid for both.
    pub(crate) const ZERO: Self = Self(unsafe { std::mem::transmute::<[u64; 8], __m512i>([0; 8]) });

    /// Loads `words[i]` into lane `i`.
    #[inline(always)]
    pub(crate) fn load(words: &[u64; 8]) -> Self {
        // SAFETY: both types are 64 bytes long, and every bit pattern is valid for both.
        Self(unsafe { std::mem::transmute::<[u64; 8], __m512i>(*words) })
    }
    #[inline(always)]
    pub(crate) fn words(self) -> [u64; 8] {
        // SAFETY: both types are 64 bytes long, and every bit pattern is valid for both.
        unsafe { std::mem::transmute::<__m512i, [u64; 8]>(self.0) }
    }
    #[inline(always)]
    pub(crate) fn splat(word: u64) -> Self {
        // SAFETY: the build enables AVX-512F, and the intrinsics used here take no pointers.
        Self(unsafe { _mm512_set1_epi64(word as i64) })
    }
    /// Copies `low` to lanes 0 to 3 and `high` to lanes 4 to 7.
    #[inline(always)]
    pub(crate) fn halves(low: u64, high: u64) -> Self {
        // SAFETY: the build enables AVX-512F, and the intrinsics used here take no pointers.
        Self(unsafe { _mm512_mask_set1_epi64(_mm512_set1_epi64(low as i64), 0xf0, high as i64) })
    }
    /// Copies `word` to the lanes in `set` and clears the other lanes.
    #[inline(always)]
    pub(crate) fn only(set: u8, word: u64) -> Self {
        // SAFETY: the build enables AVX-512F, and the intrinsics used here take no pointers.
        Self(unsafe { _mm512_maskz_set1_epi64(set, word as i64) })
    }
    #[inline(always)]
    pub(crate) fn keep(self, set: u8) -> Self {
        // SAFETY: the build enables AVX-512F, and the intrinsics used here take no pointers.
        Self(unsafe { _mm512_maskz_mov_epi64(set, self.0) })
    }
    /// Writes the lanes in `set` to the first words, in order. The remaining words are arbitrary.
    #[inline(always)]
    pub(crate) fn compress_into(self, set: u8, words: &mut [u64; 8]) {
        // SAFETY: the build enables AVX-512F, and the intrinsics used here take no pointers.
        *words = Self(unsafe { _mm512_maskz_compress_epi64(set, self.0) }).words();
    }
    /// Permutes the lanes: lane `i` of the result is lane `numbers[i] % 8` of `self`.
    #[inline(always)]
    pub(crate) fn pick(self, numbers: Self) -> Self {
        // SAFETY: the build enables AVX-512F, and the intrinsics used here take no pointers.
        Self(unsafe { _mm512_permutexvar_epi64(numbers.0, self.0) })
    }
    /// Rotates each lane left by the corresponding lane of `by`, which must be at most 64.
    #[inline(always)]
    pub(crate) fn rotate_left(self, by: Self) -> Self {
        // SAFETY: the build enables AVX-512F, and the intrinsics used here take no pointers.
        Self(unsafe { _mm512_rolv_epi64(self.0, by.0) })
    }
    /// Shifts each lane left by `by` bits; a negative number shifts right.
    #[inline(always)]
    pub(crate) fn shift(self, by: i8) -> Self {
        let bits = Self::splat(u64::from(by.unsigned_abs())).0;
        // SAFETY: the build enables AVX-512F, and the intrinsics used here take no pointers.
        Self(unsafe {
            if by < 0 { _mm512_srlv_epi64(self.0, bits) } else { _mm512_sllv_epi64(self.0, bits) }
        })
    }
    /// Clears the lanes that are zero in `set`.
    #[inline(always)]
    pub(crate) fn where_any(self, set: Self) -> Self {
        self.keep(set.nonzero())
    }
    /// Clears the lanes that are not zero in `set`.
    #[inline(always)]
    pub(crate) fn where_none(self, set: Self) -> Self {
        self.keep(!set.nonzero())
    }
    /// Computes the bitwise AND with `other` in the lanes that are not zero in `set`. The other
    /// lanes are unchanged.
    #[inline(always)]
    pub(crate) fn and_where(self, other: Self, set: Self) -> Self {
        // SAFETY: the build enables AVX-512F, and the intrinsics used here take no pointers.
        Self(unsafe { _mm512_mask_and_epi64(self.0, set.nonzero(), self.0, other.0) })
    }
    /// Clears the lanes in which `set` has two or more bits.
    #[inline(always)]
    pub(crate) fn where_few(self, set: Self) -> Self {
        self.keep(!set.many())
    }
    #[inline(always)]
    pub(crate) fn counts(self) -> Self {
        #[cfg(target_feature = "avx512vpopcntdq")]
        // SAFETY: the build enables AVX-512 VPOPCNTDQ, and the intrinsics used here take no
        // pointers.
        return Self(unsafe { _mm512_popcnt_epi64(self.0) });
        // Look up the bit count of each half byte in a table, then add the bytes of each lane.
        #[cfg(not(target_feature = "avx512vpopcntdq"))]
        // SAFETY: the build enables AVX-512F and AVX-512BW, and the intrinsics used here take no
        // pointers.
        Self(unsafe {
            let half = _mm512_set1_epi8(0x0f);
            let table = _mm512_set4_epi32(0x0403_0302, 0x0302_0201, 0x0302_0201, 0x0201_0100);
            let low = _mm512_shuffle_epi8(table, _mm512_and_si512(self.0, half));
            let high = _mm512_and_si512(_mm512_srli_epi16::<4>(self.0), half);
            let high = _mm512_shuffle_epi8(table, high);
            _mm512_sad_epu8(_mm512_add_epi8(low, high), _mm512_setzero_si512())
        })
    }
    #[inline(always)]
    pub(crate) fn sum(self) -> u64 {
        // SAFETY: the build enables AVX-512F, and the intrinsics used here take no pointers.
        unsafe { _mm512_reduce_add_epi64(self.0) as u64 }
    }
    #[inline(always)]
    pub(crate) fn union(self) -> u64 {
        // SAFETY: the build enables AVX-512F, and the intrinsics used here take no pointers.
        unsafe { _mm512_reduce_or_epi64(self.0) as u64 }
    }
    #[inline(always)]
    pub(crate) fn nonzero(self) -> u8 {
        // SAFETY: the build enables AVX-512F, and the intrinsics used here take no pointers.
        unsafe { _mm512_test_epi64_mask(self.0, self.0) }
    }
    /// Returns the set of lanes with two or more bits.
    #[inline(always)]
    pub(crate) fn many(self) -> u8 {
        // SAFETY: the build enables AVX-512F, and the intrinsics used here take no pointers.
        unsafe {
            let less = _mm512_add_epi64(self.0, _mm512_set1_epi64(-1));
            _mm512_test_epi64_mask(self.0, less)
        }
    }
    /// Returns a mask for each lane: the lowest set bit and all bits below it. In the lanes in
    /// `BACKWARD`, the mask is the highest set bit and all bits above it. For an empty lane, the
    /// mask has all bits set.
    #[inline(always)]
    pub(crate) fn up_to_first<const BACKWARD: u8>(self) -> Self {
        // SAFETY: the build enables AVX-512F and AVX-512CD, and the intrinsics used here take no
        // pointers.
        unsafe {
            let less = _mm512_add_epi64(self.0, _mm512_set1_epi64(-1));
            let low = _mm512_xor_si512(self.0, less);
            // Setting bit 0 limits the shift to 63 bits, which fills an empty lane.
            let above = _mm512_lzcnt_epi64(_mm512_or_si512(self.0, _mm512_set1_epi64(1)));
            let top = _mm512_set1_epi64(i64::MIN);
            Self(_mm512_mask_srav_epi64(low, BACKWARD, top, above))
        }
    }
}

macro_rules! operator {
    ($trait:ident $method:ident $a:ident $b:ident $what:expr) => {
        impl $trait for Lanes {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                let ($a, $b) = (self.0, other.0);
                // SAFETY: the build enables AVX-512F, and the intrinsics used here take no
                // pointers.
                Self(unsafe { $what })
            }
        }
    };
}
operator!(BitAnd bitand a b _mm512_and_si512(a, b));
operator!(BitOr bitor a b _mm512_or_si512(a, b));
operator!(BitXor bitxor a b _mm512_xor_si512(a, b));
operator!(Add add a b _mm512_add_epi64(a, b));
// `a - b` is the set difference, as for bitboards.
operator!(Sub sub a b _mm512_andnot_si512(b, a));
