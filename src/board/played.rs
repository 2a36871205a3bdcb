//! A game that is played: by a person against an engine, or by two people at the same board.
//!
//! The server keeps it before the [`Referee`], as a match does: each move is made and the clock pressed
//! with the time that it took. Whatever happens is an [`Entry`]; the same entries give the same game, so
//! that one is resumed from its journal. While no tab is open no clock runs.

use super::Equipment;
use super::desk::{Desk, keys, plies, saved};
use super::journal::{End, Entry, Journal};
use super::message::{Ask, Board, Ending, Level, Mode, NewGame, Player, Say};
use super::opponent::{Asked, Opponent, Other, game_of};
use super::shown::Shown;
use super::thinker::{Aim, Outlet, Thinker, Told};
use crate::arena::engine::protocol::ClockReading;
use crate::base::game::MoveForm;
use crate::base::side::Side;
use crate::chess::notation::Notation;
use crate::laws::Referee;
use crate::laws::clock::{Budget, TimeControl};
use crate::laws::event::{Act, Event, Fall, Incident, Shown as ClockShows};
use crate::laws::regulations::{Regulations, read_time};
use crate::laws::ruling::{Decision, Rulings};
use crate::search::limits::{Clock, Limits};
use std::time::{Duration, Instant};

/// What an engine thinks without a clock, if nothing else bounds it.
const WITHOUT_CLOCK: Duration = Duration::from_secs(1);
/// The last of an engine's time for a move that it does not use.
const RESERVE: Duration = Duration::from_millis(50);
/// How long another engine may think without a clock, whatever bounds it.
const PATIENCE: Duration = Duration::from_secs(600);

/// A game that is played.
pub(super) struct Played<G: Shown> {
    terms: NewGame,
    id: String,
    journal: Option<Journal>,
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
        journal: Journal,
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
            Entry::Begin(_) => return Err("a game begins once".to_owned()),
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
        let written = self.journal.as_mut().map_or(Ok(()), |journal| journal.write(entry));
        if let Err(error) = written {
            tracing::warn!("the game {} is no longer kept: {error}", self.id);
            self.journal = None;
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

    /// The next player begins to think. The engine claims a draw unless it hopes for more.
    fn go_on(&mut self, notation: Notation) {
        self.opponent.stop();
        self.began = Instant::now();
        if !self.is_engines_turn() {
            return;
        }
        let content = self.score.is_none_or(|score| score <= 0);
        if content
            && self.referee().claimable().is_some()
            && self.happen(&Entry::End(End::Claim)).is_ok()
        {
            return;
        }
        self.think(notation);
    }

    /// Has the opponent think about his move.
    fn think(&mut self, notation: Notation) {
        let (limits, asked) = (self.limits(), self.asked());
        match &mut self.opponent {
            Opponent::Own(thinker) => {
                let position = self.states[self.states.len() - 1].position().clone();
                let seed = u64::from_str_radix(&self.id, 16).unwrap_or_default();
                let strength = G::strength(self.terms.level, seed).ok().flatten();
                let earlier = keys(&self.start, &self.moves);
                thinker.start(position, earlier, limits, Aim::Move(strength), notation);
            }
            Opponent::Other(other) => other.start(asked),
        }
    }

    /// What another engine is asked. Its own bounds hold beside the clock, or instead of it.
    fn asked(&self) -> Asked<G> {
        let own = match &self.opponent {
            Opponent::Own(_) => None,
            Opponent::Other(other) => other.entrant().control.clone(),
        };
        let mut control = own.unwrap_or_default();
        let left = self.referee().clock(self.turn()).remaining();
        let is_bounded = control.nodes.is_some() || control.depth.is_some();
        control.budget = match (&self.budget, control.budget) {
            (Budget::Unlimited, budget @ Budget::PerMove(_)) => budget,
            (Budget::Unlimited, _) if is_bounded => Budget::Unlimited,
            (Budget::Unlimited, _) => Budget::PerMove(WITHOUT_CLOCK),
            (budget, _) => budget.clone(),
        };
        let clocks = Side::ALL.map(|side| {
            let clock = self.referee().clock(side);
            let (increment, moves_to_go) = (clock.increment(), clock.moves_to_go());
            ClockReading { left: clock.remaining(), increment, moves_to_go }
        });
        let allowed = match control {
            TimeControl { budget: Budget::PerMove(time), .. } => time,
            _ => left.unwrap_or(PATIENCE),
        };
        let (start, moves, side) = (self.start.clone(), self.moves.clone(), self.turn());
        Asked { start, moves, side, clocks, control, allowed }
    }

    /// What ends the engine's thought.
    fn limits(&self) -> Limits<G::Move> {
        let clock = self.referee().clock(self.turn());
        let left = clock.remaining().map(|left| left.saturating_sub(RESERVE));
        let mut limits = Limits { begun: Some(self.began), ..Limits::default() };
        match (&self.budget, left) {
            (Budget::PerMove(_), Some(left)) => limits.movetime = Some(left),
            (_, Some(time)) => {
                let (increment, moves_to_go) = (clock.increment(), clock.moves_to_go());
                limits.clock = Some(Clock { time, increment, moves_to_go });
            }
            (_, None) if self.terms.level == Level::Full => limits.movetime = Some(WITHOUT_CLOCK),
            (_, None) => {}
        }
        limits
    }

    /// After how many plies the person was last to move.
    fn before(&self) -> Option<usize> {
        let mine = |state: &Referee<G>| self.you().is_none_or(|you| state.position().side() == you);
        self.states[..self.moves.len()].iter().rposition(mine)
    }

    /// A person offers a draw. The engine accepts what is better than it hopes for.
    fn offer(&mut self) -> Result<Option<Say>, String> {
        if self.is_engines_turn() {
            return Err("a draw is offered at your own move".to_owned());
        }
        if self.you().is_some() && self.score.is_none_or(|score| score >= 0) {
            return Ok(Some(Say::Note { text: format!("{} declines the draw.", self.engine()) }));
        }
        self.happen(&Entry::End(End::Agreed(self.person()))).map(|()| None)
    }

    /// Whom the person plays against.
    fn engine(&self) -> String {
        match (&self.terms.engine, self.terms.level) {
            (Some(name), _) => name.clone(),
            (None, Level::Full) => "Adoube".to_owned(),
            (None, Level::Elo(elo)) => format!("Adoube ({elo})"),
            (None, Level::Skill(skill)) => format!("Adoube (skill {skill})"),
        }
    }

    fn players(&self) -> [String; 2] {
        let engine = self.engine();
        Side::ALL.map(|side| match self.you() {
            None => side.to_string(),
            Some(you) if you == side => "You".to_owned(),
            Some(_) => engine.clone(),
        })
    }

    /// The opponent does not play on. He is asked again after whatever the person does.
    fn failed(&mut self, why: &str) -> Say {
        self.opponent.begin_again();
        let why = format!(
            "{} has failed: {why}. Take a move back, or load the page again, and it is asked again.",
            self.engine()
        );
        Say::Refused { why }
    }

    /// What the clocks show now.
    fn clocks(&self) -> [Option<u64>; 2] {
        Side::ALL.map(|side| {
            let used = match (side == self.turn(), self.is_over()) {
                (false, _) => Duration::ZERO,
                (true, false) => self.began.elapsed(),
                (true, true) => self.thought,
            };
            let left = self.referee().clock(side).remaining()?.saturating_sub(used);
            u64::try_from(left.as_millis()).ok()
        })
    }

    fn ending(&self) -> Option<Ending> {
        let end = self.referee().verdict()?;
        let who = end.outcome.winner().map_or("Draw".to_owned(), |side| format!("{side} wins"));
        let text = match self.position().own_end() {
            Some(own) => format!("{who}: {own}"),
            None => format!("{who}: {} ({})", end.rule.english(), end.article),
        };
        Some(Ending { score: end.outcome.score(), text })
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
        let engines_turn = self.is_engines_turn();
        let position = self.position();
        let mut can = vec!["save"];
        can.extend(self.before().map(|_| "take-back"));
        if !self.is_over() {
            can.push("resign");
            can.extend((!engines_turn).then_some("offer"));
            can.extend(self.referee().claimable().filter(|_| !engines_turn).map(|_| "claim"));
        }
        let plays = !engines_turn && !self.is_over();
        Board {
            game: G::NAME,
            mode: Mode::Play,
            id: Some(self.id.clone()),
            players: self.players(),
            you: self.you(),
            start: self.start.squares(),
            first: self.start.first_number(),
            black_first: self.start.side() == Side::Black,
            plies: plies(&self.start, &self.moves, notation),
            at: self.moves.len(),
            turn: self.turn(),
            legal: if plays { position.legal(notation) } else { Vec::new() },
            check: position.check(),
            fen: position.to_fen(),
            clocks: self.clocks(),
            running: (!self.is_over() && self.referee().has_clock()).then(|| self.turn()),
            thinking: self.opponent.is_busy(),
            ending: self.ending(),
            can,
            record: None,
            study: None,
            referee: None,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::journal::Journals;
    use super::super::message::{GameName, Start};
    use super::*;
    use crate::{chess, draughts};
    use std::sync::Arc;
    use tokio::sync::{Semaphore, mpsc};

    const NOTATION: Notation = Notation::Algebraic(chess::notation::algebraic::Style::SAN);

    fn terms(game: GameName, time: &str) -> NewGame {
        let (time, level) = (time.to_owned(), Level::Full);
        NewGame { game, start: Start::Usual, variant: None, you: None, level, engine: None, time }
    }

    fn outlet() -> Outlet {
        Outlet { slots: Arc::new(Semaphore::new(1)), told: mpsc::unbounded_channel().0 }
    }

    fn ask<G: Shown>(game: &mut Played<G>, ask: Ask) {
        game.ask(ask, NOTATION).unwrap();
    }

    fn play<G: Shown>(game: &mut Played<G>, moves: &str) {
        moves.split(' ').for_each(|text| ask(game, Ask::Move { text: text.to_owned() }));
    }

    #[test]
    fn the_journal_gives_the_same_game_again() {
        let dir = tempfile::tempdir().unwrap();
        let journals = Journals::open(Some(dir.path())).unwrap();
        let terms = terms(GameName::Chess, "5m+3");
        let (id, journal) = journals.begin(&terms).unwrap();
        let mut game =
            Played::<chess::Position>::new(terms, outlet(), &Equipment::default()).unwrap();
        game.resume(id.clone(), &[], journal, NOTATION).unwrap();
        play(&mut game, "e4 e5 Nf3");
        ask(&mut game, Ask::TakeBack);
        play(&mut game, "f4 exf4");
        ask(&mut game, Ask::Resign);
        assert!(game.ask(Ask::Move { text: "Nf3".to_owned() }, NOTATION).is_err());

        let (terms, entries, journal) = journals.resume(&id).unwrap();
        let mut again =
            Played::<chess::Position>::new(terms, outlet(), &Equipment::default()).unwrap();
        again.resume(id, &entries, journal, NOTATION).unwrap();
        let [first, second] = [game, again].map(|game| game.board(NOTATION));
        assert_eq!(first.plies, second.plies);
        assert_eq!(first.plies.len(), 4);
        assert_eq!((&first.ending, &first.can), (&second.ending, &second.can));
        assert_eq!(first.ending.unwrap().text, "Black wins: resignation (5.1.2)");
    }

    #[test]
    fn the_laws_end_games_and_draws_are_claimed() {
        let mut game = Played::<chess::Position>::new(
            terms(GameName::Chess, "-"),
            outlet(),
            &Equipment::default(),
        )
        .unwrap();
        play(&mut game, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1");
        assert!(!game.board(NOTATION).can.contains(&"claim"));
        play(&mut game, "Ng8");
        assert!(game.board(NOTATION).can.contains(&"claim"));
        ask(&mut game, Ask::Claim);
        assert_eq!(game.board(NOTATION).ending.unwrap().score, "1/2-1/2");
        ask(&mut game, Ask::TakeBack);
        assert_eq!(game.board(NOTATION).ending, None);

        let start = Start::Fen("W:W28:B23".to_owned());
        let terms = NewGame { start, ..terms(GameName::Draughts, "-") };
        let mut game =
            Played::<draughts::Position>::new(terms, outlet(), &Equipment::default()).unwrap();
        play(&mut game, "28x19");
        let ending = game.board(NOTATION).ending.unwrap();
        assert_eq!(ending.score, "1-0");
        assert!(ending.text.starts_with("White wins: no piece left ("), "{}", ending.text);
    }

    #[test]
    fn variants_and_odds_are_played() {
        let begun = |start, variant: Option<&str>| {
            let variant = variant.map(str::to_owned);
            let terms = NewGame { start, variant, ..terms(GameName::Draughts, "-") };
            Played::<draughts::Position>::new(terms, outlet(), &Equipment::default()).unwrap()
        };
        let fen = |fen: &str| Start::Fen(fen.to_owned());
        let mut game = begun(fen("W:W6:B45"), Some("bt"));
        assert_eq!(game.board(NOTATION).fen, "W:W6:B45:Vbt");
        play(&mut game, "6-1");
        assert_eq!(game.board(NOTATION).ending.unwrap().text, "White wins: the first king");
        let game = begun(Start::Less(2), Some("killer"));
        assert_eq!(game.board(NOTATION).fen, "W:W31-48:B1-20:Vkiller");

        let given = ["e4", "d4"].map(str::to_owned).to_vec();
        for (odds, moves, fen) in [
            ("knight", Vec::new(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 1"),
            (
                "pawn and move",
                Vec::new(),
                "rnbqkbnr/ppppp1pp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            ),
            (
                "pawn and two moves",
                given,
                "rnbqkbnr/ppppp1pp/8/8/3PP3/8/PPP2PPP/RNBQKBNR b KQkq - 0 2",
            ),
        ] {
            let start = Start::Odds(odds.to_owned(), moves);
            let terms = NewGame { start, ..terms(GameName::Chess, "-") };
            let game =
                Played::<chess::Position>::new(terms, outlet(), &Equipment::default()).unwrap();
            assert_eq!(game.board(NOTATION).fen, fen);
        }
    }

    #[test]
    fn a_flag_falls_once() {
        let mut game = Played::<chess::Position>::new(
            terms(GameName::Chess, "60"),
            outlet(),
            &Equipment::default(),
        )
        .unwrap();
        play(&mut game, "e4");
        assert!(game.deadline().is_some());
        game.flag_falls();
        let board = game.board(NOTATION);
        assert_eq!(board.ending.unwrap().score, "1-0");
        assert_eq!((board.clocks[1], board.running), (Some(0), None));
        assert!(game.deadline().is_none());
    }

    #[test]
    fn terms_that_cannot_be_are_refused() {
        let usual = || terms(GameName::Chess, "-");
        let fen = |fen: &str| Start::Fen(fen.to_owned());
        for terms in [
            NewGame { start: fen("8/8/8/8/8/8/8/8 w - - 0 1"), ..usual() },
            NewGame { start: fen("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), ..usual() },
            NewGame { start: Start::Chess960(960), ..usual() },
            NewGame { start: Start::Odds("pawn and two moves".to_owned(), Vec::new()), ..usual() },
            NewGame { start: Start::Less(1), ..usual() },
            NewGame { variant: Some("killer".to_owned()), ..usual() },
            NewGame { level: Level::Elo(1), ..usual() },
            NewGame { level: Level::Skill(1), ..usual() },
            NewGame { engine: Some("Nobody".to_owned()), ..usual() },
            NewGame { time: "soon".to_owned(), ..usual() },
        ] {
            assert!(
                Played::<chess::Position>::new(terms.clone(), outlet(), &Equipment::default())
                    .is_err(),
                "{terms:?}"
            );
        }
    }
}
