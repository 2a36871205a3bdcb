//! Slider lookups by PEXT: the relevant occupancy, gathered into an index.

use super::rays::{self, Lines};
use crate::chess::square::Square;

struct Slot {
    mask: u64,
    offset: usize,
}

const fn slots(is_rook: bool) -> [Slot; 64] {
    let mut slots = [const { Slot { mask: 0, offset: 0 } }; 64];
    let mut offset = 0;
    let mut s = 0;
    while s < 64 {
        let mask = rays::relevant(Square::wrap(s as u8), is_rook);
        slots[s] = Slot { mask, offset };
        offset += 1 << mask.count_ones();
        s += 1;
    }
    slots
}

const fn fill<const LEN: usize>(slots: &[Slot; 64], is_rook: bool) -> [u64; LEN] {
    let mut table = [0; LEN];
    let mut s = 0;
    while s < 64 {
        let Slot { mask, offset } = slots[s];
        let from = Square::wrap(s as u8);
        let lines = Lines::of(from, is_rook);
        let mut subset = 0u64;
        let mut index = 0;
        // The subsets of a mask in counting order are those whose PEXT counts up.
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

static ROOK_SLOTS: [Slot; 64] = slots(true);
static BISHOP_SLOTS: [Slot; 64] = slots(false);
static ROOK: [u64; rays::table_len(true)] = fill(&slots(true), true);
static BISHOP: [u64; rays::table_len(false)] = fill(&slots(false), false);

#[cfg(target_feature = "bmi2")]
use crate::base::cpu::pext;

/// The instruction in software, so that this path is tested on every machine.
#[cfg(not(target_feature = "bmi2"))]
fn pext(word: u64, mask: u64) -> u64 {
    crate::base::bits::Bits(mask).enumerate().fold(0, |sum, (i, bit)| sum | (word >> bit & 1) << i)
}

#[inline(always)]
pub fn rook(from: Square, occupied: u64) -> u64 {
    let slot = &ROOK_SLOTS[from.index()];
    ROOK[slot.offset + pext(occupied, slot.mask) as usize]
}

#[inline(always)]
pub fn bishop(from: Square, occupied: u64) -> u64 {
    let slot = &BISHOP_SLOTS[from.index()];
    BISHOP[slot.offset + pext(occupied, slot.mask) as usize]
}
