//! The move order: the table move, the killer, then moves by history.

use super::history::History;
use crate::base::side::Side;
use crate::draughts::{Move, MoveList};
use crate::search::ranking::Ranking;

pub(super) struct Picker {
    /// All moves in generation order.
    pub moves: MoveList,
    picked: MoveList,
    /// The ranking of the moves other than the table move, which is computed when it is needed.
    ranking: Ranking,
}

/// The killer's score, which is above every history value.
const KILLER: i32 = i16::MAX as i32 + 1;

impl Picker {
    /// Creates a picker without moves. Fill `moves` before the first call to `next`.
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self { moves: MoveList::new(), picked: MoveList::new(), ranking: Ranking::new() }
    }

    #[inline(always)]
    pub(super) fn picked(&self) -> &[Move] {
        &self.picked
    }

    /// Returns the best remaining move. `hash` is the digest of the move to search first, or 0.
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
                if self.ranking.is_empty() {
                    self.rank(side, killer, history);
                }
                self.moves[self.ranking.next()?]
            }
        };
        self.picked.push(m);
        Some(m)
    }

    /// Returns the next move, if ranks have been computed.
    #[inline(always)]
    pub(super) fn peek(&self) -> Option<Move> {
        self.ranking.peek().map(|index| self.moves[index])
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
        self.ranking.set(self.moves.iter().map(|&m| match m {
            m if Some(m) == first => None,
            m if Some(m) == killer => Some(KILLER),
            m => Some(history.get(side, m)),
        }));
    }
}
