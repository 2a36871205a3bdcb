//! [`Lanes`] in two AVX2 registers. The methods are documented in `avx512.rs`.
#![allow(unsafe_code)]

use std::arch::x86_64::*;
use std::array::from_fn;
use std::mem::transmute;
use std::ops::{Add, BitAnd, BitOr, BitXor, Sub};

/// Lanes 0 to 3 and lanes 4 to 7.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lanes(__m256i, __m256i);

/// For each subset of four lanes, a mask of the lanes in the subset.
static MASKS: [[u64; 4]; 16] = {
    let mut masks = [[0; 4]; 16];
    let mut set = 0;
    while set < 16 {
        let mut lane = 0;
        while lane < 4 {
            masks[set][lane] = if set >> lane & 1 == 1 { !0 } else { 0 };
            lane += 1;
        }
        set += 1;
    }
    masks
};

/// For each subset of four lanes, the indices of the 32-bit words of the lanes in the subset, in
/// order, for `_mm256_permutevar8x32_epi32`.
static PACKED: [[u32; 8]; 16] = {
    let mut packed = [[0; 8]; 16];
    let mut set = 0;
    while set < 16 {
        let (mut lane, mut to) = (0, 0);
        while lane < 4 {
            if set >> lane & 1 == 1 {
                packed[set][to] = 2 * lane;
                packed[set][to + 1] = 2 * lane + 1;
                to += 2;
            }
            lane += 1;
        }
        set += 1;
    }
    packed
};

#[inline(always)]
fn mask(set: u8) -> __m256i {
    // SAFETY: both types are 32 bytes long, and every bit pattern is valid for both.
    unsafe { transmute::<[u64; 4], __m256i>(MASKS[usize::from(set & 15)]) }
}

#[inline(always)]
fn packed(set: u8) -> __m256i {
    // SAFETY: both types are 32 bytes long, and every bit pattern is valid for both.
    unsafe { transmute::<[u32; 8], __m256i>(PACKED[usize::from(set & 15)]) }
}

impl Lanes {
    pub(crate) const ZERO: Self = {
        // SAFETY: both types are 32 bytes long, and every bit pattern is valid for both.
        let zero = unsafe { transmute::<[u64; 4], __m256i>([0; 4]) };
        Self(zero, zero)
    };

    #[inline(always)]
    fn each(self, f: impl Fn(__m256i) -> __m256i) -> Self {
        Self(f(self.0), f(self.1))
    }

    #[inline(always)]
    pub(crate) fn load(words: &[u64; 8]) -> Self {
        // SAFETY: both types are 64 bytes long, and every bit pattern is valid for both.
        let [low, high] = unsafe { transmute::<[u64; 8], [__m256i; 2]>(*words) };
        Self(low, high)
    }
    #[inline(always)]
    pub(crate) fn words(self) -> [u64; 8] {
        // SAFETY: both types are 64 bytes long, and every bit pattern is valid for both.
        unsafe { transmute::<[__m256i; 2], [u64; 8]>([self.0, self.1]) }
    }
    #[inline(always)]
    pub(crate) fn splat(word: u64) -> Self {
        Self::halves(word, word)
    }
    #[inline(always)]
    pub(crate) fn halves(low: u64, high: u64) -> Self {
        // SAFETY: the build enables AVX2, and the intrinsics used here take no pointers.
        unsafe { Self(_mm256_set1_epi64x(low as i64), _mm256_set1_epi64x(high as i64)) }
    }
    #[inline(always)]
    pub(crate) fn only(set: u8, word: u64) -> Self {
        Self::splat(word).keep(set)
    }
    #[inline(always)]
    pub(crate) fn keep(self, set: u8) -> Self {
        self & Self(mask(set), mask(set >> 4))
    }
    #[inline(always)]
    pub(crate) fn compress_into(self, set: u8, words: &mut [u64; 8]) {
        // SAFETY: the build enables AVX2, and the intrinsics used here take no pointers. The types
        // of the conversion are 64 bytes long, and every bit pattern is valid for both.
        let [low, high] = unsafe {
            let low = _mm256_permutevar8x32_epi32(self.0, packed(set));
            let high = _mm256_permutevar8x32_epi32(self.1, packed(set >> 4));
            transmute::<[__m256i; 2], [[u64; 4]; 2]>([low, high])
        };
        let number = (set & 15).count_ones() as usize;
        words[..4].copy_from_slice(&low);
        words[number..number + 4].copy_from_slice(&high);
    }
    #[inline(always)]
    pub(crate) fn pick(self, numbers: Self) -> Self {
        numbers.each(|numbers| {
            // SAFETY: the build enables AVX2, and the intrinsics used here take no pointers.
            unsafe {
                let twice = _mm256_slli_epi64::<1>(numbers);
                let words = _mm256_or_si256(twice, _mm256_slli_epi64::<33>(numbers));
                let words = _mm256_or_si256(words, _mm256_set1_epi64x(1 << 32));
                let low = _mm256_permutevar8x32_epi32(self.0, words);
                let high = _mm256_permutevar8x32_epi32(self.1, words);
                let is_high = _mm256_castsi256_pd(_mm256_slli_epi64::<61>(numbers));
                let [low, high] = [low, high].map(|half| _mm256_castsi256_pd(half));
                _mm256_castpd_si256(_mm256_blendv_pd(low, high, is_high))
            }
        })
    }
    #[inline(always)]
    pub(crate) fn rotate_left(self, by: Self) -> Self {
        let rotate = |words, by| {
            // SAFETY: the build enables AVX2, and the intrinsics used here take no pointers.
            unsafe {
                let back = _mm256_sub_epi64(_mm256_set1_epi64x(64), by);
                _mm256_or_si256(_mm256_sllv_epi64(words, by), _mm256_srlv_epi64(words, back))
            }
        };
        Self(rotate(self.0, by.0), rotate(self.1, by.1))
    }
    #[inline(always)]
    pub(crate) fn shift(self, by: i8) -> Self {
        let bits = i64::from(by.unsigned_abs());
        // SAFETY: the build enables AVX2, and the intrinsics used here take no pointers.
        self.each(|words| unsafe {
            let bits = _mm256_set1_epi64x(bits);
            if by < 0 { _mm256_srlv_epi64(words, bits) } else { _mm256_sllv_epi64(words, bits) }
        })
    }
    /// Returns a mask of the lanes that are zero.
    #[inline(always)]
    fn zero(self) -> Self {
        // SAFETY: the build enables AVX2, and the intrinsics used here take no pointers.
        self.each(|words| unsafe { _mm256_cmpeq_epi64(words, _mm256_setzero_si256()) })
    }
    /// Clears the lowest set bit of each lane.
    #[inline(always)]
    fn without_first(self) -> Self {
        self & (self + Self::splat(!0))
    }
    #[inline(always)]
    pub(crate) fn where_any(self, set: Self) -> Self {
        self - set.zero()
    }
    #[inline(always)]
    pub(crate) fn where_none(self, set: Self) -> Self {
        self & set.zero()
    }
    #[inline(always)]
    pub(crate) fn and_where(self, other: Self, set: Self) -> Self {
        self & (other | set.zero())
    }
    #[inline(always)]
    pub(crate) fn where_few(self, set: Self) -> Self {
        self.where_none(set.without_first())
    }
    #[inline(always)]
    pub(crate) fn counts(self) -> Self {
        // Look up the bit count of each half byte in a table, then add the bytes of each lane.
        // SAFETY: the build enables AVX2, and the intrinsics used here take no pointers.
        self.each(|words| unsafe {
            let half = _mm256_set1_epi8(0x0f);
            let table = _mm256_setr_epi8(
                0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3,
                2, 3, 3, 4,
            );
            let low = _mm256_shuffle_epi8(table, _mm256_and_si256(words, half));
            let high = _mm256_and_si256(_mm256_srli_epi16::<4>(words), half);
            let high = _mm256_shuffle_epi8(table, high);
            _mm256_sad_epu8(_mm256_add_epi8(low, high), _mm256_setzero_si256())
        })
    }
    #[inline(always)]
    pub(crate) fn sum(self) -> u64 {
        self.words().iter().fold(0, |sum, &word| sum.wrapping_add(word))
    }
    #[inline(always)]
    pub(crate) fn union(self) -> u64 {
        self.words().iter().fold(0, |union, word| union | word)
    }
    #[inline(always)]
    pub(crate) fn nonzero(self) -> u8 {
        let zero = self.zero();
        // SAFETY: the build enables AVX2, and the intrinsics used here take no pointers.
        let [low, high] =
            [zero.0, zero.1].map(|half| unsafe { _mm256_movemask_pd(_mm256_castsi256_pd(half)) });
        !(low | high << 4) as u8
    }
    #[inline(always)]
    pub(crate) fn many(self) -> u8 {
        self.without_first().nonzero()
    }
    #[inline(always)]
    pub(crate) fn up_to_first<const BACKWARD: u8>(self) -> Self {
        let words = self.words();
        Self::load(&from_fn(|lane| match BACKWARD >> lane & 1 {
            1 => (i64::MIN >> (words[lane] | 1).leading_zeros()) as u64,
            _ => words[lane] ^ words[lane].wrapping_sub(1),
        }))
    }
}

macro_rules! operator {
    ($trait:ident $method:ident $a:ident $b:ident $what:expr) => {
        impl $trait for Lanes {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                // SAFETY: the build enables AVX2, and the intrinsics used here take no pointers.
                let f = |$a, $b| unsafe { $what };
                Self(f(self.0, other.0), f(self.1, other.1))
            }
        }
    };
}
operator!(BitAnd bitand a b _mm256_and_si256(a, b));
operator!(BitOr bitor a b _mm256_or_si256(a, b));
operator!(BitXor bitxor a b _mm256_xor_si256(a, b));
operator!(Add add a b _mm256_add_epi64(a, b));
// `a - b` is the set difference, as for bitboards.
operator!(Sub sub a b _mm256_andnot_si256(b, a));
