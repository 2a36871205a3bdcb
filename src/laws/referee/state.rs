//! What the referee keeps of a game: its positions, what a hand has done, what must be answered first, and
//! the stage that the game has reached.

use super::*;

/// A position of the game, and how it came about.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Ply<G: Ruled> {
    pub(super) position: G,
    pub(super) played: Origin<G>,
    /// What the clocks showed when they were last pressed in this position.
    pub(super) clocks: [Reading; 2],
    pub(super) demands: Demands,
    /// What was left of the odds then.
    pub(super) odds: Option<Odds<G>>,
}

/// How a position came about.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Origin<G: Ruled> {
    Start,
    Move,
    /// An illegal move that was not corrected.
    Illegal(Wrong<G>),
    /// An irregularity that was accepted, or part of odds: no position before it comes back by moves.
    Irregular,
}

/// What the player to move has touched and done so far.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Hand<G: Ruled> {
    /// Touched squares in their order.
    pub(super) touched: SmallVec<[G::Square; 4]>,
    /// The parts of a move that were done.
    pub(super) parts: SmallVec<[Part<G::Square>; 4]>,
    /// Without supervision: what was touched before the first part of a move, and the moves that it
    /// obliges to where the opponent asks for them.
    pub(super) owed: Option<Owed<G>>,
    /// Blind play: the move that he has announced.
    pub(super) said: Option<G::Move>,
    /// The moves that a ruling demands of him, apart from what he touched.
    pub(super) held: Option<(Ground, Vec<G::Move>)>,
    /// The illegal move that stands on the board.
    pub(super) foul: Option<Foul<G>>,
}

impl<G: Ruled> Default for Hand<G> {
    fn default() -> Self {
        Self {
            touched: SmallVec::new(),
            parts: SmallVec::new(),
            owed: None,
            said: None,
            held: None,
            foul: None,
        }
    }
}

/// Touched pieces, and the moves that they oblige to.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Owed<G: Ruled> {
    pub(super) touched: SmallVec<[G::Square; 4]>,
    pub(super) moves: Vec<G::Move>,
}

/// An illegal move that has just been made.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Foul<G: Ruled> {
    pub(super) wrong: Wrong<G>,
    /// Whether the clock was pressed, or none is used.
    pub(super) completed: bool,
    /// The illegal move by which the opponent has answered it.
    pub(super) answer: Option<IllegalMove<G::Square>>,
}

/// What makes a move illegal.
#[derive(PartialEq, Debug)]
pub(super) enum Wrong<G: Ruled> {
    /// A piece was put from a square to another against the rules.
    Placed(IllegalMove<G::Square>),
    /// The clock was pressed, and nothing was moved.
    NotMoved,
    /// This move, a legal one, was made with two hands.
    TwoHands(G::Move),
}

impl<G: Ruled> Clone for Wrong<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Ruled> Copy for Wrong<G> {}

impl<G: Ruled> Wrong<G> {
    /// The square that was left.
    pub(super) fn from(self) -> Option<G::Square> {
        match self {
            Self::Placed(made) => Some(made.from),
            Self::TwoHands(m) => Some(G::mover(m)),
            Self::NotMoved => None,
        }
    }

    /// The square of the opponent's piece that was taken from `position`, if one was.
    pub(super) fn taken(self, position: &G) -> Option<G::Square> {
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

    /// Who owns the piece that stands on a square after it.
    pub(super) fn owner_after(self, position: &G, square: G::Square) -> Option<Side> {
        match self {
            Self::Placed(made) if square == made.to => position.owner(made.from),
            Self::Placed(made) if square == made.from || made.takes == Some(square) => None,
            Self::TwoHands(m) => position.after(m).owner(square),
            Self::Placed(_) | Self::NotMoved => position.owner(square),
        }
    }

    /// The board that it leaves, where the rules know such a position.
    pub(super) fn board(self, position: &G) -> Option<G> {
        match self {
            Self::Placed(made) => position.after_illegal(&made),
            Self::NotMoved => position.without(&[], !position.side()),
            Self::TwoHands(m) => Some(position.after(m)),
        }
    }
}

/// What must be answered before the game goes on.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Waits<G: Ruled> {
    /// A player chooses what the other must play.
    Choice { by: Side, ground: Ground, options: Vec<Choice<G>> },
    /// A player has an irregularity corrected, or accepts it.
    Correction(Box<Correction<G>>),
    /// The arbiter decides a claim of this player's, by a rule.
    Claim { by: Side, rule: Rule },
    /// The arbiter consents to a draw agreed upon.
    Consent,
    /// The arbiter repairs a sealed move, or not.
    Repair { by: Side, sheet: Sheet<G> },
}

/// An irregularity that the opponent has corrected, or lets stand (FMJD 5.4).
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Correction<G: Ruled> {
    /// Who decides.
    pub(super) by: Side,
    pub(super) ground: Ground,
    /// The position where it stands.
    pub(super) board: G,
    /// The legal move that it was, if it was one.
    pub(super) moved: Option<G::Move>,
    /// The piece that was touched for a reply.
    pub(super) touched: Option<G::Square>,
}

/// For White and Black, where the player demands to be mated: the opponent's moves since, or since the
/// last capture or pawn move of either.
pub(super) type Demands = [Option<u32>; 2];

/// The stage that the game has reached.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Stage<G: Ruled> {
    Play,
    /// A move is to be sealed; there may be one that can still be changed.
    Sealing {
        by: Side,
        sheet: Option<Sheet<G>>,
    },
    Adjourned {
        by: Side,
        sheet: Sheet<G>,
    },
    /// Resumed, but the player to reply is absent.
    Absent {
        by: Side,
        sheet: Sheet<G>,
    },
    Over(GameEnd),
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GameEnd {
    /// The result.
    pub outcome: GameOutcome,
    /// The rule that ended it.
    pub rule: Rule,
    /// Where the edition says it.
    pub article: &'static str,
    /// What White and Black score.
    pub points: [f64; 2],
}

/// What is left of odds.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Odds<G: Ruled> {
    pub(super) giver: Side,
    /// Moves that the receiver still makes in a row.
    pub(super) moves_left: u8,
    /// Moves that his first turn, and the giver's first move, count for.
    pub(super) moves: u8,
    /// The square of a rook that was given, while the king can castle towards it.
    pub(super) rook: Option<G::Square>,
}
