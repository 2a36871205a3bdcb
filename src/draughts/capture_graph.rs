//! Captures as paths in a graph, for positions in which following every route would take too long.
//!
//! Captured pieces stay on the board until the move ends, so the possible jumps do not change
//! during a capture. A jump is identified by the captured piece and the direction, and its possible
//! successors are fixed. A capture is a path that visits each piece at most once.
//!
//! In Frisian draughts, a king among twenty pieces can have a hundred million routes, but they
//! capture at most 2^20 different sets of pieces. All routes that capture the same set are followed
//! together.

use super::bitboard::Bitboard;
use super::frisian::CaptureDirection;
use smallvec::SmallVec;

/// A set of jumps, with one byte per captured piece and one bit per direction.
#[derive(Clone, Copy, Default)]
struct Jumps([u64; MAX_PIECES / 8 + 1]);

/// The maximum number of pieces per side.
const MAX_PIECES: usize = 20;
const DIRECTIONS: usize = CaptureDirection::ALL.len();

impl Jumps {
    const fn insert(&mut self, jump: usize) {
        self.0[jump / 64] |= 1 << (jump % 64);
    }

    /// Returns the jumps over one piece, with one bit per direction.
    const fn over(&self, piece: usize) -> u64 {
        self.0[piece / 8] >> (piece % 8 * 8) & 0xff
    }

    const fn insert_over(&mut self, piece: usize, ways: u64) {
        self.0[piece / 8] |= ways << (piece % 8 * 8);
    }

    fn iter(self) -> impl Iterator<Item = usize> {
        (0..MAX_PIECES * DIRECTIONS).filter(move |jump| self.0[jump / 64] >> (jump % 64) & 1 == 1)
    }
}

/// The jumps that one capturing piece can make, with the successors of each jump.
pub(super) struct CaptureGraph {
    pieces: SmallVec<[Bitboard; MAX_PIECES]>,
    /// For each piece, the pieces that can be captured directly before or after it.
    neighbours: SmallVec<[Bitboard; MAX_PIECES]>,
    /// For each jump, the landing squares.
    landings: Vec<Bitboard>,
    next: Vec<Jumps>,
    first: Jumps,
}

/// An upper bound on the captures that can complete a partial route.
pub(super) struct Outlook {
    /// The pieces that may still be captured.
    pub open: Bitboard,
    /// The number of pieces that can only be captured last. A route captures at most one of them.
    pub ends: u32,
}

/// The partial routes that have captured the same set of pieces.
struct State {
    taken: Bitboard,
    /// The indices of the captured pieces in the graph, as a bit set.
    subset: usize,
    /// The last jump of each route.
    last: Jumps,
}

impl CaptureGraph {
    /// Builds the graph of the captures from the square `from`, which must be in `empty`. `pieces`
    /// contains the pieces that can be captured, at most twenty. All other pieces block the way.
    pub(super) fn new(
        lines: &[CaptureDirection],
        is_king: bool,
        from: Bitboard,
        empty: Bitboard,
        pieces: Bitboard,
    ) -> Self {
        let pieces: SmallVec<[Bitboard; MAX_PIECES]> = pieces.singles().take(MAX_PIECES).collect();
        let mut graph = Self {
            neighbours: SmallVec::from_elem(Bitboard::EMPTY, pieces.len()),
            landings: vec![Bitboard::EMPTY; pieces.len() * DIRECTIONS],
            next: vec![Jumps::default(); pieces.len() * DIRECTIONS],
            first: Jumps::default(),
            pieces,
        };
        for (number, &over) in graph.pieces.iter().enumerate() {
            for &line in lines {
                let behind = line.step(over) & empty;
                if behind.any() && (line.opposite().step(over) & empty).any() {
                    let all = if is_king { line.slide(over, empty) } else { behind };
                    graph.landings[number * DIRECTIONS + line.index()] = all;
                }
            }
        }
        let jump = |graph: &Self, at: Bitboard, line: CaptureDirection| {
            let over = if is_king { line.nearest(at, !empty) } else { line.step(at) };
            let number = graph.pieces.iter().position(|&piece| piece == over)?;
            let jump = number * DIRECTIONS + line.index();
            graph.landings[jump].any().then_some(jump)
        };
        for came in 0..graph.landings.len() {
            for at in graph.landings[came].singles() {
                for &line in
                    lines.iter().filter(|line| line.opposite().index() != came % DIRECTIONS)
                {
                    if let Some(next) = jump(&graph, at, line) {
                        graph.next[came].insert(next);
                        graph.neighbours[came / DIRECTIONS] |= graph.pieces[next / DIRECTIONS];
                    }
                }
            }
        }
        for &line in lines {
            if let Some(first) = jump(&graph, from, line) {
                graph.first.insert(first);
            }
        }
        graph
    }

    /// Returns the outlook for a partial route. `left` contains the pieces not yet captured, and
    /// `next` the pieces that the next jump can capture. A piece with a single neighbour can only
    /// be captured last. The capturing piece counts as a neighbour of each piece in `next`.
    pub(super) fn outlook(&self, left: Bitboard, next: Bitboard) -> Outlook {
        let mut outlook = Outlook { open: Bitboard::EMPTY, ends: 0 };
        for (&piece, &neighbours) in self.pieces.iter().zip(&self.neighbours) {
            if (piece & left).any() {
                match (neighbours & left).len() + (next & piece).len() {
                    0 => continue,
                    1 => outlook.ends += 1,
                    _ => {}
                }
                outlook.open |= piece;
            }
        }
        outlook
    }

    pub(super) fn neighbours(&self, piece: Bitboard) -> Bitboard {
        let number = self.pieces.iter().position(|&other| other == piece);
        number.map_or(Bitboard::EMPTY, |number| self.neighbours[number])
    }

    /// Calls `each` with the destination squares and the captured pieces of every capture with a
    /// value of at least `best`. If a capture has a higher value than `best`, `best` is raised to
    /// this value. Captures that can continue are included. A capture of higher value supersedes
    /// all earlier ones. `value` returns the value of a set of captured pieces, and
    /// `min_piece_value` is a lower bound on the value of one piece.
    pub(super) fn each_best(
        &self,
        value: impl Fn(Bitboard) -> u32,
        min_piece_value: u32,
        mut best: u32,
        mut each: impl FnMut(Bitboard, Bitboard),
    ) {
        let all = self.pieces.iter().fold(Bitboard::EMPTY, |all, &piece| all | piece);
        // The index of each subset in the next layer, plus one, or 0 if the next layer does not
        // contain the subset. Pages of this vector that are never written use no memory.
        let mut places = vec![0_u32; 1 << self.pieces.len()];
        let none = State { taken: Bitboard::EMPTY, subset: 0, last: Jumps::default() };
        let mut layer = vec![none];
        while !layer.is_empty() {
            let mut next_layer: Vec<State> = Vec::new();
            for State { taken, subset, last } in layer {
                let mut next = if subset == 0 { self.first } else { Jumps::default() };
                for jump in last.iter() {
                    for (word, more) in next.0.iter_mut().zip(self.next[jump].0) {
                        *word |= more;
                    }
                }
                let now = value(taken);
                if now >= best && subset != 0 {
                    best = now;
                    last.iter().for_each(|jump| each(self.landings[jump], taken));
                }
                let left = all - taken;
                let numbers = || {
                    (0..self.pieces.len()).filter(|&i| next.over(i) != 0 && subset >> i & 1 == 0)
                };
                let direct =
                    numbers().fold(Bitboard::EMPTY, |set, number| set | self.pieces[number]);
                let Outlook { open, ends } = self.outlook(left, direct);
                if direct.is_empty()
                    || value(taken | open) - min_piece_value * ends.saturating_sub(1) < best
                {
                    continue;
                }
                for number in numbers() {
                    let subset = subset | 1 << number;
                    let place = &mut places[subset];
                    if *place == 0 {
                        let taken = taken | self.pieces[number];
                        next_layer.push(State { taken, subset, last: Jumps::default() });
                        *place = next_layer.len() as u32;
                    }
                    let state = &mut next_layer[*place as usize - 1];
                    state.last.insert_over(number, next.over(number));
                }
            }
            layer = next_layer;
        }
    }
}
