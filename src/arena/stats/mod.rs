//! Statistics on match results.
//!
//! [`Tally`] counts games. [`Pairs`] counts game pairs and computes the Elo difference ([`elo`]).
//! [`ratings`] rates all players of a tournament, and [`sprt`] stops a match as soon as a
//! hypothesis is accepted. All results are finite for every input. If a formula would diverge, a
//! comment describes the replacement.

pub(crate) mod elo;
mod pairs;
pub(crate) mod ratings;
pub(crate) mod sprt;
mod tally;

pub use elo::Estimate;
pub use pairs::Pairs;
pub use tally::{Tally, points_text};

/// The minimum number of games before Elo and ratings are shown. With fewer games, the error bar is
/// wider than nearly every real difference between engines.
pub(crate) const MIN_GAMES: u64 = 10;
