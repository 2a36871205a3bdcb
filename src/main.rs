//! The `adoube` program. Everything is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    adoube::cli::run()
}
