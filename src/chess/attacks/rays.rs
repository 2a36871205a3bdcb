//! The slow and obvious way: walk each ray square by square. The tables are filled with it and
//! tested against it.

use crate::chess::square::Square;

/// The eight directions as (files, ranks): four of the rook, then four of the bishop.
pub const DIRECTIONS: [(i8, i8); 8] =
    [(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1)];

/// The squares from `from` in one direction up to and including the first one occupied.
pub const fn ray(from: Square, files: i8, ranks: i8, occupied: u64) -> u64 {
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

const fn rays(from: Square, first: usize, occupied: u64) -> u64 {
    let mut seen = 0;
    let mut d = first;
    while d < first + 4 {
        seen |= ray(from, DIRECTIONS[d].0, DIRECTIONS[d].1, occupied);
        d += 1;
    }
    seen
}

/// A rook's attacks.
pub const fn rook(from: Square, occupied: u64) -> u64 {
    rays(from, 0, occupied)
}

/// A bishop's attacks.
pub const fn bishop(from: Square, occupied: u64) -> u64 {
    rays(from, 4, occupied)
}

/// The squares whose occupation matters for a rook (or bishop) on `from`: its rays on the empty
/// board without their last squares.
pub const fn relevant(from: Square, is_rook: bool) -> u64 {
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

/// The entries of a table with one slot for each relevant occupancy: 102,400 for the rook and
/// 5,248 for the bishop.
pub const fn table_len(is_rook: bool) -> usize {
    let mut len = 0;
    let mut s = 0;
    while s < 64 {
        len += 1 << relevant(Square::wrap(s), is_rook).count_ones();
        s += 1;
    }
    len
}
