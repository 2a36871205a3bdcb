//! Eight 64-bit words that take part in each operation together.

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
pub use avx512::Lanes;
#[cfg(not(all(
    target_feature = "avx512f",
    target_feature = "avx512cd",
    target_feature = "avx512bw"
)))]
pub use portable::Lanes;

/// Eight words in memory, aligned for a load of all eight at once.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct Words(pub [u64; 8]);

/// [`Lanes`] are one register, and each operation is one or two instructions. Otherwise table lookups are
/// faster than [`Lanes`].
pub const WIDE: bool =
    cfg!(all(target_feature = "avx512f", target_feature = "avx512cd", target_feature = "avx512bw"));

/// [`Lanes`] are one register, or two that the compiler vectorises. Separate boards per lane are then
/// profitable; dividing one board among the lanes needs [`WIDE`].
pub const VECTORS: bool = WIDE || cfg!(target_feature = "avx2");
