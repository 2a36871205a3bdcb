//! The rules of chess, and the text formats for positions, moves and games.
//!
//! Comments cite three editions of the FIDE Laws: `Par.` is a paragraph of the 1928 Laws, `Art.` an
//! article of 1930, and `FIDE 2009, 3.8` is article 3.8 of 2009. An id such as C-10 or W-05
//! identifies a row of `laws::catalogue`, which lists every decision that the Laws require of a
//! program.

pub(crate) mod attacks;
pub(crate) mod bitboard;
pub(crate) mod board;
#[cfg(not(feature = "internals"))]
pub(crate) mod epd;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod epd;
#[cfg(not(feature = "internals"))]
pub(crate) mod fen;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod fen;
pub(crate) mod illegal;
pub(crate) mod movegen;
#[cfg(not(feature = "internals"))]
pub(crate) mod moves;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod moves;
#[cfg(not(feature = "internals"))]
pub(crate) mod naming;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod naming;
#[cfg(not(feature = "internals"))]
pub(crate) mod notation;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod notation;
pub(crate) mod odds;
pub(crate) mod perft;
pub mod pgn;
pub(crate) mod piece;
#[cfg(not(feature = "internals"))]
pub(crate) mod polyglot;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod polyglot;
pub(crate) mod position;
pub(crate) mod san;
#[cfg(not(feature = "internals"))]
pub(crate) mod setup;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod setup;
pub(crate) mod square;
pub(crate) mod uci;
pub(crate) mod zobrist;

pub use crate::base::side::Side;
pub use bitboard::Bitboard;
pub use board::Board;
pub use epd::{Epd, EpdError};
pub use fen::{FenError, Style};
pub use moves::{IntoIter, Move, MoveError, MoveKind, MoveList};
pub use pgn::{Game, IllegalMove};
pub use piece::{Kind, Piece};
pub use position::{Outcome, Position};
pub use setup::{Setup, SetupError};
pub use square::{File, Rank, Square};

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
