//! Runs the search of a game: iterative deepening with aspiration windows on all threads (Lazy SMP,
//! after Daniel Homan's and Julien Marcel's engines).
//!
//! The driver does not depend on the rules of a game. A [`Searcher`] contributes the node search.
//! The driver gives it a [`Worker`], which counts nodes, checks whether to stop and holds the
//! shared table. All threads search the same root and exchange results only through the table.

mod deepening;
mod election;
mod engine;
mod info;
mod options;
mod root_move;
mod searcher;
mod worker;

pub use engine::{Engine, ResourceError, STACK};
pub use options::Options;
pub use root_move::{SearchedRootMove, TablebaseRank};
pub use searcher::{Root, RootOf, Searchable, Searcher};
pub use worker::Worker;
