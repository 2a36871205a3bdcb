//! Resignation, conduct and the arbiter's penalties (Par. 18; Art. 19; 12, 13; FMJD 7.2).

use super::*;
use crate::laws::event::{Deserved, Penalty};

impl<G: Ruled> Referee<G> {
    /// Handles a resignation, which is possible at any time, even while the game is adjourned.
    pub(super) fn resign(&mut self, side: Side) -> Answer {
        let adjourned = !matches!(self.stage, Stage::Play);
        let rule = match adjourned && self.edition.has(Rule::EndsAdjourned) {
            true => Rule::EndsAdjourned,
            false => Rule::Resignation,
        };
        let wins = |side: &Side| !self.edition.terms().resignation_can_draw || self.can_win(*side);
        let winner = Some(!side).filter(wins);
        Ok(smallvec![self.finish(rule, GameOutcome::won(winner))])
    }

    /// Handles the resignation of both players at once.
    pub(super) fn both_resign(&mut self) -> Answer {
        Ok(smallvec![self.finish(Rule::Resignation.when(Case::Both), GameOutcome::BothLose)])
    }

    /// Handles a player's refusal to be searched, which the arbiter penalises (11.3.3 of 2023).
    pub(super) fn refuse_search(&self, side: Side) -> Answer {
        self.require(Rule::Search)?;
        self.only(Rule::Search, Decision::Barred(side))
    }

    pub(super) fn forfeit(&mut self, side: Side, ground: impl Into<Ground>) -> Answer {
        let ground = ground.into();
        self.require(ground.rule)?;
        Ok(smallvec![self.finish(ground, GameOutcome::won(Some(!side)))])
    }

    /// Ends the game with a loss for a player who refuses to obey the laws. The arbiter may decide
    /// the opponent's score (12.8).
    pub(super) fn disobey(&mut self, side: Side, deserved: Deserved) -> Answer {
        self.require(Rule::Disobeys)?;
        if deserved != Deserved::Win && !self.has_case(Rule::Disobeys, Case::Arbiter) {
            return Err(Refused::NoChoice(self.edition, Rule::Disobeys));
        }
        let outcome = match (deserved, side) {
            (Deserved::Win, _) => GameOutcome::won(Some(!side)),
            (Deserved::Draw, Side::White) => GameOutcome::LostByWhite,
            (Deserved::Draw, Side::Black) => GameOutcome::LostByBlack,
            (Deserved::Loss, _) => GameOutcome::BothLose,
        };
        let case = (deserved != Deserved::Win).then_some(Case::Arbiter);
        Ok(smallvec![self.finish(Ground { rule: Rule::Disobeys, case }, outcome)])
    }

    /// Handles a player who leaves the playing room without permission (12.2). The arbiter can
    /// penalise this (12.7).
    pub(super) fn exit(&self, side: Side) -> Answer {
        self.in_play()?;
        self.require(Rule::LeavesRoom)?;
        self.only(Rule::LeavesRoom, Decision::Barred(side))
    }

    pub(super) fn both_disobey(&mut self) -> Answer {
        self.require(Rule::BothDisobey)?;
        Ok(smallvec![self.finish(Rule::BothDisobey, GameOutcome::BothLose)])
    }

    /// Handles a ringing telephone. In editions with a rule on electronic devices, a telephone
    /// counts as a device.
    pub(super) fn phone(&mut self, side: Side) -> Answer {
        let any = self.edition.has(Rule::Device);
        self.device(side, if any { Rule::Device } else { Rule::Phone })
    }

    /// Handles a forbidden device found on a player (11.3.2.2) or a ringing telephone (12.3 b). The
    /// offender loses. In the second case, an opponent who cannot win gets a draw.
    pub(super) fn device(&mut self, side: Side, rule: Rule) -> Answer {
        self.require(rule)?;
        let wins = !self.edition.terms().device_can_draw || self.can_win(!side);
        let outcome = match (wins, side) {
            (true, _) => GameOutcome::won(Some(!side)),
            (false, Side::White) => GameOutcome::LostByWhite,
            (false, Side::Black) => GameOutcome::LostByBlack,
        };
        Ok(smallvec![self.finish(rule, outcome)])
    }

    /// Handles an announced mate, which has no consequence (Par. 10; Art. 10.2).
    pub(super) fn announce(&self) -> Answer {
        self.in_play()?;
        self.require(Rule::AnnouncedMate)?;
        self.only(Rule::AnnouncedMate, Decision::Continues)
    }

    pub(super) fn penalty(&mut self, side: Side, penalty: Penalty) -> Answer {
        self.require(Rule::Sanction)?;
        let case = match penalty {
            Penalty::Warn => Some(Case::Warning),
            Penalty::Give(_) => Some(Case::TimeGiven),
            Penalty::Take(_) => Some(Case::TimeTaken),
            Penalty::Lose => Some(Case::Loss),
            Penalty::Less(_) => Some(Case::FewerPoints),
            Penalty::More(_) => Some(Case::MorePoints),
            Penalty::Expel => Some(Case::Expulsion),
            Penalty::Fine(_) | Penalty::Exclude(_) => None,
        };
        let rule = Ground { rule: Rule::Sanction, case };
        let timed = matches!(penalty, Penalty::Give(_) | Penalty::Take(_) | Penalty::Lose);
        if timed && self.verdict().is_some() {
            return Err(Refused::Over);
        }
        let scoring = self.rules.points;
        let normal = self.edition.terms().normal_scores;
        match penalty {
            Penalty::Warn => self.only(rule, Decision::Warned(side)),
            Penalty::Fine(sum) => {
                self.require(Rule::Fine)?;
                self.only(Rule::Fine, Decision::Fined(side, sum))
            }
            Penalty::Exclude(rounds) => {
                self.require(Rule::Exclusion)?;
                self.only(Rule::Exclusion, Decision::Excluded(side, rounds))
            }
            Penalty::Expel => self.only(rule, Decision::Expelled(side)),
            Penalty::Lose => self.forfeit(side, rule),
            Penalty::Give(_) | Penalty::Take(_) if !self.has_clock() => Err(Refused::NoClock),
            Penalty::Give(time) => {
                let mut rulings = Rulings::new();
                self.add_time(!side, time, rule, &mut rulings);
                Ok(rulings)
            }
            Penalty::Take(time) => self.pass_time(side, time, rule),
            Penalty::Less(points) | Penalty::More(points) => {
                let Stage::Over(verdict) = &mut self.stage else { return Err(Refused::NotOver) };
                let (of, change) = match penalty {
                    Penalty::Less(_) => (side, -points),
                    _ => (!side, points),
                };
                let before = verdict.points[of.index()];
                // A score is at most that of a win (13.4 f). With normal scores, the sum of both
                // scores is at most the points of one game (10.2).
                let left = scoring.win + scoring.loss - verdict.points[(!of).index()];
                let max = if normal { scoring.win.min(left) } else { scoring.win };
                // A deduction does not take the score below zero.
                let score = (before + change).min(max.max(before)).max(before.min(0.0));
                if normal && ![scoring.win, scoring.draw, scoring.loss].contains(&score) {
                    return Err(Refused::Score);
                }
                verdict.points[of.index()] = score;
                let changed = score - before;
                self.only(rule, Decision::Points(of, changed))
            }
        }
    }
}
