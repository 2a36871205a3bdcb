//! The staged move picker: gives the moves in the order in which they should be tried, and generates
//! them only when their turn comes.
//!
//! First the hash move; then captures and promotions that lose nothing or little, most valuable first; the
//! killer; quiet moves by history, those that give check or escape from a lesser piece earlier; the other captures.

use super::history::{Histories, QuietContext};
use super::see;
use crate::chess::movegen::MoveClass;
use crate::chess::moves::MAX_MOVES;
use crate::chess::position::Checks;
use crate::chess::{Bitboard, Kind, Move, MoveList, Position, attacks};
use arrayvec::ArrayVec;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Stage {
    Hash,
    GenerateNoisy,
    GoodNoisy,
    Killer,
    GenerateQuiet,
    Quiet,
    BadNoisy,
    Done,
}

/// What is added to the history of a quiet move that gives check ...
const CHECK: i32 = 8000;
/// ... and whose exchange brings at least this: less than half a pawn is lost.
const MIN_CHECK_EXCHANGE: i32 = -50;
/// What is added, for each kind of piece, if it leaves a square that a lesser one attacks, and taken off if it
/// goes to such a square.
const ESCAPE: [i32; Kind::NUM] = [0, 5000, 5000, 8000, 12_000, 0];

/// What the board promises of quiet moves, whatever the histories say.
struct Tactics<'a> {
    position: &'a Position,
    checks: &'a Checks,
    /// For each kind of our pieces, what enemy pieces of a lesser one attack.
    lesser: [Bitboard; Kind::NUM],
}

impl<'a> Tactics<'a> {
    #[inline(always)]
    fn of(position: &'a Position, checks: &'a Checks) -> Self {
        let (board, enemy) = (position.board(), !position.side());
        let (occupied, none) = (board.occupied(), Bitboard::EMPTY);
        let pawns = attacks::pawns(enemy, board.pieces(enemy, Kind::Pawn));
        let knights = attacks::knights(board.pieces(enemy, Kind::Knight));
        let minors = board
            .pieces(enemy, Kind::Bishop)
            .into_iter()
            .fold(pawns | knights, |all, from| all | attacks::bishop(from, occupied));
        let rooks = board
            .pieces(enemy, Kind::Rook)
            .into_iter()
            .fold(minors, |all, from| all | attacks::rook(from, occupied));
        Self { position, checks, lesser: [none, pawns, pawns, minors, rooks, none] }
    }

    /// What is to be added to the history of a quiet move.
    #[inline(always)]
    fn promise(&self, m: Move) -> i32 {
        let kind = self.position.kind_on(m.from()).unwrap_or(Kind::Pawn).index();
        let lesser = self.lesser[kind];
        let escapes = i32::from(lesser.has(m.from())) - i32::from(lesser.has(m.to()));
        let checks = self.checks.has(self.position, m)
            && see::at_least(self.position, m, MIN_CHECK_EXCHANGE);
        ESCAPE[kind] * escapes + if checks { CHECK } else { 0 }
    }
}

/// What a hundredth of a pawn taken counts beside a capture's history.
const VALUE: i32 = 16;
/// A good capture may lose one part in so many of what it takes and of its history, as [`VALUE`] counts both.
const LENIENCE: i32 = 64;

/// Gives out the legal moves of one position, each once.
pub struct Picker {
    stage: Stage,
    hash: Option<Move>,
    killer: Option<Move>,
    /// Whether only captures and promotions are wanted.
    noisy_only: bool,
    /// The least that an exchange must win to count as good, as [`see::value`] counts.
    threshold: i32,
    /// Whether a good capture may win less, the more it takes and the better its history.
    lenient: bool,
    /// What the last capture given as good is known to win at least.
    proved: i32,
    moves: MoveList,
    /// The key of each move, then [`MIN_KEY`] to a multiple of [`LANES`].
    keys: ArrayVec<i32, { MAX_MOVES + LANES }>,
    next: usize,
    bad: MoveList,
    next_bad: usize,
}

impl Picker {
    /// All moves, for a search: a capture that loses little is still good. The hash move must be legal; the
    /// killer may be any move at all.
    pub fn new(hash: Option<Move>, killer: Option<Move>) -> Self {
        Self {
            stage: Stage::Hash,
            hash,
            killer: killer.filter(|&m| Some(m) != hash),
            noisy_only: false,
            threshold: 0,
            lenient: true,
            proved: 0,
            moves: MoveList::new(),
            keys: ArrayVec::new(),
            next: 0,
            bad: MoveList::new(),
            next_bad: 0,
        }
    }

    /// All moves, for quiescence: a capture that loses anything is bad.
    pub fn evasions(hash: Option<Move>) -> Self {
        Self { lenient: false, ..Self::new(hash, None) }
    }

    /// Captures and promotions alone; those that win less than `threshold` come last.
    pub fn noisy(position: &Position, hash: Option<Move>, threshold: i32) -> Self {
        let hash = hash.filter(|&m| position.is_noisy(m));
        Self { noisy_only: true, threshold, ..Self::evasions(hash) }
    }

    /// Gives no quiet moves from now on.
    pub fn skip_quiets(&mut self) {
        self.noisy_only = true;
    }

    /// Whether the last move given was a capture or promotion that wins less than the threshold.
    pub fn is_bad(&self) -> bool {
        self.stage >= Stage::BadNoisy
    }

    /// Whether the exchange of the last move given, `m`, brings at least `least`; that of a good capture may be
    /// known to.
    pub fn wins(&self, position: &Position, m: Move, least: i32) -> bool {
        let known = self.stage == Stage::GoodNoisy && least <= self.proved;
        known || see::at_least(position, m, least)
    }

    /// The next move.
    pub fn next(&mut self, histories: &Histories, context: &QuietContext<'_>) -> Option<Move> {
        let position = context.position;
        loop {
            match self.stage {
                Stage::Hash => {
                    self.stage = Stage::GenerateNoisy;
                    if self.hash.is_some() {
                        return self.hash;
                    }
                }
                Stage::GenerateNoisy => {
                    position
                        .generate::<{ MoveClass::Noisy as u8 }, _>(Bitboard::ALL, &mut self.moves);
                    for &m in &self.moves {
                        let taken = see::taken(position, m);
                        let gained = m.promoted().map_or(0, |kind| match kind {
                            Kind::Queen => see::value(kind),
                            _ => -see::value(Kind::Rook),
                        });
                        let score = VALUE * (taken + gained) + histories.capture(position, m);
                        self.keys.push(key(score, self.keys.len()));
                    }
                    self.fill();
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => {
                    while let Some(m) = self.take_best() {
                        let lenience = if self.lenient {
                            let worth =
                                VALUE * see::taken(position, m) + histories.capture(position, m);
                            worth / LENIENCE
                        } else {
                            0
                        };
                        self.proved = self.threshold - lenience;
                        if see::at_least(position, m, self.proved) {
                            return Some(m);
                        }
                        self.bad.push(m);
                    }
                    self.stage = Stage::Killer;
                }
                Stage::Killer => {
                    self.stage = Stage::GenerateQuiet;
                    if let Some(m) = self.killer.filter(|_| !self.noisy_only)
                        && position.is_legal(m)
                        && !position.is_noisy(m)
                    {
                        return Some(m);
                    }
                    self.killer = None;
                }
                Stage::GenerateQuiet => {
                    self.stage = Stage::Quiet;
                    if !self.noisy_only {
                        self.moves.clear();
                        self.keys.clear();
                        self.next = 0;
                        position.generate::<{ MoveClass::Quiet as u8 }, _>(
                            Bitboard::ALL,
                            &mut self.moves,
                        );
                        let quiets = histories.quiets(context);
                        let tactics = context.checks.map(|checks| Tactics::of(position, checks));
                        for &m in &self.moves {
                            let promise = tactics.as_ref().map_or(0, |tactics| tactics.promise(m));
                            let score = quiets.score(m) + promise;
                            self.keys.push(key(score, self.keys.len()));
                        }
                        self.fill();
                    }
                }
                Stage::Quiet => {
                    if !self.noisy_only {
                        while let Some(m) = self.take_best() {
                            if Some(m) != self.killer {
                                return Some(m);
                            }
                        }
                    }
                    self.stage = Stage::BadNoisy;
                }
                Stage::BadNoisy => {
                    let m = self.bad.get(self.next_bad).copied();
                    self.next_bad += 1;
                    if m.is_some() {
                        return m;
                    }
                    self.stage = Stage::Done;
                }
                Stage::Done => return None,
            }
        }
    }

    /// Fills up the keys.
    #[inline(always)]
    fn fill(&mut self) {
        while !self.keys.len().is_multiple_of(LANES) {
            self.keys.push(MIN_KEY);
        }
    }

    /// The best move left that is not the hash move; the first of those that are equal.
    #[inline(always)]
    fn take_best(&mut self) -> Option<Move> {
        while self.next < self.moves.len() {
            let (rows, _) = self.keys[self.next / LANES * LANES..].as_chunks::<LANES>();
            let mut most = [MIN_KEY; LANES];
            for row in rows {
                for (most, &key) in most.iter_mut().zip(row) {
                    *most = key.max(*most);
                }
            }
            let greatest = most.into_iter().fold(MIN_KEY, i32::max);
            let best = index(greatest);
            let m = self.moves[best];
            self.moves[best] = self.moves[self.next];
            self.keys[best] = moved(self.keys[self.next], best);
            self.keys[self.next] = MIN_KEY;
            self.next += 1;
            if Some(m) != self.hash {
                return Some(m);
            }
        }
        None
    }
}

/// The number of keys compared at once.
const LANES: usize = 16;
/// Less than the key of any move.
const MIN_KEY: i32 = i32::MIN;
/// The bits of a key that tell the index.
const INDEX_BITS: i32 = 511;

/// What moves are compared by: their scores, and of those with the same the first in the list.
#[inline(always)]
const fn key(score: i32, index: usize) -> i32 {
    const { assert!(MAX_MOVES <= INDEX_BITS as usize) };
    moved(score << INDEX_BITS.count_ones(), index)
}

/// The key of a move that has come to another index.
#[inline(always)]
const fn moved(key: i32, index: usize) -> i32 {
    (key & !INDEX_BITS) | (INDEX_BITS - index as i32)
}

/// The index in the list of the move of a key.
#[inline(always)]
const fn index(key: i32) -> usize {
    (INDEX_BITS - (key & INDEX_BITS)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_legal_move_comes_once_whatever_the_hash_and_killer_say() {
        let histories = Histories::new();
        let fens = [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            "8/2p5/3p4/KP5r/1R3pPk/8/4P3/8 b - g3 0 1",
        ];
        for fen in fens {
            let position: Position = fen.parse().expect(fen);
            let context = QuietContext::plain(&position, &[None; 3]);
            let mut legal = position.legal_moves().to_vec();
            legal.sort();
            let (first, last) = (legal.first().copied(), legal.last().copied());
            for hash in [None, first, last] {
                for killer in [None, Move::from_bits(1234), first, last] {
                    let mut picker = Picker::new(hash, killer);
                    let mut given: Vec<_> =
                        std::iter::from_fn(|| picker.next(&histories, &context)).collect();
                    given.sort();
                    assert_eq!(given, legal, "{fen} {hash:?} {killer:?}");
                }
            }
        }
    }
}
