//! What is reported of a match: [`watch`] passes on its moves while they are played, [`live`] has the
//! running games as spectators see them, [`events`] writes all that happens as JSON, [`headline()`] is the
//! score in one line, [`tables`] are those of standings, [`rounds`] tells tournaments round by round,
//! [`report`] makes one page of the whole.

pub mod events;
mod headline;
pub mod live;
pub mod report;
pub mod rounds;
pub mod tables;
pub mod watch;

pub use headline::headline;
