//! The way from the beginning of the game to the node being searched: the keys of its positions,
//! by which repetitions are seen, and the lines found below it.

use super::depth::Ply;
use super::driver::{Searcher, Worker};
use super::kind::NodeKind;
use super::line::Line;
use super::tt::Table;
use crate::base::game::Game;
use std::fmt::Debug;

/// The path to the node being searched, and the best line found from each ply of it.
pub struct Path<M> {
    /// The keys of the game and of the line being searched, the current position not included.
    keys: Vec<u64>,
    /// By ply, the principal variation from there on. Only nodes with an open window keep one.
    lines: Vec<Line<M>>,
}

impl<M: Copy> Path<M> {
    /// The path of a game that has not begun.
    pub fn new() -> Self {
        Self { keys: Vec::with_capacity(1024), lines: vec![Line::new(); Ply::MAX.0 + 4] }
    }

    /// Returns to the root of a new search; `game` are the keys of the positions before it, oldest
    /// first.
    pub fn begin(&mut self, game: &[u64]) {
        self.keys.clear();
        self.keys.extend_from_slice(game);
        self.lines.iter_mut().for_each(Line::clear);
    }

    /// Enters a node: counts it, and begins its line if it keeps one. Returns whether the search has
    /// been stopped; its result is then meaningless.
    #[inline(always)]
    pub fn enter<N: NodeKind>(&mut self, worker: &mut Worker<'_, M>, ply: Ply) -> bool
    where
        M: Eq + Debug,
    {
        if N::PV {
            self.lines[ply.0].clear();
            worker.seldepth = worker.seldepth.max(ply.0 + 1);
        }
        worker.visit()
    }

    /// Goes on from the position with this key to a child.
    #[inline(always)]
    pub fn push(&mut self, key: u64) {
        self.keys.push(key);
    }

    /// Returns from a child.
    #[inline(always)]
    pub fn pop(&mut self) {
        self.keys.pop();
    }

    /// The keys of the game and of the line being searched, latest last, the current position not
    /// included.
    #[inline(always)]
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// Whether the current position, at `ply` and with this key, has stood before within the last
    /// `reach` half-moves: once in the line being searched, or twice in the game.
    #[inline(always)]
    pub fn is_repetition(&self, key: u64, reach: u16, ply: Ply) -> bool {
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

    /// The line found from `ply` on.
    pub fn line(&self, ply: Ply) -> impl Iterator<Item = M> + '_ {
        self.lines[ply.0].iter()
    }

    /// Makes the line at `ply` the move and the line below it.
    #[inline]
    pub fn extend_line(&mut self, ply: Ply, m: M) {
        let (upper, lower) = self.lines.split_at_mut(ply.0 + 1);
        if let (Some(line), Some(below)) = (upper.last_mut(), lower.first()) {
            line.set(m, below);
        }
    }
}

/// A line is not made longer than this through the table: it needs the reply to ponder on, and what
/// a cutoff by the table left out.
const COMPLETE: usize = 12;

/// Ends a line before its first illegal move, which another thread's write to the table can bring
/// in; a legal line that is short goes on with the moves that the table expects, until a position
/// repeats.
pub fn complete_line<S: Searcher>(root: &S::Root, table: &Table, line: &mut Vec<S::Move>) {
    let mut position = S::position(root).clone();
    let mut seen = vec![position.key()];
    for (i, &m) in line.iter().enumerate() {
        if !position.moves().contains(&m) {
            line.truncate(i);
            return;
        }
        position = position.after(m);
        seen.push(position.key());
    }
    while line.len() < COMPLETE
        && let Some(m) = S::expected(&position, table)
    {
        position = position.after(m);
        line.push(m);
        if seen.contains(&position.key()) {
            break;
        }
        seen.push(position.key());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_repetition_counts_in_the_line_and_two_in_the_game() {
        let mut path = Path::<u16>::new();
        path.begin(&[7, 1, 2, 3]);
        // The position with key 7 stood four half-moves ago.
        assert!(!path.is_repetition(7, 4, Ply(0)), "once in the game");
        assert!(!path.is_repetition(7, 4, Ply(4)), "the root itself stood in the game as well");
        assert!(path.is_repetition(7, 4, Ply(5)), "once below the root");
        assert!(!path.is_repetition(7, 3, Ply(5)), "before the last capture");
        path.begin(&[7, 1, 2, 3, 7, 1, 2, 3]);
        assert!(path.is_repetition(7, 8, Ply(0)), "twice in the game");
        assert!(!path.is_repetition(7, 7, Ply(0)), "once since the last capture");
    }

    #[test]
    fn a_line_is_a_move_and_the_line_below() {
        let mut path = Path::<u16>::new();
        path.begin(&[]);
        path.extend_line(Ply(1), 20);
        path.extend_line(Ply(0), 10);
        assert_eq!(path.line(Ply(0)).collect::<Vec<_>>(), [10, 20]);
        path.begin(&[]);
        path.extend_line(Ply(0), 11);
        assert_eq!(path.line(Ply(0)).collect::<Vec<_>>(), [11]);
    }
}
