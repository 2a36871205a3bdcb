//! The engines of a match. An [`entrant`] describes an engine, a [`process`] runs it, and a
//! [`link`] exchanges lines with it. A [`player`] plays games and an [`analysis`] searches
//! positions with the engine, both over a [`protocol`]. A [`guard`] kills engines that outlive the
//! arena, and [`line_log`] logs every line. A [`warning`] reports a violation of the protocol that
//! does not lose the game.

pub(crate) mod analysis;
pub(crate) mod announced;
pub(crate) mod answer;
pub(in crate::arena) mod dxp;
pub mod entrant;
pub(crate) mod failure;
pub(crate) mod guard;
pub(crate) mod hub;
pub(crate) mod line_log;
pub mod link;
pub(crate) mod player;
pub mod process;
pub(crate) mod protocol;
pub(crate) mod strays;
pub(crate) mod uci;
pub mod warning;
