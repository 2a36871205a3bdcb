//! Irregularities in draughts, which the opponent may accept or have corrected (FMJD 3.6, 4.11,
//! 4.12, 5.4 to 5.8).

use super::*;
use crate::laws::edition::Irregular;

impl<G: Ruled> Referee<G> {
    pub(in crate::laws) fn opponent_decides(&self) -> Result<(), Refused> {
        match self.edition.terms().irregular {
            Irregular::OpponentDecides => Ok(()),
            _ => Err(Refused::Unknown(self.edition, Rule::Decides)),
        }
    }

    pub(super) fn irregular(&mut self, side: Side, board: &G) -> Answer {
        self.in_play()?;
        self.opponent_decides()?;
        self.irregularity(side, Rule::Illegal, board.clone(), Made::Changed)
    }

    /// Handles a second move in a row by the same player (5.4.1).
    pub(super) fn plays_twice(&mut self, side: Side, m: G::Move) -> Answer {
        self.moved_before(side)?;
        let board = self.position().without(&[], side).ok_or(Refused::Unjudgeable)?;
        if !board.is_playable(m) {
            return Err(Refused::NotLegal(G::move_text(m)));
        }
        let ground = Rule::Illegal.when(Case::PlayedTwice);
        self.irregularity(side, ground, board.after(m), Made::Move(m))
    }

    /// Handles a move that the player takes back (5.4.4).
    pub(super) fn retract(&mut self, side: Side) -> Answer {
        self.moved_before(side)?;
        let board = self.plies[self.plies() - 1].position.clone();
        self.irregularity(side, Rule::Illegal.when(Case::Retracted), board, Made::Retracted)
    }

    /// Checks that a player has just moved and the opponent has not begun a move.
    fn moved_before(&self, side: Side) -> Result<(), Refused> {
        self.in_play()?;
        self.opponent_decides()?;
        let before = self.plies.iter().rev().nth(1);
        let moved = before.is_some_and(|ply| ply.position.side() == side) && side != self.to_move();
        match self.hand.parts.is_empty() {
            _ if !moved => Err(Refused::NotMoved(side)),
            true => Ok(()),
            false => Err(Refused::Part),
        }
    }

    /// Handles a capture of one piece (4.4) or several pieces (4.9) that was not shown clearly.
    pub(super) fn unclear(&mut self, side: Side, m: G::Move) -> Answer {
        self.in_play()?;
        self.opponent_decides()?;
        self.turn(side)?;
        if !self.position().is_playable(m) {
            return Err(Refused::NotLegal(G::move_text(m)));
        }
        let is_removal = |part: &Part<G::Square>| matches!(part, Part::Remove(_));
        let case = match self.position().parts(m).iter().filter(|part| is_removal(part)).count() {
            0 => return Err(Refused::Part),
            1 => Case::UnclearCapture,
            _ => Case::UnclearStroke,
        };
        if !self.allowed().contains(&m) {
            return self.make(side, m);
        }
        let board = self.position().after(m);
        self.irregularity(side, Rule::Illegal.when(case), board, Made::Move(m))
    }

    /// Handles one of the player's pieces on a light square. The piece is out of the game unless
    /// the opponent demands that it be put back (5.3).
    pub(super) fn on_light_square(&mut self, side: Side, square: G::Square) -> Answer {
        self.in_play()?;
        self.require(Rule::Inactive)?;
        let position = self.position();
        if position.owner(square) != Some(side) {
            return Err(Refused::Square(square.to_string()));
        }
        let board = position.without(&[square], position.side()).ok_or(Refused::Unjudgeable)?;
        self.irregularity(side, Rule::Inactive, board, Made::Changed)
    }

    fn correct_inactive(&mut self, choice: &Choice<G>, board: G) -> Answer {
        match choice {
            Choice::Correct => {
                self.waits = None;
                self.only(Rule::Decides, Decision::Restored(self.plies()))
            }
            Choice::Accept => {
                self.waits = None;
                self.last_mut().position = board;
                let mut rulings = smallvec![self.ruling(Rule::Decides, Decision::Stands)];
                if let Some((rule, outcome)) = self.end() {
                    rulings.push(self.finish(rule, outcome));
                }
                Ok(rulings)
            }
            _ => Err(Refused::Nothing),
        }
    }

    /// Lets the opponent of `side` decide whether to accept `board` or have it corrected.
    pub(super) fn irregularity(
        &mut self,
        side: Side,
        ground: impl Into<Ground>,
        board: G,
        made: Made<G>,
    ) -> Answer {
        let (ground, by) = (ground.into(), !side);
        let mut rulings = Rulings::new();
        self.hand_down(side, &mut rulings);
        if side == self.to_move() {
            self.touched_irregularly(side, made);
            if board.side() == by && self.has_clock() {
                self.late_press = self.unpressed.filter(|&unpressed| unpressed != side);
                self.complete_clock();
                self.unpressed = Some(side);
            }
        }
        let correction = Correction { by, ground, board, made, touched: None, pressed: false };
        self.waits = Some(Waits::Correction(Box::new(correction)));
        rulings.push(self.ruling(ground, Decision::Chooses(by, corrections())));
        Ok(rulings)
    }

    /// Marks the piece that made an irregular move as touched. If the move is taken back, this
    /// piece must be played (3.11).
    fn touched_irregularly(&mut self, side: Side, made: Made<G>) {
        if let Some((square, _)) = made.placed(self.position())
            && self.position().owner(square) == Some(side)
            && !self.hand.touched.contains(&square)
        {
            self.hand.touched.push(square);
        }
    }

    /// Handles the removal of another piece after an irregular move, while the opponent still has
    /// to decide on that move. The irregular move either jumped the removed piece (5.4.10) or did
    /// not (5.4.7). Returns `None` in any other situation.
    pub(super) fn removes_more(&mut self, side: Side, square: G::Square) -> Option<Answer> {
        let Some(Waits::Correction(correction)) = &self.waits else { return None };
        let Made::Placed(from, to) = correction.made else { return None };
        if correction.by == side {
            return None;
        }
        let jumped = self.position().jumpable(from, to).contains(&square);
        let case = if jumped { Case::RemovedEarly } else { Case::RemovedForNothing };
        let Some(board) = correction.board.without(&[square], correction.board.side()) else {
            return Some(Err(Refused::Square(square.to_string())));
        };
        let (by, ground) = (correction.by, Rule::Illegal.when(case));
        if let Some(Waits::Correction(correction)) = &mut self.waits {
            (correction.ground, correction.board) = (ground, board);
        }
        Some(self.only(ground, Decision::Chooses(by, corrections())))
    }

    /// Records the irregularity that a reply accepts (5.7).
    pub(super) fn reply_to(&mut self, correction: Correction<G>) {
        self.carry_uncrowned(correction.made);
        // An accepted wrong set-up is already the current position.
        if correction.board != *self.position() {
            self.push(correction.board, Origin::Irregular);
        }
        self.complete_irregular(!correction.by, correction.pressed);
    }

    /// Completes an accepted irregular move if its player has pressed the clock.
    fn complete_irregular(&mut self, side: Side, pressed: bool) {
        if pressed {
            self.unpressed = Some(side);
            self.complete_clock();
            self.last_mut().clocks = [self.clocks[0].reading(), self.clocks[1].reading()];
        }
    }

    pub(super) fn correct(&mut self, choice: &Choice<G>, correction: Correction<G>) -> Answer {
        let Correction { by, ground, board, made, pressed, .. } = correction;
        if ground.rule == Rule::Inactive {
            return self.correct_inactive(choice, board);
        }
        match choice {
            Choice::Correct if ground.rule == Rule::WrongSetup => Ok(self.restart(ground.rule)),
            Choice::Correct => {
                self.waits = None;
                if made == Made::Retracted {
                    // The correction restores the move that the player took back.
                    return self.only(Rule::Decides, Decision::Restored(self.plies()));
                }
                let offender = !by;
                if self.to_move() == offender {
                    self.unpressed.take_if(|side| *side == offender);
                }
                if ground.rule == Rule::Crowning {
                    self.uncrowned.retain(|(owner, _)| *owner == by);
                }
                // The take-back undoes every removal of the unfinished capture, so the player must
                // remove the captured pieces again.
                self.hand.parts.retain(|part| matches!(part, Part::Place(..)));
                self.only(Rule::Decides, Decision::TakeBack(!by))
            }
            Choice::Accept => {
                self.waits = None;
                let mut rulings = smallvec![self.ruling(Rule::Decides, Decision::Stands)];
                self.carry_uncrowned(made);
                match made {
                    Made::Removed(square) if board.end().is_none() => {
                        self.goes_on_without(square);
                        return Ok(rulings);
                    }
                    Made::Retracted => {
                        self.take_back();
                        return Ok(rulings);
                    }
                    _ => {}
                }
                if board.side() == by && self.to_move() != by {
                    let late = self.late_press;
                    self.add_ply(board, Origin::Irregular, &mut rulings);
                    self.late_press = late;
                    self.complete_irregular(!by, pressed);
                } else if board != *self.position() {
                    self.push(board, Origin::Irregular);
                    let ended = self.end().map(|(rule, outcome)| self.finish(rule, outcome));
                    rulings.extend(ended);
                }
                Ok(rulings)
            }
            _ => Err(Refused::Nothing),
        }
    }

    /// Continues a capture after one of the captured pieces was removed too early. The player can
    /// still choose where to land (4.3).
    fn goes_on_without(&mut self, square: G::Square) {
        let part = Part::Remove(square);
        let mut allowed = self.allowed();
        allowed.retain(|&m| self.position().parts(m).contains(&part));
        if self.hand.restriction.is_none() {
            self.hand.restriction = Some((self.released(&allowed), allowed));
        }
        self.hand.parts.push(part);
    }

    /// Returns to the position before the last move without changing the clocks.
    fn take_back(&mut self) {
        self.truncate(self.plies());
        self.hand = Hand::default();
        self.unpressed = None;
        self.late_press = None;
    }

    /// Returns the rule that the reply `m` breaks: another piece was touched (3.11, 5.4.3), or a
    /// new king is still uncrowned (3.6, 3.7).
    pub(super) fn reply_fault(&self, side: Side, m: G::Move) -> Option<Ground> {
        if self.touched_for_reply().is_some_and(|square| square != G::mover(m)) {
            return Some(Rule::Illegal.when(Case::OtherPiece));
        }
        let own = |(owner, _): &&(Side, G::Square)| *owner == side;
        let mut uncrowned = self.uncrowned.iter().filter(own).peekable();
        uncrowned.peek()?;
        let itself = uncrowned.any(|(_, square)| *square == G::mover(m));
        let case = if itself { Case::PlayedUncrowned } else { Case::Uncrowned };
        Some(Rule::Crowning.when(case))
    }

    pub(super) fn touched_for_reply(&self) -> Option<G::Square> {
        match &self.waits {
            Some(Waits::Correction(correction)) => correction.touched,
            _ => None,
        }
    }

    pub(super) fn leave_uncrowned(&mut self, side: Side, square: G::Square) -> Answer {
        self.in_play()?;
        self.require(Rule::Crowning)?;
        let position = self.position();
        let man = position.owner(square) == Some(side) && position.can_lack_crown(square);
        if !man || self.uncrowned.contains(&(side, square)) {
            return Err(Refused::Square(square.to_string()));
        }
        self.uncrowned.push((side, square));
        self.only(Rule::Crowning, Decision::Continues)
    }

    /// Crowns a king, which either player can do (3.6, 3.7).
    pub(super) fn crown(&mut self, square: G::Square) -> Answer {
        self.require(Rule::Crowning)?;
        let before = self.uncrowned.len();
        self.uncrowned.retain(|(_, uncrowned)| *uncrowned != square);
        if self.uncrowned.len() == before {
            return Err(Refused::Square(square.to_string()));
        }
        self.only(Rule::Crowning, Decision::Stands)
    }

    /// Updates the square of an uncrowned king that moves.
    pub(super) fn carry_uncrowned(&mut self, made: Made<G>) {
        let Some((from, to)) = made.placed(self.position()) else { return };
        for (_, square) in self.uncrowned.iter_mut().filter(|(_, square)| *square == from) {
            *square = to;
        }
    }

    /// Returns the fault in removing the piece on `square`, or `None` if the removal is a correct
    /// part of an allowed move.
    pub(super) fn removal_fault(&self, allowed: &[G::Move], square: G::Square) -> Option<Case> {
        let removed: SmallVec<[G::Square; 4]> = self.removed().collect();
        let position = self.position();
        let fault = |&m: &G::Move| position.removal_fault(m, self.placed(), &removed, square);
        allowed.iter().map(fault).min_by_key(Option::is_some).flatten()
    }

    pub(super) fn placed(&self) -> bool {
        self.hand.parts.iter().any(|part| matches!(part, Part::Place(..)))
    }

    fn removed(&self) -> impl Iterator<Item = G::Square> {
        self.hand.parts.iter().filter_map(|part| match part {
            Part::Remove(square) => Some(*square),
            _ => None,
        })
    }

    /// Handles the removal of a piece that was not captured (5.4.7, 5.4.12, 5.4.14).
    pub(super) fn wrong_removal(&mut self, side: Side, square: G::Square) -> Answer {
        let position = self.position();
        let Some(owner) = position.owner(square) else {
            return Err(Refused::Square(square.to_string()));
        };
        let moved = self.allowed().into_iter().next().filter(|_| self.placed());
        let (case, board) = match moved {
            None => (Case::RemovedForNothing, position.without(&[square], side)),
            Some(m) => {
                let own = owner == side;
                let case = if own { Case::RemovedOwn } else { Case::RemovedOther };
                (case, position.after(m).without(&[square], !side))
            }
        };
        let board = board.ok_or(Refused::Unjudgeable)?;
        let made = moved.map_or(Made::Changed, Made::Move);
        if owner == side && moved.is_none() && !self.hand.touched.contains(&square) {
            self.hand.touched.push(square);
        }
        self.irregularity(side, Rule::Illegal.when(case), board, made)
    }

    /// Handles a pause during the removal of captured pieces. The pause ends the removal, and the
    /// remaining pieces stay on the board (4.12).
    pub(super) fn pause(&mut self, side: Side) -> Answer {
        self.in_play()?;
        self.opponent_decides()?;
        self.turn(side)?;
        self.leave_standing(side, Case::RemovalPaused)
    }

    /// Leaves the remaining captured pieces on the board. The opponent can demand a correction.
    pub(super) fn leave_standing(&mut self, side: Side, case: Case) -> Answer {
        let moved =
            self.allowed().into_iter().next().filter(|_| self.placed()).ok_or(Refused::Part)?;
        let position = self.position();
        let removed: SmallVec<[G::Square; 4]> = self.removed().collect();
        let still = |part| match part {
            Part::Remove(square) if !removed.contains(&square) => Some(square),
            _ => None,
        };
        let left: Vec<_> = position.parts(moved).into_iter().filter_map(still).collect();
        let board = position.with_left(moved, &left).ok_or(Refused::Unjudgeable)?;
        self.irregularity(side, Rule::Illegal.when(case), board, Made::Move(moved))
    }
}

pub(super) fn corrections() -> Vec<String> {
    vec!["correct".into(), "accept".into()]
}
