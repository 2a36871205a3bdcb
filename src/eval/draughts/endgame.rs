//! Reduces the evaluation of endgames with few pieces, which are mostly drawn even with a material
//! advantage.

use crate::base::side::Side;
use crate::draughts::{Bitboard, Board};

/// The scale factor that leaves an advantage unchanged.
pub(crate) const FULL_SCALE: i32 = 16;

pub(crate) const LONG_DIAGONAL: Bitboard = {
    let (mut diagonal, mut number) = (0, 5);
    while number <= 46 {
        if let Some(square) = crate::draughts::Square::new(number) {
            diagonal |= Bitboard::of(square).0;
        }
        // Each step down and to the left adds 5 or 4 to the square number, alternately.
        number += if (number - 1) / 5 % 2 == 0 { 5 } else { 4 };
    }
    Bitboard(diagonal)
};

/// Returns the scale factor for an advantage of `strong`, from 1 to [`FULL_SCALE`].
///
/// A lone king always holds a draw against three pieces if it is on the long diagonal. Elsewhere,
/// it loses only to three kings that control the long diagonal (analyses by L. Springer and others;
/// the laws allow sixteen moves for the attempt). Two kings usually hold a draw against four
/// pieces, and so on. Once the weaker side has a king, a lead of one or two pieces is therefore
/// rarely enough to win.
#[inline(always)]
pub(crate) fn scale(board: &Board, strong: Side) -> i32 {
    let weak = !strong;
    if board.kings(weak).is_empty() {
        return FULL_SCALE;
    }
    let (more, fewer) = (board.pieces(strong).len(), board.pieces(weak).len());
    match (more, fewer) {
        (..=2, _) => 1,
        (3, 1) => {
            let controls_diagonal =
                (board.kings(strong) & LONG_DIAGONAL).any() && board.men(strong).is_empty();
            if controls_diagonal { 8 } else { 1 }
        }
        (..=6, _) if more <= fewer + 1 => 4,
        (..=6, _) if more == fewer + 2 => 8,
        _ => FULL_SCALE,
    }
}
