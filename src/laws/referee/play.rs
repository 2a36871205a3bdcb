//! Moves: made whole or part by part, and what they bring about at once.

use super::touch::Order;
use super::*;
use crate::laws::edition::Irregular;
use crate::laws::event::Shown;
use crate::laws::ruled::{CastlingPiece, IllegalMove};
use std::time::Duration;

impl<G: Ruled> Referee<G> {
    /// What is checked before a hand goes to the board. A reply to an illegal move accepts it, and so
    /// comes from the opponent. Changes nothing.
    pub(super) fn before_hand(&self, side: Side) -> Result<Rulings, Why> {
        self.clocks_run()?;
        match &self.waits {
            Some(Waits::Correction(correction)) if correction.by == side => {}
            _ => self.in_play()?,
        }
        self.board_of(side)?;
        Ok(Rulings::new())
    }

    /// The board on which `side` moves now.
    pub(in crate::laws) fn board_of(&self, side: Side) -> Result<G, Why> {
        if self.retracts(side) {
            return Ok(self.position().clone());
        }
        // Nor is an illegal answer completed before the press, so that he can still make another move.
        let answer = self.hand.foul.as_ref().is_some_and(|foul| foul.answer.is_some());
        if !(answer && self.unpressed == Some(side)) {
            self.turn(side)?;
        }
        let illegal = self.hand.foul.is_some() || matches!(self.waits, Some(Waits::Correction(_)));
        if !illegal {
            return Ok(self.position().clone());
        }
        self.board().filter(|board| board.side() == side).ok_or(Why::Unjudgeable)
    }

    /// Whether a player corrects his own illegal move, which he has not completed by a press (4.6).
    pub(super) fn retracts(&self, side: Side) -> bool {
        side == self.to_move()
            && self.edition.terms().irregular == Irregular::TimeThenLoss
            && self.hand.foul.as_ref().is_some_and(|foul| !foul.completed)
    }

    /// A hand goes to the board: what was irregular is accepted, a draw that was offered refused.
    pub(super) fn settle(&mut self, side: Side, rulings: &mut Rulings) {
        if let Some(Waits::Correction(correction)) =
            self.waits.take_if(|waits| matches!(waits, Waits::Correction(_)))
        {
            self.carry_uncrowned(correction.moved);
            // A wrong set-up that stands is the position already.
            if correction.board != *self.position() {
                self.push(correction.board, Origin::Irregular);
            }
            rulings
                .push(self.ruling(Rule::Acceptance, Decision::Forfeits(side, Right::Correction)));
        } else if self.retracts(side) {
            self.hand.foul = None;
        } else if let Some(foul) = self.hand.foul.clone()
            && let Some(board) = self.board()
        {
            self.complete_clock();
            self.push(board, Origin::Illegal(foul.wrong));
            if self.edition.terms().touch_forfeits {
                let ground = Rule::Penalty.when(Case::Touched);
                rulings.push(self.ruling(ground, Decision::Forfeits(side, Right::Penalty)));
            }
        }
        self.hand_down(side, rulings);
    }

    /// A piece is touched: with that the opponent's offer is refused, and no breach of the laws of touch
    /// can be claimed any more (4.7).
    pub(super) fn hand_down(&mut self, side: Side, rulings: &mut Rulings) {
        self.disregarded = None;
        self.decline(side, rulings);
    }

    /// An offer of the opponent's is refused.
    pub(super) fn decline(&mut self, side: Side, rulings: &mut Rulings) {
        if self.offer == Some(!side) {
            self.offer = None;
            rulings.push(self.ruling(Rule::Offer, Decision::Declined(side)));
        }
    }

    /// The mover who has not pressed his clock has now lost the time for it.
    pub(super) fn complete_clock(&mut self) {
        if let Some(side) = self.unpressed.take() {
            // No time is known to have passed, so no flag can fall.
            let _ = self.clocks[side.index()].charge(Default::default(), Default::default());
        }
    }

    /// Adds a position to the game, and forgets what was touched.
    pub(super) fn push(&mut self, position: G, played: Origin<G>) {
        self.hand = Hand::default();
        if !self.uncrowned.is_empty() {
            self.uncrowned.retain(|(side, square)| position.owner(*square) == Some(*side));
        }
        let clocks = [self.clocks[0].reading(), self.clocks[1].reading()];
        let (demands, odds) = (self.demands, self.odds.clone());
        self.plies.push_back_mut(Ply { position, played, clocks, demands, odds });
    }

    /// A move is made, piece released.
    pub(super) fn make(&mut self, side: Side, m: G::Move) -> Answer {
        if self.stage == (Stage::Sealing { by: side, sheet: None }) {
            return self.seal_on_board(side, m);
        }
        let mut rulings = self.before_hand(side)?;
        let board = self.board_of(side)?;
        if !board.is_playable(m) {
            return Err(Why::NotLegal(G::move_text(m)));
        }
        let orders = !self.hand.touched.is_empty()
            || self.hand.held.is_some()
            || !self.hand.parts.is_empty();
        let illegal = self.hand.foul.is_some() && !self.retracts(side);
        let enforced = orders && !illegal && self.waits.is_none();
        if enforced && self.enforces_touch() {
            if !self.part_of(m) {
                let allowed = self.allowed();
                return self.breach(side, m, self.released(&allowed), allowed);
            }
            if let Order::Must(rule, moves) = self.order()
                && !moves.contains(&m)
            {
                return self.breach(side, m, rule, moves);
            }
        }
        if let Some(answer) = self.odds_breach(side, m) {
            return answer;
        }
        let fault = self.reply_fault(side, m);
        let unasked = self.unasked(m).filter(|_| enforced);
        let touched = self.touched_for_reply();
        self.settle(side, &mut rulings);
        if let Some(ground) = fault {
            self.hand.touched.extend(touched);
            let board = self.position().after(m);
            rulings.extend(self.irregularity(side, ground, board, Some(m))?);
            return Ok(rulings);
        }
        self.play(m, &mut rulings);
        self.disregarded = unasked.map(|touched| (self.plies(), touched));
        Ok(rulings)
    }

    /// Whether the laws of touched pieces are enforced by themselves. Without supervision that is on
    /// request only (15.4 b), but what was ruled holds.
    fn enforces_touch(&self) -> bool {
        !self.edition.terms().unsupervised.touch_on_request
            || self.unsupervised().is_none()
            || self.hand.held.is_some()
            || !self.hand.parts.is_empty()
    }

    /// The touched pieces that a move disregards without supervision, until the opponent asks (15.4 b).
    fn unasked(&self, m: G::Move) -> Option<SmallVec<[G::Square; 4]>> {
        if self.hand.touched.is_empty() || self.enforces_touch() {
            return None;
        }
        match self.order() {
            Order::Must(_, moves) if !moves.contains(&m) => Some(self.hand.touched.clone()),
            _ => None,
        }
    }

    /// The rule that forbids to put a released piece elsewhere, where these moves are still allowed.
    pub(super) fn released(&self, allowed: &[G::Move]) -> Ground {
        let has = self.edition.has(Rule::Released);
        let rule = if has { Rule::Released } else { Rule::Completed };
        let Some(&m) = allowed.first() else { return rule.into() };
        let parts = self.position().parts(m);
        if G::castling_rook(m).is_some() {
            rule.when(Case::Castling)
        } else if parts.iter().any(|part| matches!(part, Part::Promote(_))) {
            rule.when(Case::Promotion)
        } else {
            rule.when(Case::Capture)
        }
    }

    /// A legal move that is not one the player must make.
    fn breach(&mut self, side: Side, m: G::Move, rule: Ground, moves: Vec<G::Move>) -> Answer {
        if self.edition.terms().irregular == Irregular::OpponentDecides {
            let board = self.position().after(m);
            let touched = matches!(rule.rule, Rule::TouchOwn | Rule::TouchSeveral);
            let case = touched.then_some(Case::OtherPiece);
            return self.irregularity(side, Ground { rule: Rule::Illegal, case }, board, Some(m));
        }
        Ok(smallvec![
            self.ruling(rule, Decision::TakeBack(side)),
            self.ruling(rule, Decision::Must(side, Self::texts(&moves))),
        ])
    }

    /// Whether what the hand has done is part of a move.
    fn part_of(&self, m: G::Move) -> bool {
        let parts = self.position().parts(m);
        self.hand.parts.iter().all(|part| parts.contains(part))
    }

    /// The moves that touched pieces and what was released still allow.
    pub(super) fn allowed(&self) -> Vec<G::Move> {
        let moves = match self.order() {
            Order::Must(_, moves) if self.enforces_touch() => moves,
            _ => self.position().moves(),
        };
        moves.into_iter().filter(|&m| self.part_of(m)).collect()
    }

    /// A part of a move is done: a piece released on a square, a piece removed, a promotion.
    pub(super) fn part(&mut self, side: Side, part: Part<G::Square>) -> Answer {
        let mut rulings = self.before_hand(side)?;
        let part = self.removed_pawn(side, part).unwrap_or(part);
        if let Some(rook) = self.castled_by(side, part) {
            return self.castle_without(side, rook);
        }
        if self.hand.foul.is_some() && !self.retracts(side)
            || matches!(self.waits, Some(Waits::Correction(_)))
        {
            // A reply part by part: the irregular move is accepted with the first touch.
            return Err(Why::Choosing(side));
        }
        let position = self.position();
        let mut allowed = self.allowed();
        // The piece that is released was touched, so what is not its move is out already.
        allowed.retain(|&m| position.parts(m).contains(&part) && !self.hand.parts.contains(&part));
        let Some(&first) = allowed.first() else { return self.wrong_part(side, part) };
        if let Part::Remove(square) = part
            && let Some(case) = self.removal_fault(&allowed, square)
        {
            let board = position.after(first);
            return self.irregularity(side, Rule::Illegal.when(case), board, Some(first));
        }
        let done = self.hand.parts.len() + 1;
        let complete = allowed.iter().copied().find(|&m| position.parts(m).len() == done);
        if let Some(answer) = complete.and_then(|m| self.odds_breach(side, m)) {
            return answer;
        }
        let fault = complete.and_then(|m| Some((m, self.reply_fault(side, m)?)));
        if let Some((m, ground)) = fault {
            let board = position.after(m);
            return self.irregularity(side, ground, board, Some(m));
        }
        let unasked = complete.and_then(|m| self.unasked(m));
        self.hand.foul = None;
        self.hand_down(side, &mut rulings);
        if let Some(m) = complete {
            self.play(m, &mut rulings);
            self.disregarded = unasked.map(|touched| (self.plies(), touched));
            return Ok(rulings);
        }
        let touched = match part {
            Part::Place(from, _) => Some(from),
            Part::Remove(square) => Some(square),
            Part::Promote(_) => None,
        };
        if self.hand.held.is_none() {
            // Now the parts say what is allowed, and the pieces of castling are no touched pieces.
            self.hand.held = Some((self.released(&allowed), allowed.clone()));
        }
        let mover = G::mover(first);
        for square in touched.into_iter().chain([mover]) {
            if !self.hand.touched.contains(&square) {
                self.hand.touched.push(square);
            }
        }
        self.hand.parts.push(part);
        let allowed = self.allowed();
        let decision = Decision::Must(side, Self::texts(&allowed));
        rulings.push(self.ruling(self.released(&allowed), decision));
        Ok(rulings)
    }

    /// A pawn that leaves the board to be promoted: it need not step on the last rank (4.6.1, 4.6.2).
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
        // Where it can go to several squares, what is taken says which, and goes first.
        let first = places.first().copied()?;
        places.iter().all(|&place| place == first).then_some(first)
    }

    /// A part that belongs to no move allowed: a piece other than the one touched has moved, or, at
    /// draughts, a piece was released where it cannot go.
    fn wrong_part(&mut self, side: Side, part: Part<G::Square>) -> Answer {
        if let (Part::Remove(square), Ok(())) = (part, self.opponent_decides()) {
            return self.wrong_removal(side, square);
        }
        if !self.hand.parts.is_empty() {
            return Err(Why::Part);
        }
        let position = self.position();
        let mut legal = position.moves().into_iter();
        if let Some(m) = legal.find(|&m| position.parts(m).contains(&part)) {
            return match self.order() {
                Order::Must(rule, moves) => self.breach(side, m, rule, moves),
                _ => Err(Why::Part),
            };
        }
        match part {
            Part::Place(from, to)
                if self.opponent_decides().is_ok()
                    && position.owner(from).is_some()
                    && position.owner(to).is_none() =>
            {
                let made = IllegalMove { from, to, takes: None, becomes: None };
                let board = position.after_illegal(&made).ok_or(Why::Part)?;
                let case = position.fault(from, to).unwrap_or(Case::Enemy);
                self.irregularity(side, Rule::Illegal.when(case), board, None)
            }
            Part::Place(from, to)
                if self.edition.terms().irregular != Irregular::OpponentDecides
                    && position.owner(from) == Some(side)
                    && from != to =>
            {
                Err(Why::IllegalPart(side, format!("{from} {to}")))
            }
            _ => Err(Why::Part),
        }
    }

    /// A legal move is on the board.
    pub(super) fn play(&mut self, m: G::Move, rulings: &mut Rulings) {
        let side = self.to_move();
        let position = self.position().after(m);
        if let Some(odds) = &mut self.odds
            && odds.giver == side
            && self
                .plies
                .last()
                .is_some_and(|ply| ply.position.castles(G::mover(m)) == Some(CastlingPiece::King))
        {
            odds.rook = None;
        }
        match self.odds_turn(side, &position) {
            Some(again) => self.played(again, Origin::Irregular, rulings),
            None => self.played(position, Origin::Move, rulings),
        }
    }

    /// A position was reached by a move: what it brings about.
    pub(super) fn played(&mut self, position: G, played: Origin<G>, rulings: &mut Rulings) {
        let side = self.to_move();
        self.late_press = self.unpressed.filter(|&unpressed| unpressed != side);
        self.complete_clock();
        if self.has_clock() {
            self.unpressed = Some(side);
        }
        let quiet = position.quiet_plies() > 0;
        for by in Side::ALL {
            if let Some(moves) = &mut self.demands[by.index()] {
                *moves = if quiet { *moves + u32::from(by != side) } else { 0 };
            }
        }
        self.push(position, played);
        rulings.push(self.ruling(Rule::Completed, Decision::Stands));
        if let Some((rule, outcome)) = self.end() {
            let ruling = self.finish(rule, outcome);
            rulings.push(ruling);
        }
    }

    /// How the position on the board ends the game, if it does without a claim.
    pub(super) fn end(&self) -> Option<(Rule, GameOutcome)> {
        let position = self.position();
        if let Some((rule, winner)) = position.end() {
            return Some((rule, GameOutcome::won(winner)));
        }
        let draw = if self.edition.terms().draws_by_itself {
            if self.appearances() >= 3 { Some(Rule::Repetition) } else { position.counted_draw() }
        } else if self.edition.has(Rule::DeadPosition) && position.is_dead() {
            Some(Rule::DeadPosition)
        } else {
            match self.plies_left()? {
                0 => Some(Rule::SeventyFive),
                _ if position.quiet_plies() >= 16 && self.appearances() >= 5 => {
                    Some(Rule::Fivefold)
                }
                left if Side::ALL.into_iter().any(|side| position.can_win_within(side, left)) => {
                    None
                }
                _ => Some(Rule::DeadPosition),
            }
        };
        draw.map(|rule| (rule, GameOutcome::Draw))
    }

    /// Plies before the game is drawn by seventy-five moves, where the edition has these.
    fn plies_left(&self) -> Option<u32> {
        let plies = self.edition.terms().drawn_unclaimed.saturating_mul(2);
        let known = self.edition.has(Rule::SeventyFive);
        known.then(|| plies.saturating_sub(self.position().quiet_plies()))
    }

    /// Whether a side can still win.
    pub(super) fn can_win(&self, side: Side) -> bool {
        let position = self.position();
        self.plies_left().is_none_or(|left| position.can_win_within(side, left))
            && position.can_win(side)
    }

    /// How often the present position has stood, this time included.
    pub(super) fn appearances(&self) -> usize {
        self.appearances_of(self.position())
    }

    /// How often a position has stood.
    pub(super) fn appearances_of(&self, position: &G) -> usize {
        let sameness = self.edition.terms().sameness;
        self.comparable(position).filter(|ply| ply.position.same(position, sameness)).count()
    }

    /// The positions that can be the same as this one, the last or the next one of the game: those
    /// since the last capture or move of a pawn or man.
    fn comparable(&self, position: &G) -> impl Iterator<Item = &Ply<G>> {
        self.plies.iter().rev().take(position.quiet_plies() as usize + 1)
    }

    /// A player presses the clock (6.7; Par. 20; Art. 20).
    pub(super) fn press(&mut self, side: Side, shown: Option<Shown>) -> Answer {
        if self.presses_late(side) {
            let taken = self.taken(side, shown)?;
            self.late_press = None;
            if matches!(self.stage, Stage::Adjourned { .. }) {
                self.unpressed = None;
            }
            return match self.clocks[side.index()].spend(taken) {
                Ok(()) => Ok(Rulings::new()),
                Err(_) => self.overstepped(side),
            };
        }
        if matches!(self.stage, Stage::Sealing { .. }) {
            return self.close(side, shown);
        }
        self.in_play()?;
        if !self.has_clock() {
            return Err(Why::NoClock);
        }
        self.clocks_run()?;
        if side == self.to_move() && self.placed() && self.opponent_decides().is_ok() {
            let taken = self.taken(side, shown)?;
            let rulings = self.leave_standing(side, Case::RemovedTooFew)?;
            // Who presses has used the time.
            return self.clocks[side.index()]
                .spend(taken)
                .map_or_else(|_| self.overstepped(side), |()| Ok(rulings));
        }
        let unmoved = self.presses_unmoved(side);
        let unfinished = unmoved.or_else(|| self.unfinished(side));
        let foul = self.hand.foul.as_ref();
        let answered = foul.is_some_and(|foul| foul.answer.is_some());
        let wrong = foul.is_some_and(|foul| !foul.completed) || unfinished.is_some();
        let owes = self.unpressed == Some(side) && (foul.is_none() || answered);
        if !(owes || wrong && side == self.to_move()) {
            return Err(Why::NotMoved(side));
        }
        let taken = self.taken(side, shown)?;
        if let Some(foul) = unfinished {
            self.complete_clock();
            self.hand.parts.clear();
            self.hand.foul = Some(foul);
        }
        let clock = &mut self.clocks[side.index()];
        let charged = if wrong {
            clock.spend(taken).map(|()| Default::default())
        } else {
            clock.charge(taken, Default::default())
        };
        let Ok(gained) = charged else { return self.overstepped(side) };
        self.clocks[(!side).index()].gain(gained);
        if wrong {
            // The time is spent; that the move counts is seen when it is accepted.
            self.unpressed = Some(side);
            if let Some(foul) = &mut self.hand.foul {
                foul.completed = true;
            }
        } else {
            self.unpressed = None;
            self.count_odds(side);
            let clocks = [self.clocks[0].reading(), self.clocks[1].reading()];
            if !answered {
                self.last_mut().clocks = clocks;
            }
        }
        Ok(Rulings::new())
    }

    /// Whether a press only stops a clock that should stand already: a player can always press
    /// (6.7 a), also when the opponent has answered, and the time of sealing is the sealer's.
    fn presses_late(&self, side: Side) -> bool {
        let replied =
            |(absent, reply): &(Side, Option<Sheet<G>>)| *absent != side && reply.is_some();
        match &self.stage {
            Stage::Over(_) | Stage::Absent { .. } => false,
            Stage::Adjourned { .. } => self.unpressed == Some(side),
            Stage::Play if self.away.as_ref().is_some_and(replied) => self.has_clock(),
            Stage::Play | Stage::Sealing { .. } => self.late_press == Some(side),
        }
    }

    /// A move that was begun by its parts and is not finished: castling without the rook, a pawn that
    /// is not promoted. Pressed, it is an illegal move (7.4 a).
    fn unfinished(&self, side: Side) -> Option<Foul<G>> {
        let &[Part::Place(from, to)] = &self.hand.parts[..] else { return None };
        let position = self.position();
        let lacks = |m: G::Move| {
            let left = |part: &Part<G::Square>| {
                !self.hand.parts.contains(part) && !matches!(part, Part::Remove(_))
            };
            position.parts(m).iter().any(left)
        };
        let illegal = self.edition.terms().irregular == Irregular::TimeThenLoss
            && side == self.to_move()
            && self.allowed().into_iter().any(lacks);
        let wrong = Wrong::Placed(IllegalMove { from, to, takes: None, becomes: None });
        illegal.then_some(Foul { wrong, completed: false, answer: None })
    }

    /// A press by the player to move who has moved nothing, where that is an illegal move (7.5.3).
    fn presses_unmoved(&self, side: Side) -> Option<Foul<G>> {
        let wrong = Wrong::NotMoved;
        let unmoved = self.unpressed.is_none()
            && side == self.on_turn()
            && self.hand.parts.is_empty()
            && self.hand.foul.is_none()
            && self.edition.has(Rule::NotMoved);
        unmoved.then_some(Foul { wrong, completed: false, answer: None })
    }

    /// A clock was pressed too late.
    fn overstepped(&mut self, side: Side) -> Answer {
        self.clocks[side.index()].set(Default::default());
        if self.unsupervised().is_some() {
            // Nobody has seen it: the flag is down, and the opponent may claim it.
            self.unpressed = None;
            return Ok(Rulings::new());
        }
        self.fallen(side)
    }

    /// The time that a player's clock has run by what it shows.
    pub(super) fn taken(&self, side: Side, shown: Option<Shown>) -> Result<Duration, Why> {
        match shown {
            None => Ok(Duration::ZERO),
            Some(Shown::Taken(time)) => Ok(time),
            Some(Shown::Left(left)) => {
                let had = self.clock(side).remaining().unwrap_or(Duration::MAX);
                had.checked_sub(left).ok_or(Why::Clock(had.as_secs()))
            }
        }
    }
}
