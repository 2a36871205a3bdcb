//! Processor instructions and system calls without a safe form. Only files in this folder contain
//! `unsafe` code, and each of them allows it explicitly.

mod lanes;
pub mod screlu;
mod sums;
mod system;

pub use lanes::{Lanes, VECTORS, WIDE, Words};
pub use sums::Sums;
#[cfg(target_feature = "bmi2")]
pub use system::pext;
pub use system::{advise_huge_pages, prefetch};
