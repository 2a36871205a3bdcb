//! A single game between two engines, arbitrated by the [`Referee`](crate::laws::Referee).
//!
//! [`play`] plays a game according to the [`Rules`], from one of the [`openings`] to its
//! [`ending`]. It returns a [`GameRecord`], which [`record`] writes as PGN or PDN. [`contest`]
//! abstracts over the differences between chess and draughts.

mod chess;
pub mod contest;
mod draughts;
pub(crate) mod ending;
pub mod openings;
mod play;
pub(crate) mod record;
mod rules;

pub use contest::Tables;
pub(crate) use play::play;
pub use record::{GameRecord, PlayedMove};
pub use rules::{Adjudication, DecidingScores, DrawRule, Rules, WinRule};
