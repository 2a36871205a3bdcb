//! The output layer of a small network: the weighted sum of squared clipped values (SCReLU).
//!
//! A value `v` is clipped to `0..=255` and contributes `v * (v * w)`. The magnitude of a weight `w`
//! is at most 128, so `v * w` fits in 16 bits. Sums wrap on overflow. Therefore the order of the
//! additions does not matter, and all implementations return the same number.
#![allow(unsafe_code)]

/// The integer that represents 1, the upper bound for clipping.
pub(crate) const ONE: i16 = 255;
pub(crate) const MAX_WEIGHT: i16 = 128;

#[cfg(test)]
type Sum<const N: usize> = fn(&[i16; N], &[i16; N]) -> i32;

/// Returns the weighted sum, computed with the widest vector instructions enabled in this build.
#[inline(always)]
pub(crate) fn sum<const N: usize>(values: &[i16; N], weights: &[i16; N]) -> i32 {
    #[cfg(target_feature = "avx512bw")]
    return avx512(values, weights);
    #[cfg(all(target_feature = "avx2", not(target_feature = "avx512bw")))]
    return avx2(values, weights);
    #[cfg(all(target_arch = "x86_64", not(target_feature = "avx2")))]
    return sse2(values, weights);
    #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
    return neon(values, weights);
    #[cfg(not(any(
        target_arch = "x86_64",
        all(target_arch = "aarch64", target_feature = "neon")
    )))]
    scalar(values, weights)
}

#[cfg(test)]
fn implementations<const N: usize>() -> Vec<(&'static str, Sum<N>)> {
    vec![
        ("scalar", scalar::<N>),
        #[cfg(target_feature = "avx512bw")]
        ("AVX-512", avx512::<N>),
        #[cfg(target_feature = "avx2")]
        ("AVX2", avx2::<N>),
        #[cfg(target_arch = "x86_64")]
        ("SSE2", sse2::<N>),
        #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
        ("NEON", neon::<N>),
    ]
}

#[cfg(any(
    test,
    not(any(target_arch = "x86_64", all(target_arch = "aarch64", target_feature = "neon")))
))]
fn scalar<const N: usize>(values: &[i16; N], weights: &[i16; N]) -> i32 {
    values.iter().zip(weights).fold(0, |sum: i32, (&value, &weight)| {
        let value = value.clamp(0, ONE);
        let product = value.wrapping_mul(weight);
        sum.wrapping_add(i32::from(product) * i32::from(value))
    })
}

/// Defines an x86-64 implementation that processes `$lanes` values at a time and alternates between
/// two accumulators.
macro_rules! x86_sum {
    ($name:ident $lanes:literal $load:ident $zero:ident $set:ident $max:ident $min:ident
     $mullo:ident $madd:ident $add:ident $reduce:expr) => {
        #[inline(always)]
        fn $name<const N: usize>(values: &[i16; N], weights: &[i16; N]) -> i32 {
            use std::arch::x86_64::*;
            const { assert!(N.is_multiple_of($lanes)) };
            // SAFETY: the `cfg` of the macro call requires the instructions. `N` and `at` are
            // multiples of `$lanes`, and `at` is less than `N`, so each load stays within its
            // array.
            unsafe {
                let (zero, one) = ($zero(), $set(ONE));
                let mut sums = [zero; 2];
                let mut at = 0;
                while at < N {
                    let value = $load(values.as_ptr().add(at).cast());
                    let value = $min($max(value, zero), one);
                    let weight = $load(weights.as_ptr().add(at).cast());
                    let sum = &mut sums[at / $lanes % 2];
                    *sum = $add(*sum, $madd(value, $mullo(value, weight)));
                    at += $lanes;
                }
                let total = $add(sums[0], sums[1]);
                $reduce(total)
            }
        }
    };
}

#[cfg(target_feature = "avx512bw")]
x86_sum!(avx512 32 _mm512_loadu_si512 _mm512_setzero_si512 _mm512_set1_epi16 _mm512_max_epi16
    _mm512_min_epi16 _mm512_mullo_epi16 _mm512_madd_epi16 _mm512_add_epi32
    |total| _mm512_reduce_add_epi32(total));

#[cfg(all(target_feature = "avx2", any(test, not(target_feature = "avx512bw"))))]
x86_sum!(avx2 16 _mm256_loadu_si256 _mm256_setzero_si256 _mm256_set1_epi16 _mm256_max_epi16
_mm256_min_epi16 _mm256_mullo_epi16 _mm256_madd_epi16 _mm256_add_epi32
|total| {
    let half = _mm256_extracti128_si256::<1>(total);
    four(_mm_add_epi32(_mm256_castsi256_si128(total), half))
});

#[cfg(all(target_arch = "x86_64", any(test, not(target_feature = "avx2"))))]
x86_sum!(sse2 8 _mm_loadu_si128 _mm_setzero_si128 _mm_set1_epi16 _mm_max_epi16
    _mm_min_epi16 _mm_mullo_epi16 _mm_madd_epi16 _mm_add_epi32
    four);

#[cfg(all(target_arch = "x86_64", any(test, not(target_feature = "avx512bw"))))]
#[inline(always)]
fn four(lanes: std::arch::x86_64::__m128i) -> i32 {
    use std::arch::x86_64::*;
    // SAFETY: SSE2 is part of every x86-64 processor, and the intrinsics used here take no
    // pointers.
    unsafe {
        let two = _mm_add_epi32(lanes, _mm_shuffle_epi32::<0x4e>(lanes));
        _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32::<0xb1>(two)))
    }
}

#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
#[inline(always)]
fn neon<const N: usize>(values: &[i16; N], weights: &[i16; N]) -> i32 {
    use std::arch::aarch64::*;
    const { assert!(N.is_multiple_of(8)) };
    // SAFETY: the `cfg` above requires NEON. `N` and `at` are multiples of 8, and `at` is less than
    // `N`, so each load stays within its array.
    unsafe {
        let mut sums = [vdupq_n_s32(0); 2];
        let mut at = 0;
        while at < N {
            let value = vld1q_s16(values.as_ptr().add(at));
            let value = vminq_s16(vmaxq_s16(value, vdupq_n_s16(0)), vdupq_n_s16(ONE));
            let product = vmulq_s16(value, vld1q_s16(weights.as_ptr().add(at)));
            sums[0] = vmlal_s16(sums[0], vget_low_s16(value), vget_low_s16(product));
            sums[1] = vmlal_high_s16(sums[1], value, product);
            at += 8;
        }
        vaddvq_s32(vaddq_s32(sums[0], sums[1]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::rng::Rng;

    #[test]
    fn all_implementations_agree() {
        let mut rng = Rng::new(3);
        let mut number =
            |min: i32, max: i32| (min + rng.below((max - min + 1) as usize) as i32) as i16;
        let implementations = implementations::<128>();
        assert!(implementations.len() > usize::from(cfg!(target_arch = "x86_64")));
        for round in 0..100_000 {
            let bound = if round % 10 == 0 { i32::from(i16::MAX) } else { 700 };
            let values: [i16; 128] = std::array::from_fn(|_| number(-bound - 1, bound));
            let largest = i32::from(MAX_WEIGHT);
            let weights: [i16; 128] = std::array::from_fn(|_| number(-largest, largest - 1));
            let expected = scalar(&values, &weights);
            for (name, implementation) in &implementations {
                assert_eq!(implementation(&values, &weights), expected, "{name}");
            }
            assert_eq!(sum(&values, &weights), expected);
        }
    }

    #[test]
    fn values_are_clipped_and_squared() {
        let mut values = [0; 64];
        let mut weights = [1; 64];
        values[..4].copy_from_slice(&[-7, 10, 300, i16::MIN]);
        weights[1] = -3;
        assert_eq!(sum(&values, &weights), -300 + 255 * 255);
    }
}
