//! What the full-screen view knows.

use adoube::arena::game::contest::Contest;
use adoube::arena::show::watch::{MadeMove, MatchEvent};
use adoube::arena::tournament::{Standings, Tournament};
use adoube::base::game::MoveForm;
use adoube::base::side::Side;
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

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
    /// The running games by their numbers, from 1.
    pub boards: BTreeMap<usize, Board>,
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

/// A running game.
#[derive(Clone, PartialEq, Debug)]
pub struct Board {
    /// The squares, as [`Contest::squares`] writes them.
    pub squares: String,
    pub players: [usize; 2],
    pub to_move: Side,
    /// What each engine last said: score and depth.
    pub said: [String; 2],
    /// The clocks when the last move was made, and when that was.
    pub clocks: [Option<Duration>; 2],
    pub moved: Instant,
    /// The last move, and how many the engines have made.
    pub last: String,
    pub plies: usize,
}

/// Locks a state that threads share.
pub fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Board {
    /// What a clock shows at a time; only that of the side to move runs.
    pub fn clock(&self, side: Side, now: Instant) -> Option<Duration> {
        let left = self.clocks[side.index()]?;
        let gone = if side == self.to_move { now - self.moved } else { Duration::ZERO };
        Some(left.saturating_sub(gone))
    }
}

impl State {
    /// The state of a tournament that is about to begin, kept up to date by it.
    pub fn watch<G: Contest>(tournament: &mut Tournament<G>) -> Arc<Mutex<Self>> {
        let state = Self::new(tournament.names(), tournament.schedule.games_in_all());
        let state = Arc::new(Mutex::new(state));
        let told = Arc::clone(&state);
        tournament.watchers.add(move |event| lock(&told).see(event));
        state
    }

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
            boards: BTreeMap::new(),
            messages: VecDeque::new(),
            interrupted: false,
        }
    }

    /// Takes over the score of a match that is resumed.
    pub fn resume<G: Contest>(&mut self, tournament: &Tournament<G>, standings: &Standings) {
        self.before = standings.games();
        self.score(tournament, standings);
    }

    /// Takes in an event of a game.
    pub fn see<G: Contest>(&mut self, event: &MatchEvent<'_, G>) {
        match event {
            MatchEvent::GameStarted(pairing, opening) => {
                let position = opening.end();
                let board = Board {
                    squares: position.squares(),
                    players: [pairing.white, pairing.black],
                    to_move: position.side(),
                    said: Default::default(),
                    clocks: [None, None],
                    moved: Instant::now(),
                    last: String::new(),
                    plies: 0,
                };
                self.boards.insert(pairing.game + 1, board);
            }
            MatchEvent::Moved(pairing, MadeMove { before, after, played, clocks }) => {
                let Some(board) = self.boards.get_mut(&(pairing.game + 1)) else { return };
                let mover = before.side();
                board.squares = after.squares();
                board.to_move = after.side();
                board.clocks = *clocks;
                board.moved = Instant::now();
                board.last = before.write_move(played.m, MoveForm::Record);
                board.plies += 1;
                let thought = &played.thought;
                board.said[mover.index()] = match thought.score {
                    Some(score) if thought.depth == 0 => score.to_string(),
                    Some(score) => format!("{score} depth {}", thought.depth),
                    None => String::new(),
                };
            }
        }
    }

    /// A game (numbered from 1) has ended in this way.
    pub fn ended(&mut self, game: usize, how: &str) {
        if let Some(board) = self.boards.remove(&game) {
            let [white, black] = board.players.map(|player| &self.engines[player]);
            self.say(&format!("game {game}, {white} – {black}: {how}"));
        }
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
