//! The state of the full-screen view, except for the running games.

use crate::arena::game::contest::Contest;
use crate::arena::tournament::{Standings, Tournament};
use std::collections::VecDeque;
use std::time::Instant;

const MAX_MESSAGES: usize = 100;

#[derive(Debug)]
pub(crate) struct State {
    pub engines: Vec<String>,
    /// Total number of games in the match.
    pub games: u64,
    /// Number of finished games.
    pub played: u64,
    /// Number of games finished before the match was resumed.
    before: u64,
    started: Instant,
    pub headline: String,
    pub rows: Vec<Row>,
    /// Results of finished games, warnings, and transcripts of failed engines, newest last.
    pub messages: VecDeque<String>,
    pub interrupted: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    pub engine: usize,
    pub games: u64,
    pub points: String,
    pub score: f64,
    pub elo: f64,
    pub error: f64,
}

impl State {
    pub(crate) fn new(engines: Vec<String>, games: usize) -> Self {
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

    pub(crate) fn resume<G: Contest>(&mut self, tournament: &Tournament<G>, standings: &Standings) {
        self.before = standings.games();
        self.score(tournament, standings);
    }

    pub(crate) fn add_message(&mut self, line: &str) {
        self.messages.push_back(line.to_owned());
        while self.messages.len() > MAX_MESSAGES {
            self.messages.pop_front();
        }
    }

    pub(crate) fn score<G: Contest>(&mut self, tournament: &Tournament<G>, standings: &Standings) {
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

    /// Returns the number of games per minute since the match was started or resumed.
    pub(crate) fn speed(&self) -> f64 {
        let minutes = self.started.elapsed().as_secs_f64() / 60.0;
        (self.played - self.before) as f64 / minutes.max(1e-3)
    }
}
