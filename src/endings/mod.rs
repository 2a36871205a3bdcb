//! Endgame tables: the value of every position with few pieces under best play.

pub mod bitbase;
pub mod syzygy;
