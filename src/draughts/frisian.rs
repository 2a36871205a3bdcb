//! Frisian draughts: pieces also capture along rows and columns, captures have a value, and a king
//! may make at most three non-capturing moves in a row.
//!
//! - Men and kings capture in eight directions. Neighbouring playing squares of a row or column are
//!   two squares apart. Non-capturing moves are the same as in the normal game.
//! - A capture of the highest value is obligatory. A king is worth slightly less than two men: even
//!   twenty kings are worth more than 39 men. If several captures have the highest value, a capture
//!   by a king takes precedence.
//! - While a side has men, the same king makes at most three non-capturing moves in a row.
//!
//! Sources: *Official rules for Frisian draughts* (2011), articles 7 to 9. The rules do not define
//! the value of several kings or when a king's count restarts. In these cases this module follows
//! the move generator of Scan 3.1.

use super::bitboard::{Bitboard, Direction};
use super::board::Board;
use super::capture_graph::CaptureGraph;
use super::movegen::{self, Raw};
use super::moves::{Move, MoveList};
use super::square::Square;
use crate::base::side::Side;
use smallvec::SmallVec;
use std::cell::RefCell;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum CaptureDirection {
    /// Along a diagonal, as in every variant.
    Diagonal(Direction),
    /// Along a column, towards Black's side.
    Up,
    /// Along a column, towards White's side.
    Down,
    /// Along a row, towards White's left.
    Left,
    /// Along a row, towards White's right.
    Right,
}

impl CaptureDirection {
    /// All directions, the diagonals first.
    pub(crate) const ALL: [Self; 8] = [
        Self::Diagonal(Direction::UpRight),
        Self::Diagonal(Direction::UpLeft),
        Self::Diagonal(Direction::DownLeft),
        Self::Diagonal(Direction::DownRight),
        Self::Up,
        Self::Down,
        Self::Left,
        Self::Right,
    ];

    pub(super) const fn index(self) -> usize {
        match self {
            Self::Diagonal(way) => way.index(),
            Self::Up => 4,
            Self::Down => 5,
            Self::Left => 6,
            Self::Right => 7,
        }
    }

    pub(super) const fn opposite(self) -> Self {
        match self {
            Self::Diagonal(way) => Self::Diagonal(way.opposite()),
            Self::Up => Self::Down,
            Self::Down => Self::Up,
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }

    /// Returns whether bit numbers increase in this direction.
    const fn grows(self) -> bool {
        match self {
            Self::Diagonal(Direction::DownLeft | Direction::DownRight)
            | Self::Down
            | Self::Right => true,
            Self::Diagonal(_) | Self::Up | Self::Left => false,
        }
    }

    /// Moves every square of the set one step. Squares that leave the board are dropped.
    #[inline(always)]
    pub(crate) const fn step(self, set: Bitboard) -> Bitboard {
        // `FIRST` contains the first squares of the rows 1, 3, 5, 7 and 9, counted from 0. `LAST`
        // contains the last squares of the rows 0, 2, 4, 6 and 8. There is no ghost between a
        // square of `LAST` and the next square, which is in `FIRST`. A step from one of them to the
        // other must therefore be masked out.
        const FIRST: u64 = 1 << 5 | 1 << 16 | 1 << 27 | 1 << 38 | 1 << 49;
        const LAST: u64 = FIRST >> 1;
        let stepped = match self {
            Self::Diagonal(way) => return set.step(way),
            Self::Up => set.0 >> 11,
            Self::Down => set.0 << 11,
            Self::Left => (set.0 & !FIRST) >> 1,
            Self::Right => (set.0 & !LAST) << 1,
        };
        Bitboard(stepped & Bitboard::ALL.0)
    }

    /// Returns the squares beyond the single square `from` in this direction.
    #[inline(always)]
    fn ray(self, from: Bitboard) -> Bitboard {
        RAYS[self.index()][(from.0.trailing_zeros() & 63) as usize]
    }

    /// Returns the first square of `set` beyond the single square `from` in this direction, or the
    /// empty set if there is none.
    #[inline(always)]
    pub(super) fn nearest(self, from: Bitboard, set: Bitboard) -> Bitboard {
        let hit = self.ray(from).0 & set.0;
        if self.grows() {
            Bitboard(hit & hit.wrapping_neg())
        } else {
            Bitboard((1 << 63 >> (hit | 1).leading_zeros()) & hit)
        }
    }

    /// Returns the squares strictly between the single square `from` and the first square outside
    /// `empty` in this direction.
    pub(crate) fn slide(self, from: Bitboard, empty: Bitboard) -> Bitboard {
        let blocker = self.nearest(from, !empty);
        let beyond = if blocker.any() { self.ray(blocker) | blocker } else { blocker };
        self.ray(from) - beyond
    }
}

/// The ray from each square in each direction, excluding the square itself, indexed by
/// [`CaptureDirection::index`] and the bit number of the square.
static RAYS: [[Bitboard; 64]; 8] = {
    let mut rays = [[Bitboard::EMPTY; 64]; 8];
    let mut line = 0;
    while line < 8 {
        let mut bit = 0;
        while bit < 64 {
            let mut at = CaptureDirection::ALL[line].step(Bitboard(1 << bit & Bitboard::ALL.0));
            while at.0 != 0 {
                rays[line][bit].0 |= at.0;
                at = CaptureDirection::ALL[line].step(at);
            }
            bit += 1;
        }
        line += 1;
    }
    rays
};

/// The number of consecutive non-capturing moves of one king, and its current square.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct KingRun(u8);

impl KingRun {
    pub(crate) const MAX_RUN: u8 = 3;

    /// The number of possible values, including the empty run.
    pub(crate) const NUM: usize = Square::NUM * Self::MAX_RUN as usize + 1;

    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Creates a run of `moves` consecutive moves by the king on `king`. `moves` must be between 1
    /// and [`Self::MAX_RUN`]. Returns the empty run if `king` is empty.
    pub(crate) fn new(king: Bitboard, moves: u8) -> Self {
        king.first().map_or(Self(0), |king| Self(king.index() as u8 * Self::MAX_RUN + moves))
    }

    /// Returns the king's square and the number of moves, or `None` for the empty run.
    pub(crate) fn parts(self) -> Option<(Bitboard, u8)> {
        let index = self.0.checked_sub(1)?;
        let square = Square::new(u32::from(index / Self::MAX_RUN) + 1)?;
        Some((Bitboard::of(square), index % Self::MAX_RUN + 1))
    }

    fn with(self, m: Raw) -> Self {
        let before = self.parts().filter(|(king, _)| *king == m.from);
        let moves = before.map_or(1, |(_, moves)| (moves + 1).min(Self::MAX_RUN));
        Self::new(m.to, moves)
    }

    pub(crate) fn tired(self) -> Bitboard {
        match self.parts() {
            Some((king, Self::MAX_RUN)) => king,
            _ => Bitboard::EMPTY,
        }
    }

    /// Returns the runs of both sides after a move by `side`. A non-capturing king move continues
    /// this king's run or starts a new one. A side's run ends if the side makes any other move,
    /// loses the king, or has no men left.
    pub(crate) fn after(
        runs: [Self; 2],
        side: Side,
        m: Raw,
        before: &Board,
        after: &Board,
    ) -> [Self; 2] {
        let mut next = [Self::default(); 2];
        let plain = (before.kings(side) & m.from).any() && m.taken.is_empty();
        if plain && after.men(side).any() {
            next[side.index()] = runs[side.index()].with(m);
        }
        let run = runs[(!side).index()];
        let is_on_board = run.parts().is_some_and(|(king, _)| (after.kings(!side) & king).any());
        if is_on_board && after.men(!side).any() {
            next[(!side).index()] = run;
        }
        next
    }
}

/// Appends every legal move of `side` to `list`. The king on `tired` may not make a non-capturing
/// move.
pub(crate) fn generate(board: &Board, side: Side, tired: Bitboard, list: &mut MoveList) {
    let mut push = |raw: Raw| {
        if let (Some(from), Some(to)) = (raw.from.first(), raw.to.first()) {
            list.push(Move::new(from, to, raw.taken));
        }
    };
    if !each_capture(board, side, &mut push) {
        movegen::each_plain_move(board, side, board.kings(side) - tired, push);
    }
}

/// Calls `each` for every legal capture by `side`. Returns whether there is a capture.
pub(crate) fn each_capture(board: &Board, side: Side, each: impl FnMut(Raw)) -> bool {
    let captures = Captures::of(board, side).found;
    let any = !captures.is_empty();
    captures.into_iter().for_each(each);
    any
}

pub(crate) fn has_moves(board: &Board, side: Side, tired: Bitboard) -> bool {
    let (men, kings, empty) = (board.men(side), board.kings(side) - tired, board.empty());
    Direction::forward(side).into_iter().any(|way| (men.rotated(way) & empty).any())
        || Direction::ALL.into_iter().any(|way| (kings.rotated(way) & empty).any())
        || can_capture(board, side)
}

pub(crate) fn can_capture(board: &Board, side: Side) -> bool {
    let (targets, empty) = (board.pieces(!side), board.empty());
    if takers(board.pieces(side), targets, empty).any() {
        return true;
    }
    board.kings(side).singles().any(|king| {
        CaptureDirection::ALL.into_iter().any(|line| {
            let over = line.nearest(king, !empty) & targets;
            (line.step(over) & empty).any()
        })
    })
}

/// Returns the pieces of `set` that can capture an adjacent piece of `targets` by a jump to a
/// square of `empty`.
fn takers(set: Bitboard, targets: Bitboard, empty: Bitboard) -> Bitboard {
    let along = |line: CaptureDirection| {
        let back = line.opposite();
        back.step(back.step(empty) & targets) & set
    };
    CaptureDirection::ALL.into_iter().fold(Bitboard::EMPTY, |all, line| all | along(line))
}

type Found = SmallVec<[Raw; 16]>;

struct Captures {
    /// The captures, without duplicates.
    found: Found,
    /// The highest value of any capture generated so far. `found` contains only captures of this
    /// value.
    best_value: u32,
    targets: Bitboard,
    target_kings: Bitboard,
    empty: Bitboard,
    from: Bitboard,
    by_king: bool,
    /// The number of jumps followed from the square `from`.
    jumps: u32,
}

const MAN: u32 = 64;
const KING: u32 = 2 * MAN - 2;
/// The maximum number of jumps to follow from one square. Positions in games need far fewer.
const MAX_JUMPS: u32 = 2000;

thread_local! {
    /// The last result of [`Captures::in_graphs`]. It is cached because the moves of a position are
    /// often generated many times, for example to format each move.
    static LAST_IN_GRAPHS: RefCell<Option<(Board, Side, Found)>> = const { RefCell::new(None) };
}

impl Captures {
    #[inline(never)]
    fn of(board: &Board, side: Side) -> Self {
        let (targets, empty) = (board.pieces(!side), board.empty());
        let mut captures = Self::none(board, side);
        for from in takers(board.men(side), targets, empty).singles() {
            captures.begin(from, empty, false);
            captures.jump(from, Bitboard::EMPTY);
            if captures.jumps > MAX_JUMPS {
                return captures.in_graphs(board, side);
            }
        }
        for from in board.kings(side).singles() {
            captures.begin(from, empty, true);
            for line in CaptureDirection::ALL {
                captures.king(from, line, Bitboard::EMPTY);
            }
            if captures.jumps > MAX_JUMPS {
                return captures.in_graphs(board, side);
            }
        }
        captures
    }

    /// Finds the captures with a [`CaptureGraph`] for each piece. This is used if there are too
    /// many jumps to follow one by one.
    #[cold]
    fn in_graphs(mut self, board: &Board, side: Side) -> Self {
        LAST_IN_GRAPHS.with_borrow_mut(|last| match last {
            Some((last_board, last_side, found)) if (*last_board, *last_side) == (*board, side) => {
                self.found = found.clone();
            }
            _ => {
                self.follow_graphs(board, side);
                *last = Some((*board, side, self.found.clone()));
            }
        });
        self
    }

    fn follow_graphs(&mut self, board: &Board, side: Side) {
        for from in board.pieces(side).singles() {
            self.begin(from, board.empty(), (from & board.kings(side)).any());
            let (lines, kings, by_king) = (&CaptureDirection::ALL, self.target_kings, self.by_king);
            let graph = CaptureGraph::new(lines, by_king, from, self.empty, self.targets);
            let value = |taken| value(taken, kings, by_king);
            graph.each_best(value, MAN, self.best_value, |landings, taken| {
                landings.singles().for_each(|to| self.record(to, taken));
            });
        }
    }

    #[inline(always)]
    fn none(board: &Board, side: Side) -> Self {
        Self {
            found: SmallVec::new(),
            best_value: 0,
            targets: board.pieces(!side),
            target_kings: board.kings(!side),
            empty: board.empty(),
            from: Bitboard::EMPTY,
            by_king: false,
            jumps: 0,
        }
    }

    fn begin(&mut self, from: Bitboard, empty: Bitboard, by_king: bool) {
        (self.from, self.empty, self.by_king, self.jumps) = (from, empty | from, by_king, 0);
    }

    /// Follows every jump from `at` by a man that has already captured `taken`.
    fn jump(&mut self, at: Bitboard, taken: Bitboard) {
        self.jumps += 1;
        if self.jumps > MAX_JUMPS {
            return;
        }
        let mut ended = true;
        for line in CaptureDirection::ALL {
            let over = line.step(at) & (self.targets - taken);
            let landing = line.step(over) & self.empty;
            if landing.any() {
                ended = false;
                self.jump(landing, taken | over);
            }
        }
        if ended {
            self.record(at, taken);
        }
    }

    /// Follows the jump of a king from `at` over the first piece in the direction `line`, if this
    /// jump is possible. Returns whether it is possible.
    fn king(&mut self, at: Bitboard, line: CaptureDirection, taken: Bitboard) -> bool {
        let over = line.nearest(at, !self.empty) & (self.targets - taken);
        let lands = (line.step(over) & self.empty).any();
        if lands {
            self.king_over(over, line, taken | over);
        }
        lands
    }

    /// Follows the jumps of a king that has just captured `over` in the direction `line`. `taken`
    /// includes `over`. The king can turn on any square behind the piece, or continue straight on.
    /// It cannot turn back, because the piece just captured blocks the way.
    fn king_over(&mut self, over: Bitboard, line: CaptureDirection, taken: Bitboard) {
        self.jumps += 1;
        if self.jumps > MAX_JUMPS {
            return;
        }
        let landings = line.slide(over, self.empty);
        let mut ended = true;
        for at in landings.singles() {
            for aside in CaptureDirection::ALL.into_iter().filter(|&aside| aside != line) {
                ended &= !self.king(at, aside, taken);
            }
        }
        ended &= !self.king(over, line, taken);
        if ended {
            landings.singles().for_each(|to| self.record(to, taken));
        }
    }

    /// Records a capture that cannot continue, unless a capture of higher value has been found.
    fn record(&mut self, to: Bitboard, taken: Bitboard) {
        let value = value(taken, self.target_kings, self.by_king);
        if value < self.best_value {
            return;
        }
        if value > self.best_value {
            self.best_value = value;
            self.found.clear();
        }
        let capture = Raw { from: self.from, to, taken };
        // Only different routes over the same pieces are duplicates. Two such routes enclose a
        // triangle, so each has at least three jumps.
        if taken.len() < 3 || !self.found.contains(&capture) {
            self.found.push(capture);
        }
    }
}

fn value(taken: Bitboard, target_kings: Bitboard, by_king: bool) -> u32 {
    let kings = (taken & target_kings).len();
    (taken.len() - kings) * MAN + kings * KING + u32::from(by_king)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::rng::Rng;
    use crate::draughts::Position;
    use crate::draughts::board::Kind;

    #[test]
    fn steps_match_rows_and_columns() {
        for square in Square::all() {
            for line in CaptureDirection::ALL {
                let (rows, columns) = match line {
                    CaptureDirection::Diagonal(Direction::UpRight) => (-1, 1),
                    CaptureDirection::Diagonal(Direction::UpLeft) => (-1, -1),
                    CaptureDirection::Diagonal(Direction::DownLeft) => (1, -1),
                    CaptureDirection::Diagonal(Direction::DownRight) => (1, 1),
                    CaptureDirection::Up => (-2, 0),
                    CaptureDirection::Down => (2, 0),
                    CaptureDirection::Left => (0, -2),
                    CaptureDirection::Right => (0, 2),
                };
                let place = (square.row() as i32 + rows, square.column() as i32 + columns);
                let there = Square::all().find(|s| (s.row() as i32, s.column() as i32) == place);
                assert_eq!(line.step(Bitboard::of(square)).first(), there, "{square} {line:?}");
                let rises = there.is_some_and(|there| there > square);
                assert!(there.is_none() || rises == line.grows(), "{square} {line:?}");
            }
        }
    }

    fn moves(fen: &str) -> String {
        let position: Position = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
        let mut moves: Vec<_> = position.legal_moves().iter().map(ToString::to_string).collect();
        moves.sort();
        moves.join(" ")
    }

    #[test]
    fn captures_along_rows_and_columns_maximize_value() {
        for (fen, expected) in [
            ("W:W28:B18:Vfrisian", "28x8x18"),
            ("W:W28:B38:Vfrisian", "28x48x38"),
            ("W:W28:B27:Vfrisian", "28x26x27"),
            ("W:W28:B29:Vfrisian", "28x30x29"),
            ("W:WK1:B3:Vfrisian", "1x4x3 1x5x3"),
            ("W:W26:B16:Vfrisian", "26x6x16"),
            // A king is worth more than one man and less than two.
            ("W:W28,45:BK18,35:Vfrisian", "28x8x18"),
            ("W:W28,45:BK18,35,15:Vfrisian", "45x5x15x35"),
            ("W:W28,K50:B18,44:Vfrisian", "50x33x44 50x39x44"),
        ] {
            assert_eq!(moves(fen), expected, "{fen}");
        }
    }

    #[test]
    fn graphs_find_the_same_captures() {
        let mut rng = Rng::new(3);
        let mut captures = 0;
        for _ in 0..5000 {
            let mut squares: Vec<_> = Square::all().collect();
            rng.shuffle(&mut squares);
            let (own, all) = (1 + rng.below(4), 5 + rng.below(12));
            let mut board = Board::default();
            for (i, &square) in squares[..all].iter().enumerate() {
                let side = if i < own { Side::White } else { Side::Black };
                let is_man = rng.below(2) == 0 && !Bitboard::promotion_row(side).has(square);
                board.put(square, side, if is_man { Kind::Man } else { Kind::King });
            }
            let walked = Captures::of(&board, Side::White);
            if walked.jumps > MAX_JUMPS {
                continue;
            }
            let sorted = |captures: &Captures| {
                let mut found: Vec<_> =
                    captures.found.iter().map(|raw| (raw.from.0, raw.to.0, raw.taken.0)).collect();
                found.sort_unstable();
                found
            };
            let mut fresh = Captures::none(&board, Side::White);
            fresh.follow_graphs(&board, Side::White);
            assert_eq!(sorted(&fresh), sorted(&walked), "{board:?}");
            captures += walked.found.len();
        }
        assert!(captures > 3000, "{captures}");
    }

    #[test]
    fn king_rests_after_three_moves() {
        let play = |position: Position, texts: &str| {
            texts.split_whitespace().fold(position, |position, text| {
                let m = crate::draughts::notation::parse(&position, text);
                position.play(m.unwrap_or_else(|error| panic!("{error}")))
            })
        };
        let position = |fen: &str| fen.parse::<Position>().unwrap_or_else(|e| panic!("{fen}: {e}"));
        let from = |position: &Position, square: u32| {
            position.legal_moves().iter().filter(|m| m.from().number() == square).count()
        };
        let three = "46-41 15-20 41-46 20-25 46-41 25-30";
        let tired = play(position("W:WK46,36:B15,18:Vfrisian"), three);
        assert_eq!((from(&tired, 41), from(&tired, 36)), (0, 1), "{tired}");
        assert_ne!(tired.key(), position(&tired.to_string()).key());
        assert!(!tired.has_no_history());
        // A move by another piece ends the run.
        assert!(from(&play(tired, "36-31 30-35"), 41) > 0);
        // The king may still capture, and the limit does not apply to a side without men.
        let takes = "46-41 15-20 41-46 20-25 46-41 18-23";
        assert!(from(&play(position("W:WK46,36:B15,18:Vfrisian"), takes), 41) > 0);
        assert!(from(&play(position("W:WK46:B15,18:Vfrisian"), three), 41) > 0);
        // The normal game has no limit.
        assert!(from(&play(position("W:WK46,36:B15,18"), three), 41) > 0);
    }
}
