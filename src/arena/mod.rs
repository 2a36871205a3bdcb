//! Matches between engines: pairings, clocks, adjudication, and statistics of the results.
//!
//! The arena trusts no engine. It keeps the clocks itself, from the arrival time of each line. It
//! checks each move, ends each game by the laws, and reports which engine was at fault otherwise. A
//! broken engine loses its game and is restarted; the match continues. No engine process outlives
//! its [`Process`](engine::process::Process).
//!
//! [`engine`] runs the engines and talks to them, [`game`] plays one game under the referee of the
//! [`laws`](crate::laws), [`tournament`] plays all games and stores them, [`stats`] computes Elo,
//! ratings and SPRT, and [`show`] presents the results.

pub mod engine;
pub mod game;
pub mod show;
pub(crate) mod stats;
pub mod tournament;
