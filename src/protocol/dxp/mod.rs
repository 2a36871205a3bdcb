//! DXP, the *DamExchange protocol*: two draughts programs play games over a network connection.
//!
//! The *initiator* requests a game (`R`) and the *follower* accepts it (`A`). The programs then
//! send moves (`M`) in turn, until the side to move announces the end of the game (`E`) instead of
//! moving and the other side confirms it. The initiator can then request another game.
//!
//! Source: the protocol's web pages at `mesander.nl/damexchange` (`edxplg2.htm` and the pages
//! linked from it for the messages, `esocket.htm` for the connection).

pub mod game;
pub mod link;
pub mod message;
pub(crate) mod session;

/// The TCP port assigned to the protocol.
pub(crate) const PORT: u16 = 27531;
