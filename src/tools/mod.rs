//! Programs around the engine. The work of some can be divided into [shares](crate::base::shard).

pub mod analyse;
pub mod bench;
pub mod book;
pub mod chances;
pub mod check;
pub mod datagen;
#[cfg(feature = "cli")]
pub mod envelope;
pub mod perft;
pub mod suite;
pub mod train;
pub mod tune;
mod workers;
