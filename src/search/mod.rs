//! Finding good moves: what every board game's search shares, and each game's own node loop.
//!
//! The transposition table, limits, time, iterative deepening, threads and reports are here and
//! know no game. A game brings a [`driver::Searcher`]: its node loop, quiescence and move ordering.

mod callback;
pub mod chess;
pub mod clock;
pub mod constants;
pub mod depth;
pub mod draughts;
pub mod driver;
pub mod kind;
pub mod limits;
mod line;
mod node;
mod path;
pub mod report;
pub mod score;
pub mod stop;
pub mod tt;
pub mod window;

pub use chess::ChessEngine;
pub use draughts::DraughtsEngine;
pub use driver::Options;
pub use limits::Limits;
pub use report::{Info, Report, SearchResult};
pub use score::Score;
pub use stop::StopHandle;
