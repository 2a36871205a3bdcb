//! The engines of a match: an [`entrant`] says what to run, a [`process`] runs it, with a [`guard`] that
//! ends it should the arena be killed, a [`player`] has it play; [`talk`] is what the protocols, `uci`,
//! `hub` and `dxp`, have in common, [`line_log`] keeps all that is said.

pub(in crate::arena) mod dxp;
pub mod entrant;
pub mod guard;
pub(in crate::arena) mod hub;
pub mod line_log;
pub mod player;
pub mod process;
pub mod talk;
pub(in crate::arena) mod uci;
