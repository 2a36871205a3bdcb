//! One game between two engines, ruled on by the [`Referee`](crate::laws::Referee).
//!
//! [`play`] plays it from one of the [`openings`] by [`Rules`], to its [`ending`], and returns a
//! [`GameRecord`], which [`record`] writes as PGN or PDN. What all this needs to know of chess and of
//! draughts is a [`contest`].

mod chess;
pub mod contest;
mod draughts;
pub mod ending;
pub mod openings;
mod play;
pub mod record;
mod rules;

pub use contest::Tables;
pub use play::play;
pub use record::{GameRecord, PlayedMove};
pub use rules::{Adjudication, DrawRule, Rules, WhoSays, WinRule};
