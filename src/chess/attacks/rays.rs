//! Slider attacks by walking each ray square by square. The lookup tables are built from these rays
//! and tested against them.

use crate::chess::square::Square;

/// The eight directions as (files, ranks): four rook directions, then four bishop directions.
pub(crate) const DIRECTIONS: [(i8, i8); 8] =
    [(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1)];

/// Returns the squares from `from` in one direction up to and including the first occupied square.
pub(crate) const fn ray(from: Square, files: i8, ranks: i8, occupied: u64) -> u64 {
    let mut seen = 0;
    let mut at = from;
    while let Some(next) = at.offset(files, ranks) {
        seen |= 1 << next as u8;
        if occupied & 1 << next as u8 != 0 {
            break;
        }
        at = next;
    }
    seen
}

#[cfg(test)]
fn rays(from: Square, first: usize, occupied: u64) -> u64 {
    DIRECTIONS[first..first + 4]
        .iter()
        .fold(0, |seen, &(files, ranks)| seen | ray(from, files, ranks, occupied))
}

#[cfg(test)]
pub fn rook(from: Square, occupied: u64) -> u64 {
    rays(from, 0, occupied)
}

#[cfg(test)]
pub fn bishop(from: Square, occupied: u64) -> u64 {
    rays(from, 4, occupied)
}

/// The rays of a rook (or bishop) from one square on the empty board. Cutting a ray at its first
/// blocker takes only a few operations. Walking the rays for every table entry would take most of
/// the compile time.
pub(crate) struct Lines {
    up: [u64; 2],
    down: [u64; 2],
}

impl Lines {
    pub(crate) const fn of(from: Square, is_rook: bool) -> Self {
        const fn whole(from: Square, direction: usize) -> u64 {
            ray(from, DIRECTIONS[direction].0, DIRECTIONS[direction].1, 0)
        }
        let [up, down] = if is_rook { [[0, 1], [2, 3]] } else { [[4, 7], [5, 6]] };
        Self {
            up: [whole(from, up[0]), whole(from, up[1])],
            down: [whole(from, down[0]), whole(from, down[1])],
        }
    }

    pub(crate) const fn attacks(&self, occupied: u64) -> u64 {
        /// Cuts the ray above its lowest blocker; returns the whole ray if there is no blocker.
        const fn up(ray: u64, occupied: u64) -> u64 {
            let pieces = ray & occupied;
            ray & (pieces ^ pieces.wrapping_sub(1))
        }
        /// Cuts the ray below its highest blocker; returns the whole ray if there is no blocker.
        const fn down(ray: u64, occupied: u64) -> u64 {
            let highest = 63 - (ray & occupied | 1).leading_zeros();
            ray & u64::MAX << highest
        }
        up(self.up[0], occupied)
            | up(self.up[1], occupied)
            | down(self.down[0], occupied)
            | down(self.down[1], occupied)
    }
}

/// Returns the squares whose occupancy affects the attacks of a rook (or bishop) on `from`: its
/// rays on the empty board without their last squares.
pub(crate) const fn relevant(from: Square, is_rook: bool) -> u64 {
    let first = if is_rook { 0 } else { 4 };
    let mut mask = 0;
    let mut d = first;
    while d < first + 4 {
        let (df, dr) = DIRECTIONS[d];
        let mut at = from;
        while let Some(next) = at.offset(df, dr) {
            if next.offset(df, dr).is_some() {
                mask |= 1 << next as u8;
            }
            at = next;
        }
        d += 1;
    }
    mask
}

#[derive(Clone, Copy)]
pub(crate) struct Part {
    pub mask: u64,
    pub offset: usize,
}

pub(crate) const fn parts(is_rook: bool) -> [Part; 64] {
    let mut parts = [Part { mask: 0, offset: 0 }; 64];
    let mut offset = 0;
    let mut s = 0;
    while s < 64 {
        let mask = relevant(Square::wrap(s as u8), is_rook);
        parts[s] = Part { mask, offset };
        offset += 1 << mask.count_ones();
        s += 1;
    }
    parts
}

/// Returns the number of entries in the whole table: 102,400 for the rook and 5,248 for the bishop.
pub(crate) const fn table_len(is_rook: bool) -> usize {
    let Part { mask, offset } = parts(is_rook)[63];
    offset + (1 << mask.count_ones())
}
