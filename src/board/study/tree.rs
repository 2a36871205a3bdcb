//! The move tree of a study, with comments and annotation glyphs.
//!
//! Moves are numbered from 1 in the order of the game text, as in [`Record::paths`]. The start has
//! number 0.

use super::{review, shapes};
use crate::board::game::BoardGame;
use crate::board::message::study::{Branch, Tree, Twig};
use crate::chess::notation::Notation;
use crate::record::games::{Line, Node, Record, TreePath};
use crate::tools::analyse::visible_text;

/// Returns the tree of a game. `place` is the path of the displayed position.
pub(super) fn tree<G: BoardGame>(
    game: &Record<G>,
    place: &TreePath,
    position: &G,
    notation: Notation,
) -> Tree {
    let here = game.paths().iter().position(|one| one == place);
    let line = Writer { notation, number: 0 }.line(game.line(), game.start());
    let nags = game.node_at(place).map(|node| node.nags.clone());
    Tree {
        line,
        here: here.map_or(0, |index| index + 1),
        comments: for_readers(game.comments_at(place)),
        nags: nags.unwrap_or_default(),
        shapes: shapes::read::<G>(game.comments_at(place)),
        score: review::stored_score(game.comments_at(place), position),
    }
}

/// Removes embedded commands such as `[%clk]` from comments.
fn for_readers(comments: &[String]) -> Vec<String> {
    comments.iter().filter_map(|comment| visible_text(comment)).collect()
}

struct Writer {
    notation: Notation,
    number: usize,
}

impl Writer {
    fn line<G: BoardGame>(&mut self, line: &Line<G::Move>, start: &G) -> Branch {
        let mut position = start.clone();
        let mut moves = Vec::with_capacity(line.moves.len());
        for node in &line.moves {
            moves.push(self.node(node, &position));
            position = position.after(node.m);
        }
        Branch { moves, closing: for_readers(&line.closing) }
    }

    fn node<G: BoardGame>(&mut self, node: &Node<G::Move>, position: &G) -> Twig {
        self.number += 1;
        Twig {
            number: self.number,
            text: position.notated(node.m, self.notation),
            spoken: position.spoken(node.m),
            before: for_readers(&node.before),
            nags: node.nags.clone(),
            comments: for_readers(&node.comments),
            variations: node.variations.iter().map(|line| self.line(line, position)).collect(),
        }
    }
}
