//! What is reported of a match: [`watch`] passes on its moves while they are played, [`events`] writes
//! all that happens as JSON, [`report`] makes one page of the whole, [`rounds`] tells tournaments round by
//! round. [`page`] is what pages for a browser have in common.

pub mod events;
pub mod page;
pub mod report;
pub mod rounds;
pub mod watch;
