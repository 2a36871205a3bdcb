//! Values of options that set a number of threads. The number is limited, because too many threads
//! would exhaust the whole machine, not only fail the command.

use clap::builder::RangedU64ValueParser;

/// Maximum number of threads or parallel jobs; also the maximum of the UCI option `Threads`.
const MAX_THREADS: u64 = 512;

pub(super) fn number() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(1..=MAX_THREADS)
}

pub(super) fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
