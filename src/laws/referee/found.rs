//! Illegal moves claimed by a player or noticed by the arbiter, at once or later (Par. 16; Art. 17;
//! 7.4, 15.4 c, 16.3 c; 7.5, A.5.2 of 2023).

use super::touch::Order;
use super::*;
use crate::laws::edition::{Irregular, Unknown};
use crate::laws::event::Restore;
use crate::laws::ruled::CastlingPiece;

/// The index of the position after an uncorrected illegal move, and the move itself.
type Found<G> = (usize, Wrong<G>);

impl<G: Ruled> Referee<G> {
    /// Handles a player's claim that an illegal move was made.
    pub(super) fn claim_illegal(&mut self, side: Side) -> Answer {
        self.in_play()?;
        self.require(Rule::NoticedLater)?;
        match self.unsupervised_by(Rule::FastIllegal) {
            Some(rule) => self.claim_unsupervised(side, rule),
            None => self.claim_supervised(side),
        }
    }

    fn claim_unsupervised(&mut self, side: Side, rule: Rule) -> Answer {
        let refused = Decision::Refused(side);
        if self.hand.foul.as_ref().is_some_and(Foul::is_irregular) {
            // Players cannot claim their own illegal moves, but the arbiter may act on them.
            let own = side == self.to_move();
            let acts = self.edition.terms().unsupervised.arbiter_acts;
            return match own && (self.run_of_illegal().is_some() || !acts) {
                true => self.only(rule.when(Case::IllegalMove), refused),
                false => self.foul_found(),
            };
        }
        match self.touched_only().filter(|_| side == self.to_move()) {
            // Touching forfeits the right to claim a breach of article 4 (4.8).
            Some(Foul { wrong: Wrong::TwoHands(_), .. }) => self.only(Rule::Penalty, refused),
            Some(foul) => self.illegal_found_before_reply(foul),
            None => {
                let note = self.all_illegal().next().is_none().then_some(Note::NoIllegalMove);
                self.reject(rule.when(Case::IllegalMove), side, note)
            }
        }
    }

    fn claim_supervised(&mut self, side: Side) -> Answer {
        if self.hand.foul.as_ref().is_some_and(Foul::is_irregular) {
            if side == self.to_move() && !self.points_out_own() {
                self.turn(side)?;
                return Err(Refused::Standing);
            }
            return match self.run_of_illegal() {
                Some(found) if !self.has_forfeited_claim(side, found) => self.undo_illegal(found),
                _ => self.foul_found(),
            };
        }
        if let Some(foul) = self.claimable_foul().filter(|_| side == self.to_move()) {
            return self.illegal_found_before_reply(foul);
        }
        let claimable = self.all_illegal().find(|&found| !self.has_forfeited_claim(side, found));
        if let Some(found) = claimable {
            return self.undo_illegal(found);
        }
        let forfeited = self.all_illegal().next().is_some();
        match forfeited {
            true => self.reject(Rule::Penalty, side, None),
            false => self.reject(Rule::Illegal, side, Note::NoIllegalMove),
        }
    }

    /// Returns whether players can point out their own illegal moves.
    fn points_out_own(&self) -> bool {
        self.edition.terms().irregular == Irregular::TimeThenLoss
    }

    /// Returns whether touching a piece has cost the player the right to claim the opponent's
    /// uncorrected illegal move. This applies only to breaches of article 4, such as a move made
    /// with two hands (4.8).
    fn has_forfeited_claim(&self, side: Side, (ply, wrong): Found<G>) -> bool {
        let by = self.plies[ply - 1].position.side();
        matches!(wrong, Wrong::TwoHands(_)) && by != side
    }

    /// Returns the illegal move that led to the position after `ply` plies, if the move can be
    /// corrected.
    fn illegal_at(&self, ply: usize) -> Option<Foul<G>> {
        match self.plies[ply].played {
            Origin::Illegal { wrong, completed } => {
                Some(Foul { wrong, completed }).filter(Foul::is_irregular)
            }
            _ => None,
        }
    }

    /// Returns the uncorrected illegal moves, in order.
    fn all_illegal(&self) -> impl Iterator<Item = Found<G>> {
        (0..=self.plies()).filter_map(move |ply| Some((ply, self.illegal_at(ply)?.wrong)))
    }

    /// Returns the first of the consecutive illegal moves that were made last, or `None` if the
    /// last move was legal. A pending illegal move is not counted.
    fn run_of_illegal(&self) -> Option<Found<G>> {
        let illegal = |ply| Some((ply, self.illegal_at(ply)?.wrong));
        (1..=self.plies()).rev().map_while(illegal).last()
    }

    /// Returns the last move if it was illegal and can be corrected. The opponent may have touched
    /// a piece since, but has not completed a move (15.4 c, 16.3 c; A.5.2).
    pub(super) fn touched_only(&self) -> Option<Foul<G>> {
        self.illegal_at(self.plies())
    }

    /// Returns the last move if it was illegal and the opponent has touched pieces since, but can
    /// still claim a penalty for it (see [`Hand::penalty`]).
    pub(super) fn claimable_foul(&self) -> Option<Foul<G>> {
        self.touched_only().filter(|_| self.hand.penalty)
    }

    pub(super) fn illegal_found_before_reply(&mut self, foul: Foul<G>) -> Answer {
        self.truncate(self.plies());
        self.demands = self.plies[self.plies()].demands;
        let wrong = foul.wrong;
        self.hand = Hand { foul: Some(foul), ..Hand::default() };
        self.count_touched(wrong);
        self.foul_found()
    }

    /// Handles the players' agreement to correct an earlier illegal move (16.3 c; A.5.2 of 2023).
    pub(super) fn correct_by_agreement(&mut self) -> Answer {
        self.in_play()?;
        if !self.edition.has(Rule::Blitz) {
            return Err(Refused::Unknown(self.edition, Rule::FastIllegal));
        }
        let rule = self.unsupervised_by(Rule::FastIllegal).ok_or(Refused::Nothing)?;
        if !self.has_case(rule, Case::Agreed) {
            return Err(Refused::NoChoice(self.edition, rule));
        }
        let (ply, _) = self.all_illegal().last().ok_or(Refused::Regular)?;
        Ok(self.go_back(ply - 1, rule.when(Case::Agreed)))
    }

    /// Handles an illegal move that the arbiter notices while it is still the last move.
    pub(super) fn last_illegal_found(&mut self) -> Answer {
        match self.run_of_illegal() {
            Some(found) => self.undo_illegal(found),
            None => self.foul_found(),
        }
    }

    pub(super) fn illegal_found_later(&mut self, restore: Restore, case: Case) -> Answer {
        let back = match restore {
            Restore::Known => {
                let first = self.all_illegal().next().ok_or(Refused::Regular)?;
                return self.undo_illegal(first);
            }
            Restore::Lost => return self.position_unknown(case),
            Restore::After(back) if back > self.plies() => {
                return Err(Refused::Plies(self.plies()));
            }
            Restore::After(back) => back,
        };
        let found = self.all_illegal().find(|(ply, _)| *ply > back);
        let first = self.all_illegal().next();
        if let Some((ply, _)) = first.filter(|_| found.is_none()) {
            return Err(Refused::Made(ply));
        }
        let rule = match self.edition.terms().unknown {
            Unknown::Annuls => Rule::NoticedLater.into(),
            Unknown::LastKnown => Rule::Lost.when(case),
        };
        self.go_back_from(back, found, rule)
    }

    /// Goes back to the position before an illegal move.
    fn undo_illegal(&mut self, found: Found<G>) -> Answer {
        self.go_back_from(found.0 - 1, Some(found), Rule::NoticedLater.into())
    }

    fn go_back_from(&mut self, back: usize, found: Option<Found<G>>, rule: Ground) -> Answer {
        let completed = found.is_some_and(|(ply, _)| self.is_completed(ply));
        let mover = found.map(|(ply, _)| self.plies[ply - 1].position.side());
        let mut rulings = self.go_back(back, rule);
        if let (Some((ply, wrong)), Some(side), Irregular::TimeThenLoss) =
            (found, mover, self.edition.terms().irregular)
        {
            let over = completed && self.punish(side, &mut rulings);
            if !over && ply == back + 1 {
                self.count_touched(wrong);
                if !self.hand.touched.is_empty() {
                    let order = self.order_after(wrong);
                    self.give_order(order, &mut rulings);
                }
            }
        }
        Ok(rulings)
    }

    /// Returns whether an uncorrected illegal move was completed, either by pressing the clock or
    /// by the player's next move (6.2.1.2 of 2023).
    fn is_completed(&self, ply: usize) -> bool {
        match self.plies[ply].played {
            Origin::Illegal { completed: true, .. } => true,
            Origin::Illegal { .. } => {
                let own = self.plies[ply - 1].position.side();
                ply + 2 <= self.plies() || self.hand.foul.is_some() && self.to_move() == own
            }
            _ => false,
        }
    }

    /// Marks a player's last move as completed by pressing the clock, if that move was illegal.
    pub(super) fn complete_illegal(&mut self, side: Side) {
        let last = self.plies();
        let own = last.saturating_sub(usize::from(self.to_move() == side));
        if let Origin::Illegal { completed: false, wrong } = self.plies[own].played {
            self.plies[own].played = Origin::Illegal { completed: true, wrong };
        }
    }

    /// Returns the obligation of a player who must replace an illegal move. A piece released as
    /// part of a legal move must stay on its new square (4.6; 4.7 of 2023).
    pub(super) fn order_after(&mut self, wrong: Wrong<G>) -> Order<G> {
        if self.hand.restriction.is_none() {
            let moves = self.released_by(wrong);
            if let Some(&m) = moves.first() {
                let ground = match self.released(&moves) {
                    Ground { case: Some(Case::Capture), rule } => rule.into(),
                    ground => ground,
                };
                let moves = if matches!(wrong, Wrong::TwoHands(_)) { vec![m] } else { moves };
                self.hand.restriction = Some((ground, moves));
            }
        }
        if let Wrong::Placed(made) = wrong
            && self.hand.restriction.is_none()
            && self.is_castling_attempt(made.from, made.to)
            && self.edition.has(Rule::CastlingBarred)
        {
            let rule = Rule::CastlingBarred;
            let moves = self.moves_from(made.from);
            if !moves.is_empty() {
                self.hand.restriction = Some((rule.into(), moves.clone()));
            }
            return Order::must_or_free(rule, moves, rule);
        }
        match self.order() {
            Order::Free(_) => Order::Free(Rule::NoConsequence.into()),
            order => order,
        }
    }

    /// Returns whether an illegal move from `from` to `to` counts as an attempt to castle. The king
    /// must have been on `from` at the start of the game.
    fn is_castling_attempt(&self, from: G::Square, to: G::Square) -> bool {
        self.plies[0].position.castles(from) == Some(CastlingPiece::King)
            && self.position().is_castling_attempt(from, to)
    }

    /// Returns the legal moves in which a piece goes from and to the same squares as in the illegal
    /// move.
    fn released_by(&self, wrong: Wrong<G>) -> Vec<G::Move> {
        let made = match wrong {
            Wrong::Placed(made) => made,
            Wrong::TwoHands(m) => return vec![m],
            Wrong::NotMoved => return Vec::new(),
        };
        let position = self.position();
        let place = Part::Place(made.from, made.to);
        let mut moves = self.moves();
        moves.retain(|&m| position.parts(m).contains(&place));
        // A player who released the rook first has made a rook move and not castled.
        let moved = |m: &G::Move| G::mover(*m) == made.from;
        if moves.iter().any(moved) {
            moves.retain(moved);
        }
        let promoted = made.becomes.map(Part::Promote);
        let chosen = |m: &G::Move| promoted.is_some_and(|part| position.parts(*m).contains(&part));
        if moves.iter().any(chosen) {
            moves.retain(chosen);
        }
        moves
    }
}
