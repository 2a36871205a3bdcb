//! Chess: its rules, and positions, moves and games as text.
//!
//! Articles are those of three editions of the FIDE Laws: `Par.` is a paragraph of 1928, `Art.` an
//! article of 1930, and a number alone (`3.8`) an article of 2009. An id such as C-10 or W-05 is a row
//! of the catalogue of what the laws make a program decide, in `laws::coverage`.

pub mod attacks;
pub mod bitboard;
pub mod board;
pub mod epd;
pub mod fen;
pub mod illegal;
pub mod movegen;
pub mod moves;
pub mod naming;
pub mod notation;
pub mod odds;
pub mod perft;
pub mod pgn;
pub mod piece;
pub mod polyglot;
pub mod position;
pub mod san;
pub mod setup;
pub mod square;
pub mod uci;
pub mod zobrist;

pub use crate::base::side::Side;
pub use bitboard::Bitboard;
pub use board::Board;
pub use epd::Epd;
pub use fen::FenError;
pub use moves::{Move, MoveError, MoveList};
pub use pgn::Game;
pub use piece::{Kind, Piece};
pub use position::Position;
pub use setup::Setup;
pub use square::{File, Rank, Square};

/// The positions after each of at most `plies` random moves.
#[cfg(test)]
pub(crate) fn random_game(
    start: Position,
    plies: usize,
    rng: &mut crate::base::rng::Rng,
) -> Vec<Position> {
    let next = |position: &Position| {
        let moves = position.legal_moves();
        (!moves.is_empty()).then(|| position.play(moves[rng.below(moves.len())]))
    };
    std::iter::successors(Some(start), next).skip(1).take(plies).collect()
}
