//! Presentation of matches. [`watch`] notifies watchers of moves, [`live`] tracks the running games
//! for spectators, and [`events`] writes a JSON event log. [`headline()`] is the score in one line,
//! [`tables`] and [`rounds`] prepare the tables, and [`report`] generates an HTML report.

pub mod events;
mod headline;
pub mod live;
pub mod report;
pub mod rounds;
pub mod tables;
pub mod watch;

pub use headline::headline;
