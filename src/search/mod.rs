//! Finding good moves: what every board game's search shares, and each game's own node.
//!
//! The transposition table, limits, time, iterative deepening, threads and reports are here and
//! know no game. A game brings a [`driver::Searcher`]: its node, quiescence, ordering.

pub mod chess;
pub mod clock;
pub mod control;
pub mod draughts;
pub mod driver;
pub mod kind;
pub mod limits;
pub mod line;
pub mod report;
pub mod score;
pub mod tt;

pub use chess::ChessEngine;
pub use control::Control;
pub use draughts::DraughtsEngine;
pub use driver::Options;
pub use limits::Limits;
pub use report::{Info, Outcome, Report};
pub use score::Score;
