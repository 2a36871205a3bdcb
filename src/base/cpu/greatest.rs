//! The greatest number below a bound in a short list. For such short lists, the compiler does not
//! use vector registers well.
#![allow(unsafe_code)]

/// The length of a row.
pub(crate) const ROW: usize = 16;

/// Returns the greatest number below `bound` in `rows`, or [`i32::MIN`] if there is none.
#[inline(always)]
pub(crate) fn greatest_below(bound: i32, rows: &[[i32; ROW]]) -> i32 {
    #[cfg(target_feature = "avx512f")]
    // SAFETY: the build enables AVX-512F, and a row is as long as the register: 64 bytes.
    return unsafe {
        use std::arch::x86_64::*;
        let bound = _mm512_set1_epi32(bound);
        let mut greatest = _mm512_set1_epi32(i32::MIN);
        for row in rows {
            let row = _mm512_loadu_si512(row.as_ptr().cast());
            let is_below = _mm512_cmplt_epi32_mask(row, bound);
            greatest = _mm512_mask_max_epi32(greatest, is_below, greatest, row);
        }
        _mm512_reduce_max_epi32(greatest)
    };
    #[cfg(all(target_feature = "avx2", not(target_feature = "avx512f")))]
    // SAFETY: the build enables AVX2, and a row is as long as two registers: 64 bytes.
    return unsafe {
        use std::arch::x86_64::*;
        let (bound, lowest) = (_mm256_set1_epi32(bound), _mm256_set1_epi32(i32::MIN));
        let mut greatest = lowest;
        for half in rows.as_flattened().as_chunks::<{ ROW / 2 }>().0 {
            let half = _mm256_loadu_si256(half.as_ptr().cast());
            let is_below = _mm256_cmpgt_epi32(bound, half);
            let candidates = _mm256_blendv_epi8(lowest, half, is_below);
            greatest = _mm256_max_epi32(greatest, candidates);
        }
        let four = _mm256_extracti128_si256::<1>(greatest);
        let four = _mm_max_epi32(_mm256_castsi256_si128(greatest), four);
        let two = _mm_max_epi32(four, _mm_shuffle_epi32::<0x4e>(four));
        _mm_cvtsi128_si32(_mm_max_epi32(two, _mm_shuffle_epi32::<0xb1>(two)))
    };
    #[cfg(not(target_feature = "avx2"))]
    rows.as_flattened().iter().filter(|&&number| number < bound).fold(i32::MIN, |a, &b| a.max(b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::rng::Rng;

    #[test]
    fn finds_the_greatest_number_wherever_it_is() {
        let mut rng = Rng::new(3);
        assert_eq!(greatest_below(i32::MAX, &[]), i32::MIN);
        assert_eq!(greatest_below(i32::MAX, &[[i32::MIN; ROW]]), i32::MIN);
        for len in 1..5 {
            for place in 0..len * ROW {
                let mut rows = vec![[0; ROW]; len];
                for number in rows.as_flattened_mut() {
                    *number = rng.below(1000) as i32 - 2000;
                }
                rows.as_flattened_mut()[place] = -500;
                assert_eq!(greatest_below(i32::MAX, &rows), -500, "{place}");
                assert_eq!(greatest_below(-499, &rows), -500, "{place}");
                let rest = rows.as_flattened().iter().filter(|&&number| number < -500).max();
                assert_eq!(greatest_below(-500, &rows), *rest.expect("a number"), "{place}");
                assert_eq!(greatest_below(-3000, &rows), i32::MIN);
            }
        }
    }
}
