//! Adjournment, the envelope and the resumption (Par. 16, 21; Art. 17, 21; the annex of 2009).

use super::touch::Order;
use super::*;
use crate::laws::edition::{Ambiguity, Irregular, LateResuming, Sealer, Sealing};
use crate::laws::event::{Late, PressTime};
use std::time::Duration;

/// The inscription on an envelope (Par. 21; Art. 21.4; annex 2).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Envelope {
    pub position: String,
    /// The remaining times of White and Black, or `None` without a clock.
    pub left: [Option<Duration>; 2],
    pub by: Side,
    pub number: u32,
    /// The player whose draw offer is pending.
    pub offer: Option<Side>,
}

impl<G: Ruled> Referee<G> {
    pub fn envelope(&self) -> Option<Envelope> {
        let (Stage::Adjourned { by, .. } | Stage::Absent { by, .. }) = &self.stage else {
            return None;
        };
        Some(Envelope {
            position: self.position().to_fen(),
            left: [self.clocks[0].remaining(), self.clocks[1].remaining()],
            by: *by,
            number: self.moves_of(*by) + 1,
            offer: Side::ALL.into_iter().find(|&side| self.offered(side)),
        })
    }

    pub(super) fn adjourn(&mut self) -> Answer {
        self.in_play()?;
        self.require(Rule::WhoSeals)?;
        if !matches!(self.stage, Stage::Play) {
            return Err(Refused::Adjourned);
        }
        if let Some(foul) = self.hand.foul.clone() {
            // An illegal move counts as a move until it is noticed.
            let accepted =
                foul.completed || self.edition.terms().irregular == Irregular::TimeThenLoss;
            let board = self.board().filter(|_| accepted);
            let why = if accepted { Refused::Unjudgeable } else { Refused::Standing };
            let board = board.ok_or(why)?;
            if !foul.completed {
                self.unpressed = Some(self.to_move());
            }
            let Foul { wrong, completed } = foul;
            self.push(board, Origin::Illegal { wrong, completed });
        }
        let by = match self.rules.sealer.unwrap_or(self.edition.terms().sealer) {
            Sealer::BlackWithoutClock if !self.has_clock() => Side::Black,
            _ => self.to_move(),
        };
        self.late_press = self.unpressed.filter(|&unpressed| unpressed != by);
        self.complete_clock();
        self.halted = None;
        self.stage = Stage::Sealing { by, sheet: None };
        self.only(Rule::WhoSeals.when(Case::Who), Decision::Seals(by))
    }

    /// Seals a move at an adjournment, or a reply to an absent player's sealed move (annex 9 c).
    /// Also enters a move that was sealed as secret.
    pub(super) fn seal(&mut self, side: Side, sheet: &Sheet<G>) -> Answer {
        let playable = |m| self.position().is_playable(m) || self.given_castling() == Some(m);
        if let Some(m) = self.sheet_moves(sheet).find(|&m| !playable(m)) {
            return Err(Refused::NotLegal(G::move_text(m)));
        }
        match (&self.stage, &self.away, sheet) {
            (Stage::Sealing { by, .. }, ..) => {
                if *by != side {
                    return Err(Refused::Sealer(*by));
                }
                self.turn(side)?;
                if let Some((ground, decision)) = self.objection(side, sheet) {
                    return self.only(ground, decision);
                }
                let sheet = sheet.clone();
                self.halted = None;
                if self.edition.terms().sealing == Sealing::Envelope || !self.has_clock() {
                    self.stage = Stage::Adjourned { by: side, sheet };
                    // The clock runs until the player stops it (Art. 21.2).
                    self.unpressed = self.has_clock().then_some(side);
                    return self.only(Rule::WhoSeals.when(Case::Envelope), Decision::Closed);
                }
                self.stage = Stage::Sealing { by: side, sheet: Some(sheet) };
                self.only(Rule::WhoSeals, Decision::Stands)
            }
            (Stage::Adjourned { by, sheet: Sheet::Secret }, ..)
            | (Stage::Absent { by, sheet: Sheet::Secret }, ..) => {
                if *by != side {
                    return Err(Refused::Sealer(*by));
                }
                if let Some((ground, decision)) = self.objection(side, sheet) {
                    return self.only(ground, decision);
                }
                if let Stage::Adjourned { sheet: secret, .. }
                | Stage::Absent { sheet: secret, .. } = &mut self.stage
                {
                    *secret = sheet.clone();
                }
                self.only(Rule::WhoSeals, Decision::Stands)
            }
            (Stage::Play, Some((_, None)), Sheet::Secret) => Err(Refused::Nothing),
            (Stage::Play, Some((absent, None)), reply) if *absent != side => {
                self.require(Rule::SealerAbsent)?;
                self.in_play()?;
                self.turn(side)?;
                let absent = *absent;
                self.away = Some((absent, Some(reply.clone())));
                self.only(Rule::SealerAbsent, Decision::Runs(absent))
            }
            _ => Err(self.not_adjourned()),
        }
    }

    /// Returns the ground and the decision that forbid sealing `sheet`, or `None` if the player may
    /// seal it.
    fn objection(&self, side: Side, sheet: &Sheet<G>) -> Option<(Ground, Decision)> {
        match (sheet, self.order()) {
            (Sheet::Resigns, _) if self.move_alone() => {
                Some((Rule::Sealed.when(Case::Barred), Decision::Barred(side)))
            }
            (Sheet::Move(m), Order::Must(rule, moves)) if !moves.contains(m) => {
                Some((rule, Decision::Must(side, Self::texts(&moves))))
            }
            _ => None,
        }
    }

    /// Returns the reason why an adjournment event is refused in the current stage.
    const fn not_adjourned(&self) -> Refused {
        match &self.stage {
            Stage::Sealing { by, sheet: None } => Refused::Sealer(*by),
            Stage::Sealing { by, sheet: Some(_) } => Refused::Unstopped(*by),
            Stage::Adjourned { .. } | Stage::Absent { .. } => Refused::Adjourned,
            Stage::Play | Stage::Over(_) => Refused::NotAdjourned,
        }
    }

    /// Seals a move with an offer of a draw in the envelope.
    pub(super) fn seal_with_offer(&mut self, side: Side, m: G::Move) -> Answer {
        let mut rulings = self.seal(side, &Sheet::Move(m))?;
        let sealed = matches!(
            rulings.first().map(|ruling| &ruling.decision),
            Some(Decision::Closed | Decision::Stands)
        );
        if sealed && self.move_alone() {
            rulings.push(self.ruling(Rule::Sealed.when(Case::Barred), Decision::Barred(side)));
        } else if sealed && !self.offered(side) {
            rulings.extend(self.make_offer(side)?);
        }
        Ok(rulings)
    }

    /// Handles a move made on the board by a player who was told to seal. This move must then be
    /// sealed.
    pub(super) fn seal_on_board(&mut self, side: Side, m: G::Move) -> Answer {
        if self.edition.terms().sealing == Sealing::Envelope {
            return Err(Refused::Adjourned);
        }
        self.turn(side)?;
        if !self.position().is_playable(m) {
            return Err(Refused::NotLegal(G::move_text(m)));
        }
        if let Order::Must(rule, moves) = self.order()
            && !moves.contains(&m)
        {
            return self.only(rule, Decision::Must(side, Self::texts(&moves)));
        }
        self.hand.restriction = Some((Rule::WhoSeals.into(), vec![m]));
        self.only(Rule::WhoSeals, Decision::Must(side, Self::texts(&[m])))
    }

    /// Handles a remark in the envelope, which must contain only the move (Par. 27.3; annex 7 of
    /// 1930).
    pub(super) fn enclose(&self, side: Side) -> Answer {
        if !self.move_alone() {
            return Err(Refused::Unknown(self.edition, Rule::Sealed));
        }
        match &self.stage {
            Stage::Sealing { by, .. } if *by == side => {}
            Stage::Adjourned { by, .. } if *by == side && self.unpressed == Some(side) => {}
            Stage::Sealing { by, .. } => return Err(Refused::Sealer(*by)),
            _ => return Err(self.not_adjourned()),
        }
        self.only(Rule::Sealed.when(Case::Barred), Decision::Barred(side))
    }

    /// Returns whether the envelope must contain only the move.
    fn move_alone(&self) -> bool {
        self.has_case(Rule::Sealed, Case::Barred)
    }

    fn sheet_moves(&self, sheet: &Sheet<G>) -> impl Iterator<Item = G::Move> {
        let moves = match sheet {
            Sheet::Move(m) => vec![*m],
            Sheet::Ambiguous(moves) => moves.clone(),
            Sheet::Nothing
            | Sheet::Unreadable
            | Sheet::Illegal(..)
            | Sheet::Resigns
            | Sheet::Secret => Vec::new(),
        };
        moves.into_iter()
    }

    pub(super) fn close(&mut self, side: Side, shown: Option<PressTime>) -> Answer {
        let Stage::Sealing { by, sheet: Some(sheet) } = self.stage.clone() else {
            return Err(Refused::NotMoved(side));
        };
        if by != side {
            return Err(Refused::Sealer(by));
        }
        let taken = self.used_time(side, shown)?;
        if self.charge_incomplete(side, taken).is_err() {
            return self.fallen(side);
        }
        self.halted = None;
        self.stage = Stage::Adjourned { by, sheet };
        self.only(Rule::Sealed, Decision::Closed)
    }

    pub(super) fn resume(&mut self, without: &[Side]) -> Answer {
        let Stage::Adjourned { by, sheet } = self.stage.clone() else {
            return Err(self.not_adjourned());
        };
        let waits = without.contains(&!by) && self.edition.terms().waits_for_responder;
        if sheet == Sheet::Secret && !waits {
            return Err(Refused::Unopened(by));
        }
        self.unpressed = None;
        self.away = without.contains(&by).then_some((by, None));
        if waits {
            self.stage = Stage::Absent { by, sheet };
            let both = without.contains(&by).then_some(Case::Both);
            let ground = Ground { rule: Rule::ResponderAbsent, case: both };
            return self.only(ground, Decision::Runs(!by));
        }
        self.absent_responder = without.contains(&!by).then_some(!by);
        self.open(by, &sheet)
    }

    /// Handles the arrival of a player after the time agreed for the resumption.
    pub(super) fn arrive(&mut self, side: Side, late: Late) -> Answer {
        let (time, excused) = (late.time, self.excused(late, Rule::LateResuming));
        let limit = self.rules.late_resuming(self.edition);
        let late = |late: &LateResuming| late.granted.is_some_and(|max| time > max) && !excused;
        let limit = limit.filter(late);
        let too_late = limit.is_some();
        match (self.stage.clone(), self.away.clone()) {
            (Stage::Play, _) if self.absent_responder == Some(side) => {
                self.absent_responder = None;
                self.only(Rule::ResponderAbsent, Decision::Continues)
            }
            (Stage::Absent { by, .. }, None) if by == side => Err(Refused::Awaited(!by)),
            (Stage::Absent { by, sheet: Sheet::Secret }, _) if by != side || too_late => {
                Err(Refused::Unopened(by))
            }
            // If a player arrives too late and the opponent is still absent, both are too late.
            (Stage::Absent { sheet, .. }, Some(_)) if let Some(late) = limit => {
                self.both_too_late(&sheet, late)
            }
            (Stage::Absent { sheet, .. }, None) if let Some(late) = limit => {
                if let Some(ended) = self.ended_by(&sheet, late.responder_too)? {
                    return Ok(ended);
                }
                self.too_late(side)
            }
            (Stage::Absent { by, .. }, _) if by == side => {
                self.away = None;
                self.only(Rule::ResponderAbsent, Decision::Runs(!by))
            }
            (Stage::Absent { by, sheet }, _) => {
                if self.spend(side, time).is_err() {
                    return self.fallen(side);
                }
                self.open(by, &sheet)
            }
            (Stage::Play, Some((absent, reply))) if absent == side => {
                self.in_play()?;
                if too_late {
                    return self.too_late(side);
                }
                self.away = None;
                let Some(reply) = reply else {
                    return self.only(Rule::Resumed, Decision::Continues);
                };
                if self.spend(side, time).is_err() {
                    return self.fallen(side);
                }
                let m = match reply {
                    Sheet::Move(m) => m,
                    Sheet::Resigns => return self.resign(!side),
                    _ => return self.lost_by_sheet(!side, &reply),
                };
                let opened = Decision::Opened(G::move_text(m));
                let mut rulings = smallvec![self.ruling(Rule::SealerAbsent, opened)];
                self.play(m, &mut rulings);
                // The time was already deducted when the clock was pressed after sealing the reply.
                self.complete_clock();
                Ok(rulings)
            }
            _ => Err(Refused::Nothing),
        }
    }

    fn too_late(&mut self, side: Side) -> Answer {
        Ok(smallvec![self.finish(Rule::LateResuming, GameOutcome::won(Some(!side)))])
    }

    /// Declares the game lost for both players, unless the sealed move counts and ends the game.
    /// Some editions count the move, because it preceded the lateness (annex 10 a, b).
    fn both_too_late(&mut self, sheet: &Sheet<G>, late: LateResuming) -> Answer {
        if let Some(ended) = self.ended_by(sheet, late.sealed_move_first)? {
            return Ok(ended);
        }
        Ok(smallvec![self.finish(late.both, GameOutcome::BothLose)])
    }

    /// Plays the sealed move if it ends the game and the edition lets it count (`counts`).
    /// Otherwise returns `None` and changes nothing.
    fn ended_by(&mut self, sheet: &Sheet<G>, counts: bool) -> Result<Option<Rulings>, Refused> {
        let &Sheet::Move(m) = sheet else { return Ok(None) };
        let mut ahead = self.clone();
        ahead.stage = Stage::Play;
        let rulings = ahead.open_by(m, Rule::Resumed.when(Case::Later))?;
        if !counts || ahead.verdict().is_none() {
            return Ok(None);
        }
        *self = ahead;
        Ok(Some(rulings))
    }

    /// Handles clocks set wrongly at the resumption. The clocks are corrected if a player points
    /// out the error before making a move (annex 12). A separate event then sets the clock.
    pub(super) fn clocks_resumed(&mut self, by: Option<Side>) -> Answer {
        self.require(Rule::ResumedClocks)?;
        if !self.has_clock() {
            return Err(Refused::NoClock);
        }
        let Some(resumed) = self.resumed else { return Err(Refused::Nothing) };
        let Some(by) = by else { return self.only(Rule::ResumedClocks, Decision::Arbiter) };
        let mut since = self.plies.iter().take(self.plies()).skip(resumed);
        let moved = since.any(|ply| ply.position.side() == by);
        let decision = if moved { Decision::Refused(by) } else { Decision::Upheld(by) };
        self.only(Rule::ResumedClocks, decision)
    }

    fn open(&mut self, by: Side, sheet: &Sheet<G>) -> Answer {
        self.stage = Stage::Play;
        if let Some(doubt) = doubt(sheet)
            && self.edition.terms().repair.allows(doubt)
        {
            self.waits = Some(Waits::Repair { by, sheet: sheet.clone() });
            return self.only(Rule::SealedRepaired, Decision::Arbiter);
        }
        self.open_unrepaired(by, sheet)
    }

    pub(super) fn open_as(&mut self, m: G::Move) -> Answer {
        self.open_by(m, Rule::Resumed.into())
    }

    fn open_by(&mut self, m: G::Move, ground: Ground) -> Answer {
        let mut rulings = smallvec![self.ruling(ground, Decision::Opened(G::move_text(m)))];
        self.waits = None;
        self.play(m, &mut rulings);
        // The time was already deducted when the clock was pressed after sealing the move.
        self.complete_clock();
        self.resumed = Some(self.plies());
        Ok(rulings)
    }

    pub(super) fn repair(&mut self, m: G::Move) -> Answer {
        let Some(Waits::Repair { .. }) = &self.waits else { return Err(Refused::Nothing) };
        if !self.position().is_playable(m) {
            return Err(Refused::NotLegal(G::move_text(m)));
        }
        let mut rulings: Rulings = smallvec![self.ruling(Rule::SealedRepaired, Decision::Stands)];
        rulings.extend(self.open_as(m)?);
        Ok(rulings)
    }

    pub(super) fn open_unrepaired(&mut self, by: Side, sheet: &Sheet<G>) -> Answer {
        self.waits = None;
        let old_way = self.edition.terms().ambiguity == Ambiguity::OpponentChooses;
        match sheet {
            Sheet::Move(m) => return self.open_as(*m),
            Sheet::Resigns => return self.resign(by),
            Sheet::Ambiguous(moves) if old_way => {
                let options: Vec<_> = moves.iter().map(|&m| Choice::Move(m)).collect();
                let among = options.iter().map(Choice::text).collect();
                let rule = Rule::SealedAmbiguous;
                self.waits = Some(Waits::Choice { by: !by, ground: rule.into(), options });
                return self.only(rule, Decision::Chooses(!by, among));
            }
            Sheet::Illegal(from, to) if old_way => return self.sealed_illegal(*from, *to),
            _ => {}
        }
        self.lost_by_sheet(by, sheet)
    }

    /// Ends the game with a loss for the player who has not sealed a valid move, or with a draw if
    /// the edition allows it and the opponent cannot win.
    fn lost_by_sheet(&mut self, by: Side, sheet: &Sheet<G>) -> Answer {
        let rule = doubt(sheet).unwrap_or(Rule::NothingSealed);
        let wins = |side: &Side| !self.edition.terms().sealed_can_draw || self.can_win(*side);
        let winner = Some(!by).filter(wins);
        Ok(smallvec![self.finish(rule, GameOutcome::won(winner))])
    }

    /// Handles an illegal sealed move from `from` to `to` (Par. 16 b, d). The opponent chooses a
    /// legal move of the piece on `from`, a legal capture on `to` or a king move. If none of these
    /// moves is possible, the opponent chooses any piece.
    fn sealed_illegal(&mut self, from: G::Square, to: G::Square) -> Answer {
        let side = self.to_move();
        let mut options = vec![Choice::Piece(from), Choice::King];
        let capture = self.position().owner(to) == Some(!side);
        if capture {
            options.insert(0, Choice::Capture(to));
        }
        options.retain(|choice| !self.chosen(choice).is_empty());
        if options.is_empty() {
            for m in self.position().moves() {
                let piece = Choice::Piece(G::mover(m));
                if !options.contains(&piece) {
                    options.push(piece);
                }
            }
        }
        let case = if capture { Case::Capture } else { Case::Quiet };
        let rule = Rule::SealedIllegal.when(case);
        let order = self.choice(rule, options, rule);
        let mut rulings = Rulings::new();
        if let Order::Must(rule, moves) = &order {
            self.hand.restriction = Some((*rule, moves.clone()));
        }
        self.give_order(order, &mut rulings);
        Ok(rulings)
    }

    /// Handles a lost envelope. Depending on the edition, the player who sealed the move names and
    /// makes it (annex 11 a), or the game is annulled.
    pub(super) fn envelope_lost(&mut self) -> Answer {
        let (Stage::Adjourned { .. } | Stage::Absent { .. }) = self.stage else {
            return Err(self.not_adjourned());
        };
        if !self.edition.terms().sealer_names_move {
            return self.position_lost();
        }
        let ground = Rule::EnvelopeLost.when(Case::Envelope);
        self.stage = Stage::Play;
        self.unpressed = None;
        self.resumed = Some(self.plies());
        self.only(ground, Decision::Continues)
    }

    pub(super) fn position_lost(&mut self) -> Answer {
        let (Stage::Adjourned { .. } | Stage::Absent { .. }) = self.stage else {
            return Err(self.not_adjourned());
        };
        let ground = Rule::EnvelopeLost.when(Case::Position);
        Ok(smallvec![self.finish(ground, GameOutcome::Annulled)])
    }
}

const fn doubt<G: Ruled>(sheet: &Sheet<G>) -> Option<Rule> {
    match sheet {
        Sheet::Move(_) | Sheet::Resigns | Sheet::Secret => None,
        Sheet::Nothing => Some(Rule::NothingSealed),
        Sheet::Unreadable => Some(Rule::SealedUnreadable),
        Sheet::Ambiguous(_) => Some(Rule::SealedAmbiguous),
        Sheet::Illegal(..) => Some(Rule::SealedIllegal),
    }
}
