//! Eight 64-bit words that are processed together.

#[cfg(all(target_feature = "avx512f", target_feature = "avx512cd", target_feature = "avx512bw"))]
mod avx512;
#[cfg(not(all(
    target_feature = "avx512f",
    target_feature = "avx512cd",
    target_feature = "avx512bw"
)))]
mod portable;

#[cfg(all(
    target_feature = "avx512f",
    target_feature = "avx512cd",
    target_feature = "avx512bw"
))]
pub(crate) use avx512::Lanes;
#[cfg(not(all(
    target_feature = "avx512f",
    target_feature = "avx512cd",
    target_feature = "avx512bw"
)))]
pub use portable::Lanes;

/// Eight words in memory, aligned for a single load.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Words(pub [u64; 8]);

/// True if [`Lanes`] is a single register, so that each operation takes one or two instructions.
/// Otherwise, table lookups are faster than [`Lanes`].
pub(crate) const WIDE: bool =
    cfg!(all(target_feature = "avx512f", target_feature = "avx512cd", target_feature = "avx512bw"));
