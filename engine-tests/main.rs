//! The integration tests, one binary. Each module says what it proves.

mod architecture;
mod arena;
mod client;
mod fuzz;
mod pgn;
mod position;
mod process;
mod readme;
mod samples;
mod san;
mod uci;
