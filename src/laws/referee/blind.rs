//! Players who do not see: their board, and what they say (19.2; D.2 of 2023).

use super::*;

impl<G: Ruled> Referee<G> {
    /// A player plays on a board of the blind.
    fn blind(&self, side: Side, rule: Rule) -> Result<(), Why> {
        self.knows(rule)?;
        if self.rules.blind(side) { Ok(()) } else { Err(Why::Sighted(side)) }
    }

    /// A piece is felt, and stays in its hole: it is not touched (19.2 ii).
    pub(super) fn feel(&self, side: Side, square: G::Square) -> Answer {
        self.in_play()?;
        self.blind(side, Rule::BlindTouch)?;
        if self.position().owner(square).is_none() {
            return Err(Why::Square(square.to_string()));
        }
        self.only(Rule::BlindTouch, Decision::Stands)
    }

    /// A player announces a move. It is made once it is on the board too (19.2 iii).
    pub(super) fn say(&mut self, side: Side, m: G::Move) -> Answer {
        self.blind(side, Rule::BlindMove)?;
        let mut rulings = self.before_hand(side)?;
        if !self.position().is_playable(m) {
            return Err(Why::NotLegal(G::move_text(m)));
        }
        match self.on_board() {
            None => self.hand.said = Some(m),
            Some(made) if made == m => return self.make(side, m),
            Some(made) => rulings.push(self.announces(side, made, true)),
        }
        Ok(rulings)
    }

    /// The move of which every part is on the board, and which is not made yet.
    fn on_board(&self) -> Option<G::Move> {
        let done = self.hand.parts.len();
        let whole = |m: &G::Move| self.position().parts(*m).len() == done;
        if done == 0 { None } else { self.allowed().into_iter().find(whole) }
    }

    /// Whether a move that is on the board has still to be announced.
    pub(super) fn awaits_announcement(&self, side: Side, m: G::Move) -> bool {
        self.blind(side, Rule::BlindMove).is_ok() && self.hand.said != Some(m)
    }

    /// Whether a player has still to announce the move that he has on the board.
    pub(super) fn unannounced(&self, side: Side) -> bool {
        side == self.to_move()
            && self.blind(side, Rule::BlindMove).is_ok()
            && self.on_board().is_some()
    }

    /// He has to announce it; another that he has announced is a slip of the tongue (19.2 vi).
    pub(super) fn announces(&self, side: Side, m: G::Move, slip: bool) -> Ruling {
        let ground = match slip && self.edition.has(Rule::Announcing) {
            true => Rule::Announcing.when(Case::AtOnce),
            false => Rule::BlindMove.into(),
        };
        self.ruling(ground, Decision::Announces(side, G::move_text(m)))
    }

    /// Two boards show different positions (19.2 vii, viii). Where the score sheets agree that is put
    /// right; else the game goes back to the last ply on which they do.
    pub(super) fn boards_differ(&mut self, agree: Option<usize>) -> Answer {
        self.knows(Rule::TwoBoards)?;
        let plies = self.plies();
        match agree {
            None => self.only(Rule::TwoBoards.when(Case::AtOnce), Decision::Restored(plies)),
            Some(back) if back > plies => Err(Why::Plies(plies)),
            Some(back) => Ok(self.go_back(back, Rule::TwoBoards.when(Case::Later))),
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
