//! Illegal moves and their consequences, and the restoration of earlier positions (Par. 11, 16, 17;
//! Art. 12, 17, 18; 7; FMJD 5).

use super::touch::Order;
use super::*;
use crate::laws::edition::{Irregular, Unknown};
use crate::laws::ruled::IllegalMove;

impl<G: Ruled> Referee<G> {
    /// Records an illegal placement of a piece. In editions with [`Irregular::TimeThenLoss`], an
    /// illegal reply to an illegal move accepts that move. In the early editions, an illegal reply
    /// is refused.
    pub(super) fn illegal(&mut self, side: Side, made: IllegalMove<G::Square>) -> Answer {
        self.in_play()?;
        self.clocks_run()?;
        let irregular = self.edition.terms().irregular;
        if irregular == Irregular::OpponentDecides {
            return Err(Refused::Unknown(self.edition, Rule::NoticedLater));
        }
        let replies = irregular == Irregular::TimeThenLoss && side != self.to_move();
        let board = if replies && self.hand.foul.is_some() {
            self.board().ok_or(Refused::Unjudgeable)?
        } else {
            self.position().clone()
        };
        if board.side() != side {
            self.turn(side)?;
            return Err(Refused::Standing);
        }
        let owner = |square| board.owner(square);
        let refused = |square: G::Square| Err(Refused::Square(square.to_string()));
        let (second, landing) = made.also.unzip();
        let taken = made.takes.into_iter().chain(second).find(|&square| owner(square).is_none());
        match taken {
            _ if owner(made.from).is_none() => return refused(made.from),
            _ if made.from == made.to => return refused(made.to),
            _ if second == Some(made.from) || landing == Some(made.to) => {
                return Err(Refused::Part);
            }
            Some(taken) => return refused(taken),
            None => {}
        }
        if let Some(m) = legal_as(&board, &made) {
            if board.is_regular() {
                return Err(Refused::Legal(G::move_text(m)));
            }
            let mut rulings = self.make(side, m)?;
            rulings.retain(|ruling| ruling.rule != Rule::Completed);
            return Ok(rulings);
        }
        if self.hand.foul.is_some() && !replies && !self.retracts(side) {
            self.turn(side)?;
            return Err(Refused::Standing);
        }
        let mut rulings = Rulings::new();
        self.settle(side, &mut rulings);
        self.begin_foul(side, Wrong::Placed(made));
        Ok(rulings)
    }

    /// Puts an illegal move on the board. This also completes the last move of either player if the
    /// clock was not pressed after it (6.2.1.2 of 2023).
    fn begin_foul(&mut self, side: Side, wrong: Wrong<G>) {
        self.late_press = self.unpressed.filter(|&unpressed| unpressed != side);
        self.complete_clock();
        self.count_touched(wrong);
        self.hand.parts.clear();
        self.hand.foul = Some(Foul { wrong, completed: !self.has_clock() });
    }

    pub(super) fn count_touched(&mut self, wrong: Wrong<G>) {
        let taken = wrong.captured_square(self.position());
        for square in wrong.from().into_iter().chain(wrong.second()).chain(taken) {
            if !self.hand.touched.contains(&square) {
                self.hand.touched.push(square);
            }
        }
    }

    /// Handles a legal move made with two hands, which becomes an illegal move once the clock is
    /// pressed (7.5.4).
    pub(super) fn two_hands(&mut self, side: Side, m: G::Move) -> Answer {
        self.require(Rule::TwoHands)?;
        if !self.has_case(Rule::TwoHands, Case::IllegalMove) {
            // The edition prescribes no consequence, so the move stands.
            return self.make(side, m);
        }
        let mut ahead = self.clone();
        let mut rulings = ahead.make(side, m)?;
        let breach = ahead.plies() == self.plies();
        // A move that ends the game does so even if made with two hands, because 5.1.1 and 5.2 do
        // not refer to 4.1.
        if breach || ahead.verdict().is_some() || !self.has_clock() {
            *self = ahead;
            return Ok(rulings);
        }
        rulings.clear();
        self.settle(side, &mut rulings);
        self.begin_foul(side, Wrong::TwoHands(m));
        self.hand.restriction = Some((self.released(&[m]), vec![m]));
        Ok(rulings)
    }

    pub(super) fn foul_found(&mut self) -> Answer {
        let found = self.hand.foul.take_if(|foul| foul.is_irregular());
        let foul = found.ok_or(Refused::Regular)?;
        let side = self.to_move();
        self.unpressed = None;
        self.hand.parts.clear();
        let by_piece = self.edition.terms().irregular == Irregular::PieceMustPlay;
        if foul.completed
            && let Some(queen) = self.queen_for(&foul)
        {
            return self.count_as_promoted(queen);
        }
        let captured = foul.wrong.captured_square(self.position());
        let takes = by_piece && captured.is_some();
        let checked = match &foul.wrong {
            Wrong::Placed(made) => self.position().is_in_check() && !self.position().parries(made),
            _ => self.position().is_in_check(),
        };
        let rule = match (foul.wrong, checked, takes) {
            (Wrong::NotMoved, ..) => Rule::NotMoved,
            (Wrong::TwoHands(_), ..) => Rule::TwoHands,
            (_, true, _) => Rule::CheckIgnored,
            (_, _, true) => Rule::IllegalCapture,
            _ => Rule::Illegal,
        };
        let mut rulings = smallvec![match foul.wrong {
            Wrong::NotMoved => self.ruling(rule, Decision::Runs(side)),
            _ => self.ruling(rule, Decision::TakeBack(side)),
        }];
        if !by_piece {
            if foul.completed
                && self.unsupervised() == Some(Rule::Blitz)
                && self.edition.terms().unsupervised.blitz_illegal_loses
            {
                // The claimant wins, or draws if they cannot mate (16.3 c).
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
            let order = self.order_after(foul.wrong);
            self.give_order(order, &mut rulings);
            return Ok(rulings);
        }
        let Wrong::Placed(IllegalMove { from: moved, .. }) = foul.wrong else { return Ok(rulings) };
        let own = |square: G::Square| self.position().owner(square) == Some(side);
        let order = if self.hand.touched.iter().any(|&other| own(other) && other != moved) {
            // Other pieces had been touched before, so the opponent chooses among all touched
            // pieces.
            self.order()
        } else if own(moved) {
            let case = if captured.is_some() { Case::Capture } else { Case::Quiet };
            let mut options = vec![Choice::Piece(moved)];
            if let (Rule::IllegalCapture, Some(taken)) = (rule, captured) {
                options.insert(0, Choice::Capture(taken));
            }
            self.choice(rule, options, Rule::NoConsequence.when(case))
        } else {
            // The player moved an enemy piece, which counts as touched and must be captured (Par.
            // 14 b; Art. 15 b).
            let taken = self.takes(moved);
            Order::must_or_free(Rule::TouchEnemy, taken, Rule::NoConsequence.when(Case::Quiet))
        };
        self.hand = Hand::default();
        if let Order::Must(rule, moves) = &order {
            self.hand.restriction = Some((*rule, moves.clone()));
        }
        self.give_order(order, &mut rulings);
        Ok(rulings)
    }

    /// Returns the promotion to a queen if a pawn was left unpromoted on the last rank and the
    /// edition prescribes a queen (7.5.2).
    fn queen_for(&self, foul: &Foul<G>) -> Option<G::Move> {
        let Wrong::Placed(IllegalMove { from, to, becomes: None, also: None, .. }) = foul.wrong
        else {
            return None;
        };
        let queen = [Part::Place(from, to), Part::Promote('q')];
        let is_it = |m: &G::Move| {
            let parts = self.position().parts(*m);
            queen.iter().all(|part| parts.contains(part))
        };
        let moves = self.moves().into_iter().find(is_it);
        moves.filter(|_| self.edition.has(Rule::NotPromoted))
    }

    fn count_as_promoted(&mut self, queen: G::Move) -> Answer {
        let side = self.to_move();
        let counts = Decision::Counts(queen.to_string());
        let mut rulings = smallvec![self.ruling(Rule::NotPromoted, counts)];
        if !self.punish(side, &mut rulings) {
            self.play(queen, &mut rulings);
            // The time was already deducted when the clock was pressed.
            self.unpressed = None;
        }
        Ok(rulings)
    }

    /// Penalises a completed illegal move by giving the opponent time or ending the game (7.4 b).
    /// Returns whether the game is over.
    pub(super) fn punish(&mut self, side: Side, rulings: &mut Rulings) -> bool {
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

    pub(super) fn truncate(&mut self, positions: usize) {
        while self.plies.len() > positions {
            self.plies.drop_last_mut();
        }
    }

    pub(super) fn go_back(&mut self, plies: usize, ground: impl Into<Ground>) -> Rulings {
        self.restore(plies);
        smallvec![self.ruling(ground, Decision::Restored(plies))]
    }

    /// Restores the position after `plies` plies, with its clock times, odds and demands. Draw
    /// offers and the counts of illegal moves remain.
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
        self.waits = None;
        self.disregarded = None;
        self.uncrowned.clear();
    }

    /// Handles an illegal move or displaced pieces if the position to restore is unknown. In the
    /// early editions, the game is annulled (Par. 16 e; Art. 12.3, 17 d). Since 2009, the game goes
    /// back to the last known position, which the event must name.
    pub(super) fn position_unknown(&mut self, case: Case) -> Answer {
        match self.edition.terms().unknown {
            Unknown::Annuls => self.annul(Rule::Lost.when(case)),
            Unknown::LastKnown => Err(Refused::Regular),
        }
    }

    pub(super) fn annul(&mut self, ground: impl Into<Ground>) -> Answer {
        Ok(smallvec![self.finish(ground, GameOutcome::Annulled)])
    }
}

/// Returns the legal move that consists of exactly the parts in `made`. The first part of castling
/// or of a promotion alone does not count as a move. A capture need not be named in `made.takes`.
fn legal_as<G: Ruled>(board: &G, made: &IllegalMove<G::Square>) -> Option<G::Move> {
    let places = [Some((made.from, made.to)), made.also];
    let places = places.map(|place| place.map(|(from, to)| Part::Place(from, to)));
    let takes = made.takes.map(Part::Remove);
    let becomes = made.becomes.map(Part::Promote);
    if made.of.is_some_and(|of| of != board.side()) {
        return None;
    }
    board.moves().into_iter().filter(|&m| board.is_playable(m)).find(|&m| {
        let parts = board.parts(m);
        let is = |&part: &Part<G::Square>| {
            places.contains(&Some(part))
                || Some(part) == becomes
                || match made.takes {
                    None => matches!(part, Part::Remove(_)),
                    Some(_) => Some(part) == takes,
                }
        };
        let mut whole = places.into_iter().chain([takes, becomes]).flatten();
        parts.iter().all(is) && whole.all(|part| parts.contains(&part))
    })
}
