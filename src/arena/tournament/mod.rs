//! A tournament: all games of a schedule, several at a time, their standings, and how they are kept.
//!
//! A [`Tournament`] plays the games of its [`schedule`], whose rounds may follow from results ([`swiss`]
//! and `rounds`), and counts them in its [`Standings`]. A [`journal`] keeps a match on disk; [`merge`]
//! makes one match of shares that were played apart; [`cores`] binds games to processors.

pub mod cores;
mod drawn;
pub mod dutch;
pub mod journal;
mod matching;
pub mod merge;
mod queue;
mod rounds;
mod run;
pub mod schedule;
mod standings;
pub mod swiss;

pub use run::{Tournament, TournamentError};
pub use standings::{Faults, Standings};
