//! Obligations from touched pieces (Par. 14; Art. 15; 4.3 to 4.5; FMJD 3.11).

use super::*;
use crate::laws::edition::{TouchForfeits, Touching, WhileChoosing};
use crate::laws::ruled::CastlingPiece;

#[derive(Clone, PartialEq, Debug)]
pub(super) enum Order<G: Ruled> {
    Free(Ground),
    Must(Ground, Vec<G::Move>),
    /// One of these options, chosen by the opponent.
    Choose(Ground, Vec<Choice<G>>),
}

impl<G: Ruled> Order<G> {
    /// Requires one of `moves`, or allows any move if `moves` is empty.
    pub(super) fn must_or_free(
        must: impl Into<Ground>,
        moves: Vec<G::Move>,
        free: impl Into<Ground>,
    ) -> Self {
        if moves.is_empty() { Self::Free(free.into()) } else { Self::Must(must.into(), moves) }
    }
}

impl<G: Ruled> Referee<G> {
    pub(super) fn moves_from(&self, square: G::Square) -> Vec<G::Move> {
        let moves = self.moves();
        // In Chess960, castling may move only the rook.
        let alone = |m: &G::Move| {
            let parts = self.position().parts(*m);
            G::castling_rook(*m) == Some(square)
                && matches!(parts[..], [Part::Place(from, _)] if from == square)
        };
        let (mut own, others): (Vec<_>, Vec<_>) =
            moves.into_iter().partition(|&m| G::mover(m) == square);
        own.extend(others.into_iter().filter(alone));
        own.extend(self.given_castling().filter(|&m| G::mover(m) == square));
        own
    }

    pub(super) fn takes(&self, square: G::Square) -> Vec<G::Move> {
        let part = Part::Remove(square);
        let moves = self.moves().into_iter();
        moves.filter(|&m| self.position().parts(m).contains(&part)).collect()
    }

    /// Returns the legal moves that satisfy the opponent's choice. A penalty does not allow
    /// castling (Par. 17; Art. 18.2).
    pub(super) fn chosen(&self, choice: &Choice<G>) -> Vec<G::Move> {
        let mut moves = match choice {
            Choice::Piece(square) => self.moves_from(*square),
            Choice::Capture(square) => self.takes(*square),
            Choice::King => {
                let king = |m: &G::Move| {
                    self.position().castles(G::mover(*m)) == Some(CastlingPiece::King)
                };
                self.moves().into_iter().filter(king).collect()
            }
            Choice::Move(m) => vec![*m],
            Choice::Correct | Choice::Accept => Vec::new(),
        };
        if !matches!(choice, Choice::Move(_)) {
            moves.retain(|&m| G::castling_rook(m).is_none());
        }
        moves
    }

    /// Returns the obligation that touched pieces or rulings create for the player to move.
    pub(super) fn order(&self) -> Order<G> {
        if let Some((rule, moves)) = &self.hand.restriction {
            return Order::Must(*rule, moves.clone());
        }
        let side = self.to_move();
        let of = |owner: Side| {
            let owned = |square: &&G::Square| self.position().owner(**square) == Some(owner);
            self.hand.touched.iter().filter(owned).copied().collect::<SmallVec<[_; 4]>>()
        };
        let (own, enemy) = (of(side), of(!side));
        if own.is_empty() && enemy.is_empty() {
            return Order::Free(Rule::Completed.into());
        }
        match self.edition.terms().touching {
            Touching::PlayableOnly => {
                let moves = own.iter().map(|&square| self.moves_from(square));
                let first = moves.into_iter().find(|moves| !moves.is_empty());
                Order::must_or_free(Rule::TouchOwn, first.unwrap_or_default(), Rule::TouchNone)
            }
            Touching::FirstThatCan => self.first_that_can(&own, &enemy),
            Touching::OpponentChooses => self.opponent_chooses(&own, &enemy),
        }
    }

    fn pair(&self, own: G::Square, enemy: G::Square) -> Vec<G::Move> {
        let mut moves = self.takes(enemy);
        moves.retain(|&m| G::mover(m) == own);
        moves
    }

    /// Returns the piece touched first, the king's square and the rook's square, if the first two
    /// own pieces touched are a king and a rook.
    fn castling_touched(&self, own: &[G::Square]) -> Option<(CastlingPiece, G::Square, G::Square)> {
        let [first, second, ..] = *own else { return None };
        let piece = |square| self.position().castles(square);
        match (piece(first)?, piece(second)?) {
            (CastlingPiece::King, CastlingPiece::Rook) => {
                Some((CastlingPiece::King, first, second))
            }
            (CastlingPiece::Rook, CastlingPiece::King) => {
                Some((CastlingPiece::Rook, second, first))
            }
            _ => None,
        }
    }

    /// Applies articles 4.3 and 4.4.
    fn first_that_can(&self, own: &[G::Square], enemy: &[G::Square]) -> Order<G> {
        if let (Some((first, king, rook)), []) = (self.castling_touched(own), enemy) {
            let of_king = self.moves_from(king);
            let is_this = |m: &G::Move| G::castling_rook(*m) == Some(rook);
            if first == CastlingPiece::King {
                return match of_king.iter().copied().find(is_this) {
                    Some(castling) => Order::Must(Rule::CastlingTouch.into(), vec![castling]),
                    None => {
                        Order::must_or_free(Rule::CastlingBarred, of_king, Rule::CastlingBarred)
                    }
                };
            }
            let mut moves = self.moves_from(rook);
            moves.retain(|m| !is_this(m));
            if moves.is_empty() {
                moves = of_king.into_iter().filter(|m| !is_this(m)).collect();
            }
            return Order::must_or_free(Rule::RookFirst, moves, Rule::TouchNone);
        }
        let rule = touch_ground(own.len(), enemy.len());
        if let ([piece, ..], [target, ..]) = (own, enemy) {
            let together = self.pair(*piece, *target);
            if !together.is_empty() {
                return Order::Must(rule, together);
            }
        }
        let each = self.hand.touched.iter().map(|square| {
            if own.contains(square) { self.moves_from(*square) } else { self.takes(*square) }
        });
        let first = each.into_iter().find(|moves| !moves.is_empty());
        Order::must_or_free(rule, first.unwrap_or_default(), Rule::TouchNone)
    }

    /// Applies Par. 14 and Art. 15.
    fn opponent_chooses(&self, own: &[G::Square], enemy: &[G::Square]) -> Order<G> {
        match (own, enemy) {
            ([piece], []) => {
                return Order::must_or_free(
                    Rule::TouchOwn,
                    self.moves_from(*piece),
                    Rule::TouchNone,
                );
            }
            ([], [piece]) => {
                let moves = self.takes(*piece);
                return Order::must_or_free(Rule::TouchEnemy, moves, Rule::TouchNone);
            }
            ([piece], [target]) => {
                let together = self.pair(*piece, *target);
                if !together.is_empty() {
                    return Order::Must(Rule::TouchBoth.into(), together);
                }
            }
            _ => {}
        }
        if let (Some((CastlingPiece::King, king, rook)), []) = (self.castling_touched(own), enemy) {
            let of_king = self.moves_from(king).into_iter();
            let castling = of_king.filter(|&m| G::castling_rook(m) == Some(rook));
            let castling: Vec<_> = castling.collect();
            if own.len() == 2 && !castling.is_empty() {
                return Order::Must(Rule::CastlingTouch.into(), castling);
            }
        }
        let rule = touch_ground(own.len(), enemy.len());
        let options = own.iter().map(|&square| Choice::Piece(square));
        let options = options.chain(enemy.iter().map(|&square| Choice::Capture(square)));
        self.choice(rule, options.collect(), Rule::TouchNone)
    }

    /// Returns the opponent's choice among the possible options. If only one option is possible,
    /// returns an obligation; if none is, any move is allowed.
    pub(super) fn choice(
        &self,
        ground: impl Into<Ground>,
        mut options: Vec<Choice<G>>,
        none: impl Into<Ground>,
    ) -> Order<G> {
        let ground = ground.into();
        options.retain(|choice| !self.chosen(choice).is_empty());
        match &options[..] {
            [] => Order::Free(none.into()),
            [one] => Order::Must(ground, self.chosen(one)),
            _ => Order::Choose(ground, options),
        }
    }

    /// Adds the rulings that impose the obligation. If the opponent must choose, the game then
    /// waits for the choice.
    pub(super) fn give_order(&mut self, order: Order<G>, rulings: &mut Rulings) {
        let side = self.to_move();
        match order {
            Order::Free(rule) => rulings.push(self.ruling(rule, Decision::Free(side))),
            Order::Must(rule, moves) => {
                rulings.push(self.ruling(rule, Decision::Must(side, Self::texts(&moves))));
            }
            Order::Choose(ground, options) => {
                let among = options.iter().map(Choice::text).collect();
                rulings.push(self.ruling(ground, Decision::Chooses(!side, among)));
                if self.has_clock() && self.edition.has(Rule::ThinkingPenalty) {
                    let decision = match self.edition.terms().while_choosing {
                        WhileChoosing::ChooserRuns => Decision::Runs(!side),
                        WhileChoosing::BothStopped => Decision::Stopped,
                    };
                    rulings.push(self.ruling(Rule::ThinkingPenalty, decision));
                }
                self.waits = Some(Waits::Choice { by: !side, ground, options });
            }
        }
    }

    pub(super) fn touch(&mut self, side: Side, square: G::Square) -> Answer {
        if self.out_of_turn(side) {
            return self.only(Rule::OutOfTurn, Decision::Barred(side));
        }
        if let Some(Waits::Choice { by, ground, .. }) = self.waits
            && is_penalty(ground.rule)
        {
            return self.touch_while_choosing(side, by, square);
        }
        self.may_touch(side)?;
        let mut rulings = Rulings::new();
        let board = self.board_of(side)?;
        if board.owner(square).is_none() {
            return Err(Refused::Square(square.to_string()));
        }
        if matches!(self.waits, Some(Waits::Correction(_))) {
            return Ok(self.touch_for_reply(side, &board, square));
        }
        let enemy = board.owner(square) == Some(!side);
        self.settle_by(side, if enemy { Case::Enemy } else { Case::Touched }, &mut rulings);
        if !self.hand.touched.contains(&square) {
            self.hand.touched.push(square);
        }
        let order = self.order();
        self.give_order(order, &mut rulings);
        Ok(rulings)
    }

    /// Handles a touch while an irregularity can still be corrected. Only a move accepts the
    /// irregularity (FMJD 5.7), and the touched piece must make that move (3.11).
    fn touch_for_reply(&mut self, side: Side, board: &G, square: G::Square) -> Rulings {
        let mut rulings = Rulings::new();
        self.hand_down(side, &mut rulings);
        let moves: Vec<_> = board.moves().into_iter().filter(|&m| G::mover(m) == square).collect();
        if moves.is_empty() {
            rulings.push(self.ruling(Rule::TouchNone, Decision::Free(side)));
            return rulings;
        }
        if let Some(Waits::Correction(correction)) = &mut self.waits {
            correction.touched.get_or_insert(square);
        }
        rulings.push(self.ruling(Rule::TouchOwn, Decision::Must(side, Self::texts(&moves))));
        rulings
    }

    /// Handles an accidental touch, which creates no obligation (4.3 of 2009, 4.2.2 of 2023).
    pub(super) fn brush(&self, square: G::Square) -> Answer {
        self.in_play()?;
        self.require(Rule::Accident)?;
        if self.present().owner(square).is_none() {
            return Err(Refused::Square(square.to_string()));
        }
        self.only(Rule::Accident, Decision::Continues)
    }

    /// Cancels the penalty that `side` could have demanded, and rules that `side` has lost the
    /// right to this penalty. The opponent may then make any legal move.
    fn penalty_lost(&mut self, side: Side, case: Case) -> Rulings {
        self.waits = None;
        self.hand = Hand::default();
        let ground = Rule::Penalty.when(case);
        let mut rulings = smallvec![self.ruling(ground, Decision::Forfeits(side, Right::Penalty))];
        self.give_order(Order::Free(ground), &mut rulings);
        rulings
    }

    /// Handles a player's request to enforce the touch rules in unsupervised play (15.4 b). The
    /// request is possible until this player touches a piece (4.7).
    pub(super) fn claim_touch(&mut self, side: Side) -> Answer {
        self.in_play()?;
        self.require(Rule::Penalty)?;
        let made = |(ply, _): &(usize, _)| *ply == self.plies() && side == self.to_move();
        let Some((ply, touched)) = self.disregarded.clone().filter(made) else {
            let reason = (side != self.to_move()).then(|| Note::Turn(self.to_move()));
            return self.reject(Rule::Penalty, side, reason);
        };
        self.restore(ply - 1);
        self.hand.touched = touched;
        let mut rulings = Rulings::new();
        let order = self.order();
        if let Order::Must(ground, moves) = &order {
            rulings.push(self.ruling(*ground, Decision::TakeBack(!side)));
            self.hand.restriction = Some((*ground, moves.clone()));
        }
        self.give_order(order, &mut rulings);
        Ok(rulings)
    }

    pub(super) fn waive(&mut self, side: Side) -> Answer {
        self.require(Rule::Penalty)?;
        if self.edition.terms().touch_forfeits == TouchForfeits::Nothing {
            return Err(Refused::NoChoice(self.edition, Rule::Penalty));
        }
        match (&self.waits, &self.hand.restriction) {
            (Some(Waits::Choice { by, ground, .. }), _)
                if *by == side && is_penalty(ground.rule) => {}
            (None, Some((ground, _)))
                if side != self.to_move()
                    && (is_penalty(ground.rule) || ground.rule == Rule::Illegal) => {}
            _ => return Err(Refused::Nothing),
        }
        Ok(self.penalty_lost(side, Case::Touched))
    }

    /// Handles a touch while a penalty is pending. The offender may touch another piece. If the
    /// player who must choose the penalty touches one of their own pieces, the penalty is waived
    /// (Par. 17; Art. 18.1).
    fn touch_while_choosing(&mut self, side: Side, by: Side, square: G::Square) -> Answer {
        let owner = self.position().owner(square);
        let touchers = by != side && self.hand.foul.is_none() && !self.hand.touched.is_empty();
        if by == side && owner == Some(side) {
            return Ok(self.penalty_lost(side, Case::Touched));
        }
        if by == side && owner.is_some() {
            // Touching an enemy piece does not waive the penalty (Par. 17; Art. 18.1).
            return self.only(Rule::Penalty.when(Case::Touched), Decision::Continues);
        }
        if !touchers {
            return Err(Refused::Choosing(by));
        }
        if owner.is_none() {
            return Err(Refused::Square(square.to_string()));
        }
        self.waits = None;
        if !self.hand.touched.contains(&square) {
            self.hand.touched.push(square);
        }
        let mut rulings = Rulings::new();
        let order = self.order();
        self.give_order(order, &mut rulings);
        Ok(rulings)
    }

    /// Returns whether a player is forbidden to touch or adjust pieces, because it is not their
    /// turn (FMJD 3.14; 4.2, 12.6; 4.2.1, 11.5 of 2023).
    pub(super) fn out_of_turn(&self, side: Side) -> bool {
        let correcting = matches!(self.waits, Some(Waits::Correction(_)));
        self.edition.has(Rule::OutOfTurn)
            && (correcting || self.in_play().is_ok())
            && side != self.on_turn()
            && !self.retracts(side)
    }

    /// Handles a move by the player who is not to move. The move does not count.
    pub(super) fn move_out_of_turn(&self, side: Side) -> Answer {
        self.in_play()?;
        if !self.edition.has(Rule::OutOfTurn) || self.opponent_decides().is_ok() {
            return Err(Refused::Unknown(self.edition, Rule::OutOfTurn));
        }
        if !self.out_of_turn(side) {
            return Err(Refused::Nothing);
        }
        self.only(Rule::OutOfTurn.when(Case::Moved), Decision::TakeBack(side))
    }

    /// Handles a piece that is adjusted after an announcement (Par. 13; Art. 14; 4.2; FMJD 3.13).
    pub(super) fn adjust(&mut self, side: Side, square: G::Square) -> Answer {
        if self.out_of_turn(side) {
            return self.only(Rule::OutOfTurn.when(Case::Pieces), Decision::Barred(side));
        }
        self.in_play()?;
        self.turn(side)?;
        self.require(Rule::Adjust)?;
        if self.unpressed == Some(!side) && self.has_case(Rule::Adjust, Case::Barred) {
            // A player may not adjust pieces while the opponent's clock is running.
            return self.only(Rule::Adjust.when(Case::Barred), Decision::Barred(side));
        }
        let owner = self.position().owner(square);
        if owner.is_none() {
            return Err(Refused::Square(square.to_string()));
        }
        if owner == Some(side) || self.edition.terms().adjusts_enemy {
            return self.only(Rule::Adjust, Decision::Stands);
        }
        // Art. 14.2 forbids adjusting enemy pieces. A breach has the same consequence as a touch.
        let mut rulings = smallvec![self.ruling(Rule::Adjust, Decision::Barred(side))];
        rulings.extend(self.touch(side, square)?);
        Ok(rulings)
    }

    pub(super) fn choose(&mut self, side: Side, choice: &Choice<G>) -> Answer {
        match self.waits.clone() {
            Some(Waits::Correction(correction)) if correction.by == side => {
                self.correct(choice, *correction)
            }
            Some(Waits::Choice { by, ground, options }) if by == side => {
                let named = options.contains(choice);
                if matches!(choice, Choice::Correct | Choice::Accept)
                    || matches!(choice, Choice::Move(_)) && !named
                {
                    return Err(Refused::Nothing);
                }
                self.waits = None;
                if !named {
                    // A player who demands an impossible move loses the right to the penalty (Par.
                    // 17; Art. 18.3).
                    return Ok(self.penalty_lost(side, Case::Impossible));
                }
                if let Choice::Move(m) = choice {
                    return self.open_as(*m);
                }
                let moves = self.chosen(choice);
                let (restriction, penalty) = (Some((ground, moves.clone())), self.hand.penalty);
                self.hand = Hand { restriction, penalty, ..Hand::default() };
                let mut rulings = Rulings::new();
                self.give_order(Order::Must(ground, moves), &mut rulings);
                Ok(rulings)
            }
            Some(Waits::Choice { by, .. }) => Err(Refused::Choosing(by)),
            Some(Waits::Correction(correction)) => Err(Refused::Choosing(correction.by)),
            _ => Err(Refused::Nothing),
        }
    }
}

fn touch_ground(own: usize, enemy: usize) -> Ground {
    match (own, enemy) {
        (1, 0) => Rule::TouchOwn.into(),
        (0, 1) => Rule::TouchEnemy.into(),
        (1, 1) => Rule::TouchBoth.into(),
        (_, 0) => Rule::TouchSeveral.when(Case::Own),
        (0, _) => Rule::TouchSeveral.when(Case::Enemy),
        _ => Rule::TouchSeveral.when(Case::Both),
    }
}

/// Returns whether a choice under this rule is a penalty for the opponent.
const fn is_penalty(rule: Rule) -> bool {
    matches!(rule, Rule::TouchBoth | Rule::TouchSeveral | Rule::IllegalCapture)
}
