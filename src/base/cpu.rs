//! The few instructions and system calls that Rust cannot express safely.
//!
//! The only module in which `unsafe` is allowed: an instruction set intrinsic is `unsafe` to call
//! although the build has the feature switched on (`cfg(target_feature)` guards each), a prefetch
//! takes a raw pointer although it can never fault, large pages change no contents, and a vector is
//! loaded from a row that is long enough.
#![allow(unsafe_code)]

/// Gathers the bits of `word` selected by `mask` into the low bits of the result.
#[cfg(target_feature = "bmi2")]
#[inline(always)]
pub fn pext(word: u64, mask: u64) -> u64 {
    // SAFETY: the build enables BMI2, as the `cfg` above demands.
    unsafe { std::arch::x86_64::_pext_u64(word, mask) }
}

/// Asks the processor to bring `item`'s cache line nearer; a hint without any other effect.
#[inline(always)]
pub fn prefetch<T>(item: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: SSE is part of every x86-64; a prefetch of any address is defined and cannot fault.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(item).cast::<i8>());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = item;
}

/// Asks the system to put large pages under memory that is reserved and not yet written, so that
/// the processor finds a page's address without a walk through tables; only a hint.
pub fn advise_huge_pages<T>(memory: &mut [std::mem::MaybeUninit<T>]) {
    #[cfg(all(target_os = "linux", feature = "engine"))]
    {
        use nix::sys::mman::{MmapAdvise, madvise};
        const PAGE: usize = 2 << 20;
        let start = memory.as_mut_ptr().cast::<u8>();
        let before = start.align_offset(PAGE);
        let len = size_of_val(memory).saturating_sub(before) / PAGE * PAGE;
        if len > 0
            && let Some(first) = std::ptr::NonNull::new(start.wrapping_add(before))
        {
            // SAFETY: the range lies within `memory`, which is borrowed mutably; this advice changes
            // no contents.
            let _ = unsafe { madvise(first.cast(), len, MmapAdvise::MADV_HUGEPAGE) };
        }
    }
    #[cfg(not(all(target_os = "linux", feature = "engine")))]
    let _ = memory;
}

/// Eight words in memory, aligned to be loaded at once.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct Words(pub [u64; 8]);

pub use lanes::Lanes;

/// Whether [`Lanes`] are one register, and each operation on them one or two instructions.
/// Otherwise they are correct but slow, and table lookups are faster.
pub const WIDE: bool =
    cfg!(all(target_feature = "avx512f", target_feature = "avx512cd", target_feature = "avx512bw"));

/// Whether [`Lanes`] are [`WIDE`], or at least what the compiler can make two registers of. It then
/// pays to give each lane a board of its own, but not to divide one board among them.
pub const VECTORS: bool = WIDE || cfg!(target_feature = "avx2");

/// Eight words that take part in each operation together, in one AVX-512 register. Where a set of
/// lanes is named, bit `i` stands for lane `i`.
#[cfg(all(target_feature = "avx512f", target_feature = "avx512cd", target_feature = "avx512bw"))]
mod lanes {
    use std::arch::x86_64::*;
    use std::ops::{Add, BitAnd, BitOr, BitXor, Sub};

    /// Eight 64-bit words.
    #[derive(Clone, Copy, Debug)]
    pub struct Lanes(__m512i);

    // SAFETY, for each block below: the build enables AVX-512 F, CD and BW (all of x86-64-v4), as the
    // `cfg` above demands, and none of these intrinsics takes a pointer.
    impl Lanes {
        /// Every lane holds zero.
        // SAFETY: both types are 64 bytes for which any value is valid.
        pub const ZERO: Self = Self(unsafe { std::mem::transmute::<[u64; 8], __m512i>([0; 8]) });

        /// Lane `i` holds `words[i]`.
        #[inline(always)]
        pub fn load(words: &[u64; 8]) -> Self {
            // SAFETY: both types are 64 bytes for which any value is valid.
            Self(unsafe { std::mem::transmute::<[u64; 8], __m512i>(*words) })
        }
        /// The words of the lanes.
        #[inline(always)]
        pub fn words(self) -> [u64; 8] {
            // SAFETY: both types are 64 bytes for which any value is valid.
            unsafe { std::mem::transmute::<__m512i, [u64; 8]>(self.0) }
        }
        /// Every lane holds `word`.
        #[inline(always)]
        pub fn splat(word: u64) -> Self {
            Self(unsafe { _mm512_set1_epi64(word as i64) })
        }
        /// Lanes 0 to 3 hold `low`, lanes 4 to 7 `high`.
        #[inline(always)]
        pub fn halves(low: u64, high: u64) -> Self {
            Self(unsafe {
                _mm512_mask_set1_epi64(_mm512_set1_epi64(low as i64), 0xf0, high as i64)
            })
        }
        /// The lanes of a set hold `word`, the others zero.
        #[inline(always)]
        pub fn only(set: u8, word: u64) -> Self {
            Self(unsafe { _mm512_maskz_set1_epi64(set, word as i64) })
        }
        /// The lanes of a set as they are, the others zero.
        #[inline(always)]
        pub fn keep(self, set: u8) -> Self {
            Self(unsafe { _mm512_maskz_mov_epi64(set, self.0) })
        }
        /// The lanes of a set in the first places, zero in the others.
        #[inline(always)]
        pub fn compress(self, set: u8) -> Self {
            Self(unsafe { _mm512_maskz_compress_epi64(set, self.0) })
        }
        /// Each lane holds the one whose number is in that lane of `numbers`, modulo 8.
        #[inline(always)]
        pub fn pick(self, numbers: Self) -> Self {
            Self(unsafe { _mm512_permutexvar_epi64(numbers.0, self.0) })
        }
        /// Each lane rotated left by that lane of `by`.
        #[inline(always)]
        pub fn rotate_left(self, by: Self) -> Self {
            Self(unsafe { _mm512_rolv_epi64(self.0, by.0) })
        }
        /// Each lane shifted by as many bits, to the left or, where negative, to the right.
        #[inline(always)]
        pub fn shift(self, by: i8) -> Self {
            let bits = Self::splat(u64::from(by.unsigned_abs())).0;
            Self(unsafe {
                if by < 0 {
                    _mm512_srlv_epi64(self.0, bits)
                } else {
                    _mm512_sllv_epi64(self.0, bits)
                }
            })
        }
        /// The lanes in which `set` has a bit as they are, the others zero.
        #[inline(always)]
        pub fn where_any(self, set: Self) -> Self {
            self.keep(set.nonzero())
        }
        /// The lanes in which `set` has no bit as they are, the others zero.
        #[inline(always)]
        pub fn where_none(self, set: Self) -> Self {
            self.keep(!set.nonzero())
        }
        /// What is in `other` too, in the lanes in which `set` has a bit; the others as they are.
        #[inline(always)]
        pub fn and_where(self, other: Self, set: Self) -> Self {
            Self(unsafe { _mm512_mask_and_epi64(self.0, set.nonzero(), self.0, other.0) })
        }
        /// The lanes in which `set` has at most one bit as they are, the others zero.
        #[inline(always)]
        pub fn where_few(self, set: Self) -> Self {
            self.keep(!set.many())
        }
        /// The number of set bits in each lane.
        #[inline(always)]
        pub fn counts(self) -> Self {
            #[cfg(target_feature = "avx512vpopcntdq")]
            return Self(unsafe { _mm512_popcnt_epi64(self.0) });
            // The bits of each half byte from a table, then the sums of each lane's bytes.
            #[cfg(not(target_feature = "avx512vpopcntdq"))]
            Self(unsafe {
                let half = _mm512_set1_epi8(0x0f);
                let table = _mm512_set4_epi32(0x0403_0302, 0x0302_0201, 0x0302_0201, 0x0201_0100);
                let low = _mm512_shuffle_epi8(table, _mm512_and_si512(self.0, half));
                let high = _mm512_and_si512(_mm512_srli_epi16::<4>(self.0), half);
                let high = _mm512_shuffle_epi8(table, high);
                _mm512_sad_epu8(_mm512_add_epi8(low, high), _mm512_setzero_si512())
            })
        }
        /// The sum of the lanes.
        #[inline(always)]
        pub fn sum(self) -> u64 {
            unsafe { _mm512_reduce_add_epi64(self.0) as u64 }
        }
        /// The bits set in any lane.
        #[inline(always)]
        pub fn union(self) -> u64 {
            unsafe { _mm512_reduce_or_epi64(self.0) as u64 }
        }
        /// The set of lanes that are not zero.
        #[inline(always)]
        pub fn nonzero(self) -> u8 {
            unsafe { _mm512_test_epi64_mask(self.0, self.0) }
        }
        /// The set of lanes that have two bits or more.
        #[inline(always)]
        pub fn many(self) -> u8 {
            unsafe {
                let less = _mm512_add_epi64(self.0, _mm512_set1_epi64(-1));
                _mm512_test_epi64_mask(self.0, less)
            }
        }
        /// In each lane the lowest set bit and all bits below it; in the lanes of the set
        /// `BACKWARD` the highest set bit and all above it. Every bit where none is set.
        #[inline(always)]
        pub fn up_to_first<const BACKWARD: u8>(self) -> Self {
            unsafe {
                let less = _mm512_add_epi64(self.0, _mm512_set1_epi64(-1));
                let low = _mm512_xor_si512(self.0, less);
                // With bit 0 set a lane without any other is smeared all the way down.
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
                    Self(unsafe { $what })
                }
            }
        };
    }
    operator!(BitAnd bitand a b _mm512_and_si512(a, b));
    operator!(BitOr bitor a b _mm512_or_si512(a, b));
    operator!(BitXor bitxor a b _mm512_xor_si512(a, b));
    operator!(Add add a b _mm512_add_epi64(a, b));
    // The difference of sets, as for bitboards.
    operator!(Sub sub a b _mm512_andnot_si512(b, a));
}

/// The same without vector instructions; the other module documents each function.
#[cfg(not(all(
    target_feature = "avx512f",
    target_feature = "avx512cd",
    target_feature = "avx512bw"
)))]
mod lanes {
    use std::array::from_fn;
    use std::ops::{Add, BitAnd, BitOr, BitXor, Sub};

    /// Eight 64-bit words.
    #[derive(Clone, Copy, Debug)]
    pub struct Lanes([u64; 8]);

    const fn has(set: u8, lane: usize) -> bool {
        set >> lane & 1 == 1
    }

    impl Lanes {
        /// Every lane holds zero.
        pub const ZERO: Self = Self([0; 8]);

        /// Lane `i` holds `words[i]`.
        #[inline(always)]
        pub fn load(words: &[u64; 8]) -> Self {
            Self(*words)
        }
        /// The words of the lanes.
        #[inline(always)]
        pub fn words(self) -> [u64; 8] {
            self.0
        }
        /// Every lane holds `word`.
        #[inline(always)]
        pub fn splat(word: u64) -> Self {
            Self([word; 8])
        }
        /// Lanes 0 to 3 hold `low`, lanes 4 to 7 `high`.
        #[inline(always)]
        pub fn halves(low: u64, high: u64) -> Self {
            Self(from_fn(|i| if i < 4 { low } else { high }))
        }
        /// The lanes of a set hold `word`, the others zero.
        #[inline(always)]
        pub fn only(set: u8, word: u64) -> Self {
            Self::splat(word).keep(set)
        }
        /// The lanes of a set as they are, the others zero.
        #[inline(always)]
        pub fn keep(self, set: u8) -> Self {
            Self(from_fn(|i| if has(set, i) { self.0[i] } else { 0 }))
        }
        /// The lanes of a set in the first places, zero in the others.
        #[inline(always)]
        pub fn compress(self, set: u8) -> Self {
            let mut lanes = (0..8).filter(|&i| has(set, i)).map(|i| self.0[i]);
            Self(from_fn(|_| lanes.next().unwrap_or(0)))
        }
        /// Each lane holds the one whose number is in that lane of `numbers`, modulo 8.
        #[inline(always)]
        pub fn pick(self, numbers: Self) -> Self {
            Self(numbers.0.map(|number| self.0[number as usize % 8]))
        }
        /// Each lane rotated left by that lane of `by`.
        #[inline(always)]
        pub fn rotate_left(self, by: Self) -> Self {
            Self(from_fn(|i| self.0[i].rotate_left(by.0[i] as u32)))
        }
        /// Each lane shifted by as many bits, to the left or, where negative, to the right.
        #[inline(always)]
        pub fn shift(self, by: i8) -> Self {
            let bits = by.unsigned_abs();
            Self(self.0.map(|word| if by < 0 { word >> bits } else { word << bits }))
        }
        /// The lanes in which `set` has a bit as they are, the others zero.
        #[inline(always)]
        pub fn where_any(self, set: Self) -> Self {
            self & Self(set.0.map(|word| u64::from(word != 0).wrapping_neg()))
        }
        /// The lanes in which `set` has no bit as they are, the others zero.
        #[inline(always)]
        pub fn where_none(self, set: Self) -> Self {
            self - Self(set.0.map(|word| u64::from(word != 0).wrapping_neg()))
        }
        /// What is in `other` too, in the lanes in which `set` has a bit; the others as they are.
        #[inline(always)]
        pub fn and_where(self, other: Self, set: Self) -> Self {
            (self - Self::splat(!0).where_any(set)) | (self & other)
        }
        /// The lanes in which `set` has at most one bit as they are, the others zero.
        #[inline(always)]
        pub fn where_few(self, set: Self) -> Self {
            self.where_none(Self(set.0.map(|word| word & word.wrapping_sub(1))))
        }
        /// The number of set bits in each lane.
        #[inline(always)]
        pub fn counts(self) -> Self {
            Self(self.0.map(|word| u64::from(word.count_ones())))
        }
        /// The lanes added up.
        #[inline(always)]
        pub fn sum(self) -> u64 {
            self.0.iter().fold(0, |sum, &word| sum.wrapping_add(word))
        }
        /// The bits set in any lane.
        #[inline(always)]
        pub fn union(self) -> u64 {
            self.0.iter().fold(0, |union, word| union | word)
        }
        /// The set of lanes that are not zero.
        #[inline(always)]
        pub fn nonzero(self) -> u8 {
            (0..8).fold(0, |set, i| set | u8::from(self.0[i] != 0) << i)
        }
        /// The set of lanes that have two bits or more.
        #[inline(always)]
        pub fn many(self) -> u8 {
            Self(self.0.map(|word| word & word.wrapping_sub(1))).nonzero()
        }
        /// In each lane the lowest set bit and all bits below it; in the lanes of the set
        /// `BACKWARD` the highest set bit and all above it. Every bit where none is set.
        #[inline(always)]
        pub fn up_to_first<const BACKWARD: u8>(self) -> Self {
            Self(from_fn(|i| {
                let word = self.0[i];
                if has(BACKWARD, i) {
                    (i64::MIN >> (word | 1).leading_zeros()) as u64
                } else {
                    word ^ word.wrapping_sub(1)
                }
            }))
        }
    }

    macro_rules! operator {
        ($trait:ident $method:ident $a:ident $b:ident $what:expr) => {
            impl $trait for Lanes {
                type Output = Self;
                #[inline(always)]
                fn $method(self, other: Self) -> Self {
                    Self(from_fn(|i| {
                        let ($a, $b) = (self.0[i], other.0[i]);
                        $what
                    }))
                }
            }
        };
    }
    operator!(BitAnd bitand a b a & b);
    operator!(BitOr bitor a b a | b);
    operator!(BitXor bitxor a b a ^ b);
    operator!(Add add a b a.wrapping_add(b));
    // The difference of sets, as for bitboards.
    operator!(Sub sub a b a & !b);
}

pub use sums::Sums;

/// Thirty-two 16-bit numbers, which are added to others in one instruction.
#[cfg(target_feature = "avx512bw")]
mod sums {
    use std::arch::x86_64::*;

    /// Thirty-two numbers; they wrap.
    #[derive(Clone, Copy, Debug)]
    pub struct Sums(__m512i);

    // SAFETY: the build enables the instructions, as the `cfg` above demands; the only pointers are those
    // to arrays of the size that is loaded or stored.
    impl Sums {
        /// The numbers of a row.
        #[inline(always)]
        pub fn load(row: &[i16; 32]) -> Self {
            Self(unsafe { _mm512_loadu_si512(row.as_ptr().cast()) })
        }
        /// The numbers with others added to them.
        #[inline(always)]
        pub fn plus(self, other: Self) -> Self {
            Self(unsafe { _mm512_add_epi16(self.0, other.0) })
        }
        /// The upper sixteen numbers before the lower.
        #[inline(always)]
        pub fn halves_exchanged(self) -> Self {
            Self(unsafe { _mm512_shuffle_i64x2::<0x4e>(self.0, self.0) })
        }
        /// The numbers, as a row.
        #[inline(always)]
        pub fn row(self) -> [i16; 32] {
            let mut row = [0; 32];
            unsafe { _mm512_storeu_si512(row.as_mut_ptr().cast(), self.0) };
            row
        }
    }
}

/// The same without vector instructions.
#[cfg(not(target_feature = "avx512bw"))]
mod sums {
    use std::array::from_fn;

    /// Thirty-two numbers; they wrap.
    #[derive(Clone, Copy, Debug)]
    pub struct Sums([i16; 32]);

    impl Sums {
        /// The numbers of a row.
        #[inline(always)]
        pub fn load(row: &[i16; 32]) -> Self {
            Self(*row)
        }
        /// The numbers with others added to them.
        #[inline(always)]
        pub fn plus(self, other: Self) -> Self {
            Self(from_fn(|i| self.0[i].wrapping_add(other.0[i])))
        }
        /// The upper sixteen numbers before the lower.
        #[inline(always)]
        pub fn halves_exchanged(self) -> Self {
            Self(from_fn(|i| self.0[i ^ 16]))
        }
        /// The numbers, as a row.
        #[inline(always)]
        pub fn row(self) -> [i16; 32] {
            self.0
        }
    }
}

/// The output layer of a small network: the weighted sum of squared clipped values (SCReLU).
///
/// For every value `v`, clipped to `0..=255`, and its weight `w` of at most 128 either way the sum gets
/// `v * (v * w)`. The inner product fits 16 bits, and sums wrap, so the order of adding does not matter
/// and all paths give the same number.
pub mod screlu {
    /// The greatest value, which stands for 1.
    pub const ONE: i16 = 255;
    /// The largest weight, either way.
    pub const LARGEST: i16 = 128;

    /// A way to compute the sum, for rows of `N` values.
    pub type Sum<const N: usize> = fn(&[i16; N], &[i16; N]) -> i32;

    /// The sum, by the widest instructions that the build may use.
    #[inline(always)]
    pub fn sum<const N: usize>(values: &[i16; N], weights: &[i16; N]) -> i32 {
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

    /// Every path that the build can use, with its name.
    pub fn paths<const N: usize>() -> Vec<(&'static str, Sum<N>)> {
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

    /// The sum, value by value.
    pub fn scalar<const N: usize>(values: &[i16; N], weights: &[i16; N]) -> i32 {
        values.iter().zip(weights).fold(0, |sum: i32, (&value, &weight)| {
            let value = value.clamp(0, ONE);
            let product = value.wrapping_mul(weight);
            sum.wrapping_add(i32::from(product) * i32::from(value))
        })
    }

    /// A path on x86-64: two accumulators, `$lanes` values each, over rows that are a multiple of both.
    macro_rules! x86_path {
        ($name:ident $lanes:literal $load:ident $zero:ident $set:ident $max:ident $min:ident
         $mullo:ident $madd:ident $add:ident $reduce:expr) => {
            /// The sum, several values at once.
            #[inline(always)]
            pub fn $name<const N: usize>(values: &[i16; N], weights: &[i16; N]) -> i32 {
                use std::arch::x86_64::*;
                const { assert!(N.is_multiple_of($lanes)) };
                // SAFETY: the build enables the instructions, as the `cfg` of the function demands;
                // every load is of `$lanes` numbers at a place that leaves as many to the row's end.
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
    x86_path!(avx512 32 _mm512_loadu_si512 _mm512_setzero_si512 _mm512_set1_epi16 _mm512_max_epi16
        _mm512_min_epi16 _mm512_mullo_epi16 _mm512_madd_epi16 _mm512_add_epi32
        |total| _mm512_reduce_add_epi32(total));

    #[cfg(target_feature = "avx2")]
    x86_path!(avx2 16 _mm256_loadu_si256 _mm256_setzero_si256 _mm256_set1_epi16 _mm256_max_epi16
    _mm256_min_epi16 _mm256_mullo_epi16 _mm256_madd_epi16 _mm256_add_epi32
    |total| {
        let half = _mm256_extracti128_si256::<1>(total);
        four(_mm_add_epi32(_mm256_castsi256_si128(total), half))
    });

    #[cfg(target_arch = "x86_64")]
    x86_path!(sse2 8 _mm_loadu_si128 _mm_setzero_si128 _mm_set1_epi16 _mm_max_epi16
        _mm_min_epi16 _mm_mullo_epi16 _mm_madd_epi16 _mm_add_epi32
        four);

    /// The sum of four lanes.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn four(lanes: std::arch::x86_64::__m128i) -> i32 {
        use std::arch::x86_64::*;
        // SAFETY: SSE2 is part of every x86-64, and no pointer is taken.
        unsafe {
            let two = _mm_add_epi32(lanes, _mm_shuffle_epi32::<0x4e>(lanes));
            _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32::<0xb1>(two)))
        }
    }

    /// The sum, several values at once.
    #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
    #[inline(always)]
    pub fn neon<const N: usize>(values: &[i16; N], weights: &[i16; N]) -> i32 {
        use std::arch::aarch64::*;
        const { assert!(N.is_multiple_of(8)) };
        // SAFETY: the build enables NEON, as the `cfg` above demands; every load is of eight numbers
        // at a place that leaves as many to the row's end.
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
        fn all_paths_agree() {
            let mut rng = Rng::new(3);
            let mut number = |least: i32, most: i32| {
                (least + rng.below((most - least + 1) as usize) as i32) as i16
            };
            let paths = paths::<128>();
            assert!(paths.len() > usize::from(cfg!(target_arch = "x86_64")));
            for round in 0..100_000 {
                // Mostly values as they occur, sometimes any.
                let bound = if round % 10 == 0 { i32::from(i16::MAX) } else { 700 };
                let values: [i16; 128] = std::array::from_fn(|_| number(-bound - 1, bound));
                let largest = i32::from(LARGEST);
                let weights: [i16; 128] = std::array::from_fn(|_| number(-largest, largest - 1));
                let expected = scalar(&values, &weights);
                for (name, path) in &paths {
                    assert_eq!(path(&values, &weights), expected, "{name}");
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
}
