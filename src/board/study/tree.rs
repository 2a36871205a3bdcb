//! What is studied as the page shows it: a tree of moves with all that is said about them.
//!
//! Moves are numbered from 1 in the order of the text, as [`Record::places`] lists them; 0 is the start.

use crate::board::shown::Shown;
use crate::chess::notation::Notation;
use crate::record::games::{Line, Node, Record, TreePath};
use crate::tools::analyse::visible_text;
use serde::Serialize;

/// A game with its variations.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct Tree {
    /// The main line.
    pub line: Branch,
    /// The number of the move after which the board is.
    pub here: usize,
    /// The comments there, of which [`visible_text`] leaves what is for readers.
    pub comments: Vec<String>,
    /// The glyphs of the move there.
    pub nags: Vec<u8>,
}

/// Moves that follow each other.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct Branch {
    /// The moves.
    pub moves: Vec<Twig>,
    /// Comments after all moves and their variations.
    pub closing: Vec<String>,
}

/// A move.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct Twig {
    /// Its number in the order of the text.
    pub number: usize,
    /// In the chosen notation.
    pub text: String,
    /// In words.
    pub spoken: String,
    /// Comments before it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub before: Vec<String>,
    /// Its glyphs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub nags: Vec<u8>,
    /// Comments after it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub comments: Vec<String>,
    /// What could be played instead.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub variations: Vec<Branch>,
}

impl Tree {
    /// A game, seen from one of its places.
    pub fn new<G: Shown>(game: &Record<G>, place: &TreePath, notation: Notation) -> Self {
        let here = game.paths().iter().position(|one| one == place);
        let line = Writer { notation, number: 0 }.line(game.line(), game.start());
        let nags = game.node_at(place).map(|node| node.nags.clone());
        Self {
            line,
            here: here.map_or(0, |index| index + 1),
            comments: for_readers(game.comments_at(place)),
            nags: nags.unwrap_or_default(),
        }
    }
}

/// Comments without what only programs read.
fn for_readers(comments: &[String]) -> Vec<String> {
    comments.iter().filter_map(|comment| visible_text(comment)).collect()
}

/// Numbers moves as it comes to them.
struct Writer {
    notation: Notation,
    number: usize,
}

impl Writer {
    fn line<G: Shown>(&mut self, line: &Line<G::Move>, start: &G) -> Branch {
        let mut position = start.clone();
        let mut moves = Vec::with_capacity(line.moves.len());
        for node in &line.moves {
            moves.push(self.node(node, &position));
            position = position.after(node.m);
        }
        Branch { moves, closing: for_readers(&line.closing) }
    }

    fn node<G: Shown>(&mut self, node: &Node<G::Move>, position: &G) -> Twig {
        self.number += 1;
        Twig {
            number: self.number,
            text: position.noted(node.m, self.notation),
            spoken: position.spoken(node.m),
            before: for_readers(&node.before),
            nags: node.nags.clone(),
            comments: for_readers(&node.comments),
            variations: node.variations.iter().map(|line| self.line(line, position)).collect(),
        }
    }
}
