//! What is told of a match while it is played: [`watch`] shows its games, [`events`] writes all that
//! happens as JSON, [`line_log`] all that is said.

pub mod events;
pub mod line_log;
pub mod watch;
