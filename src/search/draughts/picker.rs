//! The order in which moves are tried: the table's move, the killer, then by history.

use super::history::History;
use crate::base::side::Side;
use crate::draughts::{Move, MoveList};
use smallvec::SmallVec;

/// Gives the moves of a node, the most promising first.
pub struct Picker {
    /// All moves, as the generator listed them.
    pub moves: MoveList,
    given: MoveList,
    /// The rank of every move, filled up to whole vectors; empty until a move other than the table's
    /// is asked for.
    ranks: SmallVec<[Rank; 64]>,
    /// The highest rank of a move not yet given; [`NONE`] as long as there are no ranks.
    highest: Rank,
}

/// A move's score in the upper half; in the lower half the complement of its index, so that no two
/// ranks are equal and of two moves with the same score the earlier one comes first.
type Rank = i32;
/// The rank of no move.
const NONE: Rank = Rank::MIN;
/// Ranks compared at once.
const LANES: usize = 16;
/// The killer's score, above all of the history's; its rank is below [`Rank::MAX`].
const KILLER: i32 = i16::MAX as i32 - 1;

impl Picker {
    /// A picker without moves; put them into `moves` before the first is asked for.
    #[inline(always)]
    pub fn new() -> Self {
        let (moves, given) = (MoveList::new(), MoveList::new());
        Self { moves, given, ranks: SmallVec::new(), highest: NONE }
    }

    /// The moves given so far, in that order.
    #[inline(always)]
    pub fn given(&self) -> &[Move] {
        &self.given
    }

    /// The best move left. `hash` is the digest of the table's move.
    #[inline(always)]
    pub fn next(
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
        self.given.push(m);
        Some(m)
    }

    /// The move that will be given next, if the order is already known.
    #[inline(always)]
    pub fn peek(&self) -> Option<Move> {
        (self.highest != NONE).then(|| self.moves[usize::from(!(self.highest as u16))])
    }

    /// The table's move, if nothing has been given yet.
    #[inline(always)]
    fn table_move(&self, hash: u16) -> Option<Move> {
        if hash == 0 || !self.given.is_empty() {
            return None;
        }
        self.moves.iter().copied().find(|m| m.digest() == hash)
    }

    #[inline(always)]
    fn rank(&mut self, side: Side, killer: Option<Move>, history: &History) {
        let first = self.given.first().copied();
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
