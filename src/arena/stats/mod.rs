//! What the results of a match prove.
//!
//! A [`Tally`] counts games, [`Pairs`] counts pairs of games and says what they prove of two players
//! ([`elo`]), [`ratings`] rates all players of a tournament at once, [`sprt`] stops a match as soon as
//! it is decided. Every figure is finite for every input: where a formula would not be, the comment
//! says what is reported instead.

pub mod elo;
mod pairs;
pub mod ratings;
pub mod sprt;
mod tally;

pub use elo::Estimate;
pub use pairs::Pairs;
pub use tally::{Tally, points_text};

/// Fewer games than this tell nothing of strength: the error is greater than nearly every difference
/// between engines, so neither Elo nor rating is shown.
pub const MIN_GAMES: u64 = 10;
