//! Game openings: read from a file, chosen from a book, or generated. Generated openings are random
//! lines or ballots. Ballots are all positions that are a given number of plies from the start
//! position. Both kinds are checked for balance.
//!
//! For a given source, opening n depends only on the seed and n, so a match can be split or resumed
//! with the same openings. A build with a different evaluation generates different openings.

use super::contest::{Contest, Variant};
use crate::base::rng::Rng;
use crate::record::epd::lines;
use crate::record::games::{Loss, Reader, Record};
use crate::search::driver::{Engine, Options, ResourceError, Root};
use crate::search::limits::Limits;
use crate::search::stop::StopHandle;
use rayon::prelude::*;
use std::collections::{HashSet, VecDeque};
use std::fmt;
use std::io::BufRead;
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};

/// An opening: a start position and the moves from it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening<G: Contest> {
    /// The position before the first move.
    pub start: G,
    /// The opening moves, which are legal. They are played before the engines take over.
    pub moves: Vec<G::Move>,
}

/// The openings of a match.
///
/// ```
/// use adoube::chess::Position;
/// use adoube::matches::{GameVariant, Opening, Openings};
///
/// let games = "1. e4 c5 *\n\n1. d4 d5 *".as_bytes();
/// let list = Opening::<Position>::from_records(games, 2, GameVariant::Standard);
/// assert!(list.faults.is_empty());
/// let openings = Openings::new(list.openings, false, 0)?;
/// assert_eq!(openings.get(0).moves.len(), 2);
/// let random = Openings::<Position>::make("random:8".parse()?, 1, GameVariant::Standard)?;
/// assert_eq!(random.count(), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Openings<G: Contest> {
    source: Source<G>,
    seed: u64,
}

#[derive(Debug)]
enum Source<G: Contest> {
    List(Vec<Opening<G>>),
    Random { plies: usize, variant: Variant, maker: Mutex<Maker<G>> },
    Book { plies: usize, book: G::Book },
}

/// A rule for generating openings, written as `random:PLIES` or `ballot:PLIES`, optionally followed
/// by `,window=CP` and `,nodes=N`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Recipe {
    /// The kind of openings.
    pub kind: OpeningKind,
    /// The length of an opening in plies.
    pub plies: usize,
    /// The balance criterion. Openings that do not satisfy it are omitted.
    pub balance: Balance,
}

/// The kinds of generated openings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OpeningKind {
    /// Random moves.
    Random,
    /// All different positions that can be reached in the given number of plies. The seed
    /// determines their order.
    Ballot,
}

/// The criterion for balanced openings: the score of a short search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Balance {
    /// The maximum absolute value of the score, in hundredths of a pawn or man.
    pub window: i32,
    /// The number of nodes of the search.
    pub nodes: u64,
}

impl Default for Balance {
    /// Returns the default criterion. Its number of nodes is enough to find hanging pieces.
    fn default() -> Self {
        Self { window: 60, nodes: 4000 }
    }
}

/// The error for text that is not a recipe.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RecipeError {
    /// An unknown kind of openings.
    #[error("unknown opening source '{0}': give random or ballot")]
    Kind(String),
    /// An invalid number of plies.
    #[error("'{text}' is not a valid number of plies: expected {from} to {to}")]
    Plies {
        /// The rejected text.
        text: String,
        /// The minimum number of plies.
        from: usize,
        /// The maximum number of plies.
        to: usize,
    },
    /// An unknown setting or an invalid value.
    #[error("unknown opening setting '{0}': give window=CENTIPAWNS or nodes=N, at least 1")]
    Word(String),
}

impl Recipe {
    /// Returns whether text given by the user is meant as a recipe rather than a file name.
    pub fn is_recipe(text: &str) -> bool {
        let name = text.split([':', ',']).next();
        matches!(name, Some("random" | "ballot"))
    }
}

impl FromStr for Recipe {
    type Err = RecipeError;

    fn from_str(text: &str) -> Result<Self, RecipeError> {
        let mut words = text.split(',');
        let first = words.next().unwrap_or_default();
        let (name, plies) = first.split_once(':').map_or((first, None), |(n, p)| (n, Some(p)));
        let (kind, usual, range) = match name {
            "random" => (OpeningKind::Random, 8, 0..=40),
            "ballot" => (OpeningKind::Ballot, 3, 1..=6),
            _ => return Err(RecipeError::Kind(name.to_owned())),
        };
        let plies = match plies {
            None => usual,
            Some(text) => text.parse().ok().filter(|n| range.contains(n)).ok_or_else(|| {
                RecipeError::Plies { text: text.to_owned(), from: *range.start(), to: *range.end() }
            })?,
        };
        let mut balance = Balance::default();
        for word in words {
            let number = |value: &str| value.parse::<u32>().ok().filter(|&n| n > 0);
            match word.split_once('=').map(|(key, value)| (key, number(value))) {
                Some(("window", Some(window))) => {
                    balance.window = i32::try_from(window).unwrap_or(i32::MAX);
                }
                Some(("nodes", Some(nodes))) => balance.nodes = nodes.into(),
                _ => return Err(RecipeError::Word(word.to_owned())),
            }
        }
        Ok(Self { kind, plies, balance })
    }
}

/// The openings in a file, and a description of each fault in the file. A game with a fault can
/// still have an opening.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpeningList<G: Contest> {
    /// The openings that could be read.
    pub openings: Vec<Opening<G>>,
    /// The faults, each with its location and the consequence.
    pub faults: Vec<String>,
}

impl<G: Contest> Default for OpeningList<G> {
    fn default() -> Self {
        Self { openings: Vec::new(), faults: Vec::new() }
    }
}

/// The error for openings that cannot be created.
#[derive(Debug, thiserror::Error)]
pub enum OpeningsError {
    /// The list is empty.
    #[error("there are no positions")]
    Empty,
    /// There are too many ballots.
    #[error("more than {MAX_BALLOTS} positions at this depth: give fewer plies")]
    TooMany,
    /// The book does not contain the start position.
    #[error("the book has no move for the start position")]
    NoStart,
    /// No opening is balanced. The field is the number of openings that were checked.
    #[error("none of the {0} positions is balanced: give a larger window=CENTIPAWNS")]
    NoneBalanced(usize),
    /// The engine that checks the balance cannot be started.
    #[error(transparent)]
    Judge(#[from] ResourceError),
}

/// The maximum number of ballots. One thread can check this many for balance in about a minute.
const MAX_BALLOTS: usize = 50_000;

impl<G: Contest> Opening<G> {
    /// Returns the position in which the engines take over.
    pub fn end(&self) -> G {
        self.moves.iter().fold(self.start.clone(), |position, &m| position.after(m))
    }

    /// Reads the positions in an EPD or FEN file, one per line. Lines that begin with `#` are
    /// comments.
    pub fn from_epd(text: &str, variant: Variant) -> OpeningList<G> {
        let mut list = OpeningList::default();
        for (number, line) in lines(text) {
            match G::read_start(line).and_then(|start| start.in_variant(variant)) {
                Ok(start) => list.openings.push(Self { start, moves: Vec::new() }),
                Err(error) => {
                    list.faults.push(format!("line {number}: {error}; the line is left out"));
                }
            }
        }
        list
    }

    /// Reads the first `plies` plies of each game in a PGN or PDN file. A game with an unreadable
    /// move in these plies is left out. If a move is illegal in the variant, the opening ends before
    /// this move.
    pub fn from_records(input: impl BufRead, plies: usize, variant: Variant) -> OpeningList<G> {
        let mut list = OpeningList::default();
        for (number, read) in (1..).zip(Reader::<G, _>::new(input)) {
            let game = match read {
                Ok(game) => game,
                Err(error) => {
                    list.faults.extend(error.faults.iter().map(ToString::to_string));
                    let Some(game) = error.game else { continue };
                    let is_cut = error.faults.iter().any(|fault| fault.loss == Loss::MainLine);
                    if is_cut && game.moves().count() < plies {
                        let left_out = "fewer moves than needed; the opening is left out";
                        list.faults.push(format!("game {number}: {left_out}"));
                        continue;
                    }
                    *game
                }
            };
            match game.start().clone().in_variant(variant) {
                Ok(start) => list.openings.push(Self::of(&game, start, plies)),
                Err(error) => {
                    list.faults.push(format!("game {number}: {error}; the game is left out"));
                }
            }
        }
        list
    }

    fn of(game: &Record<G>, start: G, plies: usize) -> Self {
        let legal = game.moves().scan(start.clone(), |position, m| {
            let legal = position.moves().contains(&m);
            legal.then(|| {
                *position = position.after(m);
                m
            })
        });
        let moves = legal.take(plies).collect();
        Self { start, moves }
    }

    /// Returns one line to each position that can be reached from `start` in `plies` plies. If
    /// several lines reach a position, returns the first of them in move-generation order.
    fn ballots(start: &G, plies: usize) -> Result<Vec<Self>, OpeningsError> {
        let mut all = vec![(start.clone(), Vec::new())];
        for _ in 0..plies {
            let mut seen = HashSet::new();
            let mut next = Vec::new();
            for (position, line) in &all {
                for m in position.moves() {
                    let after = position.after(m);
                    // Positions are compared by their hash keys, so a collision of two keys would
                    // omit a position.
                    if seen.insert(after.key()) {
                        next.push((after, [&line[..], &[m]].concat()));
                    }
                }
                if next.len() > MAX_BALLOTS {
                    return Err(OpeningsError::TooMany);
                }
            }
            all = next;
        }
        Ok(all.into_iter().map(|(_, moves)| Self { start: start.clone(), moves }).collect())
    }
}

/// The number of random openings to try before none counts as balanced.
const MAX_TRIES: usize = 1000;

impl<G: Contest> Openings<G> {
    /// Generates openings from the start position of the variant. In Chess960, each random opening
    /// begins with a random start position, and the ballots share one that depends on the seed.
    ///
    /// # Errors
    /// Fails if there are too many ballots, if no opening is balanced, or if the engine that checks
    /// the balance cannot be started.
    pub fn make(recipe: Recipe, seed: u64, variant: Variant) -> Result<Self, OpeningsError> {
        let Recipe { kind, plies, balance } = recipe;
        match kind {
            OpeningKind::Random => {
                let mut judge = Judge::new(balance)?;
                let mut rng = rng_of(seed, 0);
                let mut tries =
                    (0..MAX_TRIES).map(|_| random(plies, variant, &mut judge, &mut rng));
                let first = tries.find_map(|opening| opening);
                let first = first.ok_or(OpeningsError::NoneBalanced(MAX_TRIES))?;
                let maker = Mutex::new(Maker { judge, last: [(0, first)].into() });
                Ok(Self { source: Source::Random { plies, variant, maker }, seed })
            }
            OpeningKind::Ballot => {
                let start = G::random_start(variant, &mut Rng::new(seed));
                let all = Opening::ballots(&start, plies)?;
                let judged = all.par_chunks(64).map(|some| {
                    let mut judge = Judge::<G>::new(balance)?;
                    let balanced = some.iter().filter(|opening| judge.is_balanced(&opening.end()));
                    Ok::<Vec<_>, ResourceError>(balanced.cloned().collect())
                });
                let list = judged.collect::<Result<Vec<_>, _>>()?.concat();
                Self::new(list, true, seed).map_err(|_| OpeningsError::NoneBalanced(all.len()))
            }
        }
    }

    /// Returns the number of openings, or `None` if openings are generated on demand.
    pub const fn count(&self) -> Option<usize> {
        match &self.source {
            Source::List(list) => Some(list.len()),
            Source::Random { .. } | Source::Book { .. } => None,
        }
    }

    /// Creates openings from a book. Each opening is a line of at most `plies` random book moves,
    /// chosen in proportion to their weights.
    #[doc(hidden)]
    pub fn from_book(book: G::Book, plies: usize, seed: u64) -> Result<Self, OpeningsError> {
        match G::start().book_move(&book, &mut Rng::new(seed)) {
            Some(_) => Ok(Self { source: Source::Book { plies, book }, seed }),
            None => Err(OpeningsError::NoStart),
        }
    }

    /// Returns the start position of the game as the only opening.
    pub fn start() -> Self {
        let start = Opening { start: G::start(), moves: Vec::new() };
        Self { source: Source::List(vec![start]), seed: 0 }
    }

    /// Creates openings from a list, in order or shuffled by the seed. After the last opening, the
    /// list starts again.
    ///
    /// # Errors
    /// Fails if the list is empty.
    pub fn new(mut list: Vec<Opening<G>>, shuffle: bool, seed: u64) -> Result<Self, OpeningsError> {
        if list.is_empty() {
            return Err(OpeningsError::Empty);
        }
        if shuffle {
            Rng::new(seed).shuffle(&mut list);
        }
        Ok(Self { source: Source::List(list), seed })
    }

    /// Rotates a list of openings so that it starts with the opening at index `first`.
    #[must_use]
    pub(crate) fn starting_at(mut self, first: usize) -> Self {
        if let Source::List(list) = &mut self.source {
            let first = first % list.len().max(1);
            list.rotate_left(first);
        }
        self
    }

    /// Returns the opening with this number, from 0.
    pub fn get(&self, n: usize) -> Opening<G> {
        match &self.source {
            Source::List(list) => list[n % list.len()].clone(),
            Source::Random { plies, variant, maker } => {
                let mut maker = maker.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some((_, opening)) = maker.last.iter().find(|(number, _)| *number == n) {
                    return opening.clone();
                }
                let mut rng = rng_of(self.seed, n);
                let opening = loop {
                    if let Some(opening) = random(*plies, *variant, &mut maker.judge, &mut rng) {
                        break opening;
                    }
                };
                maker.last.truncate(Maker::<G>::MAX_CACHED - 1);
                maker.last.push_front((n, opening.clone()));
                opening
            }
            Source::Book { plies, book } => {
                let (mut position, mut moves, mut rng) =
                    (G::start(), Vec::new(), rng_of(self.seed, n));
                while moves.len() < *plies
                    && let Some(m) = position.book_move(book, &mut rng)
                {
                    moves.push(m);
                    position = position.after(m);
                }
                Opening { start: G::start(), moves }
            }
        }
    }
}

/// Returns the random number generator for opening `n`. The seed is combined with `n` and hashed,
/// so that the sequences for neighbouring openings do not overlap.
fn rng_of(seed: u64, n: usize) -> Rng {
    Rng::new(Rng::new(seed ^ (n as u64).rotate_left(32)).next_u64())
}

/// Plays random moves. Returns `None` if the game ends or the last position is not balanced.
fn random<G: Contest>(
    plies: usize,
    variant: Variant,
    judge: &mut Judge<G>,
    rng: &mut Rng,
) -> Option<Opening<G>> {
    let start = G::random_start(variant, rng);
    let mut position = start.clone();
    let mut moves = Vec::with_capacity(plies);
    while moves.len() < plies {
        let legal = position.moves();
        if legal.is_empty() {
            return None;
        }
        let m = legal[rng.below(legal.len())];
        moves.push(m);
        position = position.after(m);
    }
    // With 0 plies, the start position is accepted even if it is not balanced.
    (plies == 0 || judge.is_balanced(&position)).then_some(Opening { start, moves })
}

/// A generator of random openings. It caches recent openings, because the games of a pair share
/// their opening.
#[derive(Debug)]
struct Maker<G: Contest> {
    judge: Judge<G>,
    /// The most recent openings and their numbers, newest first.
    last: VecDeque<(usize, Opening<G>)>,
}

impl<G: Contest> Maker<G> {
    /// The maximum number of cached openings, enough for all games that start at the same time.
    const MAX_CACHED: usize = 64;
}

/// An engine that decides by a short deterministic search whether a position is balanced.
struct Judge<G: Contest> {
    engine: Engine<G::Searcher>,
    balance: Balance,
}

impl<G: Contest> fmt::Debug for Judge<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.engine.fmt(f)
    }
}

impl<G: Contest> Judge<G> {
    fn new(balance: Balance) -> Result<Self, ResourceError> {
        let options = Options { hash_mb: 1, threads: 1, ..Options::default() };
        Ok(Self { engine: Engine::new(options)?, balance })
    }

    fn is_balanced(&mut self, position: &G) -> bool {
        // Clear the transposition table, so that the result does not depend on earlier positions.
        self.engine.clear();
        let limits = Limits::nodes(self.balance.nodes);
        let outcome =
            self.engine.search(&Root::new(position.clone()), &limits, &StopHandle::new(), None);
        outcome.info.is_some_and(|info| info.score.centipawns().abs() <= self.balance.window)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::chess::Position;
    use crate::draughts;
    use proptest::prelude::*;

    fn make<G: Contest>(recipe: &str, seed: u64) -> Openings<G> {
        Openings::make(recipe.parse().unwrap(), seed, Variant::Standard).unwrap()
    }

    #[test]
    fn parses_recipes() {
        let read = |text: &str| text.parse::<Recipe>();
        let usual = Recipe { kind: OpeningKind::Random, plies: 8, balance: Balance::default() };
        assert_eq!((read("random"), read("random:8")), (Ok(usual), Ok(usual)));
        let balance = Balance { window: 40, nodes: 9 };
        assert_eq!(read("random:0,window=40,nodes=9"), Ok(Recipe { plies: 0, balance, ..usual }));
        assert_eq!(read("ballot"), Ok(Recipe { kind: OpeningKind::Ballot, plies: 3, ..usual }));
        for (text, error) in [
            ("random:41", "'41' is not a valid number of plies: expected 0 to 40"),
            ("random:", "'' is not a valid number of plies: expected 0 to 40"),
            ("ballot:0", "'0' is not a valid number of plies: expected 1 to 6"),
            ("ballots:3", "unknown opening source 'ballots': give random or ballot"),
            (
                "random,8",
                "unknown opening setting '8': give window=CENTIPAWNS or nodes=N, at least 1",
            ),
            (
                "random:8,window=0",
                "unknown opening setting 'window=0': give window=CENTIPAWNS or nodes=N, at least 1",
            ),
            (
                "ballot:3,nodes=-1",
                "unknown opening setting 'nodes=-1': give window=CENTIPAWNS or nodes=N, at least 1",
            ),
        ] {
            assert_eq!(read(text).unwrap_err().to_string(), error);
        }
        assert!(Recipe::is_recipe("random:x") && Recipe::is_recipe("ballot,"));
        assert!(!Recipe::is_recipe("random.epd") && !Recipe::is_recipe("books/ballot:3"));
    }

    proptest! {
        #[test]
        fn parses_any_text_without_panic(text in "(random|ballot)?[:,=a-z0-9 -]{0,20}|\\PC*") {
            if let Ok(recipe) = text.parse::<Recipe>() {
                prop_assert!(Recipe::is_recipe(&text) && recipe.plies <= 40);
                prop_assert!(recipe.balance.window > 0 && recipe.balance.nodes > 0);
            }
        }
    }

    /// In chess there are 400 positions after two plies, because each side has 20 first moves.
    #[test]
    fn ballots_contain_every_position_once() {
        let ballots = |plies| Opening::ballots(&Position::start(), plies);
        let all = ballots(2).unwrap();
        assert_eq!(all.len(), 400);
        let keys: HashSet<u64> = all.iter().map(|opening| opening.end().key()).collect();
        assert_eq!(keys.len(), 400);
        assert!(matches!(ballots(5), Err(OpeningsError::TooMany)));
        // In draughts there are 658 lines of three plies.
        let lines = draughts::Position::start().perft(3);
        let all = Opening::ballots(&draughts::Position::start(), 3).unwrap();
        assert!(all.len() < lines as usize && all.iter().all(|opening| opening.moves.len() == 3));
        let openings = make::<draughts::Position>("ballot:3,nodes=400", 1);
        let count = openings.count().unwrap();
        assert!(count > 100 && count < all.len(), "{count} of {}", all.len());
        let drawn: Vec<_> = (0..count).map(|n| openings.get(n)).collect();
        assert!(drawn.iter().all(|opening| all.contains(opening)));
        assert_ne!(drawn, all.iter().filter(|o| drawn.contains(o)).cloned().collect::<Vec<_>>());
        let again = make::<draughts::Position>("ballot:3,nodes=400", 1);
        assert!((0..count).all(|n| again.get(n) == drawn[n]));
        let narrow = make::<draughts::Position>("ballot:3,nodes=400,window=5", 1);
        assert!(narrow.count().unwrap() < count);
        for (recipe, count) in
            [("ballot:1,window=1,nodes=1", 20), ("random:1,window=1,nodes=1", MAX_TRIES)]
        {
            let made = Openings::<Position>::make(recipe.parse().unwrap(), 1, Variant::Standard);
            assert!(matches!(made, Err(OpeningsError::NoneBalanced(n)) if n == count));
        }
    }

    #[test]
    fn random_openings_repeat_by_seed_and_differ_by_number() {
        let openings = make::<Position>("random:8", 7);
        let mut judge = Judge::<Position>::new(Balance::default()).unwrap();
        let first: Vec<Opening<Position>> = (0..20).map(|n| openings.get(n)).collect();
        assert!((0..20).all(|n| openings.get(n) == first[n]));
        // Generate more openings than fit into the cache.
        (20..100).for_each(|n| drop(openings.get(n)));
        assert!((0..5).all(|n| openings.get(n) == first[n]));
        for (n, opening) in first.iter().enumerate() {
            assert_eq!(opening.moves.len(), 8);
            assert!(!first[..n].contains(opening), "opening {n} came twice");
            let mut position = opening.start.clone();
            for &m in &opening.moves {
                assert!(position.is_legal(m));
                position = position.play(m);
            }
            assert!(judge.is_balanced(&position), "{}", position.fen());
        }
        assert_ne!(make::<Position>("random:8", 8).get(0), first[0]);
    }

    #[test]
    fn chess960_starts_vary() {
        let recipe = "random:0".parse().unwrap();
        let openings = Openings::<Position>::make(recipe, 1, Variant::Chess960).unwrap();
        assert_ne!(openings.get(0).start, openings.get(1).start);
        assert!(openings.get(0).moves.is_empty());
    }

    #[test]
    fn rejects_openings_with_hanging_pieces() {
        let mut judge = Judge::<Position>::new(Balance::default()).unwrap();
        let mut balanced = |fen: &str| judge.is_balanced(&fen.parse().unwrap());
        assert!(balanced("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"));
        assert!(!balanced("rnbqkbnr/ppp1pppp/8/3p4/6Q1/4P3/PPPP1PPP/RNB1KBNR b KQkq - 0 2"));
        assert!(!balanced("rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2"), "mate");
    }

    #[test]
    fn reads_openings_from_epd_and_pgn() {
        let text = "\u{feff}# comment\n\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4;\n\
            8/8/8/8/8/4k3/4p3/4K3 w - - 7 60\n8/8/8/8/8/4k3/4p3/4K3 b - -\n";
        let list = Opening::<Position>::from_epd(text, Variant::Standard);
        assert_eq!((list.openings.len(), &list.faults[..]), (3, &[][..]));
        assert_eq!(list.openings[0].start, Position::start());
        let counters = "\u{feff}rnb1kbnr/ppp1pppp/8/4q3/8/2N5/PPPP1PPP/R1BQKBNR w KQkq - hmvc 2; fmvn 4;\n\
            4k3/8/8/8/8/8/4P3/4K3 w - - id \"1\"; hmvc 9; fmvn 70; =;\n\
            4k3/8/8/8/8/8/4P3/4K3 w - - 0 0 bm e4;";
        let counted = Opening::<Position>::from_epd(counters, Variant::Standard).openings;
        let counters = |o: &Opening<Position>| (o.start.halfmove_clock(), o.start.fullmove());
        assert_eq!(counted.iter().map(counters).collect::<Vec<_>>(), [(2, 4), (0, 1), (0, 1)]);
        let openings = Openings::new(list.openings, false, 0).unwrap();
        assert_eq!(openings.get(4).start.halfmove_clock(), 7, "the list starts again");
        assert!(matches!(
            Openings::<Position>::new(Vec::new(), true, 0),
            Err(OpeningsError::Empty)
        ));
        let games = "1. e4 e5 2. Nf3 *\n\n1. d4 *\n";
        let list = Opening::<Position>::from_records(games.as_bytes(), 2, Variant::Standard);
        assert_eq!(list.openings.iter().map(|o| o.moves.len()).collect::<Vec<_>>(), [2, 1]);
        assert_eq!(list.faults, [""; 0]);
    }

    #[test]
    fn counters_of_an_epd_line_belong_to_the_opening() {
        let text = "rnb1kbnr/ppp1pppp/8/4q3/8/2N5/PPPP1PPP/R1BQKBNR w KQkq - hmvc 2; fmvn 4;\n\
            4k3/8/8/8/8/8/8/4K2R w K - fmvn x; id \"broken counter\";\n";
        let list = Opening::<Position>::from_epd(text, Variant::Standard);
        let fens: Vec<_> = list.openings.iter().map(|opening| opening.start.fen()).collect();
        assert!(fens[0].ends_with(" KQkq - 2 4") && fens[1].ends_with(" K - 0 1"), "{fens:?}");
    }

    #[test]
    fn leaves_out_only_bad_lines_and_games() {
        let text = "8/8/8/8/8/4k3/4p3/4K3 w - - 0 1\nrubbish w - -\n8/8/8/8/8/4k3/4p3/4K3 b - -\n";
        let list = Opening::<Position>::from_epd(text, Variant::Standard);
        assert_eq!((list.openings.len(), list.faults.len()), (2, 1));
        assert!(list.faults[0].starts_with("line 2: "), "{:?}", list.faults);
        let games = "1. e4 *\n\n1. d4 d5 2. Ke3 *\n\n[FEN \"x\"]\n\n1. e4 *\n\n1. e4 -- 2. d4 *\n\n1. c4 *\n";
        let list = Opening::<Position>::from_records(games.as_bytes(), 8, Variant::Standard);
        let plies: Vec<_> = list.openings.iter().map(|opening| opening.moves.len()).collect();
        assert_eq!((&plies[..], list.faults.len()), (&[1, 1, 1][..], 3), "{:?}", list.faults);
    }
}
