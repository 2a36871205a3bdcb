//! The window of an alpha-beta search.

use super::depth::Ply;
use super::score::Score;
use std::ops::Neg;

/// The open interval of scores from `alpha` to `beta`, for the side to move. Outside the interval,
/// the exact score does not matter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    /// The lower bound: the side to move can already force this score elsewhere.
    pub alpha: Score,
    /// The upper bound: the opponent can already avoid a higher score.
    pub beta: Score,
}

impl Window {
    pub const OPEN: Self = Self { alpha: Score(-Score::INFINITE.0), beta: Score::INFINITE };

    /// Returns the null window that tests whether a score exceeds `alpha`.
    #[inline(always)]
    pub fn above(alpha: Score) -> Self {
        Self { alpha, beta: alpha + 1 }
    }

    /// Returns the null window that tests whether a score reaches `beta`.
    #[inline(always)]
    pub fn reaching(beta: Score) -> Self {
        Self { alpha: beta - 1, beta }
    }

    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.alpha >= self.beta
    }

    /// Removes the scores that no node at `ply` can have (mate-distance pruning). The side to move
    /// cannot be mated before this node, and it needs at least one move to mate.
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

    #[inline(always)]
    fn neg(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn negation_swaps_the_bounds() {
        let window = Window { alpha: Score(-30), beta: Score(50) };
        assert_eq!(-window, Window { alpha: Score(-50), beta: Score(30) });
        assert_eq!(-Window::above(Score(4)), Window::reaching(Score(-4)));
        assert_eq!(-Window::OPEN, Window::OPEN);
    }

    #[test]
    fn mate_already_found_empties_deeper_windows() {
        let window = Window { alpha: Score::win_in(Ply(5)), beta: Score::INFINITE };
        assert!(!window.within_mates(Ply(3)).is_empty());
        assert!(window.within_mates(Ply(4)).is_empty());
    }
}
