//! Plays all games of a schedule, several at a time.
//!
//! Each worker has processes of its own for each entrant and takes the next game from the queue. The
//! caller hears of each game as it ends, on the caller's own thread.

use super::cores::Core;
use super::journal::MatchEntry;
use super::queue::Queue;
use super::schedule::{Pairing, Schedule};
use super::standings::Standings;
use crate::arena::engine::entrant::Entrant;
use crate::arena::engine::failure::Failure;
use crate::arena::engine::line_log::LineLog;
use crate::arena::engine::link::Patience;
use crate::arena::engine::player::Player;
use crate::arena::engine::process::Interrupt;
use crate::arena::game::contest::{Contest, Variant};
use crate::arena::game::openings::Openings;
use crate::arena::game::{self, Adjudication, GameRecord, Rules};
use crate::arena::show::watch::{MadeMove, MatchEvent, Watchers};
use crate::arena::stats::sprt::{Sprt, SprtVerdict};
use crate::base::panics::OnPanic;
use crate::laws::clock::{Budget, TimeControl};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

/// A tournament to be played.
#[derive(Debug)]
pub struct Tournament<G: Contest> {
    /// The players.
    pub entrants: Vec<Arc<Entrant>>,
    /// The games that they play.
    pub schedule: Schedule,
    /// The positions from which games start.
    pub openings: Openings<G>,
    /// What all games have in common.
    pub rules: Rules,
    /// How many games are played at a time.
    pub concurrency: usize,
    /// The processor of each of these; empty if the system may choose.
    pub cores: Vec<Core>,
    /// A pause before each game.
    pub start_delay: Duration,
    /// After this time no further game begins.
    pub max_time: Option<Duration>,
    /// The test that may stop the match early; it looks at the games of the first two entrants.
    pub sprt: Option<Sprt>,
    /// How long engines may take for what no clock measures.
    pub patience: Patience,
    /// The callbacks for the events of the games.
    pub watchers: Watchers<G>,
    /// The log of all lines between the arena and the engines.
    pub log: Option<LineLog>,
}

/// Why a tournament ended: an engine that cannot be played with.
#[derive(Debug, thiserror::Error)]
#[error("{name}: {failure}")]
pub struct TournamentError {
    /// The entrant, the program or the game concerned.
    pub name: String,
    /// What failed.
    pub failure: Failure,
}

/// Why a match cannot be resumed.
#[derive(Debug, thiserror::Error)]
pub enum ResumeError {
    /// A game that the schedule does not have, or that was counted already.
    #[error("game {} is not one of this match", .0 + 1)]
    Game(usize),
    /// The openings differ from those that were played.
    #[error(
        "game {} began from {before}, and would begin from {now} now: this build makes other random openings",
        .game + 1
    )]
    Opening {
        /// The game, from 0.
        game: usize,
        /// The position from which it was played.
        before: String,
        /// The position from which it would be played now.
        now: String,
    },
}

/// What a worker reports: a game that it played, or why it could not.
type PlayedGame<G> = Result<(Pairing, GameRecord<G>), TournamentError>;

impl<G: Contest> Tournament<G> {
    /// Creates a tournament from the start position, with one game at a time, no adjudication and the
    /// usual laws of the game.
    pub fn new(
        entrants: impl IntoIterator<Item = Entrant>,
        schedule: Schedule,
        budget: Budget,
    ) -> Self {
        Self {
            entrants: entrants.into_iter().map(Arc::new).collect(),
            schedule,
            openings: Openings::start(),
            rules: Rules {
                control: TimeControl { budget, ..TimeControl::default() },
                margin: Duration::ZERO,
                patience: Duration::from_secs(60),
                variant: Variant::Standard,
                edition: G::EDITION,
                adjudication: Adjudication::default(),
                restarts: 0,
            },
            concurrency: 1,
            cores: Vec::new(),
            start_delay: Duration::ZERO,
            max_time: None,
            sprt: None,
            patience: Patience::default(),
            watchers: Watchers::default(),
            log: None,
        }
    }

    /// Starts each engine once, so that one that cannot play is known before the first game.
    ///
    /// # Errors
    /// The first engine that cannot be started.
    pub fn check(&self, interrupt: &Interrupt) -> Result<(), TournamentError> {
        for entrant in &self.entrants {
            self.player(entrant, interrupt)
                .start()
                .map_err(|failure| TournamentError { name: entrant.name.clone(), failure })?;
        }
        Ok(())
    }

    /// Plays on from these standings until all games are played, the test is decided or `interrupt` is
    /// raised. `see` is called with each game and the standings after it.
    ///
    /// # Errors
    /// If an engine cannot be run.
    pub fn run(
        &self,
        mut standings: Standings,
        interrupt: &Interrupt,
        mut see: impl FnMut(&Pairing, &GameRecord<G>, &Standings),
    ) -> Result<Standings, TournamentError> {
        let queue = Queue::new(self.schedule.clone(), &standings.results, self.max_time);
        if self.is_decided(&standings) {
            return Ok(standings);
        }
        let (sender, reports) = mpsc::channel::<PlayedGame<G>>();
        thread::scope(|scope| {
            for n in 0..self.concurrency.clamp(1, self.schedule.games_in_all().max(1)) {
                let (sender, queue, core) = (sender.clone(), &queue, self.cores.get(n).copied());
                scope.spawn(move || {
                    core.into_iter().for_each(Core::bind);
                    // Nobody waits for the result of its game.
                    let _panics = OnPanic(|| queue.end());
                    self.work(queue, interrupt, &sender);
                });
            }
            drop(sender);
            let mut error = None;
            for report in reports {
                match report {
                    Ok((pairing, game)) => {
                        if let Some(score) = game.score() {
                            standings.add(&pairing, score);
                        }
                        queue.extend(&standings.results);
                        see(&pairing, &game, &standings);
                        if self.is_decided(&standings) {
                            queue.end();
                        }
                    }
                    Err(failure) => {
                        queue.end();
                        error = Some(failure);
                    }
                }
            }
            error.map_or(Ok(()), Err)
        })?;
        Ok(standings)
    }

    /// The final order of the players, if the tournament was played to its end and its form gives one;
    /// see [`Schedule::order`].
    pub fn order(&self, standings: &Standings) -> Option<Vec<usize>> {
        let mut schedule = self.schedule.clone();
        schedule.extend(&standings.results);
        schedule.order(&standings.results)
    }

    /// The number of games in the end, as far as these standings tell; see [`Schedule::games_in_all`].
    pub fn games_in_all(&self, standings: &Standings) -> usize {
        let mut schedule = self.schedule.clone();
        schedule.extend(&standings.results);
        schedule.games_in_all()
    }

    /// Returns the `Round` tag of a game after these results: round, board and game, or the number of the game
    /// if there are no rounds.
    pub fn round(&self, standings: &Standings, pairing: &Pairing) -> String {
        let mut schedule = self.schedule.clone();
        schedule.extend(&standings.results);
        let in_rounds = schedule.rounds_in_all() > 1;
        let tag = in_rounds.then(|| schedule.round_tag(pairing.game)).flatten();
        tag.map_or_else(|| (pairing.game + 1).to_string(), |tag| tag.to_string())
    }

    /// The players in the order of [`Self::order`] or, if there is none yet, by the rounds that are over (in
    /// a Swiss tournament) or by their scores.
    pub fn ranking(&self, standings: &Standings) -> Vec<usize> {
        let swiss = || {
            let mut schedule = self.schedule.clone();
            schedule.extend(&standings.results);
            let rows = schedule.swiss(&standings.results)?;
            Some(rows.iter().map(|row| row.player).collect())
        };
        self.order(standings).or_else(swiss).unwrap_or_else(|| {
            let mut order: Vec<usize> = (0..self.entrants.len()).collect();
            let score = |player: usize| standings.tallies[player].score();
            order.sort_by(|&a, &b| score(b).total_cmp(&score(a)));
            order
        })
    }

    /// The standings after the games of a journal, which are in the order in which they were played. The
    /// rounds of a Swiss tournament are as these games tell them; see [`Schedule::take_over`].
    ///
    /// # Errors
    /// If they are not games of this tournament.
    pub fn resume(&mut self, entries: &[MatchEntry]) -> Result<Standings, ResumeError> {
        /// Openings take time to make, so only the last are compared: a build that makes others makes
        /// most of them differently.
        const COMPARED: usize = 20;
        let mut standings = Standings::new(self.entrants.len());
        self.schedule.take_over(entries.iter().map(|entry| (entry.game, entry.white, entry.black)));
        let mut schedule = self.schedule.clone();
        for (i, entry) in entries.iter().enumerate() {
            let pairing = schedule
                .game(entry.game)
                .filter(|game| (game.white, game.black) == (entry.white, entry.black))
                .filter(|game| schedule.has(game) && !standings.results.contains_key(&game.game))
                .ok_or(ResumeError::Game(entry.game))?;
            if i + COMPARED >= entries.len() {
                let now = self.openings.get(pairing.opening).end().to_fen();
                if now != entry.opening {
                    let (game, before) = (entry.game, entry.opening.clone());
                    return Err(ResumeError::Opening { game, before, now });
                }
            }
            standings.add(&pairing, entry.score);
            schedule.extend(&standings.results);
        }
        Ok(standings)
    }

    /// What the test says of these standings; open without a test.
    pub fn verdict(&self, standings: &Standings) -> SprtVerdict {
        match (self.sprt, standings.pairs.first().and_then(|row| row.get(1))) {
            (Some(sprt), Some(pairs)) => sprt.verdict(pairs),
            _ => SprtVerdict::Open,
        }
    }

    /// Whether the test has stopped the match. A share of a match is never stopped: it does not decide
    /// the match to which it belongs, and to test each share by itself would be to test too often.
    fn is_decided(&self, standings: &Standings) -> bool {
        !self.schedule.is_share() && self.verdict(standings) != SprtVerdict::Open
    }

    /// Plays games from the queue until there are no more.
    fn work(&self, queue: &Queue, interrupt: &Interrupt, sender: &mpsc::Sender<PlayedGame<G>>) {
        let mut players: Vec<Player<G>> =
            self.entrants.iter().map(|entrant| self.player(entrant, interrupt)).collect();
        while let Some(pairing) = queue.take(interrupt) {
            let Pairing { white, black, opening, .. } = pairing;
            if !interrupt.wait(self.start_delay) {
                return;
            }
            let Ok([first, second]) = players.get_disjoint_mut([white, black]) else { return };
            let controls = [white, black].map(|player| self.control(player));
            let opening = self.openings.get(opening);
            [&*first, &*second].into_iter().for_each(|player| player.enter(pairing.game));
            self.watchers.tell(&MatchEvent::GameStarted(&pairing, &opening));
            let see = |made: MadeMove<'_, G>| {
                self.watchers.tell(&MatchEvent::Moved(&pairing, made));
            };
            let played = game::play([first, second], controls, &opening, &self.rules, see);
            self.log.iter().for_each(LineLog::flush);
            let report = played.map(|game| (pairing, game)).map_err(|failure| {
                let name = match &failure {
                    Failure::Start { program, .. } => program.clone(),
                    _ => format!("game {}", pairing.game + 1),
                };
                TournamentError { name, failure }
            });
            if sender.send(report).is_err() {
                return;
            }
        }
    }

    fn player(&self, entrant: &Arc<Entrant>, interrupt: &Interrupt) -> Player<G> {
        let tap = self.log.as_ref().map(|log| log.tap(&entrant.name));
        Player::new(Arc::clone(entrant), self.rules.variant, self.patience, interrupt.clone())
            .logged(tap)
    }

    /// The names of the entrants.
    pub fn names(&self) -> Vec<String> {
        self.entrants.iter().map(|entrant| entrant.name.clone()).collect()
    }

    /// The control of an entrant.
    pub fn control(&self, player: usize) -> &TimeControl {
        self.entrants[player].control.as_ref().unwrap_or(&self.rules.control)
    }
}
