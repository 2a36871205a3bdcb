//! What the laws of the games say beside the moves: clocks, and who can still win.

pub mod clock;
pub mod mating;
