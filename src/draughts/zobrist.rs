//! Zobrist keys (Zobrist 1970): random numbers for each piece on each square, for Black to move,
//! for each variant other than the normal game, and for each Frisian king run.

use super::board::Kind;
use super::frisian::KingRun;
use super::square::Square;
use super::variant::Variant;
use crate::base::rng::Rng;
use crate::base::side::Side;

struct Numbers {
    pieces: [[[u64; 64]; 2]; 2],
    black: u64,
    variants: [u64; Variant::ALL.len()],
    runs: [[u64; KingRun::NUM]; 2],
}

const fn numbers() -> Numbers {
    let mut rng = Rng::new(0x64_61_6d_65_73);
    let mut pieces = [[[0; 64]; 2]; 2];
    let mut i = 0;
    while i < 4 * 64 {
        pieces[i / 128][i / 64 % 2][i % 64] = rng.next_u64();
        i += 1;
    }
    let black = rng.next_u64();
    let mut variants = [0; Variant::ALL.len()];
    let mut i = 1;
    while i < variants.len() {
        variants[i] = rng.next_u64();
        i += 1;
    }
    let mut runs = [[0; KingRun::NUM]; 2];
    let mut i = 0;
    while i < 2 * (KingRun::NUM - 1) {
        runs[i % 2][i / 2 + 1] = rng.next_u64();
        i += 1;
    }
    Numbers { pieces, black, variants, runs }
}

static NUMBERS: Numbers = numbers();

#[inline(always)]
pub(crate) fn piece(side: Side, kind: Kind, square: Square) -> u64 {
    NUMBERS.pieces[side.index()][kind as usize][(square.bit() & 63) as usize]
}

/// Returns the key for Black to move.
#[inline(always)]
pub(crate) fn black() -> u64 {
    NUMBERS.black
}

/// Returns the key for a variant, or 0 for the normal game.
pub(crate) fn variant(variant: Variant) -> u64 {
    NUMBERS.variants[variant as usize]
}

/// Returns the key for a side's [`KingRun`] in Frisian draughts, or 0 if there is no run.
pub fn run(side: Side, run: KingRun) -> u64 {
    NUMBERS.runs[side.index()][run.index()]
}
