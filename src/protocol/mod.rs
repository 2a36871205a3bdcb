//! The languages engines and interfaces speak: a line is parsed into a typed command, a reply is a
//! type that prints itself.

pub mod dxp;
pub mod hub;
pub mod uci;
pub mod wire;
pub mod worker;
