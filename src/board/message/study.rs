//! Wire types for a study: the tree of moves, the graph and the tablebases.

use crate::base::side::Side;
use serde::{Deserialize, Serialize};

/// The search effort per position in the analysis of a whole game.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Effort {
    /// Depth in plies.
    Depth(u32),
    /// Time in milliseconds.
    Movetime(u64),
}

#[derive(Serialize, Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct ListedGame {
    /// The name of the player who has White, or `?` if it is unknown.
    pub white: String,
    pub black: String,
    /// The result, as in the PGN or PDN.
    pub result: String,
    pub event: String,
    pub date: String,
    /// The ratings of White and Black, if known.
    pub ratings: [Option<String>; 2],
    /// The number of plies in the main line.
    pub plies: usize,
    /// The error, if the game cannot be read.
    pub why: Option<String>,
}

#[derive(Serialize, Clone, PartialEq, Debug)]
pub(crate) struct Studied {
    pub tree: Tree,
    pub engines: Vec<EnginePanel>,
    /// Set if the engines analyse what the opponent threatens.
    pub threat: bool,
    /// The names and values of the tags that the page shows above the moves. Tags with unknown
    /// values are omitted.
    pub heads: Vec<(&'static str, String)>,
    /// Set after any change of the game, even if the change has been undone.
    pub changed: bool,
    /// White's expected points after each move, and the accuracy of both players. `None` if fewer
    /// than two scores are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub course: Option<Course>,
    /// The time used for each move of the main line in seconds, if known. The list is empty if no
    /// time is known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub times: Vec<Option<f64>>,
    /// During the analysis of a whole game, the number of finished positions and the total number
    /// of positions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub progress: Option<[usize; 2]>,
    #[serde(rename = "known", skip_serializing_if = "Option::is_none")]
    pub tablebase: Option<TablebaseInfo>,
    /// The moves played in this position in the games of the file, and the moves that only the book
    /// contains. `None` if the page does not show played moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub played: Option<PlayedMoves>,
    /// The numbers of White's and of Black's mistakes for which the game contains a better line.
    pub mistakes: [usize; 2],
    /// The number of puzzles that the review found.
    pub puzzles: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lesson: Option<LessonView>,
}

/// An engine panel of a study.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub(crate) struct EnginePanel {
    /// The name of the engine; empty for Adoube.
    pub engine: String,
    pub runs: bool,
    /// The reason why the engine has stopped by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// The moves played in a position, and the moves that only the book contains.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub(crate) struct PlayedMoves {
    /// The number of games in the file.
    pub games: usize,
    pub moves: Vec<PlayedMove>,
}

#[derive(Serialize, Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct PlayedMove {
    /// The move in UCI or Hub notation, as the page sends it.
    pub text: String,
    #[serde(rename = "shown")]
    pub notated: String,
    /// The number of games with this move in this position.
    pub games: usize,
    /// White's wins.
    pub white: usize,
    pub draws: usize,
    /// Black's wins.
    pub black: usize,
    /// The mean rating of the players who made the move, if any has a rating.
    pub rating: Option<u32>,
    /// The move's weight in the book, in percent.
    pub book: Option<u32>,
}

/// The result that the user chooses for a game; `None` if the game is unfinished or its result is
/// unknown.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ResultChoice {
    White,
    Black,
    Draw,
    None,
}

/// The state of a lesson from the mistakes in a reviewed game.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub(crate) struct LessonView {
    pub side: Side,
    /// The number of the mistake, from 1.
    pub number: usize,
    /// The total number of mistakes.
    pub of: usize,
    pub verdict: Verdict,
    /// The number of moves before the mistake.
    pub ply: usize,
    /// The move that was the mistake.
    pub played: String,
    /// The move that was tried last.
    pub tried: Option<String>,
    /// The better line; empty while it is hidden.
    pub answer: Vec<String>,
}

#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Verdict {
    /// No move has been tried yet.
    Guess,
    /// A search compares the tried move with the better move.
    Weighing,
    Wrong,
    /// The tried move is the first move of the better line.
    Right,
    /// The tried move differs from the better move, but is about as good.
    Good,
    /// The answer was shown on request.
    Shown,
}

#[derive(Serialize, Clone, PartialEq, Debug)]
pub(crate) struct Tree {
    pub line: Branch,
    /// The number of the move that led to the displayed position, or 0 at the start.
    pub here: usize,
    /// The comments on the move `here`, without embedded commands such as `[%eval]`.
    pub comments: Vec<String>,
    /// The numeric annotation glyphs (NAGs) of the move `here`.
    pub nags: Vec<u16>,
    /// The arrows and circles drawn on the displayed position.
    pub shapes: Vec<Shape>,
    /// The score that the record gives for the displayed position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<StoredScore>,
}

/// The score of a position, from a command such as `[%eval 0.31]`.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub(crate) struct StoredScore {
    /// White's score, in hundredths of a pawn or man.
    pub score: i32,
    /// White's expected points, from 0 to 1.
    pub white: f64,
    /// The number of moves to a mate or win, or `None` if no forced win is known. The number is
    /// negative if Black wins.
    pub mate: Option<i32>,
}

/// An arrow or, if `to` is missing, a circle, as in the commands `[%cal Ge2e4]` and `[%csl Ge4]`.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct Shape {
    pub colour: Colour,
    pub from: usize,
    #[serde(default)]
    pub to: Option<usize>,
}

#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Colour {
    Green,
    Red,
    Yellow,
    Blue,
}

#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Branch {
    pub moves: Vec<Twig>,
    /// The comments at the end of the line, after the last move and its variations.
    pub closing: Vec<String>,
}

#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Twig {
    /// The number of the move, counted from 1 in the order of the game text.
    pub number: usize,
    pub text: String,
    pub spoken: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub before: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub nags: Vec<u16>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub comments: Vec<String>,
    /// Variations: alternatives to this move.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub variations: Vec<Branch>,
}

#[derive(Serialize, Clone, PartialEq, Debug)]
pub(crate) struct Course {
    /// White's expected points, from 0 to 1, after each move, if known. The first element, for the
    /// start, is always `None`.
    pub white: Vec<Option<f64>>,
    /// White's and Black's accuracy in percent.
    pub accuracy: [Option<String>; 2],
    /// White's and Black's accuracy in each phase: opening, middlegame and endgame.
    pub phases: [[Option<String>; 2]; 3],
}

#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub(crate) struct TablebaseInfo {
    /// The winner, or `None` for a draw.
    pub winner: Option<Side>,
    pub note: Option<TablebaseNote>,
    /// The moves, best first.
    pub moves: Vec<TablebaseMove>,
}

#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
pub(crate) enum TablebaseNote {
    /// The position is drawn only because of the 50-move rule.
    Fifty,
    /// The number of plies to the next capture or pawn move (DTZ).
    Dtz(u32),
    /// The draughts rules limit the number of moves in positions with few pieces. The table ignores
    /// this limit, so the game may be drawn before the win is reached.
    Few,
}

#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub(crate) struct TablebaseMove {
    /// The move in UCI or Hub notation, as the page sends it.
    pub text: String,
    #[serde(rename = "shown")]
    pub notated: String,
    /// The result for the player who makes the move.
    pub value: Value,
    /// The number of plies, including this move, to the next capture or pawn move, if known.
    pub distance: Option<u32>,
}

/// The result of a position under perfect play, for the player to move.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Value {
    Loss,
    /// Neither side can force a win, or the win would take too long for the 50-move rule.
    Draw,
    Win,
}
