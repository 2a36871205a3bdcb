//! Patterns of men: what the squares of a window hold, as one number that indexes a table of weights.
//!
//! A window is four rows by four columns, eight squares; the sixteen windows, two rows or columns
//! apart, overlap and cover the board. The number has a digit to the base three for each square:
//! empty (or a king), an own man, a man of the opponent. Half the windows are read as White sees
//! them, the others, which are the same turned half round, as Black does, so both share eight
//! tables. Such tables go back to M. Buro's for Othello (*From simple features to sophisticated
//! evaluation functions*, 1998); F. Letouzey brought them to draughts in Scan.

use crate::base::side::Side;
use crate::draughts::{Board, Square};

/// Windows of one side.
pub const WINDOWS: usize = 8;
/// Patterns of one window: three to the eighth.
pub const SIZE: usize = 6561;

/// How much a man adds to the number of each window, White's windows first.
static DELTAS: [[[u16; 2 * WINDOWS]; 64]; Side::NUM] = deltas();

const fn deltas() -> [[[u16; 2 * WINDOWS]; 64]; Side::NUM] {
    let mut deltas = [[[0; 2 * WINDOWS]; 64]; Side::NUM];
    let mut window = 0;
    while window < WINDOWS {
        let (top, left) = (window / 4 * 2, window % 4 * 2);
        let (mut digit, mut number) = (1, 1);
        while let Some(square) = Square::new(number) {
            let (row, column) = (square.row(), square.column());
            if row >= top && row < top + 4 && column >= left && column < left + 4 {
                let (here, turned) = (square.bit() as usize, square.turned().bit() as usize);
                deltas[0][here][window] = digit;
                deltas[1][here][window] = 2 * digit;
                deltas[1][turned][WINDOWS + window] = digit;
                deltas[0][turned][WINDOWS + window] = 2 * digit;
                digit *= 3;
            }
            number += 1;
        }
        window += 1;
    }
    deltas
}

/// The numbers of the patterns on a board, kept up from move to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(32))]
pub struct Patterns([u16; 2 * WINDOWS]);

impl Patterns {
    /// The patterns of a board.
    pub fn of(board: &Board) -> Self {
        Self([0; 2 * WINDOWS]).changed(&Board::default(), board)
    }

    /// The patterns of the board `after`, if these are those of `before`.
    #[inline(always)]
    pub fn changed(mut self, before: &Board, after: &Board) -> Self {
        for side in Side::ALL {
            let (old, new) = (before.men(side), after.men(side));
            for square in old - new {
                for (number, delta) in self.0.iter_mut().zip(delta(side, square)) {
                    *number = number.wrapping_sub(*delta);
                }
            }
            for square in new - old {
                for (number, delta) in self.0.iter_mut().zip(delta(side, square)) {
                    *number = number.wrapping_add(*delta);
                }
            }
        }
        self
    }

    /// Each window with its pattern, as a side sees it.
    pub fn each(&self) -> impl Iterator<Item = (Side, usize, usize)> + '_ {
        self.0
            .iter()
            .enumerate()
            .map(|(i, &number)| (Side::from_white(i < WINDOWS), i % WINDOWS, usize::from(number)))
    }

    /// The pattern of a window as White and as Black sees it.
    #[inline(always)]
    pub fn of_window(&self, window: usize) -> [usize; Side::NUM] {
        [usize::from(self.0[window]), usize::from(self.0[WINDOWS + window])]
    }
}

#[inline(always)]
fn delta(side: Side, square: Square) -> &'static [u16; 2 * WINDOWS] {
    &DELTAS[side.index()][usize::from(square.bit() & 63)]
}
