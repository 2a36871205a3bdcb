//! The staged move picker, which returns the most promising moves first and generates moves only
//! when they are needed.
//!
//! The order is: the table move; captures and promotions that lose little or nothing; the killer;
//! quiet moves by history, with a bonus for checks and for escapes from a less valuable piece; bad
//! captures.

use super::history::{Histories, QuietContext};
use super::see;
use crate::chess::movegen::MoveClass;
use crate::chess::position::Checks;
use crate::chess::{Bitboard, Kind, Move, MoveList, Position};
use crate::search::ranking::Ranking;

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

/// The bonus of a quiet move that gives check, if its exchange value is at least
/// `MIN_CHECK_EXCHANGE`.
const CHECK: i32 = 8000;
const MIN_CHECK_EXCHANGE: i32 = -50;
/// For each kind of piece, the bonus for leaving a square attacked by a less valuable piece, which
/// is also the malus for entering such a square. A `const` array would be copied for each move.
static ESCAPE: [i32; Kind::NUM] = [0, 5000, 5000, 8000, 12_000, 0];

/// Bonuses for quiet moves, independent of the histories.
struct Tactics<'a> {
    position: &'a Position,
    checks: &'a Checks,
    /// For each kind of piece, the squares attacked by enemy pieces of a less valuable kind.
    lesser: [Bitboard; Kind::NUM],
}

impl<'a> Tactics<'a> {
    #[inline(always)]
    fn of(context: &QuietContext<'a>, checks: &'a Checks) -> Self {
        Self { position: context.position, checks, lesser: context.threats.by_lesser() }
    }

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

/// The weight of one centipawn of captured material, relative to capture history.
const VALUE: i32 = 16;
/// The divisor in the margin by which a good capture may lose in the main search, in centipawns:
/// `(weighted material + capture history) / LENIENCE`. Quiescence search and ProbCut have no
/// margin.
const LENIENCE: i32 = 64;

pub(super) struct Picker {
    stage: Stage,
    hash: Option<Move>,
    killer: Option<Move>,
    noisy_only: bool,
    /// The minimum exchange value of a good capture.
    threshold: i32,
    /// True if the captured material and the history of a capture lower its threshold.
    lenient: bool,
    /// A proven lower bound on the exchange value of the last good capture.
    proved: i32,
    moves: MoveList,
    /// The ranking of `moves`, without the table move and the killer.
    ranking: Ranking,
    bad: MoveList,
    next_bad: usize,
}

impl Picker {
    /// Creates a picker of all moves, for the main search. The table move must be legal; the killer
    /// may be illegal.
    pub(super) fn new(hash: Option<Move>, killer: Option<Move>) -> Self {
        Self {
            stage: Stage::Hash,
            hash,
            killer: killer.filter(|&m| Some(m) != hash),
            noisy_only: false,
            threshold: 0,
            lenient: true,
            proved: 0,
            moves: MoveList::new(),
            ranking: Ranking::new(),
            bad: MoveList::new(),
            next_bad: 0,
        }
    }

    /// Creates a picker of all moves, for quiescence search in check. Every losing capture counts
    /// as bad.
    pub(super) fn evasions(hash: Option<Move>) -> Self {
        Self { lenient: false, ..Self::new(hash, None) }
    }

    /// Creates a picker of captures and promotions. Moves that win less than `threshold` centipawns
    /// count as bad and come last, except the table move, which comes first.
    pub(super) fn noisy(position: &Position, hash: Option<Move>, threshold: i32) -> Self {
        let hash = hash.filter(|&m| position.is_noisy(m));
        Self { noisy_only: true, threshold, ..Self::evasions(hash) }
    }

    pub(super) fn skip_quiets(&mut self) {
        self.noisy_only = true;
    }

    pub(super) fn is_bad(&self) -> bool {
        self.stage >= Stage::BadNoisy
    }

    /// Returns whether the exchange value of `m` is at least `threshold`. `m` must be the last move
    /// returned by [`Self::next`], so that the lower bound proved for a good capture can be reused.
    pub(super) fn wins(&self, position: &Position, m: Move, threshold: i32) -> bool {
        let proved = self.stage == Stage::GoodNoisy && threshold <= self.proved;
        proved || see::at_least(position, m, threshold)
    }

    pub(super) fn next(
        &mut self,
        histories: &Histories,
        context: &QuietContext<'_>,
    ) -> Option<Move> {
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
                    self.generate_noisy(histories, position);
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => {
                    while let Some(m) = self.take_best() {
                        let lenience = if self.lenient {
                            let worth = VALUE * see::captured_value(position, m)
                                + histories.capture(position, m);
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
                        self.generate_quiet(histories, context);
                    }
                }
                Stage::Quiet => {
                    if !self.noisy_only
                        && let Some(m) = self.take_best()
                    {
                        return Some(m);
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

    // The two functions that generate moves are not inlined, so that `next` needs few registers.

    #[inline(never)]
    fn generate_noisy(&mut self, histories: &Histories, position: &Position) {
        position.generate::<{ MoveClass::Noisy as u8 }, _>(Bitboard::ALL, &mut self.moves);
        self.ranking.set(self.moves.iter().map(|&m| {
            let taken = see::captured_value(position, m);
            let gained = m.promoted().map_or(0, |kind| match kind {
                Kind::Queen => see::value(kind),
                _ => -see::value(Kind::Rook),
            });
            let score = VALUE * (taken + gained) + histories.capture(position, m);
            (Some(m) != self.hash).then_some(score)
        }));
    }

    #[inline(never)]
    fn generate_quiet(&mut self, histories: &Histories, context: &QuietContext<'_>) {
        let position = context.position;
        self.moves.clear();
        position.generate::<{ MoveClass::Quiet as u8 }, _>(Bitboard::ALL, &mut self.moves);
        let quiets = histories.quiets(context);
        let tactics = context.checks.map(|checks| Tactics::of(context, checks));
        self.ranking.set(self.moves.iter().map(|&m| {
            let promise = tactics.as_ref().map_or(0, |tactics| tactics.promise(m));
            let score = quiets.score(m) + promise;
            (Some(m) != self.hash && Some(m) != self.killer).then_some(score)
        }));
    }

    /// Returns the move that [`Self::next`] will probably return, if there is one in this stage.
    #[inline(always)]
    pub(super) fn peek(&self) -> Option<Move> {
        self.ranking.peek().map(|index| self.moves[index])
    }

    /// Removes and returns the best remaining move of the stage.
    #[inline(always)]
    fn take_best(&mut self) -> Option<Move> {
        self.ranking.next().map(|index| self.moves[index])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn picks_every_legal_move_once_for_any_hash_and_killer() {
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
