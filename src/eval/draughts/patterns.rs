//! Patterns of men. A pattern is the contents of a window of the board, encoded as a number that
//! indexes a table of weights.
//!
//! A window has four rows and four columns, with eight dark squares. Sixteen overlapping windows
//! cover the board, two rows or columns apart. Eight of the windows belong to White. The other
//! eight are White's windows rotated by 180 degrees and belong to Black, so both sides share eight
//! tables. A pattern number has one ternary digit per dark square: 0 for an empty square or a king,
//! 1 for a man of the window's owner, and 2 for a man of the opponent. Tables of this type go back
//! to M. Buro's work on Othello (*From simple features to sophisticated evaluation functions*,
//! 1998); F. Letouzey introduced them to draughts in Scan.

use crate::base::side::Side;
use crate::draughts::{Board, Square};

pub(crate) const WINDOWS: usize = 8;
/// The number of patterns per window: three to the power of eight.
pub(crate) const SIZE: usize = 6561;

/// The amount that a man adds to the pattern number of each window, by side and square of the man.
/// White's windows come first.
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

/// The pattern numbers of a board, updated incrementally.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(32))]
pub struct Patterns([u16; 2 * WINDOWS]);

impl Patterns {
    pub(crate) fn of(board: &Board) -> Self {
        Self([0; 2 * WINDOWS]).updated(&Board::default(), board)
    }

    /// Returns the patterns of the board `after`, given that `self` has the patterns of `before`.
    #[inline(always)]
    pub(crate) fn updated(mut self, before: &Board, after: &Board) -> Self {
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

    /// Returns an iterator over the owner, index and pattern number of each window.
    pub(crate) fn each(&self) -> impl Iterator<Item = (Side, usize, usize)> + '_ {
        self.0
            .iter()
            .enumerate()
            .map(|(i, &number)| (Side::from_white(i < WINDOWS), i % WINDOWS, usize::from(number)))
    }

    /// Returns two pattern numbers for this window index: for White's window, then for Black's
    /// window.
    #[inline(always)]
    pub(crate) fn of_window(&self, window: usize) -> [usize; Side::NUM] {
        [usize::from(self.0[window]), usize::from(self.0[WINDOWS + window])]
    }
}

#[inline(always)]
fn delta(side: Side, square: Square) -> &'static [u16; 2 * WINDOWS] {
    &DELTAS[side.index()][usize::from(square.bit() & 63)]
}
