//! A tournament: all games of a schedule, several at a time, their standings, and their files.
//!
//! A [`Tournament`] plays the games of its [`schedule`], whose rounds may follow from results ([`swiss`]
//! and `rounds`), and counts them in its [`Standings`]. A [`config`] has the settings of a match and a [`journal`] stores it; [`merge`]
//! makes one match of shares that were played apart; [`cores`] binds games to processors.

pub mod config;
pub mod cores;
pub mod dutch;
pub mod journal;
mod matching;
pub mod merge;
mod paired_rounds;
mod queue;
mod rounds;
mod run;
pub mod schedule;
mod standings;
pub mod swiss;

pub use run::{Tournament, TournamentError};
pub use standings::{Faults, Standings};
