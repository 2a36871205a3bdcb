//! Tables of endings: what is known of every position with few pieces.

pub mod bitbase;
