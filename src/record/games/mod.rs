//! Games on record: a game tree that keeps everything, a streaming [`Reader`], and a writer in
//! export form, for the texts that descend from *PGN Standard* (Edwards, 1994). What differs from
//! game to game, such as results and tags, is in [`Recorded`].
//!
//! Invariant: what is written reads back as the same game, so that writing what was read from a
//! written text gives that text again.

mod edit;
mod read;
mod write;

pub use edit::{EditError, TreePath};
pub use read::{Problem, Reader, RecordError};

use crate::base::date::DateTime;
use crate::base::game::Game;
use std::error::Error;
use std::fmt;
use std::str::FromStr;
use std::time::SystemTime;

/// What differs in the records of each game.
pub trait Recorded: Game {
    /// What can be wrong with a move, a start position, or a tag that names the rules.
    type Error: Error + From<Self::MoveError> + Send + Sync + 'static;
    /// How a game ended. The default is that it is not over, or not known. A game with two ways to
    /// write it has the other as the alternate form (`{:#}`).
    type Result: fmt::Display + FromStr + Copy + Eq + fmt::Debug + Default + Send + Sync + 'static;
    /// The tag that every record has beside the roster, if there is one. It follows from the start position;
    /// other values that [`Self::with_tag`] accepts are read but not kept.
    const OWN_TAG: Option<&'static str> = None;
    /// Words that can follow a move and mean nothing.
    const SUFFIXES: &'static [&'static str] = &[];
    /// The glyph that `*` directly after a move stands for; `None` if a `*` is always a result.
    const STAR: Option<u8> = None;
    /// Whether a move of Black's is written with its number after a comment or a variation, as it
    /// is at the start of a line.
    const NUMBERED_AGAIN: bool = true;

    /// Reads a position.
    ///
    /// # Errors
    /// If the text is not a position.
    fn from_fen(text: &str) -> Result<Self, Self::Error>;

    /// The text of a position.
    fn to_fen(&self) -> String;

    /// The text for the `FEN` tag, without what other tags say.
    fn fen_tag(&self) -> String {
        self.to_fen()
    }

    /// Whether a game that begins here needs no `FEN` tag.
    fn is_usual_start(&self) -> bool {
        *self == Self::start()
    }

    /// The value of [`Self::OWN_TAG`] in a game from here.
    fn own_tag(&self) -> &'static str {
        ""
    }

    /// The number of the first move of a game that starts here.
    fn first_number(&self) -> u32 {
        1
    }

    /// The tag besides `FEN` without which a game from here would be misread, if one is needed.
    fn start_tag(&self) -> Option<(&'static str, &'static str)> {
        None
    }

    /// The start position in the game that a tag names, if it names one.
    ///
    /// # Errors
    /// If the game has other rules; the error names the value of the tag.
    fn with_tag(self, name: &str, value: &str) -> Result<Self, Self::Error>;
}

/// A sequence of moves: the main line of a game, or a variation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line<M> {
    /// The moves, each legal after those before it.
    pub moves: Vec<Node<M>>,
    /// Comments after the variations of the last move, or all comments of a line without moves.
    pub closing: Vec<String>,
}

impl<M> Default for Line<M> {
    fn default() -> Self {
        Self { moves: Vec::new(), closing: Vec::new() }
    }
}

impl<M> Line<M> {
    /// Whether the line has neither moves nor comments.
    pub const fn is_empty(&self) -> bool {
        self.moves.is_empty() && self.closing.is_empty()
    }
}

/// A move with everything that is said about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node<M> {
    /// The move.
    pub m: M,
    /// Comments before the move: at the start of a line, or after the variations of the move before.
    pub before: Vec<String>,
    /// Numeric annotation glyphs; 1 to 6 stand for `! ? !! ?? !? ?!`.
    pub nags: Vec<u8>,
    /// Comments after the move.
    pub comments: Vec<String>,
    /// What could be played instead of the move.
    pub variations: Vec<Line<M>>,
}

impl<M> Node<M> {
    /// A move about which nothing is said.
    pub const fn new(m: M) -> Self {
        Self {
            m,
            before: Vec::new(),
            nags: Vec::new(),
            comments: Vec::new(),
            variations: Vec::new(),
        }
    }
}

/// How deep variations may be nested.
pub const MAX_NESTING: usize = 128;

/// The seven tags that every game has, in their order, with the value that stands for "not known"
/// (section 8.1.1).
const ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

/// A move that cannot be added to a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{m:?} is not legal in {fen}")]
pub struct IllegalMove<M: fmt::Debug> {
    /// The move.
    pub m: M,
    /// The FEN of the position.
    pub fen: String,
}

/// A game: tags, moves with comments, glyphs and variations, result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record<P: Recorded> {
    /// The tags that were set, in that order, without those that follow from the rest of the game.
    tags: Vec<(String, String)>,
    start: P,
    /// The position after the main line.
    end: P,
    line: Line<P::Move>,
    /// The result, for the tag and the end of the moves.
    pub result: P::Result,
}

impl<P: Recorded> Default for Record<P> {
    fn default() -> Self {
        Self::new()
    }
}

impl<P: Recorded> Record<P> {
    /// A game from the start position, without moves.
    pub fn new() -> Self {
        Self::from_position(P::start())
    }

    /// A game from any position; the `FEN` tag gives it if it is not the start position.
    pub fn from_position(start: P) -> Self {
        let mut game = Self {
            tags: Vec::new(),
            end: start.clone(),
            start,
            line: Line::default(),
            result: P::Result::default(),
        };
        if let Some((name, value)) = game.start.start_tag() {
            game.set_tag(name, value);
        }
        game
    }

    /// Sets a tag. Characters that a name cannot hold (all but letters, digits and `_+#=:-`) are
    /// left out, and control characters in the value become spaces. One of the seven tags that
    /// every game has is removed by the value that stands for "not known", such as `?` for `White`.
    ///
    /// `Result`, `SetUp` and `FEN` are not set here: they follow from [`Self::result`] and
    /// [`Self::from_position`]. Neither does [`Recorded::OWN_TAG`].
    pub fn set_tag(&mut self, name: &str, value: &str) {
        let name: String = name.chars().filter(|&c| is_name(c)).collect();
        let value: String = value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let follows = matches!(name.as_str(), "Result" | "SetUp" | "FEN")
            || P::OWN_TAG == Some(name.as_str());
        if name.is_empty() || follows {
            return;
        }
        if ROSTER.contains(&(&name, &value)) {
            self.tags.retain(|(old, _)| *old != name);
        } else if let Some((_, old)) = self.tags.iter_mut().find(|(old, _)| *old == name) {
            *old = value;
        } else {
            self.tags.push((name, value));
        }
    }

    /// Sets the tag `Date` to the day of this time in UTC.
    pub fn set_date(&mut self, time: SystemTime) {
        let DateTime { year, month, day, .. } = time.into();
        self.set_tag("Date", &format!("{year:04}.{month:02}.{day:02}"));
    }

    /// The value of a tag that was set; tags that follow from the rest of the game are not found.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }

    /// The tags that were set and their values.
    pub fn tags(&self) -> impl Iterator<Item = (&str, &str)> {
        self.tags.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The position in which the game starts.
    pub const fn start(&self) -> &P {
        &self.start
    }

    /// The position after the last move of the main line.
    pub const fn position(&self) -> &P {
        &self.end
    }

    /// The main line.
    pub const fn line(&self) -> &Line<P::Move> {
        &self.line
    }

    /// The moves of the main line.
    pub fn moves(&self) -> impl Iterator<Item = P::Move> {
        self.line.moves.iter().map(|node| node.m)
    }

    /// The positions of the main line, from the first to that after the last move.
    pub fn positions(&self) -> Vec<P> {
        let mut positions = vec![self.start.clone()];
        positions.extend(self.moves().scan(self.start.clone(), |position, m| {
            *position = position.after(m);
            Some(position.clone())
        }));
        positions
    }

    /// A move of the main line, counted from 0, for adding comments, glyphs and variations. The
    /// move itself must stay what it is, and moves of variations must be legal.
    pub fn node_mut(&mut self, ply: usize) -> Option<&mut Node<P::Move>> {
        self.line.moves.get_mut(ply)
    }

    /// Adds a comment at the end of the main line, which may have no moves.
    pub fn comment(&mut self, text: &str) {
        let comments = match self.line.moves.last_mut() {
            Some(node) => &mut node.comments,
            None => &mut self.line.closing,
        };
        comments.extend(tidy(text));
    }

    /// Plays a move at the end of the main line, with a comment unless it is empty.
    ///
    /// # Errors
    /// If the move is not legal; the game is then unchanged.
    pub fn push(&mut self, m: P::Move, comment: &str) -> Result<(), IllegalMove<P::Move>> {
        if !self.end.moves().contains(&m) {
            return Err(IllegalMove { m, fen: self.end.to_fen() });
        }
        let mut node = Node::new(m);
        // A comment after the last variation now comes before this move.
        node.before.append(&mut self.line.closing);
        node.comments.extend(tidy(comment));
        self.line.moves.push(node);
        self.end = self.end.after(m);
        Ok(())
    }
}

/// A comment's text as it is kept, with single spaces between words and without control characters; `None`
/// if it has no word.
fn tidy(comment: &str) -> Option<String> {
    let words = comment.split(|c: char| c.is_whitespace() || c.is_control());
    let mut words = words.filter(|word| !word.is_empty());
    let mut text = words.next()?.to_owned();
    for word in words {
        text.push(' ');
        text.push_str(word);
    }
    Some(text)
}

const fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '+' | '#' | '=' | ':' | '-')
}
