//! The referee, which takes a state and an event and returns a new state and rulings.
//!
//! The referee reads no clock and prints nothing. An impossible event returns [`Impossible`] and
//! changes nothing, because every handler checks before it writes. The log determines the game: the
//! same events lead to the same state and the same rulings.
//!
//! Comments cite the laws by article. `Par.` is FIDE 1928 and `Art.` is FIDE 1930. `annex` is the
//! annex on adjourned games in FIDE 2009. A number alone is FIDE 2009, or FIDE 2023 if the laws of
//! 2009 have no such article. In comments on draughts, a number alone is FMJD.

mod adjourn;
mod blind;
mod conduct;
mod course;
mod draughts;
mod draws;
mod found;
mod irregular;
mod notices;
mod odds;
mod parts;
mod play;
mod press;
pub mod regulations;
pub mod ruling;
mod setup;
mod sheets;
mod state;
mod stop;
mod time;
mod touch;
mod why;

use crate::base::side::Side;
use crate::laws::clock::{Clock, Reading};
use crate::laws::edition::Edition;
use crate::laws::event::grammar::Expected;
use crate::laws::event::possible::Possible;
use crate::laws::event::read::{self, Attempt, Boards, ReadError};
use crate::laws::event::{Act, Choice, Claim, Decide, Event, Fall, Incident, Intended, Sheet};
use crate::laws::language::Language;
use crate::laws::regulations::{Pace, Regulations};
use crate::laws::rule::{Case, Ground, Rule};
use crate::laws::ruled::{IllegalMove, Part, Ruled};
use crate::laws::ruling::{Decision, GameOutcome, Note, Right, Ruling, Rulings};
use rpds::VectorSync;
use smallvec::{SmallVec, smallvec};
use state::{Correction, Demands, Foul, Hand, Made, Odds, Origin, Owed, Ply, Stage, Waits, Wrong};
use stop::Halt;

pub use state::GameEnd;
pub use why::Impossible;
pub(crate) use why::Refused;
pub(super) use why::illegal;

#[derive(Clone, PartialEq, Debug)]
pub struct Referee<G: Ruled> {
    edition: Edition,
    rules: Regulations,
    pace: Pace,
    /// The positions from the start, never empty. Copies of a game share the positions.
    plies: VectorSync<Ply<G>>,
    hand: Hand<G>,
    clocks: [Clock; 2],
    /// The player who has moved but not pressed the clock.
    unpressed: Option<Side>,
    /// The player who has not pressed the clock after their last move, although the opponent has
    /// moved since.
    late_press: Option<Side>,
    /// Indexed by [`Side`]: true if the player has made a draw offer that is still open.
    offers: [bool; 2],
    /// The number of completed illegal moves of each player.
    fouls: [u8; 2],
    waits: Option<Waits<G>>,
    demands: Demands,
    /// The player with a deferred claim that the opponent cannot win by normal means (10.2).
    deferred: Option<Side>,
    /// The player who sealed and is absent, and the opponent's sealed reply.
    away: Option<(Side, Option<Sheet<G>>)>,
    /// The player who must reply but was absent when the envelope was opened.
    absent_responder: Option<Side>,
    resumed: Option<usize>,
    odds: Option<Odds<G>>,
    halted: Option<Halt>,
    /// In unsupervised play, the ply of a move that disregarded touched pieces, and these pieces.
    /// Reset when the opponent touches a piece.
    disregarded: Option<(usize, SmallVec<[G::Square; 4]>)>,
    /// The number of times each player has asked to see the score sheet.
    sheet_requests: [u8; 2],
    /// Indexed by [`Side`]: true if the player's score sheet is incomplete.
    behind: [bool; 2],
    /// Indexed by [`Side`]: true if the player must complete the score sheet before moving again.
    due: [bool; 2],
    /// Draughts: uncrowned kings, with their owners.
    uncrowned: SmallVec<[(Side, G::Square); 2]>,
    stage: Stage<G>,
    log: VectorSync<Event<G>>,
}

type Answer = Result<Rulings, Refused>;

impl<G: Ruled> Referee<G> {
    pub fn new(edition: Edition, rules: Regulations) -> Self {
        let clocks = Side::ALL.map(|side| Clock::new(&rules.budget_of(side, edition)));
        let readings = [clocks[0].reading(), clocks[1].reading()];
        let start = Ply {
            position: G::start(),
            played: Origin::Start,
            clocks: readings,
            demands: [None; 2],
            odds: None,
            irregular: false,
        };
        Self {
            edition,
            pace: rules.pace(edition),
            rules,
            plies: VectorSync::new_sync().push_back(start),
            hand: Hand::default(),
            clocks,
            unpressed: None,
            late_press: None,
            offers: [false; 2],
            fouls: [0; 2],
            waits: None,
            demands: [None; 2],
            deferred: None,
            away: None,
            absent_responder: None,
            resumed: None,
            odds: None,
            halted: None,
            disregarded: None,
            sheet_requests: [0; 2],
            behind: [false; 2],
            due: [false; 2],
            uncrowned: SmallVec::new(),
            stage: Stage::Play,
            log: VectorSync::new_sync(),
        }
    }

    pub const fn edition(&self) -> Edition {
        self.edition
    }

    /// Returns the position of the game, not including a pending illegal move.
    pub fn position(&self) -> &G {
        // `plies` is never empty, because `new` adds the start position and nothing removes it.
        &self.plies[self.plies()].position
    }

    /// Returns the player to move on the current board. An unnoticed illegal move and an
    /// irregularity that can still be corrected count as moves.
    pub fn on_turn(&self) -> Side {
        let side = self.to_move();
        match (self.correction(), &self.hand.foul) {
            (Some(correction), _) => correction.board.side(),
            (_, Some(_)) => !side,
            _ => side,
        }
    }

    /// Returns the board as FEN, including irregular moves.
    pub fn fen(&self) -> String {
        let position = self.position();
        let Some(foul) = &self.hand.foul else {
            return self.board().unwrap_or_else(|| position.clone()).to_fen();
        };
        match (foul.wrong, self.board()) {
            (_, Some(board)) => board.to_fen(),
            (Wrong::Placed(made), None) => position.illegal_fen(&[made]),
            (_, None) => position.to_fen(),
        }
    }

    pub fn plies(&self) -> usize {
        self.plies.len() - 1
    }

    pub const fn clock(&self, side: Side) -> &Clock {
        &self.clocks[side.index()]
    }

    pub const fn verdict(&self) -> Option<&GameEnd> {
        match &self.stage {
            Stage::Over(verdict) => Some(verdict),
            _ => None,
        }
    }

    /// Returns a claim of repetition or of fifty moves that is correct in the current position,
    /// without an intended move. Returns `None` if both would be wrong, if no claim is possible
    /// now, if the player to move has lost the right to claim by touching a piece, or if the
    /// edition's draws are automatic.
    pub fn claimable(&self) -> Option<Claim<G>> {
        let lost = self.edition.terms().draws_by_itself || self.has_lost_claim();
        if self.in_play().is_err() || lost {
            return None;
        }
        let claims =
            [(Claim::Repetition(None), Rule::Repetition), (Claim::Fifty(None), Rule::Fifty)];
        let occurrences = self.appearances();
        let right = |(_, rule): &(Claim<G>, Rule)| {
            self.edition.has(*rule) && self.check_claim(*rule, self.position(), occurrences).0
        };
        claims.into_iter().find(right).map(|(claim, _)| claim)
    }

    pub(super) fn is_over(&self) -> Option<Impossible> {
        self.verdict().map(|_| Impossible { why: Refused::Over, possible: Possible::in_game(self) })
    }

    pub fn article_of_end(&self) -> Option<&'static str> {
        self.verdict().map(|verdict| verdict.article)
    }

    /// Returns all events. Replaying them with the same edition and regulations restores this
    /// state.
    pub fn log(&self) -> impl Iterator<Item = &Event<G>> {
        self.log.iter()
    }

    /// Parses an [`event`](super::event) line in the context of the current board.
    pub fn read(&self, line: &str) -> Result<Event<G>, ReadError> {
        self.read_in(line, Language::English)
    }

    pub fn read_in(&self, line: &str, language: Language) -> Result<Event<G>, ReadError> {
        self.with_boards(|boards| read::read(boards, line, language))
    }

    pub(super) fn expected_after(&self, line: &str, language: Language) -> Vec<Expected> {
        self.with_boards(|boards| read::expectations(boards, line, language))
    }

    pub(super) fn attempt(&self, line: &str, form: usize) -> Attempt<G> {
        self.with_boards(|boards| read::attempt(boards, line, form))
    }

    fn with_boards<T>(&self, reads: impl FnOnce(&Boards<'_, G>) -> T) -> T {
        let of = |side| self.board_to_read(side);
        reads(&Boards { of: &of, castling: self.given_castling() })
    }

    /// Returns the board on which a player's moves are parsed, or the current board if no player is
    /// given.
    fn board_to_read(&self, side: Option<Side>) -> Result<G, Refused> {
        side.map_or_else(|| Ok(self.present()), |side| self.board_of(side))
    }

    /// Applies an event and returns the rulings on it.
    ///
    /// # Errors
    /// Returns an error if the event is impossible now. The game is then unchanged.
    pub fn rule(&mut self, event: Event<G>) -> Result<Rulings, Impossible> {
        match self.try_event(&event) {
            Ok(rulings) => {
                self.log.push_back_mut(event);
                Ok(rulings)
            }
            Err(why) => Err(Impossible { why, possible: Possible::in_game(self) }),
        }
    }

    /// Applies an event without logging it.
    pub(super) fn try_event(&mut self, event: &Event<G>) -> Answer {
        match event {
            Event::Player(side, act) => self.act(*side, act),
            Event::Game(incident) => self.incident(incident),
            Event::Notice(by, notice) => self.notice(*by, *notice),
        }
    }

    /// Returns a copy for testing whether events are accepted. Its rulings can differ, because it
    /// does not search for perpetual checks.
    pub(super) fn for_trials(&self) -> Self {
        let mut copy = self.clone();
        copy.rules.perpetual_limit = 1;
        copy
    }

    fn act(&mut self, side: Side, act: &Act<G>) -> Answer {
        match act {
            Act::Penalty(penalty) => return self.penalty(side, *penalty),
            _ if self.verdict().is_some() => return Err(Refused::Over),
            _ => {}
        }
        match act {
            Act::Touch(square) => self.touch(side, *square),
            Act::Brush(square) => self.brush(*square),
            Act::Adjust(square) => self.adjust(side, *square),
            Act::Release(from, to) => self.part(side, Part::Place(*from, *to)),
            Act::Remove(square) => self.part(side, Part::Remove(*square)),
            Act::Promote(letter) => self.part(side, Part::Promote(*letter)),
            Act::Move(m) => self.make(side, *m),
            Act::OutOfTurn(_) => self.move_out_of_turn(side),
            Act::Castle(rook) => self.castle_without(side, *rook),
            Act::Press(shown) => self.press(side, *shown),
            Act::Flag(Fall::Overstepped) => self.flag(side, None),
            Act::Flag(Fall::Open) => self.flag_open(side),
            Act::Offer => self.make_offer(side),
            Act::OfferIf => self.offer_conditionally(side),
            Act::Accept => self.accept(side),
            Act::Refuse => self.refuse(side),
            Act::Resign => self.resign(side),
            Act::Claim(Claim::FlagUp) => self.claim_flag_up(side),
            Act::Claim(Claim::Flag) => self.flag(!side, Some(side)),
            Act::Claim(Claim::Illegal) => self.claim_illegal(side),
            Act::Claim(Claim::Touch) => self.claim_touch(side),
            Act::Claim(claim) => self.claim(side, claim),
            Act::Demand => self.make_demand(side),
            Act::Announce(_) => self.announce(),
            Act::Illegal(made) => self.illegal(side, *made),
            Act::Hands(m) => self.two_hands(side, *m),
            Act::Irregular(board) => self.irregular(side, board),
            Act::Twice(m) => self.plays_twice(side, *m),
            Act::Retract => self.retract(side),
            Act::Unclear(m) => self.unclear(side, *m),
            Act::Enclose => self.enclose(side),
            Act::Light(square) => self.on_light_square(side, *square),
            Act::Choose(choice) => self.choose(side, choice),
            Act::Seal(sheet) => self.seal(side, sheet),
            Act::SealOffer(m) => self.seal_with_offer(side, *m),
            Act::Late(time) => self.late(side, *time),
            Act::Arrive(time) => self.arrive(side, *time),
            Act::Stop(reason) => self.stop(side, *reason),
            Act::Withdraw => self.withdraw(side),
            Act::Waive => self.waive(side),
            Act::Pause => self.pause(side),
            Act::Crown(square) => self.crown(*square),
            Act::Uncrowned(square) => self.leave_uncrowned(side, *square),
            Act::Record(recorded) => self.record(side, *recorded),
            Act::AskSheet => self.ask_sheet(side),
            Act::Say(m) => self.say(side, *m),
            Act::Feel(square) => self.feel(side, *square),
            Act::Misspeak => self.misspeak(side),
            Act::Exit => self.exit(side),
            Act::Upset => self.forfeit(side, Rule::Upset),
            Act::Leave => self.forfeit(side, Rule::RefusesToResume),
            Act::Disobey(deserved) => self.disobey(side, *deserved),
            Act::Phone => self.phone(side),
            Act::Device => self.device(side, Rule::Device),
            Act::RefuseSearch => self.refuse_search(side),
            Act::Clock(change) => self.set_clock(side, *change),
            Act::Penalty(_) => Err(Refused::Nothing),
        }
    }

    fn incident(&mut self, incident: &Incident<G>) -> Answer {
        if self.verdict().is_some() {
            return Err(Refused::Over);
        }
        match incident {
            Incident::Flags => self.flags(),
            Incident::Stop => self.stop_all(),
            Incident::Start => self.start(),
            Incident::Agree => self.agree(),
            Incident::BothResign => self.both_resign(),
            Incident::BothCorrect => self.correct_by_agreement(),
            Incident::BothLate(time) => self.both_late(*time),
            Incident::LateEach(times) => self.late_each(*times),
            Incident::BothDisobey => self.both_disobey(),
            Incident::Decide(Decide::Move(m)) => self.repair(*m),
            Incident::Decide(decision) => self.decide(decision),
            Incident::Adjourn => self.adjourn(),
            Incident::Resume(without) => self.resume(without.as_slice()),
            Incident::ResumeWithoutBoth => self.resume(&Side::ALL),
            Incident::EnvelopeLost => self.envelope_lost(),
            Incident::PositionLost => self.position_lost(),
            Incident::KingMisplaced(side) => self.king_misplaced(*side),
            Incident::RookMisplaced(square) => self.rook_misplaced(*square),
            Incident::Setup(start, moves) => self.set_up(start, moves),
            Incident::Odds { pieces, moves, by } => self.give_odds(pieces, *moves, *by),
            Incident::OddsMoves(moves, by) => self.give_odds(&[], *moves, *by),
        }
    }

    fn to_move(&self) -> Side {
        self.position().side()
    }

    fn last_mut(&mut self) -> &mut Ply<G> {
        let last = self.plies();
        &mut self.plies[last]
    }

    pub fn has_clock(&self) -> bool {
        self.clocks.iter().any(|clock| clock.remaining().is_some())
    }

    fn unsupervised(&self) -> Option<Rule> {
        match (self.edition.has(Rule::Rapid) && !self.rules.supervised, self.pace) {
            (true, Pace::Rapid) => Some(Rule::Rapid),
            (true, Pace::Blitz) => Some(Rule::Blitz),
            _ => None,
        }
    }

    /// Returns the rule that applies in unsupervised play: `precise` if the edition has it,
    /// otherwise the general rule on rapid play or blitz.
    fn unsupervised_by(&self, precise: Rule) -> Option<Rule> {
        self.unsupervised().map(|pace| if self.edition.has(precise) { precise } else { pace })
    }

    /// Returns the number of moves that a side has made. If the game began from a set-up position,
    /// this includes the moves before that position, as given by its move number.
    fn moves_of(&self, side: Side) -> u32 {
        let first = &self.plies[0];
        let numbered = first.position.first_number().saturating_sub(1);
        // In a game at odds, Black can have the first move. White has then not moved before.
        let begun = !first.position.side().is_white() && first.odds.is_none();
        let before = numbered + u32::from(side.is_white() && begun);
        let own = |ply: &&Ply<G>| ply.position.side() == side;
        before + self.plies.iter().take(self.plies()).filter(own).count() as u32
    }

    fn has_case(&self, rule: Rule, case: Case) -> bool {
        self.edition.law(rule).is_some_and(|law| law.has_case(case))
    }

    fn require(&self, rule: Rule) -> Result<(), Refused> {
        if self.edition.has(rule) { Ok(()) } else { Err(Refused::Unknown(self.edition, rule)) }
    }

    /// Checks that the game is in play and no decision is pending.
    fn in_play(&self) -> Result<(), Refused> {
        match (&self.stage, &self.waits) {
            (Stage::Over(_), _) => Err(Refused::Over),
            (Stage::Play, None) => Ok(()),
            // Black is to seal, but White is to move. White first makes a move (Par. 21).
            (Stage::Sealing { by, sheet: None }, None) if *by != self.to_move() => Ok(()),
            (Stage::Play, Some(Waits::Choice { by, .. })) => Err(Refused::Choosing(*by)),
            (Stage::Play, Some(Waits::Correction(correction))) => {
                Err(Refused::Choosing(correction.by))
            }
            (Stage::Play, Some(_)) => Err(Refused::Deciding),
            _ => Err(Refused::Adjourned),
        }
    }

    fn offered(&self, side: Side) -> bool {
        self.offers[side.index()]
    }

    /// Returns whether the board shows an uncorrected illegal move.
    fn shows_illegal(&self) -> bool {
        self.plies.last().is_some_and(|ply| ply.irregular)
    }

    fn turn(&self, side: Side) -> Result<(), Refused> {
        if self.on_turn() == side { Ok(()) } else { Err(Refused::Turn(self.on_turn())) }
    }

    fn article(&self, ground: Ground) -> &'static str {
        self.edition.law(ground.rule).map_or("", |law| law.article_when(ground.case))
    }

    fn ruling(&self, ground: impl Into<Ground>, decision: Decision) -> Ruling {
        let ground = ground.into();
        Ruling { rule: ground.rule, article: self.article(ground), decision, note: None }
    }

    fn only(&self, ground: impl Into<Ground>, decision: Decision) -> Answer {
        Ok(smallvec![self.ruling(ground, decision)])
    }

    /// Returns the ruling that a claim is rejected, with the reason, if it is known.
    fn reject(
        &self,
        ground: impl Into<Ground>,
        side: Side,
        reason: impl Into<Option<Note>>,
    ) -> Answer {
        Ok(smallvec![self.ruling(ground, Decision::Refused(side)).with_note(reason)])
    }

    fn finish(&mut self, ground: impl Into<Ground>, outcome: GameOutcome) -> Ruling {
        let ground = ground.into();
        let scoring = self.rules.points;
        let points = match outcome {
            GameOutcome::White => [scoring.win, scoring.loss],
            GameOutcome::Black => [scoring.loss, scoring.win],
            GameOutcome::Draw => [scoring.draw; 2],
            GameOutcome::BothLose => [scoring.loss; 2],
            GameOutcome::LostByWhite => [scoring.loss, scoring.draw],
            GameOutcome::LostByBlack => [scoring.draw, scoring.loss],
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

    /// Returns the irregularity that the opponent may accept or have corrected. The decision may
    /// have to wait for the arbiter's consent to a draw.
    fn correction(&self) -> Option<&Correction<G>> {
        match self.waits.as_ref()? {
            Waits::Correction(correction) => Some(correction),
            Waits::Consent(Some(pending)) => match &**pending {
                Waits::Correction(correction) => Some(correction),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the board with the pending illegal move, or with the irregularity that the opponent
    /// may accept. Returns `None` if nothing is pending or no position represents the board.
    pub(super) fn board(&self) -> Option<G> {
        if let Some(correction) = self.correction() {
            return Some(correction.board.clone());
        }
        self.hand.foul.as_ref()?.wrong.board(self.position())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;

    fn referee(edition: Edition, lines: &[&str]) -> Referee<Position> {
        let mut referee = Referee::new(edition, Regulations::default());
        for line in lines {
            let event = referee.read(line).unwrap_or_else(|error| panic!("{line}: {error}"));
            referee.rule(event).unwrap_or_else(|error| panic!("{line}: {error}"));
        }
        referee
    }

    #[test]
    fn no_claim_is_possible_after_touching_a_piece() {
        let mut lines = Vec::new();
        for _ in 0..2 {
            lines.extend([
                "white move g1f3",
                "black move g8f6",
                "white move f3g1",
                "black move f6g8",
            ]);
        }
        let repetition = Some(Claim::Repetition(None));
        assert_eq!(referee(Edition::Fide2009, &lines).claimable(), repetition);
        lines.push("white touch e2");
        assert_eq!(referee(Edition::Fide2009, &lines).claimable(), None);
        // The edition of 1930 has no such rule.
        assert_eq!(referee(Edition::Fide1930, &lines).claimable(), repetition);
    }

    #[test]
    fn the_envelope_counts_the_moves_made_by_its_player() {
        let odds =
            ["odds 3 moves by black", "white move a2a3", "white move b2b3", "white move c2c3"];
        let lines = [&odds[..], &["black move e7e5", "adjourn", "white seal d2d3"]].concat();
        let envelope = referee(Edition::Fide1930, &lines).envelope();
        assert_eq!(envelope.map(|envelope| envelope.number), Some(4));
    }
}
