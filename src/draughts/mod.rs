//! The rules of international draughts on 100 squares, and the text formats for positions, moves
//! and games.
//!
//! Source of the rules: the official rules of the FMJD, chapters 2 to 9, cited as `FMJD 4.13`.

pub(crate) mod bitboard;
#[cfg(not(feature = "internals"))]
pub(crate) mod board;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod board;
#[cfg(not(feature = "internals"))]
pub(crate) mod book;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod book;
mod capture_graph;
#[cfg(not(feature = "internals"))]
pub(crate) mod epd;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod epd;
pub(crate) mod fen;
pub(crate) mod few_pieces;
pub(crate) mod frisian;
mod game;
#[cfg(not(feature = "internals"))]
pub(crate) mod hub;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod hub;
pub(crate) mod movegen;
pub(crate) mod moves;
pub mod notation;
pub mod pdn;
pub(crate) mod perft;
pub(crate) mod position;
#[cfg(not(feature = "internals"))]
pub(crate) mod sheet;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod sheet;
pub(crate) mod square;
pub(crate) mod variant;
pub(crate) mod zobrist;

pub use crate::base::side::Side;
pub use bitboard::{Bitboard, Direction};
pub use board::{Board, Kind};
pub use epd::{Epd, EpdError};
pub use fen::{BoardError, FenError};
pub use few_pieces::FewPieces;
pub use moves::{IntoIter, Move, MoveList};
pub use notation::MoveError;
pub use pdn::{Game, IllegalMove};
pub use position::{Outcome, Position};
pub use square::Square;
pub use variant::Variant;
