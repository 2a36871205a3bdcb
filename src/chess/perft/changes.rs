//! The board changes made by each move of a position, as arrays for the vector code.

use crate::chess::moves::MAX_MOVES;
use crate::chess::piece::Kind;

/// One bit for each set of pieces that the moved piece can belong to. A queen belongs to two sets.
pub(super) mod sets {
    pub(crate) const KNIGHTS: u64 = 1;
    pub(crate) const DIAGONAL: u64 = 2;
    pub(crate) const STRAIGHT: u64 = 4;
    pub(crate) const KINGS: u64 = 8;
}

pub(super) const SETS: [u64; Kind::NUM] = {
    let mut table = [0; Kind::NUM];
    table[Kind::Knight.index()] = sets::KNIGHTS;
    table[Kind::Bishop.index()] = sets::DIAGONAL;
    table[Kind::Rook.index()] = sets::STRAIGHT;
    table[Kind::Queen.index()] = sets::DIAGONAL | sets::STRAIGHT;
    table[Kind::King.index()] = sets::KINGS;
    table
};

/// The board changes made by each move in a list. The memory is reused for every position.
#[repr(align(64))]
pub(super) struct Changes {
    /// The squares that the move clears of enemy pieces.
    pub cleared: [u64; MAX_MOVES],
    pub pawns: [u64; MAX_MOVES],
    pub pieces: [u64; MAX_MOVES],
    /// The [`sets`] of the moved piece; 0 for a pawn.
    pub sets: [u64; MAX_MOVES],
}

impl Changes {
    pub(super) const fn new() -> Self {
        Self {
            cleared: [0; MAX_MOVES],
            pawns: [0; MAX_MOVES],
            pieces: [0; MAX_MOVES],
            sets: [0; MAX_MOVES],
        }
    }
}
