//! Slider lookups by PEXT, which gathers the relevant occupancy into a table index.

use super::rays::{self, Lines, Part, parts};
use crate::chess::square::Square;

const fn fill<const LEN: usize>(parts: &[Part; 64], is_rook: bool) -> [u64; LEN] {
    let mut table = [0; LEN];
    let mut s = 0;
    while s < 64 {
        let Part { mask, offset } = parts[s];
        let from = Square::wrap(s as u8);
        let lines = Lines::of(from, is_rook);
        let mut subset = 0u64;
        let mut index = 0;
        // Enumerating the subsets of a mask in increasing order also enumerates their PEXT values
        // in order.
        loop {
            table[offset + index] = lines.attacks(subset);
            subset = subset.wrapping_sub(mask) & mask;
            index += 1;
            if subset == 0 {
                break;
            }
        }
        s += 1;
    }
    table
}

static ROOK_PARTS: [Part; 64] = parts(true);
static BISHOP_PARTS: [Part; 64] = parts(false);
static ROOK: [u64; rays::table_len(true)] = fill(&parts(true), true);
static BISHOP: [u64; rays::table_len(false)] = fill(&parts(false), false);

#[cfg(target_feature = "bmi2")]
use crate::base::cpu::pext;

/// Emulates PEXT, so that this module can be tested on every machine.
#[cfg(not(target_feature = "bmi2"))]
fn pext(word: u64, mask: u64) -> u64 {
    crate::base::bits::Bits(mask).enumerate().fold(0, |sum, (i, bit)| sum | (word >> bit & 1) << i)
}

#[inline(always)]
pub(super) fn rook(from: Square, occupied: u64) -> u64 {
    let part = &ROOK_PARTS[from.index()];
    ROOK[part.offset + pext(occupied, part.mask) as usize]
}

#[inline(always)]
pub(super) fn bishop(from: Square, occupied: u64) -> u64 {
    let part = &BISHOP_PARTS[from.index()];
    BISHOP[part.offset + pext(occupied, part.mask) as usize]
}
