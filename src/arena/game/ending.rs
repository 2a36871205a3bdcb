//! Game endings.
//!
//! The referee ends games according to the laws ([`GameEnding::Law`]) and on flag fall. Most other
//! endings are engine faults or adjudications.

use crate::base::side::Side;
use crate::laws::Rule;
use crate::laws::clock::Flag;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The way in which a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GameEnding {
    /// The game ended under a rule in the laws of chess or draughts.
    Law(Rule),
    /// A rule of the variant ended the game. The text describes the ending.
    Variant(&'static str),
    /// The game was adjudicated as a win because of the engines' scores.
    AdjudicatedWin,
    /// The game was adjudicated as a draw because of the engines' scores: either they stayed near
    /// 0, or they showed a win for a side that cannot checkmate.
    AdjudicatedDraw,
    /// The game was adjudicated by endgame tables, with this winner. `None` means a draw.
    Tables(Option<Side>),
    /// The game reached the maximum number of moves and is a draw.
    MoveLimit,
    /// The side to move lost on time.
    Time(Flag),
    /// The side to move ran out of time, but the game is a draw because the opponent cannot win by
    /// any series of legal moves.
    TimeDrawn(Flag),
    /// The side to move sent this text instead of a legal move.
    IllegalMove(String),
    /// This side resigned.
    Resignation(Side),
    /// The engine exited or violated its protocol. The text describes the failure.
    Crash(Side, String),
    /// The engine did not respond in time. The text describes the failure.
    Stall(Side, String),
    /// The match was stopped during the game.
    Aborted,
}

/// The kinds of endings, for statistics.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EndingKind {
    /// Checkmate.
    Checkmate,
    /// Stalemate.
    Stalemate,
    /// A draughts player has no piece or move left.
    NoMove,
    /// A rule of the variant.
    Variant,
    /// A move-count rule of draughts.
    MoveCount,
    /// A draw by repetition.
    Repetition,
    /// A draw by the 50-move or 75-move rule.
    FiftyMoves,
    /// An adjudication by scores or endgame tables.
    Adjudication,
    /// A draw because the game reached the maximum number of moves.
    MoveLimit,
    /// A position in which neither side can mate.
    DeadPosition,
    /// A loss on time.
    Time,
    /// A flag fall that only draws, because the opponent cannot win.
    TimeDrawn,
    /// An illegal move.
    IllegalMove,
    /// A resignation.
    Resignation,
    /// An engine that ended or violated its protocol.
    Crash,
    /// An engine that did not respond in time.
    Stall,
    /// A ruling under any other rule in the laws.
    Ruling,
}

/// The score of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GameScore {
    /// White's half points: 0, 1 or 2.
    #[serde(rename = "half_points")]
    pub white: usize,
    /// The kind of ending.
    pub kind: EndingKind,
}

impl fmt::Display for EndingKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::NoMove => "no piece or move left",
            Self::Variant => "variant rule",
            Self::MoveCount => "move-count rule",
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
    /// Returns the kind of ending, or `None` if the game was aborted.
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
            Self::Tables(Some(side)) => write!(f, "{side} wins by tablebase adjudication"),
            Self::Tables(None) => f.write_str("draw by tablebase adjudication"),
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
            Self::Aborted => f.write_str("aborted"),
        }
    }
}
