//! A legal move generator. It generates the captures that take the most pieces, or the
//! non-capturing moves if there is no capture.
//!
//! A rafle (multiple capture) is followed jump by jump. Captured pieces stay on the board until the
//! move ends (FMJD 4.11). They block the way and cannot be jumped twice (FMJD 4.5 to 4.8). The
//! origin square counts as empty. Only the longest captures are legal (FMJD 4.13), and a king
//! counts as much as a man. In killer draughts, a king whose last jump captures a king must stop
//! directly behind the captured king.

use super::bitboard::{Bitboard, Direction};
use super::board::Board;
use super::moves::{Move, MoveList};
use super::square::Square;
use crate::base::side::Side;
use smallvec::SmallVec;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Raw {
    pub from: Bitboard,
    pub to: Bitboard,
    pub taken: Bitboard,
}

/// Calls `each` for every legal move of `side`.
#[inline(always)]
pub(crate) fn each_move(board: &Board, side: Side, each: impl FnMut(Raw)) {
    each_move_of(&Jumps::of(board, side), board, side, each);
}

/// Like [`each_move`], but takes the precomputed first jumps.
#[inline(always)]
pub(super) fn each_move_of(jumps: &Jumps, board: &Board, side: Side, each: impl FnMut(Raw)) {
    if jumps.any() {
        jumps.each_capture(each);
    } else {
        each_plain_move(board, side, board.kings(side), each);
    }
}

/// Calls `each` for every legal capture by `side`. Returns whether there is a capture.
#[inline(always)]
pub(crate) fn each_capture(board: &Board, side: Side, each: impl FnMut(Raw)) -> bool {
    each_capture_of(&Jumps::of(board, side), each)
}

/// Like [`each_capture`], for killer draughts.
pub(super) fn each_killer_capture(board: &Board, side: Side, each: impl FnMut(Raw)) -> bool {
    each_capture_of(&Jumps::of_killer(board, side), each)
}

#[inline(always)]
fn each_capture_of(jumps: &Jumps, each: impl FnMut(Raw)) -> bool {
    let any = jumps.any();
    if any {
        jumps.each_capture(each);
    }
    any
}

pub(crate) fn generate(board: &Board, side: Side, list: &mut MoveList) {
    list_moves(&Jumps::of(board, side), board, side, list);
}

pub(crate) fn generate_killer(board: &Board, side: Side, list: &mut MoveList) {
    list_moves(&Jumps::of_killer(board, side), board, side, list);
}

#[inline(always)]
fn list_moves(jumps: &Jumps, board: &Board, side: Side, list: &mut MoveList) {
    each_move_of(jumps, board, side, |raw| {
        if let (Some(from), Some(to)) = (raw.from.first(), raw.to.first()) {
            list.push(Move::new(from, to, raw.taken));
        }
    });
}

pub(crate) fn count(board: &Board, side: Side) -> u64 {
    let jumps = Jumps::of(board, side);
    if jumps.any() {
        let mut count = 0;
        jumps.each_capture(|_| count += 1);
        count
    } else {
        count_plain_moves(board, side, board.kings(side))
    }
}

#[inline(always)]
pub(crate) fn has_moves(board: &Board, side: Side) -> bool {
    let (men, kings, empty) = (board.men(side), board.kings(side), board.empty());
    let mut steps = Direction::forward(side).map(|way| men.rotated(way) & empty).into_iter();
    let slides = || Direction::ALL.map(|way| kings.rotated(way) & empty).into_iter();
    steps.any(Bitboard::any) || slides().any(Bitboard::any) || can_capture(board, side)
}

/// Returns whether `side` can capture. If so, it must capture (FMJD 4.1).
#[inline(always)]
pub(crate) fn can_capture(board: &Board, side: Side) -> bool {
    let jumps = Jumps::of(board, side);
    jumps.any()
}

/// Returns the squares that the pieces of `set` reach when they slide in the direction `way` over
/// squares of `empty`. The set may contain several pieces. No piece can pass another, so no square
/// is reached twice.
///
/// This is a Kogge-Stone fill by one, two, four and eight steps. A bit moves several steps only if
/// every bit on the way is in `empty`. A step over the edge leads to a ghost or a bit outside the
/// board, which are never in `empty`. Therefore no bit can leave its diagonal.
#[inline(always)]
pub(crate) fn slide(set: Bitboard, way: Direction, empty: Bitboard) -> Bitboard {
    let by = |set: Bitboard, steps: u32| Bitboard(set.0.rotate_left(way as u32 * steps % 64));
    let mut reached = by(set, 1) & empty;
    let mut free = empty;
    for steps in [1, 2, 4] {
        reached |= by(reached, steps) & free;
        free &= by(free, steps);
    }
    reached | by(reached, 8) & free
}

/// Calls `each` for the non-capturing moves of all men of `side` and of the kings in `kings`.
pub(super) fn each_plain_move(
    board: &Board,
    side: Side,
    kings: Bitboard,
    mut each: impl FnMut(Raw),
) {
    let (men, empty) = (board.men(side), board.empty());
    let taken = Bitboard::EMPTY;
    for way in Direction::forward(side) {
        for to in (men.rotated(way) & empty).singles() {
            each(Raw { from: to.rotated(way.opposite()), to, taken });
        }
    }
    for from in kings.singles() {
        for way in Direction::ALL {
            for to in between(from, way, !empty).singles() {
                each(Raw { from, to, taken });
            }
        }
    }
}

/// Returns whether a piece of `side` can move from `from` to `to` without capturing. The move is
/// legal only if `side` cannot capture.
pub(super) fn can_step(board: &Board, side: Side, from: Square, to: Square) -> bool {
    let (from, empty) = (Bitboard::of(from), board.empty());
    let reached = if (board.kings(side) & from).any() {
        union(Direction::ALL.map(|way| between(from, way, !empty)))
    } else {
        let [left, right] = Direction::forward(side).map(|way| from.rotated(way));
        if (board.men(side) & from).any() { (left | right) & empty } else { Bitboard::EMPTY }
    };
    reached.has(to)
}

/// Returns the number of non-capturing moves of all men of `side` and of the kings in `kings`. The
/// moves are legal only if `side` cannot capture.
#[inline(always)]
pub(crate) fn count_plain_moves(board: &Board, side: Side, kings: Bitboard) -> u64 {
    let (men, empty) = (board.men(side), board.empty());
    let steps = Direction::forward(side).map(|way| (men.rotated(way) & empty).len());
    let mut count: u32 = steps.iter().sum();
    if kings.any() {
        for way in Direction::ALL {
            count += slide(kings, way, empty).len();
        }
    }
    u64::from(count)
}

static RAYS: [[Bitboard; 64]; 4] = {
    let mut rays = [[Bitboard::EMPTY; 64]; 4];
    let mut w = 0;
    while w < 4 {
        let mut bit = 0;
        while bit < 64 {
            let mut at = Bitboard(1 << bit & Bitboard::ALL.0).step(Direction::ALL[w]);
            while at.any() {
                rays[w][bit].0 |= at.0;
                at = at.step(Direction::ALL[w]);
            }
            bit += 1;
        }
        w += 1;
    }
    rays
};

/// Returns the squares beyond the single square `from` in the direction `way`. Returns the empty
/// set if `from` is empty.
#[inline(always)]
fn ray(from: Bitboard, way: Direction) -> Bitboard {
    const NOWHERE: u64 = 1 << 63;
    RAYS[way.index()][((from.0 | NOWHERE).trailing_zeros() & 63) as usize]
}

/// Returns the first square of `set` beyond the single square `from` in the direction `way`, or the
/// empty set if there is none.
#[inline(always)]
fn nearest(from: Bitboard, way: Direction, set: Bitboard) -> Bitboard {
    let hit = ray(from, way).0 & set.0;
    match way {
        // Bit numbers decrease upwards.
        Direction::UpRight | Direction::UpLeft => {
            Bitboard((1 << 63 >> (hit | 1).leading_zeros()) & hit)
        }
        Direction::DownLeft | Direction::DownRight => Bitboard(hit & hit.wrapping_neg()),
    }
}

/// Returns the squares strictly between the single square `from` and the first of the `blockers` in
/// the direction `way`.
#[inline(always)]
pub(crate) fn between(from: Bitboard, way: Direction, blockers: Bitboard) -> Bitboard {
    ray(from, way) - ray(nearest(from, way, blockers), way) - blockers
}

#[inline(always)]
fn union(sets: [Bitboard; 4]) -> Bitboard {
    sets[0] | sets[1] | sets[2] | sets[3]
}

pub(super) struct Jumps {
    kings: Bitboard,
    targets: Bitboard,
    empty: Bitboard,
    /// The opponent's kings in killer draughts, otherwise empty. A king whose last jump captures
    /// one of these pieces must stop directly behind it.
    halting: Bitboard,
    /// For each direction, the landing squares of the men's first jumps. Each landing square
    /// belongs to exactly one man.
    landings: [Bitboard; 4],
    /// For each direction, the pieces that a king can capture with its first jump in that
    /// direction. At most one king can capture a given piece in a given direction.
    kings_first: [Bitboard; 4],
}

impl Jumps {
    #[inline(always)]
    pub(super) fn of(board: &Board, side: Side) -> Self {
        let (men, kings) = (board.men(side), board.kings(side));
        let (targets, empty) = (board.pieces(!side), board.empty());
        let (mut landings, mut kings_first) = ([Bitboard::EMPTY; 4], [Bitboard::EMPTY; 4]);
        // The compiler unrolls these loops, which makes the direction a constant. With `map`, the
        // direction would remain a function argument.
        for (landings, way) in landings.iter_mut().zip(Direction::ALL) {
            *landings = (men.rotated(way) & targets).rotated(way) & empty;
        }
        if kings.any() {
            for (first, way) in kings_first.iter_mut().zip(Direction::ALL) {
                let before = kings | slide(kings, way, empty);
                *first = before.rotated(way) & targets & empty.rotated(way.opposite());
            }
        }
        let halting = Bitboard::EMPTY;
        Self { kings, targets, empty, halting, landings, kings_first }
    }

    fn of_killer(board: &Board, side: Side) -> Self {
        Self { halting: board.kings(!side), ..Self::of(board, side) }
    }

    #[inline(always)]
    pub(super) fn any(&self) -> bool {
        (union(self.landings) | union(self.kings_first)).any()
    }

    #[inline(always)]
    fn kings_take(&self) -> bool {
        union(self.kings_first).any()
    }

    /// Calls `each` for every longest capture. There must be at least one capture.
    ///
    /// Captures of one or two pieces by men, by far the most frequent, are computed from the sets
    /// of landing squares. These captures need no check for duplicates, because the same man cannot
    /// take the same one or two pieces by different routes. The origin square need not count as
    /// empty, because none of these captures ends on it.
    #[inline(always)]
    pub(super) fn each_capture(&self, mut each: impl FnMut(Raw)) {
        if self.kings_take() {
            return self.each_rafle(each);
        }
        let jump = |set: Bitboard, way| (set.rotated(way) & self.targets).rotated(way) & self.empty;
        let mut second = [[Bitboard::EMPTY; 4]; 4];
        let (mut twice, mut thrice) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for (from, came, row) in self.ways(&mut second) {
            for (landings, way) in row.iter_mut().zip(Direction::ALL) {
                if way != came.opposite() {
                    *landings = jump(from, way);
                    twice |= *landings;
                    if landings.any() {
                        for next in Direction::ALL {
                            if next != way.opposite() {
                                thrice |= jump(*landings, next);
                            }
                        }
                    }
                }
            }
        }
        if thrice.any() {
            return self.each_rafle(each);
        }
        if twice.is_empty() {
            for (landings, way) in self.landings.into_iter().zip(Direction::ALL) {
                let back = way.opposite();
                for to in landings.singles() {
                    let taken = to.rotated(back);
                    each(Raw { from: taken.rotated(back), to, taken });
                }
            }
            return;
        }
        for (row, came) in second.into_iter().zip(Direction::ALL) {
            for (landings, way) in row.into_iter().zip(Direction::ALL) {
                for to in landings.singles() {
                    let over = to.rotated(way.opposite());
                    let before = over.rotated(way.opposite()).rotated(came.opposite());
                    let from = before.rotated(came.opposite());
                    each(Raw { from, to, taken: over | before });
                }
            }
        }
    }

    #[inline(always)]
    fn each_rafle(&self, each: impl FnMut(Raw)) {
        let mut rafles = Rafles::new(self);
        rafles.follow(self);
        rafles.found.iter().copied().for_each(each);
    }

    /// Returns an iterator over the directions in which a man can make its first jump. Each item
    /// contains the landing squares, the direction, and the element of `rows` for this direction.
    #[inline(always)]
    fn ways<'a, T>(
        &self,
        rows: &'a mut [T; 4],
    ) -> impl Iterator<Item = (Bitboard, Direction, &'a mut T)> {
        let ways = self.landings.into_iter().zip(Direction::ALL).zip(rows);
        ways.filter(|((landings, _), _)| landings.any()).map(|((l, way), row)| (l, way, row))
    }
}

struct Rafles {
    /// The captures of `max_captured` pieces, without duplicates.
    found: SmallVec<[Raw; 16]>,
    max_captured: u32,
    targets: Bitboard,
    halting: Bitboard,
    empty: Bitboard,
    from: Bitboard,
}

impl Rafles {
    #[inline(always)]
    fn new(jumps: &Jumps) -> Self {
        let &Jumps { targets, halting, empty, .. } = jumps;
        let from = Bitboard::EMPTY;
        Self { found: SmallVec::new(), max_captured: 1, targets, halting, empty, from }
    }

    #[inline(never)]
    fn follow(&mut self, jumps: &Jumps) {
        let mut men = Bitboard::EMPTY;
        for (landings, way) in jumps.landings.into_iter().zip(Direction::ALL) {
            men |= landings.rotated(way.opposite()).rotated(way.opposite());
        }
        for from in men.singles() {
            self.from = from;
            self.empty = jumps.empty | from;
            self.jump(from, Bitboard::EMPTY);
        }
        for (first, way) in jumps.kings_first.into_iter().zip(Direction::ALL) {
            for over in first.singles() {
                self.from = nearest(over, way.opposite(), jumps.kings);
                self.empty = jumps.empty | self.from;
                self.king_over(over, way, Bitboard::EMPTY);
            }
        }
    }

    /// Follows every jump from `at` by a man that has already captured `taken` (FMJD 4.2 and 4.5).
    fn jump(&mut self, at: Bitboard, taken: Bitboard) {
        let mut ended = true;
        for way in Direction::ALL {
            let over = at.rotated(way) & (self.targets - taken);
            let landing = over.rotated(way) & self.empty;
            if landing.any() {
                ended = false;
                self.jump(landing, taken | over);
            }
        }
        if ended {
            self.record(at, taken);
        }
    }

    /// Follows the jump of a king from `at` over the first piece in the direction `way`, if this
    /// jump is possible. Returns whether it is possible.
    #[inline(always)]
    fn king(&mut self, at: Bitboard, way: Direction, taken: Bitboard) -> bool {
        let over = nearest(at, way, !self.empty) & (self.targets - taken);
        let lands = (over.rotated(way) & self.empty).any();
        if lands {
            self.king_over(over, way, taken);
        }
        lands
    }

    /// Captures `over` with a king in the direction `way` and follows the next jumps (FMJD 4.3 and
    /// 4.6). The king can turn on any square behind the piece, or continue straight on. It cannot
    /// turn back, because the piece just captured blocks the way.
    fn king_over(&mut self, over: Bitboard, way: Direction, taken: Bitboard) {
        let taken = taken | over;
        let landings = between(over, way, !self.empty);
        let mut ended = true;
        for at in landings.singles() {
            for aside in way.sideways() {
                ended &= !self.king(at, aside, taken);
            }
        }
        ended &= !self.king(over, way, taken);
        if ended {
            let halts = (over & self.halting).any();
            let landings = if halts { over.rotated(way) } else { landings };
            for to in landings.singles() {
                self.record(to, taken);
            }
        }
    }

    /// Records a capture that cannot continue, unless a longer capture has been found.
    #[inline(always)]
    fn record(&mut self, to: Bitboard, taken: Bitboard) {
        let n = taken.len();
        if n < self.max_captured {
            return;
        }
        if n > self.max_captured {
            self.max_captured = n;
            self.found.clear();
        }
        let capture = Raw { from: self.from, to, taken };
        // Only different routes over the same pieces are duplicates. Two such routes enclose a
        // rectangle, so each has at least four jumps.
        if n < 4 || !self.found.contains(&capture) {
            self.found.push(capture);
        }
    }
}
