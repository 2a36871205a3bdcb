//! A small trained network (NNUE), used by both games.
//!
//! The network's shape is *(features → hidden) × 2 → 1 × buckets*. A feature is a property of the
//! position from one player's perspective, such as a piece on a square; each game defines its own
//! [`Features`]. For each perspective, an accumulator contains the sums of the first layer. It is
//! updated incrementally because a move changes few features ([`accumulator`]). The input of the
//! output layer is the accumulator of the side to move, followed by the accumulator of the
//! opponent. The output layer clips each value to the range from 0 to 1 and squares it (SCReLU). It
//! has separate weights for each bucket of positions.
//!
//! Networks of this kind come from computer shogi (Y. Nasu, *Efficiently updatable
//! neural-network-based evaluation functions for computer shogi*, 2018). All arithmetic is in
//! integers ([`layers`]), so a position has the same value on every processor. `adoube train`
//! writes the files ([`mod@file`]). The chapter `measuring` of the manual describes how the
//! embedded networks were trained.

pub(crate) mod accumulator;
pub(crate) mod file;
pub(crate) mod layers;

pub(crate) use accumulator::{Accumulators, Height};
pub use file::{Header, NetError, NetFile, OpenError, Recipe, Shape, Source};
pub use layers::{Net, Row};

use crate::base::cpu::Squares;
use crate::base::side::Side;
use std::fmt::Debug;
use std::hash::Hash;

/// The input features of a game's network.
pub trait Features: Copy + Debug + Send + Sync + 'static {
    type Position;
    /// The sets of squares from which the features are computed. The first [`Self::SETS`] sets contain
    /// the pieces, one set for each kind of piece of each side. Further sets may follow.
    type Pieces: AsRef<[u64]> + Copy + Debug + Eq + Hash + Send + Sync;
    /// The number of sets of pieces.
    const SETS: usize;

    /// The name of the game on the command line (`--game`).
    const GAME: &'static str;
    const COUNT: usize;
    /// The number of factors. A factor is a row of weights that several features share during
    /// training, so that training generalises to rare features. After training, the row is added to
    /// the rows of these features.
    const FACTORS: usize = 0;
    /// The number of output buckets, from few pieces to many.
    const BUCKETS: usize;
    /// The number of pieces in the start position, a multiple of the number of buckets. Higher
    /// counts use the last bucket.
    const PIECES: usize;
    fn pieces(position: &Self::Position) -> Self::Pieces;

    fn side(position: &Self::Position) -> Side;

    /// Calls `each` with every feature that is active from the perspective `view`.
    fn features(pieces: &Self::Pieces, view: Side, each: impl FnMut(usize));

    /// Returns the features to which the row of a factor is added. If the factor occurs in several
    /// kinds of features (such as overlapping windows), only the features of one kind are returned.
    fn features_of(_factor: usize) -> Vec<usize> {
        Vec::new()
    }

    /// Returns the maximum absolute value of a weight in the row of a feature. With these bounds, the
    /// 16-bit sums over the features of a position do not overflow. The optimiser also bounds each
    /// weight and each factor to 1.98.
    fn bound(feature: usize) -> f32;

    #[inline(always)]
    fn bucket(pieces: &Self::Pieces) -> usize {
        Self::bucket_of(count::<Self>(pieces))
    }

    /// Returns the bucket for a number of pieces. Each bucket covers the same number of piece
    /// counts.
    #[inline(always)]
    fn bucket_of(count: u32) -> usize {
        (count as usize).clamp(1, Self::PIECES).div_ceil(Self::PIECES / Self::BUCKETS) - 1
    }
}

/// The maximum number of features that a piece has at the same time, one of each family.
pub(crate) const FAMILIES: usize = 4;

/// For each family, a number for each square: the index of the group of its piece plus 1, or 0 if the
/// square is empty or its piece has no feature of the family.
pub(crate) type Groups = [Squares; FAMILIES];

/// Features that each represent a property of a single piece on a square, as required by
/// [`Accumulators`]. The features of a group differ only in the square. Depending on the position, the
/// board may be mirrored in a player's perspective.
pub(crate) trait BySquare: Features {
    fn groups(pieces: &Self::Pieces) -> Groups;

    fn is_mirrored(pieces: &Self::Pieces, view: Side) -> bool;

    /// Returns the feature of `group` for a piece on the square with index `bit`.
    fn feature(view: Side, mirrored: bool, group: usize, bit: u8) -> usize;
}

#[cfg(test)]
pub fn features<F: Features>(pieces: &F::Pieces, view: Side) -> Vec<usize> {
    let mut features = Vec::new();
    F::features(pieces, view, |feature| features.push(feature));
    features
}

#[inline(always)]
pub(crate) fn count<F: Features>(pieces: &F::Pieces) -> u32 {
    pieces.as_ref()[..F::SETS].iter().map(|set| set.count_ones()).sum()
}
