//! Zobrist keys (Zobrist 1970): a random number for each piece on each square.

use super::board::Kind;
use super::square::Square;
use crate::base::rng::Rng;
use crate::base::side::Side;

struct Numbers {
    pieces: [[[u64; 64]; 2]; 2],
    black: u64,
}

const fn numbers() -> Numbers {
    let mut rng = Rng::new(0x64_61_6d_65_73);
    let mut pieces = [[[0; 64]; 2]; 2];
    let mut i = 0;
    while i < 4 * 64 {
        pieces[i / 128][i / 64 % 2][i % 64] = rng.next_u64();
        i += 1;
    }
    Numbers { pieces, black: rng.next_u64() }
}

static NUMBERS: Numbers = numbers();

/// The number of a piece on a square.
#[inline(always)]
pub fn piece(side: Side, kind: Kind, square: Square) -> u64 {
    NUMBERS.pieces[side.index()][kind as usize][(square.bit() & 63) as usize]
}

/// The number of Black to move.
#[inline(always)]
pub fn black() -> u64 {
    NUMBERS.black
}
