//! A number for each square of the chess board.
#![allow(unsafe_code)]

#[cfg(not(all(target_feature = "avx512bw", target_feature = "avx512vbmi2")))]
use crate::base::bits::Bits;
#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::*;

/// 64 numbers. Sets of squares are bit masks, with bit `i` for number `i`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub(crate) struct Squares(pub [u8; 64]);

impl Squares {
    pub(crate) const ZERO: Self = Self([0; 64]);
    /// The index of each square.
    pub(crate) const INDICES: Self = {
        let mut indices = [0; 64];
        let mut square = 0;
        while square < 64 {
            indices[square] = square as u8;
            square += 1;
        }
        Self(indices)
    };

    /// Adds `number` to the numbers of the squares in `set`; additions wrap.
    #[inline(always)]
    pub(crate) fn add(&mut self, set: u64, number: u8) {
        #[cfg(target_feature = "avx512bw")]
        // SAFETY: the build enables AVX-512BW. Both types are 64 bytes long, and every bit pattern
        // is valid for both.
        unsafe {
            let numbers = std::mem::transmute::<[u8; 64], __m512i>(self.0);
            let more = _mm512_set1_epi8(number as i8);
            let numbers = _mm512_mask_add_epi8(numbers, set, numbers, more);
            self.0 = std::mem::transmute::<__m512i, [u8; 64]>(numbers);
        }
        #[cfg(all(target_feature = "avx2", not(target_feature = "avx512bw")))]
        // SAFETY: the build enables AVX2. Both types are 64 bytes long, and every bit pattern is
        // valid for both.
        unsafe {
            let [low, high] = std::mem::transmute::<[u8; 64], [__m256i; 2]>(self.0);
            let [of_low, of_high] = bytes(set);
            let more = _mm256_set1_epi8(number as i8);
            let low = _mm256_add_epi8(low, _mm256_and_si256(of_low, more));
            let high = _mm256_add_epi8(high, _mm256_and_si256(of_high, more));
            self.0 = std::mem::transmute::<[__m256i; 2], [u8; 64]>([low, high]);
        }
        #[cfg(not(target_feature = "avx2"))]
        for square in Bits(set) {
            let found = &mut self.0[usize::from(square)];
            *found = found.wrapping_add(number);
        }
    }

    /// Returns the numbers of the squares in `set`; the numbers of all other squares become 0.
    #[inline(always)]
    pub(crate) fn only(&self, set: u64) -> Self {
        #[cfg(target_feature = "avx512bw")]
        // SAFETY: as in `add`.
        return unsafe {
            let numbers = std::mem::transmute::<[u8; 64], __m512i>(self.0);
            Self(std::mem::transmute::<__m512i, [u8; 64]>(_mm512_maskz_mov_epi8(set, numbers)))
        };
        #[cfg(all(target_feature = "avx2", not(target_feature = "avx512bw")))]
        // SAFETY: as in `add`.
        return unsafe {
            let [low, high] = std::mem::transmute::<[u8; 64], [__m256i; 2]>(self.0);
            let [of_low, of_high] = bytes(set);
            let kept = [_mm256_and_si256(low, of_low), _mm256_and_si256(high, of_high)];
            Self(std::mem::transmute::<[__m256i; 2], [u8; 64]>(kept))
        };
        #[cfg(not(target_feature = "avx2"))]
        {
            let mut only = Self::ZERO;
            for square in Bits(set) {
                only.0[usize::from(square)] = self.0[usize::from(square)];
            }
            only
        }
    }

    /// Moves the numbers of the squares in `set` to the front, without changing their order. The
    /// numbers after them are unspecified.
    #[inline(always)]
    pub(crate) fn compressed(&self, set: u64) -> Self {
        #[cfg(all(target_feature = "avx512bw", target_feature = "avx512vbmi2"))]
        // SAFETY: the build enables AVX-512 VBMI2. Both types are 64 bytes long, and every bit
        // pattern is valid for both.
        return unsafe {
            let numbers = std::mem::transmute::<[u8; 64], __m512i>(self.0);
            let compressed = _mm512_maskz_compress_epi8(set, numbers);
            Self(std::mem::transmute::<__m512i, [u8; 64]>(compressed))
        };
        #[cfg(not(all(target_feature = "avx512bw", target_feature = "avx512vbmi2")))]
        {
            let mut compressed = Self::ZERO;
            for (number, square) in compressed.0.iter_mut().zip(Bits(set)) {
                *number = self.0[usize::from(square)];
            }
            compressed
        }
    }

    /// Returns the squares whose number is not 0.
    #[inline(always)]
    pub(crate) fn nonzero(&self) -> u64 {
        self.differing(&Self::ZERO)
    }

    /// Returns the squares whose numbers differ.
    #[inline(always)]
    pub(crate) fn differing(&self, other: &Self) -> u64 {
        #[cfg(target_feature = "avx512bw")]
        // SAFETY: as in `add`.
        return unsafe {
            let [a, b] =
                [self.0, other.0].map(|numbers| std::mem::transmute::<[u8; 64], __m512i>(numbers));
            _mm512_cmpneq_epi8_mask(a, b)
        };
        #[cfg(all(target_arch = "x86_64", not(target_feature = "avx512bw")))]
        return (0..4).fold(0, |set, part| {
            let at = 16 * part;
            // SAFETY: every x86-64 processor has SSE2. `at + 16` is at most 64, so each load stays
            // within its array.
            let equal = unsafe {
                let [a, b] =
                    [self, other].map(|squares| _mm_loadu_si128(squares.0.as_ptr().add(at).cast()));
                _mm_movemask_epi8(_mm_cmpeq_epi8(a, b))
            };
            set | u64::from(!equal as u16) << at
        });
        #[cfg(not(target_arch = "x86_64"))]
        (0..64).fold(0, |set, at| set | u64::from(self.0[at] != other.0[at]) << at)
    }
}

/// Returns a byte of ones for each square in `set` and a byte of zeros for all other squares.
///
/// # Safety
/// The processor must have AVX2.
#[cfg(all(target_feature = "avx2", not(target_feature = "avx512bw")))]
#[inline(always)]
unsafe fn bytes(set: u64) -> [__m256i; 2] {
    [set as i32, (set >> 32) as i32].map(|half| {
        // SAFETY: the processor has AVX2.
        unsafe {
            // Each byte gets a copy of the byte of `half` that contains its bit.
            let order = _mm256_setr_epi64x(
                0,
                0x0101_0101_0101_0101,
                0x0202_0202_0202_0202,
                0x0303_0303_0303_0303,
            );
            let copies = _mm256_shuffle_epi8(_mm256_set1_epi32(half), order);
            let bits = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
            _mm256_cmpeq_epi8(_mm256_and_si256(copies, bits), bits)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_selects_compresses_and_compares_the_numbers_of_a_set() {
        let mut squares = Squares::ZERO;
        let (low, ends) = (0xff00, 1 << 63 | 1);
        squares.add(low, 7);
        squares.add(low | ends, 250);
        let expected = |square| match square {
            8..16 => 1,
            0 | 63 => 250,
            _ => 0,
        };
        assert_eq!(squares.0, std::array::from_fn(expected));
        assert_eq!(squares.nonzero(), low | ends);
        assert_eq!(squares.differing(&squares), 0);
        let compressed = squares.compressed(1 << 63 | 3 << 15).0;
        assert_eq!(compressed[..3], [1, 0, 250]);
        let only = squares.only(low & !(1 << 9) | 1 << 20);
        assert_eq!(only.differing(&squares), ends | 1 << 9);
        assert_eq!((only.0[8], only.0[9], only.0[20]), (1, 0, 0));
    }
}
