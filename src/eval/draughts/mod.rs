//! Evaluation of draughts positions.
//!
//! [`Evaluator`] is the seam: the search knows nothing else of this folder.

use crate::base::side::Side;
use crate::draughts::{Bitboard, Position};

/// What a man is worth; all other values are in hundredths of it.
pub const MAN: i32 = 100;
/// What a king is worth while there are men to be taken.
const KING: i32 = 300;

/// One thread's evaluator.
#[derive(Clone, Debug, Default)]
pub struct Evaluator;

impl Evaluator {
    /// The value of `position` in hundredths of a man, seen from the side to move. The side to move
    /// must have nothing to capture for the value to mean much.
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        let of = |side: Side| {
            let board = position.board();
            let men = board.men(side).relative_to(side);
            let advanced: u32 =
                (0..10).map(|row| (men & Bitboard::row(row)).len() * (9 - row as u32)).sum();
            men.len() as i32 * MAN + board.kings(side).len() as i32 * KING + advanced as i32
        };
        let side = position.side();
        of(side) - of(!side)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn material_counts_from_the_side_to_move() {
        for (fen, least, most) in [
            ("W:W31-50:B1-20", 0, 0),
            ("W:W31-50:B1-19", 50, 150),
            ("B:W31-50:B1-19", -150, -50),
            ("W:WK46,31:B1,2", 100, 400),
        ] {
            let value = Evaluator.evaluate(&fen.parse().expect(fen));
            assert!((least..=most).contains(&value), "{fen}: {value}");
        }
    }
}
