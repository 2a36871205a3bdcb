//! What the page is told of a log, its laws and its score sheet.

use crate::base::side::Side;
use crate::laws::Edition;
use serde::Serialize;

/// All that is to be seen of a log beside its board.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct Panel {
    /// The laws.
    pub edition: Edition,
    /// What they are.
    pub title: &'static str,
    /// Whether the referee speaks French.
    pub french: bool,
    /// The contents of the squares as the board stands, irregular moves on it included.
    pub squares: String,
    /// What has happened.
    pub events: Vec<EventShown>,
    /// The events that would be accepted now.
    pub possible: Vec<Offered>,
    /// The lines that clicks on the board make.
    pub lines: Lines,
    /// Whether the player to move has just released or removed a piece, so that captured pieces are to leave.
    pub captures: bool,
    /// Who is to press his clock.
    pub presses: Option<Side>,
    /// Whether the clocks are used and can be started.
    pub clocked: bool,
}

/// An event that has happened.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct EventShown {
    /// As a line.
    pub line: String,
    /// The player who pressed the clock by it.
    pub pressed: Option<Side>,
    /// What was ruled on it.
    pub rulings: Vec<RulingShown>,
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
pub struct RulingShown {
    /// In words, with its article.
    pub text: String,
    /// The rule, by which its law is found.
    pub rule: &'static str,
    /// Whether it is worth saying aloud: not that a move was simply completed.
    pub spoken: bool,
}

/// An event that would be accepted.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct Offered {
    /// The beginning of its line.
    pub line: String,
    /// The player; `None` for the arbiter, or both players.
    pub side: Option<Side>,
    /// The name of the event, for its button.
    pub name: &'static str,
    /// The rank of the button, from 1; 0 for one of the second row.
    pub rank: u8,
    /// Whether these are all that it needs.
    pub whole: bool,
    /// Whether more words can follow.
    pub more: bool,
    /// What it means.
    pub means: &'static str,
}

/// What a law says.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct LawShown {
    /// The rule.
    pub rule: &'static str,
    /// Where the text says it.
    pub article: String,
    /// What it says, in our words.
    pub says: &'static str,
    /// How it is read where the text leaves a choice; else empty.
    pub reading: &'static str,
}

/// How a line can go on.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct Next {
    /// The line, without the word that is begun.
    pub line: String,
    /// What can stand there.
    pub words: Vec<String>,
    /// Whether the line is an event as it stands.
    pub whole: bool,
    /// What it means.
    pub means: &'static str,
}

/// A score sheet.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct SheetShown {
    /// Names and values.
    pub heads: Vec<(&'static str, String)>,
    /// The moves, a row each.
    pub rows: Vec<Row>,
    /// The result; empty if the game goes on.
    pub result: String,
    /// What else was written down: claims and what was ruled.
    pub remarks: Vec<String>,
}

/// A row of a score sheet.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// The number of the move.
    pub number: u32,
    /// White's and Black's move.
    pub moves: [Option<Cell>; 2],
}

/// A move on a score sheet.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct Cell {
    /// The move, with the offer of a draw.
    pub text: String,
    /// What the clock showed.
    pub time: Option<String>,
}
