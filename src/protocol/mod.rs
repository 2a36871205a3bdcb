//! The protocols between engines and their users: UCI, Hub and DXP. Every line, in either
//! direction, has a type that can be parsed and printed, so that engines and programs that drive
//! engines share one grammar.

pub mod dxp;
pub(crate) mod failure;
pub mod hub;
pub(crate) mod log_file;
pub(crate) mod search_thread;
pub(crate) mod session;
pub mod setting;
pub(crate) mod strength;
pub mod uci;
pub(crate) mod wire;
