//! The order of moves: the table's, the killer, then by history.

use super::history::History;
use crate::base::side::Side;
use crate::draughts::{Move, MoveList};
use smallvec::SmallVec;

/// Gives the moves of a node, the most promising first.
pub struct Picker {
    moves: SmallVec<[(i32, Move); 40]>,
    next: usize,
}

impl Picker {
    /// Orders `moves`; `hash` is the table's digest of its best one.
    #[inline]
    pub fn new(
        moves: &MoveList,
        side: Side,
        hash: u16,
        killer: Option<Move>,
        history: &History,
    ) -> Self {
        let score = |m: Move| match m {
            m if m.digest() == hash => i32::MAX,
            m if Some(m) == killer => 1 << 20,
            m => history.get(side, m),
        };
        Self { moves: moves.iter().map(|&m| (score(m), m)).collect(), next: 0 }
    }

    /// The best move left.
    #[inline]
    pub fn next(&mut self) -> Option<Move> {
        let rest = self.moves.get_mut(self.next..)?;
        let mut best = 0;
        for i in 1..rest.len() {
            if rest[i].0 > rest[best].0 {
                best = i;
            }
        }
        if rest.is_empty() {
            return None;
        }
        rest.swap(0, best);
        self.next += 1;
        Some(rest[0].1)
    }
}
