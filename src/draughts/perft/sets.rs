//! What [`Bitboard`] and the generator do with a set of squares, done with eight sets at once.

use crate::base::cpu::Lanes;
use crate::draughts::bitboard::{Bitboard, Direction};

/// Every square of the sets one step on; the result can have bits that are not squares.
#[inline(always)]
pub fn step(sets: Lanes, way: Direction) -> Lanes {
    sets.rotate_left(Lanes::splat(way as u64))
}

/// Every square of the sets two steps on, likewise.
#[inline(always)]
pub fn land(sets: Lanes, way: Direction) -> Lanes {
    sets.rotate_left(Lanes::splat(way as u64 * 2 % 64))
}

/// The squares without a piece.
#[inline(always)]
pub fn empty(own: Lanes, opponent: Lanes) -> Lanes {
    Lanes::splat(Bitboard::ALL.0) - (own | opponent)
}

/// The squares that the pieces of `sets` reach along `way`, as
/// [`movegen::slide`](crate::draughts::movegen::slide).
#[inline(always)]
pub fn slide(sets: Lanes, way: Direction, empty: Lanes) -> Lanes {
    let reached = glide(sets, way, empty);
    reached | step(reached, way) & empty
}

/// The first eight of these squares: all that there can be before a capture or after one, since the
/// king, the piece taken and the square behind need three of a diagonal's ten squares at most.
#[inline(always)]
pub fn glide(sets: Lanes, way: Direction, empty: Lanes) -> Lanes {
    let by = |sets: Lanes, steps: u64| sets.rotate_left(Lanes::splat(way as u64 * steps % 64));
    let mut reached = by(sets, 1) & empty;
    let mut free = empty;
    for steps in [1, 2, 4] {
        reached = reached | by(reached, steps) & free;
        free = free & by(free, steps);
    }
    reached
}

/// The squares from which a piece can jump along each way of [`Direction::ALL`] over one of
/// `targets` to one of `free`.
#[inline(always)]
pub fn jumps(targets: Lanes, free: Lanes) -> [Lanes; 4] {
    Direction::ALL.map(|way| step(targets, way.opposite()) & land(free, way.opposite()))
}

#[inline(always)]
pub fn union(sets: [Lanes; 4]) -> Lanes {
    sets[0] | sets[1] | sets[2] | sets[3]
}

/// Calls `each` for the squares of the sets, one of each at a time, with the lanes that have one.
///
/// The first time none may have one: to call in vain costs less than a branch that is often
/// mispredicted.
#[inline(always)]
pub fn each_single(sets: Lanes, mut each: impl FnMut(Lanes, u8)) {
    let (mut left, mut live) = (sets, sets.nonzero());
    loop {
        let rest = left & (left + Lanes::splat(!0));
        each(left - rest, live);
        (left, live) = (rest, rest.nonzero());
        if live == 0 {
            return;
        }
    }
}

/// Repeats a block for each way. The compiler does not unroll every loop of this size, and only
/// unrolled are the distances constants.
macro_rules! each_way {
    ($way:ident $body:block) => {
        each_way!($way $body UpRight UpLeft DownLeft DownRight)
    };
    ($way:ident $body:block $($name:ident)*) => {
        $({
            const $way: Direction = Direction::$name;
            $body
        })*
    };
}
pub(super) use each_way;
