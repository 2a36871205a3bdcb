//! What is in a file of games.

use super::{ReplayError, SelfPlay, positions};
use crate::record::selfplay::{Block, Game, GenerationSettings, ReadError, Reader};
use std::io::Read;
use std::iter::Sum;

/// The number of buckets in which positions are counted by their pieces.
pub const BUCKETS: usize = 8;
/// Positions are counted by their scores up to each of these, in hundredths of a pawn or man, and
/// beyond the last.
pub const SCORES: [i32; 6] = [10, 25, 50, 100, 300, 1000];

/// Counts of games and their positions.
#[derive(Clone, Debug, Default)]
pub struct Inspection {
    /// The settings with which the games were made, in the order of the file.
    pub settings: Vec<GenerationSettings>,
    /// The number of games.
    pub games: u64,
    /// Games by White's half points.
    pub results: [u64; 3],
    /// Games that begin from a position other than the usual one.
    pub other_starts: u64,
    /// Moves played.
    pub plies: u64,
    /// The number of these moves that a search chose.
    pub searched: u64,
    /// Positions by the size of their scores: see [`SCORES`].
    pub scores: [u64; SCORES.len() + 1],
    /// What could not be read, one line of text for each fault.
    pub faults: Vec<String>,
    /// The keys of the positions, by pieces.
    keys: [Vec<u64>; BUCKETS],
}

/// Counts of positions to learn from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Positions {
    /// All.
    pub all: u64,
    /// Those that are repeats of another.
    pub repeats: u64,
}

impl Sum for Positions {
    fn sum<I: Iterator<Item = Self>>(parts: I) -> Self {
        parts.fold(Self::default(), |sum, part| Self {
            all: sum.all + part.all,
            repeats: sum.repeats + part.repeats,
        })
    }
}

impl Inspection {
    /// Adds the games of a file.
    pub fn read<G: SelfPlay>(&mut self, file: impl Read) {
        for block in Reader::new(file) {
            match block {
                Ok(Block::Settings(settings)) => {
                    if settings.game != G::NAME {
                        self.faults.push(format!("games of {}, not of {}", settings.game, G::NAME));
                        return;
                    }
                    if !self.settings.contains(&settings) {
                        self.settings.push(settings);
                    }
                }
                Ok(Block::Games(games)) => {
                    for game in &games {
                        if let Err(error) = self.add::<G>(game) {
                            self.faults.push(error.to_string());
                        }
                    }
                }
                Err(error) => {
                    self.faults.push(error.to_string());
                    if matches!(error, ReadError::Io(_)) {
                        return;
                    }
                }
            }
        }
    }

    fn add<G: SelfPlay>(&mut self, game: &Game) -> Result<(), ReplayError> {
        self.games += 1;
        self.results[usize::from(game.half_points.min(2))] += 1;
        self.other_starts += u64::from(!game.start.is_empty());
        self.plies += game.plies.len() as u64;
        self.searched += game.plies.iter().filter(|ply| ply.score.is_some()).count() as u64;
        let most = G::start().pieces() as usize;
        positions::<G>(game, |position, score| {
            let pieces = position.pieces() as usize;
            let bucket = (pieces * BUCKETS).saturating_sub(1).min(most * BUCKETS - 1) / most;
            self.scores[SCORES.partition_point(|&bound| bound < score.abs())] += 1;
            self.keys[bucket].push(position.key());
        })
    }

    /// Positions by the share of the greatest number of pieces that is on the board, and how many of
    /// these are repeats of another: the same pieces, side to move and rights.
    pub fn by_pieces(&mut self) -> [Positions; BUCKETS] {
        self.keys.each_mut().map(|keys| {
            keys.sort_unstable();
            let repeats = keys.windows(2).filter(|pair| pair[0] == pair[1]).count();
            Positions { all: keys.len() as u64, repeats: repeats as u64 }
        })
    }
}
