//! Events at a board, and the language in which a log records them.
//!
//! One event is one line. A time is `1:59:30`, `5:00` or `90` seconds; a move is written in UCI, algebraic
//! or Hub notation. [`grammar`] lists every form of a line; the chapter on the referee in the manual shows the
//! list with the meaning of each form. An unknown line is an error that lists the text that could stand there.

pub mod complete;
mod french;
pub mod grammar;
pub mod help;
pub mod language;
pub mod log;
pub mod possible;
pub mod read;
pub mod time;
mod write;

use crate::base::side::Side;
use crate::laws::ruled::{IllegalMove, Ruled};
use std::time::Duration;

pub(super) use french::to_players;

/// The word of a side in the language.
pub const fn word(side: Side) -> &'static str {
    match side {
        Side::White => "white",
        Side::Black => "black",
    }
}

/// The side that a word of the language names.
pub(in crate::laws) fn side_of(text: &str) -> Option<Side> {
    Side::ALL.into_iter().find(|&side| word(side) == text)
}

#[derive(Clone, PartialEq, Debug)]
pub enum Event<G: Ruled> {
    /// An act of a player, or one of the arbiter's that concerns a player.
    Player(Side, Act<G>),
    /// An event that concerns both players.
    Game(Incident<G>),
    /// A discovery of the arbiter's, or of a player who asks for its consequence.
    Notice(Option<Side>, Notice),
}

/// An act of a player, or one of the arbiter's that concerns a player.
#[derive(Clone, PartialEq, Debug)]
pub enum Act<G: Ruled> {
    Touch(G::Square),
    Brush(G::Square),
    Adjust(G::Square),
    Release(G::Square, G::Square),
    Remove(G::Square),
    Promote(char),
    Move(G::Move),
    Castle(G::Square),
    Press(Option<Shown>),
    Flag(Fall),
    Offer,
    Accept,
    Refuse,
    Resign,
    Claim(Claim<G>),
    Demand,
    Announce(u32),
    Illegal(IllegalMove<G::Square>),
    Hands(G::Move),
    Irregular(Box<G>),
    Light(G::Square),
    Choose(Choice<G>),
    Seal(Sheet<G>),
    Late(Late),
    Arrive(Late),
    Stop(StopFor),
    Withdraw,
    Waive,
    Pause,
    Crown(G::Square),
    Uncrowned(G::Square),
    Record(Recorded),
    Say(G::Move),
    Feel(G::Square),
    Misspeak,
    Exit,
    Upset,
    Leave,
    Disobey(Deserved),
    Phone,
    Device,
    Clock(Change),
    Penalty(Penalty),
}

/// The reading of a clock when it is pressed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shown {
    Left(Duration),
    Taken(Duration),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Late {
    pub time: Duration,
    pub excused: bool,
}

/// The reason for which a player stops both clocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopFor {
    /// To ask for the arbiter's help.
    Help,
    /// Pieces were displaced.
    Pieces,
    /// The score sheets differ in the number of moves.
    Sheets,
    Claim,
}

/// The meaning of a fallen flag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fall {
    /// The moves were not made in time.
    Overstepped,
    /// The score sheets will show whether the moves were made.
    Open,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Recorded {
    /// The player moves before recording the last move.
    Behind,
    /// The player records a move before making it.
    Ahead,
    Complete,
}

/// The score of the opponent of a player who has lost for misconduct.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Deserved {
    Win,
    Draw,
    Loss,
}

/// A claim; a draw can be claimed by an intended move.
#[derive(Clone, PartialEq, Debug)]
pub enum Claim<G: Ruled> {
    Repetition(Option<Intended<G>>),
    Fifty(Option<Intended<G>>),
    Perpetual,
    Winless,
    Demand,
    Flag,
    Illegal,
    Touch,
    Increment,
}

/// The move that a player writes down with a claim.
#[derive(Clone, PartialEq, Debug)]
pub enum Intended<G: Ruled> {
    Move(G::Move),
    Illegal(G::Square, G::Square),
}

#[derive(Clone, PartialEq, Debug)]
pub enum Choice<G: Ruled> {
    /// This own piece of the other player is to move.
    Piece(G::Square),
    Capture(G::Square),
    King,
    /// The sealed move means this.
    Move(G::Move),
    Correct,
    Accept,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Sheet<G: Ruled> {
    Move(G::Move),
    Nothing,
    Unreadable,
    /// A text that means any of these.
    Ambiguous(Vec<G::Move>),
    Illegal(G::Square, G::Square),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    Set(Duration),
    More(Duration),
    Less(Duration),
}

/// The arbiter's penalties (13.4; 12.9 of 2023).
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Penalty {
    Warn,
    Give(Duration),
    Take(Duration),
    Lose,
    /// Fewer points for the player, by this number.
    Less(f64),
    /// More points for the opponent, by this number.
    More(f64),
    Fine(u32),
    Exclude(u32),
    Expel,
}

/// An irregularity that is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Notice {
    Illegal(Restore),
    Displaced(Restore),
    /// Displaced pieces were put back wrongly after this ply, or the board at the resumption.
    Restored(usize),
    /// The boards of two players who do not both see differ; the score sheets agree up to this ply.
    Boards(Option<usize>),
    /// A position that no legal moves lead to.
    Impossible,
    Sheets {
        /// Whether none can be completed.
        lost: bool,
    },
    Setup,
    /// Kings and queens began on each other's squares.
    Kings,
    Board,
    /// White is played by the wrong player.
    Colours {
        /// Whether the arbiter has the game begun again.
        restart: bool,
    },
    Clocks,
}

/// Knowledge of the position before an irregularity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Restore {
    Known,
    /// The last known position is the one after this ply.
    After(usize),
    Lost,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Incident<G: Ruled> {
    Flags,
    Stop,
    Start,
    Agree,
    BothLate(Late),
    BothDisobey,
    Decide(Decide<G>),
    Adjourn,
    Resume(Option<Side>),
    ResumeWithoutBoth,
    EnvelopeLost,
    PositionLost,
    /// A start position, and moves that were made from it before the clocks were started.
    Setup(Box<G>, Vec<G::Move>),
    Odds {
        pieces: Vec<G::Square>,
        moves: u8,
        by: Side,
    },
    OddsMoves(u8, Side),
}

#[derive(Clone, PartialEq, Debug)]
pub enum Decide<G: Ruled> {
    Draw,
    Reject,
    Defer {
        /// Whether the opponent is given time for it.
        time: bool,
    },
    Increment,
    Move(G::Move),
}
