//! A game between a person and an engine, or between two people at the same board.
//!
//! As in a match, a [`Referee`] rules on the game. It receives each move and then the clock press,
//! with the time spent on the move. Every action is a journal [`Entry`]. A game is resumed by
//! replaying the entries of its journal. The clock runs only while a tab has the game open. When a
//! game is closed, the time spent on the current turn is stored. `reply` contains the opponent's
//! actions, `view` the board for the page, and `record` the PGN or PDN of the game.

mod record;
mod reply;
#[cfg(test)]
mod tests;
mod view;

use super::desk::{Desk, Requests, Update, file, name_of};
use super::equipment::Equipment;
use super::game::{BoardGame, LevelError, StartError};
use super::journal::{End, Entry, GameJournal, ReadGame};
use super::message::Board;
use super::message::play::NewGame;
use super::opponent::{Opponent, Other, game_of};
use super::outlet::{EngineEvent, EngineReport, Outlet};
use super::thinker::Thinker;
use super::typed::TypedMoveError;
use crate::base::game::MoveForm;
use crate::base::side::Side;
use crate::chess::notation::Notation;
use crate::laws::Referee;
use crate::laws::clock::{Budget, ControlError};
use crate::laws::event::{Act, Event, Fall, Incident, PressTime};
use crate::laws::language::{Bilingual, Language};
use crate::laws::referee::Impossible;
use crate::laws::regulations::{Regulations, read_time};
use crate::laws::rule::Rule;
use crate::laws::ruling::{Decision, Rulings};
use serde::Deserialize;
use std::time::{Duration, Instant, SystemTime};

#[derive(Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(tag = "ask", rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum Request {
    Move {
        text: String,
    },
    /// Takes back a resignation or an agreed draw; otherwise takes moves back until the person is
    /// to move again.
    TakeBack,
    Resign,
    Offer,
    Claim,
    Save,
    #[serde(other)]
    Unknown,
}

#[derive(Debug, thiserror::Error)]
pub(super) enum PlayError {
    #[error(transparent)]
    Start(#[from] StartError),
    #[error(transparent)]
    Level(#[from] LevelError),
    #[error(
        "the time control cannot be read: write 5+3 (minutes, and seconds per move), 10, 90s, or - \
         for no clock"
    )]
    Time(#[from] ControlError),
    #[error("the time control leaves no time for the first move: write 5+3, 10, 90s or -")]
    NoTime,
    #[error("the game is already over in the start position")]
    OverAtStart,
    #[error("no {game} engine named '{name}': name it when starting the server")]
    NoEngine { game: &'static str, name: String },
    #[error(transparent)]
    Typed(#[from] TypedMoveError),
    /// An illegal move in the journal or from an engine.
    #[error("{0}")]
    Move(Bilingual),
    #[error(transparent)]
    Impossible(#[from] Impossible),
    #[error("the game is over")]
    Over,
    #[error("it is the engine's move")]
    EnginesMove,
    #[error("the game has fewer than {0} moves")]
    NoSuchMoves(usize),
    #[error("there is no move to take back")]
    NothingToTakeBack,
    #[error("there is no draw to claim")]
    NothingToClaim,
    #[error("you can claim a draw only when it is your move")]
    ClaimOutOfTurn,
    #[error("you can offer a draw only when it is your move")]
    OfferOutOfTurn,
    #[error("the laws do not allow a draw offer now")]
    OfferBarred,
    #[error("{0}")]
    Record(Bilingual),
    #[error("this request is not possible in a game")]
    Unknown,
}

pub(super) struct Played<G: BoardGame> {
    terms: NewGame,
    id: String,
    journal: Option<GameJournal>,
    /// Entries that could not be written yet.
    unwritten: Vec<Entry>,
    budget: Budget,
    start: G,
    moves: Vec<G::Move>,
    /// The referee after each ply. The first element is the state before any move, so the list is
    /// never empty.
    states: Vec<Referee<G>>,
    /// The referee after the end, if the game ended without a move.
    ended: Option<Referee<G>>,
    opponent: Opponent<G>,
    score: Option<i32>,
    date: SystemTime,
    language: Language,
    /// The time spent on the current turn before `began`.
    thought: Duration,
    /// The start of the current turn, or the time at which `thought` was last updated.
    began: Instant,
}

impl<G: BoardGame> Played<G> {
    /// Creates a game with these terms and without a journal.
    pub(super) fn new(
        terms: NewGame,
        outlet: Outlet,
        equipment: &Equipment,
    ) -> Result<Self, PlayError> {
        Self::with_opponent(terms, |terms, start| match &terms.engine {
            None => Ok(Opponent::Own(Thinker::new(outlet))),
            Some(name) => {
                let named = equipment.engines.iter().find(|engine| engine.name == *name);
                let entrant = named
                    .filter(|entrant| game_of(entrant) == G::NAME)
                    .ok_or_else(|| PlayError::NoEngine { game: G::WORD, name: name.clone() })?;
                let interrupt = &equipment.interrupt;
                let variant = start.variant_of();
                Ok(Opponent::Other(Other::new(entrant.clone(), variant, interrupt, outlet)))
            }
        })
    }

    /// Replays a stored game that will not be continued. The opponent's engine need not be
    /// available.
    pub(super) fn replay(game: ReadGame, outlet: Outlet) -> Result<Self, PlayError> {
        let ReadGame { terms, entries, began, .. } = game;
        let mut game = Self::with_opponent(terms, |_, _| Ok(Opponent::Own(Thinker::new(outlet))))?;
        game.date = began;
        entries.iter().try_for_each(|entry| game.apply(entry))?;
        Ok(game)
    }

    fn with_opponent(
        mut terms: NewGame,
        opponent: impl FnOnce(&NewGame, &G) -> Result<Opponent<G>, PlayError>,
    ) -> Result<Self, PlayError> {
        terms.names = terms.names.map(|name| name_of(&name));
        G::strength(terms.level, 0)?;
        let start = G::beginning(&terms.start, terms.variant.as_deref())?;
        let budget = read_time(terms.time.trim())?;
        let time = Some(budget.clone());
        let regulations =
            Regulations { white_time: time.clone(), black_time: time, ..Regulations::default() };
        let mut referee = Referee::new(G::EDITION, regulations);
        let set_up = Incident::Setup(Box::new(start.clone()), Vec::new());
        referee.rule(Event::Game(set_up))?;
        if Side::ALL.iter().any(|&side| referee.clock(side).remaining() == Some(Duration::ZERO)) {
            return Err(PlayError::NoTime);
        }
        if referee.verdict().is_some() || start.moves().is_empty() {
            return Err(PlayError::OverAtStart);
        }
        let opponent = opponent(&terms, &start)?;
        Ok(Self {
            terms,
            id: String::new(),
            journal: None,
            unwritten: Vec::new(),
            budget,
            start,
            moves: Vec::new(),
            states: vec![referee],
            ended: None,
            opponent,
            score: None,
            date: SystemTime::now(),
            language: Language::default(),
            thought: Duration::ZERO,
            began: Instant::now(),
        })
    }

    pub(super) const fn terms(&self) -> &NewGame {
        &self.terms
    }

    pub(super) fn with_language(self, language: Language) -> Self {
        Self { language, ..self }
    }

    pub(super) fn dated(self, date: SystemTime) -> Self {
        Self { date, ..self }
    }

    /// Replays the entries of a journal. Later entries are appended to this journal.
    pub(super) fn resume(
        &mut self,
        id: String,
        entries: &[Entry],
        journal: GameJournal,
    ) -> Result<(), PlayError> {
        for entry in entries {
            self.apply(entry)?;
        }
        (self.id, self.journal) = (id, Some(journal));
        Ok(())
    }

    fn referee(&self) -> &Referee<G> {
        // `states` is never empty: `new` stores the first state, and no method removes it.
        self.ended.as_ref().unwrap_or(&self.states[self.states.len() - 1])
    }

    fn position(&self) -> &G {
        self.referee().position()
    }

    fn turn(&self) -> Side {
        self.position().side()
    }

    fn you(&self) -> Option<Side> {
        self.terms.you
    }

    fn is_engines_turn(&self) -> bool {
        !self.is_over() && self.you().is_some_and(|you| you != self.turn())
    }

    fn is_over(&self) -> bool {
        self.referee().verdict().is_some()
    }

    /// Returns the side that resigns or offers a draw: the human's side or, in a game between two
    /// humans, the side to move.
    fn person(&self) -> Side {
        self.you().unwrap_or(self.turn())
    }

    /// Returns whether the person may offer a draw now: the laws must allow the offer, and it must
    /// not be the engine's turn.
    fn can_offer(&self) -> bool {
        let offer = || self.referee().clone().rule(Event::Player(self.person(), Act::Offer));
        !self.is_engines_turn() && offer().is_ok_and(|rulings| !is_barred(&rulings))
    }

    fn apply(&mut self, entry: &Entry) -> Result<(), PlayError> {
        if self.is_over() {
            match entry {
                Entry::Back(_) | Entry::End(End::ByMove) => {}
                // Ignored, because the clock stopped when the game ended.
                Entry::Thought(_) => return Ok(()),
                _ => return Err(PlayError::Over),
            }
        }
        let mut referee = self.referee().clone();
        let side = self.turn();
        let mut rule =
            |side, act| -> Result<Rulings, Impossible> { referee.rule(Event::Player(side, act)) };
        match entry {
            Entry::Move(text, taken) => {
                let read = self.position().read_move(text, MoveForm::Program);
                let m = read.map_err(|error| PlayError::Move(Bilingual::of(&error)))?;
                rule(side, Act::Move(m))?;
                if referee.verdict().is_none() && referee.has_clock() {
                    let taken = PressTime::Taken(Duration::from_millis(*taken));
                    let press = Event::Player(side, Act::Press(Some(taken)));
                    referee.rule(press)?;
                }
                self.moves.push(m);
                self.states.push(referee);
                self.thought = Duration::ZERO;
                return Ok(());
            }
            Entry::Thought(spent) => {
                (self.thought, self.began) = (Duration::from_millis(*spent), Instant::now());
                return Ok(());
            }
            Entry::Back(plies) => {
                if *plies >= self.states.len() {
                    return Err(PlayError::NoSuchMoves(*plies));
                }
                // If only a resignation or an agreed draw is taken back, the turn keeps its
                // thinking time.
                if *plies < self.moves.len() {
                    self.thought = Duration::ZERO;
                }
                self.states.truncate(plies + 1);
                self.moves.truncate(*plies);
                self.ended = None;
                return Ok(());
            }
            Entry::End(End::ByMove) => return Ok(()),
            Entry::End(End::Resigned(player)) => _ = rule(*player, Act::Resign)?,
            Entry::End(End::Flag) => _ = rule(side, Act::Flag(Fall::Overstepped))?,
            Entry::End(End::Claim) => {
                let claim = self.referee().claimable().ok_or(PlayError::NothingToClaim)?;
                rule(side, Act::Claim(claim))?;
            }
            Entry::End(End::Agreed(player)) => {
                let player = *player;
                if is_barred(&rule(player, Act::Offer)?) {
                    return Err(PlayError::OfferBarred);
                }
                rule(!player, Act::Accept)?;
            }
        }
        if *entry == Entry::End(End::Flag) {
            self.thought = Duration::MAX;
        }
        self.ended = Some(referee);
        Ok(())
    }

    fn happen(&mut self, entry: &Entry) -> Result<(), PlayError> {
        if matches!(entry, Entry::End(_)) {
            self.save_clock();
        }
        self.apply(entry)?;
        self.write(entry);
        if self.is_over() && !matches!(entry, Entry::End(_)) {
            self.write(&Entry::End(End::ByMove));
        }
        Ok(())
    }

    fn write(&mut self, entry: &Entry) {
        self.unwritten.push(entry.clone());
        self.save_again();
    }

    /// Returns the time spent on the current turn.
    fn spent(&self) -> Duration {
        let running = if self.is_over() { Duration::ZERO } else { self.began.elapsed() };
        self.thought.saturating_add(running)
    }

    fn used(&self) -> u64 {
        u64::try_from(self.spent().as_millis()).unwrap_or(u64::MAX)
    }

    /// Returns the remaining time of a side at the instant `began`, or `None` without a clock.
    fn left(&self, side: Side) -> Option<Duration> {
        let left = self.referee().clock(side).remaining()?;
        Some(if side == self.turn() { left.saturating_sub(self.thought) } else { left })
    }

    fn make(&mut self, m: G::Move) -> Result<(), PlayError> {
        let used = self.used();
        let left = self.referee().clock(self.turn()).remaining();
        if left.is_some_and(|left| Duration::from_millis(used) > left) {
            return self.happen(&Entry::End(End::Flag));
        }
        self.happen(&Entry::Move(m.to_string(), used))
    }

    /// Returns the number of plies that remain after a takeback, or `None` if there is nothing to
    /// take back. After a resignation or an agreed draw, all moves remain. Time that has run out
    /// cannot be taken back.
    fn plies_after_takeback(&self) -> Option<usize> {
        match self.referee().verdict().map(|end| end.rule) {
            Some(Rule::Resignation | Rule::Agreement) => Some(self.moves.len()),
            Some(Rule::Flag | Rule::FlagDrawn) => None,
            _ => self.before(),
        }
    }

    /// Returns the number of plies before the human's last move, or `None` if the human has not
    /// moved. In a game between two humans, the last move of either player counts.
    fn before(&self) -> Option<usize> {
        let mine = |state: &Referee<G>| self.you().is_none_or(|you| state.position().side() == you);
        self.states[..self.moves.len()].iter().rposition(mine)
    }
}

/// Returns whether these rulings reject a draw offer as not allowed by the laws.
fn is_barred(rulings: &Rulings) -> bool {
    rulings.iter().any(|ruling| matches!(ruling.decision, Decision::Barred(_)))
}

impl<G: BoardGame> Requests for Played<G> {
    type Request = Request;
    type Error = PlayError;

    fn on_request(&mut self, request: Request, notation: Notation) -> Result<Update, PlayError> {
        let mut update = Update::Board;
        match request {
            Request::Save => {
                return Ok(Update::BoardAnd(file(self.record()?, G::EXTENSION)));
            }
            Request::TakeBack => {
                let plies = self.plies_after_takeback().ok_or(PlayError::NothingToTakeBack)?;
                self.opponent.reset();
                self.happen(&Entry::Back(plies))?;
            }
            _ if self.is_over() => return Err(PlayError::Over),
            Request::Move { .. } if self.is_engines_turn() => return Err(PlayError::EnginesMove),
            Request::Move { text } => {
                let m = self.position().read_typed(&text, notation)?;
                self.make(m)?;
            }
            Request::Resign => self.happen(&Entry::End(End::Resigned(self.person())))?,
            Request::Claim if self.is_engines_turn() => return Err(PlayError::ClaimOutOfTurn),
            Request::Claim => self.happen(&Entry::End(End::Claim))?,
            Request::Offer => {
                update = self.offer()?;
                if matches!(update, Update::BoardAnd(_)) {
                    return Ok(update);
                }
            }
            Request::Unknown => return Err(PlayError::Unknown),
        }
        self.go_on(notation);
        Ok(update)
    }
}

impl<G: BoardGame> Desk for Played<G> {
    fn on_engine_event(&mut self, event: EngineEvent, notation: Notation) -> Update {
        if !self.opponent.finish(event.search) {
            return Update::None;
        }
        match event.report {
            EngineReport::Move { text, score } => {
                self.score = score;
                let read = self.position().read_move(&text, MoveForm::Program);
                let made = read.map_err(|error| PlayError::Move(Bilingual::of(&error)));
                if let Err(error) = made.and_then(|m| self.make(m)) {
                    return Update::BoardAnd(self.on_engine_failure(&error));
                }
                self.go_on(notation);
                Update::Board
            }
            EngineReport::Failed(failure) => Update::BoardAnd(self.on_engine_failure(&failure)),
            EngineReport::Lines(_) | EngineReport::Compared { .. } | EngineReport::Progress => {
                Update::None
            }
        }
    }

    fn on_language(&mut self, language: Language) -> Update {
        self.language = language;
        Update::Board
    }

    fn deadline(&self) -> Option<Instant> {
        let left = self.left(self.turn())?;
        if self.is_over() { None } else { self.began.checked_add(left) }
    }

    fn on_flag_fall(&mut self) {
        if let Err(error) = self.happen(&Entry::End(End::Flag)) {
            tracing::warn!("cannot record the fall of the flag: {error}");
        }
        self.opponent.stop();
    }

    fn has_running_clock(&self) -> bool {
        !self.is_over() && self.referee().has_clock()
    }

    fn save_clock(&mut self) {
        if !self.has_running_clock() {
            return;
        }
        let entry = Entry::Thought(self.used());
        match self.apply(&entry) {
            Ok(()) => self.write(&entry),
            Err(error) => tracing::warn!("cannot save the clock of the game: {error}"),
        }
    }

    fn is_unsaved(&self) -> bool {
        !self.unwritten.is_empty()
    }

    fn save_again(&mut self) {
        let Some(journal) = &mut self.journal else { return };
        while let Some(entry) = self.unwritten.first() {
            if let Err(error) = journal.add(entry) {
                tracing::warn!("cannot save the game {} now: {error}", self.id);
                return;
            }
            self.unwritten.remove(0);
        }
    }

    fn board(&self, notation: Notation) -> Board {
        self.view(notation)
    }
}
