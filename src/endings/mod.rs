//! Endgame tables: the value of every position with few pieces under best play.

pub(crate) mod bitbase;
pub mod syzygy;
