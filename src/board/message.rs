//! What the page and the server say to each other: a JSON object in a text message each.
//!
//! What the page asks is not trusted: unknown fields and words are refused, and every text in it is
//! read by the parser of its kind. Squares are numbered from the top left of the diagram, with White at
//! the bottom: 0 to 63 in chess, 0 to 49 in draughts, where square 1 is number 0.

use super::arbiter::{Kept, LawShown, LogTerms, Next, Panel, SheetShown};
use super::study::{Effort, Listed, Studied};
use crate::base::game::GameKind;
use crate::base::side::Side;
use serde::{Deserialize, Serialize};

/// A player, as the page names him.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Player {
    /// Who has the light pieces.
    White,
    /// Who has the dark pieces.
    Black,
}

impl From<Player> for Side {
    fn from(player: Player) -> Self {
        Self::from_white(player == Player::White)
    }
}

/// How strong the engine is.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug, Default)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// As strong as it can be by the clock; without one it thinks for a second.
    #[default]
    Full,
    /// As a player of this rating (chess).
    Elo(u32),
    /// With this skill, from 0, as Hub's parameter has it (draughts).
    Skill(u32),
}

/// How a game begins.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug, Default)]
#[serde(rename_all = "kebab-case")]
pub enum Start {
    /// As usual.
    #[default]
    Usual,
    /// In this position (FEN).
    Fen(String),
    /// In the start position of this number at Chess960.
    Chess960(u16),
    /// At odds of chess, as `adoube start` reads them, with the moves that are given if there are several.
    Odds(String, Vec<String>),
    /// With so many men less for White, who is the stronger player (draughts).
    Less(u8),
}

/// What a game is to be. It is also the first line of the game's journal.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct NewGame {
    /// Which game.
    pub game: GameKind,
    /// How it begins.
    #[serde(default)]
    pub start: Start,
    /// The name of the game of draughts that is played, if it is not the normal one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// Whom the engine does not play; `None` if two people play at this board.
    pub you: Option<Player>,
    /// How strong Adoube is.
    #[serde(default)]
    pub level: Level,
    /// The name of another engine that plays instead of Adoube.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// The time of each player, as `--tc` has it; `-` for no clock.
    pub time: String,
}

/// What the page asks.
#[derive(Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(tag = "ask", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Ask {
    /// Begins a game.
    New {
        /// What it is to be.
        terms: NewGame,
    },
    /// Goes on with a game in the journal.
    Resume {
        /// Its name there.
        id: String,
    },
    /// Forgets a game in the journal.
    Forget {
        /// Its name there.
        id: String,
    },
    /// Makes a move, in any form that players type.
    Move {
        /// Its text.
        text: String,
    },
    /// Takes the last moves back, until the person is to move again; in what is studied the last move and all
    /// that follows it.
    TakeBack,
    /// Gives the game up.
    Resign,
    /// Offers a draw to the engine.
    Offer,
    /// Claims a draw.
    Claim,
    /// Writes the moves in another notation of chess from now on.
    Notation {
        /// Its name, as `convert --to` has it.
        name: String,
    },
    /// Opens a position (FEN) or a game (PGN, PDN) to look at.
    Study {
        /// Of which game the text is.
        game: GameKind,
        /// The text.
        text: String,
        /// The number of the game in the text, from 0; the first game if there is none.
        #[serde(default)]
        number: Option<usize>,
    },
    /// Lists the games of a text of records (PGN, PDN).
    Games {
        /// Of which game the text is.
        game: GameKind,
        /// The text.
        text: String,
    },
    /// Asks whether a text is a position (FEN).
    Examine {
        /// Of which game.
        game: GameKind,
        /// The text.
        text: String,
    },
    /// Looks at the position after some plies of what is studied.
    At {
        /// How many.
        ply: usize,
    },
    /// Looks at the position after a move of what is studied.
    Go {
        /// Its number in the order of the text; 0 is the start.
        number: usize,
    },
    /// Makes the variation in which the board is the line that is followed.
    Promote,
    /// Replaces what is said of the last move, or before the first.
    Remark {
        /// The comments.
        comments: Vec<String>,
        /// The numeric annotation glyphs.
        nags: Vec<u8>,
    },
    /// Analyses the whole game.
    Review {
        /// How long each position is looked at.
        effort: Effort,
    },
    /// Ends that.
    Cancel,
    /// Has the engine look at the position until it is stopped.
    Analyse {
        /// How many lines it is to show.
        lines: usize,
    },
    /// Stops the engine.
    Stop,
    /// The game as PGN or PDN, the log as a file.
    Save,
    /// Begins a log of what happens at a real board.
    Arbitrate {
        /// What the game is to be.
        terms: LogTerms,
    },
    /// Opens a log that was saved.
    OpenLog {
        /// The file.
        text: String,
    },
    /// Tells the referee what happens.
    Event {
        /// In the words of `laws::event`.
        line: String,
    },
    /// How a line of these words can go on.
    Next {
        /// The line.
        line: String,
    },
    /// Starts or halts the watch by which time is taken.
    Watch {
        /// Whether it is to run.
        runs: bool,
    },
    /// Has the referee speak English or French.
    Speak {
        /// Whether it is to be French.
        french: bool,
    },
    /// The score sheet.
    Sheet,
}

/// What the server says.
#[derive(Serialize, Clone, PartialEq, Debug)]
#[serde(tag = "say", rename_all = "kebab-case")]
pub enum Say {
    /// The first thing said.
    Welcome {
        /// The program's version.
        version: &'static str,
        /// Games that were not finished.
        unfinished: Vec<Unfinished>,
        /// Logs of an arbiter.
        logs: Vec<Kept>,
        /// Engines to play against, besides Adoube.
        engines: Vec<EngineShown>,
    },
    /// All that is to be seen of a board.
    Board(Box<Board>),
    /// What the engine sees.
    Lines(Lines),
    /// How far the analysis of the whole game has come.
    Progress {
        /// The positions looked at, and all of them.
        progress: [usize; 2],
    },
    /// The game as a record.
    Record {
        /// A name for the file.
        name: String,
        /// The record.
        text: String,
    },
    /// What was found in a text that should be a position.
    Examined {
        /// The text.
        text: String,
        /// The contents of its squares, as in [`Board::start`], if they can be read.
        squares: Option<String>,
        /// Why it is no position, if it is none.
        why: Option<String>,
    },
    /// The games of a text of records.
    Games {
        /// In the order of the text.
        games: Vec<Listed>,
    },
    /// What the laws say that a log rests on.
    Laws {
        /// Each with its article.
        laws: Vec<LawShown>,
    },
    /// How a line can go on.
    Next(Next),
    /// A score sheet.
    Sheet(SheetShown),
    /// Something that the person should know.
    Note {
        /// A sentence.
        text: String,
    },
    /// What was asked cannot be done.
    Refused {
        /// Why.
        why: String,
    },
    /// The game was opened in another tab, and is no longer here.
    Moved,
}

/// An engine that was named when the server was started.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct EngineShown {
    /// Its name.
    pub name: String,
    /// What it plays.
    pub game: GameKind,
}

/// A game in the journal.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct Unfinished {
    /// Its name.
    pub id: String,
    /// What it is.
    pub terms: NewGame,
    /// The moves made.
    pub plies: usize,
}

/// What a board is for.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// A game is played.
    Play,
    /// A position is looked at.
    Study,
    /// What happens at a real board is ruled on.
    Referee,
}

/// All that is to be seen of a board.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct Board {
    /// Which game.
    pub game: GameKind,
    /// What the board is for.
    pub mode: Mode,
    /// The name of the game in the journal.
    pub id: Option<String>,
    /// Who plays White and Black.
    pub players: [String; 2],
    /// Whom the person plays; `None` if both.
    pub you: Option<Side>,
    /// The contents of the squares at first, a letter each, as
    /// [`Contest::squares`](crate::arena::game::contest::Contest::squares) has them.
    pub start: String,
    /// The number of the first move.
    pub first: u32,
    /// Whether Black moves first.
    pub black_first: bool,
    /// The moves made; of what is studied, those of the line in which the board is.
    pub plies: Vec<Ply>,
    /// After how many of them the board is.
    pub at: usize,
    /// Who is to move there.
    pub turn: Side,
    /// The moves that can be made there; none if it is the engine's turn.
    pub legal: Vec<Legal>,
    /// The square of a king in check there.
    pub check: Option<usize>,
    /// The position there, as FEN.
    pub fen: String,
    /// What the clocks show, in milliseconds; `None` without a clock.
    pub clocks: [Option<u64>; 2],
    /// Whose clock runs.
    pub running: Option<Side>,
    /// Whether the engine is thinking.
    pub thinking: bool,
    /// How the game has ended.
    pub ending: Option<Ending>,
    /// What the person can do besides moving: words of [`Ask`].
    pub can: Vec<&'static str>,
    /// What is studied as a record, by which it is opened again.
    pub record: Option<String>,
    /// What is studied, with its variations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub study: Option<Box<Studied>>,
    /// The log before its referee.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub referee: Option<Box<Panel>>,
}

/// A move that was made.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct Ply {
    /// In the chosen notation.
    pub text: String,
    /// In words.
    pub spoken: String,
    /// As it is announced to a player who does not see (19.2 of 2009).
    pub announced: String,
    /// The contents of the squares after it.
    pub squares: String,
    /// The squares that the piece went over, from the first to the last.
    pub route: Vec<usize>,
}

/// A move that can be made.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct Legal {
    /// As programs write it; what the page sends.
    pub text: String,
    /// In the chosen notation.
    pub shown: String,
    /// The ways to show it with the hand: the squares that the piece goes over. Castling has one that
    /// ends on the king's square and one that ends on the rook's.
    pub routes: Vec<Vec<usize>>,
    /// The squares of the pieces that it takes.
    pub takes: Vec<usize>,
}

/// How a game has ended.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct Ending {
    /// The result, as `1-0`.
    pub score: &'static str,
    /// In words, with the article.
    pub text: String,
}

/// What the engine sees.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct Lines {
    /// After how many plies.
    pub at: usize,
    /// Depth of the search, in half-moves.
    pub depth: u32,
    /// Nodes searched.
    pub nodes: u64,
    /// Milliseconds since it began.
    pub time: u64,
    /// The best lines, best first.
    pub lines: Vec<LineShown>,
}

/// A line that the engine sees.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct LineShown {
    /// Its score for White, in hundredths of a pawn or man.
    pub score: i32,
    /// White's expected points, from 0 to 1.
    pub white: f64,
    /// The moves to a mate or win, below 0 if Black has it.
    pub mate: Option<i32>,
    /// Its moves in the chosen notation.
    pub moves: Vec<String>,
    /// The squares that its first move goes over.
    pub route: Vec<usize>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_known_is_read() {
        let read = |text: &str| serde_json::from_str::<Ask>(text);
        assert_eq!(read(r#"{"ask":"take-back"}"#).expect("known"), Ask::TakeBack);
        let new = r#"{"ask":"new","terms":{"game":"chess","you":"white","level":{"elo":1500},"time":"300+3"}}"#;
        assert!(matches!(read(new), Ok(Ask::New { terms }) if terms.level == Level::Elo(1500)));
        for wrong in [
            "",
            "[]",
            "{}",
            r#"{"ask":"format-disk"}"#,
            r#"{"ask":"move"}"#,
            r#"{"ask":"move","text":"e4","by":"white"}"#,
            r#"{"ask":"at","ply":-1}"#,
            r#"{"ask":"new","terms":{"game":"go","you":null,"time":"-"}}"#,
            r#"{"ask":"new","terms":{"game":"chess","you":null,"time":"-","path":"/etc"}}"#,
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
