//! Pressing the clock (6.7; Par. 20; Art. 20).

use super::*;
use crate::laws::edition::Irregular;
use crate::laws::event::Shown;
use crate::laws::ruled::IllegalMove;
use std::time::Duration;

impl<G: Ruled> Referee<G> {
    pub(super) fn press(&mut self, side: Side, shown: Option<Shown>) -> Answer {
        if self.presses_late(side) {
            let taken = self.taken(side, shown)?;
            self.late_press = None;
            if matches!(self.stage, Stage::Adjourned { .. }) {
                self.unpressed = None;
            }
            return match self.clocks[side.index()].spend(taken) {
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
            return Err(Why::NoClock);
        }
        self.clocks_run()?;
        if side == self.to_move() && self.placed() && self.opponent_decides().is_ok() {
            let taken = self.taken(side, shown)?;
            let rulings = self.leave_standing(side, Case::RemovedTooFew)?;
            // A player who presses has used the time.
            let fallen = self.spend_after_irregularity(side, taken)?;
            return Ok(if fallen.is_empty() { rulings } else { fallen });
        }
        if self.unannounced(side) {
            return self.only(Rule::BlindMove.when(Case::Barred), Decision::Barred(side));
        }
        let unmoved = self.presses_unmoved(side);
        let unfinished = unmoved.or_else(|| self.unfinished(side));
        let foul = self.hand.foul.as_ref();
        let answered = foul.is_some_and(|foul| foul.answer.is_some());
        let wrong = foul.is_some_and(|foul| !foul.completed) || unfinished.is_some();
        let owes = self.unpressed == Some(side) && (foul.is_none() || answered);
        if !(owes || wrong && side == self.to_move()) {
            return Err(Why::NotMoved(side));
        }
        let taken = self.taken(side, shown)?;
        if let Some(foul) = unfinished {
            self.complete_clock();
            self.hand.parts.clear();
            self.hand.foul = Some(foul);
        }
        let clock = &mut self.clocks[side.index()];
        let charged = if wrong {
            clock.spend(taken).map(|()| Default::default())
        } else {
            clock.charge(taken, Default::default())
        };
        let Ok(gained) = charged else { return self.overstepped(side) };
        self.clocks[(!side).index()].gain(gained);
        if wrong {
            // The time is spent. The move itself counts only when it is accepted.
            self.unpressed = Some(side);
            if let Some(foul) = &mut self.hand.foul {
                foul.completed = true;
            }
        } else {
            self.unpressed = None;
            self.count_odds(side);
            let clocks = [self.clocks[0].reading(), self.clocks[1].reading()];
            if !answered {
                self.last_mut().clocks = clocks;
            }
        }
        Ok(Rulings::new())
    }

    /// Handles a press after an irregularity that the opponent can still have corrected.
    fn press_irregular(&mut self, side: Side, shown: Option<Shown>) -> Answer {
        if !self.has_clock() {
            return Err(Why::NoClock);
        }
        self.clocks_run()?;
        if self.unpressed != Some(side) {
            return Err(Why::NotMoved(side));
        }
        let taken = self.taken(side, shown)?;
        self.spend_after_irregularity(side, taken)
    }

    /// Takes the time of an irregularity. The move itself counts only when it is accepted.
    fn spend_after_irregularity(&mut self, side: Side, taken: Duration) -> Answer {
        if self.clocks[side.index()].spend(taken).is_err() {
            return self.overstepped(side);
        }
        self.unpressed = None;
        if let Some(Waits::Correction(correction)) = &mut self.waits {
            correction.pressed = true;
        }
        Ok(Rulings::new())
    }

    /// Returns whether a press only stops a clock that should already be stopped. A player can
    /// always press (6.7 a), even after the opponent's reply, and the time of sealing belongs to
    /// the sealer.
    fn presses_late(&self, side: Side) -> bool {
        let replied =
            |(absent, reply): &(Side, Option<Sheet<G>>)| *absent != side && reply.is_some();
        match &self.stage {
            Stage::Over(_) | Stage::Absent { .. } => false,
            Stage::Adjourned { .. } => self.unpressed == Some(side),
            Stage::Play if self.away.as_ref().is_some_and(replied) => self.has_clock(),
            // A hand that has begun a move belongs to that move.
            Stage::Play | Stage::Sealing { .. } => {
                self.late_press == Some(side) && self.hand.parts.is_empty()
            }
        }
    }

    /// Returns an unfinished move: castling without the rook, or an unpromoted pawn. A press makes
    /// it an illegal move (7.4 a).
    fn unfinished(&self, side: Side) -> Option<Foul<G>> {
        let &[Part::Place(from, to)] = &self.hand.parts[..] else { return None };
        let position = self.position();
        let lacks = |m: G::Move| {
            let left = |part: &Part<G::Square>| {
                !self.hand.parts.contains(part) && !matches!(part, Part::Remove(_))
            };
            position.parts(m).iter().any(left)
        };
        let illegal = self.edition.terms().irregular == Irregular::TimeThenLoss
            && side == self.to_move()
            && self.allowed().into_iter().any(lacks);
        let wrong = Wrong::Placed(IllegalMove { from, to, takes: None, becomes: None });
        illegal.then_some(Foul { wrong, completed: false, answer: None })
    }

    /// Returns a press by the player to move without a move, if the edition treats it as an illegal
    /// move (7.5.3).
    fn presses_unmoved(&self, side: Side) -> Option<Foul<G>> {
        let wrong = Wrong::NotMoved;
        let unmoved = self.unpressed.is_none()
            && side == self.on_turn()
            && self.hand.parts.is_empty()
            && self.hand.foul.is_none()
            && self.edition.has(Rule::NotMoved);
        unmoved.then_some(Foul { wrong, completed: false, answer: None })
    }

    /// Handles a press after the time has run out.
    fn overstepped(&mut self, side: Side) -> Answer {
        self.clocks[side.index()].set(Default::default());
        if self.unsupervised().is_some() {
            // The fall was not seen: the flag is down, and the opponent may claim it.
            self.unpressed = None;
            return Ok(Rulings::new());
        }
        self.fallen(side)
    }

    pub(super) fn taken(&self, side: Side, shown: Option<Shown>) -> Result<Duration, Why> {
        match shown {
            None => Ok(Duration::ZERO),
            Some(Shown::Taken(time)) => Ok(time),
            Some(Shown::Left(left)) => {
                let had = self.clock(side).remaining().unwrap_or(Duration::MAX);
                had.checked_sub(left).ok_or(Why::Clock(had.as_secs()))
            }
        }
    }
}
