//! How games end.
//!
//! The referee ends them by the laws ([`GameEnding::Law`]) and by the flag. Everything else that ends
//! a game is an engine's fault, or was asked for (adjudication).

use crate::base::side::Side;
use crate::laws::Rule;
use crate::laws::clock::Flag;
use serde::{Deserialize, Serialize};
use std::fmt;

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GameEnding {
    /// A rule of the laws ended it on the board.
    Law(Rule),
    /// A rule that the variant has beside the laws ended it, in these words.
    Variant(&'static str),
    /// The engines' scores said for long enough that one side has won.
    AdjudicatedWin,
    /// The scores of both sides said for long enough that it is a draw.
    AdjudicatedDraw,
    /// Tables of endings know the winner, or (`None`) that it is a draw.
    Tables(Option<Side>),
    /// The game reached the limit of moves.
    MoveLimit,
    /// The side to move overstepped its time.
    Time(Flag),
    /// The side to move overstepped its time, but the opponent cannot win by any sequence of legal moves.
    TimeDrawn(Flag),
    /// The side to move sent this text instead of a legal move.
    IllegalMove(String),
    /// This side resigned.
    Resignation(Side),
    /// The engine of this side exited, or broke its protocol beyond use; the text says how.
    Crash(Side, String),
    /// The engine of this side fell silent; the text says when.
    Stall(Side, String),
    /// The match was aborted during the game.
    Aborted,
}

/// The kinds of endings that standings count.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EndingKind {
    Checkmate,
    Stalemate,
    NoMove,
    /// A rule of the variant.
    Variant,
    MoveCount,
    Repetition,
    FiftyMoves,
    Adjudication,
    MoveLimit,
    DeadPosition,
    Time,
    TimeDrawn,
    IllegalMove,
    Resignation,
    Crash,
    Stall,
    /// A rule of the laws other than those above.
    Ruling,
}

/// What a game adds to the standings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GameScore {
    /// White's half points: 0, 1 or 2.
    #[serde(rename = "half_points")]
    pub white: usize,
    /// How it ended.
    pub kind: EndingKind,
}

impl fmt::Display for EndingKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::NoMove => "no move left",
            Self::Variant => "rule of the variant",
            Self::MoveCount => "number of moves",
            Self::Repetition => "repetition",
            Self::FiftyMoves => "fifty moves",
            Self::Adjudication => "adjudication",
            Self::MoveLimit => "move limit",
            Self::DeadPosition => "dead position",
            Self::Time => "loss on time",
            Self::TimeDrawn => "out of time but drawn",
            Self::IllegalMove => "illegal move",
            Self::Resignation => "resignation",
            Self::Crash => "crash",
            Self::Stall => "stall",
            Self::Ruling => "ruling",
        })
    }
}

impl From<Rule> for EndingKind {
    fn from(rule: Rule) -> Self {
        match rule {
            Rule::Checkmate => Self::Checkmate,
            Rule::Stalemate => Self::Stalemate,
            Rule::DeadPosition => Self::DeadPosition,
            Rule::NoMove | Rule::NoPiece => Self::NoMove,
            Rule::KingMoves | Rule::ThreePieces | Rule::TwoPieces => Self::MoveCount,
            Rule::Repetition | Rule::Fivefold => Self::Repetition,
            Rule::Fifty | Rule::MoreThanFifty | Rule::SeventyFive => Self::FiftyMoves,
            _ => Self::Ruling,
        }
    }
}

impl GameEnding {
    /// Its kind; `None` if the match was aborted, since then the game does not count.
    pub fn kind(&self) -> Option<EndingKind> {
        Some(match self {
            Self::Law(rule) => EndingKind::from(*rule),
            Self::Variant(_) => EndingKind::Variant,
            Self::AdjudicatedWin | Self::AdjudicatedDraw | Self::Tables(_) => {
                EndingKind::Adjudication
            }
            Self::MoveLimit => EndingKind::MoveLimit,
            Self::Time(_) => EndingKind::Time,
            Self::TimeDrawn(_) => EndingKind::TimeDrawn,
            Self::IllegalMove(_) => EndingKind::IllegalMove,
            Self::Resignation(_) => EndingKind::Resignation,
            Self::Crash(..) => EndingKind::Crash,
            Self::Stall(..) => EndingKind::Stall,
            Self::Aborted => return None,
        })
    }
}

impl fmt::Display for GameEnding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Law(rule) => f.write_str(rule.english()),
            Self::Variant(words) => f.write_str(words),
            Self::AdjudicatedWin => f.write_str("adjudicated win"),
            Self::AdjudicatedDraw => f.write_str("adjudicated draw"),
            Self::Tables(Some(side)) => write!(f, "won for {side} by tables of endings"),
            Self::Tables(None) => f.write_str("drawn by tables of endings"),
            Self::MoveLimit => f.write_str("move limit"),
            Self::Time(Flag { left, taken }) => {
                let (left, taken) = (left.as_secs_f64(), taken.as_secs_f64());
                write!(f, "loss on time: took {taken:.3} s with {left:.3} s left")
            }
            Self::TimeDrawn(Flag { left, taken }) => {
                let (left, taken) = (left.as_secs_f64(), taken.as_secs_f64());
                write!(
                    f,
                    "out of time, drawn as the opponent cannot win: took {taken:.3} s with \
                     {left:.3} s left"
                )
            }
            Self::IllegalMove(text) => write!(f, "illegal move '{text}'"),
            Self::Resignation(side) => write!(f, "{side} resigns"),
            Self::Crash(side, why) => write!(f, "{side}'s engine crashed: it {why}"),
            Self::Stall(side, why) => write!(f, "{side}'s engine stalled: it {why}"),
            Self::Aborted => f.write_str("broken off"),
        }
    }
}
