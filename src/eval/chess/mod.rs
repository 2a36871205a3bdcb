//! Evaluation of chess positions.
//!
//! [`Evaluator`] is the seam: the search knows nothing else of this folder, and a trained network
//! can take the place of the hand-written terms behind it.

use crate::chess::{Kind, Position};

/// One thread's evaluator, with whatever it caches.
#[derive(Clone, Debug, Default)]
pub struct Evaluator {}

impl Evaluator {
    /// The value of `position` in centipawns, seen from the side to move.
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        let board = position.board();
        let side = position.side();
        [
            (Kind::Pawn, 100),
            (Kind::Knight, 310),
            (Kind::Bishop, 330),
            (Kind::Rook, 500),
            (Kind::Queen, 950),
        ]
        .into_iter()
        .map(|(kind, value)| {
            (board.pieces(side, kind).len() as i32 - board.pieces(!side, kind).len() as i32) * value
        })
        .sum()
    }
}
