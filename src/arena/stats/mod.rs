//! Statistics of match results.
//!
//! A [`Tally`] counts games and [`Pairs`] counts game pairs, from which it computes [`elo`].
//! [`ratings`] rates all players of a tournament, [`sprt`] stops a match as soon as it is decided.
//! Every result is finite for every input; where a formula would diverge, a comment gives the
//! replacement.

pub(crate) mod elo;
mod pairs;
pub(crate) mod ratings;
pub(crate) mod sprt;
mod tally;

pub use elo::Estimate;
pub use pairs::Pairs;
pub use tally::{Tally, points_text};

/// Below this number of games neither Elo nor ratings are shown: the error bar exceeds nearly every
/// real difference between engines.
pub(crate) const MIN_GAMES: u64 = 10;
