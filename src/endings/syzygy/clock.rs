//! Corrects distances to the next capture or pawn move (DTZ) for the 50-move rule.
//!
//! Many DTZ tables count full moves, so a distance may be one ply too low. This matters only if the
//! distance ends exactly at the limit of the rule, at a halfmove clock of 100. In this case the
//! true distance is found by a search to the next capture, pawn move or mate. The search expands
//! only positions with a distance that also ends exactly at the limit, because all other distances
//! are certain to be within or beyond the limit.

use super::probe::Distance;
use super::{Tables, Wdl};
use crate::chess::{Move, Position};
use std::collections::HashMap;

/// The halfmove clock at which the game is drawn.
pub(super) const RULE: i32 = 100;
/// The maximum number of positions that an [`Edge`] searches. If it is exceeded, the rule is
/// assumed to save the loser.
const MAX_POSITIONS: usize = 5_000;

/// A search that corrects distances ending exactly at the limit of the 50-move rule.
pub(super) struct Edge<'a> {
    tables: &'a Tables,
    /// The results of [`Self::is_decided`] for the searched positions, by key.
    decided: HashMap<u64, bool>,
}

impl Tables {
    /// Returns the value and the DTZ of a position. The value takes the 50-move rule and the
    /// halfmove clock into account. If a required DTZ table is missing, the DTZ is `None` and the
    /// value assumes a halfmove clock of zero. Returns `None` in the same cases as [`Self::wdl`].
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

/// Returns the value, under the 50-move rule, of a position with this distance and halfmove clock.
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

    /// Returns the distance of a position, corrected if it ends exactly at the limit.
    pub(super) fn distance(&mut self, position: &Position, found: Distance) -> i32 {
        let left = RULE - i32::from(position.halfmove_clock());
        self.corrected(found, left, |edge| edge.is_decided(position, left))
    }

    /// Returns the distance if `m` is played, corrected if it ends exactly at the limit.
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
        // Immediately after a capture or pawn move, the tables already take the rule into account.
        let is_certain = !found.rounded || found.plies.abs() != left || left == RULE;
        if is_certain || is_decided(self) == Some(true) {
            found.plies
        } else {
            found.plies + found.plies.signum()
        }
    }

    /// Returns whether the winner of a position can force a capture, a pawn move or mate within
    /// `left` plies. Returns `None` if the search becomes too large or a table is missing.
    fn is_decided(&mut self, position: &Position, left: i32) -> Option<bool> {
        let Distance { plies, rounded } = self.tables.distance(position)?;
        let (plies, wins) = (plies.abs(), plies > 0);
        if plies > left || plies == 0 {
            return Some(false);
        }
        if plies < left || !rounded {
            return Some(true);
        }
        // At this point `left` equals the distance from the tables, which depends only on the
        // position. So the key of the map need not include `left`.
        if let Some(&decided) = self.decided.get(&position.key()) {
            return Some(decided);
        }
        if self.decided.len() >= MAX_POSITIONS {
            return None;
        }
        // With the winner to move, the position is decided if any move leads to a decided position.
        // With the loser to move, it is undecided if any move leads to an undecided position.
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
        // The distance ends with this capture, pawn move or mate.
        if next.halfmove_clock() == 0 || next.is_checkmate() {
            return Some(after.plies.abs() <= left);
        }
        self.is_decided(&next, left - 1)
    }
}
