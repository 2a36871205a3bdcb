//! Edits a game: adds moves, and starts, promotes and removes variations.
//!
//! Invariant: after every change, all moves are legal and the game can be written and read back
//! unchanged.

use super::{IllegalMove, Line, MAX_NESTING, Node, Record, Recorded, tidy};
use std::fmt;
use std::mem;

/// A position in the game tree: before the first move, or after a given move. The default is the
/// position before the first move. A path is valid only for the game that returned it, and only
/// until that game is changed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TreePath {
    /// The variations entered on the way from the main line; empty for a position in the main line.
    turns: Vec<Turn>,
    /// The number of moves before the position in its line; 0 only in the main line.
    at: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Turn {
    /// The index, in the outer line, of the move that the variation replaces.
    instead_of: usize,
    /// The index among the variations of that move.
    variation: usize,
}

/// The reason why a game cannot be changed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EditError<M: fmt::Debug> {
    /// An illegal move.
    #[error(transparent)]
    Illegal(#[from] IllegalMove<M>),
    /// The variations would be nested too deeply.
    #[error("variations cannot be nested more than {MAX_NESTING} deep")]
    Nesting,
    /// The path is already in the main line.
    #[error("already in the main line")]
    MainLine,
    /// The path does not lead to a move of this game.
    #[error("no such move")]
    Nothing,
}

impl TreePath {
    /// Returns the path without its last move, or `None` before the first move.
    pub fn back(&self) -> Option<Self> {
        let mut path = self.clone();
        path.at = path.at.checked_sub(1)?;
        // The position before a variation belongs to the outer line.
        while path.at == 0
            && let Some(turn) = path.turns.pop()
        {
            path.at = turn.instead_of;
        }
        Some(path)
    }

    /// Returns whether the path stays in the main line.
    pub const fn is_in_main_line(&self) -> bool {
        self.turns.is_empty()
    }

    /// Returns how many moves of the main line the path depends on. For a path into a variation,
    /// the count includes the main-line move that the variation replaces.
    #[cfg(feature = "board")]
    pub(crate) fn plies_of_main_line(&self) -> usize {
        self.turns.first().map_or(self.at, |turn| turn.instead_of + 1)
    }

    fn at_variation(&self, variation: usize) -> Self {
        let mut turns = self.turns.clone();
        turns.push(Turn { instead_of: self.at, variation });
        Self { turns, at: 1 }
    }
}

fn line_of<'a, M>(mut line: &'a Line<M>, turns: &[Turn]) -> Option<&'a Line<M>> {
    for turn in turns {
        line = line.moves.get(turn.instead_of)?.variations.get(turn.variation)?;
    }
    Some(line)
}

fn line_of_mut<'a, M>(mut line: &'a mut Line<M>, turns: &[Turn]) -> Option<&'a mut Line<M>> {
    for turn in turns {
        line = line.moves.get_mut(turn.instead_of)?.variations.get_mut(turn.variation)?;
    }
    Some(line)
}

fn depth<M>(line: &[Node<M>]) -> usize {
    let variations = line.iter().flat_map(|node| &node.variations);
    variations.map(|variation| 1 + depth(&variation.moves)).max().unwrap_or(0)
}

fn count<M>(line: &Line<M>) -> usize {
    let variations = line.moves.iter().flat_map(|node| &node.variations);
    line.moves.len() + variations.map(count).sum::<usize>()
}

/// If the move at `index` has no variations left, the comments after its former variations become
/// comments on the move.
fn settle<M>(line: &mut Line<M>, index: usize) {
    if line.moves.get(index).is_some_and(|node| node.variations.is_empty()) {
        let after = match line.moves.get_mut(index + 1) {
            Some(next) => mem::take(&mut next.before),
            None => mem::take(&mut line.closing),
        };
        line.moves[index].comments.extend(after);
    }
}

/// Appends the paths of all moves of a line and its variations, in text order.
fn list<M>(line: &Line<M>, turns: &mut Vec<Turn>, paths: &mut Vec<TreePath>) {
    for (instead_of, node) in line.moves.iter().enumerate() {
        paths.push(TreePath { turns: turns.clone(), at: instead_of + 1 });
        for (number, variation) in node.variations.iter().enumerate() {
            turns.push(Turn { instead_of, variation: number });
            list(variation, turns, paths);
            turns.pop();
        }
    }
}

impl<P: Recorded> Record<P> {
    /// Removes a tag.
    pub fn remove_tag(&mut self, name: &str) {
        self.tags.retain(|(old, _)| old != name);
    }

    /// Returns the number of moves, including variations.
    pub fn count_moves(&self) -> usize {
        count(&self.line)
    }

    /// Returns the path of each move in text order: a move is followed by its variations.
    pub fn paths(&self) -> Vec<TreePath> {
        let mut paths = Vec::new();
        list(&self.line, &mut Vec::new(), &mut paths);
        paths
    }

    /// Returns the moves that lead from the start to a position, and the moves that follow this
    /// position in its line.
    pub fn line_through(&self, path: &TreePath) -> (Vec<P::Move>, Vec<P::Move>) {
        let (mut before, mut line) = (Vec::new(), &self.line);
        for turn in &path.turns {
            let Some(node) = line.moves.get(turn.instead_of) else { break };
            before.extend(line.moves[..turn.instead_of].iter().map(|node| node.m));
            let Some(inner) = node.variations.get(turn.variation) else { break };
            line = inner;
        }
        let (to, from) = line.moves.split_at(path.at.min(line.moves.len()));
        before.extend(to.iter().map(|node| node.m));
        (before, from.iter().map(|node| node.m).collect())
    }

    /// Returns the path extended by up to `moves` moves of its line.
    pub fn forward(&self, path: &TreePath, moves: usize) -> TreePath {
        let max = line_of(&self.line, &path.turns).map_or(0, |line| line.moves.len());
        TreePath { turns: path.turns.clone(), at: path.at.saturating_add(moves).min(max) }
    }

    /// Returns the last move of a path with its annotations.
    pub fn node_at(&self, path: &TreePath) -> Option<&Node<P::Move>> {
        line_of(&self.line, &path.turns)?.moves.get(path.at.checked_sub(1)?)
    }

    /// Returns the comments after the last move of a path, or before the first move of the game.
    pub fn comments_at(&self, path: &TreePath) -> &[String] {
        match (self.node_at(path), self.line.moves.first()) {
            (Some(node), _) => &node.comments,
            (None, Some(first)) => &first.before,
            (None, None) => &self.line.closing,
        }
    }

    /// Replaces the comments at a path; blank comments are dropped.
    pub fn set_comments(&mut self, path: &TreePath, comments: &[String]) {
        let tidied =
            comments.iter().filter_map(|comment| Some(tidy(comment)?.into_owned())).collect();
        if path.at > 0 {
            if let Ok(node) = self.node_at_mut(path) {
                node.comments = tidied;
            }
        } else if let Some(first) = self.line.moves.first_mut() {
            first.before = tidied;
        } else {
            self.line.closing = tidied;
        }
    }

    /// Replaces the annotation glyphs of the last move of a path.
    ///
    /// # Errors
    /// Fails if there is no move.
    pub fn set_nags(&mut self, path: &TreePath, nags: &[u16]) -> Result<(), EditError<P::Move>> {
        nags.clone_into(&mut self.node_at_mut(path)?.nags);
        Ok(())
    }

    fn node_at_mut(&mut self, path: &TreePath) -> Result<&mut Node<P::Move>, EditError<P::Move>> {
        let line = line_of_mut(&mut self.line, &path.turns);
        let index = path.at.checked_sub(1);
        let node = line.zip(index).and_then(|(line, index)| line.moves.get_mut(index));
        node.ok_or(EditError::Nothing)
    }

    /// Returns the paths of all continuations. The next move of the line comes first.
    pub fn choices(&self, path: &TreePath) -> Vec<TreePath> {
        let Some(line) = line_of(&self.line, &path.turns) else { return Vec::new() };
        let Some(next) = line.moves.get(path.at) else { return Vec::new() };
        let mut choices = vec![TreePath { turns: path.turns.clone(), at: path.at + 1 }];
        for (number, variation) in next.variations.iter().enumerate() {
            if variation.moves.is_empty() {
                continue;
            }
            // The first move of a variation can itself have variations, which start at the same
            // position.
            let inner = path.at_variation(number);
            choices.extend(self.choices(&TreePath { at: 0, ..inner }));
        }
        choices
    }

    /// Returns the path extended by `m`, if the game contains `m` at this position.
    pub fn child(&self, path: &TreePath, m: P::Move) -> Option<TreePath> {
        let has = |choice: &TreePath| self.node_at(choice).is_some_and(|node| node.m == m);
        self.choices(path).into_iter().find(has)
    }

    /// Plays a move and returns its path. A new move is appended if the line ends at this position;
    /// otherwise the new move starts a variation.
    ///
    /// # Errors
    /// Fails if the move is illegal or the variation would be nested too deeply. The game is then
    /// unchanged.
    pub fn play(&mut self, path: &TreePath, m: P::Move) -> Result<TreePath, EditError<P::Move>> {
        if let Some(child) = self.child(path, m) {
            return Ok(child);
        }
        let (before, _) = self.line_through(path);
        let position = before.iter().fold(self.start.clone(), |position, &m| position.after(m));
        if !position.moves().contains(&m) {
            return Err(IllegalMove::new(&position, m).into());
        }
        if path.is_in_main_line() && path.at == self.line.moves.len() {
            self.push(m, "")?;
            return Ok(TreePath { turns: Vec::new(), at: path.at + 1 });
        }
        let line = line_of_mut(&mut self.line, &path.turns).ok_or(EditError::Nothing)?;
        match line.moves.get_mut(path.at) {
            None => {
                let before = mem::take(&mut line.closing);
                line.moves.push(Node { before, ..Node::new(m) });
                Ok(TreePath { turns: path.turns.clone(), at: line.moves.len() })
            }
            Some(_) if path.turns.len() == MAX_NESTING => Err(EditError::Nesting),
            Some(next) => {
                next.variations.push(Line { moves: vec![Node::new(m)], closing: Vec::new() });
                Ok(path.at_variation(next.variations.len() - 1))
            }
        }
    }

    /// Removes the last move of a path and all moves after it. If the removed move has variations,
    /// the first of them takes its place. Returns the path before the removed move.
    ///
    /// # Errors
    /// Fails if there is no move.
    pub fn remove(&mut self, path: &TreePath) -> Result<TreePath, EditError<P::Move>> {
        self.node_at_mut(path)?;
        let back = path.back().ok_or(EditError::Nothing)?;
        let line = line_of_mut(&mut self.line, &path.turns).ok_or(EditError::Nothing)?;
        let mut removed = line.moves.split_off(path.at - 1).swap_remove(0);
        line.closing.clear();
        let first = removed.variations.iter().position(|variation| !variation.moves.is_empty());
        if let Some(first) = first {
            let variation = removed.variations.remove(first);
            line.moves.extend(variation.moves);
            line.closing = variation.closing;
            if let Some(head) = line.moves.get_mut(path.at - 1) {
                head.before.splice(0..0, removed.before);
                head.variations.append(&mut removed.variations);
            }
        } else {
            line.closing = removed.before;
        }
        let is_empty = line.moves.is_empty();
        if let Some((last, outer)) = path.turns.split_last().filter(|_| is_empty)
            && let Some(outer) = line_of_mut(&mut self.line, outer)
            && let Some(node) = outer.moves.get_mut(last.instead_of)
        {
            node.variations.remove(last.variation);
            settle(outer, last.instead_of);
        }
        self.find_end();
        Ok(back)
    }

    /// Truncates the main line to its first `plies` moves. The variations of the removed moves are
    /// removed too.
    #[cfg(feature = "board")]
    pub(crate) fn truncate(&mut self, plies: usize) {
        if plies < self.line.moves.len() {
            self.line.moves.truncate(plies);
            self.line.closing.clear();
            self.find_end();
        }
    }

    /// Swaps the innermost variation of a path with the moves that it replaces in the outer line.
    /// Returns the new path of the last move.
    ///
    /// # Errors
    /// Fails if the path is in the main line, or if variations would be nested too deeply. The game
    /// is then unchanged.
    pub fn promote(&mut self, path: &TreePath) -> Result<TreePath, EditError<P::Move>> {
        let (turn, outer) = path.turns.split_last().ok_or(EditError::MainLine)?;
        self.node_at_mut(path)?;
        let line = line_of_mut(&mut self.line, outer).ok_or(EditError::Nothing)?;
        // The variations of the first move are alternatives to both lines, so they stay where they
        // are.
        if outer.len() + 1 + depth(&line.moves[turn.instead_of + 1..]) > MAX_NESTING {
            return Err(EditError::Nesting);
        }
        let mut old = Line {
            moves: line.moves.split_off(turn.instead_of),
            closing: mem::take(&mut line.closing),
        };
        // The old line has a move: `node_at_mut` succeeded above.
        let mut variations = mem::take(&mut old.moves[0].variations);
        let before = mem::take(&mut old.moves[0].before);
        settle(&mut old, 0);
        let mut new = mem::replace(&mut variations[turn.variation], old);
        if let Some(head) = new.moves.first_mut() {
            head.before.splice(0..0, before);
            variations.append(&mut head.variations);
            head.variations = variations;
        }
        line.moves.append(&mut new.moves);
        line.closing = new.closing;
        self.find_end();
        Ok(TreePath { turns: outer.to_vec(), at: turn.instead_of + path.at })
    }

    fn find_end(&mut self) {
        self.end = self.moves().fold(self.start.clone(), |position, m| position.after(m));
    }
}
