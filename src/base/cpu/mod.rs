//! Processor instructions and system calls that have no safe form. Only files of this folder contain
//! `unsafe`; each of them allows it for itself.

mod lanes;
pub mod screlu;
mod sums;
mod system;

pub use lanes::{Lanes, VECTORS, WIDE, Words};
pub use sums::Sums;
#[cfg(target_feature = "bmi2")]
pub use system::pext;
pub use system::{advise_huge_pages, prefetch};
