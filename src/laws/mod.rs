//! The laws of the games made executable: a referee for four editions of them.
//!
//! [`Referee`] takes an [`Event`](event::Event) and answers with [`Ruling`]s, each with
//! its article. It reads no clock and no file; times come in with the events. What an [`Edition`] says
//! is in a file of its own (`fide1928`, `fide1930`, `fide2009`, `fmjd`; `early` has what the first two
//! both say); what the editions share is done once, in the [`referee`].
//!
//! - [`ruled`]: what a game must tell of its positions; [`regulations`]: what an event settles.
//! - [`event`], [`read`], [`complete`]: the language in which events are told, its reader, and what can
//!   come next in a line; [`possible`]: what would be accepted; [`any`]: a referee of either game that
//!   takes such lines; [`language`]: in which he speaks;
//!   `says`: the laws in French; [`help`]: on the events; [`log`]: files of lines.
//! - [`clock`]: time controls and clocks; [`mating`]: who can still win at chess; [`perpetual`]: whether
//!   check goes on for ever; [`catalogue`]: the behaviours that the laws are about.

pub mod any;
pub mod catalogue;
pub mod clock;
pub mod complete;
mod early;
pub mod edition;
pub mod event;
mod fide1928;
mod fide1930;
mod fide2009;
mod fide2023;
mod fmjd;
mod french;
pub mod help;
pub mod index;
pub mod language;
pub mod log;
pub mod mating;
pub mod perpetual;
pub mod possible;
pub mod read;
pub mod referee;
pub mod regulations;
pub mod rule;
pub mod ruled;
pub mod ruling;
mod says;
pub mod time;

pub use any::AnyReferee;
pub use edition::Edition;
pub use referee::Referee;
pub use regulations::Regulations;
pub use rule::Rule;
pub use ruling::{Ruling, Rulings};
