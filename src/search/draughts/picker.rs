//! The order of moves: the table's, the killer, then by history.

use super::history::History;
use crate::base::side::Side;
use crate::draughts::{Move, MoveList};
use smallvec::SmallVec;

/// Gives the moves of a node, the most promising first.
pub struct Picker {
    moves: MoveList,
    /// Of every move, once one without the table's blessing is asked for.
    scores: SmallVec<[i32; 64]>,
    next: usize,
}

impl Picker {
    /// Orders the moves that `list` puts into an empty list.
    #[inline(always)]
    pub fn new(list: impl FnOnce(&mut MoveList)) -> Self {
        let mut picker = Self { moves: MoveList::new(), scores: SmallVec::new(), next: 0 };
        list(&mut picker.moves);
        picker
    }

    /// How many moves there are.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Those given so far, in that order.
    #[inline(always)]
    pub fn given(&self) -> &[Move] {
        &self.moves[..self.next]
    }

    /// The best move left. `hash` is the table's digest of its best one.
    #[inline(always)]
    pub fn next(
        &mut self,
        side: Side,
        hash: u16,
        killer: Option<Move>,
        history: &History,
    ) -> Option<Move> {
        let next = self.next;
        if next >= self.moves.len() {
            return None;
        }
        self.next += 1;
        if next == 0
            && hash != 0
            && let Some(at) = self.moves.iter().position(|m| m.digest() == hash)
        {
            // The others keep their order.
            self.moves[..=at].rotate_right(1);
            return self.moves.first().copied();
        }
        if self.scores.is_empty() {
            let score = |&m: &Move| if Some(m) == killer { 1 << 20 } else { history.get(side, m) };
            self.scores.extend(self.moves.iter().map(score));
        }
        let mut best = next;
        for i in next + 1..self.moves.len() {
            if self.scores[i] > self.scores[best] {
                best = i;
            }
        }
        self.moves.swap(next, best);
        self.scores.swap(next, best);
        self.moves.get(next).copied()
    }
}
