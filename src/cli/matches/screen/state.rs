//! What the full-screen view knows besides the running games.

use crate::arena::game::contest::Contest;
use crate::arena::tournament::{Standings, Tournament};
use std::collections::VecDeque;
use std::time::Instant;

/// How many of the last messages are kept.
const MESSAGES: usize = 100;

/// A match as it stands.
#[derive(Debug)]
pub struct State {
    pub engines: Vec<String>,
    /// Games in all, and those that have a result.
    pub games: u64,
    pub played: u64,
    /// Games that had a result before the match was resumed.
    before: u64,
    started: Instant,
    /// The score in one line.
    pub headline: String,
    pub rows: Vec<Row>,
    /// Games that ended, and what engines said that failed; the last is the newest.
    pub messages: VecDeque<String>,
    /// Whether the user has asked the match to end.
    pub interrupted: bool,
}

/// An engine's row in the standings.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    pub engine: usize,
    pub games: u64,
    pub points: String,
    pub score: f64,
    /// Elo or rating.
    pub elo: f64,
    pub error: f64,
}

impl State {
    /// The state before the first of this many games.
    pub fn new(engines: Vec<String>, games: usize) -> Self {
        Self {
            engines,
            games: games as u64,
            played: 0,
            before: 0,
            started: Instant::now(),
            headline: String::new(),
            rows: Vec::new(),
            messages: VecDeque::new(),
            interrupted: false,
        }
    }

    /// Takes over the score of a match that is resumed.
    pub fn resume<G: Contest>(&mut self, tournament: &Tournament<G>, standings: &Standings) {
        self.before = standings.games();
        self.score(tournament, standings);
    }

    /// Adds a message.
    pub fn say(&mut self, line: &str) {
        self.messages.push_back(line.to_owned());
        while self.messages.len() > MESSAGES {
            self.messages.pop_front();
        }
    }

    /// Updates the score.
    pub fn score<G: Contest>(&mut self, tournament: &Tournament<G>, standings: &Standings) {
        self.played = standings.games();
        let two = self.engines.len() == 2;
        let ratings = standings.ratings();
        let row = |player: usize| {
            let tally = &standings.tallies[player];
            let elo = if two { standings.pairs_of(player).elo() } else { ratings.of(player, None) };
            Row {
                engine: player,
                games: tally.games(),
                points: tally.points_text(),
                score: tally.score(),
                elo: elo.value,
                error: elo.error,
            }
        };
        self.rows = tournament.ranking(standings).into_iter().map(row).collect();
    }

    /// Games a minute, since the match began or was resumed.
    pub fn speed(&self) -> f64 {
        let minutes = self.started.elapsed().as_secs_f64() / 60.0;
        (self.played - self.before) as f64 / minutes.max(1e-3)
    }
}
