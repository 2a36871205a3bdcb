//! The move order: the table move, the killer, then moves by history.

use super::history::History;
use crate::base::side::Side;
use crate::draughts::{Move, MoveList};
use smallvec::SmallVec;

pub(super) struct Picker {
    /// All moves in generation order.
    pub moves: MoveList,
    picked: MoveList,
    /// The rank of every move, padded to a whole number of vectors. Empty until a move other than
    /// the table move is needed.
    ranks: SmallVec<[Rank; 64]>,
    /// The highest rank of the remaining moves, or [`NONE`] before ranks are computed.
    highest: Rank,
}

/// A move's score in the upper half, and the complement of its index in the lower half. Ranks are
/// therefore unique, and among equal scores the earlier move comes first.
type Rank = i32;
const NONE: Rank = Rank::MIN;
/// The number of ranks per vector comparison.
const LANES: usize = 16;
/// The killer's score, which is above every history value. The killer's rank is still below
/// [`Rank::MAX`].
const KILLER: i32 = i16::MAX as i32 - 1;

impl Picker {
    /// Creates a picker without moves. Fill `moves` before the first call to `next`.
    #[inline(always)]
    pub(super) fn new() -> Self {
        let (moves, picked) = (MoveList::new(), MoveList::new());
        Self { moves, picked, ranks: SmallVec::new(), highest: NONE }
    }

    #[inline(always)]
    pub(super) fn picked(&self) -> &[Move] {
        &self.picked
    }

    /// Returns the best remaining move. `hash` is the digest of the table move.
    #[inline(always)]
    pub(super) fn next(
        &mut self,
        side: Side,
        hash: u16,
        killer: Option<Move>,
        history: &History,
    ) -> Option<Move> {
        let m = match self.table_move(hash) {
            Some(m) => m,
            None => {
                if self.ranks.is_empty() {
                    self.rank(side, killer, history);
                }
                let m = self.peek()?;
                self.highest = self.highest_below(self.highest);
                m
            }
        };
        self.picked.push(m);
        Some(m)
    }

    /// Returns the next move, if ranks have been computed.
    #[inline(always)]
    pub(super) fn peek(&self) -> Option<Move> {
        (self.highest != NONE).then(|| self.moves[usize::from(!(self.highest as u16))])
    }

    /// Returns the table move, if there is one and no move has been picked yet.
    #[inline(always)]
    fn table_move(&self, hash: u16) -> Option<Move> {
        if hash == 0 || !self.picked.is_empty() {
            return None;
        }
        self.moves.iter().copied().find(|m| m.digest() == hash)
    }

    #[inline(always)]
    fn rank(&mut self, side: Side, killer: Option<Move>, history: &History) {
        let first = self.picked.first().copied();
        let ranks = self.moves.iter().enumerate().map(|(i, &m)| {
            let score = if Some(m) == killer { KILLER } else { history.get(side, m) };
            if Some(m) == first { NONE } else { score << 16 | Rank::from(!(i as u16)) }
        });
        self.ranks.extend(ranks);
        self.ranks.resize(self.moves.len().next_multiple_of(LANES), NONE);
        self.highest = self.highest_below(Rank::MAX);
    }

    #[inline(always)]
    fn highest_below(&self, bound: Rank) -> Rank {
        let (chunks, _) = self.ranks.as_chunks::<LANES>();
        let mut highest = [NONE; LANES];
        for chunk in chunks {
            for (highest, &rank) in highest.iter_mut().zip(chunk) {
                let candidate = if rank < bound { rank } else { NONE };
                *highest = candidate.max(*highest);
            }
        }
        highest.into_iter().fold(NONE, Rank::max)
    }
}
