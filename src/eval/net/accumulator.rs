//! The first layer's sums of the positions on the way to a node.
//!
//! They are computed when a value is asked for, not when a move is made: many nodes never ask. What is
//! kept of a position is found by its height, the number of moves from the root. The sums of a new position
//! follow those at its height or the one below, whichever differs in fewer pieces; it need be neither its
//! parent nor its sibling, so nothing must be taken back and nothing can be out of date.

use super::layers::PART;
use super::{BySquare, Net, Row};
use crate::base::bits::Bits;
use crate::base::side::Side;
use arrayvec::ArrayVec;

/// A position's number of moves from the root.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Height(u16);

impl Height {
    /// The root, or a position that is looked at alone.
    pub const ROOT: Self = Self(0);
    /// Positions higher up share their places with lower ones.
    const NUM: usize = 256;

    /// One move higher.
    #[inline(always)]
    pub const fn next(self) -> Self {
        Self(self.0.wrapping_add(1))
    }

    const fn index(self) -> usize {
        self.0 as usize % Self::NUM
    }

    /// The index of the height below.
    const fn below(self) -> usize {
        self.0.wrapping_sub(1) as usize % Self::NUM
    }
}

/// What a thread keeps of the positions it looks at.
#[derive(Clone, Debug)]
pub struct Accumulators<F: BySquare, const H: usize> {
    /// The pieces at each height.
    pieces: Box<[F::Pieces]>,
    /// Their sums for each view.
    sums: Box<[[Row<H>; Side::NUM]]>,
    /// For a view and whether it is mirrored, the pieces last seen so, where the views on the way are not.
    mirror_pieces: [[F::Pieces; 2]; Side::NUM],
    /// Their sums.
    mirror_sums: Box<[[Row<H>; 2]; Side::NUM]>,
}

impl<F: BySquare, const H: usize> Accumulators<F, H> {
    /// Accumulators that have seen the empty board.
    pub fn new(net: &Net<H>) -> Self {
        let bias = *net.bias();
        Self {
            pieces: vec![F::NONE; Height::NUM].into(),
            sums: vec![[bias; Side::NUM]; Height::NUM].into(),
            mirror_pieces: [[F::NONE; 2]; Side::NUM],
            mirror_sums: Box::new([[bias; 2]; Side::NUM]),
        }
    }

    /// The value of a position for the side to move, in hundredths of a pawn or man.
    #[inline(always)]
    pub fn value(&mut self, net: &Net<H>, position: &F::Position, height: Height) -> i32 {
        self.of_pieces(net, &F::pieces(position), F::side(position), height)
    }

    /// The value of pieces for this side to move.
    #[inline(always)]
    pub fn of_pieces(
        &mut self,
        net: &Net<H>,
        pieces: &F::Pieces,
        side: Side,
        height: Height,
    ) -> i32 {
        let differing = |index: usize| differing::<F>(&self.pieces[index], pieces);
        let (here, below) = (height.index(), height.below());
        let from = if differing(below) < differing(here) { below } else { here };
        for view in Side::ALL {
            let (at, mirrored) = (view.index(), F::is_mirrored(pieces, view));
            let mut rows = Rows::new();
            if F::is_mirrored(&self.pieces[from], view) == mirrored {
                rows.find::<F>(net, &self.pieces[from], pieces, view);
                for part in 0..Row::<H>::PARTS {
                    let mut sums = *self.sums[from][at].part(part);
                    rows.add_to(&mut sums, part);
                    *self.sums[here][at].part_mut(part) = sums;
                }
            } else {
                let seen = &mut self.mirror_pieces[at][usize::from(mirrored)];
                rows.find::<F>(net, seen, pieces, view);
                *seen = *pieces;
                for part in 0..Row::<H>::PARTS {
                    let sums = self.mirror_sums[at][usize::from(mirrored)].part_mut(part);
                    rows.add_to(sums, part);
                    *self.sums[here][at].part_mut(part) = *sums;
                }
            }
        }
        self.pieces[here] = *pieces;
        let [white, black] = &self.sums[here];
        let (own, other) = if side.is_white() { (white, black) } else { (black, white) };
        net.output(F::bucket(pieces), own, other)
    }
}

/// In how many places two sets of pieces differ.
#[inline(always)]
fn differing<F: BySquare>(a: &F::Pieces, b: &F::Pieces) -> u32 {
    a.as_ref().iter().zip(b.as_ref()).map(|(a, b)| (a ^ b).count_ones()).sum()
}

/// No more pieces come or go between two positions: all squares may change.
const MOST: usize = 64;

/// The rows of the pieces that come and go between two positions. Lists are filled where they stand,
/// since to hand them on by value would copy them whole.
struct Rows<'a, const H: usize> {
    come: ArrayVec<&'a Row<H>, MOST>,
    gone: ArrayVec<&'a Row<H>, MOST>,
}

impl<'a, const H: usize> Rows<'a, H> {
    #[inline(always)]
    fn new() -> Self {
        Self { come: ArrayVec::new(), gone: ArrayVec::new() }
    }

    /// The rows of the pieces `after` that were not there `before`, and the other way round, as `view`
    /// sees them.
    #[inline(always)]
    fn find<F: BySquare>(
        &mut self,
        net: &'a Net<H>,
        before: &F::Pieces,
        after: &F::Pieces,
        view: Side,
    ) {
        let mirrored = F::is_mirrored(after, view);
        for (group, (&old, &new)) in before.as_ref().iter().zip(after.as_ref()).enumerate() {
            if old != new {
                let row = |bit| net.row(F::feature(view, mirrored, group, bit));
                for bit in Bits(new & !old) {
                    let _ = self.come.try_push(row(bit));
                }
                for bit in Bits(old & !new) {
                    let _ = self.gone.try_push(row(bit));
                }
            }
        }
    }

    /// Adds them to a part of the sums, or takes them from it.
    #[inline(always)]
    fn add_to(&self, sums: &mut [i16; PART], part: usize) {
        for row in &self.come {
            for (sum, weight) in sums.iter_mut().zip(row.part(part)) {
                *sum = sum.wrapping_add(*weight);
            }
        }
        for row in &self.gone {
            for (sum, weight) in sums.iter_mut().zip(row.part(part)) {
                *sum = sum.wrapping_sub(*weight);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::rng::Rng;
    use crate::chess;
    use crate::eval::chess::features::ChessFeatures;
    use crate::eval::net::{Header, NetFile, Recipe, Shape};
    use std::collections::HashSet;

    const H: usize = 64;

    /// A network with random weights.
    fn random<F: BySquare>(rng: &mut Rng) -> Net<H> {
        let shape = Shape::of::<F>(H);
        let mut number = |bound: usize| rng.below(2 * bound + 1) as i32 - bound as i32;
        let recipe = Recipe {
            passes: 0,
            batch: 0,
            rate: 0.0,
            result_share: 0.0,
            logistic: 100.0,
            seed: 0,
            added: false,
            from: 0,
        };
        let weights = (0..shape.weights()).map(|_| number(100) as i16).collect();
        let output_biases = (0..shape.buckets).map(|_| number(5000)).collect();
        let header = Header { shape: shape.clone(), scale: 100, recipe, data: Vec::new() };
        Net::new(&NetFile { header, weights, output_biases }, &shape).expect("its own shape")
    }

    fn follows<F: BySquare>(rng: &mut Rng, games: &[Vec<F::Position>]) {
        let net = random::<F>(rng);
        let mut values = HashSet::new();
        let mut accumulators = Accumulators::<F, H>::new(&net);
        for game in games {
            for (number, position) in game.iter().enumerate() {
                // Forward, with pauses, and back again, as a search goes.
                let height = Height((number % 7 * 3) as u16);
                let value = accumulators.value(&net, position, height);
                let anew = Accumulators::<F, H>::new(&net).value(&net, position, Height::ROOT);
                assert_eq!(value, anew);
                values.insert(value);
            }
        }
        assert!(values.len() > 500, "{}", values.len());
    }

    #[test]
    fn accumulators_follow_the_moves() {
        let mut rng = Rng::new(6);
        let start = chess::Position::start();
        let games: Vec<_> =
            (0..40).map(|_| chess::random_game(start.clone(), 120, &mut rng)).collect();
        follows::<ChessFeatures>(&mut rng, &games);
    }
}
