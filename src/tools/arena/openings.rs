//! The positions that games start from: from a file, or random and balanced, made here.
//!
//! Opening n of a source depends on the seed and n alone, so a match can be split or resumed and
//! meets the same openings. (A build that judges positions otherwise makes other random ones.)

use crate::base::rng::Rng;
use crate::chess::fen::FenError;
use crate::chess::pgn::{PgnError, Reader};
use crate::chess::{Move, Position};
use crate::search::chess::{ChessEngine, Root};
use crate::search::control::Control;
use crate::search::driver::{Options, ResourceError};
use crate::search::limits::Limits;
use std::io::BufRead;
use std::sync::{Mutex, PoisonError};

/// Where a game starts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening {
    /// The first position.
    pub start: Position,
    /// The moves played from it before the engines take over; legal.
    pub moves: Vec<Move>,
}

/// A source of openings.
#[derive(Debug)]
pub struct Openings {
    source: Source,
    seed: u64,
}

#[derive(Debug)]
enum Source {
    List(Vec<Opening>),
    Random { plies: usize, chess960: bool, judge: Mutex<Judge> },
}

/// Why a file has no openings.
#[derive(Debug, thiserror::Error)]
pub enum OpeningsError {
    /// A line that is no position.
    #[error("line {line}: {error}")]
    Position {
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        error: FenError,
    },
    /// A game that cannot be read.
    #[error(transparent)]
    Game(#[from] PgnError),
    /// Nothing in it.
    #[error("there is no position in it")]
    Empty,
}

impl Opening {
    /// The positions of an EPD or FEN file, one on a line; `#` begins a comment line.
    ///
    /// # Errors
    /// If a line is no position.
    pub fn from_epd(text: &str) -> Result<Vec<Self>, OpeningsError> {
        let mut list = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let fields: Vec<&str> = line.split_ascii_whitespace().collect();
            if fields.is_empty() || line.starts_with('#') {
                continue;
            }
            // A FEN's two counters are numbers; an EPD goes on with its operations.
            let counters =
                fields.iter().skip(4).take(2).take_while(|f| f.parse::<u16>().is_ok()).count();
            let fen = fields[..fields.len().min(4 + counters)].join(" ");
            let start =
                fen.parse().map_err(|error| OpeningsError::Position { line: number, error })?;
            list.push(Self { start, moves: Vec::new() });
        }
        Ok(list)
    }

    /// The first `plies` of each game in a PGN file.
    ///
    /// # Errors
    /// If a game cannot be read.
    pub fn from_pgn(input: impl BufRead, plies: usize) -> Result<Vec<Self>, OpeningsError> {
        let games = Reader::new(input).map(|game| {
            let game = game?;
            Ok(Self { start: game.start().clone(), moves: game.moves().take(plies).collect() })
        });
        games.collect()
    }
}

impl Openings {
    /// Random openings `plies` deep, balanced; from random starts where `chess960` says so.
    ///
    /// # Errors
    /// If there is no memory or no thread for the search that judges them.
    pub fn random(plies: usize, seed: u64, chess960: bool) -> Result<Self, ResourceError> {
        let judge = Mutex::new(Judge::new()?);
        Ok(Self { source: Source::Random { plies, chess960, judge }, seed })
    }

    /// Given openings, in their order or shuffled by the seed. A match that needs more begins anew.
    ///
    /// # Errors
    /// If there are none.
    pub fn new(mut list: Vec<Opening>, shuffle: bool, seed: u64) -> Result<Self, OpeningsError> {
        if list.is_empty() {
            return Err(OpeningsError::Empty);
        }
        if shuffle {
            Rng::new(seed).shuffle(&mut list);
        }
        Ok(Self { source: Source::List(list), seed })
    }

    /// The opening of number `n`.
    pub fn get(&self, n: usize) -> Opening {
        match &self.source {
            Source::List(list) => list[n % list.len()].clone(),
            Source::Random { plies, chess960, judge } => {
                // Hashed, lest neighbouring numbers walk along one sequence.
                let mixed = Rng::new(self.seed ^ (n as u64).rotate_left(32)).next_u64();
                let mut judge = judge.lock().unwrap_or_else(PoisonError::into_inner);
                random(*plies, *chess960, &mut judge, &mut Rng::new(mixed))
            }
        }
    }
}

/// A line of random moves to a position without a great advantage.
fn random(plies: usize, chess960: bool, judge: &mut Judge, rng: &mut Rng) -> Opening {
    loop {
        let start = match chess960 {
            true => Position::chess960(rng.below(960) as u16).unwrap_or_else(Position::start),
            false => Position::start(),
        };
        let mut position = start.clone();
        let mut moves = Vec::with_capacity(plies);
        while moves.len() < plies {
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            let m = legal[rng.below(legal.len())];
            moves.push(m);
            position = position.play(m);
        }
        // A start is balanced by law, whatever a search says of the first move.
        if moves.len() == plies && (plies == 0 || judge.is_balanced(&position)) {
            return Opening { start, moves };
        }
    }
}

/// Tells balanced positions from others by a short search, the same each time.
#[derive(Debug)]
struct Judge(ChessEngine);

impl Judge {
    /// Enough to see what hangs.
    const NODES: u64 = 4000;
    /// Centipawns that either side may be ahead.
    const WINDOW: i32 = 60;

    fn new() -> Result<Self, ResourceError> {
        let options = Options { hash_mb: 1, threads: 1, ..Options::default() };
        Ok(Self(ChessEngine::new(options)?))
    }

    fn is_balanced(&mut self, position: &Position) -> bool {
        // What it remembered would make the answer depend on the questions before.
        self.0.clear();
        let root = Root { position: position.clone(), history: Vec::new() };
        let limits = Limits::nodes(Self::NODES);
        let outcome = self.0.search(&root, &limits, &Control::new(), &|_| {});
        outcome.info.is_some_and(|info| info.score.centipawns().abs() <= Self::WINDOW)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn random_openings_repeat_by_seed_and_differ_by_number() {
        let openings = Openings::random(8, 7, false).unwrap();
        let mut judge = Judge::new().unwrap();
        let first: Vec<Opening> = (0..20).map(|n| openings.get(n)).collect();
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
        assert_ne!(Openings::random(8, 8, false).unwrap().get(0), first[0]);
    }

    #[test]
    fn chess960_starts_vary() {
        let openings = Openings::random(0, 1, true).unwrap();
        assert_ne!(openings.get(0).start, openings.get(1).start);
        assert!(openings.get(0).moves.is_empty());
    }

    #[test]
    fn hanging_pieces_are_seen() {
        let mut judge = Judge::new().unwrap();
        let mut balanced = |fen: &str| judge.is_balanced(&fen.parse().unwrap());
        assert!(balanced("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"));
        assert!(!balanced("rnbqkbnr/ppp1pppp/8/3p4/6Q1/4P3/PPPP1PPP/RNB1KBNR b KQkq - 0 2"));
        assert!(!balanced("rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2"), "mate");
    }

    #[test]
    fn files() {
        let text = "# comment\n\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4; id \"a\";\n\
            8/8/8/8/8/4k3/4p3/4K3 w - - 7 60\n8/8/8/8/8/4k3/4p3/4K3 b - -\n";
        let list = Opening::from_epd(text).unwrap();
        assert_eq!((list.len(), &list[0].start), (3, &Position::start()));
        let openings = Openings::new(list, false, 0).unwrap();
        assert_eq!(openings.get(4).start.halfmove_clock(), 7, "after the last the first");
        assert!(matches!(
            Opening::from_epd("\nrubbish w - -"),
            Err(OpeningsError::Position { line: 2, .. })
        ));
        assert!(matches!(Openings::new(Vec::new(), true, 0), Err(OpeningsError::Empty)));

        let games = "1. e4 e5 2. Nf3 *\n\n1. d4 *\n";
        let list = Opening::from_pgn(games.as_bytes(), 2).unwrap();
        assert_eq!(list.iter().map(|o| o.moves.len()).collect::<Vec<_>>(), [2, 1]);
        assert!(matches!(Opening::from_pgn(&b"1. e5 *"[..], 2), Err(OpeningsError::Game(_))));
    }
}
