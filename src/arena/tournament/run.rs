//! Plays all games of a schedule, several at a time.
//!
//! Each worker has its own process for each entrant and takes games from the queue. Finished games
//! are reported on the caller's thread.

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
use crate::arena::game::record::{self, Tags};
use crate::arena::game::{self, Adjudication, GameRecord, Rules};
use crate::arena::show::watch::{MadeMove, MatchEvent, Watchers};
use crate::arena::stats::sprt::{Sprt, SprtVerdict};
use crate::base::panics::OnPanic;
use crate::laws::clock::{Budget, TimeControl};
use crate::record::games::{IllegalMove, Record};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, SystemTime};

/// A tournament to be played, of chess (`Tournament<chess::Position>`) or draughts
/// (`Tournament<draughts::Position>`).
#[derive(Debug)]
pub struct Tournament<G: Contest> {
    /// The engines that take part.
    pub entrants: Vec<Arc<Entrant>>,
    /// The schedule of games.
    pub schedule: Schedule,
    /// The openings from which games start.
    pub openings: Openings<G>,
    /// The rules for all games.
    pub rules: Rules,
    /// The number of games played in parallel.
    pub concurrency: usize,
    /// The processors to bind parallel games to, one per game. If empty, games are not bound.
    #[doc(hidden)]
    pub cores: Vec<Core>,
    /// The pause before each game.
    pub start_delay: Duration,
    /// The time after which no new game is started.
    pub max_time: Option<Duration>,
    /// A test that can stop the match early. It uses the complete game pairs of the first two
    /// entrants.
    pub sprt: Option<Sprt>,
    /// The timeouts for engines while no clock is running.
    pub patience: Patience,
    /// Callbacks for game events.
    pub watchers: Watchers<G>,
    /// A log of all lines sent to and received from the engines.
    #[doc(hidden)]
    pub log: Option<LineLog>,
}

/// An error that ends a tournament because an engine cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{name}: {failure}")]
pub struct TournamentError {
    /// The name of the entrant, program or game concerned.
    pub name: String,
    /// The reason why the engine cannot be used.
    pub failure: Failure,
}

#[derive(Debug, thiserror::Error)]
pub enum ResumeError {
    #[error("game {} does not belong to this match", .0 + 1)]
    Game(usize),
    #[error(
        "game {} started from {before}, but this build generates another opening: {now}",
        .game + 1
    )]
    Opening {
        /// The number of the game, from 0.
        game: usize,
        before: String,
        now: String,
    },
}

/// The report of a worker after a game.
struct GameReport<G: Contest> {
    played: Result<(Pairing, GameRecord<G>), TournamentError>,
    /// Dropped once the report is handled. The worker waits for this before its next game, so that a
    /// game is reported as finished before the next one is reported as started.
    _handled: mpsc::Sender<()>,
}

impl<G: Contest> Tournament<G> {
    /// Creates a tournament from the start position, with one game at a time, the default laws of
    /// the game and no adjudication.
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

    /// Starts each engine once, so that an unusable engine is reported before the first game.
    ///
    /// # Errors
    /// Returns an error for the first engine that cannot be started.
    pub fn check(&self, interrupt: &Interrupt) -> Result<(), TournamentError> {
        for entrant in &self.entrants {
            self.player(entrant, interrupt)
                .start()
                .map_err(|failure| TournamentError { name: entrant.name.clone(), failure })?;
        }
        Ok(())
    }

    /// Plays the remaining games until all are played, the SPRT is decided, `max_time` has elapsed,
    /// or `interrupt` is raised. Calls `see` with each game that has ended, even if it was aborted,
    /// and the standings after it.
    ///
    /// # Errors
    /// Returns an error if an engine cannot be run.
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
        let (sender, reports) = mpsc::channel::<GameReport<G>>();
        thread::scope(|scope| {
            for n in 0..self.concurrency.clamp(1, self.schedule.games_in_all().max(1)) {
                let (sender, queue, core) = (sender.clone(), &queue, self.cores.get(n).copied());
                scope.spawn(move || {
                    core.into_iter().for_each(Core::bind);
                    // If this worker panics, its game never gets a result. Other workers may be
                    // waiting for the result, so end the queue.
                    let _panics = OnPanic(|| queue.end());
                    self.work(queue, interrupt, &sender);
                });
            }
            drop(sender);
            let mut error = None;
            for report in reports {
                match report.played {
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

    /// Returns the final order of the players, if the tournament is complete and its format defines
    /// an order; see [`Schedule::order`].
    pub fn order(&self, standings: &Standings) -> Option<Vec<usize>> {
        let mut schedule = self.schedule.clone();
        schedule.extend(&standings.results);
        schedule.order(&standings.results)
    }

    /// Returns the total number of games, taking the results in `standings` into account. See
    /// [`Schedule::games_in_all`].
    pub fn games_in_all(&self, standings: &Standings) -> usize {
        let mut schedule = self.schedule.clone();
        schedule.extend(&standings.results);
        schedule.games_in_all()
    }

    /// Returns the `Round` tag for a game, given the results so far. The tag consists of the round,
    /// board and game numbers, or only of the game number if the tournament has no rounds or only
    /// one.
    pub fn round_tag(&self, standings: &Standings, pairing: &Pairing) -> String {
        let mut schedule = self.schedule.clone();
        schedule.extend(&standings.results);
        let in_rounds = schedule.rounds_in_all() > 1;
        let tag = in_rounds.then(|| schedule.round_tag(pairing.game)).flatten();
        tag.map_or_else(|| (pairing.game + 1).to_string(), |tag| tag.to_string())
    }

    /// Converts a finished game to a record, which is displayed as PGN or PDN. `event` is the value
    /// of the `Event` tag, and the `Date` tag is today. `standings` are the standings after the
    /// game, as passed to the callback of [`Self::run`].
    ///
    /// # Errors
    /// Fails if a move is illegal, which does not happen in games of this tournament.
    pub fn record(
        &self,
        event: &str,
        pairing: &Pairing,
        game: &GameRecord<G>,
        standings: &Standings,
    ) -> Result<Record<G>, IllegalMove<G::Move>> {
        let players = [pairing.white, pairing.black];
        let tags = Tags {
            event,
            date: SystemTime::now(),
            round: self.round_tag(standings, pairing),
            players: players.map(|player| self.entrants[player].name.as_str()),
            controls: players.map(|player| self.control(player)),
            variant: self.rules.variant,
            edition: self.rules.edition,
        };
        record::write(game, &tags)
    }

    /// Returns the players in the order of [`Self::order`] if there is one. Otherwise, the players
    /// of a Swiss tournament are ordered by its standings after the completed rounds, and the
    /// players of any other tournament by their scores per game.
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

    /// Returns the standings after the games in a journal. `entries` must be in the order in which
    /// the games were played. A Swiss tournament adopts the pairings of these games; see
    /// [`Schedule::take_over`].
    ///
    /// # Errors
    /// Returns an error if a game does not belong to this tournament or started from another
    /// opening.
    #[doc(hidden)]
    pub fn resume(&mut self, entries: &[MatchEntry]) -> Result<Standings, ResumeError> {
        /// The number of games, counted from the end of the journal, for which the opening is
        /// checked. Generating an opening takes time, and a few games are enough: if the openings
        /// that this build generates differ from those in the journal, nearly all of them differ.
        const COMPARED: usize = 20;
        let mut standings = Standings::new(self.entrants.len());
        self.schedule.take_over(entries.iter().map(|entry| (entry.game, entry.white, entry.black)));
        let mut schedule = self.schedule.clone();
        for (i, entry) in entries.iter().enumerate() {
            let pairing = schedule
                .game(entry.game)
                .filter(|game| (game.white, game.black) == (entry.white, entry.black))
                .filter(|game| {
                    schedule.contains(game) && !standings.results.contains_key(&game.game)
                })
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

    /// Returns the verdict of the SPRT for these standings, or `SprtVerdict::Open` if there is no
    /// SPRT.
    pub fn verdict(&self, standings: &Standings) -> SprtVerdict {
        match (self.sprt, standings.pairs.first().and_then(|row| row.get(1))) {
            (Some(sprt), Some(pairs)) => sprt.verdict(pairs),
            _ => SprtVerdict::Open,
        }
    }

    /// Returns whether the SPRT stops the match. A shard is never stopped, because a separate test
    /// of each shard would increase the error rates.
    pub fn is_decided(&self, standings: &Standings) -> bool {
        !self.schedule.is_shard() && self.verdict(standings) != SprtVerdict::Open
    }

    /// Plays games from the queue until it is empty.
    fn work(&self, queue: &Queue, interrupt: &Interrupt, sender: &mpsc::Sender<GameReport<G>>) {
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
            self.watchers.notify(&MatchEvent::GameStarted(&pairing, &opening));
            let see = |made: MadeMove<'_, G>| {
                self.watchers.notify(&MatchEvent::Moved(&pairing, made));
            };
            let played = game::play([first, second], controls, &opening, &self.rules, see);
            self.log.iter().for_each(LineLog::flush);
            let played = played.map(|game| (pairing, game)).map_err(|failure| {
                let name = match &failure {
                    Failure::Start { program, .. } => program.clone(),
                    _ => format!("game {}", pairing.game + 1),
                };
                TournamentError { name, failure }
            });
            let (handled, is_handled) = mpsc::channel();
            if sender.send(GameReport { played, _handled: handled }).is_err() {
                return;
            }
            // Nothing is sent: the channel closes when the report is dropped.
            is_handled.recv().ok();
        }
    }

    fn player(&self, entrant: &Arc<Entrant>, interrupt: &Interrupt) -> Player<G> {
        let tap = self.log.as_ref().map(|log| log.tap(&entrant.name));
        Player::new(Arc::clone(entrant), self.rules.variant, self.patience, interrupt.clone())
            .with_log(tap)
    }

    /// Returns the names of the entrants.
    pub fn names(&self) -> Vec<String> {
        self.entrants.iter().map(|entrant| entrant.name.clone()).collect()
    }

    /// Returns the time control of an entrant.
    pub fn control(&self, player: usize) -> &TimeControl {
        self.entrants[player].control.as_ref().unwrap_or(&self.rules.control)
    }
}
