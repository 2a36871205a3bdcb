//! Moves: made whole or part by part, and what they bring about at once.

use super::touch::Order;
use super::*;
use crate::laws::edition::Irregular;
use crate::laws::ruled::CastlingPiece;

impl<G: Ruled> Referee<G> {
    /// What is checked before a hand goes to the board. A reply to an illegal move accepts it, and so
    /// comes from the opponent. Changes nothing.
    pub(super) fn before_hand(&self, side: Side) -> Result<Rulings, Why> {
        self.clocks_run()?;
        self.sheet_complete(side)?;
        match &self.waits {
            Some(Waits::Correction(correction)) if correction.by == side => {}
            _ => self.in_play()?,
        }
        self.board_of(side)?;
        Ok(Rulings::new())
    }

    /// The board on which `side` moves now.
    pub(in crate::laws) fn board_of(&self, side: Side) -> Result<G, Why> {
        if self.retracts(side) {
            return Ok(self.position().clone());
        }
        // Nor is an illegal answer completed before the press, so that he can still make another move.
        let answer = self.hand.foul.as_ref().is_some_and(|foul| foul.answer.is_some());
        if !(answer && self.unpressed == Some(side)) {
            self.turn(side)?;
        }
        let illegal = self.hand.foul.is_some() || matches!(self.waits, Some(Waits::Correction(_)));
        if !illegal {
            return Ok(self.position().clone());
        }
        self.board().filter(|board| board.side() == side).ok_or(Why::Unjudgeable)
    }

    /// Whether a player corrects his own illegal move, which he has not completed by a press (4.6).
    pub(super) fn retracts(&self, side: Side) -> bool {
        side == self.to_move()
            && self.edition.terms().irregular == Irregular::TimeThenLoss
            && self.hand.foul.as_ref().is_some_and(|foul| !foul.completed)
    }

    /// A hand goes to the board: what was irregular is accepted, a draw that was offered refused.
    pub(super) fn settle(&mut self, side: Side, rulings: &mut Rulings) {
        if let Some(Waits::Correction(correction)) =
            self.waits.take_if(|waits| matches!(waits, Waits::Correction(_)))
        {
            self.carry_uncrowned(correction.moved);
            // A wrong set-up that stands is the position already.
            if correction.board != *self.position() {
                self.push(correction.board, Origin::Irregular);
            }
            rulings
                .push(self.ruling(Rule::Acceptance, Decision::Forfeits(side, Right::Correction)));
        } else if self.retracts(side) {
            self.hand.foul = None;
        } else if let Some(foul) = self.hand.foul.clone()
            && let Some(board) = self.board()
        {
            self.complete_clock();
            self.push(board, Origin::Illegal(foul.wrong));
            if self.edition.terms().touch_forfeits {
                let ground = Rule::Penalty.when(Case::Touched);
                rulings.push(self.ruling(ground, Decision::Forfeits(side, Right::Penalty)));
            }
        }
        self.hand_down(side, rulings);
    }

    /// A piece is touched: with that the opponent's offer is refused, and no breach of the laws of touch
    /// can be claimed any more (4.7).
    pub(super) fn hand_down(&mut self, side: Side, rulings: &mut Rulings) {
        self.disregarded = None;
        self.decline(side, rulings);
    }

    /// An offer of the opponent's is refused.
    pub(super) fn decline(&mut self, side: Side, rulings: &mut Rulings) {
        if self.offer == Some(!side) {
            self.offer = None;
            rulings.push(self.ruling(Rule::Offer, Decision::Declined(side)));
        }
    }

    /// The mover who has not pressed his clock has now lost the time for it.
    pub(super) fn complete_clock(&mut self) {
        if let Some(side) = self.unpressed.take() {
            // No time is known to have passed, so no flag can fall.
            let _ = self.clocks[side.index()].charge(Default::default(), Default::default());
        }
    }

    /// Adds a position to the game, and forgets what was touched.
    pub(super) fn push(&mut self, position: G, played: Origin<G>) {
        self.hand = Hand::default();
        if !self.uncrowned.is_empty() {
            self.uncrowned.retain(|(side, square)| position.owner(*square) == Some(*side));
        }
        let clocks = [self.clocks[0].reading(), self.clocks[1].reading()];
        let (demands, odds) = (self.demands, self.odds.clone());
        self.plies.push_back_mut(Ply { position, played, clocks, demands, odds });
    }

    /// A move is made, piece released.
    pub(super) fn make(&mut self, side: Side, m: G::Move) -> Answer {
        if self.stage == (Stage::Sealing { by: side, sheet: None }) {
            return self.seal_on_board(side, m);
        }
        let mut rulings = self.before_hand(side)?;
        let board = self.board_of(side)?;
        if !board.is_playable(m) {
            return Err(Why::NotLegal(G::move_text(m)));
        }
        let orders = !self.hand.touched.is_empty()
            || self.hand.held.is_some()
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
        let unasked = self.unasked(m).filter(|_| enforced);
        let touched = self.touched_for_reply();
        self.settle(side, &mut rulings);
        if let Some(ground) = fault {
            self.hand.touched.extend(touched);
            let board = self.position().after(m);
            rulings.extend(self.irregularity(side, ground, board, Some(m))?);
            return Ok(rulings);
        }
        self.play(m, &mut rulings);
        self.disregarded = unasked.map(|touched| (self.plies(), touched));
        Ok(rulings)
    }

    /// Whether the laws of touched pieces are enforced by themselves. Without supervision that is on
    /// request only (15.4 b), but what was ruled holds.
    pub(super) fn enforces_touch(&self) -> bool {
        !self.edition.terms().unsupervised.touch_on_request
            || self.unsupervised().is_none()
            || self.hand.held.is_some()
            || !self.hand.parts.is_empty()
    }

    /// The touched pieces that a move disregards without supervision, until the opponent asks (15.4 b).
    pub(super) fn unasked(&self, m: G::Move) -> Option<SmallVec<[G::Square; 4]>> {
        self.owed().filter(|owed| !owed.moves.contains(&m)).map(|owed| owed.touched)
    }

    /// Without supervision: what was touched, and the moves that it obliges to on request.
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

    /// The rule that forbids to put a released piece elsewhere, where these moves are still allowed.
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

    /// A legal move that is not one the player must make.
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
            return self.irregularity(side, Ground { rule: Rule::Illegal, case }, board, Some(m));
        }
        Ok(smallvec![
            self.ruling(rule, Decision::TakeBack(side)),
            self.ruling(rule, Decision::Must(side, Self::texts(&moves))),
        ])
    }

    /// Whether what the hand has done is part of a move.
    pub(super) fn part_of(&self, m: G::Move) -> bool {
        let parts = self.position().parts(m);
        self.hand.parts.iter().all(|part| parts.contains(part))
    }

    /// The moves that touched pieces and what was released still allow.
    pub(super) fn allowed(&self) -> Vec<G::Move> {
        let moves = match self.order() {
            Order::Must(_, moves) if self.enforces_touch() => moves,
            _ => self.position().moves(),
        };
        moves.into_iter().filter(|&m| self.part_of(m)).collect()
    }

    /// A legal move is on the board.
    pub(super) fn play(&mut self, m: G::Move, rulings: &mut Rulings) {
        let side = self.to_move();
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
            Some(again) => self.played(again, Origin::Irregular, rulings),
            None => self.played(position, Origin::Move, rulings),
        }
    }

    /// A position was reached by a move: what it brings about.
    pub(super) fn played(&mut self, position: G, played: Origin<G>, rulings: &mut Rulings) {
        let side = self.to_move();
        self.late_press = self.unpressed.filter(|&unpressed| unpressed != side);
        self.complete_clock();
        if self.has_clock() {
            self.unpressed = Some(side);
        }
        let quiet = position.quiet_plies() > 0;
        for by in Side::ALL {
            if let Some(moves) = &mut self.demands[by.index()] {
                *moves = if quiet { *moves + u32::from(by != side) } else { 0 };
            }
        }
        self.push(position, played);
        rulings.push(self.ruling(Rule::Completed, Decision::Stands));
        if let Some((rule, outcome)) = self.end() {
            let ruling = self.finish(rule, outcome);
            rulings.push(ruling);
        }
    }

    /// How the position on the board ends the game, if it does without a claim.
    pub(super) fn end(&self) -> Option<(Rule, GameOutcome)> {
        let position = self.position();
        if let Some((rule, winner)) = position.end() {
            return Some((rule, GameOutcome::won(winner)));
        }
        let draw = if self.edition.terms().draws_by_itself {
            if self.appearances() >= 3 { Some(Rule::Repetition) } else { position.counted_draw() }
        } else if self.edition.has(Rule::DeadPosition) && position.is_dead() {
            Some(Rule::DeadPosition)
        } else {
            match self.plies_left()? {
                0 => Some(Rule::SeventyFive),
                _ if position.quiet_plies() >= 16 && self.appearances() >= 5 => {
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

    /// Plies before the game is drawn by seventy-five moves, where the edition has these.
    fn plies_left(&self) -> Option<u32> {
        let plies = self.edition.terms().drawn_unclaimed.saturating_mul(2);
        let known = self.edition.has(Rule::SeventyFive);
        known.then(|| plies.saturating_sub(self.position().quiet_plies()))
    }

    /// Whether a side can still win.
    pub(super) fn can_win(&self, side: Side) -> bool {
        let position = self.position();
        self.plies_left().is_none_or(|left| position.can_win_within(side, left))
            && position.can_win(side)
    }

    /// How often the present position has stood, this time included.
    pub(super) fn appearances(&self) -> usize {
        self.appearances_of(self.position())
    }

    /// How often a position has stood.
    pub(super) fn appearances_of(&self, position: &G) -> usize {
        let sameness = self.edition.terms().sameness;
        self.comparable(position).filter(|ply| ply.position.same(position, sameness)).count()
    }

    /// The positions that can be the same as this one, the last or the next one of the game: those
    /// since the last capture or move of a pawn or man.
    fn comparable(&self, position: &G) -> impl Iterator<Item = &Ply<G>> {
        self.plies.iter().rev().take(position.quiet_plies() as usize + 1)
    }
}
