//! A small trained network, the same for both games.
//!
//! Its shape is *(features → hidden) × 2 → 1 × buckets*. A feature is a piece on a square as one of the
//! players sees it; a game names its own in [`Features`]. The first layer is summed up for each player
//! in an accumulator, which is kept up from position to position because a move changes few features
//! ([`accumulator`]). The output layer takes the two accumulators, that of the side to move first,
//! clips each value to 0 to 1 and squares it (SCReLU), and has other weights for each bucket of positions.
//!
//! Networks of this kind come from computer shogi (Y. Nasu, *Efficiently updatable neural-network-based
//! evaluation functions for computer shogi*, 2018). Everything is computed in integers ([`layers`]), so
//! the value of a position is the same on every processor. `adoube train` writes the files ([`mod@file`]).
//!
//! Both games are played by one; the chapter `measuring` of the manual says how they were made.

pub mod accumulator;
pub mod file;
pub mod layers;

pub use accumulator::{Accumulators, Height};
pub use file::{Header, NetError, NetFile, Recipe, Shape, Source};
pub use layers::{Net, Row};

use crate::base::side::Side;
use std::fmt::Debug;
use std::hash::Hash;

/// What the network of a game sees of a position.
///
/// The pieces are sets of squares, one word for each kind of piece of each side, a group.
pub trait Features: Copy + Debug + Send + Sync + 'static {
    /// A position of the game.
    type Position;
    /// The sets of all groups.
    type Pieces: AsRef<[u64]> + Copy + Debug + Eq + Hash + Send + Sync;

    /// The game, as `--game` names it.
    const GAME: &'static str;
    /// The number of features.
    const COUNT: usize;
    /// The number of factors: what several features have in common, so that training learns of the seldom
    /// ones from the others. When the training is over, the row of a factor is added to those of its features.
    const FACTORS: usize = 0;
    /// The number of buckets: positions with few pieces are in the first, with many in the last.
    const BUCKETS: usize;
    /// The number of pieces at the start, a multiple of the buckets; more make no difference.
    const PIECES: usize;
    /// The pieces of a position.
    fn pieces(position: &Self::Position) -> Self::Pieces;

    /// The side to move.
    fn side(position: &Self::Position) -> Side;

    /// Calls `each` with the features that `view` sees.
    fn features(pieces: &Self::Pieces, view: Side, each: impl FnMut(usize));

    /// Calls `each` with the factors that `view` sees: those whose features are in the position.
    fn factors(_: &Self::Pieces, _view: Side, _each: impl FnMut(usize)) {}

    /// The features of a factor. Of those that can stand for it in a position it names one kind only.
    fn features_of(_factor: usize) -> Vec<usize> {
        Vec::new()
    }

    /// The bucket of a position.
    #[inline(always)]
    fn bucket(pieces: &Self::Pieces) -> usize {
        Self::bucket_of(count::<Self>(pieces))
    }

    /// The bucket of positions with so many pieces. Each holds as many numbers of pieces as any other.
    #[inline(always)]
    fn bucket_of(count: u32) -> usize {
        (count as usize).clamp(1, Self::PIECES).div_ceil(Self::PIECES / Self::BUCKETS) - 1
    }
}

/// Features that are pieces on squares, so that accumulators follow the moves. A player may see the board
/// mirrored, depending on the position.
pub trait BySquare: Features {
    /// No pieces.
    const NONE: Self::Pieces;

    /// Whether `view` sees the board mirrored.
    fn is_mirrored(pieces: &Self::Pieces, view: Side) -> bool;

    /// The feature that a piece of a group on the square of a bit is for `view`.
    fn feature(view: Side, mirrored: bool, group: usize, bit: u8) -> usize;
}

/// The features that `view` sees.
#[cfg(test)]
pub fn features<F: Features>(pieces: &F::Pieces, view: Side) -> Vec<usize> {
    let mut features = Vec::new();
    F::features(pieces, view, |feature| features.push(feature));
    features
}

/// The number of pieces.
#[inline(always)]
pub fn count<F: Features>(pieces: &F::Pieces) -> u32 {
    pieces.as_ref().iter().map(|set| set.count_ones()).sum()
}
