//! The engines of a match. An [`entrant`] describes an engine, a [`process`] runs it, a [`link`]
//! exchanges lines with it and a [`player`] plays games with it over a [`protocol`]. A [`guard`]
//! kills engines that outlive the arena, and [`line_log`] logs every line.

pub mod announced;
pub mod answer;
pub(in crate::arena) mod dxp;
pub mod entrant;
pub mod failure;
pub mod guard;
pub(in crate::arena) mod hub;
pub mod line_log;
pub mod link;
pub mod player;
pub mod process;
pub mod protocol;
pub mod strays;
pub(in crate::arena) mod uci;
