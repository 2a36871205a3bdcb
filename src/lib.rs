//! Adoube: an engine for chess and draughts whose rules are proved, to be read as well as run.
//!
//! The folders are layers: each imports only from those above it in this list. `engine-tests`
//! checks that.

pub mod arena;
pub mod base;
pub mod chess;
pub mod draughts;
pub mod endings;
pub mod eval;
pub mod laws;
pub mod protocol;
pub mod record;
pub mod search;
pub mod tools;
