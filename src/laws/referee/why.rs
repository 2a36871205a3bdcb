//! The reasons why the referee refuses an event.

use crate::base::side::Side;
use crate::laws::edition::Edition;
use crate::laws::event::possible::Possible;
use crate::laws::event::word;
use crate::laws::rule::Rule;

/// The error for an event that is impossible in the present state of the game. The message contains
/// the reason and the events that are possible.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{why}{after}", after = after(possible))]
pub struct Impossible {
    pub(in crate::laws) why: Refused,
    pub(in crate::laws) possible: Possible,
}

impl Impossible {
    /// Returns the reason without the list of possible events.
    pub fn reason(&self) -> String {
        self.why.to_string()
    }

    /// Returns the events that are possible instead, each as the beginning of a line, such as
    /// `white move`.
    pub fn possible_events(&self) -> Vec<String> {
        self.possible.events()
    }
}

fn after(possible: &Possible) -> String {
    if possible.is_empty() { String::new() } else { format!("; possible now: {possible}") }
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refused {
    #[error("the game is over")]
    Over,
    #[error("the game is not over")]
    NotOver,
    #[error("{0} is to move")]
    Turn(Side),
    #[error("{0} has to choose first")]
    Choosing(Side),
    #[error("{0} has to seal")]
    Sealer(Side),
    #[error("the game is waiting for {0} to arrive")]
    Awaited(Side),
    #[error("there is an illegal move on the board: claim it, or accept it by a legal move")]
    Standing,
    #[error("the arbiter has to decide first")]
    Deciding,
    #[error("the game is adjourned")]
    Adjourned,
    #[error("the game is not adjourned, and no move is sealed")]
    NotAdjourned,
    /// A player has sealed a move, but the player's clock is still running.
    #[error("{0} must first stop the clocks (`{side} press`)", side = word(*.0))]
    Unstopped(Side),
    /// A player has sealed a move that has not been entered.
    #[error(
        "the sealed move is secret: open the envelope and enter it (`{side} seal MOVE`), then go on",
        side = word(*.0)
    )]
    Unopened(Side),
    #[error("{0} has no rule on this: {name}", name = .1.english())]
    Unknown(Edition, Rule),
    #[error("{0} is not legal here")]
    NotLegal(String),
    /// Castling towards the square of a rook given as odds.
    #[error("castling towards {0} is not legal here")]
    NoCastling(String),
    #[error("{0} is a legal move")]
    Legal(String),
    #[error("there is no such piece on {0}")]
    Square(String),
    #[error("this is not part of an allowed move")]
    Part,
    /// An action that is part of no legal move. The event `illegal` records illegal moves.
    #[error("this is not part of a legal move; use `{event}` to record it as an illegal move", event = illegal(*.0, .1))]
    IllegalPart(Side, String),
    #[error("the game is played without a clock")]
    NoClock,
    #[error("{0} has not just made a move")]
    NotMoved(Side),
    #[error("the clock had only {0} s left")]
    Clock(u64),
    #[error("{0} has not offered a draw")]
    NoOffer(Side),
    #[error("this has already been offered or demanded")]
    Offered,
    #[error("there is nothing to which this applies")]
    Nothing,
    #[error(
        "no irregularity is recorded; add `from N`, the number of plies at the last known position"
    )]
    Regular,
    #[error(
        "the illegal move left no legal position, so it must be claimed first; use `illegal` to \
         record another move in spite of it"
    )]
    Unjudgeable,
    #[error("moves have already been made")]
    Started,
    #[error("the game would be over with these odds")]
    OddsDecide,
    #[error("the clocks are stopped until the arbiter restarts them with `start`")]
    Halted,
    #[error("{0} has to complete the score sheet first")]
    SheetDue(Side),
    #[error("{0} does not use a board for the blind (`white-blind = true`, `black-blind = true`)")]
    Sighted(Side),
    #[error("{0} leaves no choice here: {name}", name = .1.english())]
    NoChoice(Edition, Rule),
    #[error("without supervision a player must claim this")]
    ClaimOnly,
    #[error(
        "this applies only in games without an increment that are not blitz, and only if the event \
         has announced it (`quickplay-finish = true`)"
    )]
    NotAnnounced,
    #[error("a game cannot have this score")]
    Score,
    #[error("the irregularity was made at ply {0}; the last correct position is earlier")]
    Made(usize),
    #[error("the game has only {0} plies")]
    Plies(usize),
}

pub(in crate::laws) fn illegal(side: Side, squares: &str) -> String {
    format!("{} illegal {squares}", word(side))
}
