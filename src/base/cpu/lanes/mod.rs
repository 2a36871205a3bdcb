//! Eight 64-bit words that are processed together.

#[cfg(all(target_feature = "avx512f", target_feature = "avx512cd", target_feature = "avx512bw"))]
#[path = "avx512.rs"]
mod implementation;
#[cfg(all(
    target_feature = "avx2",
    not(all(
        target_feature = "avx512f",
        target_feature = "avx512cd",
        target_feature = "avx512bw"
    ))
))]
#[path = "avx2.rs"]
mod implementation;
#[cfg(not(target_feature = "avx2"))]
#[path = "portable.rs"]
mod implementation;

pub(crate) use implementation::Lanes;

/// Eight words in memory, aligned for a single load.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Words(pub [u64; 8]);

/// True if [`Lanes`] consists of vector registers.
pub(crate) const VECTORS: bool = cfg!(target_feature = "avx2");

/// True if [`Lanes`] is a single register, so that each operation takes one or two instructions.
/// Otherwise, table lookups are faster than [`Lanes`] in chess.
pub(crate) const WIDE: bool =
    cfg!(all(target_feature = "avx512f", target_feature = "avx512cd", target_feature = "avx512bw"));
