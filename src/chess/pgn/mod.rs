//! Games as portable game notation: a game tree that keeps everything, a streaming [`Reader`], and
//! a writer in the standard's export form.
//!
//! Source: *PGN Standard* (Edwards, 1994). Invariant: what is written reads back as the same game,
//! so that writing what was read from a written text gives that text again.

mod read;
mod write;

pub use read::{PgnError, PgnProblem, Reader};

use super::bitboard::Bitboard;
use super::moves::Move;
use super::position::Position;
use super::square::{File, Rank};
use crate::base::side::Side;
use std::fmt;
use std::str::FromStr;

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum GameResult {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`: not over, or not known.
    #[default]
    Unknown,
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::WhiteWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Unknown => "*",
        })
    }
}

/// A text that is no result.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is not a result (1-0, 0-1, 1/2-1/2 or *)")]
pub struct GameResultError(pub String);

impl FromStr for GameResult {
    type Err = GameResultError;

    fn from_str(text: &str) -> Result<Self, GameResultError> {
        match text {
            "1-0" => Ok(Self::WhiteWins),
            "0-1" => Ok(Self::BlackWins),
            "1/2-1/2" | "1/2" => Ok(Self::Draw),
            "*" => Ok(Self::Unknown),
            _ => Err(GameResultError(text.to_owned())),
        }
    }
}

/// A sequence of moves: the main line of a game, or a variation.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Line {
    /// The moves, each legal after those before it.
    pub moves: Vec<Node>,
    /// Comments after the variations of the last move, or in a line without moves.
    pub closing: Vec<String>,
}

/// A move with all that is said about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// The move.
    pub m: Move,
    /// Comments before the move: at the start of a line, or after the variations of the move before.
    pub before: Vec<String>,
    /// Numeric annotation glyphs; 1 to 6 stand for `! ? !! ?? !? ?!`.
    pub nags: Vec<u8>,
    /// Comments after the move.
    pub comments: Vec<String>,
    /// What could be played instead of the move.
    pub variations: Vec<Line>,
}

impl Node {
    /// A move about which nothing is said.
    pub const fn new(m: Move) -> Self {
        Self {
            m,
            before: Vec::new(),
            nags: Vec::new(),
            comments: Vec::new(),
            variations: Vec::new(),
        }
    }
}

/// How deep variations may lie in one another.
pub const MAX_NESTING: usize = 128;

/// The seven tags that every game has, in their order, with the value of what is not known
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
pub struct IllegalMove {
    /// The move.
    pub m: Move,
    /// The FEN of the position.
    pub fen: String,
}

/// A game: tags, moves with comments, glyphs and variations, result.
///
/// ```
/// use adoube::chess::pgn::{Game, GameResult};
///
/// let mut game = Game::new();
/// game.set_tag("White", "Adoube");
/// for text in ["f3", "e5", "g4", "Qh4#"] {
///     let m = game.position().parse_san(text)?;
///     game.push(m, "")?;
/// }
/// game.result = GameResult::BlackWins;
/// assert!(game.to_string().ends_with("1. f3 e5 2. g4 Qh4# 0-1\n\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// The tags that are set, in the order of setting, without those that follow from the rest:
    /// `Result`, `SetUp` and `FEN`.
    tags: Vec<(String, String)>,
    start: Position,
    /// The position after the main line.
    end: Position,
    line: Line,
    /// The result, for the tag and the end of the moves.
    pub result: GameResult,
}

impl Default for Game {
    fn default() -> Self {
        Self::new()
    }
}

impl Game {
    /// A game from the start position, without moves.
    pub fn new() -> Self {
        let start = Position::start();
        Self {
            tags: Vec::new(),
            end: start.clone(),
            start,
            line: Line::default(),
            result: GameResult::Unknown,
        }
    }

    /// A game from another position, which the `FEN` tag will tell. Where castling needs it, the
    /// `Variant` tag is set to `Chess960`.
    pub fn from_position(start: Position) -> Self {
        let mut game = Self { end: start.clone(), start, ..Self::new() };
        if castles_otherwise(&game.start) {
            game.set_tag("Variant", "Chess960");
        }
        game
    }

    /// Sets a tag. What a name cannot hold (all but letters, digits and `_+#=:-`) is left out of
    /// it, and control characters in the value become spaces. One of the seven tags that every
    /// game has is unset by the value that stands for "not known", as `?` for `White`.
    ///
    /// `Result`, `SetUp` and `FEN` are not set here: they follow from [`Self::result`] and
    /// [`Self::from_position`].
    pub fn set_tag(&mut self, name: &str, value: &str) {
        let name: String = name.chars().filter(|&c| is_name(c)).collect();
        let value: String = value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        if name.is_empty() || matches!(name.as_str(), "Result" | "SetUp" | "FEN") {
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

    /// The value of a tag that was set (`Result`, `SetUp` and `FEN` are not among them).
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }

    /// The tags that were set and their values.
    pub fn tags(&self) -> impl Iterator<Item = (&str, &str)> {
        self.tags.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Whether the game says to be Chess960.
    pub fn is_chess960(&self) -> bool {
        self.tag("Variant").is_some_and(|v| Variant::of(v) == Some(Variant::Chess960))
    }

    /// The position in which the game starts.
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// The position after the last move of the main line.
    pub const fn position(&self) -> &Position {
        &self.end
    }

    /// The main line.
    pub const fn line(&self) -> &Line {
        &self.line
    }

    /// The moves of the main line.
    pub fn moves(&self) -> impl Iterator<Item = Move> {
        self.line.moves.iter().map(|node| node.m)
    }

    /// A move of the main line, counted from 0, for adding comments, glyphs and variations. The
    /// move itself must stay what it is, and moves of variations must be legal.
    pub fn node_mut(&mut self, ply: usize) -> Option<&mut Node> {
        self.line.moves.get_mut(ply)
    }

    /// Plays a move at the end of the main line, with a comment unless it is empty.
    ///
    /// # Errors
    /// If the move is not legal; the game is then unchanged.
    pub fn push(&mut self, m: Move, comment: &str) -> Result<(), IllegalMove> {
        if !self.end.is_legal(m) {
            return Err(IllegalMove { m, fen: self.end.fen() });
        }
        let mut node = Node::new(m);
        // What was said after the last variation stands before this move now.
        node.before.append(&mut self.line.closing);
        node.comments.extend(tidy(comment));
        self.line.moves.push(node);
        self.end = self.end.play(m);
        Ok(())
    }
}

/// The text of a comment as it is kept, words separated by single spaces; none if there is no word.
fn tidy(comment: &str) -> Option<String> {
    let words: Vec<_> = comment.split_whitespace().collect();
    (!words.is_empty()).then(|| words.join(" "))
}

const fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '+' | '#' | '=' | ':' | '-')
}

/// Whether a side may castle with king or rook elsewhere than in standard chess.
fn castles_otherwise(position: &Position) -> bool {
    let board = position.board();
    let corners = Bitboard::file(File::A) | Bitboard::file(File::H);
    Side::ALL.into_iter().any(|side| {
        let rights = board.castling & Bitboard::rank(Rank::R1.relative_to(side));
        rights.any() && (board.king(side).file() != File::E || (rights - corners).any())
    })
}

/// The games that a `Variant` tag may name and that this module can read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Variant {
    Standard,
    Chess960,
}

impl Variant {
    /// The game of a tag's value, as servers and programs write it.
    fn of(value: &str) -> Option<Self> {
        let letters = value.chars().filter(|c| c.is_alphanumeric());
        let name = letters.map(|c| c.to_ascii_lowercase()).collect::<String>();
        match name.as_str() {
            "" | "standard" | "chess" | "normal" | "fromposition" => Some(Self::Standard),
            "chess960" | "fischerandom" | "fischerrandom" | "fischerrandomchess" | "frc"
            | "960" => Some(Self::Chess960),
            _ => None,
        }
    }
}
