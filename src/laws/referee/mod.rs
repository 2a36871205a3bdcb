//! The referee: a state and an event give a new state and rulings.
//!
//! Nothing here reads a clock or prints. An event that cannot happen now is refused as [`Impossible`],
//! and then nothing has changed: every handler checks before it writes. A game is its log: the same
//! events give the same state and the same rulings again.

mod adjourn;
mod conduct;
mod draughts;
mod draws;
mod irregular;
mod odds;
mod play;
mod setup;
mod sheets;
mod stop;
mod time;
mod touch;

use super::clock::{Clock, Reading};
use super::edition::Edition;
use super::event::{Act, Choice, Claim, Decide, Event, Incident, Intended, Sheet, word};
use super::language::Language;
use super::possible::Possible;
use super::read::{self, ReadError};
use super::regulations::{Pace, Regulations};
use super::rule::{Case, Ground, Rule};
use super::ruled::{IllegalMove, Part, Ruled};
use super::ruling::{Decision, GameOutcome, Right, Ruling, Rulings};
use crate::base::side::Side;
use rpds::VectorSync;
use smallvec::{SmallVec, smallvec};
use stop::Halt;

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
    #[error("the illegal move left no legal position, so it must be pointed out")]
    Unjudgeable,
    /// Only before the game.
    #[error("moves were made already")]
    Started,
    /// The clocks stand.
    #[error("the clocks stand until the arbiter says `start`")]
    Halted,
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
pub(super) fn illegal(side: Side, squares: &str) -> String {
    format!("{} illegal {squares}", word(side))
}

/// A position of the game, and how it came about.
#[derive(Clone, PartialEq, Debug)]
struct Ply<G: Ruled> {
    position: G,
    played: Origin<G>,
    /// What the clocks showed when they were last pressed in this position.
    clocks: [Reading; 2],
    demands: Demands,
    /// What was left of the odds then.
    odds: Option<Odds<G>>,
}

/// How a position came about.
#[derive(Clone, PartialEq, Debug)]
enum Origin<G: Ruled> {
    Start,
    Move,
    /// An illegal move that was not corrected.
    Illegal(Wrong<G>),
    /// An irregularity that was accepted, or part of odds: no position before it comes back by moves.
    Irregular,
}

/// What the player to move has touched and done so far.
#[derive(Clone, PartialEq, Debug)]
struct Hand<G: Ruled> {
    /// Touched squares in their order.
    touched: SmallVec<[G::Square; 4]>,
    /// The parts of a move that were done.
    parts: SmallVec<[Part<G::Square>; 4]>,
    /// The moves that a ruling demands of him, apart from what he touched.
    held: Option<(Ground, Vec<G::Move>)>,
    /// The illegal move that stands on the board.
    foul: Option<Foul<G>>,
}

impl<G: Ruled> Default for Hand<G> {
    fn default() -> Self {
        Self { touched: SmallVec::new(), parts: SmallVec::new(), held: None, foul: None }
    }
}

/// An illegal move that has just been made.
#[derive(Clone, PartialEq, Debug)]
struct Foul<G: Ruled> {
    wrong: Wrong<G>,
    /// Whether the clock was pressed, or none is used.
    completed: bool,
    /// The illegal move by which the opponent has answered it.
    answer: Option<IllegalMove<G::Square>>,
}

/// What makes a move illegal.
#[derive(PartialEq, Debug)]
enum Wrong<G: Ruled> {
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
    fn from(self) -> Option<G::Square> {
        match self {
            Self::Placed(made) => Some(made.from),
            Self::TwoHands(m) => Some(G::mover(m)),
            Self::NotMoved => None,
        }
    }

    /// The square of the opponent's piece that was taken from `position`, if one was.
    fn taken(self, position: &G) -> Option<G::Square> {
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

    /// The board that it leaves, where the rules know such a position.
    fn board(self, position: &G) -> Option<G> {
        match self {
            Self::Placed(made) => position.after_illegal(&made),
            Self::NotMoved => position.without(&[], !position.side()),
            Self::TwoHands(m) => Some(position.after(m)),
        }
    }
}

/// What must be answered before the game goes on.
#[derive(Clone, PartialEq, Debug)]
enum Waits<G: Ruled> {
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
struct Correction<G: Ruled> {
    /// Who decides.
    by: Side,
    ground: Ground,
    /// The position where it stands.
    board: G,
    /// The legal move that it was, if it was one.
    moved: Option<G::Move>,
    /// The piece that was touched for a reply.
    touched: Option<G::Square>,
}

/// For White and Black, where the player demands to be mated: the opponent's moves since, or since the
/// last capture or pawn move of either.
type Demands = [Option<u32>; 2];

/// The stage that the game has reached.
#[derive(Clone, PartialEq, Debug)]
enum Stage<G: Ruled> {
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
struct Odds<G: Ruled> {
    giver: Side,
    /// Moves that the receiver still makes in a row.
    moves_left: u8,
    /// Moves that his first turn, and the giver's first move, count for.
    moves: u8,
    /// The square of a rook that was given, while the king can castle towards it.
    rook: Option<G::Square>,
}

/// A game before its referee.
#[derive(Clone, PartialEq, Debug)]
pub struct Referee<G: Ruled> {
    edition: Edition,
    rules: Regulations,
    pace: Pace,
    /// The start position first. Never empty. Copies of a game share it.
    plies: VectorSync<Ply<G>>,
    hand: Hand<G>,
    clocks: [Clock; 2],
    /// Who has moved and not pressed the clock.
    unpressed: Option<Side>,
    /// Who has not pressed his clock after his last move, though the opponent has moved since.
    late_press: Option<Side>,
    offer: Option<Side>,
    /// Completed illegal moves.
    fouls: [u8; 2],
    waits: Option<Waits<G>>,
    demands: Demands,
    /// Whose claim of 10.2 is put off.
    deferred: Option<Side>,
    /// The player who sealed and has not come; his opponent's sealed reply.
    away: Option<(Side, Option<Sheet<G>>)>,
    /// The plies after which the game was last resumed.
    resumed: Option<usize>,
    odds: Option<Odds<G>>,
    /// Who has stopped both clocks.
    halted: Option<Halt>,
    /// Without supervision: the ply that disregarded these touched pieces, until the opponent touches one.
    disregarded: Option<(usize, SmallVec<[G::Square; 4]>)>,
    /// Whose score sheet is not complete.
    behind: [bool; 2],
    /// Draughts: kings that wait for their crown, with their owners.
    uncrowned: SmallVec<[(Side, G::Square); 2]>,
    stage: Stage<G>,
    log: VectorSync<Event<G>>,
}

type Answer = Result<Rulings, Why>;

impl<G: Ruled> Referee<G> {
    /// A game from the start position.
    pub fn new(edition: Edition, rules: Regulations) -> Self {
        let clocks = Side::ALL.map(|side| Clock::new(&rules.budget_of(side, edition)));
        let readings = [clocks[0].reading(), clocks[1].reading()];
        let start = Ply {
            position: G::start(),
            played: Origin::Start,
            clocks: readings,
            demands: [None; 2],
            odds: None,
        };
        Self {
            edition,
            pace: Pace::of(&rules.budget(edition), edition.terms().blitz),
            rules,
            plies: VectorSync::new_sync().push_back(start),
            hand: Hand::default(),
            clocks,
            unpressed: None,
            late_press: None,
            offer: None,
            fouls: [0; 2],
            waits: None,
            demands: [None; 2],
            deferred: None,
            away: None,
            resumed: None,
            odds: None,
            halted: None,
            disregarded: None,
            behind: [false; 2],
            uncrowned: SmallVec::new(),
            stage: Stage::Play,
            log: VectorSync::new_sync(),
        }
    }

    /// The edition.
    pub const fn edition(&self) -> Edition {
        self.edition
    }

    /// The position of the game. An illegal move that stands uncorrected is not in it.
    pub fn position(&self) -> &G {
        // Never empty: `new` puts the start there, and nothing takes it.
        &self.plies[self.plies()].position
    }

    /// Who is to move on the board as it stands: an illegal move that nobody has noticed is a move, and
    /// so is what a player can still have corrected. Errors, state lines and files all say this.
    pub fn on_turn(&self) -> Side {
        let side = self.to_move();
        match (&self.waits, &self.hand.foul) {
            (Some(Waits::Correction(correction)), _) => correction.board.side(),
            (_, Some(foul)) if foul.answer.is_some() => side,
            (_, Some(_)) => !side,
            _ => side,
        }
    }

    /// The board as it stands, as FEN, irregular moves on it included.
    pub fn fen(&self) -> String {
        let position = self.position();
        let Some(foul) = &self.hand.foul else {
            return self.board().unwrap_or_else(|| position.clone()).to_fen();
        };
        let answer = foul.answer.as_slice();
        match (foul.wrong, self.board()) {
            (Wrong::Placed(made), _) => position.illegal_fen(&[&[made][..], answer].concat()),
            (_, Some(board)) => board.illegal_fen(answer),
            // Nothing was moved, and the king is left in check.
            (_, None) => {
                let stays = position.moves().first().map(|&m| IllegalMove::stays(G::mover(m)));
                position.illegal_fen(&[stays.as_slice(), answer].concat())
            }
        }
    }

    /// The plies played.
    pub fn plies(&self) -> usize {
        self.plies.len() - 1
    }

    /// A player's clock.
    pub const fn clock(&self, side: Side) -> &Clock {
        &self.clocks[side.index()]
    }

    /// How the game ended, if it has.
    pub const fn verdict(&self) -> Option<&GameEnd> {
        match &self.stage {
            Stage::Over(verdict) => Some(verdict),
            _ => None,
        }
    }

    /// What the player to move can claim with right, as the board stands and without a move that he
    /// intends. Where draws come by themselves there is nothing to claim.
    pub fn claimable(&self) -> Option<Claim> {
        if self.in_play().is_err() || self.edition.terms().draws_by_itself {
            return None;
        }
        let claims = [(Claim::Repetition, Rule::Repetition), (Claim::Fifty, Rule::Fifty)];
        let stood = self.appearances();
        let right = |(_, rule): &(Claim, Rule)| {
            self.edition.has(*rule) && self.counted(*rule, self.position(), stood).0
        };
        claims.into_iter().find(right).map(|(claim, _)| claim)
    }

    /// The answer to any event of play after the end of the game.
    pub(super) fn is_over(&self) -> Option<Impossible> {
        self.verdict().map(|_| Impossible { why: Why::Over, possible: Possible::in_game(self) })
    }

    /// The article by which the game ended; `None` while it goes on.
    pub fn article_of_end(&self) -> Option<&'static str> {
        self.verdict().map(|verdict| verdict.article)
    }

    /// The events ruled on. Ruled on again they give this state.
    pub fn log(&self) -> impl Iterator<Item = &Event<G>> {
        self.log.iter()
    }

    /// Reads a line of the language of [`event`](super::event) at the board as it stands.
    ///
    /// # Errors
    /// Where and why it cannot be read.
    pub fn read(&self, line: &str) -> Result<Event<G>, ReadError> {
        self.read_in(line, Language::English)
    }

    /// The same with the letters of pieces of a language.
    ///
    /// # Errors
    /// Where and why it cannot be read.
    pub fn read_in(&self, line: &str, language: Language) -> Result<Event<G>, ReadError> {
        let present = || self.board().unwrap_or_else(|| self.position().clone());
        let boards =
            |side: Option<Side>| side.map_or_else(|| Ok(present()), |side| self.board_of(side));
        read::read(&boards, line, language)
    }

    /// Rules on an event.
    ///
    /// # Errors
    /// If it cannot happen now; then nothing has changed.
    pub fn rule(&mut self, event: Event<G>) -> Result<Rulings, Impossible> {
        match self.try_event(&event) {
            Ok(rulings) => {
                self.log.push_back_mut(event);
                Ok(rulings)
            }
            Err(why) => Err(Impossible { why, possible: Possible::in_game(self) }),
        }
    }

    /// Rules on an event without keeping it.
    pub(super) fn try_event(&mut self, event: &Event<G>) -> Answer {
        match event {
            Event::Player(side, act) => self.act(*side, act),
            Event::Game(incident) => self.incident(incident),
        }
    }

    /// A copy that tells whether an event would be accepted, and not always what would be ruled: it
    /// proves no perpetual check.
    pub(super) fn for_trials(&self) -> Self {
        let mut copy = self.clone();
        copy.rules.perpetual_limit = 1;
        copy
    }

    fn act(&mut self, side: Side, act: &Act<G>) -> Answer {
        match act {
            Act::Penalty(penalty) => return self.penalty(side, *penalty),
            Act::Notice(notice) => return self.notice(Some(side), *notice),
            _ if self.verdict().is_some() => return Err(Why::Over),
            _ => {}
        }
        match act {
            Act::Touch(square) => self.touch(side, *square),
            Act::Adjust(square) => self.adjust(side, *square),
            Act::Release(from, to) => self.part(side, Part::Place(*from, *to)),
            Act::Remove(square) => self.part(side, Part::Remove(*square)),
            Act::Promote(letter) => self.part(side, Part::Promote(*letter)),
            Act::Move(m) => self.make(side, *m),
            Act::Castle(rook) => self.castle_without(side, *rook),
            Act::Press(shown) => self.press(side, *shown),
            Act::Flag => self.flag(side, None),
            Act::Offer => self.make_offer(side),
            Act::Accept => self.accept(side),
            Act::Refuse => self.refuse(side),
            Act::Resign => self.resign(side),
            Act::Claim(Claim::Flag, _) => self.flag(!side, Some(side)),
            Act::Claim(Claim::Illegal, _) => self.claim_illegal(side),
            Act::Claim(Claim::Touch, _) => self.claim_touch(side),
            Act::Claim(claim, by) => self.claim(side, *claim, by.as_ref()),
            Act::Demand => self.make_demand(side),
            Act::Announce(_) => self.announce(),
            Act::Illegal(made) => self.illegal(side, *made),
            Act::Hands(m) => self.two_hands(side, *m),
            Act::Irregular(board) => self.irregular(side, board),
            Act::Choose(choice) => self.choose(side, choice),
            Act::Seal(sheet) => self.seal(side, sheet),
            Act::Late(time) => self.late(side, *time),
            Act::Arrive(time) => self.arrive(side, *time),
            Act::Stop(reason) => self.stop(side, *reason),
            Act::Withdraw => self.withdraw(side),
            Act::Waive => self.waive(side),
            Act::Pause => self.pause(side),
            Act::Crown(square) => self.crown(*square),
            Act::Uncrowned(square) => self.leave_uncrowned(side, *square),
            Act::Record(recorded) => self.record(side, *recorded),
            Act::Misspeak => self.misspeak(side),
            Act::Exit => self.exit(side),
            Act::Upset => self.forfeit(side, Rule::Upset),
            Act::Leave => self.forfeit(side, Rule::RefusesToResume),
            Act::Disobey(deserved) => self.disobey(side, *deserved),
            Act::Phone => self.phone(side),
            Act::Device => self.device(side, Rule::Device),
            Act::Clock(change) => self.set_clock(side, *change),
            Act::Penalty(_) | Act::Notice(_) => Err(Why::Nothing),
        }
    }

    fn incident(&mut self, incident: &Incident<G>) -> Answer {
        if let Incident::Notice(notice) = incident {
            return self.notice(None, *notice);
        }
        if self.verdict().is_some() {
            return Err(Why::Over);
        }
        match incident {
            Incident::Flags => self.flags(),
            Incident::Stop => self.stop_all(),
            Incident::Start => self.start(),
            Incident::Agree => self.agree(),
            Incident::BothLate(time) => self.both_late(*time),
            Incident::BothDisobey => self.both_disobey(),
            Incident::Notice(_) => Err(Why::Nothing),
            Incident::Decide(Decide::Move(m)) => self.repair(*m),
            Incident::Decide(decision) => self.decide(decision),
            Incident::Adjourn => self.adjourn(),
            Incident::Resume(without) => self.resume(without.as_slice()),
            Incident::ResumeWithoutBoth => self.resume(&Side::ALL),
            Incident::EnvelopeLost => self.envelope_lost(),
            Incident::PositionLost => self.position_lost(),
            Incident::Setup(start, moves) => self.set_up(start, moves),
            Incident::Odds { pieces, moves, by } => self.give_odds(pieces, *moves, *by),
        }
    }

    // ---------------------------------------------------------------------- what handlers share

    fn to_move(&self) -> Side {
        self.position().side()
    }

    /// The last position, to be changed.
    fn last_mut(&mut self) -> &mut Ply<G> {
        let last = self.plies();
        &mut self.plies[last]
    }

    /// Whether a clock runs for either player.
    pub fn has_clock(&self) -> bool {
        self.clocks.iter().any(|clock| clock.remaining().is_some())
    }

    /// Rapid play or blitz that nobody watches.
    fn unsupervised(&self) -> Option<Rule> {
        match (self.edition.has(Rule::Rapid) && !self.rules.supervised, self.pace) {
            (true, Pace::Rapid) => Some(Rule::Rapid),
            (true, Pace::Blitz) => Some(Rule::Blitz),
            _ => None,
        }
    }

    /// A rule on play without supervision, by its own article where the edition has one.
    fn unsupervised_by(&self, precise: Rule) -> Option<Rule> {
        self.unsupervised().map(|pace| if self.edition.has(precise) { precise } else { pace })
    }

    /// The moves that a side has made, those before a set-up included.
    fn moves_of(&self, side: Side) -> u32 {
        let first = &self.plies[0].position;
        let before = first.first_number().saturating_sub(1);
        let black_first = u32::from(!first.side().is_white());
        let plies = self.plies() as u32 + black_first;
        match side {
            Side::White => before + plies.div_ceil(2),
            Side::Black => before + plies / 2,
        }
    }

    /// The edition's law on a rule tells this case apart.
    fn tells(&self, rule: Rule, case: Case) -> bool {
        self.edition.law(rule).is_some_and(|law| law.tells(case))
    }

    /// The edition knows the rule.
    fn knows(&self, rule: Rule) -> Result<(), Why> {
        if self.edition.has(rule) { Ok(()) } else { Err(Why::Unknown(self.edition, rule)) }
    }

    /// The game is being played, and nothing has to be answered first.
    fn in_play(&self) -> Result<(), Why> {
        match (&self.stage, &self.waits) {
            (Stage::Over(_), _) => Err(Why::Over),
            (Stage::Play, None) => Ok(()),
            // The player who does not seal still owes a move (Par. 21).
            (Stage::Sealing { by, sheet: None }, None) if *by != self.to_move() => Ok(()),
            (Stage::Play, Some(Waits::Choice { by, .. })) => Err(Why::Choosing(*by)),
            (Stage::Play, Some(Waits::Correction(correction))) => Err(Why::Choosing(correction.by)),
            (Stage::Play, Some(_)) => Err(Why::Deciding),
            _ => Err(Why::Adjourned),
        }
    }

    fn turn(&self, side: Side) -> Result<(), Why> {
        if self.on_turn() == side { Ok(()) } else { Err(Why::Turn(self.on_turn())) }
    }

    fn article(&self, ground: Ground) -> &'static str {
        self.edition.law(ground.rule).map_or("", |law| law.article_when(ground.case))
    }

    fn ruling(&self, ground: impl Into<Ground>, decision: Decision) -> Ruling {
        let ground = ground.into();
        Ruling { rule: ground.rule, article: self.article(ground), decision }
    }

    fn only(&self, ground: impl Into<Ground>, decision: Decision) -> Answer {
        Ok(smallvec![self.ruling(ground, decision)])
    }

    /// Ends the game.
    fn finish(&mut self, ground: impl Into<Ground>, outcome: GameOutcome) -> Ruling {
        let ground = ground.into();
        let worth = self.rules.points;
        let points = match outcome {
            GameOutcome::White => [worth.win, worth.loss],
            GameOutcome::Black => [worth.loss, worth.win],
            GameOutcome::Draw => [worth.draw; 2],
            GameOutcome::BothLose => [worth.loss; 2],
            GameOutcome::LostByWhite => [worth.loss, worth.draw],
            GameOutcome::LostByBlack => [worth.draw, worth.loss],
            GameOutcome::Annulled => [0.0; 2],
        };
        let (rule, article) = (ground.rule, self.article(ground));
        self.stage = Stage::Over(GameEnd { outcome, rule, article, points });
        self.waits = None;
        self.ruling(ground, Decision::Result(outcome))
    }

    fn texts(moves: &[G::Move]) -> Vec<String> {
        moves.iter().map(|&m| G::move_text(m)).collect()
    }

    /// The board as it stands: with an illegal move on it, or what the opponent may accept.
    pub(super) fn board(&self) -> Option<G> {
        if let Some(Waits::Correction(correction)) = &self.waits {
            return Some(correction.board.clone());
        }
        self.hand.foul.as_ref()?.wrong.board(self.position())
    }
}
