//! Irregularities at draughts: the opponent may accept them or have them corrected (FMJD 3.6, 4.11,
//! 4.12, 5.4 to 5.8).

use super::*;
use crate::laws::edition::Irregular;

impl<G: Ruled> Referee<G> {
    pub(in crate::laws) fn opponent_decides(&self) -> Result<(), Why> {
        match self.edition.terms().irregular {
            Irregular::OpponentDecides => Ok(()),
            _ => Err(Why::Unknown(self.edition, Rule::Decides)),
        }
    }

    pub(super) fn irregular(&mut self, side: Side, board: &G) -> Answer {
        self.in_play()?;
        self.opponent_decides()?;
        self.irregularity(side, Rule::Illegal, board.clone(), None)
    }

    /// Handles a piece of the player on a light square. It is out of the game unless the opponent
    /// has it put back (5.3).
    pub(super) fn on_light_square(&mut self, side: Side, square: G::Square) -> Answer {
        self.in_play()?;
        self.knows(Rule::Inactive)?;
        let position = self.position();
        if position.owner(square) != Some(side) {
            return Err(Why::Square(square.to_string()));
        }
        let board = position.without(&[square], position.side()).ok_or(Why::Unjudgeable)?;
        self.irregularity(side, Rule::Inactive, board, None)
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
            _ => Err(Why::Nothing),
        }
    }

    /// Asks the opponent of `side` to decide on this board. `moved` is the move that led to it, if
    /// there is one.
    pub(super) fn irregularity(
        &mut self,
        side: Side,
        ground: impl Into<Ground>,
        board: G,
        moved: Option<G::Move>,
    ) -> Answer {
        let (ground, by) = (ground.into(), !side);
        let mut rulings = Rulings::new();
        self.hand_down(side, &mut rulings);
        let correction = Correction { by, ground, board, moved, touched: None };
        self.waits = Some(Waits::Correction(Box::new(correction)));
        rulings.push(self.ruling(ground, Decision::Chooses(by, corrections())));
        Ok(rulings)
    }

    pub(super) fn correct(&mut self, choice: &Choice<G>, correction: Correction<G>) -> Answer {
        let Correction { by, ground, board, moved, .. } = correction;
        if ground.rule == Rule::Inactive {
            return self.correct_inactive(choice, board);
        }
        match choice {
            Choice::Correct if board == *self.position() => {
                // The initial position was wrong.
                self.waits = None;
                Ok(self.begin_anew(Rule::WrongSetup))
            }
            Choice::Correct => {
                self.waits = None;
                if ground.rule == Rule::Crowning {
                    self.uncrowned.retain(|(owner, _)| *owner == by);
                }
                // Removed pieces are put back and must leave the board again.
                self.hand.parts.retain(|part| matches!(part, Part::Place(..)));
                self.only(Rule::Decides, Decision::TakeBack(!by))
            }
            Choice::Accept => {
                self.waits = None;
                let mut rulings = smallvec![self.ruling(Rule::Decides, Decision::Stands)];
                self.carry_uncrowned(moved);
                if board.side() == by {
                    self.played(board, Origin::Irregular, &mut rulings);
                } else if board != *self.position() {
                    self.push(board, Origin::Irregular);
                }
                Ok(rulings)
            }
            _ => Err(Why::Nothing),
        }
    }

    /// Returns the rule that a reply with this move breaks: another piece was touched (3.11,
    /// 5.4.3), or a new king still lacks its crown (3.6, 3.7).
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
        self.knows(Rule::Crowning)?;
        let position = self.position();
        let man = position.owner(square) == Some(side) && position.can_lack_crown(square);
        if !man || self.uncrowned.contains(&(side, square)) {
            return Err(Why::Square(square.to_string()));
        }
        self.uncrowned.push((side, square));
        self.only(Rule::Crowning, Decision::Continues)
    }

    /// Crowns a king, which either player can do (3.6, 3.7).
    pub(super) fn crown(&mut self, square: G::Square) -> Answer {
        self.knows(Rule::Crowning)?;
        let before = self.uncrowned.len();
        self.uncrowned.retain(|(_, uncrowned)| *uncrowned != square);
        if self.uncrowned.len() == before {
            return Err(Why::Square(square.to_string()));
        }
        self.only(Rule::Crowning, Decision::Stands)
    }

    /// Follows an uncrowned king that moves.
    pub(super) fn carry_uncrowned(&mut self, moved: Option<G::Move>) {
        if self.uncrowned.is_empty() {
            return;
        }
        let parts = moved.map(|m| self.position().parts(m));
        let Some(&Part::Place(from, to)) = parts.as_ref().and_then(|parts| parts.first()) else {
            return;
        };
        for (_, square) in self.uncrowned.iter_mut().filter(|(_, square)| *square == from) {
            *square = to;
        }
    }

    /// Returns the fault in removing a piece, if it is a fault for every allowed move.
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

    /// Handles the removal of a piece that the move does not capture (5.4.7, 5.4.12, 5.4.14).
    pub(super) fn wrong_removal(&mut self, side: Side, square: G::Square) -> Answer {
        let position = self.position();
        let Some(owner) = position.owner(square) else {
            return Err(Why::Square(square.to_string()));
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
        let board = board.ok_or(Why::Unjudgeable)?;
        self.irregularity(side, Rule::Illegal.when(case), board, moved)
    }

    /// Handles a pause during the removal of captured pieces. It ends the removal, and the rest
    /// stays (4.12).
    pub(super) fn pause(&mut self, side: Side) -> Answer {
        self.in_play()?;
        self.opponent_decides()?;
        self.turn(side)?;
        self.leave_standing(side, Case::RemovalPaused)
    }

    /// Leaves the remaining captured pieces on the board, unless the opponent has this corrected.
    pub(super) fn leave_standing(&mut self, side: Side, case: Case) -> Answer {
        let moved = self.allowed().into_iter().next().filter(|_| self.placed()).ok_or(Why::Part)?;
        let position = self.position();
        let removed: SmallVec<[G::Square; 4]> = self.removed().collect();
        let still = |part| match part {
            Part::Remove(square) if !removed.contains(&square) => Some(square),
            _ => None,
        };
        let left: Vec<_> = position.parts(moved).into_iter().filter_map(still).collect();
        let board = position.with_left(moved, &left).ok_or(Why::Unjudgeable)?;
        self.irregularity(side, Rule::Illegal.when(case), board, Some(moved))
    }
}

pub(super) fn corrections() -> Vec<String> {
    vec!["correct".into(), "accept".into()]
}
