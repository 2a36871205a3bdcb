//! International draughts on 100 squares: its rules, and positions, moves and games as text.
//!
//! Source of the rules: the official rules of the FMJD, chapters 2 to 9, cited by article (`4.13`).

pub mod bitboard;
pub mod board;
pub mod book;
pub mod epd;
pub mod fen;
pub mod few_pieces;
pub mod frisian;
mod game;
pub mod hub;
pub mod movegen;
pub mod moves;
pub mod notation;
pub mod pdn;
pub mod perft;
pub mod position;
pub mod sheet;
pub mod square;
pub mod variant;
pub mod zobrist;

pub use crate::base::side::Side;
pub use bitboard::{Bitboard, Direction};
pub use board::{Board, Kind};
pub use epd::Epd;
pub use fen::FenError;
pub use moves::{Move, MoveList};
pub use notation::MoveError;
pub use pdn::Game;
pub use position::Position;
pub use square::Square;
pub use variant::Variant;
