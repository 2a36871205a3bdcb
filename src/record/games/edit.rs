//! A game changed by hand: moves tried, variations begun, made the line that is followed, taken away.
//!
//! Invariant: whatever is done, each move is legal after those before it, and the game is read back from
//! its text as it is.

use super::{IllegalMove, Line, MAX_NESTING, Node, Record, Recorded, tidy};
use std::fmt;
use std::mem;

/// Where one looks at a game: after one of its moves, or before the first. It is one of the game that
/// gave it, as long as that is not changed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Place {
    /// The variations, each within the one before, that lead to the line; none for the main line.
    turns: Vec<Turn>,
    /// After how many moves of the line; 0 only in the main line.
    at: usize,
}

/// The beginning of a variation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Turn {
    /// The number, from 0, of the move in the outer line that it is played instead of.
    instead_of: usize,
    /// Its number among the variations there, from 0.
    variation: usize,
}

/// Why a game cannot be changed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EditError<M: fmt::Debug> {
    /// The move is not legal there.
    #[error(transparent)]
    Illegal(#[from] IllegalMove<M>),
    /// Variations would lie too deep within each other.
    #[error("variations can lie {MAX_NESTING} deep, and no deeper")]
    Nesting,
    /// The main line is followed already.
    #[error("this is the main line already")]
    MainLine,
    /// The place is not in this game, or there is nothing to be changed.
    #[error("there is no such move here")]
    Nothing,
}

impl Place {
    /// The place one move earlier; `None` before the first.
    pub fn back(&self) -> Option<Self> {
        let mut place = self.clone();
        place.at = place.at.checked_sub(1)?;
        // Before the first move of a variation one is in the line from which it leaves.
        while place.at == 0
            && let Some(turn) = place.turns.pop()
        {
            place.at = turn.instead_of;
        }
        Some(place)
    }

    /// Whether it is in the main line.
    pub const fn is_in_main_line(&self) -> bool {
        self.turns.is_empty()
    }

    /// The place after the first move of a variation on the move that follows this one.
    fn at_variation(&self, variation: usize) -> Self {
        let mut turns = self.turns.clone();
        turns.push(Turn { instead_of: self.at, variation });
        Self { turns, at: 1 }
    }
}

/// The line to which turns lead.
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

/// How deep variations lie within a line.
fn depth<M>(line: &[Node<M>]) -> usize {
    let variations = line.iter().flat_map(|node| &node.variations);
    variations.map(|variation| 1 + depth(&variation.moves)).max().unwrap_or(0)
}

/// The moves of a line and of its variations.
fn count<M>(line: &Line<M>) -> usize {
    let variations = line.moves.iter().flat_map(|node| &node.variations);
    line.moves.len() + variations.map(count).sum::<usize>()
}

/// Comments that stood after the variations of a move are its own if it has none left.
fn settle<M>(line: &mut Line<M>, index: usize) {
    if line.moves.get(index).is_some_and(|node| node.variations.is_empty()) {
        let after = match line.moves.get_mut(index + 1) {
            Some(next) => mem::take(&mut next.before),
            None => mem::take(&mut line.closing),
        };
        line.moves[index].comments.extend(after);
    }
}

/// Adds the places of a line's moves and of their variations, as they stand in the text.
fn list<M>(line: &Line<M>, turns: &mut Vec<Turn>, places: &mut Vec<Place>) {
    for (instead_of, node) in line.moves.iter().enumerate() {
        places.push(Place { turns: turns.clone(), at: instead_of + 1 });
        for (number, variation) in node.variations.iter().enumerate() {
            turns.push(Turn { instead_of, variation: number });
            list(variation, turns, places);
            turns.pop();
        }
    }
}

impl<P: Recorded> Record<P> {
    /// Takes a tag away.
    pub fn remove_tag(&mut self, name: &str) {
        self.tags.retain(|(old, _)| old != name);
    }

    /// How many moves it has, those of variations included.
    pub fn count_moves(&self) -> usize {
        count(&self.line)
    }

    /// The places after each move, in the order of the text: after a move come those of its variations.
    pub fn places(&self) -> Vec<Place> {
        let mut places = Vec::new();
        list(&self.line, &mut Vec::new(), &mut places);
        places
    }

    /// The moves from the start to a place, and those that follow it in its line.
    pub fn line_through(&self, place: &Place) -> (Vec<P::Move>, Vec<P::Move>) {
        let (mut before, mut line) = (Vec::new(), &self.line);
        for turn in &place.turns {
            let Some(node) = line.moves.get(turn.instead_of) else { break };
            before.extend(line.moves[..turn.instead_of].iter().map(|node| node.m));
            let Some(inner) = node.variations.get(turn.variation) else { break };
            line = inner;
        }
        let (to, from) = line.moves.split_at(place.at.min(line.moves.len()));
        before.extend(to.iter().map(|node| node.m));
        (before, from.iter().map(|node| node.m).collect())
    }

    /// The place so many moves farther along the line of a place, or at its end.
    pub fn forward(&self, place: &Place, moves: usize) -> Place {
        let most = line_of(&self.line, &place.turns).map_or(0, |line| line.moves.len());
        Place { turns: place.turns.clone(), at: place.at.saturating_add(moves).min(most) }
    }

    /// The move before a place, with all that is said about it.
    pub fn node_at(&self, place: &Place) -> Option<&Node<P::Move>> {
        line_of(&self.line, &place.turns)?.moves.get(place.at.checked_sub(1)?)
    }

    /// The comments at a place: after its move, or before the first move of the game.
    pub fn comments_at(&self, place: &Place) -> &[String] {
        match (self.node_at(place), self.line.moves.first()) {
            (Some(node), _) => &node.comments,
            (None, Some(first)) => &first.before,
            (None, None) => &self.line.closing,
        }
    }

    /// Replaces the comments at a place; those without a word are left out.
    pub fn set_comments(&mut self, place: &Place, comments: &[String]) {
        let kept = comments.iter().filter_map(|comment| tidy(comment)).collect();
        if place.at > 0 {
            if let Ok(node) = self.node_at_mut(place) {
                node.comments = kept;
            }
        } else if let Some(first) = self.line.moves.first_mut() {
            first.before = kept;
        } else {
            self.line.closing = kept;
        }
    }

    /// Replaces the glyphs of the move before a place.
    ///
    /// # Errors
    /// If there is no move.
    pub fn set_nags(&mut self, place: &Place, nags: &[u8]) -> Result<(), EditError<P::Move>> {
        nags.clone_into(&mut self.node_at_mut(place)?.nags);
        Ok(())
    }

    fn node_at_mut(&mut self, place: &Place) -> Result<&mut Node<P::Move>, EditError<P::Move>> {
        let line = line_of_mut(&mut self.line, &place.turns);
        let index = place.at.checked_sub(1);
        let node = line.zip(index).and_then(|(line, index)| line.moves.get_mut(index));
        node.ok_or(EditError::Nothing)
    }

    /// The places after each move that the game has from here, that of the line first.
    pub fn choices(&self, place: &Place) -> Vec<Place> {
        let Some(line) = line_of(&self.line, &place.turns) else { return Vec::new() };
        let Some(next) = line.moves.get(place.at) else { return Vec::new() };
        let mut choices = vec![Place { turns: place.turns.clone(), at: place.at + 1 }];
        for (number, variation) in next.variations.iter().enumerate() {
            if variation.moves.is_empty() {
                continue;
            }
            // The first move of a variation can have variations too: they begin here as well.
            let inner = place.at_variation(number);
            choices.extend(self.choices(&Place { at: 0, ..inner }));
        }
        choices
    }

    /// The place after a move, if the game has it from here.
    pub fn known(&self, place: &Place, m: P::Move) -> Option<Place> {
        let has = |choice: &Place| self.node_at(choice).is_some_and(|node| node.m == m);
        self.choices(place).into_iter().find(has)
    }

    /// Plays a move from a place: goes on to it if the game has it there, otherwise adds it, to the line if
    /// that ends here and as a variation if it does not. Returns the place after it.
    ///
    /// # Errors
    /// If the move is not legal, or the variation would lie too deep; then nothing has changed.
    pub fn play(&mut self, place: &Place, m: P::Move) -> Result<Place, EditError<P::Move>> {
        if let Some(known) = self.known(place, m) {
            return Ok(known);
        }
        let (before, _) = self.line_through(place);
        let position = before.iter().fold(self.start.clone(), |position, &m| position.after(m));
        if !position.moves().contains(&m) {
            return Err(IllegalMove { m, fen: position.to_fen() }.into());
        }
        if place.is_in_main_line() && place.at == self.line.moves.len() {
            self.push(m, "")?;
            return Ok(Place { turns: Vec::new(), at: place.at + 1 });
        }
        let line = line_of_mut(&mut self.line, &place.turns).ok_or(EditError::Nothing)?;
        match line.moves.get_mut(place.at) {
            None => {
                let before = mem::take(&mut line.closing);
                line.moves.push(Node { before, ..Node::new(m) });
                Ok(Place { turns: place.turns.clone(), at: line.moves.len() })
            }
            Some(_) if place.turns.len() == MAX_NESTING => Err(EditError::Nesting),
            Some(next) => {
                next.variations.push(Line { moves: vec![Node::new(m)], closing: Vec::new() });
                Ok(place.at_variation(next.variations.len() - 1))
            }
        }
    }

    /// Takes away the move before a place and what follows it. If there are variations on that move, the
    /// first takes its place. Returns the place before it.
    ///
    /// # Errors
    /// If there is no move.
    pub fn remove(&mut self, place: &Place) -> Result<Place, EditError<P::Move>> {
        self.node_at_mut(place)?;
        let back = place.back().ok_or(EditError::Nothing)?;
        let line = line_of_mut(&mut self.line, &place.turns).ok_or(EditError::Nothing)?;
        let mut removed = line.moves.split_off(place.at - 1).swap_remove(0);
        line.closing.clear();
        let first = removed.variations.iter().position(|variation| !variation.moves.is_empty());
        if let Some(first) = first {
            let variation = removed.variations.remove(first);
            line.moves.extend(variation.moves);
            line.closing = variation.closing;
            if let Some(head) = line.moves.get_mut(place.at - 1) {
                head.before.splice(0..0, removed.before);
                head.variations.append(&mut removed.variations);
            }
        } else {
            line.closing = removed.before;
        }
        let is_empty = line.moves.is_empty();
        if let Some((last, outer)) = place.turns.split_last().filter(|_| is_empty)
            && let Some(outer) = line_of_mut(&mut self.line, outer)
            && let Some(node) = outer.moves.get_mut(last.instead_of)
        {
            node.variations.remove(last.variation);
            settle(outer, last.instead_of);
        }
        self.find_end();
        Ok(back)
    }

    /// Makes the variation of a place the line that is followed, and what was followed a variation. Returns
    /// where the place is then.
    ///
    /// # Errors
    /// If it is in the main line, or if variations would then lie too deep; then nothing has changed.
    pub fn promote(&mut self, place: &Place) -> Result<Place, EditError<P::Move>> {
        let (turn, outer) = place.turns.split_last().ok_or(EditError::MainLine)?;
        self.node_at_mut(place)?;
        let line = line_of_mut(&mut self.line, outer).ok_or(EditError::Nothing)?;
        if outer.len() + 1 + depth(&line.moves[turn.instead_of..]) > MAX_NESTING {
            return Err(EditError::Nesting);
        }
        let mut old = Line {
            moves: line.moves.split_off(turn.instead_of),
            closing: mem::take(&mut line.closing),
        };
        // What was followed is a variation with a move: it was found above.
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
        Ok(Place { turns: outer.to_vec(), at: turn.instead_of + place.at })
    }

    fn find_end(&mut self) {
        self.end = self.moves().fold(self.start.clone(), |position, m| position.after(m));
    }
}
