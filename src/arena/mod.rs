//! Matches between engines: who plays whom, on what clock, by which rules, and what it proves.
//!
//! The arena trusts no engine. It keeps the clocks itself (from the moment a line arrives, stamped
//! by the thread that reads it), checks each move, ends each game by the laws, and says who is at
//! fault when a game ends otherwise. A broken engine loses its game and is restarted; the match
//! goes on. No engine process outlives its [`Process`](engine::process::Process).
//!
//! Five rooms: [`engine`] runs the engines and speaks to them, [`game`] plays one game before the
//! referee of the [`laws`](crate::laws), [`tournament`] plays all games and keeps them on disk,
//! [`stats`] says what they prove, [`show`] reports what happens.

pub mod engine;
pub mod game;
pub mod show;
pub mod stats;
pub mod tournament;
