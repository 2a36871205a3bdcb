//! Events at a board, and their text format with one event per line.
//!
//! A time is written `1:59:30`, `5:00` or `90` (seconds), and a move in UCI, algebraic or Hub
//! notation. [`grammar`] contains every form of a line; the referee chapter of the manual shows the
//! same list with the meaning of each form. The error for a line that matches no form lists what is
//! accepted at the column where the line stops matching.

pub(crate) mod complete;
mod french;
pub mod grammar;
pub mod help;
pub mod language;
pub mod log;
pub(crate) mod possible;
pub mod read;
pub mod time;
mod write;

use crate::base::side::Side;
use crate::laws::ruled::{IllegalMove, Ruled};
use std::time::Duration;

pub(super) use french::{of_players, to_players};

pub(crate) const fn word(side: Side) -> &'static str {
    match side {
        Side::White => "white",
        Side::Black => "black",
    }
}

pub(in crate::laws) fn side_of(text: &str) -> Option<Side> {
    Side::ALL.into_iter().find(|&side| word(side) == text)
}

#[derive(Clone, PartialEq, Debug)]
pub enum Event<G: Ruled> {
    /// An act of a player, or an act of the arbiter that concerns a player.
    Player(Side, Act<G>),
    Game(Incident<G>),
    /// An irregularity found by the arbiter, or by a player who requests its consequence.
    Notice(Option<Side>, Notice),
}

/// An act of a player, or an act of the arbiter that concerns a player.
#[derive(Clone, PartialEq, Debug)]
pub enum Act<G: Ruled> {
    Touch(G::Square),
    Brush(G::Square),
    Adjust(G::Square),
    Release(G::Square, G::Square),
    Remove(G::Square),
    Promote(char),
    Move(G::Move),
    /// A move by the player who is not to move.
    OutOfTurn(G::Move),
    Castle(G::Square),
    Press(Option<PressTime>),
    Flag(Fall),
    Offer,
    /// An offer to which the player attaches a condition.
    OfferIf,
    Accept,
    Refuse,
    Resign,
    Claim(Claim<G>),
    Demand,
    Announce(u32),
    Illegal(IllegalMove<G::Square>),
    Hands(G::Move),
    Irregular(Box<G>),
    /// The player makes a second move without waiting for the opponent.
    Twice(G::Move),
    /// The player takes back the move just made.
    Retract,
    Unclear(G::Move),
    Light(G::Square),
    Choose(Choice<G>),
    Seal(Sheet<G>),
    /// The player adds a remark to the sealed move in the envelope.
    Enclose,
    /// A sealed move, with an offer of a draw in the envelope.
    SealOffer(G::Move),
    Late(Late),
    Arrive(Late),
    Stop(StopFor),
    Withdraw,
    Waive,
    Pause,
    Crown(G::Square),
    Uncrowned(G::Square),
    Record(Recorded),
    AskSheet,
    Say(G::Move),
    Feel(G::Square),
    Misspeak,
    Exit,
    Upset,
    Leave,
    Disobey(Deserved),
    Phone,
    Device,
    RefuseSearch,
    Clock(Change),
    Penalty(Penalty),
}

/// The time reported with a press of the clock: the remaining time, or the time used for the move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PressTime {
    Left(Duration),
    Taken(Duration),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Late {
    pub time: Duration,
    pub excused: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopFor {
    Help,
    Pieces,
    /// The score sheets differ in the number of moves.
    Sheets,
    Claim,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fall {
    /// The moves were not made in time.
    Overstepped,
    Open,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Recorded {
    /// The player makes a move before recording their own previous move.
    Behind,
    /// The player records a move before making it.
    Ahead,
    Complete,
}

/// The opponent's score after a player has lost for misconduct.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Deserved {
    Win,
    Draw,
    Loss,
}

/// A claim by a player, in some cases with an intended move.
#[derive(Clone, PartialEq, Debug)]
pub enum Claim<G: Ruled> {
    Repetition(Option<Intended<G>>),
    Fifty(Option<Intended<G>>),
    Perpetual,
    Winless,
    Demand,
    Flag,
    /// A claim that the opponent's flag has fallen, although it has not.
    FlagUp,
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
    /// The opponent must move this piece.
    Piece(G::Square),
    Capture(G::Square),
    King,
    Move(G::Move),
    Correct,
    Accept,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Sheet<G: Ruled> {
    Move(G::Move),
    Nothing,
    Unreadable,
    /// A text that can mean any of these moves.
    Ambiguous(Vec<G::Move>),
    Illegal(G::Square, G::Square),
    /// A resignation instead of a move.
    Resigns,
    /// A move that only the player knows, until the envelope is opened.
    Secret,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    Set(Duration),
    More(Duration),
    Less(Duration),
}

/// A penalty imposed by the arbiter (article 13.4 of 2009, 12.9 of 2023).
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Penalty {
    Warn,
    Give(Duration),
    Take(Duration),
    Lose,
    Less(f64),
    More(f64),
    Fine(u32),
    Exclude(u32),
    Expel,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Notice {
    Illegal(Restore),
    Displaced(Restore),
    /// Displaced pieces or the adjourned position were restored wrongly after this many plies.
    Restored(usize),
    /// The two boards of a game with a blind player differ. The score sheets agree up to this ply,
    /// or completely if this is `None`.
    Boards(Option<usize>),
    /// A position that cannot arise from legal moves.
    Impossible,
    Sheets {
        lost: bool,
    },
    Setup,
    /// Kings and queens began on each other's squares.
    Kings,
    Board,
    /// The players have the wrong colours.
    Colours {
        restart: bool,
    },
    Clocks,
}

/// The last known position before an irregularity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Restore {
    Known,
    After(usize),
    Lost,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Incident<G: Ruled> {
    Flags,
    Stop,
    Start,
    Agree,
    BothResign,
    /// The players agree to correct an illegal move.
    BothCorrect,
    BothLate(Late),
    /// Both players are late, by these times (White's, then Black's).
    LateEach([Duration; 2]),
    BothDisobey,
    Decide(Decide<G>),
    Adjourn,
    Resume(Option<Side>),
    ResumeWithoutBoth,
    EnvelopeLost,
    PositionLost,
    /// A player's king and queen began on each other's squares.
    KingMisplaced(Side),
    /// The rook that is now on this square began the game on a wrong square.
    RookMisplaced(G::Square),
    /// A start position, and moves made from it before the clocks are started.
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
        /// True if the opponent is given extra time.
        time: bool,
    },
    Increment,
    Move(G::Move),
}
