//! Wire types for the messages between page and server: one JSON object per text message.
//!
//! A message from the page (`{"ask": ...}`) is handled by the session or by the open desk. Each of
//! them has its own enum of requests. Messages from the page are not trusted: unknown fields and
//! values are rejected, and every string is checked by the parser for its format. The server
//! answers with a [`ServerMessage`]. Squares are numbered from the top left of the diagram, with
//! White at the bottom: 0 to 63 in chess, and 0 to 49 in draughts (square 1 has number 0).
//!
//! These modules contain only data types and import nothing else from the board.

pub(super) mod arbiter;
pub(super) mod play;
pub(super) mod study;

use crate::base::game::GameKind;
use crate::base::side::Side;
use arbiter::{LawText, Next, Panel, ScoreSheet, StoredLog};
use play::{AvailableEngine, NewGame, SavedGame};
use serde::Serialize;
use study::{ListedGame, Studied};

#[derive(Serialize, Clone, PartialEq, Debug)]
#[serde(tag = "say", rename_all = "kebab-case")]
pub(super) enum ServerMessage {
    /// The first message on a connection.
    Welcome {
        version: &'static str,
        unfinished: Vec<SavedGame>,
        finished: Vec<SavedGame>,
        logs: Vec<StoredLog>,
        /// Engines to play against, other than Adoube.
        engines: Vec<AvailableEngine>,
    },
    Board(Box<Board>),
    Lines(Lines),
    Progress {
        /// The number of finished positions, and the total number of positions.
        progress: [usize; 2],
    },
    Record {
        name: String,
        text: String,
    },
    Examined {
        text: String,
        /// The contents of the squares, as in [`Board::start`], if the text describes a board.
        squares: Option<String>,
        /// The error, if the text is not a legal position.
        why: Option<String>,
    },
    /// The games found in a text or file.
    Games {
        game: GameKind,
        games: Vec<ListedGame>,
        /// The decoded text of a file that was sent as a binary message.
        #[serde(skip_serializing_if = "Option::is_none")]
        text: Option<String>,
    },
    Laws {
        laws: Vec<LawText>,
    },
    Next(Next),
    Sheet(ScoreSheet),
    Note {
        text: String,
    },
    /// A request was rejected, or an engine failed.
    Refused {
        why: String,
        /// The `ask` name of the rejected request.
        #[serde(skip_serializing_if = "Option::is_none")]
        ask: Option<String>,
    },
    /// The game was opened in another tab and is no longer available in this one.
    Moved,
}

#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
pub(super) enum Mode {
    Play,
    Study,
    /// An arbiter's log of a game at a real board.
    Referee,
}

#[derive(Serialize, Clone, PartialEq, Debug)]
pub(super) struct Board {
    pub game: GameKind,
    pub mode: Mode,
    /// The name under which the game or log is stored, or `None` for a study.
    pub id: Option<String>,
    pub players: [String; 2],
    /// The human's side, or `None` if the game is not against an engine.
    pub you: Option<Side>,
    /// The contents of the squares at the start, one letter each, in the format of
    /// [`Contest::squares`](crate::arena::game::contest::Contest::squares).
    pub start: String,
    /// The number of the first move.
    pub first: u32,
    pub black_first: bool,
    /// The moves made. In a study: the moves of the line that contains the displayed position.
    pub plies: Vec<Ply>,
    /// The number of moves before the displayed position.
    pub at: usize,
    /// The side to move in the displayed position.
    pub turn: Side,
    /// The legal moves in the displayed position, or an empty list if it is the engine's turn or
    /// the game is over.
    pub legal: Vec<Legal>,
    /// The square of the king that is in check in the displayed position.
    pub check: Option<usize>,
    /// The FEN of the displayed position.
    pub fen: String,
    /// The clock times in milliseconds, or `None` if there is no clock.
    pub clocks: [Option<u64>; 2],
    pub running: Option<Side>,
    pub thinking: bool,
    pub ending: Option<Ending>,
    /// Set while the last moves or the result are not stored, for example because the disk is full.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unsaved: bool,
    /// The `ask` names of the requests that are possible now. Moves are not listed here.
    pub can: Vec<&'static str>,
    /// The PGN or PDN of a study or finished game. The page can open it as a study.
    pub record: Option<String>,
    /// The ECO code and name of the chess opening.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opening: Option<String>,
    /// The terms of a game being played, for a rematch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub terms: Option<NewGame>,
    /// Present only in a study.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub study: Option<Box<Studied>>,
    /// Present only for an arbiter's log.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub referee: Option<Box<Panel>>,
}

#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub(super) struct Ply {
    pub text: String,
    pub spoken: String,
    /// The announcement to a visually disabled player (article 19.2 of the 2009 laws).
    pub announced: String,
    pub squares: String,
    /// The squares that the piece visits, from origin to destination.
    pub route: Vec<usize>,
}

#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub(super) struct Legal {
    /// The move in UCI or Hub notation, as the page sends it.
    pub text: String,
    #[serde(rename = "shown")]
    pub notated: String,
    /// The ways to enter the move by hand, each as the squares that the piece visits. Castling has
    /// a route that ends on the rook's square. In addition, it has a route that ends on the king's
    /// destination, unless the king stays on its square or ends on the rook's square.
    pub routes: Vec<Vec<usize>>,
    pub takes: Vec<usize>,
}

#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub(super) struct Ending {
    /// The result, for example `1-0`.
    pub score: &'static str,
    pub text: String,
}

#[derive(Serialize, Clone, PartialEq, Debug)]
pub(super) struct Lines {
    /// The engine panel: 0, or 1 for the second engine.
    pub panel: usize,
    /// The number of moves before the searched position.
    pub at: usize,
    /// Depth in plies.
    pub depth: u32,
    pub nodes: u64,
    pub time: u64,
    /// The lines, best first.
    pub lines: Vec<EngineLine>,
}

#[derive(Serialize, Clone, PartialEq, Debug)]
pub(super) struct EngineLine {
    /// White's score, in hundredths of a pawn or man.
    pub score: i32,
    /// White's expected points, from 0 to 1.
    pub white: f64,
    /// The number of moves to a mate or win, or `None` if the search has found no forced win. The
    /// number is negative if Black wins.
    pub mate: Option<i32>,
    pub moves: Vec<LineMove>,
    /// The route of the first move.
    pub route: Vec<usize>,
}

/// A move in an engine line.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub(super) struct LineMove {
    /// The move in UCI or Hub notation, as the page sends it.
    pub text: String,
    #[serde(rename = "shown")]
    pub notated: String,
    /// The contents of the squares after the move.
    pub squares: String,
}
