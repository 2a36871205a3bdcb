//! Wire types for the arbiter's board: the log panel, the text of the laws and the score sheet.

use crate::base::side::Side;
use crate::laws::Edition;
use serde::Serialize;

#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Panel {
    pub edition: Edition,
    pub title: &'static str,
    /// Set if the rulings are in French.
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
    /// The event, as a line of the log.
    pub line: String,
    /// The player who pressed the clock, if the event is a press.
    pub pressed: Option<Side>,
    pub rulings: Vec<RulingText>,
}

/// Prefixes of the log lines that clicks produce, for the player to move.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Lines {
    pub play: String,
    /// The beginning of the line for touching a piece. The square is appended.
    pub touch: String,
    /// The beginning of the line for releasing a piece. The origin and destination squares are
    /// appended.
    pub release: String,
    /// The beginning of the line for removing a piece. The square is appended.
    pub remove: String,
    /// The beginning of the line for an illegal move. The origin and destination squares are
    /// appended.
    pub illegal: String,
    /// The whole line for pressing the clock, or `None` if no player has to press the clock now.
    pub press: Option<String>,
}

#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub(crate) struct RulingText {
    pub text: String,
    /// The id of the rule. The page uses it to find the law.
    pub rule: &'static str,
    /// Set if the page reads the ruling aloud. Rulings that only confirm a move are silent.
    pub spoken: bool,
}

#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Offered {
    pub line: String,
    pub side: Option<Side>,
    pub name: &'static str,
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
    /// Adoube's interpretation of the law, or empty if the law is unambiguous.
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
    /// Set if the log is open in another tab.
    pub open: bool,
}
