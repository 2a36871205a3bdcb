//! Notices by the arbiter or a player: illegal moves, displaced pieces and impossible positions
//! (Par. 11, 13, 16; Art. 12, 14, 17; 7.3 to 7.5, 15.4 c; A.5 of 2023).

use super::*;
use crate::laws::edition::{Displaced, SetupFault};
use crate::laws::event::{Notice, Restore};

impl<G: Ruled> Referee<G> {
    /// Handles an illegal move seen by the arbiter in unsupervised play (A.5.2). Once the opponent
    /// has replied, the illegal move stands.
    fn unsupervised_illegal(&mut self, rule: Rule) -> Answer {
        let pending = self.hand.foul.as_ref();
        match (pending.is_some(), self.touched_only()) {
            (true, _) if pending.is_some_and(Foul::is_irregular) => self.foul_found(),
            (false, Some(foul)) => self.illegal_found_before_reply(foul),
            _ => self.only(rule, Decision::Continues),
        }
    }

    /// Handles an irregularity noticed by the arbiter, or by a player who requests its consequence.
    pub(super) fn notice(&mut self, by: Option<Side>, notice: Notice) -> Answer {
        if let Some(verdict) = self.verdict().copied() {
            let terms = self.edition.terms();
            if verdict.outcome == GameOutcome::Annulled {
                return Err(Refused::Over);
            }
            let (rule, error) = match notice {
                Notice::Kings
                    if matches!(terms.wrong_kings, SetupFault::AnnulledOnRequestBefore(_)) =>
                {
                    return self.only(Rule::KingsExchanged, Decision::Stands);
                }
                Notice::Restored(plies) => return self.restored_wrongly(plies),
                Notice::Setup => (Rule::WrongSetup, terms.wrong_setup),
                Notice::Board => (Rule::WrongBoard, terms.wrong_board),
                _ => return Err(Refused::Over),
            };
            let annuls = error == SetupFault::Annuls { afterwards: true };
            if !annuls {
                return Err(Refused::Over);
            }
            return self.annul(rule);
        }
        self.in_play()?;
        match notice {
            Notice::Illegal(restore) => self.notice_illegal(restore),
            Notice::Displaced(restore) => self.notice_displaced(restore),
            Notice::Restored(plies) => self.restored_wrongly(plies),
            Notice::Boards(agree) => self.boards_differ(agree),
            Notice::Impossible => self.notice_impossible(),
            Notice::Sheets { lost } => self.no_sheet(lost),
            Notice::Setup => self.wrong_setup(by),
            Notice::Kings => self.wrong_kings(by),
            Notice::Board => self.wrong_board(by),
            Notice::Colours { restart } => {
                self.require(Rule::ColoursReversed)?;
                if let Some(moves) = self.edition.terms().colours_restart_before {
                    return match self.moves_of(Side::Black) < moves {
                        true => Ok(self.restart(Rule::ColoursReversed)),
                        false => self.only(Rule::ColoursReversed, Decision::Continues),
                    };
                }
                match (restart, by) {
                    (false, _) => self.only(Rule::ColoursReversed, Decision::Continues),
                    (true, None) => Ok(self.restart(Rule::ColoursReversed)),
                    (true, Some(_)) => Err(Refused::Deciding),
                }
            }
            Notice::Clocks => match self.resumed {
                None if self.has_case(Rule::Adjustment, Case::Clocks) => self.clocks_wrong(),
                _ => self.clocks_resumed(by),
            },
        }
    }

    fn notice_illegal(&mut self, restore: Restore) -> Answer {
        self.require(Rule::NoticedLater)?;
        if let Some(rule) = self.unsupervised_by(Rule::FastIllegal)
            && self.edition.terms().unsupervised.arbiter_acts
        {
            return self.unsupervised_illegal(rule);
        }
        // In unsupervised play, the arbiter intervenes only if both kings are in check or a pawn on
        // its last rank is not promoted (15.4 c).
        let position = self.position();
        let impossible = match self.hand.foul.as_ref().map(|foul| foul.wrong) {
            _ if self.shows_illegal() && position.impossible_after(&[]) => true,
            Some(Wrong::Placed(made)) => position.impossible_after(&[made]),
            _ => false,
        };
        if self.unsupervised().is_some() && !impossible {
            return Err(Refused::ClaimOnly);
        }
        let pending = self.hand.foul.as_ref().is_some_and(Foul::is_irregular);
        match (restore, pending, self.claimable_foul()) {
            (Restore::Known, true, _) => self.last_illegal_found(),
            (Restore::Known, false, Some(foul)) => self.illegal_found_before_reply(foul),
            _ => self.illegal_found_later(restore, Case::IllegalMove),
        }
    }

    fn notice_displaced(&mut self, restore: Restore) -> Answer {
        self.require(Rule::Displaced)?;
        match (restore, self.edition.terms().displaced) {
            (Restore::Known, _) => {
                let ground = Rule::Displaced.when(Case::AtOnce);
                self.only(ground, Decision::Restored(self.plies()))
            }
            (Restore::After(plies), Displaced::AtOnce | Displaced::Afterwards)
                if plies > self.plies() =>
            {
                Err(Refused::Plies(self.plies()))
            }
            (_, Displaced::AtOnce) => self.only(Rule::Displaced, Decision::Continues),
            (Restore::After(plies), Displaced::Afterwards) => {
                let wrongly = self.resumed == Some(plies);
                let displaced = Rule::Displaced.when(Case::Later);
                let ground = if wrongly { Rule::RestoredWrongly.into() } else { displaced };
                Ok(self.go_back(plies, ground))
            }
            _ => self.illegal_found_later(restore, Case::Position),
        }
    }

    /// Handles displaced pieces that were put back wrongly, or a board that was set up wrongly at
    /// the resumption. The game goes back to the position after `plies` plies, even if it was
    /// already over (Par. 13, 21; Art. 14.3, 21.8).
    fn restored_wrongly(&mut self, plies: usize) -> Answer {
        self.require(Rule::RestoredWrongly)?;
        if plies > self.plies() {
            return Err(Refused::Plies(self.plies()));
        }
        self.stage = Stage::Play;
        Ok(self.go_back(plies, Rule::RestoredWrongly))
    }

    /// Handles an impossible position (both kings in check, or a pawn on its last rank) that the
    /// arbiter sees in unsupervised play. The arbiter waits for the next move. If the position is
    /// then still impossible, the game is drawn (A.5.4).
    fn notice_impossible(&mut self) -> Answer {
        self.require(Rule::ImpossiblePosition)?;
        if self.unsupervised().is_none() {
            return Err(Refused::Nothing);
        }
        let rule = Rule::ImpossiblePosition;
        let (before, next) = match &self.hand.foul {
            Some(foul) => (self.plies(), Some(foul)),
            None => (self.plies().saturating_sub(1), None),
        };
        let impossible = |position: &G| position.impossible_after(&[]);
        if !impossible(&self.plies[before].position) {
            let now = match next {
                Some(Foul { wrong: Wrong::Placed(made), .. }) => {
                    self.position().impossible_after(&[*made])
                }
                Some(_) => false,
                None => self.shows_illegal() && impossible(self.position()),
            };
            return if now { self.only(rule, Decision::Deferred) } else { Err(Refused::Nothing) };
        }
        // The previous position was already impossible, so this is the move for which the arbiter
        // waited.
        let completed = next.map_or(self.unpressed.is_none(), |foul| foul.completed);
        if !completed {
            return self.only(rule, Decision::Deferred);
        }
        let board = self.board();
        let still = match next {
            Some(_) => board.as_ref().is_none_or(|board| !board.is_regular()),
            None => self.shows_illegal(),
        };
        if still {
            return Ok(smallvec![self.finish(rule, GameOutcome::Draw)]);
        }
        if let Some(board) = board.filter(|_| next.is_some()) {
            // Neither the previous nor the latest illegal move can be corrected any more (A.5.2).
            self.push(board, Origin::Irregular);
        }
        self.only(rule, Decision::Continues)
    }
}
