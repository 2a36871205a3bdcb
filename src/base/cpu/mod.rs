//! Processor instructions and system calls that have no safe interface. Only files in this folder
//! contain `unsafe` code, and each of them allows it explicitly.

mod lanes;
#[cfg(feature = "cli")]
pub(crate) mod level;
mod quads;
pub(crate) mod screlu;
mod sums;
mod system;

pub(crate) use lanes::{Lanes, WIDE, Words};
pub(crate) use quads::Quad;
pub(crate) use sums::Sums;
#[cfg(target_feature = "bmi2")]
pub(crate) use system::pext;
pub(crate) use system::{advise_huge_pages, prefetch};
