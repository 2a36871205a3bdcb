//! DXP, the *DamExchange protocol*: two draughts programs play games over a network connection.
//!
//! The *initiator* requests a game (`R`) and the *follower* accepts it (`A`). Moves (`M`) then
//! alternate, until the side to move sends the end (`E`) instead of a move and the other side
//! confirms it. The initiator can then request another game.
//!
//! Source: the protocol's pages at `mesander.nl/damexchange` (`edxplg2.htm` and the pages linked
//! from it; the connection itself in `esocket.htm`).

pub mod game;
pub mod link;
pub mod message;
pub(crate) mod session;

/// The TCP port assigned to the protocol.
pub(crate) const PORT: u16 = 27531;
