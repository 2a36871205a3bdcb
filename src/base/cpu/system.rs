//! Single instructions and system calls that have no safe interface: bit gathering (PEXT),
//! prefetching, huge pages.
#![allow(unsafe_code)]

/// Extracts the bits of `word` selected by `mask` and packs them into the low bits of the result.
#[cfg(target_feature = "bmi2")]
#[inline(always)]
pub(crate) fn pext(word: u64, mask: u64) -> u64 {
    // SAFETY: the `cfg` above requires BMI2.
    unsafe { std::arch::x86_64::_pext_u64(word, mask) }
}

/// Prefetches the cache line of `item`. This is only a hint.
#[inline(always)]
pub(crate) fn prefetch<T>(item: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: SSE is part of every x86-64 processor; a prefetch of any address is defined and
    // cannot fault.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(item).cast::<i8>());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = item;
}

/// Advises the system to use huge pages for memory that is reserved but not yet written. Accesses
/// to huge pages need fewer page table walks. This is only a hint.
pub(crate) fn advise_huge_pages<T>(memory: &mut [std::mem::MaybeUninit<T>]) {
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
            // SAFETY: the range lies within `memory`, which is borrowed mutably, and this advice
            // does not change its contents.
            let _ = unsafe { madvise(first.cast(), len, MmapAdvise::MADV_HUGEPAGE) };
        }
    }
    #[cfg(not(all(target_os = "linux", feature = "engine")))]
    let _ = memory;
}
