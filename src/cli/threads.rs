//! How many threads a command may be told to start: more than a machine can hold would end it, not the
//! command alone.

use clap::builder::RangedU64ValueParser;

/// The most threads, or other things done at the same time; as many as the option `Threads` of UCI takes.
const MAX_THREADS: u64 = 512;

/// Reads how many there are to be.
pub fn number() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(1..=MAX_THREADS)
}

/// As many as the machine has processors.
pub fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
