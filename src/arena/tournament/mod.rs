//! Tournaments, which play all games of a schedule, several at a time, and store the results.
//!
//! A [`Tournament`] plays the games of its [`schedule`] and counts the results in its
//! [`Standings`]. The pairings of a round may depend on earlier results ([`swiss`] and `rounds`).
//! [`config`] contains the settings of a match, [`journal`] stores a match on disk, [`merge`]
//! merges the shards of a match, and [`cores`] binds games to processors. In tournaments between
//! people, the players register ([`registration`]), the state is stored in FIDE's report format
//! ([`trf`], with the points in `scoring`), and standings use [`tie_breaks`].

pub(crate) mod berger;
mod board_result;
pub(crate) mod bracket;
pub(crate) mod config;
pub(crate) mod cores;
pub(crate) mod dutch;
pub mod journal;
mod matching;
pub(crate) mod merge;
mod paired_rounds;
mod queue;
pub mod registration;
mod rounds;
mod run;
pub mod schedule;
pub(crate) mod scoring;
mod standings;
pub(crate) mod swiss;
pub mod tie_breaks;
pub mod trf;

pub use run::{Tournament, TournamentError};
pub use standings::{Faults, Standings};
