//! The window of an alpha-beta search.

use super::depth::Ply;
use super::score::Score;
use std::ops::Neg;

/// The scores that matter to a node: those above `alpha` and below `beta`, seen from its side to
/// move. A score outside only has to be known to lie outside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    /// What the side to move already has elsewhere.
    pub alpha: Score,
    /// What its opponent already has elsewhere.
    pub beta: Score,
}

impl Window {
    /// The window of every score.
    pub const OPEN: Self = Self { alpha: Score(-Score::INFINITE.0), beta: Score::INFINITE };

    /// The null window that asks whether a score is above `alpha`.
    #[inline(always)]
    pub fn above(alpha: Score) -> Self {
        Self { alpha, beta: alpha + 1 }
    }

    /// The null window that asks whether a score reaches `beta`.
    #[inline(always)]
    pub fn reaching(beta: Score) -> Self {
        Self { alpha: beta - 1, beta }
    }

    /// Whether no score lies within.
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.alpha >= self.beta
    }

    /// The window without the scores that no node at `ply` can have: it is not mated before its
    /// turn, nor does it mate without a move (mate-distance pruning).
    #[inline(always)]
    pub fn within_mates(self, ply: Ply) -> Self {
        Self {
            alpha: self.alpha.max(Score::loss_in(ply)),
            beta: self.beta.min(Score::win_in(ply.child())),
        }
    }
}

impl Neg for Window {
    type Output = Self;

    /// The same window seen by the other side.
    #[inline(always)]
    fn neg(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_other_side_sees_the_window_reversed() {
        let window = Window { alpha: Score(-30), beta: Score(50) };
        assert_eq!(-window, Window { alpha: Score(-50), beta: Score(30) });
        assert_eq!(-Window::above(Score(4)), Window::reaching(Score(-4)));
        assert_eq!(-Window::OPEN, Window::OPEN);
    }

    #[test]
    fn a_found_mate_leaves_nothing_to_find_deeper() {
        let window = Window { alpha: Score::win_in(Ply(5)), beta: Score::INFINITE };
        assert!(!window.within_mates(Ply(3)).is_empty());
        assert!(window.within_mates(Ply(4)).is_empty());
    }
}
