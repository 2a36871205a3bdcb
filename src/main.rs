//! The `adoube` program: the command line over the library.

// A test may fail by a slice.
#![cfg_attr(test, allow(clippy::string_slice))]

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run()
}
