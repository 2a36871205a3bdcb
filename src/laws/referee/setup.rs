//! Games that began with a wrong position, a wrongly placed board or wrongly set clocks (Par. 11;
//! Art. 12.1; 7.1, 7.2, 15.4 a; FMJD 5.1, 5.2).

use super::*;
use crate::laws::edition::SetupFault;
use crate::laws::ruled::CastlingPiece;

impl<G: Ruled> Referee<G> {
    /// Begins the game again from its first position, with its odds.
    pub(super) fn restart(&mut self, rule: Rule) -> Rulings {
        let start = Ply { demands: [None; 2], ..self.plies[0].clone() };
        let fresh = Self::new(self.edition, self.rules.clone());
        *self = Self {
            odds: start.odds.clone(),
            plies: VectorSync::new_sync().push_back(start),
            log: self.log.clone(),
            ..fresh
        };
        smallvec![self.ruling(rule, Decision::Restart)]
    }

    /// Returns the rule (15.4 a) that lets a wrong set-up stand in unsupervised rapid play or
    /// blitz. Returns `None` if this exception does not apply; the general rule of the edition then
    /// decides.
    fn setup_stands(&self) -> Option<Rule> {
        // A move is complete only after the clock is pressed (6.7 a).
        let completed =
            |side| self.moves_of(side).saturating_sub(u32::from(self.unpressed == Some(side)));
        let completed = completed(Side::White).min(completed(Side::Black));
        let enough = self.edition.terms().unsupervised.setup_stands_after;
        self.unsupervised_by(Rule::FastSetup).filter(|_| completed >= enough)
    }

    pub(super) fn wrong_setup(&mut self, by: Option<Side>) -> Answer {
        self.require(Rule::WrongSetup)?;
        match self.setup_stands() {
            Some(rule) => self.only(rule.when(Case::Setup), Decision::Continues),
            None => self.setup_error(self.edition.terms().wrong_setup, Rule::WrongSetup, by),
        }
    }

    pub(super) fn wrong_kings(&mut self, by: Option<Side>) -> Answer {
        self.require(Rule::KingsExchanged)?;
        self.setup_error(self.edition.terms().wrong_kings, Rule::KingsExchanged, by)
    }

    /// Handles a king and a queen that began the game on each other's squares.
    pub(super) fn king_misplaced(&mut self, side: Side) -> Answer {
        self.piece_misplaced(Rule::KingsExchanged.into(), |position| {
            position.without_castling(side)
        })
    }

    /// Handles a rook that began on a wrong square. In some editions, this rook can no longer
    /// castle (A.5.1.2 of 2023).
    pub(super) fn rook_misplaced(&mut self, square: G::Square) -> Answer {
        self.in_play()?;
        if self.position().castles(square) != Some(CastlingPiece::Rook) {
            return Err(Refused::Square(square.to_string()));
        }
        let rule = self.setup_stands().unwrap_or(Rule::WrongSetup);
        if self.has_case(rule, Case::Castling) {
            let rook = |position: &G| position.without_castling_rook(square);
            return self.piece_misplaced(rule.when(Case::Castling), rook);
        }
        self.piece_misplaced(rule.when(Case::Setup), |_| None)
    }

    fn piece_misplaced(&mut self, ground: Ground, corrected: impl Fn(&G) -> Option<G>) -> Answer {
        self.in_play()?;
        self.require(Rule::Rapid)?;
        if self.setup_stands().is_none() {
            return self.setup_error(self.edition.terms().wrong_setup, Rule::WrongSetup, None);
        }
        self.replace(corrected(self.position()));
        self.only(ground, Decision::Continues)
    }

    /// Handles clocks set wrongly at the start (6.10 b, 15.4 a; 6.10.2, A.5.1.1 of 2023). A
    /// separate event then sets the clock.
    pub(super) fn clocks_wrong(&self) -> Answer {
        if !self.has_clock() {
            return Err(Refused::NoClock);
        }
        match self.setup_stands() {
            Some(rule) => self.only(rule.when(Case::Clocks), Decision::Continues),
            None => self.only(Rule::Adjustment.when(Case::Clocks), Decision::Arbiter),
        }
    }

    pub(super) fn wrong_board(&mut self, by: Option<Side>) -> Answer {
        self.require(Rule::WrongBoard)?;
        if let Some(rule) = self.setup_stands() {
            return self.only(rule.when(Case::Setup), Decision::Continues);
        }
        self.setup_error(self.edition.terms().wrong_board, Rule::WrongBoard, by)
    }

    fn replace(&mut self, position: Option<G>) {
        if let Some(position) = position {
            self.last_mut().position = position;
        }
    }

    /// Handles a set-up error that is noticed during the game.
    fn setup_error(&mut self, error: SetupFault, rule: Rule, by: Option<Side>) -> Answer {
        let black = self.moves_of(Side::Black);
        match (error, by) {
            (SetupFault::Annuls { .. }, _) => self.annul(rule),
            (SetupFault::AsInitialPosition, _) if self.setup_stands().is_none() => {
                self.setup_error(self.edition.terms().wrong_setup, Rule::WrongSetup, by)
            }
            (SetupFault::BeginsAgainBefore(moves), Some(by)) if self.moves_of(by) < moves => {
                self.annul(rule)
            }
            (SetupFault::BeginsAgainBefore(moves), _) if black < moves => Ok(self.restart(rule)),
            (SetupFault::AnnulledOnRequestBefore(moves), Some(_)) if black < moves => {
                self.annul(rule)
            }
            (SetupFault::OpponentDecides, Some(by)) => {
                let board = self.position().clone();
                self.irregularity(!by, rule, board, Made::Changed)
            }
            (SetupFault::OpponentDecides, None) => Err(Refused::ClaimOnly),
            (SetupFault::AsInitialPosition, _) => {
                // If the log begins with the correct position, it does not show which kings were
                // misplaced. In this case, neither side can castle.
                let king_for_queen = |side| self.plies[0].position.king_for_queen(side);
                let exchanged = Side::ALL.map(king_for_queen);
                for side in Side::ALL {
                    if exchanged[side.index()] || exchanged == [false; 2] {
                        self.replace(self.position().without_castling(side));
                    }
                }
                self.only(rule, Decision::Continues)
            }
            (SetupFault::AnnulledOnRequestBefore(_), _) => {
                let start = &self.plies[0].position;
                if Side::ALL.into_iter().all(|side| start.king_for_queen(side)) {
                    self.replace(self.position().mirrored());
                }
                self.only(rule, Decision::Continues)
            }
            _ => self.only(rule, Decision::Continues),
        }
    }
}
