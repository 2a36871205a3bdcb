//! What touched pieces oblige to (Par. 14; Art. 15; 4.3 to 4.5; FMJD 3.11).

use super::*;
use crate::laws::edition::{Touching, WhileChoosing};
use crate::laws::ruled::CastlingPiece;

/// What the player to move has to do.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Order<G: Ruled> {
    /// Any legal move.
    Free(Rule),
    /// One of these.
    Must(Rule, Vec<G::Move>),
    /// What the opponent chooses.
    Choose(Rule, Vec<Choice<G>>),
}

impl<G: Ruled> Order<G> {
    /// These moves if there are any, else any move.
    pub(super) fn must_or_free(rule: Rule, moves: Vec<G::Move>, free: Rule) -> Self {
        if moves.is_empty() { Self::Free(free) } else { Self::Must(rule, moves) }
    }
}

impl<G: Ruled> Referee<G> {
    /// The legal moves of the piece on a square.
    pub(super) fn moves_from(&self, square: G::Square) -> Vec<G::Move> {
        let moves = self.position().moves().into_iter();
        moves.filter(|&m| G::mover(m) == square).collect()
    }

    /// The legal moves that take the piece on a square.
    pub(super) fn takes(&self, square: G::Square) -> Vec<G::Move> {
        let part = Part::Remove(square);
        let moves = self.position().moves().into_iter();
        moves.filter(|&m| self.position().parts(m).contains(&part)).collect()
    }

    /// The legal moves of a choice of the opponent's. As a penalty nobody castles (Par. 17; Art. 18.2).
    pub(super) fn chosen(&self, choice: &Choice<G>) -> Vec<G::Move> {
        let mut moves = match choice {
            Choice::Piece(square) => self.moves_from(*square),
            Choice::Capture(square) => self.takes(*square),
            Choice::King => {
                let king = |m: &G::Move| {
                    self.position().castles(G::mover(*m)) == Some(CastlingPiece::King)
                };
                self.position().moves().into_iter().filter(king).collect()
            }
            Choice::Move(m) => vec![*m],
            Choice::Correct | Choice::Accept => Vec::new(),
        };
        if !matches!(choice, Choice::Move(_)) {
            moves.retain(|&m| G::castling_rook(m).is_none());
        }
        moves
    }

    /// What the player to move has to do, by what he touched or what was ruled.
    pub(super) fn order(&self) -> Order<G> {
        if let Some((rule, moves)) = &self.hand.held {
            return Order::Must(*rule, moves.clone());
        }
        let side = self.to_move();
        let of = |owner: Side| {
            let owned = |square: &&G::Square| self.position().owner(**square) == Some(owner);
            self.hand.touched.iter().filter(owned).copied().collect::<SmallVec<[_; 4]>>()
        };
        let (own, enemy) = (of(side), of(!side));
        if own.is_empty() && enemy.is_empty() {
            return Order::Free(Rule::Completed);
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

    /// The castling of the first two own pieces touched, if they are a king and a rook: who was
    /// touched first, and the rook.
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

    /// 4.3 and 4.4.
    fn first_that_can(&self, own: &[G::Square], enemy: &[G::Square]) -> Order<G> {
        if let (Some((first, king, rook)), []) = (self.castling_touched(own), enemy) {
            let of_king = self.moves_from(king);
            let is_this = |m: &G::Move| G::castling_rook(*m) == Some(rook);
            if first == CastlingPiece::King {
                return match of_king.iter().copied().find(is_this) {
                    Some(castling) => Order::Must(Rule::CastlingTouch, vec![castling]),
                    None => {
                        Order::must_or_free(Rule::CastlingBarred, of_king, Rule::CastlingBarred)
                    }
                };
            }
            let mut moves = self.moves_from(rook);
            if moves.is_empty() {
                moves = of_king.into_iter().filter(|m| !is_this(m)).collect();
            }
            return Order::must_or_free(Rule::RookFirst, moves, Rule::TouchNone);
        }
        let rule = match (own, enemy) {
            ([_], []) => Rule::TouchOwn,
            ([], [_]) => Rule::TouchEnemy,
            ([_], [_]) => Rule::TouchBoth,
            _ => Rule::TouchSeveral,
        };
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

    /// Par. 14; Art. 15.
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
                    return Order::Must(Rule::TouchBoth, together);
                }
            }
            _ => {}
        }
        if let (Some((CastlingPiece::King, king, rook)), []) = (self.castling_touched(own), enemy) {
            let of_king = self.moves_from(king).into_iter();
            let castling = of_king.filter(|&m| G::castling_rook(m) == Some(rook));
            let castling: Vec<_> = castling.collect();
            if own.len() == 2 && !castling.is_empty() {
                return Order::Must(Rule::CastlingTouch, castling);
            }
        }
        let rule =
            if own.len() == 1 && enemy.len() == 1 { Rule::TouchBoth } else { Rule::TouchSeveral };
        let options = own.iter().map(|&square| Choice::Piece(square));
        let options = options.chain(enemy.iter().map(|&square| Choice::Capture(square)));
        self.choice(rule, options.collect(), Rule::TouchNone)
    }

    /// The opponent chooses among those of these that are possible; with only one left, that is the order.
    pub(super) fn choice(&self, rule: Rule, mut options: Vec<Choice<G>>, none: Rule) -> Order<G> {
        options.retain(|choice| !self.chosen(choice).is_empty());
        match &options[..] {
            [] => Order::Free(none),
            [one] => Order::Must(rule, self.chosen(one)),
            _ => Order::Choose(rule, options),
        }
    }

    /// Rules what the order is, and waits for the opponent's choice where he has one.
    pub(super) fn give_order(&mut self, order: Order<G>, rulings: &mut Rulings) {
        let side = self.to_move();
        match order {
            Order::Free(rule) => rulings.push(self.ruling(rule, Decision::Free(side))),
            Order::Must(rule, moves) => {
                rulings.push(self.ruling(rule, Decision::Must(side, Self::texts(&moves))));
            }
            Order::Choose(rule, options) => {
                let among = options.iter().map(ToString::to_string).collect();
                rulings.push(self.ruling(rule, Decision::Chooses(!side, among)));
                if self.has_clock() && self.edition.has(Rule::ThinkingPenalty) {
                    let decision = match self.edition.terms().while_choosing {
                        WhileChoosing::ChooserRuns => Decision::Runs(!side),
                        WhileChoosing::BothStand => Decision::Stopped,
                    };
                    rulings.push(self.ruling(Rule::ThinkingPenalty, decision));
                }
                self.waits = Some(Waits::Choice { by: !side, rule, options });
            }
        }
    }

    /// A piece is touched.
    pub(super) fn touch(&mut self, side: Side, square: G::Square) -> Answer {
        if self.out_of_turn(side) {
            return self.only(Rule::OutOfTurn, Decision::Barred(side));
        }
        if let Some(Waits::Choice {
            by,
            rule: Rule::TouchBoth | Rule::TouchSeveral | Rule::IllegalCapture,
            ..
        }) = self.waits
        {
            return self.touch_while_choosing(side, by, square);
        }
        let mut rulings = self.before_hand(side)?;
        let board = self.board_of(side)?;
        if board.owner(square).is_none() {
            return Err(Why::Square(square.to_string()));
        }
        if matches!(self.waits, Some(Waits::Correction { .. })) {
            // Only a move accepts what was irregular (FMJD 5.7).
            self.decline(side, &mut rulings);
            let moves: Vec<_> =
                board.moves().into_iter().filter(|&m| G::mover(m) == square).collect();
            rulings.push(match Order::<G>::must_or_free(Rule::TouchOwn, moves, Rule::TouchNone) {
                Order::Must(rule, moves) => {
                    self.ruling(rule, Decision::Must(side, Self::texts(&moves)))
                }
                Order::Free(rule) | Order::Choose(rule, _) => {
                    self.ruling(rule, Decision::Free(side))
                }
            });
            return Ok(rulings);
        }
        self.settle(side, &mut rulings);
        if !self.hand.touched.contains(&square) {
            self.hand.touched.push(square);
        }
        let order = self.order();
        self.give_order(order, &mut rulings);
        Ok(rulings)
    }

    /// A piece is touched while a penalty is chosen: a further one by the player who is to suffer it, or
    /// an own one by the player who chooses, who thereby waives it (Par. 17; Art. 18.1).
    fn touch_while_choosing(&mut self, side: Side, by: Side, square: G::Square) -> Answer {
        let owner = self.position().owner(square);
        let touchers = by != side && self.hand.foul.is_none() && !self.hand.touched.is_empty();
        if by == side && owner == Some(side) {
            self.waits = None;
            self.hand = Hand::default();
            let mut rulings =
                smallvec![self.ruling(Rule::Penalty, Decision::Forfeits(side, Right::Penalty))];
            self.give_order(Order::Free(Rule::Penalty), &mut rulings);
            return Ok(rulings);
        }
        if !touchers {
            return Err(Why::Choosing(by));
        }
        if owner.is_none() {
            return Err(Why::Square(square.to_string()));
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

    /// Whether a player who is not to move may not even touch or adjust (FMJD 3.14).
    fn out_of_turn(&self, side: Side) -> bool {
        self.edition.has(Rule::OutOfTurn) && self.in_play().is_ok() && side != self.on_turn()
    }

    /// A piece is adjusted after notice (Par. 13; Art. 14; 4.2; FMJD 3.13).
    pub(super) fn adjust(&mut self, side: Side, square: G::Square) -> Answer {
        self.in_play()?;
        if self.out_of_turn(side) {
            return self.only(Rule::OutOfTurn, Decision::Barred(side));
        }
        self.turn(side)?;
        self.knows(Rule::Adjust)?;
        let owner = self.position().owner(square);
        if owner.is_none() {
            return Err(Why::Square(square.to_string()));
        }
        if owner == Some(side) || self.edition.terms().adjusts_enemy {
            return self.only(Rule::Adjust, Decision::Stands);
        }
        // Art. 14.2 forbids it and names no other consequence than that of touching.
        let mut rulings = smallvec![self.ruling(Rule::Adjust, Decision::Barred(side))];
        rulings.extend(self.touch(side, square)?);
        Ok(rulings)
    }

    /// The opponent chooses.
    pub(super) fn choose(&mut self, side: Side, choice: &Choice<G>) -> Answer {
        match self.waits.clone() {
            Some(Waits::Correction { by, board }) if by == side => {
                self.correct(side, choice, *board)
            }
            Some(Waits::Choice { by, rule, options }) if by == side => {
                let named = options.contains(choice);
                if matches!(choice, Choice::Correct | Choice::Accept)
                    || matches!(choice, Choice::Move(_)) && !named
                {
                    return Err(Why::Nothing);
                }
                self.waits = None;
                let mut rulings = Rulings::new();
                if !named {
                    // He asks for what is not possible, and loses the penalty (Par. 17; Art. 18.3).
                    self.hand = Hand::default();
                    rulings
                        .push(self.ruling(Rule::Penalty, Decision::Forfeits(side, Right::Penalty)));
                    self.give_order(Order::Free(Rule::Penalty), &mut rulings);
                } else if let Choice::Move(m) = choice {
                    return self.open_as(*m);
                } else {
                    let moves = self.chosen(choice);
                    self.hand = Hand { held: Some((rule, moves.clone())), ..Hand::default() };
                    self.give_order(Order::Must(rule, moves), &mut rulings);
                }
                Ok(rulings)
            }
            Some(Waits::Choice { by, .. } | Waits::Correction { by, .. }) => Err(Why::Choosing(by)),
            _ => Err(Why::Nothing),
        }
    }
}
