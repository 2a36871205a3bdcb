//! Endings of few pieces, of which most are drawn even if one side has more material.

use crate::base::side::Side;
use crate::draughts::{Bitboard, Board};

/// The scale that leaves a value as it is.
pub const FULL_SCALE: i32 = 16;

/// The long diagonal, 5 to 46.
pub const LONG_DIAGONAL: Bitboard = {
    let (mut diagonal, mut number) = (0, 5);
    while number <= 46 {
        if let Some(square) = crate::draughts::Square::new(number) {
            diagonal |= Bitboard::of(square).0;
        }
        // Down and to the left: five less one each second row.
        number += if (number - 1) / 5 % 2 == 0 { 5 } else { 4 };
    }
    Bitboard(diagonal)
};

/// The share of the advantage of `strong` that counts, out of [`FULL_SCALE`].
///
/// One king holds three pieces off if it stands on the long diagonal, and mostly elsewhere too; only
/// three kings against it that have the long diagonal win (L. Springer's and others' analyses; the
/// laws give sixteen moves to try). Two kings hold four off, and so on: a lead of one or two pieces
/// does not suffice once kings are on the board.
#[inline(always)]
pub fn scale(board: &Board, strong: Side) -> i32 {
    let weak = !strong;
    if board.kings(weak).is_empty() {
        return FULL_SCALE;
    }
    let (more, fewer) = (board.pieces(strong).len(), board.pieces(weak).len());
    match (more, fewer) {
        (..=2, _) => 1,
        (3, 1) => {
            let held = (board.kings(strong) & LONG_DIAGONAL).any() && board.men(strong).is_empty();
            if held { 8 } else { 1 }
        }
        (..=6, _) if more <= fewer + 1 => 4,
        (..=6, _) if more == fewer + 2 => 8,
        _ => FULL_SCALE,
    }
}
