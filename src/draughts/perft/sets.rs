//! The set operations of [`Bitboard`] and the move generator, for eight sets of squares at once.

use crate::base::cpu::Lanes;
use crate::draughts::bitboard::{Bitboard, Direction};

/// Moves every square of each set this many steps in the direction `way`. The result can have bits
/// that are not squares. Unlike a rotation, a shift by a constant is a single instruction in AVX2.
#[inline(always)]
fn shifted(sets: Lanes, way: Direction, steps: i8) -> Lanes {
    sets.shift(way.shift() * steps)
}

/// Moves every square of each set one step in the direction `way`. The result can have bits that
/// are not squares. The direction need not be a constant.
#[inline(always)]
pub(super) fn step(sets: Lanes, way: Direction) -> Lanes {
    sets.rotate_left(Lanes::splat(way as u64))
}

/// Moves every square of each set two steps in the direction `way`, to the landing square of a
/// jump. The result can have bits that are not squares.
#[inline(always)]
pub(super) fn land(sets: Lanes, way: Direction) -> Lanes {
    shifted(sets, way, 2)
}

#[inline(always)]
pub(super) fn empty(own: Lanes, opponent: Lanes) -> Lanes {
    Lanes::splat(Bitboard::ALL.0) - (own | opponent)
}

#[inline(always)]
pub(super) fn slide(sets: Lanes, way: Direction, empty: Lanes) -> Lanes {
    let reached = glide(sets, way, empty);
    reached | shifted(reached, way, 1) & empty
}

/// Like [`slide`], but moves each piece at most eight squares. This is sufficient before or after a
/// jump: a diagonal has at most ten squares, and the king, the captured piece and the landing
/// square occupy three of them.
#[inline(always)]
pub(super) fn glide(sets: Lanes, way: Direction, empty: Lanes) -> Lanes {
    let mut reached = shifted(sets, way, 1) & empty;
    let mut free = empty;
    for steps in [1, 2, 4] {
        reached = reached | shifted(reached, way, steps) & free;
        free = free & shifted(free, way, steps);
    }
    reached
}

/// Returns, for each direction of [`Direction::ALL`], the squares from which a piece can jump over
/// one of the `targets` to a `free` square.
#[inline(always)]
pub(super) fn jumps(targets: Lanes, free: Lanes) -> [Lanes; 4] {
    Direction::ALL.map(|way| shifted(targets, way.opposite(), 1) & land(free, way.opposite()))
}

#[inline(always)]
pub(super) fn union(sets: [Lanes; 4]) -> Lanes {
    sets[0] | sets[1] | sets[2] | sets[3]
}

/// Calls `each` repeatedly with one square of each set and a mask of the lanes that still have a
/// square.
///
/// The mask of the first call may be zero, because an unnecessary call costs less than a branch
/// that is often mispredicted.
#[inline(always)]
pub(super) fn each_single(sets: Lanes, mut each: impl FnMut(Lanes, u8)) {
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

/// Repeats a block for each direction. A macro replaces the loop because the compiler does not
/// unroll every loop of this size, and rotation distances are constants only in unrolled code.
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
