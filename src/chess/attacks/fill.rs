//! Attacks of all sliders, or all knights, of a side at once: one vector lane per direction,
//! without a loop over pieces and without occupancy tables.
//!
//! Two sliders never reach the same square in the same direction, because the front slider blocks
//! the rear slider. Two knights never reach the same square by the same jump. Each set bit is
//! therefore one move, and counting moves means counting bits. The fill is the Kogge-Stone parallel
//! prefix as described on chessprogramming.org ("Kogge-Stone Algorithm").

use super::rays;
use crate::base::cpu::{Lanes, Words};
use crate::chess::bitboard::Bitboard;
use crate::chess::square::Square;

/// The direction of each lane as (files, ranks): four rook directions, then four bishop directions.
pub(crate) const STEPS: [(i8, i8); 8] =
    [(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (-1, 1), (-1, -1), (1, -1)];
pub(crate) const STRAIGHT: u8 = 0b0000_1111;
/// A mask of the lanes in which a step leads to a square with a lower index.
pub(crate) const BACKWARD: u8 = 0b1100_1100;
const JUMPS: [(i8, i8); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// Returns, for each lane, the left rotation in bits that moves squares by `times` steps.
const fn rotations(steps: &[(i8, i8); 8], times: i8) -> Words {
    let mut words = [0; 8];
    let mut lane = 0;
    while lane < 8 {
        let (files, ranks) = steps[lane];
        words[lane] = (((files + 8 * ranks) * times) & 63) as u64;
        lane += 1;
    }
    Words(words)
}

/// Returns, for each lane, the squares that a step can end on. A step that wraps around the edge of
/// the board ends outside this set.
const fn arrivals(steps: &[(i8, i8); 8]) -> Words {
    let mut words = [0; 8];
    let mut lane = 0;
    while lane < 8 {
        let mut s = 0;
        while s < 64 {
            if let Some(to) = Square::wrap(s).offset(steps[lane].0, steps[lane].1) {
                words[lane] |= 1 << to as u8;
            }
            s += 1;
        }
        lane += 1;
    }
    Words(words)
}

/// Returns the rays from each square on the empty board, one direction per lane. With `both_ways`,
/// each lane also contains the ray in the opposite direction.
const fn rays_from_each(both_ways: bool) -> [Words; 64] {
    let mut table = [Words([0; 8]); 64];
    let mut s = 0;
    while s < 64 {
        let from = Square::wrap(s as u8);
        let mut lane = 0;
        while lane < 8 {
            let (files, ranks) = STEPS[lane];
            table[s].0[lane] = rays::ray(from, files, ranks, 0);
            if both_ways {
                table[s].0[lane] |= rays::ray(from, -files, -ranks, 0);
            }
            lane += 1;
        }
        s += 1;
    }
    table
}

static ONE: Words = rotations(&STEPS, 1);
static TWO: Words = rotations(&STEPS, 2);
static FOUR: Words = rotations(&STEPS, 4);
pub(crate) const ARRIVALS: Words = arrivals(&STEPS);
static JUMP: Words = rotations(&JUMPS, 1);
static LANDINGS: Words = arrivals(&JUMPS);
static RAYS: [Words; 64] = rays_from_each(false);
static AXES: [Words; 64] = rays_from_each(true);

#[inline(always)]
pub(crate) fn ray_words(from: Square) -> &'static [u64; 8] {
    &RAYS[from.index()].0
}

/// Returns, for each lane, the line through a square along the lane's direction, excluding the
/// square itself.
#[inline(always)]
pub(crate) fn axis_words(from: Square) -> &'static [u64; 8] {
    &AXES[from.index()].0
}

#[inline(always)]
pub(crate) fn rays(from: Square) -> Lanes {
    Lanes::load(ray_words(from))
}

#[inline(always)]
pub(crate) fn axes(from: Square) -> Lanes {
    Lanes::load(axis_words(from))
}

/// Returns, for each lane, the ray from a square up to and including its first blocker.
#[inline(always)]
pub(crate) fn rays_to(from: Square, blockers: Bitboard) -> Lanes {
    let rays = rays(from);
    (rays & Lanes::splat(blockers.0)).up_to_first::<BACKWARD>() & rays
}

/// Returns, for each lane, the sliders that move in the lane's direction.
#[inline(always)]
pub(crate) fn sliders(straight: Bitboard, diagonal: Bitboard) -> Lanes {
    Lanes::halves(straight.0, diagonal.0)
}

/// Returns, for each lane, the squares that its sliders attack.
#[inline(always)]
pub(crate) fn slide(sliders: Lanes, occupied: Bitboard) -> Lanes {
    let (one, two) = (Lanes::load(&ONE.0), Lanes::load(&TWO.0));
    let arrivals = Lanes::load(&ARRIVALS.0);
    let mut fill = sliders;
    let mut way = arrivals - Lanes::splat(occupied.0);
    fill = fill | way & fill.rotate_left(one);
    way = way & way.rotate_left(one);
    fill = fill | way & fill.rotate_left(two);
    way = way & way.rotate_left(two);
    fill = fill | way & fill.rotate_left(Lanes::load(&FOUR.0));
    fill.rotate_left(one) & arrivals
}

#[inline(always)]
pub(crate) fn knights(knights: Bitboard) -> Lanes {
    Lanes::splat(knights.0).rotate_left(Lanes::load(&JUMP.0)) & Lanes::load(&LANDINGS.0)
}
