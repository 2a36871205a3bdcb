//! Draws by agreement, claim or demand (Par. 15; Art. 16; 9 and 10; FMJD 7.3).

use super::*;
use crate::laws::mating::perpetual::Proof;
use std::time::Duration;

impl<G: Ruled> Referee<G> {
    fn can_agree(&self) -> Result<Rule, Refused> {
        match self.stage {
            Stage::Adjourned { .. } | Stage::Absent { .. } | Stage::Sealing { .. } => {
                let has_rule = self.edition.has(Rule::EndsAdjourned);
                Ok(if has_rule { Rule::EndsAdjourned } else { Rule::Agreement })
            }
            // Players can agree to a draw while a choice is pending.
            Stage::Play
                if matches!(self.waits, Some(Waits::Choice { .. } | Waits::Correction(_))) =>
            {
                Ok(Rule::Agreement)
            }
            _ => self.in_play().map(|()| Rule::Agreement),
        }
    }

    fn agreement_barred(&self) -> bool {
        let moves = Side::ALL.map(|side| self.moves_of(side));
        self.barred_by_law() || moves.into_iter().any(|moves| moves < self.rules.draws_after)
    }

    fn barred_by_law(&self) -> bool {
        self.moves_of(Side::Black) < self.edition.terms().agreement_after
    }

    pub(super) fn make_offer(&mut self, side: Side) -> Answer {
        self.can_agree()?;
        if self.offered(side) {
            return Err(Refused::Offered);
        }
        if self.agreement_barred() {
            return self.only(Rule::Agreement.when(Case::Barred), Decision::Barred(side));
        }
        self.offers[side.index()] = true;
        let ground = match self.stage {
            Stage::Play => Rule::Offer.into(),
            _ => Rule::Offer.when(Case::Adjourned),
        };
        self.only(ground, Decision::Offered(side))
    }

    /// Handles a conditional offer, which does not count as an offer (9.1 b i; 9.1.2.1 of 2023).
    pub(super) fn offer_conditionally(&self, side: Side) -> Answer {
        self.require(Rule::ClaimOffers)?;
        self.can_agree()?;
        if self.offered(side) {
            return Err(Refused::Offered);
        }
        self.only(Rule::Offer.when(Case::Barred), Decision::Barred(side))
    }

    pub(super) fn accept(&mut self, side: Side) -> Answer {
        let rule = match (&self.waits, &self.stage) {
            // A claim counts as an offer until the arbiter has decided on it (9.1 b iii).
            (Some(Waits::Claim { .. }), Stage::Play) => Rule::Agreement,
            _ => self.can_agree()?,
        };
        if !self.offered(!side) {
            return Err(Refused::NoOffer(!side));
        }
        if self.rules.draws_need_arbiter {
            return self.ask_consent();
        }
        Ok(smallvec![self.finish(rule, GameOutcome::Draw)])
    }

    /// Leaves an agreed draw to the arbiter. A decision that is already pending is made afterwards
    /// if the arbiter rejects the draw.
    fn ask_consent(&mut self) -> Answer {
        let pending = match self.waits.take() {
            Some(Waits::Consent(pending)) => pending,
            pending => pending.map(Box::new),
        };
        self.waits = Some(Waits::Consent(pending));
        self.only(Rule::Agreement.when(Case::Consent), Decision::Arbiter)
    }

    pub(super) fn refuse(&mut self, side: Side) -> Answer {
        if !matches!(self.waits, Some(Waits::Claim { .. })) {
            self.can_agree()?;
        }
        if !self.offered(!side) {
            return Err(Refused::NoOffer(!side));
        }
        let mut rulings = Rulings::new();
        self.decline(side, &mut rulings);
        Ok(rulings)
    }

    /// Handles a draw by agreement. An agreement that comes too early is rejected or, in some
    /// editions, needs the arbiter's consent (9.1 a).
    pub(super) fn agree(&mut self) -> Answer {
        let rule = self.can_agree()?;
        let too_soon = self.agreement_barred();
        if self.barred_by_law() {
            return self.only(Rule::Agreement.when(Case::NotMoved), Decision::Continues);
        }
        if too_soon && !self.has_case(Rule::Agreement, Case::Consent) {
            return self.only(Rule::Agreement.when(Case::Barred), Decision::Continues);
        }
        if too_soon || self.rules.draws_need_arbiter {
            return self.ask_consent();
        }
        Ok(smallvec![self.finish(rule, GameOutcome::Draw)])
    }

    /// Handles the withdrawal of an offer or claim. Only an undecided claim of perpetual check
    /// can be withdrawn (9.1 b i, 9.5).
    pub(super) fn withdraw(&mut self, side: Side) -> Answer {
        let offered = self.offered(side);
        match &self.waits {
            Some(Waits::Claim { by, rule: Rule::Perpetual }) if *by == side => {
                self.waits = None;
                self.only(Rule::Perpetual, Decision::Continues)
            }
            Some(Waits::Claim { by, rule }) if *by == side && !offered => {
                self.only(*rule, Decision::Barred(side))
            }
            _ if self.holds_claimed_move(side) => {
                self.only(Rule::ClaimStands, Decision::Barred(side))
            }
            _ if offered => self.only(Rule::Offer, Decision::Barred(side)),
            _ => Err(Refused::Nothing),
        }
    }

    fn holds_claimed_move(&self, side: Side) -> bool {
        let claimed = |(ground, _): &(Ground, Vec<G::Move>)| ground.rule == Rule::ClaimWrong;
        self.edition.has(Rule::ClaimStands)
            && self.to_move() == side
            && self.hand.restriction.as_ref().is_some_and(claimed)
    }

    pub(super) fn claim(&mut self, side: Side, claim: &Claim<G>) -> Answer {
        // A player who was told to seal still has the move and can claim.
        if !matches!(self.stage, Stage::Sealing { by, .. } if by == side) {
            self.in_play()?;
        }
        match claim {
            Claim::Repetition(_) if self.edition.terms().draws_by_itself => {
                Err(Refused::Unknown(self.edition, Rule::RepetitionByMove))
            }
            Claim::Repetition(None) => self.claim_repetition_or_fifty(side, Rule::Repetition, None),
            Claim::Repetition(by) => {
                self.claim_repetition_or_fifty(side, Rule::RepetitionByMove, by.as_ref())
            }
            Claim::Fifty(None) => self.claim_repetition_or_fifty(side, Rule::Fifty, None),
            Claim::Fifty(by) => {
                self.claim_repetition_or_fifty(side, Rule::FiftyByMove, by.as_ref())
            }
            Claim::Perpetual => self.claim_perpetual(side),
            Claim::Winless => self.claim_winless(side),
            Claim::Demand => self.claim_demand(side),
            Claim::Increment => self.ask_increment(side),
            Claim::Flag | Claim::FlagUp | Claim::Illegal | Claim::Touch => Err(Refused::Nothing),
        }
    }

    /// Returns the number of moves by each side after which a draw can be claimed, and the rule for
    /// the claim. If an ending takes more than fifty moves to win, the limit is twice the number of
    /// moves that it takes (Art. 16).
    fn limit(&self) -> (u32, Rule) {
        let needed = self.edition.has(Rule::MoreThanFifty).then(|| {
            let material = self.position().material();
            let same = |name: &&String| **name == material || swapped(&material) == **name;
            let found = self.rules.theory.keys().find(same)?;
            self.rules.theory.get(found).copied()
        });
        match needed.flatten() {
            Some(moves) if moves > 50 => (moves.saturating_mul(2), Rule::MoreThanFifty),
            _ => (50, Rule::Fifty),
        }
    }

    /// Handles a draw claim by repetition or under the 50-move rule, either in the current position
    /// or after an intended move.
    fn claim_repetition_or_fifty(
        &mut self,
        side: Side,
        rule: Rule,
        by: Option<&Intended<G>>,
    ) -> Answer {
        self.require(rule)?;
        let modern = self.edition.has(Rule::ClaimLost);
        if self.turn(side).is_err() && modern {
            // Only the player to move can claim.
            return self.reject(rule, side, Note::Turn(self.on_turn()));
        }
        if by.is_some() {
            self.turn(side)?;
        }
        let illegal = self.hand.foul.is_some();
        let board = if illegal { self.board_of(side)? } else { self.position().clone() };
        let intended = match by {
            Some(Intended::Move(m)) => Some(*m),
            Some(Intended::Illegal(from, to)) if !modern => {
                return Err(Refused::NotLegal(format!("{from}{to}")));
            }
            _ => None,
        };
        if let Some(m) = intended.filter(|&m| !board.is_playable(m)) {
            return Err(Refused::NotLegal(G::move_text(m)));
        }
        if self.has_lost_claim() {
            return self.only(Rule::ClaimLost, Decision::Forfeits(side, Right::Claim));
        }
        let reached = intended.map(|m| board.after(m));
        let position = reached.as_ref().unwrap_or(&board);
        let occurrences = self.appearances_of(position) + usize::from(reached.is_some() || illegal);
        let (right, law) = self.check_claim(rule, position, occurrences);
        if right && !matches!(by, Some(Intended::Illegal(..))) {
            let upheld = self.ruling(law, Decision::Upheld(side));
            return Ok(smallvec![upheld, self.finish(law, GameOutcome::Draw)]);
        }
        let reason = (!right).then(|| self.claim_fault(rule, position, occurrences));
        let refused = self.ruling(law, Decision::Refused(side)).with_note(reason);
        let mut rulings: Rulings = smallvec![refused];
        if self.edition.has(Rule::ClaimWrong) {
            let time = self.edition.terms().wrong_claim;
            self.penalise(side, time, Rule::ClaimWrong, &mut rulings);
            self.claim_offers(side, &mut rulings);
            if let Some(Intended::Illegal(from, to)) = by {
                // The piece that the player intended to move counts as touched.
                self.hand.touched.push(*from);
                if board.owner(*to) == Some(!side) {
                    self.hand.touched.push(*to);
                }
                let order = self.order();
                self.give_order(order, &mut rulings);
            } else if let Some(m) = intended.filter(|_| !illegal) {
                self.hand.restriction = Some((Rule::ClaimWrong.into(), vec![m]));
                let must = Decision::Must(side, Self::texts(&[m]));
                rulings.push(self.ruling(Rule::ClaimWrong, must));
            }
        }
        Ok(rulings)
    }

    /// Returns whether the player to move has lost the right to claim by touching a piece (9.4).
    pub(super) fn has_lost_claim(&self) -> bool {
        self.edition.has(Rule::ClaimLost)
            && self.hand.foul.is_none()
            && !self.hand.touched.is_empty()
    }

    /// Returns whether a draw by repetition or under the 50-move rule can be claimed in a position
    /// that has occurred `occurrences` times, and the rule for the claim.
    pub(super) fn check_claim(&self, rule: Rule, position: &G, occurrences: usize) -> (bool, Rule) {
        if matches!(rule, Rule::Repetition | Rule::RepetitionByMove) {
            return (occurrences >= 3, rule);
        }
        let (moves, law) = self.limit();
        let law = if law == Rule::MoreThanFifty { law } else { rule };
        (position.quiet_plies() >= moves.saturating_mul(2), law)
    }

    /// Returns the reason why a claim by repetition or under the 50-move rule is wrong.
    fn claim_fault(&self, rule: Rule, position: &G, occurrences: usize) -> Note {
        if matches!(rule, Rule::Repetition | Rule::RepetitionByMove) {
            return Note::Occurrences(occurrences);
        }
        let needed = self.limit().0.saturating_mul(2);
        Note::QuietPlies { played: position.quiet_plies(), needed }
    }

    fn claim_offers(&mut self, side: Side, rulings: &mut Rulings) {
        let can_offer = !self.offered(side) && !self.agreement_barred();
        if self.edition.has(Rule::ClaimOffers) && can_offer {
            self.offers[side.index()] = true;
            rulings.push(self.ruling(Rule::ClaimOffers, Decision::Offered(side)));
        }
    }

    fn claim_perpetual(&mut self, side: Side) -> Answer {
        self.require(Rule::Perpetual)?;
        let Some(proof) = self.board_of(side)?.perpetual(self.rules.perpetual_limit) else {
            return Err(Refused::Unknown(self.edition, Rule::Perpetual));
        };
        let rule = Rule::Perpetual;
        match proof {
            Proof::Proved(line) => {
                let upheld = self.ruling(rule, Decision::Upheld(side));
                let line = self.ruling(rule, Decision::Line(Self::texts(&line)));
                Ok(smallvec![upheld, line, self.finish(rule, GameOutcome::Draw)])
            }
            Proof::Refuted(line) => {
                let mut rulings = smallvec![self.ruling(rule, Decision::Refused(side))];
                if !line.is_empty() {
                    rulings.push(self.ruling(rule, Decision::Line(Self::texts(&line))));
                }
                Ok(rulings)
            }
            Proof::Undecided => {
                self.waits = Some(Waits::Claim { by: side, rule });
                self.only(rule, Decision::Arbiter)
            }
        }
    }

    /// Handles a player's claim that the opponent cannot win by normal means (10.2; 18.1 without an
    /// arbiter).
    fn claim_winless(&mut self, side: Side) -> Answer {
        self.require(Rule::QuickPlay)?;
        self.check_guidelines()?;
        if self.deferred == Some(side) {
            return Err(Refused::Deciding);
        }
        let rule = if self.rules.arbiter_present { Rule::QuickPlay } else { Rule::NoArbiter };
        if let Some((ground, reason)) = self.not_short_of_time(side, rule) {
            return self.reject(ground, side, reason);
        }
        let mut rulings = smallvec![self.ruling(rule, Decision::Arbiter)];
        if rule == Rule::QuickPlay && self.has_case(Rule::ClaimOffers, Case::ShortOfTime) {
            self.claim_offers(side, &mut rulings);
        }
        self.waits = Some(Waits::Claim { by: side, rule });
        Ok(rulings)
    }

    /// Returns the ground and the reason for refusing a claim under 10.2 or a request under III.4,
    /// or `None` if the claim or request is admissible. In unsupervised blitz, every claim is
    /// refused. Otherwise a claim is refused if the player is not to move (unless there is no
    /// arbiter), has too much time, or is not yet in the last period.
    fn not_short_of_time(&self, side: Side, rule: Rule) -> Option<(Ground, Option<Note>)> {
        if self.unsupervised() == Some(Rule::Blitz) {
            return Some((Rule::Blitz.when(Case::Claim), None));
        }
        let clock = self.clock(side);
        let limit = self.edition.terms().quick_play;
        let has_time = clock.remaining().is_none_or(|time| time >= limit);
        let out_of_turn = rule != Rule::NoArbiter && self.turn(side).is_err();
        let reason = match (out_of_turn, has_time) {
            (true, _) => Some(Note::Turn(self.on_turn())),
            (_, true) => self.time_left(side),
            _ => None,
        };
        let refused = out_of_turn || has_time || !clock.is_last_period();
        refused.then_some((rule.into(), reason))
    }

    /// Handles a request for an increment of five seconds, which is also a draw offer (III.4).
    fn ask_increment(&mut self, side: Side) -> Answer {
        let rule = Rule::IncrementAsked;
        self.require(rule)?;
        self.check_guidelines()?;
        if let Some((ground, reason)) = self.not_short_of_time(side, rule) {
            return self.reject(ground, side, reason);
        }
        let mut rulings = smallvec![self.ruling(rule, Decision::Arbiter)];
        if !self.offered(side) && !self.agreement_barred() {
            self.offers[side.index()] = true;
            rulings.push(self.ruling(rule, Decision::Offered(side)));
        }
        self.waits = Some(Waits::Claim { by: side, rule });
        Ok(rulings)
    }

    fn grant_increment(&mut self, by: Side) -> Answer {
        let rule = Rule::IncrementAsked;
        if self.offered(by) {
            return Err(Refused::Choosing(!by));
        }
        self.waits = None;
        let terms = self.edition.terms();
        for clock in &mut self.clocks {
            clock.give_increment(terms.increment_asked);
        }
        let mut rulings = smallvec![self.ruling(rule, Decision::Upheld(by))];
        self.add_time(!by, terms.quick_play_time, rule, &mut rulings);
        Ok(rulings)
    }

    /// Checks that the guidelines for games without an increment apply. Unless the edition always
    /// applies them, the tournament must have announced them, the clocks must have no increment,
    /// and the game must not be blitz.
    pub(super) fn check_guidelines(&self) -> Result<(), Refused> {
        let plain = self.pace != Pace::Blitz
            && self.rules.quickplay_finish
            && self.clocks.iter().all(|clock| clock.increment().is_zero());
        let free = !self.edition.terms().quick_play_announced;
        if free || plain { Ok(()) } else { Err(Refused::NotAnnounced) }
    }

    /// Returns the player who made a claim. For a deferred claim, `by` is the player with the
    /// fallen flag, who need not be the claimant.
    fn claimant(&self, by: Side, rule: Rule) -> Side {
        self.deferred.filter(|_| rule == Rule::QuickPlayDeferred).unwrap_or(by)
    }

    pub(super) fn decide(&mut self, decision: &Decide<G>) -> Answer {
        let extra = self.edition.terms().quick_play_time;
        match (self.waits.clone(), decision) {
            (Some(Waits::Claim { by, rule: Rule::IncrementAsked }), Decide::Increment) => {
                self.grant_increment(by)
            }
            (Some(Waits::Claim { by, rule }), Decide::Draw) if rule != Rule::IncrementAsked => {
                let claimant = self.claimant(by, rule);
                let upheld = self.ruling(rule, Decision::Upheld(claimant));
                Ok(smallvec![upheld, self.finish(rule, GameOutcome::Draw)])
            }
            (Some(Waits::Claim { by, rule }), Decide::Reject) => {
                let claimant = self.claimant(by, rule);
                let refused = self.ruling(rule, Decision::Refused(claimant));
                if rule == Rule::QuickPlayDeferred && !self.can_win(!by) {
                    // The flag has fallen, but the opponent cannot mate (6.9).
                    return Ok(smallvec![refused, self.finish(Rule::FlagDrawn, GameOutcome::Draw)]);
                }
                if matches!(rule, Rule::NoArbiter | Rule::QuickPlayDeferred) {
                    // Without an arbiter, a rejected claim loses the game. A deferred claim is
                    // decided only after the flag has fallen, so the player loses as well.
                    let lost = self.finish(rule, GameOutcome::won(Some(!by)));
                    return Ok(smallvec![refused, lost]);
                }
                self.waits = None;
                let mut rulings = smallvec![refused];
                if rule == Rule::QuickPlay {
                    self.add_time(!by, extra, Rule::QuickPlayRejected, &mut rulings);
                }
                Ok(rulings)
            }
            (Some(Waits::Claim { by, rule: Rule::QuickPlay }), Decide::Defer { time }) => {
                self.waits = None;
                self.deferred = Some(by);
                let mut rulings =
                    smallvec![self.ruling(Rule::QuickPlayDeferred, Decision::Deferred)];
                if *time {
                    self.add_time(!by, extra, Rule::QuickPlayDeferred, &mut rulings);
                }
                Ok(rulings)
            }
            (Some(Waits::Consent(_)), Decide::Draw) => {
                Ok(smallvec![self.finish(Rule::Agreement, GameOutcome::Draw)])
            }
            (Some(Waits::Consent(pending)), Decide::Reject) => {
                self.waits = pending.map(|pending| *pending);
                self.offers = [false; 2];
                self.only(Rule::Agreement.when(Case::Consent), Decision::Continues)
            }
            (Some(Waits::Repair { by, sheet }), Decide::Reject) => self.open_unrepaired(by, &sheet),
            (None, Decide::Reject) if let Some(Halt::Player(side)) = self.halted => {
                self.stopped_in_vain(side)
            }
            (None, Decide::Draw) if self.deferred.is_some() => {
                Ok(smallvec![self.finish(Rule::QuickPlayDeferred, GameOutcome::Draw)])
            }
            (None, Decide::Draw)
                if self.edition.terms().director_draws
                    && self.has_clock()
                    && self.in_play().is_ok()
                    && self.appearances() >= 3 =>
            {
                Ok(smallvec![self.finish(Rule::Repetition, GameOutcome::Draw)])
            }
            _ => Err(Refused::Nothing),
        }
    }

    /// Handles a demand to be mated within fifty moves (Par. 15 F; Art. 16 f).
    pub(super) fn make_demand(&mut self, side: Side) -> Answer {
        self.in_play()?;
        self.require(Rule::MateDemand)?;
        let demand = &mut self.demands[side.index()];
        if demand.is_some() {
            return Err(Refused::Offered);
        }
        *demand = Some(0);
        self.last_mut().demands = self.demands;
        self.only(Rule::MateDemand, Decision::Stands)
    }

    fn claim_demand(&mut self, side: Side) -> Answer {
        self.require(Rule::MateDemand)?;
        let Some(moves) = self.demands[side.index()] else { return Err(Refused::Nothing) };
        let (limit, law) = self.limit();
        let rule = if law == Rule::MoreThanFifty { law } else { Rule::MateDemand };
        if moves > limit {
            // The draw could be claimed only when the count was exactly at the limit. The demand
            // has lapsed, but the player can make a new one.
            self.demands[side.index()] = None;
            self.last_mut().demands = self.demands;
            return self.only(rule.when(Case::Later), Decision::Refused(side));
        }
        if moves == limit {
            let upheld = self.ruling(rule, Decision::Upheld(side));
            return Ok(smallvec![upheld, self.finish(rule, GameOutcome::Draw)]);
        }
        self.only(rule, Decision::Refused(side))
    }

    /// Gives `time` to the opponent of `side`, because `side` broke a rule. In rapid play and in
    /// unsupervised blitz, some editions give less time (A.3).
    pub(super) fn penalise(&mut self, side: Side, time: Duration, rule: Rule, out: &mut Rulings) {
        let rapid = self.pace == Pace::Rapid || self.unsupervised().is_some();
        if rapid && self.edition.has(Rule::RapidPenalty) {
            let time = self.edition.terms().rapid_penalty;
            let blitz = (self.pace == Pace::Blitz).then_some(Case::FastPlay);
            self.add_time(!side, time, Ground { rule: Rule::RapidPenalty, case: blitz }, out);
        } else {
            self.add_time(!side, time, rule, out);
        }
    }

    pub(super) fn add_time(
        &mut self,
        side: Side,
        time: Duration,
        rule: impl Into<Ground>,
        out: &mut Rulings,
    ) {
        if self.has_clock() {
            let clock = &mut self.clocks[side.index()];
            clock.set(clock.reading().left().saturating_add(time));
            out.push(self.ruling(rule, Decision::Added(side, time)));
        }
    }
}

/// Exchanges the sides in the material of an ending. `KRK`, where White has the rook, becomes
/// `KKR`.
fn swapped(material: &str) -> String {
    match material.rsplit_once('K') {
        Some((first, second)) => format!("K{second}{first}"),
        None => material.to_owned(),
    }
}
