//! Score sheets, and the boards of players who do not see (Par. 23; Art. 23; 8.1 to 8.5, 15.2, 19.2; FMJD
//! 10.2, 10.4).

use super::stop::Halt;
use super::*;
use crate::laws::event::{Recorded, Restore};
use std::time::Duration;

/// Below this time on his clock a player need not record (8.4).
const SHORT: Duration = Duration::from_secs(5 * 60);
/// Unless each move adds so much (8.4).
const ADDED: Duration = Duration::from_secs(30);

impl<G: Ruled> Referee<G> {
    /// What is found on a player's score sheet.
    pub(super) fn record(&mut self, side: Side, recorded: Recorded) -> Answer {
        self.knows(Rule::Recording)?;
        match recorded {
            Recorded::Complete => {
                self.behind[side.index()] = false;
                self.only(Rule::Recording, Decision::Stands)
            }
            Recorded::Ahead if self.tells(Rule::Recording, Case::Barred) => {
                self.only(Rule::Recording.when(Case::Barred), Decision::Barred(side))
            }
            Recorded::Ahead => self.only(Rule::Recording, Decision::Stands),
            Recorded::Behind => {
                if let Some(ground) = self.need_not_record(side) {
                    return self.only(ground, Decision::Stands);
                }
                self.behind[side.index()] = true;
                self.only(Rule::Recording, Decision::Barred(side))
            }
        }
    }

    /// By what a player need not record his moves now, if by anything.
    fn need_not_record(&self, side: Side) -> Option<Ground> {
        let rule = Rule::RecordingFree;
        let clock = self.clock(side);
        let cases = [
            (Case::FastPlay, self.edition.has(Rule::Rapid) && self.pace != Pace::Standard),
            (Case::WholeGame, clock.reading().period() == 0 && clock.moves_to_go().is_none()),
            (Case::ShortOfTime, clock.increment() < ADDED && self.was_short(side)),
        ];
        let holds = |(case, holds): &(Case, bool)| *holds && self.tells(rule, *case);
        cases.into_iter().find(holds).map(|(case, _)| rule.when(case))
    }

    /// Whether a player's clock has shown less than five minutes in this period.
    fn was_short(&self, side: Side) -> bool {
        if !self.has_clock() {
            return false;
        }
        let clock = self.clock(side);
        let now = clock.reading();
        // What a clock shows after a press has what the press added.
        let pressed = self.plies.iter().skip(1).rev().map(|ply| ply.clocks[side.index()]);
        let mut pressed = pressed.take_while(|reading| reading.period() == now.period());
        let short = |left: Duration| left < SHORT;
        short(now.left())
            || pressed.any(|reading| short(reading.left().saturating_sub(clock.increment())))
    }

    /// A flag has fallen and the game goes on: what was not recorded for want of time is recorded now,
    /// while the clocks stand (8.5 a).
    pub(super) fn sheets_due(&mut self, rulings: &mut Rulings) {
        let short = Some(Rule::RecordingFree.when(Case::ShortOfTime));
        let both = Side::ALL.into_iter().all(|side| self.need_not_record(side) == short);
        if both && self.edition.has(Rule::RecordingDue) {
            self.behind = [true; 2];
            self.halted = Some(Halt::Arbiter);
            rulings.push(self.ruling(Rule::RecordingDue, Decision::Stopped));
        }
    }

    /// Two boards show different positions (19.2 vii, viii). Where the score sheets agree that is put
    /// right; else the game goes back to the last ply on which they do.
    pub(super) fn boards_differ(&mut self, restore: Restore) -> Answer {
        self.knows(Rule::TwoBoards)?;
        let plies = self.plies();
        match restore {
            Restore::Known => {
                self.only(Rule::TwoBoards.when(Case::AtOnce), Decision::Restored(plies))
            }
            Restore::After(back) if back > plies => Err(Why::Plies(plies)),
            Restore::After(back) => Ok(self.go_back(back, Rule::TwoBoards.when(Case::Later))),
            Restore::Lost => Err(Why::Regular),
        }
    }

    /// A player has announced another move than he made: put right at once, before he presses, it is
    /// nothing (19.2 vi); later it leaves the boards different (19.2 vii).
    pub(super) fn misspeak(&self, side: Side) -> Answer {
        self.in_play()?;
        self.knows(Rule::Announcing)?;
        if self.on_turn() == side || self.plies() == 0 {
            return Err(Why::NotMoved(side));
        }
        if self.unpressed == Some(side) {
            return self.only(Rule::Announcing.when(Case::AtOnce), Decision::Stands);
        }
        self.only(Rule::Announcing.when(Case::Later), Decision::Arbiter)
    }
}
