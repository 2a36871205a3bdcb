//! Blind players: their boards and announcements (19.2; D.2 of 2023).

use super::*;

impl<G: Ruled> Referee<G> {
    /// Checks that the edition has the rule and that the player uses a board for the blind.
    fn blind(&self, side: Side, rule: Rule) -> Result<(), Refused> {
        self.require(rule)?;
        if self.rules.blind(side) { Ok(()) } else { Err(Refused::Sighted(side)) }
    }

    /// Handles a player who feels a piece that stays in its hole. This does not count as touching
    /// (19.2 ii).
    pub(super) fn feel(&self, side: Side, square: G::Square) -> Answer {
        self.in_play()?;
        self.blind(side, Rule::BlindTouch)?;
        if self.position().owner(square).is_none() {
            return Err(Refused::Square(square.to_string()));
        }
        self.only(Rule::BlindTouch, Decision::Stands)
    }

    /// Handles the announcement of a move. The move counts as made once it has been announced and
    /// is complete on the board (19.2 iii).
    pub(super) fn say(&mut self, side: Side, m: G::Move) -> Answer {
        self.blind(side, Rule::BlindMove)?;
        self.may_touch(side)?;
        let mut rulings = Rulings::new();
        if !self.position().is_playable(m) {
            return Err(Refused::NotLegal(G::move_text(m)));
        }
        match self.on_board() {
            None => self.hand.announced = Some(m),
            Some(made) if made == m => return self.make(side, m),
            Some(made) => rulings.push(self.announces(side, made, true)),
        }
        Ok(rulings)
    }

    /// Returns the move that is complete on the board but does not count as made yet.
    fn on_board(&self) -> Option<G::Move> {
        let done = self.hand.parts.len();
        let whole = |m: &G::Move| self.position().parts(*m).len() == done;
        if done == 0 { None } else { self.allowed().into_iter().find(whole) }
    }

    pub(super) fn awaits_announcement(&self, side: Side, m: G::Move) -> bool {
        self.blind(side, Rule::BlindMove).is_ok() && self.hand.announced != Some(m)
    }

    pub(super) fn unannounced(&self, side: Side) -> bool {
        side == self.to_move()
            && self.blind(side, Rule::BlindMove).is_ok()
            && self.on_board().is_some()
    }

    /// Returns the ruling that the player must announce the move `m`. `slip` is true if the player
    /// has announced another move, which is a slip of the tongue (19.2 vi).
    pub(super) fn announces(&self, side: Side, m: G::Move, slip: bool) -> Ruling {
        let ground = match slip && self.edition.has(Rule::Announcing) {
            true => Rule::Announcing.when(Case::AtOnce),
            false => Rule::BlindMove.into(),
        };
        self.ruling(ground, Decision::Announces(side, G::move_text(m)))
    }

    /// Handles two boards that show different positions (19.2 vii, viii). If `agree` is `None`, the
    /// score sheets agree throughout, and the boards are corrected. Otherwise the sheets agree only
    /// up to ply `agree`, and the game goes back to that ply.
    pub(super) fn boards_differ(&mut self, agree: Option<usize>) -> Answer {
        self.require(Rule::TwoBoards)?;
        let plies = self.plies();
        match agree {
            None => self.only(Rule::TwoBoards.when(Case::AtOnce), Decision::Restored(plies)),
            Some(back) if back > plies => Err(Refused::Plies(plies)),
            Some(back) => Ok(self.go_back(back, Rule::TwoBoards.when(Case::Later))),
        }
    }

    /// Handles the announcement of a move other than the one made. Before the clock is pressed, the
    /// slip has no consequence (19.2 vi). After that, the players' boards differ, and the arbiter
    /// decides (19.2 vii). If either player is blind, both players announce their moves (19.2 i).
    pub(super) fn misspeak(&self, side: Side) -> Answer {
        self.in_play()?;
        self.require(Rule::Announcing)?;
        if !Side::ALL.into_iter().any(|side| self.rules.blind(side)) {
            return Err(Refused::Sighted(side));
        }
        if self.on_turn() == side || self.plies() == 0 {
            return Err(Refused::NotMoved(side));
        }
        if self.unpressed == Some(side) {
            return self.only(Rule::Announcing.when(Case::AtOnce), Decision::Stands);
        }
        self.only(Rule::Announcing.when(Case::Later), Decision::Arbiter)
    }
}
