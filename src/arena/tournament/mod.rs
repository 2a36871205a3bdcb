//! Tournaments: they play all games of a schedule, several at a time, and store the results.
//!
//! A [`Tournament`] plays the games of its [`schedule`] and counts them in its [`Standings`].
//! Rounds may depend on earlier results ([`swiss`] and `rounds`). A [`config`] holds the settings of a match,
//! a [`journal`] stores the match on disk, [`merge`] joins the shards of a match, and [`cores`]
//! binds games to processors. Tournaments of people are files in FIDE's format [`trf`], with the
//! tie-breaks in [`tie_breaks`].

pub(crate) mod bracket;
pub(crate) mod config;
pub(crate) mod cores;
pub(crate) mod dutch;
pub mod journal;
mod matching;
pub(crate) mod merge;
mod paired_rounds;
mod queue;
mod rounds;
mod run;
pub mod schedule;
mod standings;
pub(crate) mod swiss;
pub mod tie_breaks;
pub mod trf;

pub use run::{Tournament, TournamentError};
pub use standings::{Faults, Standings};
