//! The path from the start of the game to the current node. It contains the keys of the positions,
//! for detecting repetitions, and the principal variation found at each ply.

use super::depth::Ply;
use super::driver::Worker;
use super::kind::NodeKind;
use super::variation::Variation;
use std::fmt::Debug;

pub(super) struct Path<M> {
    /// The keys of the game and of the line being searched, without the current position.
    keys: Vec<u64>,
    /// The principal variation from each ply on, updated only at nodes with an open window.
    variations: Vec<Variation<M>>,
}

impl<M: Copy> Path<M> {
    pub(super) fn new() -> Self {
        Self { keys: Vec::with_capacity(1024), variations: vec![Variation::new(); Ply::MAX.0 + 4] }
    }

    /// Resets the path to the root of a new search. `game` contains the keys of the earlier
    /// positions of the game, oldest first.
    pub(super) fn begin(&mut self, game: &[u64]) {
        self.keys.clear();
        self.keys.extend_from_slice(game);
        self.variations.iter_mut().for_each(Variation::clear);
    }

    /// Enters a node: counts it and clears its principal variation. Returns true if the search has
    /// been stopped, in which case its result is meaningless.
    #[inline(always)]
    pub(super) fn enter<N: NodeKind>(&mut self, worker: &mut Worker<'_, M>, ply: Ply) -> bool
    where
        M: Eq + Debug,
    {
        if N::PV {
            self.variations[ply.0].clear();
            worker.seldepth = worker.seldepth.max(ply.0 + 1);
        }
        worker.visit()
    }

    #[inline(always)]
    pub(super) fn push(&mut self, key: u64) {
        self.keys.push(key);
    }

    #[inline(always)]
    pub(super) fn pop(&mut self) {
        self.keys.pop();
    }

    /// Returns the keys of the game and of the line being searched, latest last, without the
    /// current position.
    #[inline(always)]
    pub(super) fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// Returns whether the position with this key, at `ply`, is a repetition: within the last
    /// `reach` plies, the position occurred either once below the root or twice in all.
    #[inline(always)]
    pub(super) fn is_repetition(&self, key: u64, reach: u16, ply: Ply) -> bool {
        let reach = usize::from(reach).min(self.keys.len());
        let mut met = false;
        for back in (4..=reach).step_by(2) {
            if self.keys[self.keys.len() - back] == key {
                if back < ply.0 || met {
                    return true;
                }
                met = true;
            }
        }
        false
    }

    pub(super) fn variation(&self, ply: Ply) -> impl Iterator<Item = M> + '_ {
        self.variations[ply.0].iter()
    }

    /// Replaces the variation at `ply` with the move `m` and the variation at the next ply.
    #[inline]
    pub(super) fn extend_variation(&mut self, ply: Ply, m: M) {
        let (upper, lower) = self.variations.split_at_mut(ply.0 + 1);
        if let (Some(variation), Some(below)) = (upper.last_mut(), lower.first()) {
            variation.set(m, below);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_after_one_repetition_in_the_search_or_two_in_the_game() {
        let mut path = Path::<u16>::new();
        path.begin(&[7, 1, 2, 3]);
        // The position with key 7 occurred four plies ago.
        assert!(!path.is_repetition(7, 4, Ply(0)), "once in the game");
        assert!(!path.is_repetition(7, 4, Ply(4)), "the root itself occurred in the game");
        assert!(path.is_repetition(7, 4, Ply(5)), "once below the root");
        assert!(!path.is_repetition(7, 3, Ply(5)), "before the last capture");
        path.begin(&[7, 1, 2, 3, 7, 1, 2, 3]);
        assert!(path.is_repetition(7, 8, Ply(0)), "twice in the game");
        assert!(!path.is_repetition(7, 7, Ply(0)), "once since the last capture");
    }

    #[test]
    fn extends_a_variation_with_the_variation_below() {
        let mut path = Path::<u16>::new();
        path.begin(&[]);
        path.extend_variation(Ply(1), 20);
        path.extend_variation(Ply(0), 10);
        assert_eq!(path.variation(Ply(0)).collect::<Vec<_>>(), [10, 20]);
        path.begin(&[]);
        path.extend_variation(Ply(0), 11);
        assert_eq!(path.variation(Ply(0)).collect::<Vec<_>>(), [11]);
    }
}
