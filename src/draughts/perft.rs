//! Perft on the bare board: the number of leaves of the tree of legal moves.
//!
//! Nearly all time goes into the last ply but one, whose positions are only asked how many moves
//! they have. Where the processor has wide vectors, eight of them are asked at once: see `Leaves`.

use super::bitboard::{Bitboard, Direction};
use super::board::Board;
use super::movegen::{self, Jumps, Raw};
use super::position::Position;
use crate::base::bits::Bits;
use crate::base::cpu::{self, Lanes};
use crate::base::side::Side;

/// Walks the tree `depth` plies down from `board`, with `side` to move; bulk counting: the last
/// ply is counted, not played.
pub fn bulk(board: &Board, side: Side, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => movegen::count(board, side),
        _ => {
            let counting = if depth % 2 == 1 { side } else { !side };
            let mut leaves = Leaves::new(counting);
            walk(board, side, depth, &mut leaves);
            leaves.total()
        }
    }
}

/// Walks the tree of any of the games; the last ply is counted, not played.
pub fn by_moves(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.legal_moves().len() as u64,
        _ => position.legal_moves().iter().map(|&m| by_moves(&position.play(m), depth - 1)).sum(),
    }
}

/// Plays every move, down to the positions whose moves are counted. `depth` is at least 2.
fn walk(board: &Board, side: Side, depth: u32, leaves: &mut Leaves) {
    if depth == 2 {
        return leaves.add_children(board, side);
    }
    movegen::each_move(board, side, |m| {
        walk(&board.after(side, m.from, m.to, m.taken), !side, depth - 1, leaves);
    });
}

/// Positions that wait to be counted: of each, `N` sets of squares. The first two are the pieces of
/// the side to move and those of the opponent; the third the kings of the side to move, if any has.
struct Queue<const N: usize> {
    sets: [[u64; ROOM]; N],
    len: usize,
}

const LANES: usize = 8;

/// Room for a queue one short of a full load, and all that one position can add to it.
const ROOM: usize = 64;

impl<const N: usize> Queue<N> {
    const fn new() -> Self {
        Self { sets: [[0; ROOM]; N], len: 0 }
    }

    #[inline(always)]
    fn push(&mut self, position: [Bitboard; N]) {
        for (sets, set) in self.sets.iter_mut().zip(position) {
            sets[self.len] = set.0;
        }
        self.len += 1;
    }

    /// Adds the positions of a set of lanes.
    #[inline(always)]
    fn push_lanes(&mut self, positions: [Lanes; N], set: u8) {
        for (sets, lanes) in self.sets.iter_mut().zip(positions) {
            let words = lanes.compress(set).words();
            sets[self.len..self.len + LANES].copy_from_slice(&words);
        }
        self.len += set.count_ones() as usize;
    }

    /// Removes eight positions, if there are eight.
    #[inline(always)]
    fn pop(&mut self) -> Option<[Lanes; N]> {
        self.len = self.len.checked_sub(LANES)?;
        let mut popped = [Lanes::ZERO; N];
        for (lanes, sets) in popped.iter_mut().zip(&self.sets) {
            *lanes = Lanes::load(sets[self.len..].first_chunk()?);
        }
        Some(popped)
    }

    /// Fills up to a full load with positions without pieces, which have no moves.
    fn fill(&mut self) {
        while !self.len.is_multiple_of(LANES) {
            self.push([Bitboard::EMPTY; N]);
        }
    }
}

impl Queue<2> {
    /// Adds the position after each step of an opponent's man along `way` to one of `squares`.
    /// There are at most 20; they are written four at a time, even if fewer are left.
    #[inline(always)]
    fn push_steps(&mut self, own: Bitboard, opponent: Bitboard, way: Direction, squares: Bitboard) {
        let end = self.len + squares.len() as usize;
        let mut left = squares.singles();
        while self.len < end {
            for at in self.len..self.len + 4 {
                let to = left.next().unwrap_or_default();
                self.sets[0][at] = own.0;
                self.sets[1][at] = (opponent ^ to ^ to.rotated(way.opposite())).0;
            }
            self.len += 4;
        }
        self.len = end;
    }
}

/// Counts the moves of many positions with the same side to move, eight at a time, one in each
/// lane.
///
/// In a lane all men jump together, one direction after the other. Each jump of a man's capture of
/// up to three pieces lands on a square of its own: no two routes of that length take the same
/// pieces, and none comes back to where it began or to a piece taken. So the jumps need only be
/// counted. The same holds for the first two jumps of kings, with all squares behind the piece
/// taken, unless two ways lead to the same second jump. Positions wait in queues, so that lanes do
/// not wait for each other: with men only, for what all have in common, for captures, and for
/// captures of three pieces; with kings, for what all have in common, for captures, and for
/// captures of two. Longer captures are left to the generator.
struct Leaves {
    side: Side,
    plain: Queue<2>,
    captures: Queue<2>,
    longer: Queue<2>,
    kings: Queue<3>,
    king_captures: Queue<3>,
    longer_king_captures: Queue<3>,
    lanes: Lanes,
    total: u64,
}

/// From which squares a piece can jump along each way of [`Direction::ALL`] to a square of `free`.
#[inline(always)]
fn jumps(opponent: Lanes, free: Lanes) -> [Lanes; 4] {
    Direction::ALL.map(|way| {
        let back = way.opposite();
        step(opponent, back) & step(step(free, back), back)
    })
}

#[inline(always)]
fn step(set: Lanes, way: Direction) -> Lanes {
    set.rotate_left(Lanes::splat(way as u64))
}

/// Each piece of the set two steps along a way.
#[inline(always)]
fn land(set: Lanes, way: Direction) -> Lanes {
    set.rotate_left(Lanes::splat(way as u64 * 2 % 64))
}

/// Calls `each` for the ways in which a piece can go on that came along `came`.
#[inline(always)]
fn onward(came: Direction, mut each: impl FnMut(usize)) {
    for way in Direction::ALL {
        if way != came.opposite() {
            each(way.index());
        }
    }
}

#[inline(always)]
fn union(sets: [Lanes; 4]) -> Lanes {
    sets[0] | sets[1] | sets[2] | sets[3]
}

/// The squares that the pieces of `set` reach along `way`, as [`movegen::slide`].
#[inline(always)]
fn slide(set: Lanes, way: Direction, empty: Lanes) -> Lanes {
    let by = |set: Lanes, steps: u64| set.rotate_left(Lanes::splat(way as u64 * steps % 64));
    let mut reached = by(set, 1) & empty;
    let mut free = empty;
    for steps in [1, 2, 4] {
        reached = reached | by(reached, steps) & free;
        free = free & by(free, steps);
    }
    reached | by(reached, 8) & free
}

/// The squares without a piece.
#[inline(always)]
fn empty(own: Lanes, opponent: Lanes) -> Lanes {
    Lanes::splat(Bitboard::ALL.0) - (own | opponent)
}

impl Leaves {
    const fn new(side: Side) -> Self {
        Self {
            side,
            plain: Queue::new(),
            captures: Queue::new(),
            longer: Queue::new(),
            kings: Queue::new(),
            king_captures: Queue::new(),
            longer_king_captures: Queue::new(),
            lanes: Lanes::ZERO,
            total: 0,
        }
    }

    /// Counts the moves of all positions to which the moves of `side`, the other one, lead.
    #[inline(always)]
    fn add_children(&mut self, board: &Board, side: Side) {
        let jumps = Jumps::of(board, side);
        if cpu::WIDE && board.all_kings().is_empty() && !jumps.any() {
            let (own, opponent) = (board.pieces(!side), board.pieces(side));
            for way in Direction::forward(side) {
                let squares = opponent.rotated(way) & board.empty();
                self.plain.push_steps(own, opponent, way, squares);
            }
            self.work();
        } else {
            movegen::each_move_of(&jumps, board, side, |m| self.add(board, side, m));
        }
    }

    /// Counts the moves of the position to which a move leads, now or later.
    #[inline(always)]
    fn add(&mut self, board: &Board, side: Side, m: Raw) {
        if !cpu::WIDE {
            let next = board.after(side, m.from, m.to, m.taken);
            self.total += movegen::count(&next, !side);
            return;
        }
        let own = board.pieces(!side) ^ m.taken;
        let opponent = (board.pieces(side) - m.from) | m.to;
        let kings = board.all_kings() & own;
        if kings.any() {
            self.kings.push([own, opponent, kings]);
        } else {
            self.plain.push([own, opponent]);
        }
        self.work();
    }

    /// The number of all moves.
    fn total(mut self) -> u64 {
        self.plain.fill();
        self.kings.fill();
        self.work();
        self.captures.fill();
        self.king_captures.fill();
        self.work_captures();
        self.longer.fill();
        self.longer_king_captures.fill();
        self.work_longer();
        self.total + self.lanes.sum()
    }

    /// Empties the queues down to less than a full load each.
    #[inline(always)]
    fn work(&mut self) {
        while let Some(positions) = self.plain.pop() {
            self.count_plain(positions);
            self.work_captures();
        }
        while let Some(positions) = self.kings.pop() {
            self.count_with_kings(positions);
            self.work_captures();
        }
    }

    #[inline(always)]
    fn work_captures(&mut self) {
        while let Some(positions) = self.captures.pop() {
            self.count_captures(positions);
            self.work_longer();
        }
        while let Some(positions) = self.king_captures.pop() {
            self.count_king_captures(positions);
            self.work_longer();
        }
    }

    #[inline(always)]
    fn work_longer(&mut self) {
        while let Some(positions) = self.longer.pop() {
            self.count_longer(positions);
        }
        while let Some(positions) = self.longer_king_captures.pop() {
            self.count_longer_king_captures(positions);
        }
    }

    /// Counts plain moves; passes on the positions with captures.
    #[inline(always)]
    fn count_plain(&mut self, [own, opponent]: [Lanes; 2]) {
        let empty = empty(own, opponent);
        let capturing = (own & union(jumps(opponent, empty))).nonzero();
        self.lanes = self.lanes + self.steps(own, empty).keep(!capturing);
        self.captures.push_lanes([own, opponent], capturing);
    }

    /// The number of men's plain moves.
    #[inline(always)]
    fn steps(&self, men: Lanes, empty: Lanes) -> Lanes {
        let [left, right] =
            Direction::forward(self.side).map(|way| (step(men, way) & empty).counts());
        left + right
    }

    /// Counts captures of one or two pieces; passes on the positions with longer ones.
    #[inline(never)]
    fn count_captures(&mut self, [own, opponent]: [Lanes; 2]) {
        let empty = empty(own, opponent);
        let can = jumps(opponent, empty);
        let (mut once, mut twice, mut thrice) = (Lanes::ZERO, Lanes::ZERO, Lanes::ZERO);
        let mut second = [Lanes::ZERO; 4];
        for came in Direction::ALL {
            let first = own & can[came.index()];
            once = once + first.counts();
            let at = land(first, came);
            onward(came, |way| {
                twice = twice + (at & can[way]).counts();
                second[way] = second[way] | at & can[way];
            });
        }
        let two = union(second).nonzero();
        for came in Direction::ALL {
            let at = land(second[came.index()], came);
            onward(came, |way| thrice = thrice | at & can[way]);
        }
        let three = thrice.nonzero();
        self.lanes = self.lanes + once.keep(!two) + twice.keep(!three);
        self.longer.push_lanes([own, opponent], three);
    }

    /// Counts captures of three pieces; leaves those that may take more to the generator.
    #[inline(never)]
    fn count_longer(&mut self, [own, opponent]: [Lanes; 2]) {
        let empty = empty(own, opponent);
        let can = jumps(opponent, empty);
        let mut count = Lanes::ZERO;
        let mut third = [Lanes::ZERO; 4];
        for came in Direction::ALL {
            let at = land(own & can[came.index()], came);
            onward(came, |way| {
                let way = Direction::ALL[way];
                let at = land(at & can[way.index()], way);
                onward(way, |next| {
                    count = count + (at & can[next]).counts();
                    third[next] = third[next] | at & can[next];
                });
            });
        }
        // The fourth jump is the first that can come back to the start, which is free by then.
        let can = jumps(opponent, empty | own);
        let mut fourth = Lanes::ZERO;
        for came in Direction::ALL {
            let at = land(third[came.index()], came);
            onward(came, |way| fourth = fourth | at & can[way]);
        }
        let four = fourth.nonzero();
        self.lanes = self.lanes + count.keep(!four);
        self.generate([own, opponent, Lanes::ZERO], four);
    }

    /// Counts plain moves of men and kings; passes on the positions with captures.
    #[inline(never)]
    fn count_with_kings(&mut self, [own, opponent, kings]: [Lanes; 3]) {
        let empty = empty(own, opponent);
        let can = jumps(opponent, empty);
        let mut count = self.steps(own - kings, empty);
        let mut capturing = Lanes::ZERO;
        for way in Direction::ALL {
            let reached = slide(kings, way, empty);
            count = count + reached.counts();
            capturing = capturing | (own | reached) & can[way.index()];
        }
        let capturing = capturing.nonzero();
        self.lanes = self.lanes + count.keep(!capturing);
        self.king_captures.push_lanes([own, opponent, kings], capturing);
    }

    /// Counts captures of one piece; passes on the positions with longer ones.
    #[inline(never)]
    fn count_king_captures(&mut self, [own, opponent, kings]: [Lanes; 3]) {
        let empty = empty(own, opponent);
        let can = jumps(opponent, empty);
        let (mut count, mut again) = (Lanes::ZERO, Lanes::ZERO);
        for came in Direction::ALL {
            // Men.
            let first = (own - kings) & can[came.index()];
            count = count + first.counts();
            let at = land(first, came);
            onward(came, |way| again = again | at & can[way]);
            // Kings, which turn aside from any square behind, or go straight on from the last.
            let before = kings | slide(kings, came, empty);
            let behind = land(before & can[came.index()], came);
            let behind = behind | slide(behind, came, empty);
            count = count + behind.counts();
            again = again | behind & can[came.index()];
            for way in came.sideways() {
                again = again | (behind | slide(behind, way, empty)) & can[way.index()];
            }
        }
        let two = again.nonzero();
        self.lanes = self.lanes + count.keep(!two);
        self.longer_king_captures.push_lanes([own, opponent, kings], two);
    }

    /// Counts captures of two pieces; leaves those that may take more to the generator.
    #[inline(never)]
    fn count_longer_king_captures(&mut self, [own, opponent, kings]: [Lanes; 3]) {
        let empty = empty(own, opponent);
        let can = jumps(opponent, empty);
        let (mut count, mut unsure) = (Lanes::ZERO, Lanes::ZERO);
        // Where men and kings stand after two jumps, by the direction of the second.
        let mut men = [Lanes::ZERO; 4];
        let mut behind_two = [Lanes::ZERO; 4];
        for came in Direction::ALL {
            let at = land((own - kings) & can[came.index()], came);
            onward(came, |way| {
                let second = at & can[way];
                count = count + second.counts();
                men[way] = men[way] | land(second, Direction::ALL[way]);
            });
            let before = kings | slide(kings, came, empty);
            let behind = land(before & can[came.index()], came);
            let behind = behind | slide(behind, came, empty);
            let [left, right] = came.sideways();
            for way in [came, left, right] {
                let mut before = behind;
                if way != came {
                    let on = slide(behind, way, empty);
                    // From two squares behind a piece, one way: the jumps at its end are two moves,
                    // not one.
                    unsure = unsure | on & behind;
                    before = before | on;
                }
                let at = land(before & can[way.index()], way);
                let at = at | slide(at, way, empty);
                count = count + at.counts();
                behind_two[way.index()] = behind_two[way.index()] | at;
            }
        }
        for came in Direction::ALL {
            onward(came, |way| unsure = unsure | men[came.index()] & can[way]);
            let behind = behind_two[came.index()];
            unsure = unsure | behind & can[came.index()];
            for way in came.sideways() {
                unsure = unsure | (behind | slide(behind, way, empty)) & can[way.index()];
            }
        }
        let unsure = unsure.nonzero();
        self.lanes = self.lanes + count.keep(!unsure);
        self.generate([own, opponent, kings], unsure);
    }

    /// Counts the moves of some lanes' positions one after the other.
    #[inline(always)]
    fn generate(&mut self, [own, opponent, kings]: [Lanes; 3], set: u8) {
        let (own, opponent, kings) = (own.words(), opponent.words(), kings.words());
        for lane in Bits(u64::from(set)) {
            let lane = usize::from(lane);
            let mut sides = [Bitboard(own[lane]), Bitboard(opponent[lane])];
            if !self.side.is_white() {
                sides.swap(0, 1);
            }
            self.total += movegen::count(&Board { sides, kings: Bitboard(kings[lane]) }, self.side);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::base::game::Game;
    use crate::draughts::Position;

    /// Published counts, unique moves; deeper ones are in `epd/draughts`.
    #[test]
    fn counts_are_the_published_ones() {
        let cases: [(&str, &[u64]); 6] = [
            ("W:W31-50:B1-20", &[9, 81, 658, 4265, 27117, 167_140, 1_049_442]),
            (
                "W:W25,27,28,30,32,33,34,35,37,38:B12,13,14,16,18,19,21,23,24,26",
                &[6, 12, 30, 73, 215, 590, 1944, 6269, 22_369, 88_050],
            ),
            (
                "B:W6,9,10,11,20,21,22,23,30,K31,33,37,41,42,43,44,46:BK17,K24",
                &[14, 55, 1168, 5432, 87_195, 629_010],
            ),
            ("W:W6,7,8,9,10:B41,42,43,44,45", &[9, 81, 795, 7578, 86_351, 936_311]),
            ("W:WK31-K50:BK1-K20", &[17, 79, 352, 1399, 7062, 37_589, 217_575]),
            ("W:W31,32,33,34,35:B16,17,18,19,20", &[9, 81, 534, 2538, 9052, 29_999, 98_971]),
        ];
        for (fen, counts) in cases {
            let position: Position = fen.parse().expect(fen);
            assert_eq!(position.perft(0), 1);
            for (depth, &count) in (1..).zip(counts) {
                assert_eq!(position.perft(depth), count, "{fen}, depth {depth}");
            }
        }
    }
}
