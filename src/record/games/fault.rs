//! Faults in games, with their locations and the part of the game that is skipped.

use super::{MAX_NESTING, Record, Recorded};
use std::error::Error;
use std::fmt;
use std::io;

/// The faults of a game, and the part of the game that could be read.
#[derive(Debug)]
pub struct RecordError<P: Recorded> {
    /// The faults in the order in which they were found; never empty. A fault in a tag can come
    /// after the faults in the moves.
    pub faults: Vec<Fault<P::Error>>,
    /// The game without the faulty parts, or `None` if no part is usable.
    pub game: Option<Box<Record<P>>>,
}

impl<P: Recorded> fmt::Display for RecordError<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((first, rest)) = self.faults.split_first() else { return Ok(()) };
        write!(f, "{first}")?;
        if rest.is_empty() { Ok(()) } else { write!(f, " (and {} more)", rest.len()) }
    }
}

impl<P: Recorded> Error for RecordError<P> {}

/// A fault in a game, with its location in the source and the part of the game that is skipped.
#[derive(Debug, thiserror::Error)]
#[error("line {line}, column {column}: {problem}; {loss}")]
pub struct Fault<E: Error> {
    /// The line number, counted from 1.
    pub line: u64,
    /// The column in characters, counted from 1.
    pub column: u64,
    /// The kind of fault.
    pub problem: Problem<E>,
    /// The part of the game that is skipped.
    pub loss: Loss,
    /// The unreadable move that caused the fault, if any.
    #[cfg_attr(not(feature = "board"), allow(dead_code))]
    pub(crate) unread: Option<UnreadMove>,
}

/// A move that cannot be read.
#[cfg_attr(not(feature = "board"), allow(dead_code))]
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct UnreadMove {
    /// The number of the move with its dots: `12.` for White, `12...` for Black.
    pub number: String,
    pub text: String,
}

/// The part of a game that is skipped because of a fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Loss {
    /// The whole game.
    Game,
    /// The rest of the main line.
    MainLine,
    /// The rest of a variation.
    Variation,
    /// A tag.
    Tag,
    /// The faulty text itself.
    Text,
    /// The result after the moves, which differs from the tag.
    Result,
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Game => "the game is left out",
            Self::MainLine => "the game is kept up to here",
            Self::Variation => "the game is kept without the rest of this variation",
            Self::Tag => "the game is kept without this tag",
            Self::Text => "the game is kept without this text",
            Self::Result => "the result of the tag is kept",
        })
    }
}

/// The kinds of faults in a game; `E` is the game-specific error type.
#[derive(Debug, thiserror::Error)]
pub enum Problem<E: Error> {
    /// A failure to read the source. The reader then returns no more games. The error contains the
    /// part of the game before the failure.
    #[error("reading failed: {0}")]
    Io(#[from] io::Error),
    /// Text in UTF-16. The reader then returns no more games.
    #[error("the text is UTF-16: save it as UTF-8")]
    Utf16,
    /// An illegal move or start position, or an unsupported variant.
    #[error("{0}")]
    Rules(E),
    /// A tag that does not have the form `[Name "value"]`.
    #[error("not a tag as in [Name \"value\"]: {0}")]
    Tag(&'static str),
    /// Text after a tag on the same line.
    #[error("'{0}' is not allowed after a tag")]
    AfterTag(String),
    /// A tag that occurs twice with different values.
    #[error("the tag {0} was already given with another value")]
    RepeatedTag(String),
    /// A result tag with a value that is not a result.
    #[error("'{0}' is not a result")]
    ResultTag(String),
    /// A result after the moves that differs from the tag.
    #[error("the result after the moves is {moves}, but the tag is {tag}")]
    Results {
        /// The result after the moves.
        moves: String,
        /// The value of the tag.
        tag: String,
    },
    /// A character that is not allowed among moves.
    #[error("{0:?} is not allowed among moves")]
    Character(char),
    /// A number that is neither a move nor the number of the next move.
    #[error("'{0}' is neither a move nor the number of the next move")]
    Number(String),
    /// A numeric annotation glyph out of range.
    #[error("'${0}' is not a glyph from $0 to $65535")]
    Nag(String),
    /// A glyph without a move, or a variation before the first move.
    #[error("{0} without a move")]
    NoMove(&'static str),
    /// A new start position inside a variation.
    #[error("a position cannot be set up inside a variation")]
    SetUp,
    /// An unclosed comment.
    #[error("the comment that begins here is not closed")]
    UnclosedComment,
    /// An unclosed variation.
    #[error("the game ends inside a variation")]
    UnclosedVariation,
    /// A closing bracket outside a variation.
    #[error("')' without an open variation")]
    StrayBracket,
    /// An annotation sign in brackets without the closing bracket.
    #[error("expected ')' after a sign in brackets")]
    SignBracket,
    /// Text without a game.
    #[error("expected a game")]
    NoGame,
    /// Text after the end of a single game.
    #[error("another game begins here; use a `Reader` to read several games")]
    SecondGame,
    /// Too deeply nested variations.
    #[error("variations are nested more than {MAX_NESTING} deep")]
    Nesting,
    /// A game that exceeds a size limit.
    #[error("a game has at most {max} {parts}")]
    TooMany {
        /// The name of the limited parts, in the plural.
        parts: &'static str,
        /// The maximum number of parts.
        max: usize,
    },
}
