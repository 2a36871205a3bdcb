//! Complete and partial moves, and their immediate consequences.

use super::touch::Order;
use super::*;
use crate::laws::edition::{Irregular, TouchForfeits, Touching};
use crate::laws::ruled::CastlingPiece;

impl<G: Ruled> Referee<G> {
    /// Checks that a player may touch pieces now.
    pub(super) fn may_touch(&self, side: Side) -> Result<(), Refused> {
        self.clocks_run()?;
        self.sheet_complete(side)?;
        match &self.waits {
            Some(Waits::Correction(correction)) if correction.by == side => {}
            _ => self.in_play()?,
        }
        self.board_of(side)?;
        Ok(())
    }

    pub(in crate::laws) fn board_of(&self, side: Side) -> Result<G, Refused> {
        if self.retracts(side) {
            return Ok(self.position().clone());
        }
        self.turn(side)?;
        let illegal = self.hand.foul.is_some() || matches!(self.waits, Some(Waits::Correction(_)));
        if !illegal {
            return Ok(self.position().clone());
        }
        self.board().filter(|board| board.side() == side).ok_or(Refused::Unjudgeable)
    }

    /// Returns whether a player can still correct their own illegal move. Only editions with
    /// [`Irregular::TimeThenLoss`] allow this, until the player presses the clock (4.6).
    pub(super) fn retracts(&self, side: Side) -> bool {
        side == self.to_move()
            && self.edition.terms().irregular == Irregular::TimeThenLoss
            && self.hand.foul.as_ref().is_some_and(|foul| !foul.completed)
    }

    /// Handles the start of an action on the board. By acting, the player accepts the opponent's
    /// pending irregularity or withdraws their own illegal move, and declines a draw offer.
    pub(super) fn settle(&mut self, side: Side, rulings: &mut Rulings) {
        self.settle_by(side, Case::Touched, rulings);
    }

    /// Like [`Self::settle`], for a touched piece. `touched` is [`Case::Enemy`] for an enemy piece and
    /// otherwise [`Case::Touched`]. It decides whether the touch costs the right to a penalty.
    pub(super) fn settle_by(&mut self, side: Side, touched: Case, rulings: &mut Rulings) {
        if let Some(Waits::Correction(correction)) =
            self.waits.take_if(|waits| matches!(waits, Waits::Correction(_)))
        {
            self.reply_to(*correction);
            rulings
                .push(self.ruling(Rule::Acceptance, Decision::Forfeits(side, Right::Correction)));
        } else if self.retracts(side) {
            self.hand.foul = None;
        } else if let Some(foul) = self.hand.foul.clone()
            && let Some(board) = self.board()
        {
            let Foul { wrong, completed } = foul;
            if completed {
                self.complete_clock();
            } else {
                self.unpressed = Some(self.to_move());
            }
            self.push(board, Origin::Illegal { wrong, completed });
            self.hand.penalty = self.edition.terms().touch_forfeits != TouchForfeits::Nothing;
        }
        self.forfeit_penalty(side, touched, rulings);
        self.hand_down(side, rulings);
    }

    /// Takes away the player's right to a penalty for the opponent's illegal move, if the edition
    /// does so for this kind of touch.
    pub(super) fn forfeit_penalty(&mut self, side: Side, touched: Case, rulings: &mut Rulings) {
        let keeps_penalty = touched == Case::Enemy
            && self.edition.terms().touch_forfeits == TouchForfeits::OwnPiece;
        if self.hand.penalty && !keeps_penalty {
            self.hand.penalty = false;
            let ground = Rule::Penalty.when(touched);
            rulings.push(self.ruling(ground, Decision::Forfeits(side, Right::Penalty)));
        }
    }

    /// Handles a piece touched by `side`. By touching a piece, the player declines the opponent's
    /// draw offer and can no longer claim that the opponent broke the touch rules (4.7).
    pub(super) fn hand_down(&mut self, side: Side, rulings: &mut Rulings) {
        self.disregarded = None;
        self.decline(side, rulings);
    }

    pub(super) fn decline(&mut self, side: Side, rulings: &mut Rulings) {
        if self.offered(!side) {
            self.offers[(!side).index()] = false;
            rulings.push(self.ruling(Rule::Offer, Decision::Declined(side)));
        }
    }

    /// Completes the move of a player who has not pressed the clock.
    pub(super) fn complete_clock(&mut self) {
        if let Some(side) = self.unpressed.take() {
            // No time is known to have passed, so the flag cannot fall.
            let _ = self.clocks[side.index()].charge(Default::default(), Default::default());
        }
    }

    pub(super) fn push(&mut self, position: G, played: Origin<G>) {
        self.hand = Hand::default();
        if !self.uncrowned.is_empty() {
            self.uncrowned.retain(|(side, square)| position.owner(*square) == Some(*side));
        }
        let (quiet, side) = (position.quiet_plies() > 0, self.to_move());
        for by in Side::ALL {
            if let Some(moves) = &mut self.demands[by.index()] {
                *moves = if quiet { *moves + u32::from(by != side) } else { 0 };
            }
        }
        let clocks = [self.clocks[0].reading(), self.clocks[1].reading()];
        let (demands, odds) = (self.demands, self.odds.clone());
        let stands = match played {
            Origin::Illegal { .. } => true,
            Origin::Move => self.shows_illegal(),
            Origin::Start | Origin::Irregular => false,
        };
        let irregular = stands && !position.is_regular();
        self.plies.push_back_mut(Ply { position, played, clocks, demands, odds, irregular });
    }

    pub(super) fn make(&mut self, side: Side, m: G::Move) -> Answer {
        if self.stage == (Stage::Sealing { by: side, sheet: None }) {
            return self.seal_on_board(side, m);
        }
        self.may_touch(side)?;
        let mut rulings = Rulings::new();
        let board = self.board_of(side)?;
        if !board.is_playable(m) {
            return Err(Refused::NotLegal(G::move_text(m)));
        }
        let orders = !self.hand.touched.is_empty()
            || self.hand.restriction.is_some()
            || !self.hand.parts.is_empty();
        let illegal = self.hand.foul.is_some() && !self.retracts(side);
        let enforced = orders && !illegal && self.waits.is_none();
        if enforced && self.enforces_touch() {
            if !self.part_of(m) {
                let allowed = self.allowed();
                return self.breach(side, m, self.released(&allowed), allowed);
            }
            if let Order::Must(rule, moves) = self.order()
                && !moves.contains(&m)
            {
                return self.breach(side, m, rule, moves);
            }
        }
        if let Some(answer) = self.odds_breach(side, m) {
            return answer;
        }
        let fault = self.reply_fault(side, m);
        let unasked = self.disregarded_by(m).filter(|_| enforced);
        let touched = self.touched_for_reply();
        self.settle(side, &mut rulings);
        if let Some(ground) = fault {
            self.hand.touched.extend(touched);
            let board = self.position().after(m);
            rulings.extend(self.irregularity(side, ground, board, Made::Move(m))?);
            return Ok(rulings);
        }
        self.play(m, &mut rulings);
        self.disregarded = unasked.map(|touched| (self.plies(), touched));
        Ok(rulings)
    }

    /// Returns whether the touch rules are enforced without a request. In unsupervised play, some
    /// editions enforce them only on request (15.4 b), until a ruling requires certain moves or a
    /// move has been begun.
    pub(super) fn enforces_touch(&self) -> bool {
        !self.edition.terms().unsupervised.touch_on_request
            || self.unsupervised().is_none()
            || self.hand.restriction.is_some()
            || !self.hand.parts.is_empty()
    }

    /// Returns the touched pieces that a move disregards in unsupervised play, so that the opponent
    /// can object later (15.4 b).
    pub(super) fn disregarded_by(&self, m: G::Move) -> Option<SmallVec<[G::Square; 4]>> {
        self.owed().filter(|owed| !owed.moves.contains(&m)).map(|owed| owed.touched)
    }

    /// Returns the touched pieces and the moves that they require, if the touch rules are enforced
    /// only on request.
    pub(super) fn owed(&self) -> Option<Owed<G>> {
        if self.hand.owed.is_some() {
            return self.hand.owed.clone();
        }
        if self.hand.touched.is_empty() || self.enforces_touch() {
            return None;
        }
        match self.order() {
            Order::Must(_, moves) => Some(Owed { touched: self.hand.touched.clone(), moves }),
            _ => None,
        }
    }

    /// Returns the rule against moving a released piece to another square. The first move in
    /// `allowed` determines the case of the rule.
    pub(super) fn released(&self, allowed: &[G::Move]) -> Ground {
        let has = self.edition.has(Rule::Released);
        let rule = if has { Rule::Released } else { Rule::Completed };
        let Some(&m) = allowed.first() else { return rule.into() };
        let parts = self.position().parts(m);
        if G::castling_rook(m).is_some() {
            rule.when(Case::Castling)
        } else if parts.iter().any(|part| matches!(part, Part::Promote(_))) {
            rule.when(Case::Promotion)
        } else {
            rule.when(Case::Capture)
        }
    }

    /// Handles a legal move that is not one of the required moves.
    pub(super) fn breach(
        &mut self,
        side: Side,
        m: G::Move,
        rule: Ground,
        moves: Vec<G::Move>,
    ) -> Answer {
        if self.edition.terms().irregular == Irregular::OpponentDecides {
            let board = self.position().after(m);
            let touched = matches!(rule.rule, Rule::TouchOwn | Rule::TouchSeveral);
            let case = touched.then_some(Case::OtherPiece);
            let ground = Ground { rule: Rule::Illegal, case };
            return self.irregularity(side, ground, board, Made::Move(m));
        }
        if self.retracts(side) {
            // The new move replaces the illegal move, even if the new move must itself be taken
            // back.
            self.hand.foul = None;
        }
        if let Some(order) = self.touched_by(m) {
            let (Order::Must(ground, _) | Order::Choose(ground, _) | Order::Free(ground)) = order;
            let mut rulings = smallvec![self.ruling(ground, Decision::TakeBack(side))];
            self.give_order(order, &mut rulings);
            return Ok(rulings);
        }
        Ok(smallvec![
            self.ruling(rule, Decision::TakeBack(side)),
            self.ruling(rule, Decision::Must(side, Self::texts(&moves))),
        ])
    }

    /// Marks the piece that `m` moves, and a piece that it captures, as touched, and returns the
    /// resulting obligation. Returns `None` unless the player has touched only other pieces of
    /// their own and the opponent chooses among several touched pieces (Par. 14 d; Art. 15 d).
    fn touched_by(&mut self, m: G::Move) -> Option<Order<G>> {
        let own = |square: &G::Square| self.position().owner(*square) == Some(self.to_move());
        let applies = self.edition.terms().touching == Touching::OpponentChooses
            && self.hand.restriction.is_none()
            && self.hand.parts.is_empty()
            && !self.hand.touched.contains(&G::mover(m))
            && self.hand.touched.iter().all(own);
        applies.then(|| {
            let taken = self.position().parts(m).into_iter().filter_map(|part| match part {
                Part::Remove(square) => Some(square),
                _ => None,
            });
            self.hand.touched.extend([G::mover(m)].into_iter().chain(taken).collect::<Vec<_>>());
            self.order()
        })
    }

    /// Returns the legal moves, even on a board with an uncorrected illegal move.
    pub(super) fn moves(&self) -> Vec<G::Move> {
        let mut moves = self.position().moves();
        if self.shows_illegal() {
            moves.retain(|&m| self.position().is_playable(m));
        }
        moves
    }

    pub(super) fn part_of(&self, m: G::Move) -> bool {
        let parts = self.position().parts(m);
        self.hand.parts.iter().all(|part| parts.contains(part))
    }

    /// Returns the moves that are still allowed, given the touched and released pieces.
    pub(super) fn allowed(&self) -> Vec<G::Move> {
        let moves = match self.order() {
            Order::Must(_, moves) if self.enforces_touch() => moves,
            _ => self.moves(),
        };
        moves.into_iter().filter(|&m| self.part_of(m)).collect()
    }

    pub(super) fn play(&mut self, m: G::Move, rulings: &mut Rulings) {
        let side = self.to_move();
        if self.given_castling() == Some(m) {
            return self.castle_given(rulings);
        }
        let position = self.position().after(m);
        if let Some(odds) = &mut self.odds
            && odds.giver == side
            && self
                .plies
                .last()
                .is_some_and(|ply| ply.position.castles(G::mover(m)) == Some(CastlingPiece::King))
        {
            odds.rook = None;
        }
        match self.odds_turn(side, &position) {
            Some(again) => self.add_ply(again, Origin::Irregular, rulings),
            None => self.add_ply(position, Origin::Move, rulings),
        }
    }

    pub(super) fn add_ply(&mut self, position: G, played: Origin<G>, rulings: &mut Rulings) {
        let side = self.to_move();
        self.absent_responder.take_if(|absent| *absent == side);
        self.late_press = self.unpressed.filter(|&unpressed| unpressed != side);
        self.complete_clock();
        if self.has_clock() {
            self.unpressed = Some(side);
        }
        self.push(position, played);
        rulings.push(self.ruling(Rule::Completed, Decision::Stands));
        if let Some((rule, outcome)) = self.end() {
            let ruling = self.finish(rule, outcome);
            rulings.push(ruling);
        }
    }

    /// Returns the rule and the outcome if the position ends the game without a claim.
    pub(super) fn end(&self) -> Option<(Rule, GameOutcome)> {
        let position = self.position();
        if let Some((rule, winner)) = position.end() {
            return Some((rule, GameOutcome::won(winner)));
        }
        if self.shows_illegal() {
            return None;
        }
        let draw = if self.edition.terms().draws_by_itself {
            if self.appearances() >= 3 { Some(Rule::Repetition) } else { position.draw_by_count() }
        } else if self.edition.has(Rule::DeadPosition) && position.is_dead() {
            Some(Rule::DeadPosition)
        } else {
            match self.plies_left()? {
                0 => Some(Rule::SeventyFive),
                // A position can recur for the fifth time after sixteen plies.
                _ if self.comparable().count() > 16 && self.appearances() >= 5 => {
                    Some(Rule::Fivefold)
                }
                left if Side::ALL.into_iter().any(|side| position.can_win_within(side, left)) => {
                    None
                }
                _ => Some(Rule::DeadPosition),
            }
        };
        draw.map(|rule| (rule, GameOutcome::Draw))
    }

    fn plies_left(&self) -> Option<u32> {
        let plies = self.edition.terms().drawn_unclaimed.saturating_mul(2);
        let has_rule = self.edition.has(Rule::SeventyFive);
        has_rule.then(|| plies.saturating_sub(self.position().quiet_plies()))
    }

    pub(super) fn can_win(&self, side: Side) -> bool {
        let position = self.position();
        if self.shows_illegal() {
            return !position.is_bare(side);
        }
        self.plies_left().is_none_or(|left| position.can_win_within(side, left))
            && position.can_win(side)
    }

    pub(super) fn appearances(&self) -> usize {
        self.appearances_of(self.position())
    }

    pub(super) fn appearances_of(&self, position: &G) -> usize {
        let sameness = self.edition.terms().sameness;
        self.comparable().filter(|ply| ply.position.same(position, sameness)).count()
    }

    /// Returns the positions that the position on the board, or the one after a legal move, can
    /// repeat: all since the last capture or the last move of a pawn or man. An irregular move can
    /// reverse such a move, so the positions before are included if an irregular move followed.
    fn comparable(&self) -> impl Iterator<Item = &Ply<G>> {
        let (mut irregular, mut ended) = (self.hand.foul.is_some(), false);
        self.plies.iter().rev().take_while(move |ply| {
            let includes = !ended;
            irregular |= !matches!(ply.played, Origin::Start | Origin::Move);
            ended |= !irregular && ply.position.quiet_plies() == 0;
            includes
        })
    }
}
