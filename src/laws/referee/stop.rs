//! Stopping and restarting both clocks (Par. 13, 23, 24; Art. 14.3, 20.1 e, 23.2, 24.2; 6.12, 7.3,
//! 9.5).

use super::*;
use crate::laws::event::StopFor;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Halt {
    /// Stopped by a player. The arbiter can still rule that the player had no valid reason.
    Player(Side),
    Arbiter,
    /// Stopped by the arbiter until the score sheets are complete.
    Sheets,
}

impl<G: Ruled> Referee<G> {
    pub(super) const fn clocks_run(&self) -> Result<(), Refused> {
        if self.halted.is_some() { Err(Refused::Halted) } else { Ok(()) }
    }

    fn can_stop(&self) -> Result<(), Refused> {
        self.require(Rule::Stopping)?;
        if !self.has_clock() {
            return Err(Refused::NoClock);
        }
        match self.stage {
            Stage::Adjourned { .. } => Err(Refused::Adjourned),
            _ => self.clocks_run(),
        }
    }

    /// Stops both clocks at the request of a player. The edition's law has a case for each valid
    /// reason.
    pub(super) fn stop(&mut self, side: Side, reason: StopFor) -> Answer {
        self.can_stop()?;
        let case = match reason {
            StopFor::Help => Case::Help,
            StopFor::Pieces => Case::Pieces,
            StopFor::Sheets => Case::Sheets,
            StopFor::Claim => Case::Claim,
        };
        if !self.has_case(Rule::Stopping, case) {
            return self.only(Rule::Stopping.when(Case::Barred), Decision::Barred(side));
        }
        if reason == StopFor::Sheets && self.behind.contains(&true) {
            // The clocks can be stopped for this reason only if both score sheets are complete.
            return self.only(Rule::Stopping.when(case), Decision::Barred(side));
        }
        self.halted = Some(Halt::Player(side));
        self.only(Rule::Stopping.when(case), Decision::Stopped)
    }

    pub(super) fn stop_all(&mut self) -> Answer {
        self.can_stop()?;
        self.halted = Some(Halt::Arbiter);
        self.only(Rule::Stopping.when(Case::Arbiter), Decision::Stopped)
    }

    pub(super) fn start(&mut self) -> Answer {
        if self.halted.is_none() {
            return Err(Refused::Nothing);
        }
        if self.halted == Some(Halt::Sheets) {
            Side::ALL.into_iter().try_for_each(|side| self.sheet_complete(side))?;
        }
        self.halted = None;
        self.only(Rule::Stopping.when(Case::Resumed), Decision::Continues)
    }

    /// Handles the ruling that a player stopped the clocks without a valid reason (6.12 d).
    pub(super) fn stopped_in_vain(&mut self, side: Side) -> Answer {
        self.halted = Some(Halt::Arbiter);
        self.only(Rule::Stopping.when(Case::Barred), Decision::Barred(side))
    }
}
