//! Illegal moves, displaced pieces, wrong set-ups (Par. 11, 16, 17; Art. 12, 17, 18; 7; FMJD 5).

use super::touch::Order;
use super::*;
use crate::laws::edition::Irregular;
use crate::laws::event::{Notice, Restore};
use crate::laws::{fide1928, fide2009};

impl<G: Ruled> Referee<G> {
    /// A piece is put where the rules do not let it.
    pub(super) fn illegal(&mut self, side: Side, from: G::Square, to: G::Square) -> Answer {
        self.in_play()?;
        self.turn(side)?;
        if self.edition.terms().irregular == Irregular::OpponentDecides {
            return Err(Why::Unknown(self.edition, Rule::NoticedLater));
        }
        let position = self.position();
        for (square, owner) in [(from, true), (to, false)] {
            if owner != (position.owner(square) == Some(side)) {
                return Err(Why::Square(square.to_string()));
            }
        }
        let place = Part::Place(from, to);
        let mut legal = position.moves().into_iter();
        if let Some(m) = legal.find(|&m| position.parts(m).contains(&place)) {
            return Err(Why::Legal(m.to_string()));
        }
        if self.hand.foul.is_some() {
            return Err(Why::Turn(!side));
        }
        let capture = position.owner(to) == Some(!side);
        let completed = !self.has_clock();
        let mut rulings = Rulings::new();
        self.decline(side, &mut rulings);
        for square in [Some(from), capture.then_some(to)].into_iter().flatten() {
            if !self.hand.touched.contains(&square) {
                self.hand.touched.push(square);
            }
        }
        self.hand.parts.clear();
        self.hand.foul = Some(Foul { from, to, capture, completed });
        Ok(rulings)
    }

    /// A player points out an illegal move of the opponent's.
    pub(super) fn claim_illegal(&mut self, side: Side) -> Answer {
        self.in_play()?;
        if self.hand.foul.is_some() {
            self.turn(!side)?;
            return self.foul_found();
        }
        match self.unsupervised() {
            // Too late: he has made his own move (15.4 c, 16.3 c).
            Some(rule) => self.only(rule, Decision::Refused(side)),
            None => self.found_later(Restore::Known),
        }
    }

    /// The illegal move that has just been made is taken back.
    fn foul_found(&mut self) -> Answer {
        let Some(foul) = self.hand.foul.take() else { return Err(Why::Regular) };
        let side = self.to_move();
        self.unpressed = None;
        let rule = match (self.edition.is_old() && foul.capture, self.position().checked()) {
            (true, _) => Rule::IllegalCapture,
            (_, true) => Rule::CheckIgnored,
            _ => Rule::Illegal,
        };
        let mut rulings = smallvec![self.ruling(rule, Decision::TakeBack(side))];
        if !self.edition.is_old() {
            if foul.completed && self.unsupervised() == Some(Rule::Blitz) {
                // 16.3 c: the claimant wins, or draws where he cannot mate.
                let winner = Some(!side).filter(|&side| self.can_win(side));
                rulings.push(self.finish(Rule::Blitz, Outcome::won(winner)));
                return Ok(rulings);
            }
            if foul.completed && self.punish(side, &mut rulings) {
                return Ok(rulings);
            }
            let order = match self.order() {
                Order::Free(_) => Order::Free(Rule::NoConsequence),
                order => order,
            };
            self.give_order(order, &mut rulings);
            return Ok(rulings);
        }
        let by_piece = Choice::Piece(foul.from);
        let options = match foul.capture {
            true => vec![Choice::Capture(foul.to), by_piece],
            false => vec![by_piece],
        };
        self.hand = Hand::default();
        let order = self.choice(rule, options, Rule::NoConsequence);
        if let Order::Must(rule, moves) = &order {
            self.hand.held = Some((*rule, moves.clone()));
        }
        self.give_order(order, &mut rulings);
        Ok(rulings)
    }

    /// 7.4 b: time for the opponent, and then the game. Whether the game is over.
    fn punish(&mut self, side: Side, rulings: &mut Rulings) -> bool {
        self.fouls[side.index()] += 1;
        if self.fouls[side.index()] > self.rules.illegal_moves {
            let winner = Some(!side).filter(|&side| self.can_win(side));
            rulings.push(self.finish(Rule::IllegalLoses, Outcome::won(winner)));
            return true;
        }
        if self.has_clock() {
            self.add_time(!side, fide2009::EXTRA_TIME, Rule::IllegalTime, rulings);
        } else {
            rulings.push(self.ruling(Rule::IllegalTime, Decision::Continues));
        }
        false
    }

    /// An illegal move of earlier is found.
    fn found_later(&mut self, restore: Restore) -> Answer {
        let found = self.plies.iter().position(|ply| matches!(ply.played, Played::Illegal(..)));
        let back = match (restore, found) {
            (Restore::Known, Some(ply)) => ply - 1,
            (Restore::Known, None) => return Err(Why::Regular),
            (Restore::After(plies), _) if plies <= self.plies() && !self.edition.is_old() => plies,
            (Restore::After(_), _) => return Err(Why::Plies(self.plies())),
            (Restore::Lost, _) => return self.position_unknown(),
        };
        let illegal = self.plies.get(back + 1).map(|ply| ply.played.clone());
        let rule = if restore == Restore::Known { Rule::NoticedLater } else { Rule::Lost };
        let mut rulings = self.go_back(back, rule);
        if let (Some(Played::Illegal(from, to)), false) = (illegal, self.edition.is_old()) {
            let side = self.to_move();
            self.hand.touched.push(from);
            if self.position().owner(to).is_some() {
                self.hand.touched.push(to);
            }
            if !self.punish(side, &mut rulings) {
                let order = self.order();
                self.give_order(order, &mut rulings);
            }
        }
        Ok(rulings)
    }

    /// The game goes on from the position after so many plies. The clocks show what they showed then.
    fn go_back(&mut self, plies: usize, rule: Rule) -> Rulings {
        self.plies.truncate(plies + 1);
        let last = &self.plies[self.plies.len() - 1];
        for (clock, reading) in self.clocks.iter_mut().zip(last.clocks) {
            clock.set_back(reading);
        }
        self.odds = last.odds.clone();
        self.hand = Hand::default();
        self.unpressed = None;
        self.offer = None;
        self.waits = None;
        if let Some(demand) = &mut self.demand {
            demand.moves = 0;
        }
        smallvec![self.ruling(rule, Decision::Restored(plies))]
    }

    /// No earlier position is known: the game is annulled (Par. 16 e; Art. 17 d). FIDE 2009 goes back
    /// to the last one that is known, which the event must name.
    fn position_unknown(&mut self) -> Answer {
        if !self.edition.is_old() {
            return Err(Why::Regular);
        }
        Ok(smallvec![self.finish(Rule::Lost, Outcome::Annulled)])
    }

    /// Something irregular is noticed, by the arbiter or by a player who asks for its consequence.
    pub(super) fn notice(&mut self, by: Option<Side>, notice: Notice) -> Answer {
        if let Some(verdict) = &self.stage_verdict() {
            // Art. 12.1 and Par. 11 annul also afterwards; nothing else is noticed after the end.
            let annuls = self.edition.is_old() && verdict.outcome != Outcome::Annulled;
            return match notice {
                Notice::Setup if annuls => self.annul(Rule::WrongSetup),
                Notice::Board if annuls && self.edition == Edition::Fide1930 => {
                    self.annul(Rule::WrongBoard)
                }
                _ => Err(Why::Over),
            };
        }
        self.in_play()?;
        match notice {
            Notice::Illegal(restore) => {
                self.knows(Rule::NoticedLater)?;
                if self.unsupervised().is_some() {
                    return Err(Why::ClaimOnly);
                }
                match (restore, self.hand.foul.is_some()) {
                    (Restore::Known, true) => self.foul_found(),
                    _ => self.found_later(restore),
                }
            }
            Notice::Displaced(restore) => {
                self.knows(Rule::Displaced)?;
                match restore {
                    Restore::Known => Ok(self.go_back_here()),
                    _ if self.edition == Edition::Fmjd => Err(Why::Regular),
                    Restore::After(_) | Restore::Lost => self.found_later(restore),
                }
            }
            Notice::Setup => self.wrong_setup(by),
            Notice::Kings => self.wrong_kings(by),
            Notice::Board => self.wrong_board(),
            Notice::Colours { restart } => {
                self.knows(Rule::ColoursReversed)?;
                match (restart, by) {
                    (false, _) => self.only(Rule::ColoursReversed, Decision::Continues),
                    (true, None) => Ok(self.begin_anew(Rule::ColoursReversed)),
                    (true, Some(_)) => Err(Why::Deciding),
                }
            }
            Notice::Clocks => self.clocks_resumed(by),
        }
    }

    /// Pieces that were displaced are put back.
    fn go_back_here(&self) -> Rulings {
        smallvec![self.ruling(Rule::Displaced, Decision::Restored(self.plies()))]
    }

    fn stage_verdict(&self) -> Option<Verdict> {
        self.verdict().copied()
    }

    fn annul(&mut self, rule: Rule) -> Answer {
        Ok(smallvec![self.finish(rule, Outcome::Annulled)])
    }

    /// The game begins anew, its clocks as well.
    fn begin_anew(&mut self, rule: Rule) -> Rulings {
        let _ = self.go_back(0, rule);
        self.fouls = [0; 2];
        self.demand = None;
        self.deferred = None;
        self.resumed = None;
        smallvec![self.ruling(rule, Decision::Restart)]
    }

    /// Unsupervised rapid play and blitz let a wrong set-up stand after three moves (15.4 a).
    fn stands_by_now(&self) -> Option<Rule> {
        let completed = self.moves_of(Side::White).min(self.moves_of(Side::Black));
        self.unsupervised().filter(|_| completed >= fide2009::RAPID_SETUP)
    }

    fn wrong_setup(&mut self, by: Option<Side>) -> Answer {
        self.knows(Rule::WrongSetup)?;
        if let Some(rule) = self.stands_by_now() {
            return self.only(rule, Decision::Continues);
        }
        match (self.edition, by) {
            // 5.2: an irregularity, on which the player who points it out decides.
            (Edition::Fmjd, Some(by)) => {
                let board = Box::new(self.position().clone());
                self.waits = Some(Waits::Correction { by, board });
                self.only(Rule::WrongSetup, Decision::Chooses(by, corrections()))
            }
            (Edition::Fmjd, None) => Err(Why::ClaimOnly),
            _ => self.annul(Rule::WrongSetup),
        }
    }

    fn wrong_kings(&mut self, by: Option<Side>) -> Answer {
        self.knows(Rule::KingsExchanged)?;
        let rule = Rule::KingsExchanged;
        match self.edition {
            Edition::Fide1928
                if by.is_some() && self.moves_of(Side::Black) < fide1928::SETUP_MOVES =>
            {
                self.annul(rule)
            }
            Edition::Fide2009 if self.stands_by_now().is_none() => self.annul(Rule::WrongSetup),
            _ => self.only(rule, Decision::Continues),
        }
    }

    fn wrong_board(&mut self) -> Answer {
        self.knows(Rule::WrongBoard)?;
        let rule = Rule::WrongBoard;
        match self.edition {
            Edition::Fide1928 if self.moves_of(Side::Black) < fide1928::SETUP_MOVES => {
                Ok(self.begin_anew(rule))
            }
            Edition::Fide1930 | Edition::Fmjd => self.annul(rule),
            _ => self.only(rule, Decision::Continues),
        }
    }

    // ------------------------------------------------------------------------ draughts (FMJD 5)

    /// A player leaves the board in a position that the rules do not give.
    pub(super) fn irregular(&mut self, side: Side, board: &G) -> Answer {
        self.in_play()?;
        if self.edition.terms().irregular != Irregular::OpponentDecides {
            return Err(Why::Unknown(self.edition, Rule::Decides));
        }
        self.offer_correction(side, board.clone())
    }

    /// The opponent of `side` decides whether what it did is corrected.
    pub(super) fn offer_correction(&mut self, side: Side, board: G) -> Answer {
        let mut rulings = Rulings::new();
        self.decline(side, &mut rulings);
        self.waits = Some(Waits::Correction { by: !side, board: Box::new(board) });
        rulings.push(self.ruling(Rule::Illegal, Decision::Chooses(!side, corrections())));
        Ok(rulings)
    }

    /// The opponent has decided.
    pub(super) fn correct(&mut self, side: Side, choice: &Choice<G>, board: G) -> Answer {
        match choice {
            Choice::Correct if board == *self.position() => {
                // The initial position was wrong.
                self.waits = None;
                Ok(self.begin_anew(Rule::WrongSetup))
            }
            Choice::Correct => {
                self.waits = None;
                let decision = Decision::TakeBack(!side);
                self.only(Rule::Decides, decision)
            }
            Choice::Accept => {
                self.waits = None;
                let mut rulings = Rulings::new();
                if board != *self.position() {
                    self.played(board, Played::Irregular, &mut rulings);
                }
                rulings.insert(0, self.ruling(Rule::Decides, Decision::Stands));
                Ok(rulings)
            }
            _ => Err(Why::Nothing),
        }
    }
}

/// What the opponent can choose (FMJD 5.4).
fn corrections() -> Vec<String> {
    vec!["correct".into(), "accept".into()]
}
