//! Presentation of matches. [`watch`] notifies watchers of moves, [`live`] tracks the running games
//! for spectators, and [`events`] writes a JSON event log. [`headline()`] formats the score in one
//! line, [`tables`], [`rounds`] and [`bracket`] prepare the tables, and [`report`] generates an HTML
//! report.

pub(crate) mod bracket;
pub mod events;
mod headline;
pub(crate) mod live;
pub(crate) mod report;
pub(crate) mod rounds;
pub(crate) mod tables;
pub mod watch;

pub(crate) use headline::headline;
