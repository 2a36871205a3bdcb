//! The languages engines and interfaces speak: a line is parsed into a typed command, a reply is a
//! type that prints itself.

pub mod uci;
pub mod wire;
