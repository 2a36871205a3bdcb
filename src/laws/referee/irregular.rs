//! Illegal moves, displaced pieces, wrong set-ups (Par. 11, 16, 17; Art. 12, 17, 18; 7; FMJD 5).

use super::touch::Order;
use super::*;
use crate::laws::edition::{Displaced, Irregular, SetupFault, Unknown};
use crate::laws::event::{Notice, Restore};

impl<G: Ruled> Referee<G> {
    /// A piece is put where the rules do not let it.
    pub(super) fn illegal(&mut self, side: Side, from: G::Square, to: G::Square) -> Answer {
        self.in_play()?;
        let terms = self.edition.terms();
        if terms.irregular == Irregular::OpponentDecides {
            return Err(Why::Unknown(self.edition, Rule::NoticedLater));
        }
        if terms.irregular == Irregular::TimeThenLoss
            && side != self.to_move()
            && let Some(foul) = &mut self.hand.foul
            && foul.completed
            && foul.answer.is_none()
        {
            // An irregularity on top of another: the game will go back to before the first (7.4 a).
            foul.answer = Some((from, to));
            self.complete_clock();
            self.unpressed = self.has_clock().then_some(side);
            return Ok(Rulings::new());
        }
        if side != self.to_move() {
            self.turn(side)?;
            return Err(Why::Standing);
        }
        let position = self.position();
        for (square, stands) in [(from, position.owner(from) == Some(side)), (to, from != to)] {
            if !stands {
                return Err(Why::Square(square.to_string()));
            }
        }
        // The first part alone of castling or of a promotion is no legal move.
        let place = Part::Place(from, to);
        let whole = |m: G::Move| {
            let parts = position.parts(m);
            parts.contains(&place)
                && parts.iter().all(|&part| part == place || matches!(part, Part::Remove(_)))
        };
        if let Some(m) = position.moves().into_iter().find(|&m| whole(m)) {
            return Err(Why::Legal(G::move_text(m)));
        }
        if self.hand.foul.is_some() {
            self.turn(side)?;
            return Err(Why::Standing);
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
        let wrong = Wrong::Placed(from, to);
        self.hand.foul = Some(Foul { wrong, capture, completed, answer: None });
        Ok(rulings)
    }

    /// A legal move is made with two hands, which is an illegal one once the clock is pressed (7.5.4).
    pub(super) fn two_hands(&mut self, side: Side, m: G::Move) -> Answer {
        self.knows(Rule::TwoHands)?;
        let mut ahead = self.clone();
        let mut rulings = ahead.make(side, m)?;
        let breach = ahead.plies() == self.plies();
        // A move that ends the game does so, whatever the hands (5.1.1 and 5.2 except 4.1).
        if breach || ahead.verdict().is_some() || !self.has_clock() {
            *self = ahead;
            return Ok(rulings);
        }
        rulings.clear();
        self.settle(side, &mut rulings);
        let wrong = Wrong::TwoHands(m);
        let taken = wrong.taken(self.position());
        self.hand.parts.clear();
        self.hand.held = Some((self.released(), vec![m]));
        let capture = taken.is_some();
        self.hand.foul = Some(Foul { wrong, capture, completed: false, answer: None });
        Ok(rulings)
    }

    /// A player points out an illegal move of the opponent's.
    pub(super) fn claim_illegal(&mut self, side: Side) -> Answer {
        self.in_play()?;
        if let Some(foul) = &self.hand.foul {
            if side == self.to_move() {
                self.turn(side)?;
                return Err(Why::Standing);
            }
            return match self.unsupervised_by(Rule::FastIllegal).filter(|_| foul.answer.is_some()) {
                Some(rule) => self.only(rule, Decision::Refused(side)),
                None => self.foul_found(),
            };
        }
        let Some(rule) = self.unsupervised_by(Rule::FastIllegal) else {
            return self.found_later(Restore::Known);
        };
        match self.touched_only() {
            Some(wrong) if side == self.to_move() => self.found_before_reply(wrong),
            _ => self.only(rule, Decision::Refused(side)),
        }
    }

    /// The illegal move just before, to which the opponent has touched a piece, but not moved (15.4 c,
    /// 16.3 c; A.5.2).
    fn touched_only(&self) -> Option<Wrong<G>> {
        match &self.plies[self.plies()].played {
            Origin::Illegal(wrong) => Some(*wrong),
            _ => None,
        }
    }

    fn found_before_reply(&mut self, wrong: Wrong<G>) -> Answer {
        self.truncate(self.plies());
        let taken = wrong.taken(self.position());
        let touched = wrong.from().into_iter().chain(taken).collect();
        let capture = taken.is_some();
        let foul = Some(Foul { wrong, capture, completed: true, answer: None });
        self.hand = Hand { touched, foul, ..Hand::default() };
        self.foul_found()
    }

    /// The arbiter sees an illegal move where nobody watches the game (A.5.2): too late after the reply.
    fn seen_unsupervised(&mut self, rule: Rule) -> Answer {
        match (&self.hand.foul, self.touched_only()) {
            (Some(foul), _) if foul.answer.is_none() => self.foul_found(),
            (None, Some(wrong)) => self.found_before_reply(wrong),
            _ => self.only(rule, Decision::Continues),
        }
    }

    /// The illegal move that has just been made is taken back.
    fn foul_found(&mut self) -> Answer {
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
        let rule = match (foul.wrong, self.position().checked(), by_piece && foul.capture) {
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
                rulings.push(self.finish(Rule::Blitz, GameOutcome::won(winner)));
                return Ok(rulings);
            }
            if foul.completed && self.punish(side, &mut rulings) {
                return Ok(rulings);
            }
            if foul.wrong == Wrong::NotMoved && self.hand.touched.is_empty() {
                return Ok(rulings);
            }
            let order = if let Wrong::Placed(from, to) = foul.wrong
                && self.position().is_castling_attempt(from, to)
                && self.hand.held.is_none()
                && self.edition.has(Rule::CastlingBarred)
            {
                let rule = Rule::CastlingBarred;
                Order::must_or_free(rule, self.moves_from(from), rule)
            } else {
                match self.order() {
                    Order::Free(_) => Order::Free(Rule::NoConsequence),
                    order => order,
                }
            };
            if let Order::Must(rule, moves) = &order
                && *rule == Rule::CastlingBarred
            {
                self.hand.held = Some((*rule, moves.clone()));
            }
            self.give_order(order, &mut rulings);
            return Ok(rulings);
        }
        let Wrong::Placed(from, to) = foul.wrong else { return Ok(rulings) };
        let by_piece = Choice::Piece(from);
        let options = match rule {
            Rule::IllegalCapture => vec![Choice::Capture(to), by_piece],
            _ => vec![by_piece],
        };
        self.hand = Hand::default();
        let order = self.choice(rule, options, Rule::NoConsequence);
        if let Order::Must(rule, moves) = &order {
            self.hand.held = Some((*rule, moves.clone()));
        }
        self.give_order(order, &mut rulings);
        Ok(rulings)
    }

    /// The promotion to a queen that a pawn was left on the last rank for, where the edition has the
    /// arbiter put a queen there (7.5.2).
    fn queen_for(&self, foul: &Foul<G>) -> Option<G::Move> {
        let Wrong::Placed(from, to) = foul.wrong else { return None };
        let queen = [Part::Place(from, to), Part::Promote('q')];
        let is_it = |m: &G::Move| {
            let parts = self.position().parts(*m);
            queen.iter().all(|part| parts.contains(part))
        };
        let moves = self.position().moves().into_iter().find(is_it);
        moves.filter(|_| self.edition.has(Rule::NotPromoted))
    }

    /// The pawn becomes a queen, and the player is punished as for an illegal move.
    fn promoted(&mut self, queen: G::Move) -> Answer {
        let side = self.to_move();
        let counts = Decision::Counts(queen.to_string());
        let mut rulings = smallvec![self.ruling(Rule::NotPromoted, counts)];
        if !self.punish(side, &mut rulings) {
            self.play(queen, &mut rulings);
            // Its time was taken by the press.
            self.unpressed = None;
        }
        Ok(rulings)
    }

    /// 7.4 b: time for the opponent, and then the game. Whether the game is over.
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

    /// An illegal move of earlier is found.
    fn found_later(&mut self, restore: Restore) -> Answer {
        let plies = self.plies.iter().enumerate();
        let mut illegal = plies.filter_map(|(ply, reached)| match reached.played {
            Origin::Illegal(wrong) => Some((ply, wrong)),
            _ => None,
        });
        let (back, found, rule) = match restore {
            Restore::Known => {
                let first = illegal.next().ok_or(Why::Regular)?;
                (first.0 - 1, Some(first), Rule::NoticedLater)
            }
            Restore::After(back) if back > self.plies() => return Err(Why::Plies(self.plies())),
            Restore::After(back) => {
                let found = illegal.find(|(ply, ..)| *ply > back);
                if found.is_none()
                    && let Some(ply) = self.first_illegal()
                {
                    return Err(Why::Made(ply));
                }
                let rule = match self.edition.terms().unknown {
                    Unknown::Annuls => Rule::NoticedLater,
                    Unknown::LastKnown => Rule::Lost,
                };
                (back, found, rule)
            }
            Restore::Lost => return self.position_unknown(),
        };
        let mover = found.map(|(ply, ..)| self.plies[ply - 1].position.side());
        let mut rulings = self.go_back(back, rule);
        if let (Some((ply, wrong)), Some(side), Irregular::TimeThenLoss) =
            (found, mover, self.edition.terms().irregular)
        {
            let over = self.punish(side, &mut rulings);
            if !over && ply == back + 1 {
                let taken = wrong.taken(self.position());
                self.hand.touched.extend(wrong.from().into_iter().chain(taken));
                if !self.hand.touched.is_empty() {
                    let order = self.order();
                    self.give_order(order, &mut rulings);
                }
            }
        }
        Ok(rulings)
    }

    /// The first ply that is known to be illegal.
    fn first_illegal(&self) -> Option<usize> {
        self.plies.iter().position(|ply| matches!(ply.played, Origin::Illegal(..)))
    }

    /// Forgets all but so many positions.
    fn truncate(&mut self, positions: usize) {
        while self.plies.len() > positions {
            self.plies.drop_last_mut();
        }
    }

    /// The game goes on from the position after this ply. The clocks show what they showed then.
    fn go_back(&mut self, plies: usize, rule: Rule) -> Rulings {
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
        smallvec![self.ruling(rule, Decision::Restored(plies))]
    }

    /// No earlier position is known: the game is annulled (Par. 16 e; Art. 17 d). FIDE 2009 goes back
    /// to the last one that is known, which the event must name.
    fn position_unknown(&mut self) -> Answer {
        match self.edition.terms().unknown {
            Unknown::Annuls => self.annul(Rule::Lost),
            Unknown::LastKnown => Err(Why::Regular),
        }
    }

    /// Something irregular is noticed, by the arbiter or by a player who asks for its consequence.
    pub(super) fn notice(&mut self, by: Option<Side>, notice: Notice) -> Answer {
        if let Some(verdict) = &self.stage_verdict() {
            let terms = self.edition.terms();
            if verdict.outcome == GameOutcome::Annulled {
                return Err(Why::Over);
            }
            let (rule, error) = match notice {
                Notice::Kings
                    if matches!(terms.wrong_kings, SetupFault::AnnulledOnRequestBefore(_)) =>
                {
                    return self.only(Rule::KingsExchanged, Decision::Stands);
                }
                Notice::Displaced(Restore::After(plies))
                    if terms.displaced == Displaced::Afterwards && plies < self.plies() =>
                {
                    self.stage = Stage::Play;
                    return Ok(self.go_back(plies, Rule::Displaced));
                }
                Notice::Setup => (Rule::WrongSetup, terms.wrong_setup),
                Notice::Board => (Rule::WrongBoard, terms.wrong_board),
                _ => return Err(Why::Over),
            };
            let annuls = error == SetupFault::Annuls { afterwards: true };
            if !annuls {
                return Err(Why::Over);
            }
            return self.annul(rule);
        }
        self.in_play()?;
        match notice {
            Notice::Illegal(restore) => {
                self.knows(Rule::NoticedLater)?;
                if let Some(rule) = self.unsupervised_by(Rule::FastIllegal)
                    && self.edition.terms().unsupervised.arbiter_acts
                {
                    return self.seen_unsupervised(rule);
                }
                // He steps in where both kings are in check (15.4 c).
                let both = match self.hand.foul.as_ref().map(|foul| foul.wrong) {
                    Some(Wrong::Placed(from, to)) => self.position().both_checked(from, to),
                    _ => false,
                };
                if self.unsupervised().is_some() && !both {
                    return Err(Why::ClaimOnly);
                }
                match (restore, self.hand.foul.is_some()) {
                    (Restore::Known, true) => self.foul_found(),
                    _ => self.found_later(restore),
                }
            }
            Notice::Displaced(restore) => {
                self.knows(Rule::Displaced)?;
                match (restore, self.edition.terms().displaced) {
                    (Restore::Known, _) => Ok(self.go_back_here()),
                    (_, Displaced::AtOnce) => Err(Why::Regular),
                    (Restore::After(plies), Displaced::Afterwards) if plies > self.plies() => {
                        Err(Why::Plies(self.plies()))
                    }
                    (Restore::After(plies), Displaced::Afterwards) => {
                        let wrongly = self.resumed == Some(plies);
                        let rule = if wrongly { Rule::RestoredWrongly } else { Rule::Displaced };
                        Ok(self.go_back(plies, rule))
                    }
                    _ => self.found_later(restore),
                }
            }
            Notice::Setup => self.wrong_setup(by),
            Notice::Kings => self.wrong_kings(by),
            Notice::Board => self.wrong_board(by),
            Notice::Colours { restart } => {
                self.knows(Rule::ColoursReversed)?;
                if let Some(moves) = self.edition.terms().colours_restart_before {
                    return match self.moves_of(Side::Black) < moves {
                        true => Ok(self.begin_anew(Rule::ColoursReversed)),
                        false => self.only(Rule::ColoursReversed, Decision::Continues),
                    };
                }
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

    fn stage_verdict(&self) -> Option<GameEnd> {
        self.verdict().copied()
    }

    fn annul(&mut self, rule: Rule) -> Answer {
        Ok(smallvec![self.finish(rule, GameOutcome::Annulled)])
    }

    /// The game begins anew, its clocks as well.
    fn begin_anew(&mut self, rule: Rule) -> Rulings {
        let _ = self.go_back(0, rule);
        self.fouls = [0; 2];
        self.demands = [None; 2];
        self.deferred = None;
        self.resumed = None;
        smallvec![self.ruling(rule, Decision::Restart)]
    }

    /// Unsupervised rapid play and blitz let a wrong set-up stand after three moves (15.4 a).
    fn stands_by_now(&self) -> Option<Rule> {
        // A move is completed by the press (6.7 a).
        let completed =
            |side| self.moves_of(side).saturating_sub(u32::from(self.unpressed == Some(side)));
        let completed = completed(Side::White).min(completed(Side::Black));
        let enough = self.edition.terms().unsupervised.setup_stands_after;
        self.unsupervised_by(Rule::FastSetup).filter(|_| completed >= enough)
    }

    fn wrong_setup(&mut self, by: Option<Side>) -> Answer {
        self.knows(Rule::WrongSetup)?;
        match self.stands_by_now() {
            Some(rule) => self.only(rule, Decision::Continues),
            None => self.setup_error(self.edition.terms().wrong_setup, Rule::WrongSetup, by),
        }
    }

    fn wrong_kings(&mut self, by: Option<Side>) -> Answer {
        self.knows(Rule::KingsExchanged)?;
        self.setup_error(self.edition.terms().wrong_kings, Rule::KingsExchanged, by)
    }

    fn wrong_board(&mut self, by: Option<Side>) -> Answer {
        self.knows(Rule::WrongBoard)?;
        if let Some(rule) = self.stands_by_now() {
            return self.only(rule, Decision::Continues);
        }
        self.setup_error(self.edition.terms().wrong_board, Rule::WrongBoard, by)
    }

    /// The board is put right, with the moves that led to it.
    fn replace(&mut self, position: Option<G>) {
        if let Some(position) = position {
            self.last_mut().position = position;
        }
    }

    /// What follows an error of the set-up that is noticed during the game.
    fn setup_error(&mut self, error: SetupFault, rule: Rule, by: Option<Side>) -> Answer {
        let black = self.moves_of(Side::Black);
        match (error, by) {
            (SetupFault::Annuls { .. }, _) => self.annul(rule),
            (SetupFault::AsInitialPosition, _) if self.stands_by_now().is_none() => {
                self.setup_error(self.edition.terms().wrong_setup, Rule::WrongSetup, by)
            }
            (SetupFault::BeginsAgainBefore(moves), Some(by)) if self.moves_of(by) < moves => {
                self.annul(rule)
            }
            (SetupFault::BeginsAgainBefore(moves), _) if black < moves => Ok(self.begin_anew(rule)),
            (SetupFault::AnnulledOnRequestBefore(moves), Some(_)) if black < moves => {
                self.annul(rule)
            }
            (SetupFault::OpponentDecides, Some(by)) => {
                let board = Box::new(self.position().clone());
                self.waits = Some(Waits::Correction { by, board });
                self.only(rule, Decision::Chooses(by, corrections()))
            }
            (SetupFault::OpponentDecides, None) => Err(Why::ClaimOnly),
            (SetupFault::AsInitialPosition, _) => {
                for side in Side::ALL {
                    let exchanged = self.plies[0].position.king_for_queen(side);
                    let barred = exchanged.then(|| self.position().without_castling(side));
                    self.replace(barred.flatten());
                }
                self.only(rule, Decision::Continues)
            }
            (SetupFault::AnnulledOnRequestBefore(_), _) => {
                let start = &self.plies[0].position;
                if Side::ALL.into_iter().all(|side| start.king_for_queen(side)) {
                    self.replace(self.position().mirrored());
                }
                self.only(rule, Decision::Continues)
            }
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
                    self.played(board, Origin::Irregular, &mut rulings);
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
