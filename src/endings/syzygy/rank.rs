//! Ranks root moves by their tablebase values.
//!
//! Moves that win within the 50-move rule have equal rank, so that a search can choose among them.
//! A winning move ranks lower if the win may come too late for the rule, so that the winner cannot
//! shuffle forever. After a repetition, winning moves are ranked by DTZ, the distance to the next
//! capture or pawn move.

use super::clock::{Edge, RULE, value};
use super::{Tables, Wdl};
use crate::chess::{Move, Position};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ranked {
    pub m: Move,
    pub rank: i32,
    /// The value for the player who makes the move. It takes the halfmove clock into account unless
    /// `distance` is `None`.
    pub value: Wdl,
    /// The distance to the next capture or pawn move, including this move (see [`Tables::dtz`]), or
    /// `None` if the moves are ranked by WDL.
    pub distance: Option<i32>,
}

/// The rank of a win that is safe from the 50-move rule.
const SAFE: i32 = 10_000;
/// The base rank of a win that the 50-move rule may affect. The distance and the halfmove clock are
/// subtracted from it.
const PRESSED: i32 = 5_000;

impl Tables {
    /// Returns the legal moves with their ranks, and whether they are ranked by DTZ. If a DTZ table
    /// is missing, the moves are ranked by WDL. Returns `None` if a WDL table is missing too, or if
    /// there are castling rights. `history` contains the keys of the earlier positions since the
    /// last capture or pawn move.
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
        // All losing moves have the same rank, unless the loser is close enough to a draw by the
        // 50-move rule.
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
        // `wdl` does not need a table if only the two kings remain.
        let value = self.wdl(&next)?.opposite();
        Some(Ranked { m, rank: value as i32 - Wdl::Draw as i32, value, distance: None })
    }
}
