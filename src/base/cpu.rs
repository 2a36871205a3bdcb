//! The few processor instructions that Rust has no safe word for.
//!
//! The only module in which `unsafe` is allowed: an instruction set intrinsic is `unsafe` to call
//! although the build has the feature switched on (`cfg(target_feature)` guards each), and a
//! prefetch takes a raw pointer although it can never fault.
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
