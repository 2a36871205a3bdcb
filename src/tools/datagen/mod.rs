//! Games of the engine against itself, for the tuner.
//!
//! Each game begins with random moves that leave it balanced, is played with a fixed number of
//! nodes for each move, and is given up when its result is plain. What is kept are its quiet
//! positions, as EPD records (the game's own FEN, then operations): `ce` is the search's score from
//! the side to move in hundredths of a pawn or man, `c9` the result from White, `id` the game. A game depends on nothing but the seed, its number and
//! the settings, so a run that was broken off goes on where it stopped.

mod chess;
mod draughts;

pub use chess::Chess;
pub use draughts::Draughts;

use crate::base::rng::Rng;
use crate::base::side::Side;
use crate::search::control::Control;
use crate::search::driver::{Engine, Options as EngineOptions, ResourceError, Searcher};
use crate::search::limits::Limits;
use std::collections::HashSet;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

/// What to play.
#[derive(Clone, Debug)]
pub struct Options {
    /// Games, those played before included.
    pub games: usize,
    /// Nodes for each move.
    pub nodes: u64,
    /// Threads, each with an engine of its own.
    pub threads: usize,
    /// The seed of all games.
    pub seed: u64,
}

/// What a game brings to be played against itself.
pub trait SelfPlay: Sized {
    /// Its search.
    type Searcher: Searcher;

    /// How many random moves begin a game.
    const OPENING: Range<usize>;

    /// Where games start.
    fn start() -> Root<Self>;

    /// The game after a move.
    fn after(root: Root<Self>, m: Move<Self>) -> Root<Self>;

    /// The result of a game that the rules have ended; repetitions count from the second time on.
    fn over(root: &Root<Self>) -> Option<&'static str>;

    /// The side to move.
    fn side(root: &Root<Self>) -> Side;

    /// The position as its EPD writes it, where it is one to learn from: quiet, and the best move
    /// `m` does not change that.
    fn quiet(root: &Root<Self>, m: Move<Self>) -> Option<String>;
}

/// Where a search of the game starts.
type Root<G> = <<G as SelfPlay>::Searcher as Searcher>::Root;
/// A move of the game.
type Move<G> = <<G as SelfPlay>::Searcher as Searcher>::Move;

/// Why no games can be played.
#[derive(Debug, thiserror::Error)]
pub enum DatagenError {
    /// No engine.
    #[error(transparent)]
    Engine(#[from] ResourceError),
    /// The games cannot be written.
    #[error("cannot write the positions")]
    Write(#[from] io::Error),
}

/// How far the run is.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Games finished.
    pub games: usize,
    /// Positions written in this run.
    pub positions: usize,
}

/// The size of each engine's table in units of 2^20 bytes; searches are short.
const HASH_MB: usize = 4;
/// An opening may favour one side by this many hundredths of a pawn or man.
const BALANCED: i32 = 120;
/// A game is won for the side that leads by this many hundredths ...
const WON: i32 = 1000;
/// ... in the eyes of both sides for this many plies.
const WON_PLIES: usize = 4;
/// A game is drawn from this ply on ...
const LONG: usize = 120;
/// ... once the scores of [`DRAWN_PLIES`] plies were within this many hundredths.
const LEVEL: i32 = 6;
/// See [`LEVEL`].
const DRAWN_PLIES: usize = 10;
/// No game is longer, in plies.
const LONGEST: usize = 400;

/// The numbers of the games whose positions stand in `text`.
pub fn games_in(text: &str) -> HashSet<usize> {
    text.lines()
        .filter_map(|line| line.rsplit_once("id \"game ")?.1.split_once('"')?.0.parse().ok())
        .collect()
}

/// Plays the games that are not among `done` and writes their positions to `out`, until `stop` is
/// raised.
pub fn run<G: SelfPlay>(
    options: &Options,
    done: &HashSet<usize>,
    out: &mut (dyn Write + Send),
    stop: &AtomicBool,
    report: &(dyn Fn(Progress) + Sync),
) -> Result<(), DatagenError> {
    let next = AtomicUsize::new(0);
    let shared = Mutex::new((out, Progress { games: 0, positions: 0 }));
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
            let mut shared = shared.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            shared.0.write_all(text.as_bytes())?;
            shared.1.games += 1;
            shared.1.positions += positions;
            report(shared.1);
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..options.threads.max(1)).map(|_| scope.spawn(worker)).collect();
        threads
            .into_iter()
            .try_for_each(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)))
    })
}

/// A finished game.
struct Game {
    /// Quiet positions, each as text, with the search's scores.
    quiet: Vec<(String, i32)>,
    result: &'static str,
}

impl Game {
    /// The EPD records, a line each.
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

/// A position after some random moves; none if these ended the game.
fn opening<G: SelfPlay>(rng: &mut Rng) -> Option<Root<G>> {
    let mut root = G::start();
    for _ in 0..G::OPENING.start + rng.below(G::OPENING.len()) {
        let moves = G::Searcher::root_moves(&root);
        if moves.is_empty() {
            return None;
        }
        root = G::after(root, moves[rng.below(moves.len())]);
    }
    Some(root)
}

/// Plays one game; none if it was stopped.
fn play<G: SelfPlay>(
    engine: &mut Engine<G::Searcher>,
    options: &Options,
    number: usize,
    stop: &AtomicBool,
) -> Option<Game> {
    let mut rng = Rng::new(options.seed ^ (number as u64).wrapping_mul(0xd6e8_feb8_6659_fd93));
    let mut root = loop {
        engine.clear();
        let root = opening::<G>(&mut rng);
        if let Some(root) = root
            && search::<G>(engine, &root, options.nodes)
                .is_some_and(|(_, score)| score.abs() <= BALANCED)
        {
            break root;
        }
    };
    let mut quiet = Vec::new();
    // Scores from White, ply by ply.
    let mut scores = Vec::new();
    let result = loop {
        if stop.load(Relaxed) {
            return None;
        }
        if let Some(result) = G::over(&root).or_else(|| plain(&scores)) {
            break result;
        }
        // A forced move is not worth a search.
        if let [m] = G::Searcher::root_moves(&root)[..] {
            root = G::after(root, m);
            continue;
        }
        let Some((m, score)) = search::<G>(engine, &root, options.nodes) else { break "1/2-1/2" };
        scores.push(if G::side(&root).is_white() { score } else { -score });
        if score.abs() < 2 * WON
            && let Some(position) = G::quiet(&root, m)
        {
            quiet.push((position, score));
        }
        root = G::after(root, m);
    };
    Some(Game { quiet, result })
}

/// The best move and its score, from the side to move; none without a move.
fn search<G: SelfPlay>(
    engine: &mut Engine<G::Searcher>,
    root: &Root<G>,
    nodes: u64,
) -> Option<(Move<G>, i32)> {
    let outcome = engine.search(root, &Limits::nodes(nodes), &Control::new(), &|_| {});
    Some((outcome.best?, outcome.info?.score.centipawns()))
}

/// The result of a game that need not be played out.
fn plain(scores: &[i32]) -> Option<&'static str> {
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
    use crate::chess::Epd;
    use crate::record::epd;

    fn games<G: SelfPlay>(options: &Options, done: &HashSet<usize>) -> String {
        let mut out = Vec::new();
        run::<G>(options, done, &mut out, &AtomicBool::new(false), &|_| {}).expect("games");
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn a_broken_run_goes_on_with_the_same_games() {
        goes_on::<Chess>();
        goes_on::<Draughts>();
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
        let text =
            games::<Chess>(&Options { games: 2, nodes: 60, threads: 1, seed: 6 }, &HashSet::new());
        let mut records = 0;
        for (line, record) in epd::records::<Epd>(&text) {
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
        let text = games::<Draughts>(&options, &HashSet::new());
        for line in text.lines() {
            let fen = line.split(' ').next().expect("a FEN");
            let position: crate::draughts::Position = fen.parse().expect(fen);
            assert!(!position.can_capture(), "{line}");
            assert!(line.contains(" ce ") && line.contains(" c9 \"") && line.ends_with("\";"));
        }
        assert!(text.lines().count() > 20, "{text}");
    }
}
