//! What is told of a match: [`watch`] shows its games while they are played, [`events`] writes all that
//! happens as JSON, [`report`] shows what happened as one page.

pub mod events;
pub mod report;
pub mod watch;
