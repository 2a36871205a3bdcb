//! The integration tests, one binary. Each module says what it proves.

mod architecture;
mod arena;
mod arena_draughts;
mod arena_resume;
mod bitbase;
mod check;
mod client;
mod draughts_fuzz;
mod draughts_rules;
mod draughts_samples;
mod dxp;
mod fuzz;
mod hub;
mod mates;
mod pdn;
mod perft;
mod pgn;
mod position;
mod problems;
mod process;
mod readme;
mod rules;
mod samples;
mod san;
mod suite_cli;
mod uci;
