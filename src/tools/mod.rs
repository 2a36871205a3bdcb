//! Tools built on the engine. Some can divide their work into [shards](crate::base::shard).

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
