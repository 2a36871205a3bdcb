//! History tables: how well moves have done in the search so far (butterfly, capture, pawn and
//! continuation history), and how wrong the evaluation has been (correction history).
//!
//! Each update adds `bonus - value * |bonus| / bound`, so that old results fade ("history
//! gravity").

use crate::base::side::Side;
use crate::chess::movegen::Attacks;
use crate::chess::position::Checks;
use crate::chess::{Kind, Move, Piece, Position, Square};
use crate::search::depth::Depth;
use crate::search::score::Score;
use zerocopy::FromZeros;

const MAX_HISTORY: i32 = 16_384;
const MAX_CORRECTION: i32 = 1024;
/// The number of slots per side in each [`Correction`].
const CORRECTION_SIZE: usize = 16_384;
const PAWN_SIZE: usize = 512;

#[inline(always)]
fn update(slot: &mut i16, bonus: i32, limit: i32) {
    let bonus = bonus.clamp(-limit, limit);
    *slot += (bonus - i32::from(*slot) * bonus.abs() / limit) as i16;
}

type PieceToTable = [i16; PieceTo::NUM];

static ZEROS: PieceToTable = [0; PieceTo::NUM];

/// A table of evaluation corrections, indexed by side to move and a hash key.
struct Correction(Vec<i16>);

impl Correction {
    fn new() -> Self {
        Self(vec![0; CORRECTION_SIZE * Side::NUM])
    }

    #[inline(always)]
    fn slot(side: Side, key: u64) -> usize {
        key as usize % CORRECTION_SIZE * Side::NUM + side.index()
    }

    #[inline(always)]
    fn get(&self, side: Side, key: u64) -> i32 {
        i32::from(self.0[Self::slot(side, key)])
    }

    fn update(&mut self, side: Side, key: u64, bonus: i32) {
        update(&mut self.0[Self::slot(side, key)], bonus, MAX_CORRECTION);
    }
}

/// The moving piece and its destination square, combined into the index of most history tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PieceTo(u16);

impl PieceTo {
    const NUM: usize = Piece::NUM * Square::NUM;

    #[inline(always)]
    pub(super) const fn to(self) -> Square {
        Square::wrap(self.0 as u8)
    }

    /// Returns the piece and destination of `m`, which must be a move of the side to move.
    #[inline(always)]
    pub(super) fn of(position: &Position, m: Move) -> Self {
        let kind = position.kind_on(m.from()).unwrap_or(Kind::Pawn);
        let piece = Piece::new(position.side(), kind).index();
        Self((piece * Square::NUM + m.to().index()) as u16)
    }

    #[inline(always)]
    const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The index of the butterfly history: origin and destination square, each with a bit that is set
/// if the opponent attacks the square.
#[derive(Clone, Copy, Debug)]
pub(super) struct Butterfly(u16);

#[derive(Clone, Copy, Debug)]
pub(super) struct QuietContext<'a> {
    pub position: &'a Position,
    /// The moves one, two and four plies ago.
    pub before: &'a [Option<PieceTo>; 3],
    /// The squares that the opponent attacks.
    pub threats: Attacks,
    /// The squares from which pieces give check; `None` disables the bonuses for checks and
    /// escapes.
    pub checks: Option<&'a Checks>,
}

impl<'a> QuietContext<'a> {
    /// Creates a context without threats or checks.
    #[inline(always)]
    pub(super) const fn plain(position: &'a Position, before: &'a [Option<PieceTo>; 3]) -> Self {
        Self { position, before, threats: Attacks::NONE, checks: None }
    }

    #[inline(always)]
    fn piece_to(&self, m: Move) -> PieceTo {
        PieceTo::of(self.position, m)
    }

    #[inline(always)]
    pub(super) fn butterfly(&self, m: Move) -> Butterfly {
        let attacked = |square| usize::from(self.threats.all.has(square));
        let threats = attacked(m.from()) * 2 + attacked(m.to());
        Butterfly((threats * FROM_TO + from_to(m)) as u16)
    }
}

const FROM_TO: usize = Square::NUM * Square::NUM;
type ButterflyTable = [i16; 4 * FROM_TO];

/// Returns the index of a move by origin and destination square. Moves from the same square are
/// adjacent in memory.
#[inline(always)]
const fn from_to(m: Move) -> usize {
    m.from().index() * Square::NUM + m.to().index()
}

#[inline(always)]
fn pawn_slot(position: &Position) -> usize {
    position.keys().pawn as usize % PAWN_SIZE
}

/// The rows of the history tables that are used to score the quiet moves of one position.
pub(super) struct Quiets<'a> {
    context: &'a QuietContext<'a>,
    butterfly: &'a ButterflyTable,
    pawn: &'a PieceToTable,
    continuation: [&'a PieceToTable; 3],
}

impl Quiets<'_> {
    #[inline(always)]
    pub(super) fn score(&self, m: Move) -> i32 {
        let moved = self.context.piece_to(m).index();
        let [last, second, fourth] = self.continuation;
        i32::from(self.butterfly[self.context.butterfly(m).0 as usize])
            + i32::from(self.pawn[moved])
            + i32::from(last[moved]) * 5 / 4
            + i32::from(second[moved])
            + i32::from(fourth[moved])
    }
}

/// Allocates a table of zeros. The system provides the memory when it is first used.
/// `vec![row; len]` would write all rows, which takes seconds for hundreds of threads.
fn zeros<T: FromZeros>(len: usize) -> Vec<T> {
    T::new_vec_zeroed(len).unwrap_or_else(|_| (0..len).map(|_| T::new_zeroed()).collect())
}

/// The history tables of one thread, 3.5 MB on the heap.
pub(super) struct Histories {
    /// Indexed by side and [`Butterfly`].
    butterfly: Vec<ButterflyTable>,
    /// Indexed by piece, destination and captured kind.
    capture: Vec<[i16; Kind::NUM]>,
    /// Indexed by an earlier move ([`PieceTo::index`]) and the current move.
    continuation: Vec<PieceToTable>,
    /// Indexed by pawn structure and the current move.
    pawn: Vec<PieceToTable>,
    pawn_correction: Correction,
    minor_correction: Correction,
    non_pawn_correction: [Correction; Side::NUM],
    /// Indexed by the move two plies ago and the last move.
    move_correction: Vec<PieceToTable>,
}

impl Histories {
    pub(super) fn new() -> Self {
        Self {
            butterfly: zeros(Side::NUM),
            capture: zeros(PieceTo::NUM),
            continuation: zeros(PieceTo::NUM),
            pawn: zeros(PAWN_SIZE),
            pawn_correction: Correction::new(),
            minor_correction: Correction::new(),
            non_pawn_correction: [Correction::new(), Correction::new()],
            move_correction: zeros(PieceTo::NUM),
        }
    }

    #[inline(always)]
    pub(super) fn quiets<'a>(&'a self, context: &'a QuietContext<'a>) -> Quiets<'a> {
        let after = |before: Option<PieceTo>| match before {
            Some(before) => &self.continuation[before.index()],
            None => &ZEROS,
        };
        let [last, second, fourth] = *context.before;
        Quiets {
            context,
            butterfly: &self.butterfly[context.position.side().index()],
            pawn: &self.pawn[pawn_slot(context.position)],
            continuation: [after(last), after(second), after(fourth)],
        }
    }

    /// Rewards a quiet move in all its histories; a negative bonus penalizes it.
    pub(super) fn update_quiet(&mut self, context: &QuietContext<'_>, m: Move, bonus: i32) {
        let (side, moved) = (context.position.side(), context.piece_to(m));
        self.update_butterfly(side, context.butterfly(m), bonus);
        update(&mut self.pawn[pawn_slot(context.position)][moved.index()], bonus, MAX_HISTORY);
        self.update_continuation(moved, context.before, bonus);
    }

    pub(super) fn update_butterfly(&mut self, side: Side, m: Butterfly, bonus: i32) {
        update(&mut self.butterfly[side.index()][m.0 as usize], bonus, MAX_HISTORY);
    }

    pub(super) fn update_continuation(
        &mut self,
        moved: PieceTo,
        before: &[Option<PieceTo>; 3],
        bonus: i32,
    ) {
        for b in before.iter().flatten() {
            let table = &mut self.continuation[b.index()];
            update(&mut table[moved.index()], bonus, MAX_HISTORY);
        }
    }

    /// Returns the history of a capture. A non-capturing promotion counts as the capture of a pawn.
    #[inline(always)]
    pub(super) fn capture(&self, position: &Position, m: Move) -> i32 {
        let moved = PieceTo::of(position, m);
        let taken = position.captured(m).unwrap_or(Kind::Pawn);
        i32::from(self.capture[moved.index()][taken.index()])
    }

    pub(super) fn update_capture(&mut self, position: &Position, m: Move, bonus: i32) {
        let moved = PieceTo::of(position, m);
        let taken = position.captured(m).unwrap_or(Kind::Pawn);
        let slot = &mut self.capture[moved.index()][taken.index()];
        update(slot, bonus, MAX_HISTORY);
    }

    /// Returns the sum of the correction histories, which the caller divides by
    /// `correction_divisor`. A positive sum means that searches of similar positions scored higher
    /// than their evaluations.
    #[inline(always)]
    pub(super) fn correction(&self, position: &Position, before: &[Option<PieceTo>; 3]) -> i32 {
        let (side, keys) = (position.side(), position.keys());
        self.pawn_correction.get(side, keys.pawn)
            + self.minor_correction.get(side, keys.minor)
            + self.non_pawn_correction[0].get(side, keys.non_pawn[0])
            + self.non_pawn_correction[1].get(side, keys.non_pawn[1])
            + Self::last_moves(before).map_or(0, |(first, last)| {
                let row = &self.move_correction[first.index()];
                i32::from(row[last.index()])
            })
    }

    /// Returns the moves two plies and one ply ago, in that order. Returns `None` if either was a
    /// null move or was played before the root.
    #[inline(always)]
    const fn last_moves(before: &[Option<PieceTo>; 3]) -> Option<(PieceTo, PieceTo)> {
        match *before {
            [Some(last), Some(first), _] => Some((first, last)),
            _ => None,
        }
    }

    pub(super) fn update_correction(
        &mut self,
        position: &Position,
        before: &[Option<PieceTo>; 3],
        depth: Depth,
        score: Score,
        eval: Score,
    ) {
        const MAX_BONUS: i32 = MAX_CORRECTION / 4;
        let bonus = ((score - eval) * depth.0.clamp(1, 16) / 8).clamp(-MAX_BONUS, MAX_BONUS);
        let (side, keys) = (position.side(), position.keys());
        self.pawn_correction.update(side, keys.pawn, bonus);
        self.minor_correction.update(side, keys.minor, bonus);
        for (table, key) in self.non_pawn_correction.iter_mut().zip(keys.non_pawn) {
            table.update(side, key, bonus);
        }
        if let Some((first, last)) = Self::last_moves(before) {
            let row = &mut self.move_correction[first.index()];
            update(&mut row[last.index()], bonus, MAX_CORRECTION);
        }
    }
}
