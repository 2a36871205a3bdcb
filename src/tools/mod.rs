//! Tools built on the engine, such as game analysis, perft, protocol checks, self-play and
//! training. Some tools can divide their work into [shards](crate::base::shard).

pub(crate) mod analyse;
pub(crate) mod bench;
pub(crate) mod book;
pub(crate) mod chances;
pub mod check;
pub mod datagen;
#[cfg(feature = "cli")]
pub mod envelope;
mod peer_limits;
pub mod perft;
pub mod suite;
pub(crate) mod train;
pub(crate) mod tune;
mod workers;
