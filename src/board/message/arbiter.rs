//! Wire types of an arbiter's log: its panel, its laws and its score sheet.

use crate::base::side::Side;
use crate::laws::Edition;
use serde::Serialize;

/// The part of a board that only an arbiter's log has.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct Panel {
    pub edition: Edition,
    /// The title of the edition.
    pub title: &'static str,
    /// Whether the referee speaks French.
    pub french: bool,
    /// The contents of the squares, irregular moves included.
    pub squares: String,
    /// The events so far.
    pub events: Vec<LoggedEvent>,
    /// The events that would be accepted now.
    pub possible: Vec<Offered>,
    /// The lines that clicks on the board make.
    pub lines: Lines,
    /// Whether the player to move has just released or removed a piece, so that captured pieces are to leave.
    pub captures: bool,
    /// The player who has to press the clock.
    pub presses: Option<Side>,
    /// Whether the clocks are used and can be started.
    pub clocked: bool,
}

/// An event that has happened.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct LoggedEvent {
    /// The event as a line of a log.
    pub line: String,
    /// The player who pressed the clock by it.
    pub pressed: Option<Side>,
    /// The rulings on it.
    pub rulings: Vec<RulingText>,
}

/// The beginnings of the lines that clicks on the board make for the player to move.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct Lines {
    /// A move.
    pub play: String,
    /// A touched piece; its square follows.
    pub touch: String,
    /// A released piece; origin and destination follow.
    pub release: String,
    /// A removed piece; its square follows.
    pub remove: String,
    /// A move against the rules; origin and destination follow.
    pub illegal: String,
    /// A pressed clock, by the player who has moved.
    pub press: Option<String>,
}

/// A ruling.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct RulingText {
    /// The ruling in words, with its article.
    pub text: String,
    /// The name of the rule, by which the page finds its law.
    pub rule: &'static str,
    /// Whether it is worth saying aloud: not that a move was simply completed.
    pub spoken: bool,
}

/// An event that would be accepted.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct Offered {
    /// The words of the event.
    pub line: String,
    /// The player; `None` for the arbiter, or both players.
    pub side: Option<Side>,
    /// The name of the event, for its button.
    pub name: &'static str,
    /// The rank of the button, from 1; 0 for one of the second row.
    pub rank: u8,
    /// Whether the line is a complete event.
    pub whole: bool,
    /// Whether more words can follow.
    pub more: bool,
    /// The meaning of the line.
    pub means: &'static str,
}

/// A law.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct LawText {
    /// The name of the rule.
    pub rule: &'static str,
    /// The article of the text.
    pub article: String,
    /// The law in our words.
    pub says: &'static str,
    /// Our reading where the text leaves a choice; otherwise empty.
    pub reading: &'static str,
}

/// The continuations of an unfinished line.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct Next {
    /// The line without its unfinished last word.
    pub line: String,
    /// The possible words at that position.
    pub words: Vec<String>,
    /// Whether the given line is a complete event.
    pub whole: bool,
    /// The meaning of the line.
    pub means: &'static str,
}

/// A score sheet.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct ScoreSheet {
    /// Names and values of the header.
    pub heads: Vec<(&'static str, String)>,
    /// The moves, a row each.
    pub rows: Vec<Row>,
    /// The result; empty if the game has not ended.
    pub result: String,
    /// Remarks: claims and rulings.
    pub remarks: Vec<String>,
}

/// A row of a score sheet.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// The move number.
    pub number: u32,
    /// White's and Black's move.
    pub moves: [Option<Cell>; 2],
}

/// A move on a score sheet.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct Cell {
    /// The move, with a mark for a draw offer.
    pub text: String,
    /// The clock time after the move.
    pub time: Option<String>,
}

/// A log in the user's folder.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct StoredLog {
    pub id: String,
    /// The players, edition and date.
    pub about: String,
    /// The number of events.
    pub events: usize,
}
