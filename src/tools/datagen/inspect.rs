//! Statistics on files that contain self-play games.

use super::{ReplayError, SelfPlay, positions};
use crate::record::selfplay::{Block, Game, GenerationSettings, ReadError, Reader};
use std::io::Read;
use std::iter::Sum;

/// The number of buckets into which positions are sorted by the fraction of the initial pieces that
/// is still on the board.
pub(crate) const BUCKETS: usize = 8;
/// The upper bounds of the buckets for absolute scores, on the internal scale of the search. One
/// more bucket contains all greater scores.
pub(crate) const SCORES: [i32; 6] = [10, 25, 50, 100, 300, 1000];

#[derive(Clone, Debug, Default)]
pub(crate) struct Inspection {
    pub settings: Vec<GenerationSettings>,
    pub games: u64,
    /// The number of games, by White's half points.
    pub results: [u64; 3],
    pub without_result: u64,
    /// The number of games that do not begin with the standard start position.
    pub other_starts: u64,
    pub plies: u64,
    /// The number of plies with a search score.
    pub searched: u64,
    /// The number of training positions in each score bucket; see [`SCORES`].
    pub scores: [u64; SCORES.len() + 1],
    pub faults: Vec<String>,
    /// The hash keys of the training positions, in buckets by the number of pieces.
    keys: [Vec<u64>; BUCKETS],
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Positions {
    pub all: u64,
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
    pub fn read<G: SelfPlay>(&mut self, file: impl Read) {
        for block in Reader::new(file) {
            match block {
                Ok(Block::Settings(settings)) => {
                    if settings.game != G::NAME {
                        let (found, expected) = (&settings.game, G::NAME);
                        let fault =
                            format!("the file contains {found} games, not {expected} games");
                        self.faults.push(fault);
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
        match game.half_points {
            Some(half_points) => self.results[usize::from(half_points.min(2))] += 1,
            None => self.without_result += 1,
        }
        self.other_starts += u64::from(!game.start.is_empty());
        self.plies += game.plies.len() as u64;
        self.searched += game.plies.iter().filter(|ply| ply.score.is_some()).count() as u64;
        let max_pieces = G::start().pieces() as usize;
        positions::<G>(game, |position, score| {
            let pieces = position.pieces() as usize;
            let bucket =
                (pieces * BUCKETS).saturating_sub(1).min(max_pieces * BUCKETS - 1) / max_pieces;
            self.scores[SCORES.partition_point(|&bound| bound < score.abs())] += 1;
            self.keys[bucket].push(position.key());
        })
    }

    /// Counts training positions and duplicates by the fraction of the initial pieces that is still
    /// on the board. Two positions are duplicates if their hash keys are equal.
    pub(crate) fn by_pieces(&mut self) -> [Positions; BUCKETS] {
        self.keys.each_mut().map(|keys| {
            keys.sort_unstable();
            let repeats = keys.windows(2).filter(|pair| pair[0] == pair[1]).count();
            Positions { all: keys.len() as u64, repeats: repeats as u64 }
        })
    }
}
