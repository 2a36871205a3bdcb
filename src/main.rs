//! The `adoube` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    adoube::cli::run()
}
