//! Static evaluation: what a position is worth without looking ahead.

pub mod chess;
pub mod draughts;
pub mod pair;
