//! A best-first search for any sequence of legal moves of both sides that ends in mate.
//!
//! No position is searched twice. If all positions are exhausted, mate is impossible.

use super::{material, walls};
use crate::base::side::Side;
use crate::chess::movegen::{self, Count, Masks, MoveClass, Sink};
use crate::chess::{Bitboard, Board, Kind, Piece, Square, attacks};
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

const ALL: u8 = MoveClass::All as u8;

/// Weights of the [features](Search::features) in the estimated distance from a mate. The three
/// rows are for winners with a queen or rook, with a pawn but no queen or rook, and with minor
/// pieces only. The last weight of a row is a constant term.
type Weights = [[usize; FEATURES + 1]; 3];

const FEATURES: usize = 14;

/// The weights to try in turn, each with the maximum number of positions to search. [`TUNED`] was
/// found by hill climbing on positions from games and problems; the other weights were chosen by
/// hand.
const TRIES: [(usize, Weights); 3] = [
    (5_000, TUNED),
    (
        20_000,
        [
            [8, 2, 3, 3, 3, 2, 0, 1, 1, 1, 0, 0, 0, 1, 0],
            [4, 1, 3, 0, 3, 1, 6, 0, 1, 1, 0, 0, 0, 1, 20],
            [4, 0, 3, 0, 3, 1, 0, 0, 3, 0, 0, 1, 1, 1, 40],
        ],
    ),
    (usize::MAX, TUNED),
];

const TUNED: Weights = [
    [6, 5, 4, 5, 3, 6, 3, 1, 1, 7, 0, 4, 0, 2, 0],
    [1, 3, 3, 0, 4, 4, 12, 0, 4, 4, 0, 4, 1, 0, 20],
    [3, 0, 3, 0, 3, 9, 0, 0, 0, 6, 4, 1, 0, 1, 40],
];

/// Blockade detection starts one ply below the root. After this many nodes, it can run at any depth.
/// It always requires [`Node::changed`].
const WALLS_AFTER: usize = 40;

/// Returns whether `winner` can mate with `side` to move, or `None` if the search reaches `limit`
/// positions without a result. The position must not be a mate.
pub(super) fn can_mate(board: &Board, side: Side, winner: Side, limit: usize) -> Option<bool> {
    let mut left = limit;
    for (budget, weights) in &TRIES {
        let budget = left.min(*budget);
        let (answer, met) = Search::new(winner, weights).run(board, side, budget);
        left = left.saturating_sub(met);
        if answer.is_some() || left == 0 {
            return answer;
        }
    }
    None
}

/// Like [`can_mate`], but without the tests of material and walls, in order to verify those tests.
#[cfg(test)]
pub fn by_moves_alone(board: &Board, side: Side, winner: Side, limit: usize) -> Option<bool> {
    let mut search = Search::new(winner, &TUNED);
    search.moves_alone = true;
    search.run(board, side, limit).0
}

#[derive(Clone, Copy)]
struct Node {
    board: Board,
    side: Side,
    /// True after a move that may complete a wall: a capture, a pawn move, a reply to a check, or
    /// the first move.
    changed: bool,
    /// True for a position one move after the root.
    first: bool,
}

struct Search<'a> {
    winner: Side,
    weights: &'a Weights,
    seen: Keys,
    open: Open,
    mate: bool,
    board: Board,
    /// True if every move from `board` sets [`Node::changed`].
    changes: bool,
    first: bool,
    /// True to skip the tests of material and walls.
    moves_alone: bool,
}

impl<'a> Search<'a> {
    fn new(winner: Side, weights: &'a Weights) -> Self {
        Self {
            winner,
            weights,
            seen: Keys::default(),
            open: Open::default(),
            mate: false,
            board: Board::EMPTY,
            changes: false,
            first: true,
            moves_alone: false,
        }
    }

    /// Returns the result, or `None` if it is undetermined, and the number of positions reached.
    fn run(mut self, board: &Board, side: Side, limit: usize) -> (Option<bool>, usize) {
        self.seen.insert(key(board, side));
        self.expand(&Node { board: *board, side, changed: false, first: false });
        self.first = false;
        let (mut tried, mut asked, mut shut) = (0, 0, 0);
        while !self.mate {
            let Some(node) = self.open.pop() else { return (Some(false), self.seen.len()) };
            tried += 1;
            // Blockade detection continues only while it succeeds often enough.
            let check_walls = node.first || tried > WALLS_AFTER && asked <= 20 + 4 * shut;
            if node.changed && check_walls && !self.moves_alone {
                asked += 1;
                if walls::shut(&node.board, node.side, self.winner) {
                    shut += 1;
                    continue;
                }
            }
            self.expand(&node);
            if self.seen.len() >= limit && !self.mate {
                return (None, self.seen.len());
            }
        }
        (Some(true), self.seen.len())
    }

    fn expand(&mut self, node: &Node) {
        let masks = Masks::of(&node.board, node.side);
        self.board = node.board;
        self.changes = self.first || masks.checkers.any();
        if node.side.is_white() {
            movegen::generate::<true, ALL, _>(&node.board, &masks, Bitboard::ALL, self);
        } else {
            movegen::generate::<false, ALL, _>(&node.board, &masks, Bitboard::ALL, self);
        }
    }

    /// Queues the position after a move by White or Black, unless the position was seen before or
    /// its material excludes a mate. Sets `mate` instead if the winner has mated.
    fn enqueue<const WHITE: bool>(&mut self, next: Board, irreversible: bool) {
        let side = Side::from_white(!WHITE);
        if self.mate || !self.seen.insert(key(&next, side)) {
            return;
        }
        if irreversible && !self.moves_alone && !material::is_enough(&next, self.winner) {
            return;
        }
        if side != self.winner {
            let masks = Masks::of(&next, side);
            if masks.checkers.any() {
                let mut moves = Count::default();
                if WHITE {
                    movegen::generate::<false, ALL, _>(&next, &masks, Bitboard::ALL, &mut moves);
                } else {
                    movegen::generate::<true, ALL, _>(&next, &masks, Bitboard::ALL, &mut moves);
                }
                if moves.0 == 0 {
                    self.mate = true;
                    return;
                }
            }
        }
        let changed = irreversible || self.changes;
        let node = Node { board: next, side, changed, first: self.first };
        self.open.push(self.distance(&next), node);
    }

    /// Returns the estimated distance from a mate.
    fn distance(&self, board: &Board) -> usize {
        let class = if board.straight_sliders(self.winner).any() {
            0
        } else if board.pieces(self.winner, Kind::Pawn).any() {
            1
        } else {
            2
        };
        let weights = &self.weights[class];
        let features = self.features(board);
        let far = features.iter().zip(weights).map(|(feature, weight)| feature * weight);
        weights[FEATURES] + far.sum::<usize>()
    }

    fn features(&self, board: &Board) -> [usize; FEATURES] {
        let (winner, loser) = (self.winner, !self.winner);
        let (own, king) = (board.king(winner), board.king(loser));
        let attacked = movegen::attacked_by(board, winner, board.occupied() ^ king);
        let (neighbours, others) = (attacks::king(king), board.side(loser));
        let pawns = board.kind(Kind::Pawn);
        let heavy = board.straight_sliders(winner);
        let minor = board.side(winner) - (pawns | heavy | own);
        let far_from_king =
            |men: Bitboard| men.map(|man| usize::from(man.distance(king))).sum::<usize>();
        let to_promotion = |side: Side| {
            let pawns = board.pieces(side, Kind::Pawn).relative_to(side);
            if pawns.is_empty() { 7 } else { pawns.0.leading_zeros() as usize / 8 }
        };
        let to_edge = |line: usize| line.min(7 - line);
        [
            // The losing king's escape squares, and the unattacked pieces of the losing side next
            // to the king.
            (neighbours - (attacked | others)).len() as usize,
            ((neighbours & others) - attacked).len() as usize,
            usize::from(CORNER[king.index()]),
            to_edge(king.file().index()).min(to_edge(king.rank().index())),
            usize::from(king.distance(own).max(2)),
            usize::from(!attacked.has(king)),
            to_promotion(winner),
            far_from_king(heavy),
            far_from_king(minor),
            others.len() as usize,
            board.side(winner).len() as usize,
            far_from_king(others - pawns),
            to_promotion(loser),
            (neighbours - attacked).len() as usize,
        ]
    }
}

/// The Manhattan distance of each square from the nearest corner.
static CORNER: [u8; 64] = {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        let (file, rank) = (square % 8, square / 8);
        let file = if file > 3 { 7 - file } else { file };
        let rank = if rank > 3 { 7 - rank } else { rank };
        table[square] = (file + rank) as u8;
        square += 1;
    }
    table
};

impl Sink for Search<'_> {
    #[inline(always)]
    fn piece<const WHITE: bool>(&mut self, kind: Kind, from: Square, to: Bitboard) {
        let side = Side::from_white(WHITE);
        let taken = self.board.side(!side);
        for to in to {
            let next = self.board.step(Piece::new(side, kind), from, to);
            self.enqueue::<WHITE>(next, taken.has(to));
        }
    }
    #[inline(always)]
    fn pawns<const WHITE: bool>(&mut self, to: Bitboard, delta: i8) {
        let pawn = Piece::new(Side::from_white(WHITE), Kind::Pawn);
        for to in to {
            let next = self.board.step(pawn, movegen::before(to, delta), to);
            self.enqueue::<WHITE>(next, true);
        }
    }
    #[inline(always)]
    fn double_steps<const WHITE: bool>(&mut self, to: Bitboard) {
        for to in to {
            let next = self.board.double_stepped(Side::from_white(WHITE), to);
            self.enqueue::<WHITE>(next, true);
        }
    }
    #[inline(always)]
    fn promotions<const WHITE: bool>(&mut self, to: Bitboard, delta: i8) {
        let side = Side::from_white(WHITE);
        for to in to {
            for kind in [Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight] {
                let from = movegen::before(to, delta);
                self.enqueue::<WHITE>(self.board.promoted(side, from, to, kind), true);
            }
        }
    }
    #[inline(always)]
    fn en_passant<const WHITE: bool>(&mut self, from: Square, to: Square) {
        let side = Side::from_white(WHITE);
        self.enqueue::<WHITE>(self.board.taken_en_passant(side, from, to), true);
    }
    #[inline(always)]
    fn castle<const WHITE: bool>(&mut self, king: Square, rook: Square) {
        let side = Side::from_white(WHITE);
        self.enqueue::<WHITE>(self.board.castled(side, king, rook), false);
    }
}

#[derive(Default)]
struct Open {
    by_distance: Vec<Vec<Node>>,
    /// A lower bound on the smallest distance in use.
    min_distance: usize,
}

impl Open {
    fn push(&mut self, far: usize, node: Node) {
        if far >= self.by_distance.len() {
            self.by_distance.resize_with(far + 1, Vec::new);
        }
        self.by_distance[far].push(node);
        self.min_distance = self.min_distance.min(far);
    }

    /// Removes and returns the node with the smallest distance. Among equal distances, the most
    /// recent node comes first.
    fn pop(&mut self) -> Option<Node> {
        while let Some(nodes) = self.by_distance.get_mut(self.min_distance) {
            if let Some(node) = nodes.pop() {
                return Some(node);
            }
            self.min_distance += 1;
        }
        None
    }
}

/// A set of keys that are already hashes.
#[derive(Default)]
struct Keys(HashTable<u64>);

impl Keys {
    /// Adds a key and returns whether it is new.
    fn insert(&mut self, key: u64) -> bool {
        match self.0.entry(key, |&known| known == key, |&known| known) {
            Entry::Occupied(_) => false,
            Entry::Vacant(slot) => {
                slot.insert(key);
                true
            }
        }
    }

    fn len(&self) -> usize {
        self.0.len()
    }
}

fn key(board: &Board, side: Side) -> u64 {
    let fold = |a: u64, b: u64| {
        let product = u128::from(a) * u128::from(b);
        product as u64 ^ (product >> 64) as u64
    };
    let kinds = Kind::ALL.map(|kind| board.kind(kind).0);
    let white = board.side(Side::White).0;
    let turn = if side.is_white() { 0x9ae1_6a3b_2f90_404f } else { 0xc949_c7de_fd13_1a59 };
    let one = fold(kinds[0] ^ 0xa076_1d64_78bd_642f, kinds[1] ^ 0xe703_7ed1_a0b4_28db);
    let two = fold(kinds[2] ^ 0x8ebc_6af0_9c88_c6e3, kinds[3] ^ 0x5899_65cc_7537_4cc3);
    let three = fold(kinds[4] ^ 0x1d8e_4e27_c47d_124f, kinds[5] ^ 0xeb44_acca_b455_d165);
    let four = fold(white ^ 0x2d35_8dcc_aa6c_78a5, turn);
    let five =
        fold(board.castling.0 ^ 0x8bb8_4b93_962e_acc9, board.en_passant.0 ^ 0x4b33_a62e_d433_d4a3);
    fold(
        one ^ two.rotate_left(17) ^ five.rotate_left(41),
        three.rotate_left(5) ^ four ^ 0x4d5a_2da5_1de1_aa47,
    )
}
