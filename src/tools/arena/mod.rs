//! Matches between engines: who plays whom, on what clock, by which rules, and what it proves.
//!
//! The arena trusts no engine. It keeps the clocks itself (from the moment a line arrives, stamped
//! by the thread that reads it), checks each move, ends each game by the laws, and names who is at
//! fault when a game ends otherwise. A broken engine loses its game and is started anew; the match
//! goes on. No engine process outlives its [`Process`](process::Process).
//!
//! A [`contest`] is a game that can be played here, `chess` or `draughts`. [`entrant`] says what to
//! run, [`process`] runs it, with a [`guard`] that ends it should the arena be killed, [`player`] has it play, [`talk`] is what the protocols, `uci`, `hub`
//! and `dxp`, have in common, [`game`] plays one game before the referee of the [`laws`](crate::laws), [`ending`] says how it came out, [`openings`]
//! and [`schedule`] say which, `rounds` what round follows from results, [`tournament`] plays them all, on
//! the processors ([`cores`]) that it should, [`stats`], [`ratings`] and [`sprt`] say what it means,
//! [`record`] writes PGN and PDN, [`journal`] keeps a match on disk, [`merge`] makes one of shares that
//! were played apart, [`follow`] tells what happens while it is played,
//! [`report`] shows what happened.

mod chess;
pub mod contest;
pub mod cores;
mod draughts;
mod dxp;
pub mod ending;
pub mod entrant;
pub mod follow;
pub mod game;
pub mod guard;
mod hub;
pub mod journal;
pub mod merge;
pub mod openings;
pub mod player;
pub mod process;
pub mod ratings;
pub mod record;
pub mod report;
mod rounds;
pub mod schedule;
pub mod sprt;
pub mod stats;
pub mod talk;
pub mod tournament;
mod uci;
