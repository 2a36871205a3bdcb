//! The integration tests, one binary. Each module says what it proves.

mod architecture;
mod pgn;
mod position;
mod samples;
mod san;
