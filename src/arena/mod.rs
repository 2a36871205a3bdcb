//! Matches between engines: pairings, clocks, adjudication, and statistics of the results.
//!
//! The arena does not trust the engines. It measures their time itself, from the arrival time of
//! each line. It checks every move and ends every game according to the laws. An engine that fails
//! loses its game and is restarted; the failure is reported, and the match continues. No engine
//! process outlives its [`Process`](engine::process::Process).
//!
//! [`engine`] runs the engines and communicates with them, [`game`] plays one game under the
//! referee of the [`laws`](crate::laws), [`tournament`] plays all games and stores them, [`stats`]
//! computes Elo, ratings and SPRT, and [`show`] presents the results.

pub mod engine;
pub mod game;
pub mod show;
pub(crate) mod stats;
pub mod tournament;
