//! The state of a game: its positions, the actions of the player to move, pending decisions, and
//! the stage of the game.

use super::*;

/// A position of the game and its origin.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Ply<G: Ruled> {
    pub(super) position: G,
    pub(super) played: Origin<G>,
    /// The clock readings when the position arose, updated by the press that completes the move.
    pub(super) clocks: [Reading; 2],
    pub(super) demands: Demands,
    /// The remaining odds at this position.
    pub(super) odds: Option<Odds<G>>,
    /// True if the board shows an uncorrected illegal move, such as a pawn on its last rank.
    pub(super) irregular: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub(super) enum Origin<G: Ruled> {
    Start,
    Move,
    /// An uncorrected illegal move, and whether it was completed by pressing the clock.
    Illegal {
        wrong: Wrong<G>,
        completed: bool,
    },
    /// An accepted irregularity, a move given as odds, or castling towards a rook given as odds.
    Irregular,
}

/// The actions of the player to move in the current turn.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Hand<G: Ruled> {
    pub(super) touched: SmallVec<[G::Square; 4]>,
    pub(super) parts: SmallVec<[Part<G::Square>; 4]>,
    /// In unsupervised play, the pieces touched before the first part of a move, and the moves that
    /// these pieces require if the opponent makes a claim.
    pub(super) owed: Option<Owed<G>>,
    pub(super) announced: Option<G::Move>,
    /// The moves that a ruling allows the player, with the ground for it. While set, they replace
    /// the obligations from touched pieces.
    pub(super) restriction: Option<(Ground, Vec<G::Move>)>,
    pub(super) foul: Option<Foul<G>>,
    /// True if the player can still claim a penalty for the opponent's last move, although the
    /// player has touched enemy pieces since (Par. 16, 17).
    pub(super) penalty: bool,
}

impl<G: Ruled> Default for Hand<G> {
    fn default() -> Self {
        Self {
            touched: SmallVec::new(),
            parts: SmallVec::new(),
            owed: None,
            announced: None,
            restriction: None,
            foul: None,
            penalty: false,
        }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub(super) struct Owed<G: Ruled> {
    pub(super) touched: SmallVec<[G::Square; 4]>,
    pub(super) moves: Vec<G::Move>,
}

/// An illegal move that has just been made.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Foul<G: Ruled> {
    pub(super) wrong: Wrong<G>,
    /// True if the clock was pressed or there is no clock.
    pub(super) completed: bool,
}

impl<G: Ruled> Foul<G> {
    /// Returns whether the move can be corrected. A move made with two hands is illegal only once
    /// the clock is pressed (7.5.4).
    pub(super) const fn is_irregular(&self) -> bool {
        self.completed || !matches!(self.wrong, Wrong::TwoHands(_))
    }
}

#[derive(PartialEq, Debug)]
pub(super) enum Wrong<G: Ruled> {
    /// A piece was moved against the rules.
    Placed(IllegalMove<G::Square>),
    /// The clock was pressed without a move.
    NotMoved,
    /// A legal move was made with two hands.
    TwoHands(G::Move),
}

impl<G: Ruled> Clone for Wrong<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Ruled> Copy for Wrong<G> {}

impl<G: Ruled> Wrong<G> {
    pub(super) fn from(self) -> Option<G::Square> {
        match self {
            Self::Placed(made) => Some(made.from),
            Self::TwoHands(m) => Some(G::mover(m)),
            Self::NotMoved => None,
        }
    }

    /// Returns the square of the captured piece in `position`, if a piece was captured.
    pub(super) fn captured_square(self, position: &G) -> Option<G::Square> {
        match self {
            Self::Placed(made) => {
                let enemy = position.owner(made.to) == Some(!position.side());
                made.takes.or_else(|| enemy.then_some(made.to))
            }
            Self::TwoHands(m) => position.parts(m).into_iter().find_map(|part| match part {
                Part::Remove(square) => Some(square),
                _ => None,
            }),
            Self::NotMoved => None,
        }
    }

    /// Returns the origin square of a second piece that was moved together with the first.
    pub(super) fn second(self) -> Option<G::Square> {
        match self {
            Self::Placed(made) => made.also.map(|(from, _)| from),
            _ => None,
        }
    }

    /// Returns the board after the illegal move, or `None` if no position represents it.
    pub(super) fn board(self, position: &G) -> Option<G> {
        match self {
            Self::Placed(made) => position.after_illegal(&made),
            Self::NotMoved => position.turned(),
            Self::TwoHands(m) => Some(position.after(m)),
        }
    }
}

/// A decision by a player or the arbiter for which the game is waiting.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Waits<G: Ruled> {
    /// A player chooses what the opponent must play.
    Choice { by: Side, ground: Ground, options: Vec<Choice<G>> },
    /// A player must accept an irregularity or have it corrected.
    Correction(Box<Correction<G>>),
    /// The arbiter decides on a player's claim.
    Claim { by: Side, rule: Rule },
    /// The arbiter must approve or reject an agreed draw. Contains the decision that was pending
    /// when the players agreed.
    Consent(Option<Box<Self>>),
    /// The arbiter must decide whether to repair a sealed move.
    Repair { by: Side, sheet: Sheet<G> },
}

/// An irregularity that the opponent may accept or have corrected (FMJD 5.4).
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Correction<G: Ruled> {
    pub(super) by: Side,
    pub(super) ground: Ground,
    /// The resulting position if the irregularity is accepted.
    pub(super) board: G,
    pub(super) made: Made<G>,
    pub(super) touched: Option<G::Square>,
    /// True if the player has pressed the clock after the irregularity.
    pub(super) pressed: bool,
}

/// The action that caused an irregularity.
#[derive(PartialEq, Debug)]
pub(super) enum Made<G: Ruled> {
    /// A legal move, made at the wrong time or in the wrong way.
    Move(G::Move),
    /// A piece was put on a square.
    Placed(G::Square, G::Square),
    /// A captured piece was removed too early. If the removal is accepted, the capture goes on.
    Removed(G::Square),
    /// A move was taken back.
    Retracted,
    /// Any other change of the board.
    Changed,
}

impl<G: Ruled> Clone for Made<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Ruled> Copy for Made<G> {}

impl<G: Ruled> Made<G> {
    /// Returns the origin and destination of the piece that was moved, if there is one.
    pub(super) fn placed(self, position: &G) -> Option<(G::Square, G::Square)> {
        match self {
            Self::Move(m) => position.parts(m).into_iter().find_map(|part| match part {
                Part::Place(from, to) => Some((from, to)),
                _ => None,
            }),
            Self::Placed(from, to) => Some((from, to)),
            Self::Removed(_) | Self::Retracted | Self::Changed => None,
        }
    }
}

/// White's and Black's demands to be mated within fifty moves; `None` without a demand. Each number
/// counts the opponent's moves since the demand or since the last capture or pawn move, whichever
/// is later.
pub(super) type Demands = [Option<u32>; 2];

#[derive(Clone, PartialEq, Debug)]
pub(super) enum Stage<G: Ruled> {
    Play,
    /// A move is being sealed. The sealed move can still be changed.
    Sealing {
        by: Side,
        sheet: Option<Sheet<G>>,
    },
    Adjourned {
        by: Side,
        sheet: Sheet<G>,
    },
    /// The game is resumed, but the player who must reply is absent.
    Absent {
        by: Side,
        sheet: Sheet<G>,
    },
    Over(GameEnd),
}

/// The end of a game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GameEnd {
    /// The outcome.
    pub outcome: GameOutcome,
    /// The rule under which the game ended.
    pub rule: Rule,
    /// The article of the laws.
    pub article: &'static str,
    /// The points of White and Black.
    pub points: [f64; 2],
}

#[derive(Clone, PartialEq, Debug)]
pub(super) struct Odds<G: Ruled> {
    pub(super) giver: Side,
    /// The number of moves given as odds that the receiver still has to make.
    pub(super) moves_left: u8,
    /// The total number of moves given as odds. The giver's first move counts as this many moves in
    /// the time control.
    pub(super) moves: u8,
    /// The square of a rook given as odds, as long as the king can castle towards it.
    pub(super) rook: Option<G::Square>,
}
