//! Flags and lateness (Par. 18, 20; Art. 19, 20; 6).

use super::*;
use crate::laws::clock::Flag;
use crate::laws::event::{Change, Late};
use std::time::Duration;

impl<G: Ruled> Referee<G> {
    /// Handles a fallen flag seen by the arbiter or claimed by the opponent.
    pub(super) fn flag(&mut self, side: Side, claimant: Option<Side>) -> Answer {
        self.require(Rule::Flag)?;
        // The sealer's clock may still be running (Art. 21.2).
        let running = matches!(self.stage, Stage::Adjourned { .. }) && self.unpressed.is_some();
        let sealing = matches!(self.stage, Stage::Sealing { .. } | Stage::Absent { .. }) || running;
        if !sealing && !matches!(self.waits, Some(Waits::Choice { .. } | Waits::Correction(_))) {
            self.in_play()?;
        }
        if !self.has_clock() {
            return Err(Refused::NoClock);
        }
        let acts = self.edition.terms().unsupervised.arbiter_acts;
        if self.unsupervised().is_some() && claimant.is_none() && !acts {
            return Err(Refused::ClaimOnly);
        }
        if let Some(by) = claimant {
            let down = |side: Side| self.clock(side).reading().left().is_zero();
            if !down(side) && self.running() != side {
                let unsupervised = self.unsupervised_by(Rule::FastFlag);
                let rule = unsupervised.unwrap_or(Rule::Flag);
                return self.reject(rule.when(Case::FlagClaimed), by, self.time_left(side));
            }
            if let Some(rule) = self.unsupervised().filter(|_| down(by) && !acts) {
                let ground = rule.when(Case::BothDown);
                return Ok(smallvec![self.finish(ground, GameOutcome::Draw)]);
            }
        }
        let case = claimant.map_or(Case::Arbiter, |_| Case::FlagClaimed);
        let note = self.time_left(side);
        let mut rulings = self.fallen_by(side, self.unsupervised().map(|_| case))?;
        // The flag counts as fallen, because the referee does not see the clock. The note with the
        // last reading lets the arbiter check whether the flag was reported by mistake.
        if let Some(ruling) = rulings.first_mut() {
            ruling.note = note;
        }
        Ok(rulings)
    }

    /// Returns a note with the last reading of a player's clock, or `None` if the game is played
    /// without a clock or the player's time is used up.
    pub(super) fn time_left(&self, side: Side) -> Option<Note> {
        let clock = self.clock(side);
        let left = clock.remaining().filter(|_| !clock.reading().left().is_zero())?;
        Some(Note::Clock(side, left))
    }

    /// Handles a wrong claim that the opponent's flag has fallen.
    pub(super) fn claim_flag_up(&self, by: Side) -> Answer {
        self.require(Rule::Flag)?;
        self.in_play()?;
        if !self.has_clock() {
            return Err(Refused::NoClock);
        }
        let rule = self.unsupervised_by(Rule::FastFlag).unwrap_or(Rule::Flag);
        self.reject(rule.when(Case::FlagClaimed), by, self.time_left(!by))
    }

    /// Returns the player whose clock runs, or would run if it were not stopped.
    fn running(&self) -> Side {
        if let (Stage::Play, Some((absent, Some(_)))) = (&self.stage, &self.away) {
            // The reply to the sealed move has been sealed as well (annex 9 c).
            return *absent;
        }
        match (&self.stage, &self.hand.foul, self.unpressed) {
            (Stage::Sealing { by, .. }, ..) => *by,
            (Stage::Absent { by, .. }, ..) => !*by,
            (_, Some(foul), _) if !foul.completed => self.to_move(),
            (_, Some(_), _) => !self.to_move(),
            (_, _, Some(unpressed)) => unpressed,
            _ => self.on_turn(),
        }
    }

    pub(super) fn fallen(&mut self, side: Side) -> Answer {
        self.fallen_by(side, None)
    }

    fn fallen_by(&mut self, side: Side, case: Option<Case>) -> Answer {
        let rule = Rule::QuickPlayDeferred;
        let either = self.deferred.is_some() && self.has_case(rule, Case::Both);
        if self.deferred == Some(side) || either {
            // The deferred decision is due now (10.2 b).
            self.waits = Some(Waits::Claim { by: side, rule });
            return self.only(rule, Decision::Arbiter);
        }
        let drawn = self.edition.terms().flag_can_draw && !self.can_win(!side);
        Ok(smallvec![if drawn {
            self.finish(Ground { rule: Rule::FlagDrawn, case }, GameOutcome::Draw)
        } else {
            self.finish(Rule::Flag, GameOutcome::won(Some(!side)))
        }])
    }

    /// Handles two fallen flags if it is unknown which fell first (6.11; 15.4 d iii).
    pub(super) fn flags(&mut self) -> Answer {
        self.in_play()?;
        self.require(Rule::BothFlags)?;
        if !self.has_clock() {
            return Err(Refused::NoClock);
        }
        if self.edition.terms().quick_play_announced {
            if self.check_guidelines().is_err() {
                // The guidelines do not apply, so the arbiter decides which flag fell first.
                return self.only(Rule::Flag.when(Case::BothDown), Decision::Arbiter);
            }
        } else if let Some(rule) = self.unsupervised() {
            return Ok(smallvec![self.finish(rule.when(Case::BothDown), GameOutcome::Draw)]);
        }
        let last = self.clocks.iter().all(Clock::is_last_period);
        if last {
            return Ok(smallvec![self.finish(Rule::BothFlagsLast, GameOutcome::Draw)]);
        }
        let mut rulings = smallvec![self.ruling(Rule::BothFlags, Decision::Continues)];
        self.sheets_due(&mut rulings);
        for clock in &mut self.clocks {
            clock.set(Duration::ZERO);
            clock.next_period();
        }
        Ok(rulings)
    }

    pub(super) fn late(&mut self, side: Side, late: Late) -> Answer {
        let limit = self.can_be_late(side)?;
        let time = late.time;
        if time > limit && !self.excused(late, Rule::Late) {
            return Ok(smallvec![self.finish(Rule::Late, GameOutcome::won(Some(!side)))]);
        }
        if side != self.to_move() || !self.has_clock() {
            // A player's clock starts only on that player's turn (Art. 20.4).
            return self.only(Rule::Late, Decision::Continues);
        }
        // Do not deduct the time before the player's turn, when the opponent's clock was running
        // (Art. 20.4).
        let left = |reading: Reading| reading.left();
        let other = (!side).index();
        let his =
            left(self.plies[0].clocks[other]).saturating_sub(left(self.clocks[other].reading()));
        self.pass_time(side, time.saturating_sub(his), Rule::Late.when(Case::TimeTaken))
    }

    /// Returns whether lateness is excused, if the edition allows excuses (Art. 20.5, 20.6; annex
    /// 10).
    pub(super) fn excused(&self, late: Late, rule: Rule) -> bool {
        late.excused && self.has_case(rule, Case::Consent)
    }

    fn can_be_late(&self, side: Side) -> Result<Duration, Refused> {
        self.in_play()?;
        self.require(Rule::Late)?;
        let Some(limit) = self.rules.lateness(self.edition) else {
            return Err(Refused::Unknown(self.edition, Rule::Late));
        };
        let moved = self.plies.iter().take(self.plies()).any(|ply| ply.position.side() == side);
        if moved { Err(Refused::Started) } else { Ok(limit) }
    }

    /// Deducts time that passed before a player's press. In an hourglass, the opponent gains it.
    pub(super) fn spend(&mut self, side: Side, time: Duration) -> Result<(), Flag> {
        let gained = self.clocks[side.index()].spend(time)?;
        self.clocks[(!side).index()].gain(gained);
        Ok(())
    }

    pub(super) fn pass_time(
        &mut self,
        side: Side,
        time: Duration,
        rule: impl Into<Ground>,
    ) -> Answer {
        match self.spend(side, time) {
            Ok(()) => self.only(rule, Decision::Taken(side, time)),
            Err(_) => self.fallen(side),
        }
    }

    /// Handles the late arrival of both players (Art. 20.6; 6.6).
    pub(super) fn both_late(&mut self, late: Late) -> Answer {
        let time = late.time;
        self.require(Rule::BothLate)?;
        let limit = self.can_be_late(Side::White)?.max(self.can_be_late(Side::Black)?);
        if time > limit && !self.excused(late, Rule::BothLate) {
            // If no delay is allowed, an edition can apply another rule, such as the rule for a
            // single late player.
            let rule =
                if limit.is_zero() { self.edition.terms().both_late } else { Rule::BothLate };
            return Ok(smallvec![self.finish(rule.when(Case::Loss), GameOutcome::BothLose)]);
        }
        let first = self.to_move();
        if self.has_clock() {
            let excused = time > limit;
            let case = if excused { Case::Consent } else { Case::TimeTaken };
            self.pass_time(first, time, Rule::BothLate.when(case))
        } else {
            self.only(Rule::BothLate, Decision::Continues)
        }
    }

    /// Handles the arrival of White and Black at different times after the start.
    pub(super) fn late_each(&mut self, times: [Duration; 2]) -> Answer {
        let limits = Side::ALL.map(|side| self.can_be_late(side));
        let [white, black] = limits;
        let limit = white?.max(black?);
        match times.map(|time| time > limit) {
            [true, true] => self.both_late(Late { time: times[0], excused: false }),
            [false, false] => {
                let first = times[self.to_move().index()];
                self.both_late(Late { time: first, excused: false })
            }
            [true, false] => self.late(Side::White, Late { time: times[0], excused: false }),
            [false, true] => self.late(Side::Black, Late { time: times[1], excused: false }),
        }
    }

    /// Applies the arbiter's change to a clock (Par. 20 c; Art. 20.1 c; 6.10, 6.13).
    pub(super) fn set_clock(&mut self, side: Side, change: Change) -> Answer {
        self.require(Rule::Adjustment)?;
        if !self.has_clock() {
            return Err(Refused::NoClock);
        }
        let clock = &mut self.clocks[side.index()];
        let left = clock.reading().left();
        let (left, decision) = match change {
            Change::Set(time) => (time, Decision::Set(side, time)),
            Change::More(time) => (left.saturating_add(time), Decision::Added(side, time)),
            Change::Less(time) => (left.saturating_sub(time), Decision::Taken(side, time)),
        };
        clock.set(left);
        self.only(Rule::Adjustment, decision)
    }
}
