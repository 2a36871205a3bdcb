//! Recorded games: a lossless game tree, a streaming [`Reader`], and a writer of the export format,
//! for PGN and the formats derived from it (*PGN Standard*, Edwards, 1994). The trait [`Recorded`]
//! covers the differences between chess and draughts, such as results and tags.
//!
//! Invariant: reading a written game returns the same game, and writing that game produces the same
//! text.

mod edit;
mod fault;
mod plain;
mod read;
mod signs;
mod source;
mod tree;
mod write;

pub use edit::{EditError, TreePath};
pub(crate) use fault::UnreadMove;
pub use fault::{Fault, Loss, Problem, RecordError};
#[cfg(test)]
pub(crate) use plain::comparison::assert_agreement;
pub use read::Reader;

use crate::base::date::DateTime;
use crate::base::game::{Game, MoveForm};
use std::borrow::Cow;
use std::error::Error;
use std::fmt;
use std::str::FromStr;
use std::time::SystemTime;

/// The properties of a game that affect its records.
///
/// The positions of chess and draughts implement this trait. Use it as a bound in functions for
/// records of both games.
pub trait Recorded: Game {
    /// The error for an invalid move, start position or tag.
    type Error: Error + From<Self::MoveError> + Send + Sync + 'static;
    /// The result of a game. The default means unfinished or unknown. If a result can be written
    /// in two ways, `{:#}` selects the second.
    type Result: fmt::Display + FromStr + Copy + Eq + fmt::Debug + Default + Send + Sync + 'static;
    /// The tag that every record of this game has in addition to the seven mandatory tags, if there
    /// is one. Its value follows from the start position. Other values that [`Self::with_tag`]
    /// accepts are read but not stored.
    const OWN_TAG: Option<&'static str> = None;
    /// The words that are ignored after a move.
    const SUFFIXES: &'static [&'static str] = &[];
    /// The annotation glyph for a `*` directly after a move; `None` if `*` is always a result.
    const STAR: Option<u16> = None;
    /// The null move (a pass); `None` if records of the game cannot contain it.
    const NULL_MOVE: Option<Self::Move> = None;
    /// True if the number of a Black move (`3...`) is written not only at the start of a line of
    /// play, but also after a comment or variation.
    const NUMBERED_AGAIN: bool = true;
    /// True if a `Result` tag may contain any text, such as the points of a scoring system.
    const FREE_RESULTS: bool = false;

    /// Parses a move as written in a record.
    ///
    /// # Errors
    /// Fails if the text does not denote exactly one move that a record can contain in this
    /// position.
    fn read_recorded(&self, text: &str) -> Result<Self::Move, Self::MoveError> {
        self.read_move(text, MoveForm::Record)
    }

    /// Returns all moves that a text in a record can denote: none if it is not a legal move, and
    /// several if the following moves must decide. The default returns only the move of
    /// [`Self::read_recorded`], so it returns nothing for an ambiguous text.
    fn matching_moves(&self, text: &str) -> Vec<Self::Move> {
        self.read_recorded(text).into_iter().collect()
    }

    /// Parses a legal move in its usual form, as a fast path. Returns the same move as
    /// [`Self::read_recorded`], or `None` for any other text. A text that can also be a result, an
    /// annotation sign or one of the [`Self::SUFFIXES`] is not in usual form. The default returns
    /// `None`.
    fn read_usual(&self, _text: &[u8]) -> Option<Self::Move> {
        None
    }

    /// The number of alternative spellings of moves in records, such as the piece letters of other
    /// languages.
    const SPELLINGS: usize = 0;

    /// Converts a move from another spelling to the usual one. Returns `None` if both are the same.
    fn respell(_spelling: usize, _text: &str) -> Option<String> {
        None
    }

    /// Returns whether a legal move in its usual spelling is also a common move in another
    /// spelling. The following moves then decide which spelling is meant.
    fn is_dubious(_text: &str) -> bool {
        false
    }

    /// Converts the error for a respelled move back to the spelling of the record. `text` is the
    /// move as written in the record.
    fn error_in_spelling(error: Self::MoveError, _spelling: usize, _text: &str) -> Self::MoveError {
        error
    }

    /// Returns why a move is illegal in this position, if the reason is known.
    fn why_illegal(&self, _m: Self::Move) -> Option<String> {
        None
    }

    /// Returns whether a record can contain this move in this position: any legal move and, in
    /// chess, a null move unless the king is in check.
    fn is_recordable(&self, m: Self::Move) -> bool {
        self.moves().contains(&m)
    }

    /// Parses a position.
    ///
    /// # Errors
    /// Fails if the text is not a position.
    fn from_fen(text: &str) -> Result<Self, Self::Error>;

    /// Returns the position as text that [`Self::from_fen`] parses.
    fn to_fen(&self) -> String;

    /// Returns the value of the `FEN` tag, without information that other tags contain.
    fn fen_tag(&self) -> String {
        self.to_fen()
    }

    /// Returns whether a game from this position needs no `FEN` tag.
    fn is_usual_start(&self) -> bool {
        *self == Self::start()
    }

    /// Returns the value of the tag [`Self::OWN_TAG`] for a game from this position.
    fn own_tag(&self) -> &'static str {
        ""
    }

    /// Returns the number of the first move in a game from this position.
    fn first_number(&self) -> u32 {
        1
    }

    /// Returns the name and value of the variant tag that a game from this position needs in
    /// addition to `FEN` and [`Self::OWN_TAG`]; `None` if no such tag is needed.
    fn start_tag(&self) -> Option<(&'static str, &'static str)> {
        None
    }

    /// Applies a tag that can change the variant of the start position. All other tags are ignored.
    ///
    /// # Errors
    /// Fails if the variant is not supported, or if the position is not legal in it.
    fn with_tag(self, name: &str, value: &str) -> Result<Self, Self::Error>;

    /// Checks a tag for faults that do not affect the game, such as a meaningless part of its
    /// value.
    ///
    /// # Errors
    /// Returns the fault.
    fn check_tag(_name: &str, _value: &str) -> Result<(), Self::Error> {
        Ok(())
    }

    /// Returns an error if the moves of a record belong to a different kind of game. `words`
    /// contains the first words of the main line. Called only if the record has no tag
    /// [`Self::OWN_TAG`] and the first word is not a legal move in this start position.
    fn check_words(&self, _words: &[&str]) -> Result<(), Self::Error> {
        Ok(())
    }
}

/// A sequence of moves: the main line of a game, or a variation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line<M> {
    /// The moves, each legal after the previous ones.
    pub moves: Vec<Node<M>>,
    /// The comments after the variations of the last move, or all comments of a line without moves.
    pub closing: Vec<String>,
}

impl<M> Default for Line<M> {
    fn default() -> Self {
        Self { moves: Vec::new(), closing: Vec::new() }
    }
}

impl<M> Line<M> {
    /// Returns whether the line has neither moves nor comments.
    pub const fn is_empty(&self) -> bool {
        self.moves.is_empty() && self.closing.is_empty()
    }
}

/// A move with its annotations and variations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node<M> {
    /// The move.
    pub m: M,
    /// The comments before the move, at the start of a line or after the variations of the previous
    /// move.
    pub before: Vec<String>,
    /// The numeric annotation glyphs; 1 to 6 are `! ? !! ?? !? ?!`.
    pub nags: Vec<u16>,
    /// The comments after the move.
    pub comments: Vec<String>,
    /// The alternatives to the move.
    pub variations: Vec<Line<M>>,
}

impl<M> Node<M> {
    /// Creates a move without annotations.
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

/// The maximum nesting depth of variations.
pub const MAX_NESTING: usize = 128;

/// The seven mandatory tags in order, with their values for "unknown" (*PGN Standard* section
/// 8.1.1).
const ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

/// The error for a move that cannot be added to a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{m:?} is not legal in {fen}{}", after_colon(reason))]
pub struct IllegalMove<M: fmt::Debug> {
    /// The move.
    pub m: M,
    /// The FEN of the position.
    pub fen: String,
    /// The reason, such as `e3 is empty`; `None` if it is not known. Only chess gives
    /// reasons.
    pub reason: Option<String>,
}

fn after_colon(reason: &Option<String>) -> String {
    reason.as_ref().map_or_else(String::new, |reason| format!(": {reason}"))
}

impl<M: fmt::Debug> IllegalMove<M> {
    pub(crate) fn new<P: Recorded<Move = M>>(position: &P, m: M) -> Self
    where
        M: Copy,
    {
        Self { m, fen: position.to_fen(), reason: position.why_illegal(m) }
    }
}

/// A game with tags, a tree of annotated moves, and a result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record<P: Recorded> {
    /// The tags in the order in which they were set, without tags that are derived from the rest of
    /// the game.
    tags: Vec<(String, String)>,
    start: P,
    /// The position after the main line.
    end: P,
    line: Line<P::Move>,
    /// The result, written as a tag and after the moves.
    pub result: P::Result,
    /// The text of a `Result` tag that is not a standard result, and the result after the moves.
    free_result: Option<(String, P::Result)>,
}

impl<P: Recorded> Default for Record<P> {
    fn default() -> Self {
        Self::new()
    }
}

impl<P: Recorded> Record<P> {
    /// Creates a game from the start position, without moves.
    pub fn new() -> Self {
        Self::from_position(P::start())
    }

    /// Creates a game from any position, without moves. A non-standard position is written as a
    /// `FEN` tag.
    pub fn from_position(start: P) -> Self {
        let mut game = Self {
            tags: Vec::new(),
            end: start.clone(),
            start,
            line: Line::default(),
            result: P::Result::default(),
            free_result: None,
        };
        if let Some((name, value)) = game.start.start_tag() {
            game.set_tag(name, value);
        }
        game
    }

    /// Sets a tag. Characters that are not allowed in a name (all except letters, digits and
    /// `_+#=:-`) are removed, and control characters in the value become spaces. Setting one of the
    /// seven mandatory tags to its value for "unknown", such as `?` for `White`, removes the tag. A
    /// `Date` that is only a year, `1910`, becomes `1910.??.??`.
    ///
    /// `Result`, `SetUp`, `FEN` and [`Recorded::OWN_TAG`] cannot be set: the call has no effect.
    /// Their values follow from [`Self::result`] and [`Self::from_position`].
    pub fn set_tag(&mut self, name: &str, value: &str) {
        self.set_text_tag(name.into(), value.into());
    }

    /// Like [`Self::set_tag`], but stores owned text without copying it.
    fn set_text_tag(&mut self, mut name: Cow<'_, str>, mut value: Cow<'_, str>) {
        if !name.bytes().all(|byte| is_name(byte.into())) {
            name = name.chars().filter(|&c| is_name(c)).collect();
        }
        if let Cow::Owned(changed) = without_control(&value) {
            value = changed.into();
        }
        if name == "Date" && value.len() == 4 && value.bytes().all(|byte| byte.is_ascii_digit()) {
            value.to_mut().push_str(".??.??");
        }
        let follows = matches!(&*name, "Result" | "SetUp" | "FEN") || P::OWN_TAG == Some(&*name);
        if name.is_empty() || follows {
            return;
        }
        if ROSTER.contains(&(&name, &value)) {
            self.tags.retain(|(old, _)| *old != name);
        } else if let Some((_, old)) = self.tags.iter_mut().find(|(old, _)| *old == name) {
            *old = value.into_owned();
        } else {
            self.tags.push((name.into_owned(), value.into_owned()));
        }
    }

    /// Sets the tag `Date` to the UTC date of `time`.
    pub fn set_date(&mut self, time: SystemTime) {
        let DateTime { year, month, day, .. } = time.into();
        self.set_tag("Date", &format!("{year:04}.{month:02}.{day:02}"));
    }

    /// Returns the value of a tag that was set. Returns `None` for tags that are derived from the
    /// rest of the game, such as `FEN` and `Result`.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }

    /// Returns the tags that were set, with their values.
    pub fn tags(&self) -> impl Iterator<Item = (&str, &str)> {
        self.tags.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Returns the start position.
    pub const fn start(&self) -> &P {
        &self.start
    }

    /// Returns the position after the main line.
    pub const fn position(&self) -> &P {
        &self.end
    }

    /// Returns the main line.
    pub const fn line(&self) -> &Line<P::Move> {
        &self.line
    }

    /// Returns the moves of the main line.
    pub fn moves(&self) -> impl Iterator<Item = P::Move> {
        self.line.moves.iter().map(|node| node.m)
    }

    /// Returns all positions of the main line, including the start position.
    pub fn positions(&self) -> Vec<P> {
        let mut positions = vec![self.start.clone()];
        positions.extend(self.moves().scan(self.start.clone(), |position, m| {
            *position = position.after(m);
            Some(position.clone())
        }));
        positions
    }

    /// Returns how often the position after the main line has occurred in the main line. The result
    /// is 1 if this is its first occurrence.
    ///
    /// With 3 occurrences, a player may claim a draw (FIDE 2009, 9.2) or the game is drawn (FMJD
    /// 6.1).
    ///
    /// ```
    /// use adoube::chess::Game;
    ///
    /// let game: Game = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8".parse()?;
    /// assert_eq!(game.occurrences(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn occurrences(&self) -> usize {
        let end = self.end.key();
        self.positions().iter().filter(|position| position.key() == end).count()
    }

    /// Returns a move of the main line by index, for adding annotations and variations. The caller
    /// must not change the move, and moves of variations must be legal.
    pub fn node_mut(&mut self, ply: usize) -> Option<&mut Node<P::Move>> {
        self.line.moves.get_mut(ply)
    }

    /// Adds a comment at the end of the main line, even if the line has no moves.
    pub fn comment(&mut self, text: &str) {
        let comments = match self.line.moves.last_mut() {
            Some(node) => &mut node.comments,
            None => &mut self.line.closing,
        };
        comments.extend(tidy(text).map(Cow::into_owned));
    }

    /// Appends a move to the main line. `comment` is added to the move unless it is empty.
    ///
    /// # Errors
    /// Fails if the move is illegal. The game is then unchanged.
    pub fn push(&mut self, m: P::Move, comment: &str) -> Result<(), IllegalMove<P::Move>> {
        if !self.end.is_recordable(m) {
            return Err(IllegalMove::new(&self.end, m));
        }
        let mut node = Node::new(m);
        // A comment after the last variation becomes a comment before this move.
        node.before.append(&mut self.line.closing);
        node.comments.extend(tidy(comment).map(Cow::into_owned));
        self.line.moves.push(node);
        self.end = self.end.after(m);
        Ok(())
    }
}

/// Replaces control characters with spaces.
fn without_control(value: &str) -> Cow<'_, str> {
    match value.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
        true => value.into(),
        false => value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect(),
    }
}

/// Normalizes a comment: single spaces between words and no control characters. Returns `None` if
/// there are no words.
fn tidy(comment: &str) -> Option<Cow<'_, str>> {
    if is_tidy(comment) {
        return Some(comment.into());
    }
    let words = comment.split(|c: char| c.is_whitespace() || c.is_control());
    let mut words = words.filter(|word| !word.is_empty());
    let mut text = words.next()?.to_owned();
    for word in words {
        text.push(' ');
        text.push_str(word);
    }
    Some(text.into())
}

/// Returns whether a comment is ASCII, is normalized and has at least one word.
fn is_tidy(comment: &str) -> bool {
    let (mut last, mut is_tidy) = (b' ', true);
    for byte in comment.bytes() {
        is_tidy &= (b' '..=b'~').contains(&byte) && (last, byte) != (b' ', b' ');
        last = byte;
    }
    is_tidy && last != b' '
}

const fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '+' | '#' | '=' | ':' | '-')
}
