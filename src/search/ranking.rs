//! The order in which the moves of a node are picked.

use crate::base::cpu::{ROW, greatest_below};
use smallvec::SmallVec;

/// A ranking of moves by score. The moves are not sorted, because most nodes need only the first
/// few.
pub(super) struct Ranking {
    /// The rank of each move, padded with [`NONE`] to a multiple of [`ROW`].
    ranks: SmallVec<[Rank; 64]>,
    /// The highest rank of the remaining moves, or [`NONE`].
    highest: Rank,
}

/// A move's score, and in the low bits the complement of its index. Ranks are therefore unique, and
/// among equal scores the earlier move comes first.
type Rank = i32;
const NONE: Rank = Rank::MIN;
const INDEX_BITS: u32 = 12;
const INDEX: Rank = (1 << INDEX_BITS) - 1;

impl Ranking {
    /// Creates a ranking of no moves.
    #[inline(always)]
    pub(super) const fn new() -> Self {
        Self { ranks: SmallVec::new_const(), highest: NONE }
    }

    /// Ranks moves by their scores, whose absolute values must not exceed 500,000. A move without a
    /// score is left out, and so are all moves after the 4,096th.
    #[inline(always)]
    pub(super) fn set(&mut self, scores: impl ExactSizeIterator<Item = Option<i32>>) {
        self.ranks.clear();
        self.ranks.resize(scores.len().next_multiple_of(ROW), NONE);
        for (rank, (score, index)) in self.ranks.iter_mut().zip(scores.zip(0..=INDEX)) {
            if let Some(score) = score {
                *rank = score << INDEX_BITS | (INDEX - index);
            }
        }
        self.highest = self.below(Rank::MAX);
    }

    /// Returns true until moves have been ranked.
    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.ranks.is_empty()
    }

    /// Returns the index of the best remaining move.
    #[inline(always)]
    pub(super) fn peek(&self) -> Option<usize> {
        (self.highest != NONE).then(|| (INDEX - (self.highest & INDEX)) as usize)
    }

    /// Removes the best remaining move and returns its index.
    #[inline(always)]
    pub(super) fn next(&mut self) -> Option<usize> {
        let best = self.peek()?;
        self.highest = self.below(self.highest);
        Some(best)
    }

    #[inline(always)]
    fn below(&self, bound: Rank) -> Rank {
        greatest_below(bound, self.ranks.as_chunks().0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_come_by_score_and_then_in_their_order() {
        let mut ranking = Ranking::new();
        assert!(ranking.is_empty() && ranking.next().is_none());
        let scores = (0..100).map(|i| (i % 10 != 3).then_some(i % 10 * 1000 - 5000));
        ranking.set(scores);
        assert_eq!(ranking.peek(), Some(9));
        let order: Vec<_> = std::iter::from_fn(|| ranking.next()).collect();
        assert_eq!(order.len(), 90);
        assert_eq!(order[..12], [9, 19, 29, 39, 49, 59, 69, 79, 89, 99, 8, 18]);
        assert_eq!(order[87..], [70, 80, 90]);
        assert_eq!(ranking.peek(), None);

        let extremes = [500_000, -500_000, 0];
        ranking.set(extremes.into_iter().map(Some));
        assert_eq!([(); 4].map(|()| ranking.next()), [Some(0), Some(2), Some(1), None]);
    }
}
