//! The search: a driver shared by both games, and a node search for each game.
//!
//! The transposition table, limits, time management, iterative deepening, threads and reports do
//! not depend on the game. A game implements [`driver::Searcher`] with its node search, quiescence
//! search and move ordering.

pub mod chess;
pub mod clock;
pub(crate) mod constants;
pub(crate) mod depth;
pub(crate) mod draughts;
pub mod driver;
pub(crate) mod kind;
pub(crate) mod lag;
pub mod limits;
mod node;
mod path;
mod ranking;
mod reductions;
pub(crate) mod report;
pub(crate) mod score;
pub mod stop;
pub(crate) mod tt;
mod variation;
pub(crate) mod window;

pub use chess::ChessEngine;
pub use draughts::DraughtsEngine;
pub use driver::Options;
pub use limits::Limits;
pub use report::{Info, Report, SearchResult};
pub use score::Score;
pub use stop::StopHandle;
