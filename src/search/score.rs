//! Scores on the scale of the evaluation. Mates are at the ends of the scale, tablebase wins and
//! losses next to them, and evaluations in the middle. All arithmetic with distances from the root
//! is in this module.

use super::depth::Ply;
use crate::eval::Chances;
use std::fmt;
use std::ops::{Add, Neg, Sub};

/// A score for the side to move. The scores of an [`Info`](super::report::Info) and of a root's
/// `evaluate` are in hundredths of a pawn or man. Inside the chess search, scores have the scale of
/// the network.
///
/// A mate in n plies scores `MATE - n`. A tablebase win found n plies from the root scores
/// `TABLE_WIN - n`. Losses have the negated scores, and evaluations are between losses and wins.
/// Every score fits in 16 bits. In draughts, "mate" means that the side to move has lost.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Score(pub i32);

impl Score {
    /// The score of a draw.
    pub const DRAW: Self = Self(0);
    /// The upper bound of mate scores: a mate at the root.
    pub const MATE: Self = Self(32_000);
    /// A bound above every score.
    pub const INFINITE: Self = Self(32_100);
    /// A placeholder for a missing score or evaluation.
    pub const NONE: Self = Self(-32_200);
    /// The lowest winning mate score, at the maximum ply.
    const LOWEST_MATE: Self = Self(Self::MATE.0 - Ply::MAX.0 as i32);
    /// The upper bound of tablebase wins, just below the lowest mate.
    pub const TABLE_WIN: Self = Self(Self::LOWEST_MATE.0 - 1);
    /// The lowest winning score: a tablebase win at the maximum ply.
    const WIN: Self = Self(Self::TABLE_WIN.0 - Ply::MAX.0 as i32);
    /// The highest evaluation; all evaluations are in `-EVAL..=EVAL`.
    pub const EVAL: Self = Self(Self::WIN.0 - 1);

    /// Returns the score of giving mate `ply` plies from the root.
    #[inline(always)]
    pub(crate) const fn win_in(ply: Ply) -> Self {
        Self(Self::MATE.0 - ply.0 as i32)
    }

    /// Returns the score of being mated `ply` plies from the root.
    #[inline(always)]
    pub(crate) const fn loss_in(ply: Ply) -> Self {
        Self(ply.0 as i32 - Self::MATE.0)
    }

    /// Returns the score of a position that is a tablebase win, `ply` plies from the root. The
    /// length of the win itself is unknown.
    #[inline(always)]
    pub(crate) const fn table_win_in(ply: Ply) -> Self {
        Self(Self::TABLE_WIN.0 - ply.0 as i32)
    }

    /// Returns the score of a position that is a tablebase loss, `ply` plies from the root.
    #[inline(always)]
    pub(crate) const fn table_loss_in(ply: Ply) -> Self {
        Self(ply.0 as i32 - Self::TABLE_WIN.0)
    }

    /// Returns whether the score is a forced win or loss, by mate or tablebase.
    #[inline(always)]
    pub const fn is_decisive(self) -> bool {
        self.is_win() || self.is_loss()
    }

    /// Returns whether the score is a forced win, by mate or tablebase.
    #[inline(always)]
    pub const fn is_win(self) -> bool {
        self.0 >= Self::WIN.0
    }

    /// Returns whether the score is a forced loss, by mate or tablebase.
    #[inline(always)]
    pub const fn is_loss(self) -> bool {
        self.0 <= -Self::WIN.0
    }

    /// Returns whether the score is a mate, by or against the side to move.
    #[inline(always)]
    pub const fn is_mate(self) -> bool {
        self.0 >= Self::LOWEST_MATE.0 || self.0 <= -Self::LOWEST_MATE.0
    }

    /// Returns whether the score is a tablebase win or loss.
    #[inline(always)]
    pub const fn is_by_table(self) -> bool {
        self.is_decisive() && !self.is_mate()
    }

    /// Creates an evaluation, clamped to the range between losses and wins.
    #[inline(always)]
    pub fn evaluation(hundredths: i32) -> Self {
        Self(hundredths.clamp(-Self::EVAL.0, Self::EVAL.0))
    }

    /// Returns the number of moves to mate, negative if the side to move is mated; `None` for other
    /// scores.
    pub const fn mate_in(self) -> Option<i32> {
        if !self.is_mate() {
            None
        } else if self.is_win() {
            Some((Self::MATE.0 - self.0 + 1) / 2)
        } else {
            Some(-(Self::MATE.0 + self.0) / 2)
        }
    }

    /// Creates a score from a number of pawns or men, clamped to 99.99 in either direction. Returns
    /// `None` if the number is not finite.
    pub fn from_pawns(pawns: f64) -> Option<Self> {
        pawns.is_finite().then(|| Self((100.0 * pawns).clamp(-9999.0, 9999.0).round() as i32))
    }

    /// Returns White's expected points, from 0 to 1. The score must be on the scale shown to users,
    /// for the side to move.
    pub fn white_points(self, position: &impl Chances) -> f64 {
        let own = match (self.is_win(), self.is_loss()) {
            (true, _) => 1.0,
            (_, true) => 0.0,
            _ => position.expected_points(self.centipawns()),
        };
        if position.side().is_white() { own } else { 1.0 - own }
    }

    /// Returns the number in the score. It is in hundredths of a pawn or man if the score is on the
    /// scale shown to users.
    pub const fn centipawns(self) -> i32 {
        self.0
    }

    /// Converts a score for the transposition table: wins and losses become relative to the node at
    /// `ply` instead of the root.
    #[inline(always)]
    #[doc(hidden)]
    pub const fn to_table(self, ply: Ply) -> Self {
        if self.is_win() {
            Self(self.0 + ply.0 as i32)
        } else if self.is_loss() {
            Self(self.0 - ply.0 as i32)
        } else {
            self
        }
    }

    /// Converts a score of the transposition table back to a score relative to the root.
    /// [`Self::NONE`] stays unchanged.
    #[inline(always)]
    #[doc(hidden)]
    pub const fn from_table(self, ply: Ply) -> Self {
        if self.0 == Self::NONE.0 {
            self
        } else if self.is_win() {
            Self(self.0 - ply.0 as i32)
        } else if self.is_loss() {
            Self(self.0 + ply.0 as i32)
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
    fn add(self, hundredths: i32) -> Self {
        Self(self.0 + hundredths)
    }
}

impl Sub<i32> for Score {
    type Output = Self;
    #[inline(always)]
    fn sub(self, hundredths: i32) -> Self {
        Self(self.0 - hundredths)
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
    /// Formats the score for UCI: `cp 31` or `mate -3`. A tablebase win is printed as a `cp` value
    /// above all evaluations.
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
    fn expected_points_are_for_white_and_exact_for_wins() {
        let [white, black] = ["w", "b"].map(|side| {
            let fen = format!("4k3/pppp4/8/8/8/8/PPPP4/4K3 {side} - - 0 1");
            fen.parse::<crate::chess::Position>().expect("a position")
        });
        for (score, points) in [(Score::MATE, 1.0), (Score::table_loss_in(Ply(3)), 0.0)] {
            assert_eq!(
                [score.white_points(&white), score.white_points(&black)],
                [points, 1.0 - points]
            );
        }
        let better = Score(60).white_points(&white);
        assert!(better > 0.5 && better < 1.0);
        assert!((Score(-60).white_points(&black) - better).abs() < 1e-9);
        assert_eq!(Score::from_pawns(-1.5), Some(Score(-150)));
        assert_eq!(Score::from_pawns(f64::NAN), None);
    }

    #[test]
    fn counts_mates_in_moves() {
        assert_eq!(Score::win_in(Ply(1)).mate_in(), Some(1));
        assert_eq!(Score::win_in(Ply(3)).mate_in(), Some(2));
        assert_eq!(Score::loss_in(Ply(0)).mate_in(), Some(0));
        assert_eq!(Score::loss_in(Ply(2)).mate_in(), Some(-1));
        assert_eq!(Score::EVAL.mate_in(), None);
        assert_eq!(
            Score::win_in(Ply(7)).to_table(Ply(4)).from_table(Ply(4)),
            Score::win_in(Ply(7))
        );
        assert_eq!(Score::loss_in(Ply(9)).to_table(Ply(2)), Score::loss_in(Ply(7)));
    }

    #[test]
    fn tablebase_wins_are_between_evaluations_and_mates() {
        let (nearest, farthest) = (Score::table_win_in(Ply(0)), Score::table_win_in(Ply::MAX));
        assert!(Score::evaluation(i32::MAX) < farthest);
        assert!(farthest < nearest && nearest < Score::win_in(Ply::MAX));
        for ply in [Ply::ROOT, Ply(1), Ply::MAX] {
            let (win, loss) = (Score::table_win_in(ply), Score::table_loss_in(ply));
            assert_eq!(-win, loss);
            assert!(win.is_win() && loss.is_loss() && !win.is_loss() && !loss.is_win());
            assert!([win, loss].iter().all(|s| s.is_decisive() && s.is_by_table() && !s.is_mate()));
            assert_eq!((win.mate_in(), loss.mate_in()), (None, None));
            assert!(Score::win_in(ply).is_mate() && Score::loss_in(ply).is_mate());
        }
        let evaluations = [-Score::EVAL, Score::DRAW, Score::EVAL];
        assert!(evaluations.iter().all(|score| !score.is_decisive() && !score.is_mate()));
    }

    #[test]
    fn table_entries_store_wins_relative_to_the_node() {
        assert_eq!(Score::table_win_in(Ply(7)).to_table(Ply(4)), Score::table_win_in(Ply(3)));
        assert_eq!(Score::table_win_in(Ply(3)).from_table(Ply(6)), Score::table_win_in(Ply(9)));
        assert_eq!(Score::table_loss_in(Ply(7)).to_table(Ply(4)), Score::table_loss_in(Ply(3)));
        assert_eq!(Score::table_loss_in(Ply(3)).from_table(Ply(6)), Score::table_loss_in(Ply(9)));
        assert_eq!(Score::NONE.from_table(Ply(6)), Score::NONE);
    }
}
