//! Slider lookups by magic multiplication, for builds that do not target BMI2 (PEXT).
//!
//! A magic number maps each relevant occupancy of a square to a slot of the square's table. Two
//! occupancies share a slot only if the slider's attacks are the same. The magics were found by
//! trying sparse random numbers, as the test `trial_finds_a_magic` still does. They are verified at
//! compile time, when the tables are filled.

use super::rays::{self, Lines, Part};
use crate::chess::square::Square;

struct Slot {
    mask: u64,
    magic: u64,
    shift: u32,
    offset: usize,
}

const fn slots(magics: &[u64; 64], is_rook: bool) -> [Slot; 64] {
    let parts = rays::parts(is_rook);
    let mut slots = [const { Slot { mask: 0, magic: 0, shift: 0, offset: 0 } }; 64];
    let mut s = 0;
    while s < 64 {
        let Part { mask, offset } = parts[s];
        slots[s] = Slot { mask, magic: magics[s], shift: 64 - mask.count_ones(), offset };
        s += 1;
    }
    slots
}

const fn fill<const LEN: usize>(slots: &[Slot; 64], is_rook: bool) -> [u64; LEN] {
    let mut table = [0; LEN];
    let mut s = 0;
    while s < 64 {
        let slot = &slots[s];
        let from = Square::wrap(s as u8);
        let lines = Lines::of(from, is_rook);
        let mut subset = 0u64;
        loop {
            let attacks = lines.attacks(subset);
            let index = index(slot, subset);
            assert!(table[index] == 0 || table[index] == attacks, "two occupancies collide");
            table[index] = attacks;
            subset = subset.wrapping_sub(slot.mask) & slot.mask;
            if subset == 0 {
                break;
            }
        }
        s += 1;
    }
    table
}

#[inline(always)]
const fn index(slot: &Slot, occupied: u64) -> usize {
    slot.offset + ((occupied & slot.mask).wrapping_mul(slot.magic) >> slot.shift) as usize
}

static ROOK_SLOTS: [Slot; 64] = slots(&ROOK_MAGICS, true);
static BISHOP_SLOTS: [Slot; 64] = slots(&BISHOP_MAGICS, false);
static ROOK: [u64; rays::table_len(true)] = fill(&slots(&ROOK_MAGICS, true), true);
static BISHOP: [u64; rays::table_len(false)] = fill(&slots(&BISHOP_MAGICS, false), false);

#[inline(always)]
pub fn rook(from: Square, occupied: u64) -> u64 {
    ROOK[index(&ROOK_SLOTS[from.index()], occupied)]
}

#[inline(always)]
pub fn bishop(from: Square, occupied: u64) -> u64 {
    BISHOP[index(&BISHOP_SLOTS[from.index()], occupied)]
}

#[rustfmt::skip]
const ROOK_MAGICS: [u64; 64] = [
    0x6080_0080_1040_0024, 0x0040_0040_1000_2000, 0x0480_1000_8220_0108, 0x2080_0800_1000_0480,
    0x0e00_0442_0008_2010, 0x1900_0804_0041_0002, 0x0400_0211_2090_0c08, 0x0080_1028_8001_4500,
    0x0010_8000_8040_0020, 0x2000_4020_0040_1000, 0x0882_8010_0080_a005, 0x1082_0012_0044_0820,
    0x4805_0010_4803_0004, 0x2802_8002_0180_0400, 0x0028_8001_0080_0200, 0x3006_0002_4081_0e04,
    0x0000_2080_0080_4000, 0x3000_8180_4000_6000, 0x0040_8080_2000_1000, 0x0200_8280_0800_1000,
    0x1004_0080_8004_0800, 0x8012_0080_8004_0002, 0x0004_0400_8110_0802, 0x0800_0200_0084_0061,
    0x1100_8000_8020_4000, 0x0400_4002_8020_0081, 0x0000_2000_8080_1000, 0x8e80_0800_8010_0080,
    0x4004_0081_8004_2801, 0x1004_0040_4002_0100, 0x0022_0002_0044_4108, 0x0208_4082_0000_4104,
    0x8040_4000_2280_0080, 0x0900_8020_0080_4000, 0x2000_8010_0080_2004, 0x0000_8010_0080_0800,
    0x0800_0800_8080_0400, 0x0002_0400_8080_0200, 0x9401_0004_0100_0200, 0x04d9_0904_4600_0084,
    0x40e0_2240_0082_8000, 0x1301_0040_0085_0020, 0x0890_2000_4101_0010, 0x0a10_2010_0101_0008,
    0x8604_0080_0800_8004, 0x0241_0008_0401_0002, 0x0413_0100_0200_8080, 0x3000_0084_0042_0001,
    0x20c0_002a_5080_0080, 0x0000_2000_4004_8880, 0x1020_0040_1008_0040, 0x0018_1001_0020_0900,
    0x4018_0008_8204_0080, 0x0040_8004_0002_0080, 0x0208_0281_0810_0400, 0x0650_2084_4c01_0200,
    0x0000_8000_2855_0041, 0x2002_204a_1082_0102, 0x0000_4209_0020_0033, 0x000a_0420_0901_1001,
    0x4002_0004_1120_0802, 0x8109_0004_0002_0801, 0x0080_0248_1001_2084, 0x4238_010e_a08c_0042,
];

#[rustfmt::skip]
const BISHOP_MAGICS: [u64; 64] = [
    0x0040_3208_0920_2680, 0x1004_0808_010c_2000, 0x0484_0444_0448_008a, 0x000a_1a02_0080_d210,
    0x0101_1040_0100_0010, 0x0101_0420_0404_0200, 0x4080_441a_38c0_2819, 0x8180_1044_1004_1000,
    0x2000_0410_0288_0100, 0x0600_2041_0906_0480, 0x2800_1000_8095_0000, 0x8808_0444_0482_c000,
    0x0000_0202_1004_0000, 0x0000_0202_0320_8000, 0x4801_008c_1002_1138, 0x0188_4110_4814_0400,
    0x0004_1011_2088_0124, 0x0420_0031_0112_0084, 0x0002_0004_2022_0200, 0x4004_0008_0218_2042,
    0x0004_0002_1104_0004, 0x0109_0002_0282_1104, 0x1029_2004_0082_1008, 0xa004_8200_2c09_0800,
    0x0004_2200_0448_9000, 0x8790_0800_0282_1424, 0x0200_2222_2408_0200, 0x0004_0800_9220_2040,
    0x8101_0041_3400_4040, 0x0408_9100_4280_6000, 0x0082_0040_1201_5001, 0x4310_8a80_2208_4420,
    0x0002_2004_0410_1138, 0x9044_a848_420c_5000, 0x8041_0801_0008_0040, 0x2408_4008_2082_0200,
    0x1204_2002_0000_2080, 0x1810_0501_1002_0240, 0x8802_0800_6802_0206, 0x0002_0200_2042_00a5,
    0x0002_0144_2000_4010, 0x0801_0808_0202_0400, 0x0101_0c00_4400_0800, 0x2381_0104_1108_0800,
    0x0800_0400_9400_0200, 0x0301_0200_8204_2900, 0xc004_0138_0201_0101, 0x0a81_0822_0050_2481,
    0x0c01_0422_0240_0080, 0x0204_2892_1010_0040, 0x0400_0110_8090_2400, 0x4000_2000_8404_0568,
    0x0000_50c0_1509_0000, 0x9002_0a20_5800_8220, 0x8840_1811_4502_0008, 0x0010_3022_1044_4012,
    0x00a0_1242_0210_4050, 0x0804_0848_4450_0802, 0x0000_0102_c202_9084, 0x0150_0000_4a42_1208,
    0x0008_0004_0410_4400, 0x0049_0089_1030_4086, 0x1000_2068_2181_0404, 0x0094_1820_8801_8100,
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::rng::Rng;

    /// Returns whether `magic` maps every relevant occupancy without a harmful collision.
    fn works(from: Square, mask: u64, magic: u64) -> bool {
        let slot = Slot { mask, magic, shift: 64 - mask.count_ones(), offset: 0 };
        let mut table = vec![0; 1 << mask.count_ones()];
        let mut subset = 0u64;
        loop {
            let attacks = rays::bishop(from, subset);
            let entry = &mut table[index(&slot, subset)];
            if *entry != 0 && *entry != attacks {
                return false;
            }
            *entry = attacks;
            subset = subset.wrapping_sub(mask) & mask;
            if subset == 0 {
                return true;
            }
        }
    }

    #[test]
    fn trial_finds_a_magic() {
        let mut rng = Rng::new(3);
        for from in Square::ALL {
            let mask = rays::relevant(from, false);
            assert!(works(from, mask, BISHOP_MAGICS[from.index()]));
            let found = (0..10_000_000)
                .map(|_| rng.next_u64() & rng.next_u64() & rng.next_u64())
                .any(|magic| works(from, mask, magic));
            assert!(found, "no magic for a bishop on {from}");
        }
    }
}
