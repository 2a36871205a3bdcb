//! Limits for options that set a number of threads. Too many threads would exhaust the whole
//! machine, not only end the command.

use clap::builder::RangedU64ValueParser;

/// Maximum number of threads or parallel jobs, equal to the maximum of the UCI option `Threads`.
const MAX_THREADS: u64 = 512;

pub(super) fn number() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(1..=MAX_THREADS)
}

pub(super) fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
