//! Moves in the order of what the tables say of them.
//!
//! Moves that win within the 50-move rule are of equal rank, so that a search can choose among them;
//! it need not find out how to make progress, since moves that come too late for the rule rank lower.
//! Once a position has recurred, the nearest capture or move of a pawn is what counts.

use super::{Tables, Wdl};
use crate::chess::{Move, Position};

/// A move and what the tables say of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ranked {
    /// The move.
    pub m: Move,
    /// A better move has a higher rank, an equal one the same.
    pub rank: i32,
    /// The value for the player of the move, with the moves counted that have been played since the
    /// last capture or move of a pawn.
    pub value: Wdl,
    /// The half-moves, this move the first of them, to the next capture or move of a pawn, as
    /// [`Tables::dtz`] counts them; `None` if no table says so.
    pub distance: Option<i32>,
}

/// The rank of a win that the 50-move rule cannot disturb.
const SAFE: i32 = 10_000;
/// The rank of a win in 0 half-moves that it can.
const PRESSED: i32 = 5_000;
/// The half-moves after which the rule makes a draw.
const RULE: i32 = 100;

impl Tables {
    /// The legal moves of a position with their ranks, and whether they come from distances; if a table
    /// of distances is missing, values alone rank them. `history` are the keys of the positions since
    /// the last capture or move of a pawn. `None` if a table of values is missing too.
    pub fn rank(&self, position: &Position, history: &[u64]) -> Option<(Vec<Ranked>, bool)> {
        if !self.covers(position) {
            return None;
        }
        let by_distance = self.rank_each(position, |m| self.by_distance(position, history, m));
        by_distance
            .map(|ranked| (ranked, true))
            .or_else(|| Some((self.rank_each(position, |m| self.by_value(position, m))?, false)))
    }

    fn rank_each(
        &self,
        position: &Position,
        rank: impl Fn(Move) -> Option<Ranked>,
    ) -> Option<Vec<Ranked>> {
        position.legal_moves().iter().map(|&m| rank(m)).collect()
    }

    fn by_distance(&self, position: &Position, history: &[u64], m: Move) -> Option<Ranked> {
        let next = position.play_unchecked(m);
        let clock = i32::from(position.halfmove_clock());
        let seen = |key| history.iter().filter(|&&earlier| earlier == key).count();
        let is_drawn = next.halfmove_clock() > 0
            && !next.is_checkmate()
            && (i32::from(next.halfmove_clock()) >= RULE || seen(next.key()) > 1);
        let distance = if is_drawn { 0 } else { self.distance_after(position, m)? };
        let recurred = seen(position.key()) > 0
            || history.iter().enumerate().any(|(at, key)| history[at + 1..].contains(key));
        // A loser holds out for long enough already if the rule is near at all.
        let is_safe = match distance > 0 {
            true => distance + clock < RULE && !recurred,
            false => -2 * distance + clock < RULE,
        };
        let plies = distance.abs() + clock;
        let rank = if is_safe { SAFE } else { PRESSED - plies };
        let value = match distance.signum() {
            1 if is_safe || plies <= RULE => Wdl::Win,
            1 => Wdl::CursedWin,
            -1 if is_safe || plies <= RULE => Wdl::Loss,
            -1 => Wdl::BlessedLoss,
            _ => Wdl::Draw,
        };
        let rank = rank * distance.signum();
        Some(Ranked { m, rank, value, distance: Some(distance) })
    }

    fn by_value(&self, position: &Position, m: Move) -> Option<Ranked> {
        let next = position.play_unchecked(m);
        // A position with only one king each has no castling rights nor a table.
        let value = self.wdl(&next)?.opposite();
        Some(Ranked { m, rank: value as i32 - Wdl::Draw as i32, value, distance: None })
    }
}
