//! Ranking of root moves by the tables.
//!
//! Moves that win within the 50-move rule have equal rank, so that a search can choose among them.
//! The search cannot shuffle forever: a move that would come too late for the rule ranks lower.
//! After a repetition only DTZ, the distance to the next capture or pawn move, counts.

use super::clock::{Edge, RULE, value};
use super::{Tables, Wdl};
use crate::chess::{Move, Position};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ranked {
    pub m: Move,
    pub rank: i32,
    /// The value for the player of the move. It takes the halfmove clock into account.
    pub value: Wdl,
    /// The distance to the next capture or pawn move including this move, as in [`Tables::dtz`];
    /// `None` without a DTZ table.
    pub distance: Option<i32>,
}

/// The rank of a win that is safe from the 50-move rule.
const SAFE: i32 = 10_000;
/// The rank of an immediate win that the rule may affect; each half-move reduces it.
const PRESSED: i32 = 5_000;

impl Tables {
    /// Returns the legal moves with their ranks, and whether DTZ tables ranked them. If a DTZ table
    /// is missing, only WDL values rank the moves. `history` contains the keys of the positions
    /// since the last capture or pawn move. Returns `None` if a WDL table is missing too.
    pub fn rank(&self, position: &Position, history: &[u64]) -> Option<(Vec<Ranked>, bool)> {
        if !self.covers(position) {
            return None;
        }
        let mut edge = Edge::new(self);
        let by_distance =
            self.rank_each(position, |m| self.by_distance(&mut edge, position, history, m));
        by_distance
            .map(|ranked| (ranked, true))
            .or_else(|| Some((self.rank_each(position, |m| self.by_value(position, m))?, false)))
    }

    fn rank_each(
        &self,
        position: &Position,
        rank: impl FnMut(Move) -> Option<Ranked>,
    ) -> Option<Vec<Ranked>> {
        position.legal_moves().iter().copied().map(rank).collect()
    }

    fn by_distance(
        &self,
        edge: &mut Edge<'_>,
        position: &Position,
        history: &[u64],
        m: Move,
    ) -> Option<Ranked> {
        let next = position.play_unchecked(m);
        let clock = i32::from(position.halfmove_clock());
        let seen = |key| history.iter().filter(|&&earlier| earlier == key).count();
        let is_drawn = next.halfmove_clock() > 0
            && !next.is_checkmate()
            && (i32::from(next.halfmove_clock()) >= RULE || seen(next.key()) > 1);
        let distance = match is_drawn {
            true => 0,
            false => edge.distance_after(position, m, self.distance_after(position, m)?),
        };
        let recurred = seen(position.key()) > 0
            || history.iter().enumerate().any(|(at, key)| history[at + 1..].contains(key));
        // Losing moves rank equally unless a draw by the 50-move rule is in sight.
        let is_safe = match distance > 0 {
            true => distance + clock < RULE && !recurred,
            false => -2 * distance + clock < RULE,
        };
        let plies = distance.abs() + clock;
        let rank = if is_safe { SAFE } else { PRESSED - plies };
        let (rank, value) = (rank * distance.signum(), value(distance, clock));
        Some(Ranked { m, rank, value, distance: Some(distance) })
    }

    fn by_value(&self, position: &Position, m: Move) -> Option<Ranked> {
        let next = position.play_unchecked(m);
        // `wdl` needs no table if only the two kings remain.
        let value = self.wdl(&next)?.opposite();
        Some(Ranked { m, rank: value as i32 - Wdl::Draw as i32, value, distance: None })
    }
}
