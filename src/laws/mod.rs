//! A referee that applies the laws of chess and draughts: four FIDE editions and the FMJD rules.
//!
//! [`Referee`] takes an [`Event`](event::Event) and answers with [`Ruling`]s, each with its article. It reads no clock
//! and no file; times come in with the events.
//!
//! - `editions`: one file for each text, with its articles ([`edition`], [`rule`]), the [`catalogue`] of
//!   behaviours and the [`index`] of the games in `epd/laws/`.
//! - [`event`]: the events and their language: its grammar, reading, writing, completion, [`help`] and
//!   [`log`] files.
//! - [`referee`]: judging, under the [`regulations`] of a tournament; [`ruled`]: the queries that the
//!   referee makes to a position; [`clock`]: time controls and clocks; [`mating`]: players who can still
//!   win at chess, and perpetual check.
//! - [`any`]: a referee of either game that takes lines.

pub mod any;
pub mod clock;
mod editions;
pub mod event;
pub mod mating;
pub mod referee;
pub mod ruled;

pub use any::AnyReferee;
pub use editions::{catalogue, edition, index, rule};
pub use event::{help, language, log, time};
pub use referee::{regulations, ruling};

pub use edition::Edition;
pub use referee::Referee;
pub use regulations::Regulations;
pub use rule::Rule;
pub use ruling::{Ruling, Rulings};
