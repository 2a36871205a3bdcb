//! The rules of international draughts on 100 squares, and the text formats for positions, moves
//! and games.
//!
//! Source of the rules: the official rules of the FMJD, chapters 2 to 9, cited as `FMJD 4.13`.
//!
//! [`Position::outcome`] detects that the game is over because the side to move has no legal move
//! or a move count has reached its limit. A draw by repetition (FMJD 6.1) depends on earlier
//! positions: [`Game::occurrences`] counts how often the current position has occurred.
//!
//! ```
//! use adoube::draughts::{Game, Position, notation};
//!
//! let mut game = Game::from_position("W:WK50:BK6".parse()?);
//! let mut replies = ["50-45", "6-1", "45-50", "1-6"].iter().cycle();
//! let ending = loop {
//!     if let Some(outcome) = game.position().outcome() {
//!         break outcome.to_string();
//!     } else if game.occurrences() >= 3 {
//!         break "threefold repetition".to_owned();
//!     }
//!     let text = replies.next().expect("a cycle does not end");
//!     let m = notation::parse(game.position(), text)?;
//!     game.push(m, "")?;
//! };
//! assert_eq!(ending, "threefold repetition");
//!
//! let over: Position = "B:WK1:B".parse()?;
//! let outcome = over.outcome().map(|outcome| outcome.to_string());
//! assert_eq!(outcome.as_deref(), Some("no moves, White wins"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

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
pub(crate) mod rafle;
#[cfg(not(feature = "internals"))]
pub(crate) mod sheet;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod sheet;
pub(crate) mod square;
pub(crate) mod variant;
pub(crate) mod zobrist;

pub use crate::base::side::Side;
pub use bitboard::{Bitboard, Direction, Singles, Squares};
pub use board::{Board, Kind};
pub use epd::{Epd, EpdError};
pub use fen::{BoardError, FenError, FenErrorKind};
pub use few_pieces::FewPieces;
pub use moves::{IntoIter, Move, MoveList};
pub use notation::MoveError;
pub use pdn::{Game, IllegalMove};
pub use position::{Outcome, Position};
pub use square::{Square, SquareError};
pub use variant::{Variant, VariantError};
