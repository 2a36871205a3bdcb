//! The rules of chess, and the text formats for positions, moves and games.
//!
//! Comments cite three editions of the FIDE Laws: `Par.` is a paragraph of the 1928 Laws, `Art.` an
//! article of 1930, and `FIDE 2009, 3.8` is article 3.8 of 2009. An id such as C-10 or W-05
//! identifies a behaviour that the Laws require of a program; `adoube laws list --coverage` prints
//! all of them.
//!
//! [`Position::outcome`] detects checkmate, stalemate and insufficient material. The other draws
//! depend on the game: [`Position::key`] and [`Game::occurrences`] detect repetitions, and
//! [`Position::halfmove_clock`] counts towards the 50-move rule.
//!
//! ```
//! use adoube::chess::{Game, Position};
//!
//! /// Returns how the game ended, or `None` if it goes on.
//! fn ending_of(game: &Game) -> Option<String> {
//!     let position = game.position();
//!     if let Some(outcome) = position.outcome() {
//!         Some(outcome.to_string())
//!     } else if game.occurrences() >= 3 {
//!         Some("threefold repetition".to_owned())
//!     } else if position.halfmove_clock() >= 100 {
//!         Some("50-move rule".to_owned())
//!     } else {
//!         None
//!     }
//! }
//!
//! let mut game = Game::new();
//! let mut replies = ["Nf3", "Nf6", "Ng1", "Ng8"].iter().cycle();
//! let ending = loop {
//!     if let Some(ending) = ending_of(&game) {
//!         break ending;
//!     }
//!     let text = replies.next().expect("a cycle does not end");
//!     let m = game.position().parse_san(text)?;
//!     game.push(m, "")?;
//! };
//! assert_eq!((ending.as_str(), game.moves().count()), ("threefold repetition", 8));
//!
//! let mated: Position = "R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1".parse()?;
//! let ended = ending_of(&Game::from_position(mated));
//! assert_eq!(ended.as_deref(), Some("checkmate, White wins"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

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
pub use square::{File, Rank, Square, SquareError};

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
