//! Plays the engine against itself to generate training data for evaluations.
//!
//! Each game begins with random moves that lead to a balanced position. The engine searches about
//! the same number of nodes for each move, and the game is adjudicated when the result is clear.
//! The whole game is stored as a [`selfplay`](crate::record::selfplay) record. [`positions`]
//! selects the training positions in a game.
//!
//! A game depends only on the seed, its number and the settings. Runs can therefore be resumed, and
//! the shards of a run are independent.

mod chess;
mod draughts;
mod inspect;
pub mod packed;

pub(crate) use inspect::{BUCKETS, Inspection, Positions, SCORES};

use crate::base::rng::Rng;
use crate::base::shard::Shard;
use crate::eval::net::{NetError, NetFile};
use crate::record::epd::Epd;
use crate::record::games::Recorded;
use crate::record::selfplay::{
    Block, Game, GenerationSettings, Ply, ReadError, Reader, UNKNOWN_MOVE, Writer,
};
use crate::search::driver::{
    Engine, Options as EngineOptions, ResourceError, RootOf, Searchable, Searcher,
};
use crate::search::limits::Limits;
use crate::search::stop::StopHandle;
use crate::tools::workers::each_number;
use std::collections::HashSet;
use std::io::{self, Read, Write};
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

#[derive(Clone, Debug)]
pub struct Options {
    pub settings: GenerationSettings,
    /// The total number of games, including games played by earlier runs.
    pub games: usize,
    pub shard: Shard,
    pub threads: usize,
}

pub trait SelfPlay: Recorded + Searchable {
    const NAME: &'static str;
    /// The range of the number of random plies at the beginning of a game.
    const OPENING: Range<usize>;

    /// Draws a random Chess960 start position. Returns `None` if the game is not chess.
    fn draw_chess960(_: &mut Rng) -> Option<Self> {
        None
    }

    /// Returns the start position of a variant, or `None` if the game does not have this variant.
    fn variant_start(_variant: &str) -> Option<Self> {
        None
    }

    /// Returns the name of the position's variant, or an empty string for the standard game.
    fn variant_name(&self) -> &'static str {
        ""
    }

    /// Creates search resources with the network from a file. `variant` is the name of the variant,
    /// or empty for the standard game.
    fn resources(network: &NetFile, variant: &str) -> Result<ResourcesOf<Self>, NetError>;

    /// Returns White's half points if the game has ended by the rules or is decided by endgame
    /// tables.
    fn half_points(root: &RootOf<Self>) -> Option<u8>;

    fn pieces(&self) -> u32;

    /// Returns whether the position is quiet, so that its static evaluation is meaningful. `best`
    /// is the best move, if known.
    fn is_quiet(&self, best: Option<Self::Move>) -> bool;

    /// Returns whether the position is probably quiet, without a search.
    fn is_probably_quiet(&self) -> bool {
        self.is_quiet(None)
    }

    /// Encodes a move for a game record. Returns `None` if the move cannot be encoded.
    fn code(&self, m: Self::Move) -> Option<u16>;

    /// Decodes a move from a game record. Returns `None` if the move is not legal.
    fn decode(&self, code: u16) -> Option<Self::Move>;

    fn epd(&self) -> String;

    fn parse_epd(line: &str) -> Option<Epd<Self>>;
}

pub type ResourcesOf<G> = <<G as Searchable>::Searcher as Searcher>::Resources;

/// Parses a start position. An empty string means the standard start position.
fn start<G: SelfPlay>(fen: &str) -> Option<G> {
    if fen.is_empty() { Some(G::start()) } else { G::from_fen(fen).ok() }
}

fn is_third_occurrence<G: SelfPlay>(root: &RootOf<G>) -> bool {
    let key = root.position.key();
    root.history.iter().filter(|&&earlier| earlier == key).count() >= 2
}

#[derive(Debug, thiserror::Error)]
pub enum DatagenError {
    #[error(transparent)]
    Engine(#[from] ResourceError),
    #[error("cannot start {0} threads")]
    Threads(usize, #[source] io::Error),
    #[error("cannot write the games")]
    Write(#[from] io::Error),
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Progress {
    /// The number of finished games, including games played by earlier runs.
    pub games: usize,
    /// The number of training positions in the games played by this run.
    pub positions: usize,
}

/// The size of each engine's transposition table in MiB. It is small, because searches are short.
const HASH_MB: usize = 4;
/// A search is aborted after this multiple of the nodes per move, but not before
/// [`FIRST_ITERATION`] nodes.
const PATIENCE: u64 = 10;
/// A number of nodes that is always sufficient to complete the first iteration.
const FIRST_ITERATION: u64 = 5_000;
/// The maximum absolute score of a balanced opening, on the internal scale of the search.
const BALANCED: i32 = 120;
/// The score for adjudicating a win, on the internal scale of the search. A game is adjudicated as
/// won if one side has at least this score in [`WON_PLIES`] consecutive searches.
const WON: i32 = 1000;
const WON_PLIES: usize = 4;
/// The minimum number of searches before a game can be adjudicated as drawn. It is adjudicated as
/// drawn if the scores of the last [`DRAWN_PLIES`] searches are all within ±[`LEVEL`], on the
/// internal scale of the search.
const LONG: usize = 120;
const LEVEL: i32 = 6;
const DRAWN_PLIES: usize = 10;
/// The maximum number of random moves in a branch.
const BRANCH_LEN: usize = 3;
/// The number of consecutive branches that are searched before the transposition table and the
/// histories are cleared. Clearing them takes longer than the search of a branch.
const BRANCHES_PER_CLEAR: usize = 64;
/// One game in this many is held out from training.
const HELD_OUT: usize = 20;
/// The number of searches after which a game is adjudicated as drawn, whatever the scores.
const MAX_PLIES: usize = 400;
pub(crate) const MIN_NODES: u64 = 1;

/// The contents of a record file from earlier runs.
#[derive(Debug, Default)]
pub(crate) struct Earlier {
    /// The numbers of the games in the file.
    pub games: HashSet<usize>,
    /// The last settings stored in the file.
    pub settings: Option<GenerationSettings>,
    /// The length of the file in bytes, not including a partial last block left by a killed run.
    pub len: u64,
}

impl Earlier {
    /// Reads a record file. Damaged games are skipped, so that they are played again.
    pub fn read(file: impl Read) -> io::Result<Self> {
        let mut earlier = Self::default();
        let mut reader = Reader::new(file);
        while let Some(block) = reader.next() {
            match block {
                Ok(Block::Games(games)) => {
                    earlier.games.extend(games.iter().map(|game| game.number as usize));
                }
                Ok(Block::Settings(settings)) => earlier.settings = Some(settings),
                Err(ReadError::Damaged { .. }) => continue,
                Err(ReadError::Io(error)) => return Err(error),
            }
            earlier.len = reader.offset();
        }
        Ok(earlier)
    }
}

/// The destination and the controls of a run.
pub struct Output<'a> {
    /// The numbers of the games that an earlier run wrote. These games are skipped.
    pub done: &'a HashSet<usize>,
    pub out: &'a mut (dyn Write + Send),
    /// Ends the run when it is set.
    pub stop: &'a AtomicBool,
    /// Called after each game or group of branches, from any thread.
    pub report: &'a (dyn Fn(Progress) + Sync),
}

/// Plays and writes the games in the shard. The searches use `resources`. If an error occurs, the
/// games written so far remain valid.
pub fn run<G: SelfPlay>(
    options: &Options,
    resources: &ResourcesOf<G>,
    output: Output<'_>,
) -> Result<(), DatagenError> {
    let stop = output.stop;
    write_games::<G>(options, 1, output, |engine, numbers| {
        let play = |number| play::<G>(engine, &options.settings, resources, number, stop);
        numbers.map(play).collect()
    })
}

/// Searches each position with a score in `games` again and replaces the score. An unknown move is
/// replaced by the best move found. Each game is renumbered: its new number is its index in
/// `games`. Other moves, results and positions without a score remain as they are. All moves must
/// be legal. If an error occurs, the games written so far remain valid.
pub fn rescore<G: SelfPlay>(
    options: &Options,
    resources: &ResourcesOf<G>,
    games: &[Game],
    output: Output<'_>,
) -> Result<(), DatagenError> {
    let (nodes, stop) = (options.settings.nodes, output.stop);
    let group = if options.settings.branches { BRANCHES_PER_CLEAR } else { 1 };
    write_games::<G>(options, group, output, |engine, numbers| {
        engine.clear();
        let rescored = |number: usize| {
            let game = Game { number: number as u64, ..games[number].clone() };
            rescored::<G>(engine, game, resources, nodes, stop)
        };
        numbers.map(rescored).collect()
    })
}

/// Returns whether the game with this number is held out from training. Games are held out as a
/// whole, because the positions in a game are similar to each other. Branches are never held out,
/// because they are similar to the games that they branch from.
pub fn is_held_out(settings: &GenerationSettings, number: u64) -> bool {
    let mut rng = Rng::new(settings.seed ^ number.wrapping_mul(0xd6e8_feb8_6659_fd93));
    !settings.branches && rng.below(HELD_OUT) == 0
}

/// Plays one to three random moves from each training position in `games`, and returns the new
/// positions. They are games without a result, with one unknown move and the score 0. A
/// position is left out if it is unlikely to be quiet or has fewer than two legal moves. All moves
/// in `games` must be legal.
///
/// A search evaluates many positions after moves that nobody would play. A network that learned
/// only from positions in games misjudges them.
pub(crate) fn branches<G: SelfPlay>(games: &[Game], seed: u64) -> Vec<Game> {
    let mut rng = Rng::new(seed);
    let mut branches = Vec::new();
    for game in games {
        let outcome = positions::<G>(game, |position, _| {
            let mut position = position.clone();
            // One move in 5 of 9 cases, two moves in 3 of 9, three moves in 1 of 9.
            for _ in 0..=rng.below(BRANCH_LEN).min(rng.below(BRANCH_LEN)) {
                let moves = position.moves();
                if moves.is_empty() {
                    return;
                }
                position = position.after(moves[rng.below(moves.len())]);
            }
            if position.moves().len() > 1 && position.is_probably_quiet() {
                let ply = Ply { code: UNKNOWN_MOVE, score: Some(0) };
                let (number, start) = (branches.len() as u64, position.to_fen());
                branches.push(Game { number, half_points: None, start, plies: vec![ply] });
            }
        });
        debug_assert!(outcome.is_ok(), "{outcome:?}");
    }
    branches
}

/// Makes and writes the games in the shard, in groups of `group` consecutive numbers. `make`
/// receives the numbers of a group. It returns each game and the number of its training positions,
/// or `None` if the run is stopped. If an earlier run wrote only some games of a group, the whole
/// group is made again, because the games in a group may depend on each other.
fn write_games<G: SelfPlay>(
    options: &Options,
    group: usize,
    Output { done, out, stop, report }: Output<'_>,
    make: impl Fn(&mut Engine<G::Searcher>, Range<usize>) -> Option<Vec<(Game, usize)>> + Sync,
) -> Result<(), DatagenError> {
    let writer = Writer::new(out, &options.settings)?;
    let shared = Mutex::new((writer, Progress::default()));
    let prepare = || {
        let own = EngineOptions { hash_mb: HASH_MB, ..EngineOptions::default() };
        Ok(Engine::<G::Searcher>::new(own)?)
    };
    let work = |engine: &mut Engine<G::Searcher>, index| -> Result<(), DatagenError> {
        if !options.shard.contains(index) {
            return Ok(());
        }
        let numbers = index * group..options.games.min((index + 1) * group);
        let games = if numbers.clone().all(|number| done.contains(&number)) {
            Vec::new()
        } else {
            match make(engine, numbers.clone()) {
                None => return Ok(()),
                Some(games) => games,
            }
        };
        let mut shared = shared.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        shared.1.games += numbers.len();
        for (game, positions) in games {
            if !done.contains(&(game.number as usize)) {
                shared.0.push(&game)?;
                shared.1.positions += positions;
            }
        }
        report(shared.1);
        Ok(())
    };
    let refused = |error| DatagenError::Threads(options.threads, error);
    let played =
        each_number(options.threads, options.games.div_ceil(group), stop, prepare, work, refused);
    let (mut writer, _) = shared.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    writer.flush()?;
    played
}

/// Plays random moves from a start position. Returns `None` if the game ends during these moves, if
/// a move cannot be encoded, or if the variant is unknown.
pub(super) fn opening<G: SelfPlay>(
    rng: &mut Rng,
    chess960: u8,
    variant: &str,
) -> Option<(Game, RootOf<G>)> {
    let mut game = Game { number: 0, half_points: None, start: String::new(), plies: Vec::new() };
    if !variant.is_empty() {
        game.start = G::variant_start(variant)?.to_fen();
    } else if rng.below(100) < usize::from(chess960) {
        game.start = G::draw_chess960(rng).map(|position| position.to_fen()).unwrap_or_default();
    }
    let mut root = RootOf::<G>::new(start::<G>(&game.start)?);
    for _ in 0..G::OPENING.start + rng.below(G::OPENING.len()) {
        let moves = root.position.moves();
        if moves.is_empty() {
            return None;
        }
        let m = moves[rng.below(moves.len())];
        game.plies.push(Ply { code: root.position.code(m)?, score: None });
        root.play_unchecked(m);
    }
    Some((game, root))
}

/// Plays one game. Returns the game and the number of its training positions, or `None` if stopped.
fn play<G: SelfPlay>(
    engine: &mut Engine<G::Searcher>,
    settings: &GenerationSettings,
    resources: &ResourcesOf<G>,
    number: usize,
    stop: &AtomicBool,
) -> Option<(Game, usize)> {
    let mut rng = Rng::new(settings.seed ^ (number as u64).wrapping_mul(0xd6e8_feb8_6659_fd93));
    while !stop.load(Relaxed) {
        if let Some((mut game, positions)) =
            attempt::<G>(engine, settings, resources, &mut rng, stop)
        {
            game.number = number as u64;
            return Some((game, positions));
        }
    }
    None
}

/// Plays a game to its end. Returns `None` if stopped, if [`opening`] returns `None` or the opening
/// is not balanced, or if a move cannot be stored because it has no score or no code.
fn attempt<G: SelfPlay>(
    engine: &mut Engine<G::Searcher>,
    settings: &GenerationSettings,
    resources: &ResourcesOf<G>,
    rng: &mut Rng,
    stop: &AtomicBool,
) -> Option<(Game, usize)> {
    engine.clear();
    let (mut game, mut root) = opening::<G>(rng, settings.chess960, &settings.variant)?;
    root.resources.clone_from(resources);
    if !is_balanced::<G>(engine, &root, settings.nodes) {
        return None;
    }
    let mut positions = 0;
    // One score per search, from White's point of view.
    let mut scores = Vec::new();
    game.half_points = Some(loop {
        if stop.load(Relaxed) {
            return None;
        }
        if let Some(half_points) = G::half_points(&root).or_else(|| adjudicate(&scores)) {
            break half_points;
        }
        // A forced move needs no search.
        let (m, score) = match root.position.moves()[..] {
            [m] => (m, None),
            _ => {
                let (m, score) = search::<G>(engine, &root, settings.nodes)?;
                scores.push(if root.position.side().is_white() { score } else { -score });
                (m, Some(score as i16))
            }
        };
        let code = root.position.code(m)?;
        positions += usize::from(training_score(&root.position, Some(m), score).is_some());
        game.plies.push(Ply { code, score });
        root.play_unchecked(m);
    });
    Some((game, positions))
}

/// Replaces the scores of a game, without clearing the engine. Returns the game and the number of
/// its training positions, or `None` if stopped or if the start position is not legal.
fn rescored<G: SelfPlay>(
    engine: &mut Engine<G::Searcher>,
    mut game: Game,
    resources: &ResourcesOf<G>,
    nodes: u64,
    stop: &AtomicBool,
) -> Option<(Game, usize)> {
    let mut root = RootOf::<G>::new(start::<G>(&game.start)?);
    root.resources.clone_from(resources);
    let mut positions = 0;
    for ply in &mut game.plies {
        if stop.load(Relaxed) {
            return None;
        }
        let m = root.position.decode(ply.code);
        if ply.score.is_some() {
            let found = search::<G>(engine, &root, nodes);
            ply.score = found.map(|(_, score)| score as i16).or(ply.score);
            let best = m.or(found.map(|(best, _)| best));
            positions += usize::from(training_score(&root.position, best, ply.score).is_some());
            if m.is_none() {
                ply.code = best.and_then(|best| root.position.code(best)).unwrap_or(ply.code);
            }
        }
        // The move of an imported or branched position is unknown.
        let Some(m) = m else { break };
        root.play_unchecked(m);
    }
    Some((game, positions))
}

pub(super) fn is_balanced<G: SelfPlay>(
    engine: &mut Engine<G::Searcher>,
    root: &RootOf<G>,
    nodes: u64,
) -> bool {
    search::<G>(engine, root, nodes).is_some_and(|(_, score)| score.abs() <= BALANCED)
}

/// Searches on the current thread. Returns the best move and its score from the point of view of
/// the side to move, or `None` if there is no legal move.
pub(super) fn search<G: SelfPlay>(
    engine: &mut Engine<G::Searcher>,
    root: &RootOf<G>,
    nodes: u64,
) -> Option<(G::Move, i32)> {
    let limits = Limits {
        soft_nodes: Some(nodes),
        nodes: Some(nodes.saturating_mul(PATIENCE).max(FIRST_ITERATION)),
        ..Limits::default()
    };
    let outcome = engine.search_here(root, &limits, &StopHandle::new(), None);
    Some((outcome.best?, outcome.info?.internal_score.centipawns()))
}

/// Returns White's half points if the scores suffice to adjudicate the game. `scores` are from
/// White's point of view.
pub(super) fn adjudicate(scores: &[i32]) -> Option<u8> {
    let last = |plies: usize| scores.get(scores.len().checked_sub(plies)?..);
    if let Some(last) = last(WON_PLIES) {
        if last.iter().all(|&score| score >= WON) {
            return Some(2);
        }
        if last.iter().all(|&score| score <= -WON) {
            return Some(0);
        }
    }
    let level = last(DRAWN_PLIES).is_some_and(|last| last.iter().all(|s| s.abs() <= LEVEL));
    (scores.len() >= MAX_PLIES || scores.len() >= LONG && level).then_some(1)
}

/// Returns the score if the position can be used for training, which means that it was searched, is
/// quiet and is not decided.
fn training_score<G: SelfPlay>(
    position: &G,
    best: Option<G::Move>,
    score: Option<i16>,
) -> Option<i32> {
    let score = i32::from(score?);
    (score.abs() < 2 * WON && position.is_quiet(best)).then_some(score)
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReplayError {
    #[error("game {0} starts from '{1}', which is not a legal position")]
    Start(u64, String),
    #[error("game {game}: ply {ply} is not a legal move")]
    Move {
        game: u64,
        /// The ply, counted from 1.
        ply: usize,
    },
}

/// Calls `each` with every training position in a game and its score from the point of view of the
/// side to move.
pub fn positions<G: SelfPlay>(
    game: &Game,
    mut each: impl FnMut(&G, i32),
) -> Result<(), ReplayError> {
    replay::<G>(game, |position, best, score| {
        if let Some(score) = training_score(position, best, score) {
            each(position, score);
        }
    })
}

/// Calls `each` with every position in a game, the move played in it if known, and the score if the
/// position was searched. If a move is illegal, returns an error after calling `each` for the
/// earlier positions.
pub(crate) fn replay<G: SelfPlay>(
    game: &Game,
    mut each: impl FnMut(&G, Option<G::Move>, Option<i16>),
) -> Result<(), ReplayError> {
    let Some(mut position) = start::<G>(&game.start) else {
        return Err(ReplayError::Start(game.number, game.start.clone()));
    };
    for (index, ply) in game.plies.iter().enumerate() {
        let m = position.decode(ply.code);
        if m.is_none() && ply.code != UNKNOWN_MOVE {
            return Err(ReplayError::Move { game: game.number, ply: index + 1 });
        }
        each(&position, m, ply.score);
        match m {
            Some(m) => position = position.after(m),
            None => break,
        }
    }
    Ok(())
}

pub(crate) const fn result(half_points: Option<u8>) -> &'static str {
    match half_points {
        Some(0) => "0-1",
        Some(1) => "1/2-1/2",
        Some(_) => "1-0",
        None => "*",
    }
}

/// Appends the training positions in a game to `out`, one EPD line per position. `ce` is the score
/// from the point of view of the side to move, on the internal scale of the search. `c9` is the
/// result, or `*` without one, and `id` contains the number of the game.
pub(crate) fn write_epd<G: SelfPlay>(game: &Game, out: &mut String) -> Result<(), ReplayError> {
    use std::fmt::Write as _;
    let (number, result) = (game.number, result(game.half_points));
    positions::<G>(game, |position, score| {
        let epd = position.epd();
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{epd} ce {score}; c9 \"{result}\"; id \"game {number}\";");
    })
}

/// Parses a line written by [`write_epd`]. Returns a game with one position and an unknown move.
pub(crate) fn read_epd<G: SelfPlay>(line: &str, variant: &str) -> Option<Game> {
    let record = G::parse_epd(line).filter(|record| record.position.variant_name() == variant)?;
    let operand = |opcode: &str| Some(record.get(opcode)?.operands.first()?.as_str());
    let results = [None, Some(0), Some(1), Some(2)];
    let half_points = results.into_iter().find(|&found| operand("c9") == Some(result(found)))?;
    let number = operand("id")?.strip_prefix("game ")?.parse().ok()?;
    let ply = Ply { code: UNKNOWN_MOVE, score: Some(operand("ce")?.parse().ok()?) };
    Some(Game { number, half_points, start: record.position.to_fen(), plies: vec![ply] })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position as Chess;
    use crate::draughts::Position as Draughts;
    use std::sync::atomic::AtomicUsize;

    fn options(games: usize, seed: u64) -> Options {
        let settings = GenerationSettings {
            variant: String::new(),
            game: String::new(),
            program: String::new(),
            signature: 0,
            nodes: 60,
            seed,
            chess960: 50,
            branches: false,
        };
        Options { settings, games, shard: Shard::WHOLE, threads: 1 }
    }

    fn bytes<G: SelfPlay>(options: &Options, done: &HashSet<usize>) -> (Vec<u8>, usize) {
        let mut out = Vec::new();
        let positions = AtomicUsize::new(0);
        let report = |progress: Progress| positions.store(progress.positions, Relaxed);
        let (resources, stop) = (ResourcesOf::<G>::default(), AtomicBool::new(false));
        let output = Output { done, out: &mut out, stop: &stop, report: &report };
        run::<G>(options, &resources, output).expect("games");
        (out, positions.into_inner())
    }

    fn games(bytes: &[u8]) -> Vec<Game> {
        let blocks = Reader::new(bytes).map(|block| block.expect("a sound block"));
        let games = blocks.flat_map(|block| match block {
            Block::Games(games) => games,
            Block::Settings(_) => vec![],
        });
        games.collect()
    }

    fn resumes<G: SelfPlay>() {
        let whole = games(&bytes::<G>(&options(4, 5), &HashSet::new()).0);
        let (first, _) = bytes::<G>(&options(2, 5), &HashSet::new());
        let earlier = Earlier::read(&first[..]).expect("no disk");
        assert_eq!(earlier.games, HashSet::from([0, 1]));
        assert_eq!(
            (earlier.len, earlier.settings),
            (first.len() as u64, Some(options(2, 5).settings))
        );
        let torn = Earlier::read(&first[..first.len() - 1]).expect("no disk");
        assert_eq!(torn.games, HashSet::new());
        let two = Options { threads: 2, ..options(4, 5) };
        let mut parts = games(&first);
        parts.extend(games(&bytes::<G>(&two, &earlier.games).0));
        parts.sort_by_key(|game| game.number);
        assert_eq!(parts, whole);
        let mut sharded = Vec::new();
        for shard in ["1/2", "2/2"] {
            let shard = shard.parse().expect("a shard");
            let (data, _) = bytes::<G>(&Options { shard, ..options(4, 5) }, &HashSet::new());
            sharded.extend(games(&data));
        }
        sharded.sort_by_key(|game| game.number);
        assert_eq!(sharded, whole);
    }

    #[test]
    fn resumed_run_plays_the_same_games() {
        resumes::<Chess>();
        resumes::<Draughts>();
    }

    fn replays<G: SelfPlay>() -> Vec<Game> {
        let (bytes, counted) = bytes::<G>(&options(6, 6), &HashSet::new());
        let games = games(&bytes);
        let (mut visited, mut text) = (0, String::new());
        for game in &games {
            positions::<G>(game, |_, _| visited += 1).expect("legal moves");
            write_epd::<G>(game, &mut text).expect("legal moves");
        }
        assert!(
            visited > 60 && visited == counted && text.lines().count() == visited,
            "{visited} {counted}"
        );
        for line in text.lines() {
            let game = read_epd::<G>(line, "").expect(line);
            let mut again = String::new();
            write_epd::<G>(&game, &mut again).expect("a position");
            assert_eq!(again.trim_end(), line);
        }
        let mut wrong = games[0].clone();
        wrong.plies[3].code = 1;
        let error = ReplayError::Move { game: 0, ply: 4 };
        assert_eq!(positions::<G>(&wrong, |_, _| ()), Err(error));
        games
    }

    fn rescores<G: SelfPlay>() {
        let before = games(&bytes::<G>(&options(3, 7), &HashSet::new()).0);
        let rescored = |threads, done: HashSet<usize>| {
            let mut options = Options { threads, ..options(3, 7) };
            options.settings.nodes = 600;
            let (mut out, stop) = (Vec::new(), AtomicBool::new(false));
            let output = Output { done: &done, out: &mut out, stop: &stop, report: &|_| {} };
            rescore::<G>(&options, &ResourcesOf::<G>::default(), &before, output).expect("games");
            let mut games = games(&out);
            games.sort_by_key(|game| game.number);
            games
        };
        let after = rescored(2, HashSet::new());
        assert_eq!(rescored(1, HashSet::from([0, 2])), after[1..2]);
        let mut changed = 0;
        for (before, after) in before.iter().zip(&after) {
            assert_eq!(
                (before.number, before.half_points, &before.start),
                (after.number, after.half_points, &after.start)
            );
            assert_eq!(before.plies.len(), after.plies.len());
            for (before, after) in before.plies.iter().zip(&after.plies) {
                assert_eq!(before.code, after.code);
                assert_eq!(before.score.is_some(), after.score.is_some());
                changed += usize::from(before.score != after.score);
            }
        }
        assert!(after.len() == 3 && changed > 30, "{changed} of {} games", after.len());
    }

    fn branches_off<G: SelfPlay>() {
        let played = games(&bytes::<G>(&options(3, 7), &HashSet::new()).0);
        let found = branches::<G>(&played, 1);
        assert_eq!(found, branches::<G>(&played, 1));
        assert_ne!(found, branches::<G>(&played, 2));
        let mut known = HashSet::new();
        for game in &played {
            let outcome = replay::<G>(game, |position, _, _| {
                known.insert(position.to_fen());
            });
            assert_eq!(outcome, Ok(()));
        }
        let new = found.iter().filter(|branch| !known.contains(&branch.start)).count();
        assert!(found.len() > 60 && new > found.len() / 2, "{new} of {}", found.len());
        let search = |done: HashSet<usize>| {
            let (mut out, stop) = (Vec::new(), AtomicBool::new(false));
            let output = Output { done: &done, out: &mut out, stop: &stop, report: &|_| {} };
            let mut options = options(found.len(), 7);
            options.settings.branches = true;
            rescore::<G>(&options, &ResourcesOf::<G>::default(), &found, output).expect("games");
            games(&out)
        };
        let searched = search(HashSet::new());
        assert_eq!(searched.len(), found.len());
        // A resumed run finds the same scores, although branches share a transposition table.
        let half = BRANCHES_PER_CLEAR / 2;
        assert_eq!(search((0..half).collect()), searched[half..]);
        for branch in &searched {
            let position = start::<G>(&branch.start).expect("a position");
            let [Ply { code, score: Some(_) }] = branch.plies[..] else { panic!("{branch:?}") };
            assert!(position.decode(code).is_some() && branch.half_points.is_none(), "{branch:?}");
        }
        // The result of a branch is unknown in EPD, too.
        let mut text = String::new();
        searched.iter().for_each(|game| write_epd::<G>(game, &mut text).expect("legal moves"));
        let line = text.lines().next().expect("a quiet position");
        assert!(line.contains("c9 \"*\";"), "{line}");
        assert_eq!(read_epd::<G>(line, "").expect(line).half_points, None);
    }

    #[test]
    fn branches_are_new_positions_without_a_result() {
        branches_off::<Chess>();
        branches_off::<Draughts>();
    }

    #[test]
    fn rescoring_keeps_moves_and_results() {
        rescores::<Chess>();
        rescores::<Draughts>();
    }

    /// Tests that if a file is truncated at any byte, the complete games remain and the other games
    /// are played again.
    #[test]
    fn ignores_a_truncated_game() {
        let (mut file, mut done, mut ends) = (Vec::new(), HashSet::new(), Vec::new());
        for run in 1..=3 {
            file.extend(bytes::<Chess>(&options(run, 5), &done).0);
            done.insert(run - 1);
            ends.push(file.len());
        }
        let whole = games(&file);
        for cut in 0..=file.len() {
            let earlier = Earlier::read(&file[..cut]).expect("no disk");
            let left = ends.iter().filter(|&&end| end <= cut).count();
            assert_eq!(earlier.games, (0..left).collect(), "{cut}");
            let len = earlier.len as usize;
            assert!(len <= cut);
            assert!(games(&file[..len]).iter().eq(&whole[..left]), "{cut}");
        }
        let earlier = Earlier::read(&file[..ends[1] - 1]).expect("no disk");
        let mut again = file[..earlier.len as usize].to_vec();
        again.extend(bytes::<Chess>(&options(3, 5), &earlier.games).0);
        assert_eq!(games(&again), whole);
    }

    #[test]
    fn replays_games_from_their_records() {
        let games = replays::<Chess>();
        assert!(games.iter().any(|game| game.start.is_empty()));
        assert!(games.iter().any(|game| !game.start.is_empty()), "Chess960");
        assert!(replays::<Draughts>().iter().all(|game| game.start.is_empty()));
    }
}
