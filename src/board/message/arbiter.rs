//! Wire types of an arbiter's log: the panel, the laws and the score sheet.

use crate::base::side::Side;
use crate::laws::Edition;
use serde::Serialize;

#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Panel {
    pub edition: Edition,
    pub title: &'static str,
    /// Use French for rulings.
    pub french: bool,
    /// The pieces on the squares, including the effects of irregular moves.
    pub squares: String,
    pub events: Vec<LoggedEvent>,
    /// The events that were taken back, each with the number of events before it.
    pub struck: Vec<(usize, String)>,
    pub possible: Vec<Offered>,
    /// The log lines that clicks on the board produce.
    pub lines: Lines,
    /// Set after the player to move has released or removed a piece. Clicks then remove captured
    /// pieces.
    pub captures: bool,
    pub presses: Option<Side>,
    /// Set if the game has clocks and has not ended.
    pub clocked: bool,
}

#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub(crate) struct LoggedEvent {
    /// The event in the language of the log.
    pub line: String,
    /// The player whose press of the clock this is.
    pub pressed: Option<Side>,
    pub rulings: Vec<RulingText>,
}

/// Prefixes of the log lines that clicks produce, for the player to move.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Lines {
    pub play: String,
    /// Touching a piece; the square follows.
    pub touch: String,
    /// Releasing a piece; the origin and destination squares follow.
    pub release: String,
    /// Removing a piece; the square follows.
    pub remove: String,
    /// An irregular move; the origin and destination squares follow.
    pub illegal: String,
    /// Pressing the clock, by the player who has moved.
    pub press: Option<String>,
}

#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub(crate) struct RulingText {
    pub text: String,
    /// The id of the rule, by which the page finds the law.
    pub rule: &'static str,
    /// Speak this ruling aloud. Rulings that only say that a move was made are silent.
    pub spoken: bool,
}

#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Offered {
    pub line: String,
    pub side: Option<Side>,
    pub name: &'static str,
    /// The position of the button, from 1; 0 puts it in the second row.
    pub rank: u8,
    pub whole: bool,
    pub more: bool,
    pub means: &'static str,
}

#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub(crate) struct LawText {
    pub rule: &'static str,
    pub article: String,
    /// The law, paraphrased.
    pub says: &'static str,
    /// Adoube's interpretation where the text leaves a choice; otherwise empty.
    pub reading: &'static str,
}

#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Next {
    pub line: String,
    pub words: Vec<String>,
    /// Set if the line as typed is a complete event.
    pub whole: bool,
    pub means: &'static str,
}

#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub(crate) struct ScoreSheet {
    pub heads: Vec<(&'static str, String)>,
    pub rows: Vec<Row>,
    pub result: String,
    pub remarks: Vec<String>,
}

#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct Row {
    pub number: u32,
    pub moves: [Option<Cell>; 2],
}

#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Cell {
    /// The move, with a mark for a draw offer.
    pub text: String,
    /// The time on the clock after the move.
    pub time: Option<String>,
}

#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub(crate) struct StoredLog {
    pub id: String,
    pub about: String,
    pub events: usize,
}
