//! The protocols between engines and their users: UCI, Hub and DXP. Each line, in either direction,
//! is a type that is parsed from text and printed as text, so that engines and programs that drive
//! engines share one grammar.

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
