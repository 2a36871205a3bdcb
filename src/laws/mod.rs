//! A referee that applies the laws of chess and draughts: four FIDE editions and the FMJD rules.
//!
//! [`Referee`] takes an [`Event`](event::Event) and returns [`Ruling`]s, each of which cites an
//! article. It does no I/O and reads no clock, because the events contain the elapsed times.
//!
//! - `editions`: one module per text of the laws, with its articles ([`edition`], [`rule`]), the
//!   [`catalogue`] of required behaviours and the [`index`] of the games in `epd/laws/`.
//! - [`event`]: the events and their text format: parsing, writing, completion, [`help`] and
//!   [`log`] files.
//! - [`referee`]: rulings, under the [`regulations`] of a tournament.
//! - [`ruled`]: the queries that the referee makes to a position.
//! - [`clock`]: time controls and clocks.
//! - [`mating`]: whether a chess player can still win, and perpetual check.
//! - [`any`]: a referee for chess or draughts that takes lines of text.

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
