//! The changes of the board by each move of a position.

use crate::chess::moves::MAX_MOVES;
use crate::chess::piece::Kind;

/// The sets of pieces to which a moved piece belongs, one bit each; a queen belongs to two.
pub mod sets {
    pub const KNIGHTS: u64 = 1;
    pub const DIAGONAL: u64 = 2;
    pub const STRAIGHT: u64 = 4;
    pub const KINGS: u64 = 8;
}

/// The sets of each [`Kind`] except the pawn.
pub const SETS: [u64; Kind::NUM] = {
    let mut table = [0; Kind::NUM];
    table[Kind::Knight.index()] = sets::KNIGHTS;
    table[Kind::Bishop.index()] = sets::DIAGONAL;
    table[Kind::Rook.index()] = sets::STRAIGHT;
    table[Kind::Queen.index()] = sets::DIAGONAL | sets::STRAIGHT;
    table[Kind::King.index()] = sets::KINGS;
    table
};

/// The changes of the board by each move of a list; the memory is reused for the next position.
#[repr(align(64))]
pub struct Changes {
    /// Squares that lose any piece of the other side.
    pub cleared: [u64; MAX_MOVES],
    /// The origin and destination squares of pawns.
    pub pawns: [u64; MAX_MOVES],
    /// The origin and destination squares of other pieces.
    pub pieces: [u64; MAX_MOVES],
    /// The [`sets`] of the other piece.
    pub sets: [u64; MAX_MOVES],
}

impl Changes {
    pub const fn new() -> Self {
        Self {
            cleared: [0; MAX_MOVES],
            pawns: [0; MAX_MOVES],
            pieces: [0; MAX_MOVES],
            sets: [0; MAX_MOVES],
        }
    }
}
