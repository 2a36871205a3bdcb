//! The positions that games start from: from a file, or random and balanced, made here.
//!
//! Opening n of a source depends on the seed and n alone, so a match can be split or resumed and
//! meets the same openings. (A build that judges positions otherwise makes other random ones.)

use super::contest::{Contest, Variant};
use crate::base::record::{Reader, Record, RecordError};
use crate::base::rng::Rng;
use crate::search::control::Control;
use crate::search::driver::{Engine, Options, ResourceError};
use crate::search::limits::Limits;
use std::fmt;
use std::io::BufRead;
use std::sync::{Mutex, PoisonError};

/// Where a game starts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening<G: Contest> {
    /// The first position.
    pub start: G,
    /// The moves played from it before the engines take over; legal.
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
    Random { plies: usize, variant: Variant, judge: Mutex<Judge<G>> },
}

/// Why a file has no openings.
#[derive(Debug, thiserror::Error)]
pub enum OpeningsError<E: std::error::Error + 'static> {
    /// A line that is no position.
    #[error("line {line}: {error}")]
    Position {
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        error: String,
    },
    /// A game that cannot be read.
    #[error(transparent)]
    Game(#[from] RecordError<E>),
    /// Nothing in it.
    #[error("there is no position in it")]
    Empty,
}

impl<G: Contest> Opening<G> {
    /// The position in which the engines take over.
    pub fn end(&self) -> G {
        self.moves.iter().fold(self.start.clone(), |position, &m| position.after(m))
    }

    /// The positions of an EPD or FEN file, one on a line; `#` begins a comment line.
    ///
    /// # Errors
    /// If a line is no position.
    pub fn from_epd(text: &str) -> Result<Vec<Self>, OpeningsError<G::Error>> {
        let mut list = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let start = G::read_start(line)
                .map_err(|error| OpeningsError::Position { line: number, error })?;
            list.push(Self { start, moves: Vec::new() });
        }
        Ok(list)
    }

    /// The first `plies` of each game in a PGN or PDN file.
    ///
    /// # Errors
    /// If a game cannot be read.
    pub fn from_records(
        input: impl BufRead,
        plies: usize,
    ) -> Result<Vec<Self>, OpeningsError<G::Error>> {
        let games = Reader::<G, _>::new(input).map(|game| {
            let game: Record<G> = game?;
            Ok(Self { start: game.start().clone(), moves: game.moves().take(plies).collect() })
        });
        games.collect()
    }
}

impl<G: Contest> Openings<G> {
    /// Random openings `plies` deep, balanced; from random starts of the variant.
    ///
    /// # Errors
    /// If there is no memory or no thread for the search that judges them.
    pub fn random(plies: usize, seed: u64, variant: Variant) -> Result<Self, ResourceError> {
        let judge = Mutex::new(Judge::new()?);
        Ok(Self { source: Source::Random { plies, variant, judge }, seed })
    }

    /// Given openings, in their order or shuffled by the seed. A match that needs more begins anew.
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
            Source::Random { plies, variant, judge } => {
                // Hashed, lest neighbouring numbers walk along one sequence.
                let mixed = Rng::new(self.seed ^ (n as u64).rotate_left(32)).next_u64();
                let mut judge = judge.lock().unwrap_or_else(PoisonError::into_inner);
                random(*plies, *variant, &mut judge, &mut Rng::new(mixed))
            }
        }
    }
}

/// A line of random moves to a position without a great advantage.
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
        // A start is balanced by law, whatever a search says of the first move.
        if moves.len() == plies && (plies == 0 || judge.is_balanced(&position)) {
            return Opening { start, moves };
        }
    }
}

/// Tells balanced positions from others by a short search, the same each time.
struct Judge<G: Contest>(Engine<G::Searcher>);

impl<G: Contest> fmt::Debug for Judge<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<G: Contest> Judge<G> {
    /// Enough to see what hangs.
    const NODES: u64 = 4000;
    /// Hundredths of a pawn or man that either side may be ahead.
    const WINDOW: i32 = 60;

    fn new() -> Result<Self, ResourceError> {
        let options = Options { hash_mb: 1, threads: 1, ..Options::default() };
        Ok(Self(Engine::new(options)?))
    }

    fn is_balanced(&mut self, position: &G) -> bool {
        // What it remembered would make the answer depend on the questions before.
        self.0.clear();
        let limits = Limits::nodes(Self::NODES);
        let outcome = self.0.search(&position.root(), &limits, &Control::new(), &|_| {});
        outcome.info.is_some_and(|info| info.score.centipawns().abs() <= Self::WINDOW)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::chess::Position;

    #[test]
    fn random_openings_repeat_by_seed_and_differ_by_number() {
        let openings = Openings::<Position>::random(8, 7, Variant::Standard).unwrap();
        let mut judge = Judge::<Position>::new().unwrap();
        let first: Vec<Opening<Position>> = (0..20).map(|n| openings.get(n)).collect();
        assert!((0..20).all(|n| openings.get(n) == first[n]));
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
        assert_ne!(Openings::<Position>::random(8, 8, Variant::Standard).unwrap().get(0), first[0]);
    }

    #[test]
    fn chess960_starts_vary() {
        let openings = Openings::<Position>::random(0, 1, Variant::Chess960).unwrap();
        assert_ne!(openings.get(0).start, openings.get(1).start);
        assert!(openings.get(0).moves.is_empty());
    }

    #[test]
    fn hanging_pieces_are_seen() {
        let mut judge = Judge::<Position>::new().unwrap();
        let mut balanced = |fen: &str| judge.is_balanced(&fen.parse().unwrap());
        assert!(balanced("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"));
        assert!(!balanced("rnbqkbnr/ppp1pppp/8/3p4/6Q1/4P3/PPPP1PPP/RNB1KBNR b KQkq - 0 2"));
        assert!(!balanced("rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2"), "mate");
    }

    #[test]
    fn files() {
        let text = "# comment\n\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4; id \"a\";\n\
            8/8/8/8/8/4k3/4p3/4K3 w - - 7 60\n8/8/8/8/8/4k3/4p3/4K3 b - -\n";
        let list = Opening::<Position>::from_epd(text).unwrap();
        assert_eq!((list.len(), &list[0].start), (3, &Position::start()));
        let openings = Openings::new(list, false, 0).unwrap();
        assert_eq!(openings.get(4).start.halfmove_clock(), 7, "after the last the first");
        assert!(matches!(
            Opening::<Position>::from_epd("\nrubbish w - -"),
            Err(OpeningsError::Position { line: 2, .. })
        ));
        assert!(matches!(
            Openings::<Position>::new(Vec::new(), true, 0),
            Err(OpeningsError::Empty)
        ));

        let games = "1. e4 e5 2. Nf3 *\n\n1. d4 *\n";
        let list = Opening::<Position>::from_records(games.as_bytes(), 2).unwrap();
        assert_eq!(list.iter().map(|o| o.moves.len()).collect::<Vec<_>>(), [2, 1]);
        assert!(matches!(
            Opening::<Position>::from_records(&b"1. e5 *"[..], 2),
            Err(OpeningsError::Game(_))
        ));
    }
}
