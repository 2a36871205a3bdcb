//! Parsing of options that set a number of threads. The number is limited, because too many threads
//! would not only make the command fail, but exhaust the whole machine.

use clap::builder::RangedU64ValueParser;

/// The maximum number of threads or parallel jobs, the same as for the UCI option `Threads`.
const MAX_THREADS: u64 = 512;

pub(super) fn number() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(1..=MAX_THREADS)
}

pub(super) fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
