//! A game that is played: by a person against an engine, or by two people at the same board.
//!
//! The server keeps it before the [`Referee`], as a match does: each move is made and the clock pressed
//! with the time that it took. Whatever happens is an [`Entry`]; the same entries give the same game, so
//! that one is resumed from its journal. While no tab is open no clock runs. What the opponent does is in
//! `reply`, what the page shows in `seen`.

mod reply;
mod seen;
#[cfg(test)]
mod tests;

use super::Equipment;
use super::desk::{Desk, saved};
use super::journal::{End, Entry, GameJournal};
use super::message::{Ask, Board, NewGame, Player, Say};
use super::opponent::{Opponent, Other, game_of};
use super::shown::Shown;
use super::thinker::{Outlet, Thinker, Told};
use crate::base::game::MoveForm;
use crate::base::side::Side;
use crate::chess::notation::Notation;
use crate::laws::Referee;
use crate::laws::clock::Budget;
use crate::laws::event::{Act, Event, Fall, Incident, Shown as ClockShows};
use crate::laws::regulations::{Regulations, read_time};
use crate::laws::ruling::{Decision, Rulings};
use std::time::{Duration, Instant};

/// A game that is played.
pub(super) struct Played<G: Shown> {
    terms: NewGame,
    id: String,
    journal: Option<GameJournal>,
    /// Entries that could not be written yet.
    unwritten: Vec<Entry>,
    budget: Budget,
    start: G,
    moves: Vec<G::Move>,
    /// The referee after each ply, at first without any. Never empty.
    states: Vec<Referee<G>>,
    opponent: Opponent<G>,
    /// What the engine thought of its last move, for itself.
    score: Option<i32>,
    /// When the player to move began to think.
    began: Instant,
    /// What he had thought when the game ended without his move.
    thought: Duration,
}

impl<G: Shown> Played<G> {
    /// A game on these terms, without a journal yet.
    ///
    /// # Errors
    /// What is wrong with the terms.
    pub fn new(terms: NewGame, outlet: Outlet, equipment: &Equipment) -> Result<Self, String> {
        G::strength(terms.level, 0)?;
        let start = G::beginning(&terms.start, terms.variant.as_deref())?;
        let budget = read_time(terms.time.trim()).map_err(|error| error.to_string())?;
        let time = Some(budget.clone());
        let regulations =
            Regulations { white_time: time.clone(), black_time: time, ..Regulations::default() };
        let mut referee = Referee::new(G::EDITION, regulations);
        let set_up = Incident::Setup(Box::new(start.clone()), Vec::new());
        referee.rule(Event::Game(set_up)).map_err(|why| why.to_string())?;
        if referee.verdict().is_some() || start.moves().is_empty() {
            return Err("the game is over in this position".to_owned());
        }
        let opponent = match &terms.engine {
            None => Opponent::Own(Thinker::new(outlet)),
            Some(name) => {
                let named = equipment.engines.iter().find(|engine| engine.name == *name);
                let entrant =
                    named.filter(|entrant| game_of(entrant) == G::NAME).ok_or_else(|| {
                        format!("the server was started without an engine of {} '{name}'", G::WORD)
                    })?;
                let interrupt = &equipment.interrupt;
                Opponent::Other(Other::new(entrant.clone(), start.as_variant(), interrupt, outlet))
            }
        };
        Ok(Self {
            terms,
            id: String::new(),
            journal: None,
            unwritten: Vec::new(),
            budget,
            start,
            moves: Vec::new(),
            states: vec![referee],
            opponent,
            score: None,
            began: Instant::now(),
            thought: Duration::ZERO,
        })
    }

    /// Does what is in its journal, keeps that from now on, and lets the game go on.
    ///
    /// # Errors
    /// If the entries are not those of such a game.
    pub fn resume(
        &mut self,
        id: String,
        entries: &[Entry],
        journal: GameJournal,
        notation: Notation,
    ) -> Result<(), String> {
        for entry in entries {
            self.apply(entry)?;
        }
        (self.id, self.journal) = (id, Some(journal));
        self.go_on(notation);
        Ok(())
    }

    fn referee(&self) -> &Referee<G> {
        // Never empty: `new` puts the first there, and `apply` leaves it.
        &self.states[self.states.len() - 1]
    }

    fn position(&self) -> &G {
        self.referee().position()
    }

    fn turn(&self) -> Side {
        self.position().side()
    }

    fn you(&self) -> Option<Side> {
        self.terms.you.map(Side::from)
    }

    /// Whether the game goes on and the engine is to move.
    fn is_engines_turn(&self) -> bool {
        !self.is_over() && self.you().is_some_and(|you| you != self.turn())
    }

    fn is_over(&self) -> bool {
        self.referee().verdict().is_some()
    }

    /// Who acts for the person: he himself, or of two people whoever is to move.
    fn person(&self) -> Player {
        if self.you().unwrap_or(self.turn()) == Side::White { Player::White } else { Player::Black }
    }

    /// Does what an entry says.
    fn apply(&mut self, entry: &Entry) -> Result<(), String> {
        let mut referee = self.referee().clone();
        let side = self.turn();
        let mut rule = |side, act| -> Result<Rulings, String> {
            referee.rule(Event::Player(side, act)).map_err(|why| why.to_string())
        };
        match entry {
            Entry::Move(text, taken) => {
                let read = self.position().read_move(text, MoveForm::Program);
                let m = read.map_err(|error| error.to_string())?;
                rule(side, Act::Move(m))?;
                if referee.verdict().is_none() && referee.has_clock() {
                    let taken = ClockShows::Taken(Duration::from_millis(*taken));
                    let press = Event::Player(side, Act::Press(Some(taken)));
                    referee.rule(press).map_err(|why| why.to_string())?;
                }
                self.moves.push(m);
                self.states.push(referee);
                return Ok(());
            }
            Entry::Back(plies) => {
                if *plies >= self.states.len() {
                    return Err(format!("there are no {plies} moves"));
                }
                self.states.truncate(plies + 1);
                self.moves.truncate(*plies);
                self.thought = Duration::ZERO;
                return Ok(());
            }
            Entry::End(End::ByMove) => return Ok(()),
            Entry::End(End::Resigned(player)) => _ = rule((*player).into(), Act::Resign)?,
            Entry::End(End::Flag) => _ = rule(side, Act::Flag(Fall::Overstepped))?,
            Entry::End(End::Claim) => {
                let claim = self.referee().claimable().ok_or("there is nothing to claim")?;
                rule(side, Act::Claim(claim, None))?;
            }
            Entry::End(End::Agreed(player)) => {
                let player = Side::from(*player);
                let answer = rule(player, Act::Offer)?;
                if answer.iter().any(|ruling| matches!(ruling.decision, Decision::Barred(_))) {
                    return Err("the laws do not allow an offer now".to_owned());
                }
                rule(!player, Act::Accept)?;
            }
        }
        self.thought = match entry {
            Entry::End(End::Flag) => Duration::MAX,
            _ => self.began.elapsed(),
        };
        if let Some(last) = self.states.last_mut() {
            *last = referee;
        }
        Ok(())
    }

    /// Does what an entry says, and writes it down.
    fn happen(&mut self, entry: &Entry) -> Result<(), String> {
        self.apply(entry)?;
        self.write(entry);
        if self.is_over() && !matches!(entry, Entry::End(_)) {
            self.write(&Entry::End(End::ByMove));
        }
        Ok(())
    }

    fn write(&mut self, entry: &Entry) {
        let Some(journal) = &mut self.journal else { return };
        self.unwritten.push(entry.clone());
        while let Some(entry) = self.unwritten.first() {
            if let Err(error) = journal.add(entry) {
                tracing::warn!("the game {} cannot be written now: {error}", self.id);
                return;
            }
            self.unwritten.remove(0);
        }
    }

    /// The time that the player to move has used, in milliseconds.
    fn used(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// Makes a move for the player to move.
    fn make(&mut self, m: G::Move) -> Result<(), String> {
        let used = self.used();
        let left = self.referee().clock(self.turn()).remaining();
        if left.is_some_and(|left| Duration::from_millis(used) > left) {
            return self.happen(&Entry::End(End::Flag));
        }
        self.happen(&Entry::Move(m.to_string(), used))
    }

    /// After how many plies the person was last to move.
    fn before(&self) -> Option<usize> {
        let mine = |state: &Referee<G>| self.you().is_none_or(|you| state.position().side() == you);
        self.states[..self.moves.len()].iter().rposition(mine)
    }
}

impl<G: Shown> Desk for Played<G> {
    fn ask(&mut self, ask: Ask, notation: Notation) -> Result<Option<Say>, String> {
        let over = self.is_over();
        let mut say = None;
        match ask {
            Ask::Notation { .. } => return Ok(None),
            Ask::Save => {
                let end = self.referee().verdict();
                let result =
                    end.map_or_else(G::Result::default, |end| G::result(end.outcome.winner()));
                return saved(&self.start, &self.moves, &self.players(), result).map(Some);
            }
            Ask::TakeBack => {
                let plies = self.before().ok_or("there is no move to take back")?;
                self.opponent.begin_again();
                self.happen(&Entry::Back(plies))?;
            }
            _ if over => return Err("the game is over".to_owned()),
            Ask::Move { .. } if self.is_engines_turn() => {
                return Err("it is the engine's move".to_owned());
            }
            Ask::Move { text } => {
                let m = self.position().read_typed(&text, notation)?;
                self.make(m)?;
            }
            Ask::Resign => self.happen(&Entry::End(End::Resigned(self.person())))?,
            Ask::Claim if self.is_engines_turn() => {
                return Err("a draw is claimed at your own move".to_owned());
            }
            Ask::Claim => self.happen(&Entry::End(End::Claim))?,
            Ask::Offer => {
                say = self.offer()?;
                if say.is_some() {
                    return Ok(say);
                }
            }
            _ => return Err("that cannot be done in a game".to_owned()),
        }
        self.go_on(notation);
        Ok(say)
    }

    fn told(&mut self, told: Told, notation: Notation) -> Option<Option<Say>> {
        match told {
            Told::Move(number, text, score) if self.opponent.has_ended(number) => {
                self.score = score;
                let read = self.position().read_move(&text, MoveForm::Program);
                if let Err(why) = read.map_err(|error| error.to_string()).and_then(|m| self.make(m))
                {
                    return Some(Some(self.failed(&why)));
                }
                self.go_on(notation);
                Some(None)
            }
            Told::Failed(why) => Some(Some(self.failed(&why))),
            Told::Move(..) | Told::Lines(..) | Told::Review => None,
        }
    }

    fn deadline(&self) -> Option<Instant> {
        let left = self.referee().clock(self.turn()).remaining()?;
        if self.is_over() { None } else { self.began.checked_add(left) }
    }

    fn flag_falls(&mut self) {
        if let Err(why) = self.happen(&Entry::End(End::Flag)) {
            tracing::warn!("a flag that falls: {why}");
        }
        self.opponent.stop();
    }

    fn board(&self, notation: Notation) -> Board {
        self.seen(notation)
    }
}
