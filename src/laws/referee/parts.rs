//! Moves made part by part: pieces released, removed and promoted (Par. 12; Art. 13; 4.6).

use super::touch::Order;
use super::*;
use crate::laws::edition::Irregular;
use crate::laws::ruled::IllegalMove;

impl<G: Ruled> Referee<G> {
    pub(super) fn part(&mut self, side: Side, part: Part<G::Square>) -> Answer {
        if let Part::Remove(square) = part
            && let Some(answer) = self.removes_more(side, square)
        {
            return answer;
        }
        self.may_touch(side)?;
        let mut rulings = Rulings::new();
        let part = self.removed_pawn(side, part).unwrap_or(part);
        if let Some(rook) = self.castled_by(side, part) {
            return self.castle_without(side, rook);
        }
        if self.hand.foul.is_some() && !self.retracts(side)
            || matches!(self.waits, Some(Waits::Correction(_)))
        {
            // The opponent's illegal move must be accepted first: in chess by touching a piece, in
            // draughts by a complete move.
            return Err(Refused::Choosing(side));
        }
        let position = self.position();
        let mut allowed = self.allowed();
        // Released pieces count as touched, so moves of other pieces are already excluded.
        allowed.retain(|&m| position.parts(m).contains(&part) && !self.hand.parts.contains(&part));
        let Some(&first) = allowed.first() else { return self.wrong_part(side, part) };
        if let Part::Remove(square) = part
            && let Some(case) = self.removal_fault(&allowed, square)
        {
            let goes_on = case == Case::RemovedEarly;
            let made = if goes_on { Made::Removed(square) } else { Made::Move(first) };
            let board = if goes_on { position.without(&[square], side) } else { None };
            let board = board.unwrap_or_else(|| position.after(first));
            return self.irregularity(side, Rule::Illegal.when(case), board, made);
        }
        let done = self.hand.parts.len() + 1;
        let complete = allowed.iter().copied().find(|&m| position.parts(m).len() == done);
        if let Some(answer) = complete.and_then(|m| self.odds_breach(side, m)) {
            return answer;
        }
        let fault = complete.and_then(|m| Some((m, self.reply_fault(side, m)?)));
        if let Some((m, ground)) = fault {
            let board = position.after(m);
            return self.irregularity(side, ground, board, Made::Move(m));
        }
        let unasked = complete.and_then(|m| self.disregarded_by(m));
        self.hand.foul = None;
        self.forfeit_penalty(side, Case::Touched, &mut rulings);
        self.hand_down(side, &mut rulings);
        if let Some(m) = complete
            && !self.awaits_announcement(side, m)
        {
            self.play(m, &mut rulings);
            self.disregarded = unasked.map(|touched| (self.plies(), touched));
            return Ok(rulings);
        }
        let touched = match part {
            Part::Place(from, _) => Some(from),
            Part::Remove(square) => Some(square),
            Part::Promote(_) => None,
        };
        if self.hand.restriction.is_none() {
            // From now on the parts determine the allowed moves, not the touched pieces. Otherwise
            // the king and rook of a castling move would fall under the rules on touched pieces.
            self.hand.owed = self.owed();
            self.hand.restriction = Some((self.released(&allowed), allowed.clone()));
        }
        let mover = G::mover(first);
        for square in touched.into_iter().chain([mover]) {
            if !self.hand.touched.contains(&square) {
                self.hand.touched.push(square);
            }
        }
        self.hand.parts.push(part);
        if let Some(m) = complete {
            rulings.push(self.announces(side, m, self.hand.announced.is_some()));
            return Ok(rulings);
        }
        let allowed = self.allowed();
        let decision = Decision::Must(side, Self::texts(&allowed));
        rulings.push(self.ruling(self.released(&allowed), decision));
        Ok(rulings)
    }

    /// If `part` removes a pawn that can promote on only one square, returns the placement of the
    /// pawn on that square. The pawn need not be put there first (4.6.1, 4.6.2).
    fn removed_pawn(&self, side: Side, part: Part<G::Square>) -> Option<Part<G::Square>> {
        let Part::Remove(square) = part else { return None };
        if self.position().owner(square) != Some(side) {
            return None;
        }
        let places = self.allowed().into_iter().filter_map(|m| {
            let parts = self.position().parts(m);
            let promotes = parts.iter().any(|part| matches!(part, Part::Promote(_)));
            let place = |part| matches!(part, Part::Place(from, _) if from == square);
            parts.into_iter().find(|&part| promotes && place(part))
        });
        let places: Vec<_> = places.collect();
        // If the pawn can go to several squares, the captured piece must be removed first, because
        // it determines the square.
        let first = places.first().copied()?;
        places.iter().all(|&place| place == first).then_some(first)
    }

    /// Returns whether the move in hand has already moved a piece away from a square.
    fn has_left(&self, square: G::Square) -> bool {
        let left = |part: &Part<G::Square>| matches!(part, Part::Place(from, _) if *from == square);
        self.hand.parts.iter().any(left)
    }

    /// Handles an action that is not part of an allowed move, such as moving a piece other than the
    /// touched piece or, in draughts, releasing a piece on a wrong square.
    fn wrong_part(&mut self, side: Side, part: Part<G::Square>) -> Answer {
        if let (Part::Remove(square), Ok(())) = (part, self.opponent_decides()) {
            return self.wrong_removal(side, square);
        }
        let position = self.position();
        if !self.hand.parts.is_empty() {
            return match part {
                // Another piece of the move was released on a wrong square and must be taken back
                // (4.6; 4.7 of 2023).
                Part::Place(from, to)
                    if self.edition.terms().irregular == Irregular::TimeThenLoss
                        && position.owner(from) == Some(side)
                        && from != to
                        && !self.has_left(from) =>
                {
                    let moves = self.allowed();
                    let rule = self.released(&moves);
                    Ok(smallvec![
                        self.ruling(rule, Decision::TakeBack(side)),
                        self.ruling(rule, Decision::Must(side, Self::texts(&moves))),
                    ])
                }
                _ => Err(Refused::Part),
            };
        }
        let mut legal = position.moves().into_iter();
        if let Some(m) = legal.find(|&m| position.parts(m).contains(&part)) {
            return match self.order() {
                Order::Must(rule, moves) => self.breach(side, m, rule, moves),
                _ => Err(Refused::Part),
            };
        }
        match part {
            Part::Place(from, to)
                if self.opponent_decides().is_ok()
                    && position.owner(from).is_some()
                    && position.owner(to).is_none() =>
            {
                let made = IllegalMove::placed(from, to);
                let board = position.after_illegal(&made).ok_or(Refused::Part)?;
                let case = position.fault(from, to).unwrap_or(Case::Enemy);
                self.irregularity(side, Rule::Illegal.when(case), board, Made::Placed(from, to))
            }
            Part::Place(from, to)
                if self.edition.terms().irregular != Irregular::OpponentDecides
                    && position.owner(from) == Some(side)
                    && from != to =>
            {
                Err(Refused::IllegalPart(side, format!("{from} {to}")))
            }
            _ => Err(Refused::Part),
        }
    }
}
