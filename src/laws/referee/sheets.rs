//! Score sheets (Par. 23; Art. 23; 8.1 to 8.6, 15.2; FMJD 10.2, 10.4).

use super::stop::Halt;
use super::*;
use crate::laws::event::Recorded;
use std::time::Duration;

/// The number of times a player may ask to see the score sheet (A.4.3 of 2023).
const MAX_SHEET_REQUESTS: u8 = 5;
/// The time on the clock below which a player need not record moves (8.4).
const SHORT: Duration = Duration::from_secs(5 * 60);
/// The minimum increment with which a player must always record moves (8.4).
const ADDED: Duration = Duration::from_secs(30);

impl<G: Ruled> Referee<G> {
    pub(super) fn record(&mut self, side: Side, recorded: Recorded) -> Answer {
        self.require(Rule::Recording)?;
        match recorded {
            Recorded::Complete => {
                self.behind[side.index()] = false;
                self.due[side.index()] = false;
                self.only(Rule::Recording, Decision::Stands)
            }
            Recorded::Ahead if self.has_case(Rule::Recording, Case::Barred) => {
                self.only(Rule::Recording.when(Case::Barred), Decision::Barred(side))
            }
            Recorded::Ahead => self.only(Rule::Recording, Decision::Stands),
            Recorded::Behind => {
                if let Some(ground) = self.need_not_record(side) {
                    return self.only(ground, Decision::Stands);
                }
                self.behind[side.index()] = true;
                self.only(Rule::Recording.when(Case::Later), Decision::Barred(side))
            }
        }
    }

    /// Handles a player's request to see the score sheet that the arbiter writes in supervised
    /// rapid play or blitz (A.4.3, B.2.3 of 2023). In unsupervised play, the player gets a sheet to
    /// write on (A.2).
    pub(super) fn ask_sheet(&mut self, side: Side) -> Answer {
        self.in_play()?;
        self.require(Rule::SheetShown)?;
        if self.pace == Pace::Standard {
            return Err(Refused::Nothing);
        }
        if self.unsupervised().is_some() {
            return self.only(Rule::RecordingFree.when(Case::FastPlay), Decision::Stands);
        }
        if self.turn(side).is_err() || self.sheet_requests[side.index()] == MAX_SHEET_REQUESTS {
            return self.only(Rule::SheetShown.when(Case::Barred), Decision::Barred(side));
        }
        self.sheet_requests[side.index()] += 1;
        self.only(Rule::SheetShown, Decision::Stands)
    }

    /// Returns the rule that excuses a player from recording moves now, or `None` if there is none.
    fn need_not_record(&self, side: Side) -> Option<Ground> {
        let rule = Rule::RecordingFree;
        let clock = self.clock(side);
        let cases = [
            (Case::FastPlay, self.edition.has(Rule::Rapid) && self.pace != Pace::Standard),
            (Case::WholeGame, clock.reading().period() == 0 && clock.moves_to_go().is_none()),
            (Case::ShortOfTime, clock.increment() < ADDED && self.was_short(side)),
        ];
        let holds = |(case, holds): &(Case, bool)| *holds && self.has_case(rule, *case);
        cases.into_iter().find(holds).map(|(case, _)| rule.when(case))
    }

    fn was_short(&self, side: Side) -> bool {
        if !self.has_clock() {
            return false;
        }
        let clock = self.clock(side);
        let now = clock.reading();
        // A reading after a press includes the increment, which is subtracted below.
        let pressed = self.plies.iter().skip(1).rev().map(|ply| ply.clocks[side.index()]);
        let mut pressed = pressed.take_while(|reading| reading.period() == now.period());
        let short = |left: Duration| left < SHORT;
        short(now.left())
            || pressed.any(|reading| short(reading.left().saturating_sub(clock.increment())))
    }

    /// Handles a fallen flag when only the score sheets can show whether the player has made the
    /// required number of moves.
    pub(super) fn flag_open(&mut self, side: Side) -> Answer {
        self.in_play()?;
        self.require(Rule::RecordingDue)?;
        self.clocks_run()?;
        let clock = self.clock(side);
        if !self.has_clock() {
            return Err(Refused::NoClock);
        }
        if self.unsupervised().is_some() && !self.edition.terms().unsupervised.arbiter_acts {
            return Err(Refused::ClaimOnly);
        }
        if clock.is_last_period() {
            // All moves had to be made in this period, so the score sheets do not matter.
            return self.fallen(side);
        }
        let mut rulings = smallvec![self.ruling(Rule::Flag, Decision::Arbiter)];
        self.sheets_due(&mut rulings);
        if self.clock(side).reading().period() == 0 {
            self.clocks[side.index()].set(Duration::ZERO);
        }
        Ok(rulings)
    }

    /// Handles the score sheets after a flag has fallen without ending the game. A player who
    /// stopped recording when short of time must complete the sheet now. If both players must do
    /// this, the clocks are stopped (8.4, 8.5 a, b).
    pub(super) fn sheets_due(&mut self, rulings: &mut Rulings) {
        if !self.edition.has(Rule::RecordingDue) {
            return;
        }
        let free = Some(Rule::RecordingFree.when(Case::ShortOfTime));
        self.due = Side::ALL.map(|side| self.need_not_record(side) == free);
        match self.due {
            [false, false] => {}
            [true, true] => {
                self.halted = Some(Halt::Sheets);
                rulings.push(self.ruling(Rule::RecordingDue, Decision::Stopped));
            }
            [white, _] => {
                let side = if white { Side::White } else { Side::Black };
                let ground = Rule::RecordingDue.when(Case::Own);
                rulings.push(self.ruling(ground, Decision::Completes(side)));
            }
        }
    }

    pub(super) const fn sheet_complete(&self, side: Side) -> Result<(), Refused> {
        if self.due[side.index()] { Err(Refused::SheetDue(side)) } else { Ok(()) }
    }

    /// Handles incomplete score sheets. The game is reconstructed on another board while the clocks
    /// are stopped (8.5 c). If the sheets cannot be completed (`lost`), the next move is the first
    /// of the next period (8.6).
    pub(super) fn no_sheet(&mut self, lost: bool) -> Answer {
        self.require(Rule::RecordingDue)?;
        if self.due == [false; 2] {
            return Err(Refused::Nothing);
        }
        if !lost {
            self.halted = Some(Halt::Sheets);
            return self.only(Rule::RecordingDue.when(Case::Position), Decision::Stopped);
        }
        self.due = [false; 2];
        self.behind = [false; 2];
        let ground = Rule::RecordingDue.when(Case::Impossible);
        let mut rulings = Rulings::new();
        for side in Side::ALL {
            let clock = &mut self.clocks[side.index()];
            // A clock in a later period already proves that the moves were made.
            if clock.reading().period() == 0 && !clock.is_last_period() {
                clock.next_period();
                let left = clock.reading().left();
                rulings.push(self.ruling(ground, Decision::Set(side, left)));
            }
        }
        if rulings.is_empty() {
            rulings.push(self.ruling(ground, Decision::Continues));
        }
        Ok(rulings)
    }
}
