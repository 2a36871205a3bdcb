//! Set-ups and odds (Par. 22; Art. 22; FMJD 11.1.7).

use super::*;
use crate::laws::ruled::CastlingPiece;

impl<G: Ruled> Referee<G> {
    fn not_started(&self) -> Result<(), Refused> {
        self.in_play()?;
        let fresh = self.plies() == 0 && self.hand == Hand::default();
        if fresh { Ok(()) } else { Err(Refused::Started) }
    }

    pub(super) fn set_up(&mut self, start: &G, moves: &[G::Move]) -> Answer {
        self.not_started()?;
        let mut boards = Vec::with_capacity(moves.len());
        let mut board = start.clone();
        for &m in moves {
            if board.end().is_some() {
                return Err(Refused::Over);
            }
            if !board.is_playable(m) {
                return Err(Refused::NotLegal(G::move_text(m)));
            }
            board = board.after(m);
            boards.push(board.clone());
        }
        self.odds = None;
        self.plies[0].position = start.clone();
        self.plies[0].odds = None;
        for board in boards {
            self.push(board, Origin::Move);
        }
        let ended = self.end().map(|(rule, outcome)| self.finish(rule, outcome));
        Ok(ended.into_iter().collect())
    }

    pub(super) fn give_odds(&mut self, pieces: &[G::Square], moves: u8, by: Side) -> Answer {
        self.not_started()?;
        let rule = match pieces {
            [] => Rule::OddsMoves,
            [pawn] if Some(*pawn) == G::odds_square('p', by) => Rule::OddsPawn,
            _ => Rule::OddsPiece,
        };
        self.require(rule)?;
        if moves > 0 {
            self.require(Rule::OddsMoves)?;
        }
        if pieces.is_empty() && moves == 0 {
            return Err(Refused::Nothing);
        }
        for square in pieces {
            if self.position().owner(*square) != Some(by) {
                return Err(Refused::Square(square.to_string()));
            }
        }
        // If White need not begin, the giver moves first, or the receiver if moves are given as
        // odds.
        let to_move = match (self.edition.terms().white_begins, moves > 0) {
            (true, _) => Side::White,
            (false, true) => !by,
            (false, false) => by,
        };
        let Some(position) = self.position().without(pieces, to_move) else {
            return Err(Refused::Unjudgeable);
        };
        if position.end().is_some() {
            return Err(Refused::OddsDecide);
        }
        let rook = pieces.iter().copied().find(|&square| {
            self.edition.has(Rule::OddsRook)
                && self.position().castles(square) == Some(CastlingPiece::Rook)
        });
        self.odds = Some(Odds { giver: by, moves_left: moves, moves, rook });
        self.plies[0].position = position;
        self.plies[0].odds = self.odds.clone();
        self.only(rule, Decision::Stands)
    }

    /// Returns the rulings on a move given as odds that crosses the middle of the board and must be
    /// taken back (Par. 22; Art. 22.4). Returns `None` if the move is allowed.
    pub(super) fn odds_breach(&self, side: Side, m: G::Move) -> Option<Answer> {
        let odds = self.odds.as_ref()?;
        // A single move given as odds is simply the first move of the game.
        if odds.moves < 2 || odds.moves_left == 0 || side == odds.giver {
            return None;
        }
        let stays = |m: G::Move| {
            self.position().parts(m).iter().all(|part| match part {
                Part::Place(_, to) => G::own_half(*to, side),
                _ => true,
            })
        };
        if stays(m) {
            return None;
        }
        let allowed: Vec<_> = self.position().moves().into_iter().filter(|&m| stays(m)).collect();
        let rule = Rule::OddsMoves.when(Case::Half);
        Some(Ok(smallvec![
            self.ruling(rule, Decision::TakeBack(side)),
            self.ruling(rule, Decision::Must(side, Self::texts(&allowed))),
        ]))
    }

    /// Counts a move given as odds. If the receiver has more of these moves to make, returns the
    /// position with the receiver to move again.
    pub(super) fn odds_turn(&mut self, side: Side, position: &G) -> Option<G> {
        let odds = self.odds.as_mut()?;
        if side == odds.giver || odds.moves_left == 0 {
            return None;
        }
        odds.moves_left -= 1;
        // A move that gives check cannot be followed by a second move.
        (odds.moves_left > 0).then(|| position.without(&[], side)).flatten()
    }

    /// Counts the giver's first move as several moves of the time control, one for each move given
    /// as odds (Par. 22; Art. 22.3). Both players have then made the same number of moves.
    pub(super) fn count_odds(&mut self, side: Side) {
        let Some(odds) = &self.odds else { return };
        let first = side == odds.giver && self.plies() == usize::from(odds.moves) + 1;
        if first && odds.moves > 1 {
            let more = u32::from(odds.moves) - 1;
            self.clocks[side.index()].count(more);
        }
    }

    /// Returns the rook's square if the released king has castled towards a rook given as odds
    /// (Par. 22; Art. 22.8).
    pub(super) fn castled_by(&self, side: Side, part: Part<G::Square>) -> Option<G::Square> {
        let odds = self.odds.as_ref().filter(|odds| odds.giver == side)?;
        let (rook, Part::Place(from, to)) = (odds.rook?, part) else { return None };
        let king = |position: &G, square| position.castles(square) == Some(CastlingPiece::King);
        let castled = self.position().castled_without(rook)?;
        (self.turn(side).is_ok()
            && self.position().owner(from) == Some(side)
            && king(self.position(), from)
            && castled.owner(to) == Some(side)
            && king(&castled, to))
        .then_some(rook)
    }

    /// Castles as if the rook given as odds were on its square (Par. 22; Art. 22.8).
    pub(super) fn castle_without(&mut self, side: Side, rook: G::Square) -> Answer {
        self.may_touch(side)?;
        let mut rulings = Rulings::new();
        self.require(Rule::OddsRook)?;
        // The player may have touched the king in order to castle (Par. 14 a; Art. 15 a).
        let king =
            |square: &G::Square| self.position().castles(*square) == Some(CastlingPiece::King);
        let others = Hand { touched: SmallVec::new(), ..self.hand.clone() };
        if others != Hand::default() || !self.hand.touched.iter().all(king) {
            return Err(Refused::Part);
        }
        let given = self.odds.as_ref().is_some_and(|o| o.giver == side && o.rook == Some(rook));
        if !given || self.given_castling().is_none() {
            return Err(Refused::NoCastling(rook.to_string()));
        }
        self.settle(side, &mut rulings);
        self.castle_given(&mut rulings);
        Ok(rulings)
    }

    /// Returns the castling move towards a rook given as odds, if it is possible now.
    pub(in crate::laws) fn given_castling(&self) -> Option<G::Move> {
        let odds = self.odds.as_ref().filter(|odds| odds.giver == self.to_move())?;
        self.position().castling_towards(odds.rook?)
    }

    /// Makes the castling move towards a rook given as odds.
    pub(super) fn castle_given(&mut self, rulings: &mut Rulings) {
        let rook = self.odds.as_mut().and_then(|odds| odds.rook.take());
        let Some(position) = rook.and_then(|rook| self.position().castled_without(rook)) else {
            return;
        };
        rulings.push(self.ruling(Rule::OddsRook, Decision::Stands));
        self.add_ply(position, Origin::Irregular, rulings);
    }
}
