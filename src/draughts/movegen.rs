//! The legal moves: captures that take the most pieces, or else the plain moves.
//!
//! A rafle (multiple capture) is followed jump by jump. The pieces taken stay where they are until
//! it is over (4.9), so they block, and none is jumped twice (4.5 to 4.8); the square that the
//! moving piece left is free to be crossed or ended on. Only the longest are legal (4.13), a king
//! counting no more than a man. At killer draughts a king stops directly behind a king that it takes last.

use super::bitboard::{Bitboard, Direction};
use super::board::Board;
use super::moves::{Move, MoveList};
use crate::base::side::Side;
use smallvec::SmallVec;

/// A move as three sets of squares: from where, to where, what is taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Raw {
    /// The square left, alone in its set.
    pub from: Bitboard,
    /// The square of arrival, alone in its set.
    pub to: Bitboard,
    /// The pieces taken.
    pub taken: Bitboard,
}

/// Calls `each` for every legal move of `side`.
#[inline(always)]
pub fn each_move(board: &Board, side: Side, each: impl FnMut(Raw)) {
    each_move_of(&Jumps::of(board, side), board, side, each);
}

/// The same, given the first jumps.
#[inline(always)]
pub(super) fn each_move_of(jumps: &Jumps, board: &Board, side: Side, each: impl FnMut(Raw)) {
    if jumps.any() {
        jumps.each_capture(each);
    } else {
        each_plain_move(board, side, board.kings(side), each);
    }
}

/// Calls `each` for every legal move of `side` if these are captures, and says whether they are.
#[inline(always)]
pub fn each_capture(board: &Board, side: Side, each: impl FnMut(Raw)) -> bool {
    let jumps = Jumps::of(board, side);
    let any = jumps.any();
    if any {
        jumps.each_capture(each);
    }
    any
}

/// Lists every legal move of `side`.
pub fn generate(board: &Board, side: Side, list: &mut MoveList) {
    list_moves(&Jumps::of(board, side), board, side, list);
}

/// Lists every legal move of `side` at killer draughts.
pub fn generate_killer(board: &Board, side: Side, list: &mut MoveList) {
    let halting = board.kings(!side);
    list_moves(&Jumps { halting, ..Jumps::of(board, side) }, board, side, list);
}

#[inline(always)]
fn list_moves(jumps: &Jumps, board: &Board, side: Side, list: &mut MoveList) {
    each_move_of(jumps, board, side, |raw| {
        if let (Some(from), Some(to)) = (raw.from.first(), raw.to.first()) {
            list.push(Move::new(from, to, raw.taken));
        }
    });
}

/// The number of legal moves of `side`.
pub fn count(board: &Board, side: Side) -> u64 {
    let jumps = Jumps::of(board, side);
    if jumps.any() {
        let mut count = 0;
        jumps.each_capture(|_| count += 1);
        count
    } else {
        count_plain_moves(board, side)
    }
}

/// Whether `side` has a legal move.
#[inline(always)]
pub fn has_moves(board: &Board, side: Side) -> bool {
    let (men, kings, empty) = (board.men(side), board.kings(side), board.empty());
    let mut steps = Direction::forward(side).map(|way| men.rotated(way) & empty).into_iter();
    let slides = || Direction::ALL.map(|way| kings.rotated(way) & empty).into_iter();
    steps.any(Bitboard::any) || slides().any(Bitboard::any) || can_capture(board, side)
}

/// Whether `side` can take anything, and so must (4.1).
#[inline(always)]
pub fn can_capture(board: &Board, side: Side) -> bool {
    let jumps = Jumps::of(board, side);
    jumps.any()
}

/// The squares that each of `set` reaches along `way` over the squares of `empty`. Several pieces
/// at once: none can pass another, so no square is reached twice.
///
/// Kogge-Stone: one, two, four and eight steps at a time. A ghost is never empty, and whatever goes
/// round the end of the word meets one or a bit beyond the board, so nothing leaves its diagonal.
#[inline(always)]
pub fn slide(set: Bitboard, way: Direction, empty: Bitboard) -> Bitboard {
    let by = |set: Bitboard, steps: u32| Bitboard(set.0.rotate_left(way as u32 * steps % 64));
    let mut reached = by(set, 1) & empty;
    let mut free = empty;
    for steps in [1, 2, 4] {
        reached |= by(reached, steps) & free;
        free &= by(free, steps);
    }
    reached | by(reached, 8) & free
}

/// Calls `each` for the plain moves of the men of `side` and of these of its kings.
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

/// The number of moves of `side` that take nothing; legal only if it cannot take.
#[inline(always)]
pub fn count_plain_moves(board: &Board, side: Side) -> u64 {
    let (men, kings, empty) = (board.men(side), board.kings(side), board.empty());
    let steps = Direction::forward(side).map(|way| (men.rotated(way) & empty).len());
    let mut count: u32 = steps.iter().sum();
    if kings.any() {
        for way in Direction::ALL {
            count += slide(kings, way, empty).len();
        }
    }
    u64::from(count)
}

/// The squares beyond each bit of the word, along each way.
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

/// The squares from the single square `from` along `way`; none if `from` is empty.
#[inline(always)]
fn ray(from: Bitboard, way: Direction) -> Bitboard {
    const NOWHERE: u64 = 1 << 63;
    RAYS[way.index()][((from.0 | NOWHERE).trailing_zeros() & 63) as usize]
}

/// The first square of `set` from the single square `from` along `way`, if there is one.
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

/// The squares from the single square `from` along `way` before the first one of `blockers`.
#[inline(always)]
pub fn between(from: Bitboard, way: Direction, blockers: Bitboard) -> Bitboard {
    ray(from, way) - ray(nearest(from, way, blockers), way) - blockers
}

#[inline(always)]
fn union(sets: [Bitboard; 4]) -> Bitboard {
    sets[0] | sets[1] | sets[2] | sets[3]
}

/// The first jumps of all pieces together.
pub(super) struct Jumps {
    /// The side's kings.
    kings: Bitboard,
    targets: Bitboard,
    empty: Bitboard,
    /// The pieces directly behind which a king stops if it takes them last; none in the normal game.
    halting: Bitboard,
    /// Where men land that jump in each direction. Each man has a square of its own.
    landings: [Bitboard; 4],
    /// The pieces that kings can take first in each direction, each by one king.
    kings_first: [Bitboard; 4],
}

impl Jumps {
    #[inline(always)]
    pub(super) fn of(board: &Board, side: Side) -> Self {
        let (men, kings) = (board.men(side), board.kings(side));
        let (targets, empty) = (board.pieces(!side), board.empty());
        let (mut landings, mut kings_first) = ([Bitboard::EMPTY; 4], [Bitboard::EMPTY; 4]);
        // Loops, which are unrolled: `map` is compiled into a function, for which no way is a constant.
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

    /// Whether anything can be taken.
    #[inline(always)]
    pub(super) fn any(&self) -> bool {
        (union(self.landings) | union(self.kings_first)).any()
    }

    #[inline(always)]
    fn kings_take(&self) -> bool {
        union(self.kings_first).any()
    }

    /// Calls `each` for every longest capture, of which there must be one.
    ///
    /// Men's captures of one or two pieces, by far the most frequent, are read off the sets of
    /// landing squares: no two of them take the same pieces, nor can they come back to their start.
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

    /// Calls `each` for every longest capture, followed jump by jump.
    #[inline(always)]
    fn each_rafle(&self, each: impl FnMut(Raw)) {
        let mut rafles = Rafles::new(self);
        rafles.follow(self);
        rafles.found.iter().copied().for_each(each);
    }

    /// The directions in which men jump first, each with its landing squares and its row of `rows`.
    #[inline(always)]
    fn ways<'a, T>(
        &self,
        rows: &'a mut [T; 4],
    ) -> impl Iterator<Item = (Bitboard, Direction, &'a mut T)> {
        let ways = self.landings.into_iter().zip(Direction::ALL).zip(rows);
        ways.filter(|((landings, _), _)| landings.any()).map(|((l, way), row)| (l, way, row))
    }
}

/// The longest captures found so far, followed jump by jump.
struct Rafles {
    /// Captures of `most` pieces, each once.
    found: SmallVec<[Raw; 16]>,
    most: u32,
    targets: Bitboard,
    halting: Bitboard,
    /// The square of the moving piece is among them.
    empty: Bitboard,
    from: Bitboard,
}

impl Rafles {
    #[inline(always)]
    fn new(jumps: &Jumps) -> Self {
        let &Jumps { targets, halting, empty, .. } = jumps;
        let from = Bitboard::EMPTY;
        Self { found: SmallVec::new(), most: 1, targets, halting, empty, from }
    }

    /// Follows every capture.
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

    /// Follows every jump of a man from `at`, which has taken `taken` so far (4.2, 4.5).
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
            self.found(at, taken);
        }
    }

    /// Follows the jumps of a king from `at` over the first piece along `way`, and says whether
    /// there is one.
    #[inline(always)]
    fn king(&mut self, at: Bitboard, way: Direction, taken: Bitboard) -> bool {
        let over = nearest(at, way, !self.empty) & (self.targets - taken);
        let lands = (over.rotated(way) & self.empty).any();
        if lands {
            self.king_over(over, way, taken);
        }
        lands
    }

    /// Follows the jumps of a king over `over`, which it can take along `way` (4.3, 4.6). It turns
    /// aside on any square behind the piece from which it can take more, or goes straight on from
    /// the last; turning back it would meet the piece that it has just taken.
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
                self.found(to, taken);
            }
        }
    }

    /// Keeps a capture that cannot go on, unless one of more pieces is known.
    #[inline(always)]
    fn found(&mut self, to: Bitboard, taken: Bitboard) {
        let n = taken.len();
        if n < self.most {
            return;
        }
        if n > self.most {
            self.most = n;
            self.found.clear();
        }
        let capture = Raw { from: self.from, to, taken };
        // Two routes over the same pieces enclose a rectangle: four jumps at least.
        if n < 4 || !self.found.contains(&capture) {
            self.found.push(capture);
        }
    }
}
