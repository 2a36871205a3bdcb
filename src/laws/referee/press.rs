//! Pressing the clock (6.7; Par. 20; Art. 20).

use super::*;
use crate::laws::clock::Flag;
use crate::laws::edition::Irregular;
use crate::laws::event::PressTime;
use crate::laws::ruled::IllegalMove;
use std::time::Duration;

impl<G: Ruled> Referee<G> {
    pub(super) fn press(&mut self, side: Side, shown: Option<PressTime>) -> Answer {
        if self.presses_late(side) {
            let taken = self.used_time(side, shown)?;
            self.late_press = None;
            self.complete_illegal(side);
            if matches!(self.stage, Stage::Adjourned { .. }) {
                self.unpressed = None;
            }
            return match self.charge_incomplete(side, taken) {
                Ok(()) => Ok(Rulings::new()),
                Err(_) => self.overstepped(side),
            };
        }
        if matches!(self.stage, Stage::Sealing { .. }) {
            return self.close(side, shown);
        }
        if let Some(Waits::Correction(correction)) = &self.waits
            && correction.by != side
        {
            return self.press_irregular(side, shown);
        }
        self.in_play()?;
        if !self.has_clock() {
            return Err(Refused::NoClock);
        }
        self.clocks_run()?;
        if side == self.to_move() && self.placed() && self.opponent_decides().is_ok() {
            let taken = self.used_time(side, shown)?;
            let rulings = self.leave_standing(side, Case::RemovedTooFew)?;
            // The time is deducted even though the opponent has yet to decide on the move.
            let fallen = self.spend_after_irregularity(side, taken)?;
            return Ok(if fallen.is_empty() { rulings } else { fallen });
        }
        if self.unannounced(side) {
            return self.only(Rule::BlindMove.when(Case::Barred), Decision::Barred(side));
        }
        let unmoved = self.presses_unmoved(side);
        let unfinished = unmoved.or_else(|| self.unfinished(side));
        let foul = self.hand.foul.as_ref();
        let wrong = foul.is_some_and(|foul| !foul.completed) || unfinished.is_some();
        let owes = self.unpressed == Some(side) && foul.is_none();
        if !(owes || wrong && side == self.to_move()) {
            return self.press_in_vain(side, shown);
        }
        let taken = self.used_time(side, shown)?;
        if let Some(foul) = unfinished {
            self.complete_clock();
            self.hand.parts.clear();
            self.hand.foul = Some(foul);
            self.late_press = self.late_press.filter(|&late| late != side);
        }
        let clock = &mut self.clocks[side.index()];
        let charged = if wrong {
            clock.charge_incomplete(taken)
        } else {
            clock.charge(taken, Default::default())
        };
        let Ok(gained) = charged else { return self.overstepped(side) };
        self.clocks[(!side).index()].gain(gained);
        if wrong {
            // The time is deducted, but the move itself counts only when it is accepted.
            self.unpressed = Some(side);
            if let Some(foul) = &mut self.hand.foul {
                foul.completed = true;
            }
        } else {
            self.unpressed = None;
            // The opponent's clock runs now, so a press by the opponent is no longer late.
            self.late_press = None;
            self.count_odds(side);
            self.last_mut().clocks = [self.clocks[0].reading(), self.clocks[1].reading()];
            self.complete_illegal(side);
        }
        Ok(Rulings::new())
    }

    /// Handles a press after an irregularity that can still be corrected.
    fn press_irregular(&mut self, side: Side, shown: Option<PressTime>) -> Answer {
        if !self.has_clock() {
            return Err(Refused::NoClock);
        }
        self.clocks_run()?;
        if self.unpressed != Some(side) {
            return Err(Refused::NotMoved(side));
        }
        let taken = self.used_time(side, shown)?;
        self.spend_after_irregularity(side, taken)
    }

    /// Deducts the time of an irregular move. The move itself counts only when it is accepted.
    fn spend_after_irregularity(&mut self, side: Side, taken: Duration) -> Answer {
        if self.charge_incomplete(side, taken).is_err() {
            return self.overstepped(side);
        }
        self.unpressed = None;
        if let Some(Waits::Correction(correction)) = &mut self.waits {
            correction.pressed = true;
        }
        Ok(Rulings::new())
    }

    /// Returns whether a press only stops a clock that should already have been stopped. A player
    /// can press the clock at any time (6.7 a), even after the opponent's reply or after sealing.
    fn presses_late(&self, side: Side) -> bool {
        let replied =
            |(absent, reply): &(Side, Option<Sheet<G>>)| *absent != side && reply.is_some();
        match &self.stage {
            Stage::Over(_) | Stage::Absent { .. } => false,
            Stage::Adjourned { .. } => self.unpressed == Some(side),
            Stage::Play if self.away.as_ref().is_some_and(replied) => self.has_clock(),
            // A player's next move completes that player's previous move (6.2.1.2 of 2023).
            Stage::Play | Stage::Sealing { .. } => {
                self.late_press == Some(side) && !self.has_begun(side)
            }
        }
    }

    /// Returns whether a player has begun a move, or made an illegal one.
    fn has_begun(&self, side: Side) -> bool {
        side == self.to_move() && (self.hand.foul.is_some() || !self.hand.parts.is_empty())
    }

    /// Returns an unfinished move that becomes an illegal move when the clock is pressed. An
    /// unpromoted pawn and castling without moving the rook count as illegal placements (7.4 a;
    /// 7.5.2 of 2023). Other unfinished moves, such as a capture without removing the captured
    /// piece, count as pressing without a move (7.5.3 of 2023).
    fn unfinished(&self, side: Side) -> Option<Foul<G>> {
        if self.edition.terms().irregular != Irregular::TimeThenLoss
            || !self.has_begun(side)
            || self.hand.foul.is_some()
        {
            return None;
        }
        let position = self.position();
        let lacks = |m: G::Move| {
            let left = |part: &Part<G::Square>| {
                !self.hand.parts.contains(part) && !matches!(part, Part::Remove(_))
            };
            position.parts(m).iter().any(left)
        };
        let placed = self.hand.parts.iter().find_map(|part| match *part {
            Part::Place(from, to) => Some(IllegalMove::placed(from, to)),
            _ => None,
        });
        let placed = placed.filter(|_| self.allowed().into_iter().any(lacks));
        let not_moved = self.edition.has(Rule::NotMoved).then_some(Wrong::NotMoved);
        let wrong = placed.map(Wrong::Placed).or(not_moved)?;
        Some(Foul { wrong, completed: false })
    }

    /// Handles a press without a move in an edition that prescribes no penalty for it (6.7 a,
    /// 13.4). The player's clock continues to run.
    fn press_in_vain(&mut self, side: Side, shown: Option<PressTime>) -> Answer {
        let is_unmoved =
            self.unpressed.is_none() && side == self.on_turn() && self.hand.foul.is_none();
        if !is_unmoved || !self.has_case(Rule::Pressing, Case::Barred) {
            return Err(Refused::NotMoved(side));
        }
        let taken = self.used_time(side, shown)?;
        if self.spend(side, taken).is_err() {
            return self.overstepped(side);
        }
        self.only(Rule::Pressing.when(Case::Barred), Decision::Barred(side))
    }

    /// Returns a foul if the player presses the clock without a move and the edition treats this
    /// as an illegal move (7.5.3).
    fn presses_unmoved(&self, side: Side) -> Option<Foul<G>> {
        let wrong = Wrong::NotMoved;
        let unmoved = self.unpressed.is_none()
            && side == self.on_turn()
            && self.hand.parts.is_empty()
            && self.hand.foul.is_none()
            && self.edition.has(Rule::NotMoved);
        unmoved.then_some(Foul { wrong, completed: false })
    }

    /// Handles a press after the time has run out.
    fn overstepped(&mut self, side: Side) -> Answer {
        self.clocks[side.index()].set(Default::default());
        if self.unsupervised().is_some() {
            // Nobody saw the flag fall, so the opponent must claim it.
            self.unpressed = None;
            return Ok(Rulings::new());
        }
        self.fallen(side)
    }

    /// Charges a player's clock for a press that does not complete a move. In an hourglass, the
    /// opponent gains the time.
    pub(super) fn charge_incomplete(&mut self, side: Side, taken: Duration) -> Result<(), Flag> {
        let gained = self.clocks[side.index()].charge_incomplete(taken)?;
        self.clocks[(!side).index()].gain(gained);
        Ok(())
    }

    /// Returns the time that a player took before pressing the clock, counted from the start of the
    /// turn and including any delay.
    pub(super) fn used_time(
        &self,
        side: Side,
        shown: Option<PressTime>,
    ) -> Result<Duration, Refused> {
        match shown {
            None => Ok(Duration::ZERO),
            Some(PressTime::Taken(time)) => Ok(time),
            Some(PressTime::Left(left)) => {
                let had = self.clock(side).remaining().unwrap_or(Duration::MAX);
                had.checked_sub(left).ok_or(Refused::Clock(had.as_secs()))
            }
        }
    }
}
