//! The legal moves: captures that take the most pieces, or else the plain moves.
//!
//! A rafle (multiple capture) is followed jump by jump. The pieces taken stay where they are until
//! it is over (4.9), so they block, and none is jumped twice (4.5 to 4.8); the square that the
//! moving piece left is free to be crossed or ended on. Only the longest are legal (4.13), a king
//! counting no more than a man.

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
pub fn each_move(board: &Board, side: Side, mut each: impl FnMut(Raw)) {
    if can_capture(board, side) {
        for &capture in &Captures::of(board, side).found {
            each(capture);
        }
    } else {
        each_plain_move(board, side, each);
    }
}

/// Lists every legal move of `side`.
pub fn generate(board: &Board, side: Side, list: &mut MoveList) {
    each_move(board, side, |raw| {
        if let (Some(from), Some(to)) = (raw.from.first(), raw.to.first()) {
            list.push(Move::new(from, to, raw.taken));
        }
    });
}

/// The number of legal moves of `side`.
#[inline(always)]
pub fn count(board: &Board, side: Side) -> u64 {
    if can_capture(board, side) {
        Captures::of(board, side).found.len() as u64
    } else {
        count_plain_moves(board, side)
    }
}

/// The squares that each of `set` reaches along `way` over the squares of `empty`. Several pieces
/// at once: none can pass another, so no square is reached twice.
#[inline(always)]
pub fn slide(set: Bitboard, way: Direction, empty: Bitboard) -> Bitboard {
    let mut reached = set.rotated(way) & empty;
    let mut front = reached;
    while front.any() {
        front = front.rotated(way) & empty;
        reached |= front;
    }
    reached
}

/// Whether `side` can take anything, and so must (4.1).
#[inline(always)]
pub fn can_capture(board: &Board, side: Side) -> bool {
    let (own, opponent, empty) = (board.pieces(side), board.pieces(!side), board.empty());
    let mut landings = Bitboard::EMPTY;
    for way in Direction::ALL {
        landings |= (own.rotated(way) & opponent).rotated(way) & empty;
    }
    if landings.any() {
        return true;
    }
    let kings = board.kings(side);
    kings.any()
        && Direction::ALL.into_iter().any(|way| {
            let before = slide(kings, way, empty);
            ((before.rotated(way) & opponent).rotated(way) & empty).any()
        })
}

/// The pieces of `side` that can begin a capture.
fn capturers(board: &Board, side: Side) -> Bitboard {
    let (opponent, empty) = (board.pieces(!side), board.empty());
    let mut men = Bitboard::EMPTY;
    for way in Direction::ALL {
        let back = way.opposite();
        men |= (empty.rotated(back) & opponent).rotated(back);
    }
    // Kings find out for themselves.
    men & board.men(side) | board.kings(side)
}

fn each_plain_move(board: &Board, side: Side, mut each: impl FnMut(Raw)) {
    let (men, empty) = (board.men(side), board.empty());
    let taken = Bitboard::EMPTY;
    for way in Direction::forward(side) {
        for to in (men.rotated(way) & empty).singles() {
            each(Raw { from: to.rotated(way.opposite()), to, taken });
        }
    }
    for from in board.kings(side).singles() {
        for way in Direction::ALL {
            for to in slide(from, way, empty).singles() {
                each(Raw { from, to, taken });
            }
        }
    }
}

#[inline(always)]
fn count_plain_moves(board: &Board, side: Side) -> u64 {
    let (men, kings, empty) = (board.men(side), board.kings(side), board.empty());
    let steps: u32 =
        Direction::forward(side).map(|way| (men.rotated(way) & empty).len()).iter().sum();
    let slides: u32 = if kings.any() {
        Direction::ALL.map(|way| slide(kings, way, empty).len()).iter().sum()
    } else {
        0
    };
    u64::from(steps + slides)
}

/// The longest captures found so far.
struct Captures {
    /// Captures of `most` pieces, each once.
    found: SmallVec<[Raw; 16]>,
    most: u32,
    targets: Bitboard,
    /// The square of the moving piece is among them.
    empty: Bitboard,
    from: Bitboard,
}

impl Captures {
    fn of(board: &Board, side: Side) -> Self {
        let mut captures = Self {
            found: SmallVec::new(),
            most: 1,
            targets: board.pieces(!side),
            empty: Bitboard::EMPTY,
            from: Bitboard::EMPTY,
        };
        for from in capturers(board, side).singles() {
            captures.from = from;
            captures.empty = board.empty() | from;
            if (from & board.kings).any() {
                for way in Direction::ALL {
                    captures.slide_and_jump(from, way, Bitboard::EMPTY);
                }
            } else {
                captures.jump(from, Bitboard::EMPTY);
            }
        }
        captures
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
    /// there is one (4.3, 4.6). After a jump the king turns aside on any square where that takes
    /// more, or goes on from the last; turning back it would meet what it has just taken.
    fn slide_and_jump(&mut self, at: Bitboard, way: Direction, taken: Bitboard) -> bool {
        let mut next = at.rotated(way);
        while (next & self.empty).any() {
            next = next.rotated(way);
        }
        let over = next & (self.targets - taken);
        let mut landing = over.rotated(way) & self.empty;
        if landing.is_empty() {
            return false;
        }
        let taken = taken | over;
        let (mut last, mut landings, mut ended) = (landing, landing, true);
        while landing.any() {
            (last, landings) = (landing, landings | landing);
            for aside in way.sideways() {
                ended &= !self.slide_and_jump(landing, aside, taken);
            }
            landing = landing.rotated(way) & self.empty;
        }
        ended &= !self.slide_and_jump(last, way, taken);
        if ended {
            for to in landings.singles() {
                self.found(to, taken);
            }
        }
        true
    }

    /// Keeps a capture that cannot go on, if none of more pieces is known.
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
