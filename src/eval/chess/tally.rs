//! Adds up weights, and counts their uses if asked to.
//!
//! Every term goes through [`Tally`], so the same code gives the value in play, the tuner's
//! coefficients and the printed breakdown.

use super::terms::COUNT;
use crate::base::side::Side;
use crate::eval::pair::Pair;

/// Counts how often weights are used, or does not.
pub trait Trace {
    /// Whether uses are counted; caches, which would hide some, are then bypassed.
    const ON: bool;

    /// The weight at `index` is used `count` times for (or, of its king's danger, against) `side`.
    fn count(&mut self, side: Side, index: usize, count: i32);
}

/// In play nothing is counted.
impl Trace for () {
    const ON: bool = false;

    #[inline(always)]
    fn count(&mut self, _: Side, _: usize, _: i32) {}
}

/// How often each side used each weight.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counts(pub Vec<[i16; Side::NUM]>);

impl Default for Counts {
    fn default() -> Self {
        Self(vec![[0; Side::NUM]; COUNT])
    }
}

impl Trace for Counts {
    const ON: bool = true;

    fn count(&mut self, side: Side, index: usize, count: i32) {
        self.0[index][side.index()] += count as i16;
    }
}

/// The running sums.
#[derive(Clone, Default, Debug)]
pub(super) struct Tally<T> {
    /// White's terms less Black's.
    pub sum: Pair,
    /// The danger of each side's king, in units that [`penalty`] turns into centipawns.
    pub danger: [Pair; Side::NUM],
    pub trace: T,
}

impl<T: Trace> Tally<T> {
    /// Adds `weight`, whose index among all weights is `index`, `count` times for `side`.
    #[inline(always)]
    pub fn add(&mut self, side: Side, weight: Pair, index: usize, count: i32) {
        match side {
            Side::White => self.sum += weight * count,
            Side::Black => self.sum -= weight * count,
        }
        self.trace.count(side, index, count);
    }

    /// Adds to the danger of `side`'s king.
    #[inline(always)]
    pub fn endanger(&mut self, side: Side, weight: Pair, index: usize, count: i32) {
        self.danger[side.index()] += weight * count;
        self.trace.count(side, index, count);
    }

    /// White's terms less Black's, the kings' dangers included.
    #[inline(always)]
    pub fn total(&self) -> Pair {
        self.sum + penalty(self.danger[1]) - penalty(self.danger[0])
    }
}

/// Units of danger that cost a centipawn in the middle game grow with the danger: `d * d / 512`.
pub const DANGER_SQUARE: i32 = 512;
/// Units of danger that cost a centipawn in the endgame.
pub const DANGER_LINEAR: i32 = 8;

/// What a king's danger costs its owner, in centipawns.
#[inline(always)]
pub(super) fn penalty(danger: Pair) -> Pair {
    let (middle, end) = (danger.middle().max(0), danger.end().max(0));
    Pair::new(
        (middle * middle / DANGER_SQUARE).min(i32::from(i16::MAX) / 2) as i16,
        (end / DANGER_LINEAR) as i16,
    )
}

/// `add!(tally, side, term)`, `add!(tally, side, term[index])`, `add!(tally, side, term[index] * count)`.
macro_rules! add {
    ($tally:expr, $side:expr, $($rest:tt)*) => { $crate::eval::chess::tally::term!(add $tally, $side, $($rest)*) };
}

/// As [`add!`], for the danger of `side`'s king.
macro_rules! endanger {
    ($tally:expr, $side:expr, $($rest:tt)*) => { $crate::eval::chess::tally::term!(endanger $tally, $side, $($rest)*) };
}

macro_rules! term {
    ($how:ident $tally:expr, $side:expr, $term:ident) => {
        $crate::eval::chess::tally::term!($how $tally, $side, $term[0] * 1)
    };
    ($how:ident $tally:expr, $side:expr, $term:ident * $count:expr) => {
        $crate::eval::chess::tally::term!($how $tally, $side, $term[0] * $count)
    };
    ($how:ident $tally:expr, $side:expr, $term:ident[$index:expr]) => {
        $crate::eval::chess::tally::term!($how $tally, $side, $term[$index] * 1)
    };
    ($how:ident $tally:expr, $side:expr, $term:ident[$index:expr] * $count:expr) => {{
        use $crate::eval::{pair::Pair, chess::{terms::Weights, weights::WEIGHTS}};
        const FIRST: usize = std::mem::offset_of!(Weights, $term) / size_of::<Pair>();
        let index: usize = $index;
        $tally.$how($side, WEIGHTS.$term[index], FIRST + index, $count)
    }};
}

pub(super) use {add, endanger, term};
