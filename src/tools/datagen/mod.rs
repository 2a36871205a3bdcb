//! Plays games of the engine against itself, for the tuner.
//!
//! Each game begins with random moves that lead to a balanced position, is played with a fixed number
//! of nodes for each move, and is adjudicated when its result is clear. Its quiet positions are kept as
//! EPD records (the game's own FEN, then operations): `ce` is the search's score for the side to move
//! in hundredths of a pawn or man, `c9` White's result, `id` the game. A game depends on nothing but
//! the seed, its number and the settings, so a run that was stopped can be resumed.

mod chess;
mod draughts;

use crate::base::game::Game;
use crate::base::rng::Rng;
use crate::search::control::Control;
use crate::search::driver::{Engine, Options as EngineOptions, ResourceError, Searcher};
use crate::search::limits::Limits;
use std::collections::HashSet;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// What to play.
#[derive(Clone, Debug)]
pub struct Options {
    /// The number of games, those played before included.
    pub games: usize,
    /// Nodes for each move, at least [`LEAST_NODES`].
    pub nodes: u64,
    /// Threads, at least 1, each with an engine of its own.
    pub threads: usize,
    /// The seed of all games.
    pub seed: u64,
}

/// With fewer nodes a search may not finish its first iteration, and has no score to judge by.
pub const LEAST_NODES: u64 = 20;

/// A game that the engine plays against itself.
pub trait SelfPlay: Game {
    /// The search that plays it.
    type Searcher: Searcher<Move = Self::Move>;

    /// The number of random moves at the beginning.
    const OPENING: Range<usize>;

    /// The root of a search from the position; `history` holds the keys of the game's earlier
    /// positions, oldest first.
    fn root(&self, history: &[u64]) -> <Self::Searcher as Searcher>::Root;

    /// The result if the rules end the game here; `repeated` if the position has now occurred three
    /// times.
    fn over(&self, repeated: bool) -> Option<&'static str>;

    /// The position as EPD if it is one to learn from: quiet, with a best move `m` that is quiet too.
    fn quiet(&self, m: Self::Move) -> Option<String>;
}

/// Why games cannot be played or kept.
#[derive(Debug, thiserror::Error)]
pub enum DatagenError {
    /// The nodes of a move are too few.
    #[error("{0} nodes for each move are too few: at least {LEAST_NODES} are needed")]
    Nodes(u64),
    /// There is no memory or no thread for an engine.
    #[error(transparent)]
    Engine(#[from] ResourceError),
    /// A thread cannot be started.
    #[error("the threads cannot be started")]
    Threads(#[source] io::Error),
    /// The games cannot be written.
    #[error("cannot write the positions")]
    Write(#[from] io::Error),
}

/// How far a run is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Progress {
    /// Games finished, those played before included.
    pub games: usize,
    /// Positions written in this run.
    pub positions: usize,
}

/// The size of each engine's table in units of 2^20 bytes; searches are short.
const HASH_MB: usize = 4;
/// The greatest score of a balanced opening, in hundredths of a pawn or man.
const BALANCED: i32 = 120;
/// A game is won with a score of at least this many hundredths ...
const WON: i32 = 1000;
/// ... for one side in this many searches running.
const WON_PLIES: usize = 4;
/// A game is drawn, after at least this many searches, ...
const LONG: usize = 120;
/// ... with scores of at most this many hundredths ...
const LEVEL: i32 = 6;
/// ... in this many searches running.
const DRAWN_PLIES: usize = 10;
/// A game is drawn after this many searches in any case.
const LONGEST: usize = 400;

/// The numbers of the games that have positions in `text`.
pub fn games_in(text: &str) -> HashSet<usize> {
    text.lines()
        .filter_map(|line| line.rsplit_once("id \"game ")?.1.split_once('"')?.0.parse().ok())
        .collect()
}

/// Plays the games that are not among `done` and writes their positions to `out`, until `stop` is
/// set. `report` is called after each game, from any thread.
///
/// # Errors
/// If games cannot be played or kept; those that were finished before have been written.
pub fn run<G: SelfPlay>(
    options: &Options,
    done: &HashSet<usize>,
    out: &mut (dyn Write + Send),
    stop: &AtomicBool,
    report: &(dyn Fn(Progress) + Sync),
) -> Result<(), DatagenError> {
    if options.nodes < LEAST_NODES {
        return Err(DatagenError::Nodes(options.nodes));
    }
    let next = AtomicUsize::new(0);
    let shared = Mutex::new((out, Progress::default()));
    let worker = || -> Result<(), DatagenError> {
        let mut engine = Engine::<G::Searcher>::new(EngineOptions {
            hash_mb: HASH_MB,
            ..EngineOptions::default()
        })?;
        while !stop.load(Relaxed) {
            let number = next.fetch_add(1, Relaxed);
            if number >= options.games {
                break;
            }
            let game =
                (!done.contains(&number)).then(|| play::<G>(&mut engine, options, number, stop));
            let (text, positions) = match game {
                Some(None) => break,
                Some(Some(game)) => (game.records(number), game.quiet.len()),
                None => (String::new(), 0),
            };
            let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
            shared.0.write_all(text.as_bytes())?;
            shared.1.games += 1;
            shared.1.positions += positions;
            report(shared.1);
        }
        Ok(())
    };
    thread::scope(|scope| {
        let start = |_| thread::Builder::new().spawn_scoped(scope, worker);
        let threads: Vec<_> = (0..options.threads.max(1)).map(start).collect();
        if threads.iter().any(Result::is_err) {
            // Those that were started begin no further game.
            next.store(options.games, Relaxed);
        }
        threads.into_iter().try_for_each(|thread| {
            let thread = thread.map_err(DatagenError::Threads)?;
            thread.join().unwrap_or_else(|panic| resume_unwind(panic))
        })
    })
}

/// A finished game.
struct PlayedOut {
    /// Its quiet positions as EPD, each with the search's score.
    quiet: Vec<(String, i32)>,
    result: &'static str,
}

impl PlayedOut {
    /// The EPD records of its positions, a line each.
    fn records(&self, number: usize) -> String {
        let mut text = String::new();
        let result = self.result;
        for (position, score) in &self.quiet {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{position} ce {score}; c9 \"{result}\"; id \"game {number}\";");
        }
        text
    }
}

/// A game in progress: its position, and the keys of the positions before it, oldest first.
struct Line<G> {
    position: G,
    history: Vec<u64>,
}

impl<G: SelfPlay> Line<G> {
    /// A game after some random moves; `None` if these ended it.
    fn opening(rng: &mut Rng) -> Option<Self> {
        let mut line = Self { position: G::start(), history: Vec::new() };
        for _ in 0..G::OPENING.start + rng.below(G::OPENING.len()) {
            let moves = line.position.moves();
            if moves.is_empty() {
                return None;
            }
            line.play(moves[rng.below(moves.len())]);
        }
        Some(line)
    }

    fn play(&mut self, m: G::Move) {
        self.history.push(self.position.key());
        self.position = self.position.after(m);
    }

    /// The result, if the rules have ended the game.
    fn over(&self) -> Option<&'static str> {
        let key = self.position.key();
        self.position.over(self.history.iter().filter(|&&earlier| earlier == key).count() >= 2)
    }

    /// The best move and its score for the side to move; `None` without a move.
    fn search(&self, engine: &mut Engine<G::Searcher>, nodes: u64) -> Option<(G::Move, i32)> {
        let root = self.position.root(&self.history);
        let outcome = engine.search(&root, &Limits::nodes(nodes), &Control::new(), &|_| {});
        Some((outcome.best?, outcome.info?.score.centipawns()))
    }
}

/// A balanced opening; `None` if stopped.
fn balanced<G: SelfPlay>(
    engine: &mut Engine<G::Searcher>,
    rng: &mut Rng,
    nodes: u64,
    stop: &AtomicBool,
) -> Option<Line<G>> {
    while !stop.load(Relaxed) {
        engine.clear();
        if let Some(line) = Line::<G>::opening(rng)
            && let Some((_, score)) = line.search(engine, nodes)
            && score.abs() <= BALANCED
        {
            return Some(line);
        }
    }
    None
}

/// Plays one game; `None` if stopped.
fn play<G: SelfPlay>(
    engine: &mut Engine<G::Searcher>,
    options: &Options,
    number: usize,
    stop: &AtomicBool,
) -> Option<PlayedOut> {
    let mut rng = Rng::new(options.seed ^ (number as u64).wrapping_mul(0xd6e8_feb8_6659_fd93));
    let mut line = balanced::<G>(engine, &mut rng, options.nodes, stop)?;
    let mut quiet = Vec::new();
    // From White's point of view, one for each search.
    let mut scores = Vec::new();
    let result = loop {
        if stop.load(Relaxed) {
            return None;
        }
        if let Some(result) = line.over().or_else(|| adjudicated(&scores)) {
            break result;
        }
        // A forced move is not worth a search.
        if let [m] = line.position.moves()[..] {
            line.play(m);
            continue;
        }
        let Some((m, score)) = line.search(engine, options.nodes) else { break "1/2-1/2" };
        scores.push(if line.position.side().is_white() { score } else { -score });
        if score.abs() < 2 * WON
            && let Some(position) = line.position.quiet(m)
        {
            quiet.push((position, score));
        }
        line.play(m);
    };
    Some(PlayedOut { quiet, result })
}

/// The result of a game that is clear from its scores, which are from White's point of view.
fn adjudicated(scores: &[i32]) -> Option<&'static str> {
    let last = |plies: usize| scores.get(scores.len().checked_sub(plies)?..);
    if let Some(last) = last(WON_PLIES) {
        if last.iter().all(|&score| score >= WON) {
            return Some("1-0");
        }
        if last.iter().all(|&score| score <= -WON) {
            return Some("0-1");
        }
    }
    let level = last(DRAWN_PLIES).is_some_and(|last| last.iter().all(|s| s.abs() <= LEVEL));
    (scores.len() >= LONGEST || scores.len() >= LONG && level).then_some("1/2-1/2")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{self, epd};
    use crate::draughts;

    fn games<G: SelfPlay>(options: &Options, done: &HashSet<usize>) -> String {
        let mut out = Vec::new();
        run::<G>(options, done, &mut out, &AtomicBool::new(false), &|_| {}).expect("games");
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn a_broken_run_goes_on_with_the_same_games() {
        goes_on::<chess::Position>();
        goes_on::<draughts::Position>();
    }

    fn goes_on<G: SelfPlay>() {
        let options = Options { games: 4, nodes: 60, threads: 1, seed: 5 };
        let whole = games::<G>(&options, &HashSet::new());
        let first = games::<G>(&Options { games: 2, ..options.clone() }, &HashSet::new());
        let done = games_in(&first);
        assert_eq!(done, HashSet::from([0, 1]));
        let rest = games::<G>(&Options { threads: 2, ..options }, &done);
        let sorted = |text: &str| {
            let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
            lines.sort();
            lines
        };
        assert_eq!(sorted(&(first + &rest)), sorted(&whole));
    }

    #[test]
    fn records_can_be_read_again() {
        let text = games::<chess::Position>(
            &Options { games: 2, nodes: 60, threads: 1, seed: 6 },
            &HashSet::new(),
        );
        let mut records = 0;
        for (line, record) in epd::records(&text) {
            let record = record.unwrap_or_else(|error| panic!("line {line}: {error}"));
            assert!(!record.position.in_check());
            assert!(record.get("ce").is_some() && record.get("c9").is_some());
            records += 1;
        }
        assert!(records > 20, "{records}");
    }

    #[test]
    fn draughts_records_can_be_learnt_from() {
        let options = Options { games: 2, nodes: 60, threads: 1, seed: 6 };
        let text = games::<draughts::Position>(&options, &HashSet::new());
        for line in text.lines() {
            let fen = line.split(' ').next().expect("a FEN");
            let position: draughts::Position = fen.parse().expect(fen);
            assert!(!position.can_capture(), "{line}");
            assert!(line.contains(" ce ") && line.contains(" c9 \"") && line.ends_with("\";"));
        }
        assert!(text.lines().count() > 20, "{text}");
    }

    /// So few nodes give no score, by which no opening is balanced.
    #[test]
    fn too_few_nodes_are_refused() {
        for nodes in 0..LEAST_NODES {
            let options = Options { games: 1, nodes, threads: 1, seed: 1 };
            let (done, stop) = (HashSet::new(), AtomicBool::new(false));
            let ran = run::<chess::Position>(&options, &done, &mut Vec::new(), &stop, &|_| {});
            assert!(matches!(ran, Err(DatagenError::Nodes(n)) if n == nodes), "{nodes}");
        }
        let options = Options { games: 2, nodes: LEAST_NODES, threads: 1, seed: 1 };
        for text in [
            games::<chess::Position>(&options, &HashSet::new()),
            games::<draughts::Position>(&options, &HashSet::new()),
        ] {
            assert!(!text.is_empty());
        }
    }

    #[test]
    fn a_stop_ends_a_run_before_its_first_game() {
        let options = Options { games: 1, nodes: 60, threads: 2, seed: 1 };
        let (mut out, stop) = (Vec::new(), AtomicBool::new(true));
        run::<chess::Position>(&options, &HashSet::new(), &mut out, &stop, &|_| {}).expect("ran");
        assert_eq!(out, b"");
    }
}
