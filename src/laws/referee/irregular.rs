//! Illegal moves, displaced pieces, wrong set-ups (Par. 11, 16, 17; Art. 12, 17, 18; 7; FMJD 5).

use super::touch::Order;
use super::*;
use crate::laws::edition::{Irregular, Unknown};
use crate::laws::event::Restore;
use crate::laws::ruled::IllegalMove;

impl<G: Ruled> Referee<G> {
    /// Records an illegal placement of a piece.
    pub(super) fn illegal(&mut self, side: Side, made: IllegalMove<G::Square>) -> Answer {
        self.in_play()?;
        self.clocks_run()?;
        let terms = self.edition.terms();
        if terms.irregular == Irregular::OpponentDecides {
            return Err(Why::Unknown(self.edition, Rule::NoticedLater));
        }
        let stood = self.hand.foul.as_ref().map(|foul| foul.wrong);
        let owner_after = stood.and_then(|wrong| wrong.owner_after(self.position(), made.from));
        if terms.irregular == Irregular::TimeThenLoss
            && side != self.to_move()
            && let Some(foul) = &mut self.hand.foul
            && foul.completed
            && foul.answer.is_none()
        {
            if owner_after.is_none() {
                return Err(Why::Square(made.from.to_string()));
            }
            // A second irregularity on top of the first: the game will return to the position
            // before the first (7.4 a).
            foul.answer = Some(made);
            self.complete_clock();
            self.unpressed = self.has_clock().then_some(side);
            return Ok(Rulings::new());
        }
        if side != self.to_move() {
            self.turn(side)?;
            return Err(Why::Standing);
        }
        let owner = |square| self.position().owner(square);
        let stands = |square: G::Square| Err(Why::Square(square.to_string()));
        match made.takes {
            _ if owner(made.from).is_none() => return stands(made.from),
            _ if made.from == made.to => return stands(made.to),
            Some(taken) if owner(taken).is_none() => return stands(taken),
            _ => {}
        }
        if let Some(m) = self.legal_as(&made) {
            return Err(Why::Legal(G::move_text(m)));
        }
        if self.hand.foul.is_some() {
            self.turn(side)?;
            return Err(Why::Standing);
        }
        let completed = !self.has_clock();
        let mut rulings = Rulings::new();
        self.hand_down(side, &mut rulings);
        let wrong = Wrong::Placed(made);
        self.count_touched(wrong);
        self.hand.parts.clear();
        self.hand.foul = Some(Foul { wrong, completed, answer: None });
        Ok(rulings)
    }

    /// Returns the legal move that consists of exactly these parts. The first part alone of
    /// castling or of a promotion is not a move.
    fn legal_as(&self, made: &IllegalMove<G::Square>) -> Option<G::Move> {
        let position = self.position();
        let place = Part::Place(made.from, made.to);
        let takes = made.takes.map(Part::Remove);
        let becomes = made.becomes.map(Part::Promote);
        position.moves().into_iter().find(|&m| {
            let parts = position.parts(m);
            let is = |&part: &Part<G::Square>| {
                part == place
                    || Some(part) == becomes
                    || match made.takes {
                        None => matches!(part, Part::Remove(_)),
                        Some(_) => Some(part) == takes,
                    }
            };
            let whole = [Some(place), takes, becomes].into_iter().flatten();
            parts.iter().all(is) && whole.into_iter().all(|part| parts.contains(&part))
        })
    }

    fn count_touched(&mut self, wrong: Wrong<G>) {
        let taken = wrong.taken(self.position());
        for square in wrong.from().into_iter().chain(taken) {
            if !self.hand.touched.contains(&square) {
                self.hand.touched.push(square);
            }
        }
    }

    /// Handles a legal move made with two hands, which becomes an illegal move once the clock is
    /// pressed (7.5.4).
    pub(super) fn two_hands(&mut self, side: Side, m: G::Move) -> Answer {
        self.knows(Rule::TwoHands)?;
        let mut ahead = self.clone();
        let mut rulings = ahead.make(side, m)?;
        let breach = ahead.plies() == self.plies();
        // A move that ends the game does so even if made with two hands (5.1.1 and 5.2 except 4.1).
        if breach || ahead.verdict().is_some() || !self.has_clock() {
            *self = ahead;
            return Ok(rulings);
        }
        rulings.clear();
        self.settle(side, &mut rulings);
        let wrong = Wrong::TwoHands(m);
        self.hand.parts.clear();
        self.hand.held = Some((self.released(&[m]), vec![m]));
        self.hand.foul = Some(Foul { wrong, completed: false, answer: None });
        Ok(rulings)
    }

    pub(super) fn claim_illegal(&mut self, side: Side) -> Answer {
        self.in_play()?;
        if let Some(foul) = &self.hand.foul {
            if side == self.to_move() {
                self.turn(side)?;
                return Err(Why::Standing);
            }
            return match self.unsupervised_by(Rule::FastIllegal).filter(|_| foul.answer.is_some()) {
                Some(rule) => self.only(rule.when(Case::IllegalMove), Decision::Refused(side)),
                None => self.foul_found(),
            };
        }
        if let Some(wrong) = self.penalty_kept().filter(|_| side == self.to_move()) {
            return self.found_before_reply(wrong);
        }
        let Some(rule) = self.unsupervised_by(Rule::FastIllegal) else {
            return self.found_later(Restore::Known, Case::IllegalMove);
        };
        match self.touched_only() {
            Some(wrong) if side == self.to_move() => self.found_before_reply(wrong),
            _ => self.only(rule.when(Case::IllegalMove), Decision::Refused(side)),
        }
    }

    /// Returns the last move if it was illegal and the opponent has at most touched a piece since
    /// (15.4 c, 16.3 c; A.5.2).
    pub(super) fn touched_only(&self) -> Option<Wrong<G>> {
        match &self.plies[self.plies()].played {
            Origin::Illegal(wrong) => Some(*wrong),
            _ => None,
        }
    }

    /// Returns the illegal move just before, if the right to a penalty for it outlasted a touch.
    pub(super) fn penalty_kept(&self) -> Option<Wrong<G>> {
        self.touched_only().filter(|_| self.hand.penalty)
    }

    pub(super) fn found_before_reply(&mut self, wrong: Wrong<G>) -> Answer {
        self.truncate(self.plies());
        let foul = Some(Foul { wrong, completed: true, answer: None });
        self.hand = Hand { foul, ..Hand::default() };
        self.count_touched(wrong);
        self.foul_found()
    }

    pub(super) fn foul_found(&mut self) -> Answer {
        let Some(foul) = self.hand.foul.take() else { return Err(Why::Regular) };
        let side = self.to_move();
        self.unpressed = None;
        self.hand.parts.clear();
        let by_piece = self.edition.terms().irregular == Irregular::PieceMustPlay;
        if foul.completed
            && foul.answer.is_none()
            && let Some(queen) = self.queen_for(&foul)
        {
            return self.promoted(queen);
        }
        let captured = foul.wrong.taken(self.position());
        let takes = by_piece && captured.is_some();
        let checked = match &foul.wrong {
            Wrong::Placed(made) => self.position().checked() && !self.position().parries(made),
            _ => self.position().checked(),
        };
        let rule = match (foul.wrong, checked, takes) {
            (Wrong::NotMoved, ..) => Rule::NotMoved,
            (Wrong::TwoHands(_), ..) => Rule::TwoHands,
            (_, true, _) => Rule::CheckIgnored,
            (_, _, true) => Rule::IllegalCapture,
            _ => Rule::Illegal,
        };
        let mut rulings = smallvec![match foul.wrong {
            _ if foul.answer.is_some() =>
                self.ruling(Rule::NoticedLater, Decision::Restored(self.plies())),
            Wrong::NotMoved => self.ruling(rule, Decision::Runs(side)),
            _ => self.ruling(rule, Decision::TakeBack(side)),
        }];
        if !by_piece {
            if foul.completed
                && self.unsupervised() == Some(Rule::Blitz)
                && self.edition.terms().unsupervised.blitz_illegal_loses
            {
                // 16.3 c: the claimant wins, or draws where he cannot mate.
                let winner = Some(!side).filter(|&side| self.can_win(side));
                let ground = Rule::Blitz.when(Case::IllegalMove);
                rulings.push(self.finish(ground, GameOutcome::won(winner)));
                return Ok(rulings);
            }
            if foul.completed && self.punish(side, &mut rulings) {
                return Ok(rulings);
            }
            if foul.wrong == Wrong::NotMoved && self.hand.touched.is_empty() {
                return Ok(rulings);
            }
            let order = if let Wrong::Placed(made) = foul.wrong
                && self.position().is_castling_attempt(made.from, made.to)
                && self.hand.held.is_none()
                && self.edition.has(Rule::CastlingBarred)
            {
                let rule = Rule::CastlingBarred;
                Order::must_or_free(rule, self.moves_from(made.from), rule)
            } else {
                match self.order() {
                    Order::Free(_) => Order::Free(Rule::NoConsequence.into()),
                    order => order,
                }
            };
            if let Order::Must(rule, moves) = &order
                && rule.rule == Rule::CastlingBarred
            {
                self.hand.held = Some((*rule, moves.clone()));
            }
            self.give_order(order, &mut rulings);
            return Ok(rulings);
        }
        let Wrong::Placed(IllegalMove { from: moved, .. }) = foul.wrong else { return Ok(rulings) };
        let own = |square: G::Square| self.position().owner(square) == Some(side);
        let order = if self.hand.touched.iter().any(|&other| own(other) && other != moved) {
            // Other pieces were touched before, and the opponent chooses among all of them.
            self.order()
        } else if own(moved) {
            let case = if captured.is_some() { Case::Capture } else { Case::Quiet };
            let mut options = vec![Choice::Piece(moved)];
            if let (Rule::IllegalCapture, Some(taken)) = (rule, captured) {
                options.insert(0, Choice::Capture(taken));
            }
            self.choice(rule, options, Rule::NoConsequence.when(case))
        } else {
            // The player moved a piece of the opponent: it was touched and must be taken (Par. 14
            // b; Art. 15 b).
            let taken = self.takes(moved);
            Order::must_or_free(Rule::TouchEnemy, taken, Rule::NoConsequence.when(Case::Quiet))
        };
        self.hand = Hand::default();
        if let Order::Must(rule, moves) = &order {
            self.hand.held = Some((*rule, moves.clone()));
        }
        self.give_order(order, &mut rulings);
        Ok(rulings)
    }

    /// Returns the promotion to a queen of a pawn left unpromoted on the last rank, if the edition
    /// prescribes it (7.5.2).
    fn queen_for(&self, foul: &Foul<G>) -> Option<G::Move> {
        let Wrong::Placed(IllegalMove { from, to, becomes: None, .. }) = foul.wrong else {
            return None;
        };
        let queen = [Part::Place(from, to), Part::Promote('q')];
        let is_it = |m: &G::Move| {
            let parts = self.position().parts(*m);
            queen.iter().all(|part| parts.contains(part))
        };
        let moves = self.position().moves().into_iter().find(is_it);
        moves.filter(|_| self.edition.has(Rule::NotPromoted))
    }

    fn promoted(&mut self, queen: G::Move) -> Answer {
        let side = self.to_move();
        let counts = Decision::Counts(queen.to_string());
        let mut rulings = smallvec![self.ruling(Rule::NotPromoted, counts)];
        if !self.punish(side, &mut rulings) {
            self.play(queen, &mut rulings);
            // The press has already taken its time.
            self.unpressed = None;
        }
        Ok(rulings)
    }

    /// Gives the opponent time, or ends the game (7.4 b). Returns whether the game is over.
    fn punish(&mut self, side: Side, rulings: &mut Rulings) -> bool {
        self.fouls[side.index()] += 1;
        if self.fouls[side.index()] > self.rules.illegal_moves(self.edition) {
            let winner = Some(!side).filter(|&side| self.can_win(side));
            rulings.push(self.finish(Rule::IllegalLoses, GameOutcome::won(winner)));
            return true;
        }
        if self.has_clock() {
            let time = self.edition.terms().illegal_time;
            self.penalise(side, time, Rule::IllegalTime, rulings);
        } else {
            rulings.push(self.ruling(Rule::IllegalTime, Decision::Continues));
        }
        false
    }

    pub(super) fn found_later(&mut self, restore: Restore, case: Case) -> Answer {
        let plies = self.plies.iter().enumerate();
        let mut illegal = plies.filter_map(|(ply, reached)| match reached.played {
            Origin::Illegal(wrong) => Some((ply, wrong)),
            _ => None,
        });
        let (back, found, rule) = match restore {
            Restore::Known => {
                let first = illegal.next().ok_or(Why::Regular)?;
                (first.0 - 1, Some(first), Rule::NoticedLater.into())
            }
            Restore::After(back) if back > self.plies() => return Err(Why::Plies(self.plies())),
            Restore::After(back) => {
                let found = illegal.find(|(ply, _)| *ply > back);
                if found.is_none()
                    && let Some(ply) = self.first_illegal()
                {
                    return Err(Why::Made(ply));
                }
                let rule = match self.edition.terms().unknown {
                    Unknown::Annuls => Rule::NoticedLater.into(),
                    Unknown::LastKnown => Rule::Lost.when(case),
                };
                (back, found, rule)
            }
            Restore::Lost => return self.position_unknown(case),
        };
        let mover = found.map(|(ply, _)| self.plies[ply - 1].position.side());
        let mut rulings = self.go_back(back, rule);
        if let (Some((ply, wrong)), Some(side), Irregular::TimeThenLoss) =
            (found, mover, self.edition.terms().irregular)
        {
            let over = self.punish(side, &mut rulings);
            if !over && ply == back + 1 {
                self.count_touched(wrong);
                if !self.hand.touched.is_empty() {
                    let order = self.order();
                    self.give_order(order, &mut rulings);
                }
            }
        }
        Ok(rulings)
    }

    fn first_illegal(&self) -> Option<usize> {
        self.plies.iter().position(|ply| matches!(ply.played, Origin::Illegal(_)))
    }

    pub(super) fn truncate(&mut self, positions: usize) {
        while self.plies.len() > positions {
            self.plies.drop_last_mut();
        }
    }

    pub(super) fn go_back(&mut self, plies: usize, ground: impl Into<Ground>) -> Rulings {
        self.restore(plies);
        smallvec![self.ruling(ground, Decision::Restored(plies))]
    }

    /// Restores the state after this ply, with its clock times.
    pub(super) fn restore(&mut self, plies: usize) {
        self.truncate(plies + 1);
        let last = &self.plies[self.plies()];
        for (clock, reading) in self.clocks.iter_mut().zip(last.clocks) {
            clock.set_back(reading);
        }
        self.odds = last.odds.clone();
        self.demands = last.demands;
        self.hand = Hand::default();
        self.unpressed = None;
        self.late_press = None;
        self.offer = None;
        self.waits = None;
        self.disregarded = None;
        self.uncrowned.clear();
    }

    /// Handles an illegal move without a known position before it: the game is annulled (Par. 16 e;
    /// Art. 12.3, 17 d). FIDE 2009 goes back to the last known position, which the event must name.
    fn position_unknown(&mut self, case: Case) -> Answer {
        match self.edition.terms().unknown {
            Unknown::Annuls => self.annul(Rule::Lost.when(case)),
            Unknown::LastKnown => Err(Why::Regular),
        }
    }

    pub(super) fn stage_verdict(&self) -> Option<GameEnd> {
        self.verdict().copied()
    }

    pub(super) fn annul(&mut self, ground: impl Into<Ground>) -> Answer {
        Ok(smallvec![self.finish(ground, GameOutcome::Annulled)])
    }
}
