//! Plays all games of a schedule, several at a time, and keeps the score.
//!
//! Each worker has its own processes of each entrant and takes the next game that nobody has; where
//! the next round must wait for the last games of this one, it waits. The caller hears of each game
//! as it ends, on its own thread.

pub mod cores;
pub mod journal;
pub mod merge;
mod rounds;
pub mod schedule;

use crate::arena::engine::entrant::Entrant;
use crate::arena::engine::line_log::LineLog;
use crate::arena::engine::link::Patience;
use crate::arena::engine::player::Player;
use crate::arena::engine::process::Interrupt;
use crate::arena::engine::protocol::Failure;
use crate::arena::game::contest::Contest;
use crate::arena::game::ending::{Kind, Outcome};
use crate::arena::game::openings::Openings;
use crate::arena::game::{self, GameRecord, Rules};
use crate::arena::show::watch::{Happening, Moment, Watchers};
use crate::arena::stats::ratings::Ratings;
use crate::arena::stats::sprt::{Sprt, Verdict};
use crate::arena::stats::{Pairs, Tally};
use crate::arena::tournament::cores::Core;
use crate::arena::tournament::journal::Entry;
use crate::arena::tournament::schedule::{Pairing, Results, Schedule};
use crate::laws::clock::Control;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

/// How often a worker without a game looks whether the match was interrupted.
const LOOK_UP: Duration = Duration::from_millis(100);

/// All that a tournament needs.
#[derive(Debug)]
pub struct Tournament<G: Contest> {
    /// Who plays.
    pub entrants: Vec<Arc<Entrant>>,
    /// In which games.
    pub schedule: Schedule,
    /// From which positions.
    pub openings: Openings<G>,
    /// By which rules.
    pub rules: Rules,
    /// How many games at a time.
    pub concurrency: usize,
    /// The processor of each of these; none where the system may choose.
    pub cores: Vec<Core>,
    /// A pause before each game.
    pub start_delay: Duration,
    /// After this time no further game begins.
    pub max_time: Option<Duration>,
    /// When to stop early; looks at the first two entrants' games.
    pub sprt: Option<Sprt>,
    /// How long engines may take off the clock.
    pub patience: Patience,
    /// Who is told of the games while they are played.
    pub watchers: Watchers<G>,
    /// Where each line between the arena and the engines is logged.
    pub log: Option<LineLog>,
}

/// An engine that cannot be played with.
#[derive(Debug, thiserror::Error)]
#[error("{name}: {failure}")]
pub struct TournamentError {
    /// Which entrant.
    pub name: String,
    /// What is wrong with it.
    pub failure: Failure,
}

/// Why a match cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum ResumeError {
    /// A game that the schedule does not have, or has already had.
    #[error("game {} is not one of this match", .0 + 1)]
    Game(usize),
    /// The openings are others than they were.
    #[error(
        "game {} began from {before}, and would begin from {now} now: this build makes other random openings",
        .game + 1
    )]
    Opening {
        /// The game, from 0.
        game: usize,
        /// Its opening, when it was played.
        before: String,
        /// And now.
        now: String,
    },
}

/// What an entrant did that no engine should do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Faults {
    /// Games lost on time.
    pub time: u64,
    /// Games lost by an illegal move.
    pub illegal: u64,
    /// Games lost because the process ended.
    pub crashes: u64,
    /// Games lost because the process fell silent.
    pub stalls: u64,
}

/// The score of a tournament so far.
#[derive(Clone, Debug)]
pub struct Standings {
    /// Each entrant's results.
    pub tallies: Vec<Tally>,
    /// Each entrant's faults.
    pub faults: Vec<Faults>,
    /// Each entrant's results (row) against each other entrant (column).
    pub cross: Vec<Vec<Tally>>,
    /// The same in completed pairs of games.
    pub pairs: Vec<Vec<Pairs>>,
    /// White's half points by the number of the game.
    pub results: Results,
    /// How many games ended in which way.
    pub endings: BTreeMap<Kind, u64>,
    /// Pairs of which one game is known: half points of the lower-numbered player.
    half_pairs: BTreeMap<usize, usize>,
}

impl Standings {
    /// The score before the first game.
    pub fn new(players: usize) -> Self {
        Self {
            tallies: vec![Tally::default(); players],
            faults: vec![Faults::default(); players],
            cross: vec![vec![Tally::default(); players]; players],
            pairs: vec![vec![Pairs::default(); players]; players],
            results: Results::new(),
            endings: BTreeMap::new(),
            half_pairs: BTreeMap::new(),
        }
    }

    /// How many games have a result.
    pub fn games(&self) -> u64 {
        self.endings.values().sum()
    }

    /// The ratings of all.
    pub fn ratings(&self) -> Ratings {
        Ratings::new(&self.cross, &self.pairs)
    }

    /// One entrant's pairs against all others.
    pub fn pairs_of(&self, player: usize) -> Pairs {
        self.pairs[player].iter().fold(Pairs::default(), |mut all, pairs| {
            all.0.iter_mut().zip(pairs.0).for_each(|(a, b)| *a += b);
            all
        })
    }

    /// Counts a game.
    pub fn add(&mut self, pairing: &Pairing, outcome: Outcome) {
        let Pairing { white, black, .. } = *pairing;
        let half_points = outcome.white.min(2);
        self.results.insert(pairing.game, half_points);
        for (player, opponent, half_points) in
            [(white, black, half_points), (black, white, 2 - half_points)]
        {
            self.tallies[player].add(half_points);
            self.cross[player][opponent].add(half_points);
        }
        let (first, second) = (white.min(black), white.max(black));
        let of_first = if first == white { half_points } else { 2 - half_points };
        match self.half_pairs.remove(&pairing.pair()) {
            None => {
                self.half_pairs.insert(pairing.pair(), of_first);
            }
            Some(other) => {
                self.pairs[first][second].add(of_first + other);
                self.pairs[second][first].add(4 - of_first - other);
            }
        }
        if half_points != 1 {
            let loser = &mut self.faults[if half_points == 0 { white } else { black }];
            match outcome.kind {
                Kind::Time => loser.time += 1,
                Kind::IllegalMove => loser.illegal += 1,
                Kind::Crash => loser.crashes += 1,
                Kind::Stall => loser.stalls += 1,
                _ => {}
            }
        }
        *self.endings.entry(outcome.kind).or_default() += 1;
    }
}

type Played<G> = Result<(Pairing, GameRecord<G>), TournamentError>;

/// The games that nobody has taken yet.
#[derive(Debug)]
struct Queue {
    schedule: Schedule,
    /// Played before the match was broken off.
    played: BTreeSet<usize>,
    next: usize,
    over: bool,
    /// When the last game may begin.
    deadline: Option<Instant>,
}

/// A [`Queue`] that workers share.
#[derive(Debug)]
struct Games {
    queue: Mutex<Queue>,
    more: Condvar,
}

impl Games {
    fn new(mut schedule: Schedule, results: &Results, max_time: Option<Duration>) -> Self {
        schedule.extend(results);
        let played = results.keys().copied().collect();
        let deadline = max_time.and_then(|time| Instant::now().checked_add(time));
        let queue = Mutex::new(Queue { schedule, played, next: 0, over: false, deadline });
        Self { queue, more: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next game, waited for where its round is not laid down yet; none where there is no more.
    fn take(&self, interrupt: &Interrupt) -> Option<Pairing> {
        let mut queue = self.lock();
        while !interrupt.is_raised()
            && !queue.over
            && queue.deadline.is_none_or(|deadline| Instant::now() < deadline)
        {
            if let Some(pairing) = queue.schedule.game(queue.next) {
                queue.next += 1;
                if queue.played.contains(&pairing.game) || !queue.schedule.has(&pairing) {
                    continue;
                }
                return Some(pairing);
            }
            if queue.schedule.is_complete() {
                return None;
            }
            let woken = self.more.wait_timeout(queue, LOOK_UP);
            queue = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
        None
    }

    /// Lays down what rounds the results allow.
    fn extend(&self, results: &Results) {
        self.lock().schedule.extend(results);
        self.more.notify_all();
    }

    /// Gives out no more.
    fn end(&self) {
        self.lock().over = true;
        self.more.notify_all();
    }
}

impl<G: Contest> Tournament<G> {
    /// Starts each engine once, so that one that cannot play is known before the first game.
    pub fn check(&self, interrupt: &Interrupt) -> Result<(), TournamentError> {
        for entrant in &self.entrants {
            self.player(entrant, interrupt)
                .start()
                .map_err(|failure| TournamentError { name: entrant.name.clone(), failure })?;
        }
        Ok(())
    }

    /// Plays on from a score until all games are played, the test is decided or `interrupt` is
    /// raised, and calls `see` with each game.
    ///
    /// # Errors
    /// If an engine cannot be run.
    pub fn run(
        &self,
        mut standings: Standings,
        interrupt: &Interrupt,
        mut see: impl FnMut(&Pairing, &GameRecord<G>, &Standings),
    ) -> Result<Standings, TournamentError> {
        let queue = Games::new(self.schedule.clone(), &standings.results, self.max_time);
        if self.is_decided(&standings) {
            return Ok(standings);
        }
        let (sender, games) = mpsc::channel::<Played<G>>();
        thread::scope(|scope| {
            for n in 0..self.concurrency.clamp(1, self.schedule.games_in_all().max(1)) {
                let (sender, queue, core) = (sender.clone(), &queue, self.cores.get(n).copied());
                scope.spawn(move || {
                    core.into_iter().for_each(Core::bind);
                    self.work(queue, interrupt, &sender);
                });
            }
            drop(sender);
            let mut error = None;
            for outcome in games {
                match outcome {
                    Ok((pairing, game)) => {
                        if let Some(outcome) = game.outcome() {
                            standings.add(&pairing, outcome);
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

    /// The players in the order of a tournament that was played to its end; see [`Schedule::order`].
    pub fn order(&self, standings: &Standings) -> Option<Vec<usize>> {
        let mut schedule = self.schedule.clone();
        schedule.extend(&standings.results);
        schedule.order(&standings.results)
    }

    /// The players in the order of [`Self::order`], or where there is none by their scores.
    pub fn ranking(&self, standings: &Standings) -> Vec<usize> {
        self.order(standings).unwrap_or_else(|| {
            let mut order: Vec<usize> = (0..self.entrants.len()).collect();
            let score = |player: usize| standings.tallies[player].score();
            order.sort_by(|&a, &b| score(b).total_cmp(&score(a)));
            order
        })
    }

    /// The score after the games of a journal, in the order in which they were played.
    ///
    /// # Errors
    /// If they are not games of this tournament.
    pub fn resume(&self, entries: &[Entry]) -> Result<Standings, ResumeError> {
        /// Openings take time to make; a build that makes others makes most of them otherwise.
        const COMPARED: usize = 20;
        let mut standings = Standings::new(self.entrants.len());
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
            standings.add(&pairing, entry.outcome);
            schedule.extend(&standings.results);
        }
        Ok(standings)
    }

    /// What the test says of a score; open without a test.
    pub fn verdict(&self, standings: &Standings) -> Verdict {
        match (self.sprt, standings.pairs.first().and_then(|row| row.get(1))) {
            (Some(sprt), Some(pairs)) => sprt.verdict(pairs),
            _ => Verdict::Open,
        }
    }

    /// Whether the test says enough. Of a share it does not: the match that the share belongs to is
    /// not decided by it, and one who looks at each share alone looks too often.
    fn is_decided(&self, standings: &Standings) -> bool {
        !self.schedule.is_share() && self.verdict(standings) != Verdict::Open
    }

    fn work(&self, games: &Games, interrupt: &Interrupt, sender: &mpsc::Sender<Played<G>>) {
        let mut players: Vec<Player<G>> =
            self.entrants.iter().map(|entrant| self.player(entrant, interrupt)).collect();
        while let Some(pairing) = games.take(interrupt) {
            let Pairing { white, black, opening, .. } = pairing;
            if !interrupt.wait(self.start_delay) {
                return;
            }
            let Ok([first, second]) = players.get_disjoint_mut([white, black]) else { return };
            let controls = [white, black].map(|player| self.control(player));
            let opening = self.openings.get(opening);
            [&*first, &*second].into_iter().for_each(|player| player.enter(pairing.game));
            self.watchers.tell(&Happening::Started(&pairing, &opening));
            let see = |moment: Moment<'_, G>| {
                self.watchers.tell(&Happening::Moved(&pairing, moment));
            };
            let outcome = game::play([first, second], controls, &opening, &self.rules, see);
            self.log.iter().for_each(LineLog::flush);
            let outcome = outcome.map(|game| (pairing, game)).map_err(|failure| {
                let name = match &failure {
                    Failure::Start { program, .. } => program.clone(),
                    _ => format!("game {}", pairing.game + 1),
                };
                TournamentError { name, failure }
            });
            if sender.send(outcome).is_err() {
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
    pub fn control(&self, player: usize) -> &Control {
        self.entrants[player].control.as_ref().unwrap_or(&self.rules.control)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_count_when_both_games_are_known_and_faults_apart() {
        let mut standings = Standings::new(2);
        let pairing =
            |game: usize| Pairing { game, opening: game / 2, white: game % 2, black: 1 - game % 2 };
        // The second game of the first pair ends first.
        standings.add(&pairing(1), Outcome { white: 0, kind: Kind::Checkmate });
        standings.add(&pairing(2), Outcome { white: 1, kind: Kind::Repetition });
        assert_eq!(standings.pairs[0][1], Pairs::default());
        standings.add(&pairing(0), Outcome { white: 2, kind: Kind::IllegalMove });
        assert_eq!(standings.pairs[0][1], Pairs([0, 0, 0, 0, 1]));
        assert_eq!(standings.pairs_of(1), Pairs([1, 0, 0, 0, 0]));
        assert_eq!(standings.games(), 3);
        assert_eq!(standings.tallies[0], Tally { wins: 2, draws: 1, losses: 0 });
        assert_eq!(standings.faults[1], Faults { illegal: 1, ..Faults::default() });
        assert_eq!(standings.faults[0], Faults::default());
    }
}
