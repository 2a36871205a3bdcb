//! The positions from which games start: read from a file, drawn from a book, or made here and balanced. Those made here
//! are random, or all positions a number of plies from the start (ballots).
//!
//! Opening n of a source depends on nothing but the seed and n, so a match can be split or resumed with
//! the same openings. (A build that evaluates positions differently makes different random ones.)

use super::contest::{Contest, StartError, Variant};
use crate::base::rng::Rng;
use crate::record::games::{Reader, Record, RecordError};
use crate::search::driver::{Engine, Options, ResourceError, Root};
use crate::search::limits::Limits;
use crate::search::stop::StopHandle;
use rayon::prelude::*;
use std::collections::{HashSet, VecDeque};
use std::fmt;
use std::io::BufRead;
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};

/// How a game starts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening<G: Contest> {
    /// The first position.
    pub start: G,
    /// The legal moves from it before the engines take over.
    pub moves: Vec<G::Move>,
}

/// A source of openings.
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

/// Openings to be made, written `random:PLIES` or `ballot:PLIES`, then optionally `,window=CP` and
/// `,nodes=N`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Recipe {
    /// How the moves are found.
    pub kind: OpeningKind,
    /// The number of moves.
    pub plies: usize,
    /// What counts as balanced; other openings are left out.
    pub balance: Balance,
}

/// How the moves of openings are found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OpeningKind {
    /// Random moves.
    Random,
    /// All moves: each position that they reach comes once, in an order drawn by the seed.
    Ballot,
}

/// When a position counts as balanced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Balance {
    /// The greatest score for either side, in hundredths of a pawn or man.
    pub window: i32,
    /// The nodes of the search that finds the score.
    pub nodes: u64,
}

impl Default for Balance {
    /// Enough nodes to see which pieces hang.
    fn default() -> Self {
        Self { window: 60, nodes: 4000 }
    }
}

/// Why a text is not a [`Recipe`].
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RecipeError {
    /// The first word is neither of the two kinds.
    #[error("'{0}' is neither random nor ballot")]
    Kind(String),
    /// The number of plies is out of range.
    #[error("'{text}' is not a number of plies from {from} to {to}")]
    Plies {
        /// What was found instead.
        text: String,
        /// The smallest number.
        from: usize,
        /// The greatest number.
        to: usize,
    },
    /// A word after the plies that is not understood.
    #[error("'{0}' is neither window=CENTIPAWNS nor nodes=N, a number from 1")]
    Word(String),
}

impl Recipe {
    /// Whether a text begins like a recipe; otherwise it is the name of a file.
    pub fn is_meant(text: &str) -> bool {
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

/// Why there are no openings.
#[derive(Debug, thiserror::Error)]
pub enum OpeningsError<E: std::error::Error + 'static> {
    /// A line that is not a position.
    #[error("line {line}: {error}")]
    Position {
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        error: StartError,
    },
    /// A game that cannot be read.
    #[error(transparent)]
    Game(#[from] RecordError<E>),
    /// A game that does not begin in a position of the variant.
    #[error("game {game}: {error}")]
    Start {
        /// The game, from 1.
        game: usize,
        /// Why not.
        error: StartError,
    },
    /// A file without positions.
    #[error("there is no position in it")]
    Empty,
    /// More ballots than can be searched in a reasonable time.
    #[error("there are more than {MAX_BALLOTS} positions after that many plies")]
    TooMany,
    /// A book that no game begins with.
    #[error("the book has no move for the start position")]
    NoStart,
    /// None of this number of positions is balanced.
    #[error("none of {0} positions is balanced")]
    NoneBalanced(usize),
    /// There is no memory or no thread for the search.
    #[error(transparent)]
    Judge(#[from] ResourceError),
}

/// One thread searches these in about a minute.
const MAX_BALLOTS: usize = 50_000;

impl<G: Contest> Opening<G> {
    /// The position in which the engines take over.
    pub fn end(&self) -> G {
        self.moves.iter().fold(self.start.clone(), |position, &m| position.after(m))
    }

    /// The positions of an EPD or FEN file, one a line; lines that begin with `#` are comments.
    ///
    /// # Errors
    /// If a line is not a position of the variant.
    pub fn from_epd(text: &str, variant: Variant) -> Result<Vec<Self>, OpeningsError<G::Error>> {
        let mut list = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let start = G::read_start(line)
                .and_then(|start| start.in_variant(variant))
                .map_err(|error| OpeningsError::Position { line: number, error })?;
            list.push(Self { start, moves: Vec::new() });
        }
        Ok(list)
    }

    /// The first `plies` moves of each game in a PGN or PDN file, as far as the variant allows them.
    ///
    /// # Errors
    /// If a game cannot be read, or begins in a position of another variant.
    pub fn from_records(
        input: impl BufRead,
        plies: usize,
        variant: Variant,
    ) -> Result<Vec<Self>, OpeningsError<G::Error>> {
        let games = (1..).zip(Reader::<G, _>::new(input)).map(|(number, game)| {
            let game: Record<G> = game?;
            let start = game.start().clone().in_variant(variant);
            let start = start.map_err(|error| OpeningsError::Start { game: number, error })?;
            let legal = game.moves().scan(start.clone(), |position, m| {
                let legal = position.moves().contains(&m);
                legal.then(|| {
                    *position = position.after(m);
                    m
                })
            });
            let moves = legal.take(plies).collect();
            Ok(Self { start, moves })
        });
        games.collect()
    }

    /// Each position `plies` plies from `start` once, with the first line that leads to it in the
    /// order of the move generator.
    ///
    /// # Errors
    /// If there are too many.
    fn ballots(start: &G, plies: usize) -> Result<Vec<Self>, OpeningsError<G::Error>> {
        let mut all = vec![(start.clone(), Vec::new())];
        for _ in 0..plies {
            let mut seen = HashSet::new();
            let mut next = Vec::new();
            for (position, line) in &all {
                for m in position.moves() {
                    let after = position.after(m);
                    // Positions with the same key may be taken for the same here.
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

impl<G: Contest> Openings<G> {
    /// Openings made by a recipe: random ones from random starts of the variant, ballots from the
    /// game's one start position.
    ///
    /// # Errors
    /// If there is no memory or no thread for the search, or if no ballot is balanced.
    pub fn make(
        recipe: Recipe,
        seed: u64,
        variant: Variant,
    ) -> Result<Self, OpeningsError<G::Error>> {
        let Recipe { kind, plies, balance } = recipe;
        match kind {
            OpeningKind::Random => {
                let maker = Maker { judge: Judge::new(balance)?, last: VecDeque::new() };
                let maker = Mutex::new(maker);
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

    /// The number of openings; `None` if they are made as they are needed.
    pub const fn count(&self) -> Option<usize> {
        match &self.source {
            Source::List(list) => Some(list.len()),
            Source::Random { .. } | Source::Book { .. } => None,
        }
    }

    /// Lines of a book, of at most `plies` moves each, drawn by the weights of the moves.
    ///
    /// # Errors
    /// If the book has no move for the start position.
    pub fn from_book(
        book: G::Book,
        plies: usize,
        seed: u64,
    ) -> Result<Self, OpeningsError<G::Error>> {
        match G::start().book_move(&book, &mut Rng::new(seed)) {
            Some(_) => Ok(Self { source: Source::Book { plies, book }, seed }),
            None => Err(OpeningsError::NoStart),
        }
    }

    /// Returns the start position as the only opening.
    pub fn start() -> Self {
        let start = Opening { start: G::start(), moves: Vec::new() };
        Self { source: Source::List(vec![start]), seed: 0 }
    }

    /// The openings of a list, in their order or shuffled by the seed. A match that needs more starts
    /// again with the first.
    ///
    /// # Errors
    /// If there are none.
    pub fn new(
        mut list: Vec<Opening<G>>,
        shuffle: bool,
        seed: u64,
    ) -> Result<Self, OpeningsError<G::Error>> {
        if list.is_empty() {
            return Err(OpeningsError::Empty);
        }
        if shuffle {
            Rng::new(seed).shuffle(&mut list);
        }
        Ok(Self { source: Source::List(list), seed })
    }

    /// The opening of number `n`.
    pub fn get(&self, n: usize) -> Opening<G> {
        match &self.source {
            Source::List(list) => list[n % list.len()].clone(),
            Source::Random { plies, variant, maker } => {
                let mut maker = maker.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some((_, opening)) = maker.last.iter().find(|(number, _)| *number == n) {
                    return opening.clone();
                }
                let opening = random(*plies, *variant, &mut maker.judge, &mut self.rng(n));
                maker.last.truncate(Maker::<G>::MAX_CACHED - 1);
                maker.last.push_front((n, opening.clone()));
                opening
            }
            Source::Book { plies, book } => {
                let (mut position, mut moves, mut rng) = (G::start(), Vec::new(), self.rng(n));
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

    /// What is random about opening `n`. Hashed, so that neighbouring numbers do not share one
    /// sequence.
    fn rng(&self, n: usize) -> Rng {
        Rng::new(Rng::new(self.seed ^ (n as u64).rotate_left(32)).next_u64())
    }
}

/// A line of random moves to a balanced position.
fn random<G: Contest>(
    plies: usize,
    variant: Variant,
    judge: &mut Judge<G>,
    rng: &mut Rng,
) -> Opening<G> {
    loop {
        let start = G::random_start(variant, rng);
        let mut position = start.clone();
        let mut moves = Vec::with_capacity(plies);
        while moves.len() < plies {
            let legal = position.moves();
            if legal.is_empty() {
                break;
            }
            let m = legal[rng.below(legal.len())];
            moves.push(m);
            position = position.after(m);
        }
        // The start position counts as balanced, whatever a search says of the first move.
        if moves.len() == plies && (plies == 0 || judge.is_balanced(&position)) {
            return Opening { start, moves };
        }
    }
}

/// Makes random openings and keeps the last ones, since the games of a pair share theirs.
#[derive(Debug)]
struct Maker<G: Contest> {
    judge: Judge<G>,
    /// The last openings with their numbers, newest first.
    last: VecDeque<(usize, Opening<G>)>,
}

impl<G: Contest> Maker<G> {
    /// The maximum number of cached openings: as many as games can start at the same time.
    const MAX_CACHED: usize = 64;
}

/// Tells balanced positions from others by a short search, which always gives the same answer.
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
        // Otherwise its table would make the answer depend on earlier positions.
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
    use crate::base::game::Game;
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
            ("random:41", "'41' is not a number of plies from 0 to 40"),
            ("random:", "'' is not a number of plies from 0 to 40"),
            ("ballot:0", "'0' is not a number of plies from 1 to 6"),
            ("ballots:3", "'ballots' is neither random nor ballot"),
            ("random,8", "'8' is neither window=CENTIPAWNS nor nodes=N, a number from 1"),
            (
                "random:8,window=0",
                "'window=0' is neither window=CENTIPAWNS nor nodes=N, a number from 1",
            ),
            (
                "ballot:3,nodes=-1",
                "'nodes=-1' is neither window=CENTIPAWNS nor nodes=N, a number from 1",
            ),
        ] {
            assert_eq!(read(text).unwrap_err().to_string(), error);
        }
        assert!(Recipe::is_meant("random:x") && Recipe::is_meant("ballot,"));
        assert!(!Recipe::is_meant("random.epd") && !Recipe::is_meant("books/ballot:3"));
    }

    proptest! {
        #[test]
        fn parses_any_text_without_panic(text in "(random|ballot)?[:,=a-z0-9 -]{0,20}|\\PC*") {
            if let Ok(recipe) = text.parse::<Recipe>() {
                prop_assert!(Recipe::is_meant(&text) && recipe.plies <= 40);
                prop_assert!(recipe.balance.window > 0 && recipe.balance.nodes > 0);
            }
        }
    }

    /// Each of the positions that 20 first moves and 20 answers make, and no other, once.
    #[test]
    fn ballots_are_all_positions_once() {
        let ballots = |plies| Opening::ballots(&Position::start(), plies);
        let all = ballots(2).unwrap();
        assert_eq!(all.len(), 400);
        let keys: HashSet<u64> = all.iter().map(|opening| opening.end().key()).collect();
        assert_eq!(keys.len(), 400);
        assert!(matches!(ballots(5), Err(OpeningsError::TooMany)));
        // In draughts 658 lines three plies long.
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
        assert!(matches!(
            Openings::<Position>::make(
                "ballot:1,window=1,nodes=1".parse().unwrap(),
                1,
                Variant::Standard
            ),
            Err(OpeningsError::NoneBalanced(20))
        ));
    }

    #[test]
    fn random_openings_repeat_by_seed_and_differ_by_number() {
        let openings = make::<Position>("random:8", 7);
        let mut judge = Judge::<Position>::new(Balance::default()).unwrap();
        let first: Vec<Opening<Position>> = (0..20).map(|n| openings.get(n)).collect();
        assert!((0..20).all(|n| openings.get(n) == first[n]));
        // More openings than are kept.
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
        let text = "# comment\n\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4; id \"a\";\n\
            8/8/8/8/8/4k3/4p3/4K3 w - - 7 60\n8/8/8/8/8/4k3/4p3/4K3 b - -\n";
        let list = Opening::<Position>::from_epd(text, Variant::Standard).unwrap();
        assert_eq!((list.len(), &list[0].start), (3, &Position::start()));
        let openings = Openings::new(list, false, 0).unwrap();
        assert_eq!(openings.get(4).start.halfmove_clock(), 7, "after the last the first");
        assert!(matches!(
            Opening::<Position>::from_epd("\nrubbish w - -", Variant::Standard),
            Err(OpeningsError::Position { line: 2, .. })
        ));
        assert!(matches!(
            Openings::<Position>::new(Vec::new(), true, 0),
            Err(OpeningsError::Empty)
        ));

        let games = "1. e4 e5 2. Nf3 *\n\n1. d4 *\n";
        let read = |text: &[u8]| Opening::<Position>::from_records(text, 2, Variant::Standard);
        let list = read(games.as_bytes()).unwrap();
        assert_eq!(list.iter().map(|o| o.moves.len()).collect::<Vec<_>>(), [2, 1]);
        assert!(matches!(read(b"1. e5 *"), Err(OpeningsError::Game(_))));
    }
}
