//! DXP, the *DamExchange protocol*: two draughts programs play games over a connection.
//!
//! The *initiator* asks for a game (`R`), the *follower* accepts (`A`); then moves (`M`) alternate,
//! until the side to move sends the end (`E`) instead of a move and the other confirms it. The
//! initiator can then ask for another game.
//!
//! Source: the protocol's pages at `mesander.nl/damexchange` (`edxplg2.htm` and what it links to;
//! the connection itself in `esocket.htm`).

pub mod game;
pub mod link;
pub mod message;
pub mod session;

/// The port of the protocol.
pub const PORT: u16 = 27531;
