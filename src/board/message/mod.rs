//! Wire types of the messages between page and server: one JSON object per text message.
//!
//! The messages of the page are read by the session (`{"ask": ...}`) or by the desk that is open, each of
//! which has an enum of its own requests. They are not trusted: unknown fields and words are refused, and
//! each text in them goes through the parser of its kind. The server answers with a [`Say`]. Squares are
//! numbered from the top left of the diagram, with White at the bottom: 0 to 63 in chess, 0 to 49 in
//! draughts, where square 1 has number 0.
//!
//! This folder holds data only and imports nothing else of the board.

pub mod arbiter;
pub mod play;
pub mod study;

use crate::base::game::GameKind;
use crate::base::side::Side;
use arbiter::{LawText, Next, Panel, ScoreSheet, StoredLog};
use play::{AvailableEngine, Unfinished};
use serde::Serialize;
use study::{ListedGame, Studied};

/// A message of the server.
#[derive(Serialize, Clone, PartialEq, Debug)]
#[serde(tag = "say", rename_all = "kebab-case")]
pub enum Say {
    /// The first message of a conversation.
    Welcome {
        /// The program's version.
        version: &'static str,
        unfinished: Vec<Unfinished>,
        logs: Vec<StoredLog>,
        /// Engines to play against, apart from Adoube.
        engines: Vec<AvailableEngine>,
    },
    /// The state of the board.
    Board(Box<Board>),
    /// The engine's best lines so far.
    Lines(Lines),
    /// The progress of the analysis of the whole game.
    Progress {
        /// The number of finished positions and of all positions.
        progress: [usize; 2],
    },
    /// The game or log, to be saved as a file.
    Record {
        /// A name for the file.
        name: String,
        text: String,
    },
    /// The result of reading a text as a position.
    Examined {
        text: String,
        /// The contents of the squares, as in [`Board::start`], if they can be read.
        squares: Option<String>,
        /// The error, if the text is not a position.
        why: Option<String>,
    },
    /// The games of a text of records, in the order of the text.
    Games { games: Vec<ListedGame> },
    /// The laws of a log's edition.
    Laws { laws: Vec<LawText> },
    /// The continuations of an unfinished line of a log.
    Next(Next),
    /// A score sheet.
    Sheet(ScoreSheet),
    /// A notice for the person.
    Note { text: String },
    /// A request was rejected, or an engine has failed.
    Refused { why: String },
    /// The game was opened in another tab and has left this one.
    Moved,
}

/// The purpose of a board.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// A game is played.
    Play,
    /// A position or game is analysed.
    Study,
    /// An arbiter's log of a real board.
    Referee,
}

/// The state of a board.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct Board {
    pub game: GameKind,
    pub mode: Mode,
    /// The name under which the game or log is stored.
    pub id: Option<String>,
    /// The names of White and Black.
    pub players: [String; 2],
    /// The human's side; `None` if there is no engine.
    pub you: Option<Side>,
    /// The contents of the squares at the start, a letter each, as
    /// [`Contest::squares`](crate::arena::game::contest::Contest::squares) has them.
    pub start: String,
    /// The number of the first move.
    pub first: u32,
    /// Whether Black moves first.
    pub black_first: bool,
    /// The moves made; in a study, the moves of the line that contains the shown position.
    pub plies: Vec<Ply>,
    /// The number of moves before the shown position.
    pub at: usize,
    /// The side to move in the shown position.
    pub turn: Side,
    /// The legal moves there; none if it is the engine's turn.
    pub legal: Vec<Legal>,
    /// The square of a king in check there.
    pub check: Option<usize>,
    /// The FEN of the shown position.
    pub fen: String,
    /// The clock times in milliseconds; `None` without a clock.
    pub clocks: [Option<u64>; 2],
    /// The side whose clock runs.
    pub running: Option<Side>,
    /// Whether the engine is thinking.
    pub thinking: bool,
    /// The end of the game.
    pub ending: Option<Ending>,
    /// Requests that are possible now, apart from moves, as the page sends them.
    pub can: Vec<&'static str>,
    /// A study as a record, from which the page opens it again.
    pub record: Option<String>,
    /// The part of a study.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub study: Option<Box<Studied>>,
    /// The part of an arbiter's log.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub referee: Option<Box<Panel>>,
}

/// A move that was made.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct Ply {
    /// The move in the chosen notation.
    pub text: String,
    /// The move in words.
    pub spoken: String,
    /// The announcement to a player who does not see (19.2 of 2009).
    pub announced: String,
    /// The contents of the squares after the move.
    pub squares: String,
    /// The squares on the piece's way, from the first to the last.
    pub route: Vec<usize>,
}

/// A legal move.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct Legal {
    /// The move in the form of programs, as the page sends it.
    pub text: String,
    /// The move in the chosen notation.
    #[serde(rename = "shown")]
    pub notated: String,
    /// The ways to enter the move by hand: the squares on the piece's way. Castling has one route that
    /// ends on the king's square and one that ends on the rook's.
    pub routes: Vec<Vec<usize>>,
    /// The squares of the captured pieces.
    pub takes: Vec<usize>,
}

/// The end of a game.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct Ending {
    /// The result, as `1-0`.
    pub score: &'static str,
    /// The reason in words, with its article.
    pub text: String,
}

/// The best lines of a search.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct Lines {
    /// The number of moves before the searched position.
    pub at: usize,
    /// Depth in half-moves.
    pub depth: u32,
    /// Nodes searched.
    pub nodes: u64,
    /// Elapsed time in milliseconds.
    pub time: u64,
    /// The lines, best first.
    pub lines: Vec<EngineLine>,
}

/// A line of a search.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct EngineLine {
    /// White's score, in hundredths of a pawn or man.
    pub score: i32,
    /// White's expected points, from 0 to 1.
    pub white: f64,
    /// The number of moves to a mate or win; negative if Black wins.
    pub mate: Option<i32>,
    /// The moves in the chosen notation.
    pub moves: Vec<String>,
    /// The route of the first move.
    pub route: Vec<usize>,
}
