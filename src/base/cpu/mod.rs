//! Processor instructions and system calls that have no safe interface. Only files in this folder
//! contain `unsafe` code, and each of them allows it explicitly.

/// Implements the bit operators of a struct that contains an array of words.
#[allow(unused_macros, reason = "builds for AVX2 have no portable structs")]
macro_rules! portable_operators {
    ($name:ident) => {
        portable_operators!($name BitAnd bitand, a b a & b);
        portable_operators!($name BitOr bitor, a b a | b);
        portable_operators!($name BitXor bitxor, a b a ^ b);
        // `a - b` is the set difference, as for bitboards.
        portable_operators!($name Sub sub, a b a & !b);
    };
    ($name:ident $trait:ident $method:ident, $a:ident $b:ident $what:expr) => {
        impl std::ops::$trait for $name {
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

mod greatest;
mod lanes;
#[cfg(feature = "cli")]
pub(crate) mod level;
mod quads;
pub(crate) mod screlu;
mod squares;
mod sums;
mod system;

pub(crate) use greatest::{ROW, greatest_below};
pub(crate) use lanes::{Lanes, VECTORS, WIDE, Words};
pub(crate) use quads::Quad;
pub(crate) use squares::Squares;
pub(crate) use sums::{Block, Sums};
#[cfg(target_feature = "bmi2")]
pub(crate) use system::pext;
pub(crate) use system::{advise_huge_pages, prefetch};
