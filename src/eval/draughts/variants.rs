//! What a position is worth in the games for which no network is trained: men, kings, and how far men have
//! come, in hundredths of a man.

use crate::base::side::Side;
use crate::draughts::{Bitboard, Board};

/// What a game values.
pub(super) struct Terms {
    man: i32,
    king: i32,
    /// A man by its row, from the one on which it stands at the start behind all others.
    rows: [i32; 10],
}

/// The first king wins: a man is worth more with every row.
pub(super) static BREAKTHROUGH: Terms =
    Terms { man: 100, king: 0, rows: [0, 0, 2, 5, 9, 15, 24, 40, 80, 0] };

/// A king tires, so it is worth less than in the normal game.
pub(super) static FRISIAN: Terms =
    Terms { man: 100, king: 250, rows: [0, 0, 2, 3, 4, 6, 9, 14, 22, 0] };

/// To have fewer pieces is better; a king can be made to take many.
pub(super) static LOSING: Terms = Terms { man: -100, king: -60, rows: [0; 10] };

impl Terms {
    /// The value of a position for `side`, which is to move.
    pub(super) fn value(&self, board: &Board, side: Side) -> i32 {
        self.of(board, side) - self.of(board, !side)
    }

    fn of(&self, board: &Board, side: Side) -> i32 {
        let (men, kings) = (board.men(side).relative_to(side), board.kings(side));
        let rows = self.rows.iter().enumerate().map(|(row, worth)| {
            // White's own first row is the last of the board.
            (men & Bitboard::row(9 - row)).len() as i32 * worth
        });
        men.len() as i32 * self.man + kings.len() as i32 * self.king + rows.sum::<i32>()
    }
}
