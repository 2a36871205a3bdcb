//! The engines of a match: an [`entrant`] says what to run, a [`process`] runs it, with a [`guard`] that
//! ends it should the arena be killed, a [`link`] carries its lines, a [`player`] has it play;
//! [`protocol`] is what `uci`, `hub` and `dxp` have in common, [`line_log`] keeps all that is said;
//! [`announced`] checks what an engine is to be set to.

pub mod announced;
pub(in crate::arena) mod dxp;
pub mod entrant;
pub mod guard;
pub(in crate::arena) mod hub;
pub mod line_log;
pub mod link;
pub mod player;
pub mod process;
pub mod protocol;
pub mod strays;
pub(in crate::arena) mod uci;
