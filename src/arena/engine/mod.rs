//! The engines of a match: an [`entrant`] says what to run, a [`process`] runs it, with a [`guard`] that
//! ends it should the arena be killed, a [`link`] carries its lines, a [`player`] has it play;
//! [`protocol`] is what `uci`, `hub` and `dxp` have in common, an [`answer`] has its move and the search that led
//! to it, a [`failure`] says how an engine failed; [`line_log`] logs every line; [`announced`] checks settings
//! against the options that an engine announces.

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
