//! The laws of the games made executable: a referee for four editions of them.
//!
//! [`Referee`] takes an [`Event`](event::Event) and answers with [`Ruling`](ruling::Ruling)s, each with
//! its article. It reads no clock and no file; times come in with the events. Which [`Edition`] says
//! what stands in one file for each (`fide1928`, `fide1930`, `fide2009`, `fmjd`; `early` has what the
//! first two both say); what they share is done once, in the [`referee`]. [`ruled`] is what a game must tell of its positions,
//! [`regulations`] what an event settles, [`read`] the language of events, [`any`] a referee of either
//! game that is spoken to in it, [`complete`] what can come next in a line of it, [`log`] files of it. [`clock`] counts time, [`mating`] says who can still win at chess,
//! [`perpetual`] whether check goes on for ever, [`catalogue`] the behaviours that the laws are about.

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
mod fmjd;
pub mod log;
pub mod mating;
pub mod perpetual;
pub mod read;
pub mod referee;
pub mod regulations;
pub mod rule;
pub mod ruled;
pub mod ruling;
pub mod time;

pub use edition::Edition;
pub use referee::Referee;
pub use rule::Rule;
