//! Why the referee refuses an event.

use crate::base::side::Side;
use crate::laws::edition::Edition;
use crate::laws::event::possible::Possible;
use crate::laws::event::word;
use crate::laws::rule::Rule;

/// Why an event cannot happen now.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{why}; possible now: {possible}")]
pub struct Impossible {
    /// Why it is rejected.
    pub why: Why,
    /// What can happen instead.
    pub possible: Possible,
}

/// Why an event is rejected.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Why {
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// The game is not over.
    #[error("the game is not over")]
    NotOver,
    /// The other player is to move.
    #[error("{0} is to move")]
    Turn(Side),
    /// A player has to choose first.
    #[error("{0} has to choose first")]
    Choosing(Side),
    /// A player has to seal first.
    #[error("{0} has to seal")]
    Sealer(Side),
    /// The other player is absent.
    #[error("it is {0} who is awaited")]
    Awaited(Side),
    /// An illegal move stands on the board.
    #[error("an illegal move stands on the board: it is pointed out, or a legal move accepts it")]
    Standing,
    /// The arbiter has to decide first.
    #[error("the arbiter has to decide first")]
    Deciding,
    /// The game is adjourned, or about to be.
    #[error("the game is adjourned")]
    Adjourned,
    /// The game is not adjourned.
    #[error("the game is not adjourned, and no move is sealed")]
    NotAdjourned,
    /// The edition has no such rule.
    #[error("{0} has no rule on this: {name}", name = .1.english())]
    Unknown(Edition, Rule),
    /// A move that is not legal.
    #[error("{0} is not legal here")]
    NotLegal(String),
    /// A castling that is not legal where a rook was given as odds; with its square.
    #[error("castling towards {0} is not legal here")]
    NoCastling(String),
    /// A legal move that was reported as illegal.
    #[error("{0} is a legal move")]
    Legal(String),
    /// No piece there, or not one of the player's.
    #[error("no such piece stands on {0}")]
    Square(String),
    /// No allowed move has that part.
    #[error("no move that is allowed has this as its part")]
    Part,
    /// No legal move has that part, so it is an illegal move, which has an event of its own.
    #[error("no legal move has this as its part; `{event}` says that it was done all the same", event = illegal(*.0, .1))]
    IllegalPart(Side, String),
    /// There is no clock.
    #[error("the game is played without a clock")]
    NoClock,
    /// No move was made that could be completed.
    #[error("{0} has made no move")]
    NotMoved(Side),
    /// The clock cannot show that.
    #[error("the clock shows no more than {0} s")]
    Clock(u64),
    /// There is no offer to answer.
    #[error("there is no offer of {0}'s")]
    NoOffer(Side),
    /// An offer stands already.
    #[error("there is an offer already")]
    Offered,
    /// There is nothing to choose, to decide or to claim.
    #[error("there is nothing of the kind")]
    Nothing,
    /// Nothing irregular is known.
    #[error("no irregularity is known; `from N` names the last known position by its plies")]
    Regular,
    /// An illegal move must be corrected, as no reply to it can be judged.
    #[error(
        "the illegal move left no legal position, so it must be pointed out; `illegal` says what is \
         moved all the same"
    )]
    Unjudgeable,
    /// Only before the game.
    #[error("moves were made already")]
    Started,
    /// The clocks stand.
    #[error("the clocks stand until the arbiter says `start`")]
    Halted,
    /// A score sheet has to be completed first.
    #[error("{0} has to complete the score sheet first")]
    SheetDue(Side),
    /// The player sees the board.
    #[error(
        "{0} does not play on a board of the blind (`white-blind = true`, `black-blind = true`)"
    )]
    Sighted(Side),
    /// The edition leaves no choice.
    #[error("{0} leaves no choice in this: {name}", name = .1.english())]
    NoChoice(Edition, Rule),
    /// Only a player's claim brings this about (15.4, 16.3).
    #[error("without supervision a player has to claim it")]
    ClaimOnly,
    /// A guideline that holds only where it was announced.
    #[error(
        "that is for an event that announces it (`quickplay-finish = true`), without an \
             increment, and not for blitz"
    )]
    NotAnnounced,
    /// A score that no game gives (10.2 of 2023).
    #[error("no such score is given for a game")]
    Score,
    /// A claim that the clock does not allow (10.2).
    #[error("it is claimed with less than two minutes in the last period")]
    NotQuickPlay,
    /// The position named came after the irregularity.
    #[error("the irregularity was made at ply {0}, so the last correct position came before")]
    Made(usize),
    /// The game has no such ply.
    #[error("the game has only {0} plies")]
    Plies(usize),
}

/// The event of an illegal move, by its squares.
pub(in crate::laws) fn illegal(side: Side, squares: &str) -> String {
    format!("{} illegal {squares}", word(side))
}
