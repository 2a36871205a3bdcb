//! The protocols of engines and interfaces. Each line, of either side, is a type that is parsed from
//! its text and prints itself, so that an engine and a program that drives engines share one grammar.

pub mod dxp;
pub mod failure;
pub mod hub;
pub mod log_file;
pub mod search_thread;
pub mod session;
pub mod setting;
pub mod strength;
pub mod uci;
pub mod wire;
