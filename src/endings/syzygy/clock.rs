//! Distances on the edge of the 50-move rule.
//!
//! Many DTZ tables count full moves, so a distance may be one half-move too low. That matters only
//! where the distance ends exactly at the rule: the true one is then found by a search to the next
//! capture, pawn move or mate, in which all other distances are certain.

use super::probe::Distance;
use super::{Tables, Wdl};
use crate::chess::{Move, Position};
use std::collections::HashMap;

/// The halfmove clock at which the game is drawn.
pub(super) const RULE: i32 = 100;
/// The maximum number of positions of a search. Without a result the rule is assumed to save the
/// loser.
const MAX_POSITIONS: usize = 5_000;

/// Corrects distances of positions of one game.
pub(super) struct Edge<'a> {
    tables: &'a Tables,
    /// By key, whether a position on the edge is decided in time.
    decided: HashMap<u64, bool>,
}

impl Tables {
    /// Returns the value of a position under the 50-move rule with its halfmove clock, and DTZ,
    /// which is `None` without a DTZ table. Returns `None` in the same cases as [`Self::wdl`].
    pub fn at_clock(&self, position: &Position) -> Option<(Wdl, Option<i32>)> {
        let Some(distance) = self.distance(position) else {
            return Some((self.wdl(position)?, None));
        };
        let plies = match position.has_moves() {
            true => Edge::new(self).distance(position, distance),
            false => distance.plies,
        };
        let clock = if position.has_moves() { position.halfmove_clock().into() } else { 0 };
        Some((value(plies, clock), Some(plies)))
    }
}

/// Returns the value of a position with this distance under the 50-move rule.
pub(super) const fn value(distance: i32, clock: i32) -> Wdl {
    match (distance.signum(), distance.abs() + clock <= RULE) {
        (1, true) => Wdl::Win,
        (1, false) => Wdl::CursedWin,
        (-1, true) => Wdl::Loss,
        (-1, false) => Wdl::BlessedLoss,
        _ => Wdl::Draw,
    }
}

impl<'a> Edge<'a> {
    pub(super) fn new(tables: &'a Tables) -> Self {
        Self { tables, decided: HashMap::new() }
    }

    /// Returns the distance of a position, corrected if it ends at the rule.
    pub(super) fn distance(&mut self, position: &Position, found: Distance) -> i32 {
        let left = RULE - i32::from(position.halfmove_clock());
        self.corrected(found, left, |edge| edge.is_decided(position, left))
    }

    /// Returns the distance of a move, corrected if it ends at the rule.
    pub(super) fn distance_after(&mut self, position: &Position, m: Move, found: Distance) -> i32 {
        let left = RULE - i32::from(position.halfmove_clock());
        self.corrected(found, left, |edge| edge.is_decided(&position.play_unchecked(m), left - 1))
    }

    fn corrected(
        &mut self,
        found: Distance,
        left: i32,
        is_decided: impl FnOnce(&mut Self) -> Option<bool>,
    ) -> i32 {
        // Just after a capture or pawn move the value already takes the rule into account.
        let is_certain = !found.rounded || found.plies.abs() != left || left == RULE;
        if is_certain || is_decided(self) == Some(true) {
            found.plies
        } else {
            found.plies + found.plies.signum()
        }
    }

    /// Returns whether the winner of a position reaches a capture, a pawn move or mate within
    /// `left` half-moves, whatever the loser plays. Returns `None` if that is too much work, or a
    /// table is missing.
    fn is_decided(&mut self, position: &Position, left: i32) -> Option<bool> {
        let Distance { plies, rounded } = self.tables.distance(position)?;
        let (plies, wins) = (plies.abs(), plies > 0);
        if plies > left || plies == 0 {
            return Some(false);
        }
        if plies < left || !rounded {
            return Some(true);
        }
        // On the edge `left` follows from the position.
        if let Some(&decided) = self.decided.get(&position.key()) {
            return Some(decided);
        }
        if self.decided.len() >= MAX_POSITIONS {
            return None;
        }
        // The winner needs one move in time, the loser one that is not.
        let mut decided = !wins;
        for &m in &position.legal_moves() {
            if self.is_decided_after(position, m, left, wins)? == wins {
                decided = wins;
                break;
            }
        }
        self.decided.insert(position.key(), decided);
        Some(decided)
    }

    fn is_decided_after(
        &mut self,
        position: &Position,
        m: Move,
        left: i32,
        wins: bool,
    ) -> Option<bool> {
        let after = self.tables.distance_after(position, m)?;
        if (after.plies > 0) != wins || after.plies == 0 {
            return Some(false);
        }
        let next = position.play_unchecked(m);
        // Both are the end of the distance.
        if next.halfmove_clock() == 0 || next.is_checkmate() {
            return Some(after.plies.abs() <= left);
        }
        self.is_decided(&next, left - 1)
    }
}
