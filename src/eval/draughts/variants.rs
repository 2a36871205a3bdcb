//! Hand-written evaluation of the variants without a trained network: men, kings and the advance of
//! men, in hundredths of a man.

use crate::base::side::Side;
use crate::draughts::{Bitboard, Board};

pub(super) struct Terms {
    man: i32,
    king: i32,
    /// The bonus of a man on each row, counted from its own back row.
    rows: [i32; 10],
}

/// The first king wins: the bonus of a man grows with each row.
pub(super) static BREAKTHROUGH: Terms =
    Terms { man: 100, king: 0, rows: [0, 0, 2, 5, 9, 15, 24, 40, 80, 0] };

/// The moves of a king are restricted, so it is worth less than in the normal game.
pub(super) static FRISIAN: Terms =
    Terms { man: 100, king: 250, rows: [0, 0, 2, 3, 4, 6, 9, 14, 22, 0] };

/// Fewer pieces are better; a king can be forced to capture many pieces.
pub(super) static LOSING: Terms = Terms { man: -100, king: -60, rows: [0; 10] };

impl Terms {
    pub(super) fn value(&self, board: &Board, side: Side) -> i32 {
        self.of(board, side) - self.of(board, !side)
    }

    fn of(&self, board: &Board, side: Side) -> i32 {
        let (men, kings) = (board.men(side).relative_to(side), board.kings(side));
        let rows = self.rows.iter().enumerate().map(|(row, worth)| {
            // White's own first row is the last row of the board.
            (men & Bitboard::row(9 - row)).len() as i32 * worth
        });
        men.len() as i32 * self.man + kings.len() as i32 * self.king + rows.sum::<i32>()
    }
}
