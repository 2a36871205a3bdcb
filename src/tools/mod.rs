//! Programs around the engine: perft, suites, bench, matches, tuning; some of which can be shared out.

pub mod bench;
pub mod book;
pub mod check;
pub mod datagen;
pub mod envelope;
pub mod perft;
pub mod suite;
pub mod tune;
