//! Scores: centipawns, with mates at the ends of the scale. All mate arithmetic is here.

use std::fmt;
use std::ops::{Add, Neg, Sub};

/// Distance from the root of the search tree, in half-moves.
pub type Ply = usize;

/// Half-moves still to be searched; it can fall below zero.
pub type Depth = i32;

/// No search goes deeper than this.
pub const MAX_PLY: Ply = 246;

/// A score from the view of the side to move, in centipawns.
///
/// A win in n half-moves is `MATE - n`, a loss `-(MATE - n)`. Every score fits 16 bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Score(pub i32);

impl Score {
    /// A drawn game.
    pub const DRAW: Self = Self(0);
    /// The game is won at once; no position has it, it is a bound.
    pub const MATE: Self = Self(32_000);
    /// Beyond every score.
    pub const INFINITE: Self = Self(32_100);
    /// No score: a slot of the table without an evaluation.
    pub const NONE: Self = Self(-32_200);
    /// The lowest score that is a forced win within the deepest search.
    pub const WIN: Self = Self(Self::MATE.0 - MAX_PLY as i32);
    /// The highest score that is no forced win: evaluations stay within `-EVAL..=EVAL`.
    pub const EVAL: Self = Self(Self::WIN.0 - 1);

    /// Won in `ply` half-moves from the root.
    #[inline(always)]
    pub const fn win_in(ply: Ply) -> Self {
        Self(Self::MATE.0 - ply as i32)
    }

    /// Lost in `ply` half-moves from the root.
    #[inline(always)]
    pub const fn loss_in(ply: Ply) -> Self {
        Self(ply as i32 - Self::MATE.0)
    }

    /// Whether the score is a forced win or loss.
    #[inline(always)]
    pub const fn is_decisive(self) -> bool {
        self.0 >= Self::WIN.0 || self.0 <= -Self::WIN.0
    }

    /// Whether the score is a forced win.
    #[inline(always)]
    pub const fn is_win(self) -> bool {
        self.0 >= Self::WIN.0
    }

    /// Whether the score is a forced loss.
    #[inline(always)]
    pub const fn is_loss(self) -> bool {
        self.0 <= -Self::WIN.0
    }

    /// An evaluation, kept apart from the mate scores.
    #[inline(always)]
    pub fn evaluation(centipawns: i32) -> Self {
        Self(centipawns.clamp(-Self::EVAL.0, Self::EVAL.0))
    }

    /// In how many moves the side to move mates; negative where it is mated; none for other scores.
    pub const fn mate_in(self) -> Option<i32> {
        if self.is_win() {
            Some((Self::MATE.0 - self.0 + 1) / 2)
        } else if self.is_loss() {
            Some(-(Self::MATE.0 + self.0) / 2)
        } else {
            None
        }
    }

    /// The score in centipawns.
    pub const fn centipawns(self) -> i32 {
        self.0
    }

    /// The score as the transposition table keeps it: mates counted from the node, not the root.
    #[inline(always)]
    pub const fn to_table(self, ply: Ply) -> Self {
        if self.is_win() {
            Self(self.0 + ply as i32)
        } else if self.is_loss() {
            Self(self.0 - ply as i32)
        } else {
            self
        }
    }

    /// The score of a table entry, seen from the root again.
    #[inline(always)]
    pub const fn from_table(self, ply: Ply) -> Self {
        if self.0 == Self::NONE.0 {
            self
        } else if self.is_win() {
            Self(self.0 - ply as i32)
        } else if self.is_loss() {
            Self(self.0 + ply as i32)
        } else {
            self
        }
    }
}

impl Neg for Score {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Add<i32> for Score {
    type Output = Self;
    #[inline(always)]
    fn add(self, centipawns: i32) -> Self {
        Self(self.0 + centipawns)
    }
}

impl Sub<i32> for Score {
    type Output = Self;
    #[inline(always)]
    fn sub(self, centipawns: i32) -> Self {
        Self(self.0 - centipawns)
    }
}

impl Sub for Score {
    type Output = i32;
    #[inline(always)]
    fn sub(self, other: Self) -> i32 {
        self.0 - other.0
    }
}

impl fmt::Display for Score {
    /// As UCI writes it: `cp 31` or `mate -3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mate_in() {
            Some(moves) => write!(f, "mate {moves}"),
            None => write!(f, "cp {}", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_moves() {
        assert_eq!(Score::win_in(1).mate_in(), Some(1));
        assert_eq!(Score::win_in(3).mate_in(), Some(2));
        assert_eq!(Score::loss_in(0).mate_in(), Some(0));
        assert_eq!(Score::loss_in(2).mate_in(), Some(-1));
        assert_eq!(Score::EVAL.mate_in(), None);
        assert_eq!(Score::win_in(7).to_table(4).from_table(4), Score::win_in(7));
        assert_eq!(Score::loss_in(9).to_table(2), Score::loss_in(7));
    }
}
