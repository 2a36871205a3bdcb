//! The first layer's sums of the positions on the way to a node.
//!
//! They are computed when a value is asked for, not when a move is made: many nodes never ask. What is
//! kept of a position is found by its height, the number of moves from the root. The sums of a new position
//! follow those at its height or the one below, whichever differs in fewer pieces; it need be neither its
//! parent nor its sibling, so nothing must be taken back and nothing can be out of date.

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

/// The sums of some pieces, as one or both players see them.
#[derive(Clone, Debug)]
struct Kept<P, const H: usize, const VIEWS: usize> {
    pieces: P,
    rows: [Row<H>; VIEWS],
}

/// What a thread keeps of the positions it looks at.
#[derive(Clone, Debug)]
pub struct Accumulators<F: BySquare, const H: usize> {
    by_height: Box<[Kept<F::Pieces, H, { Side::NUM }>]>,
    /// For a view and whether it is mirrored, where the views on the way are not.
    by_mirror: Box<[[Kept<F::Pieces, H, 1>; 2]; Side::NUM]>,
}

impl<F: BySquare, const H: usize> Accumulators<F, H> {
    /// Accumulators that have seen the empty board.
    pub fn new(net: &Net<H>) -> Self {
        let bias = *net.bias();
        let both = Kept { pieces: F::NONE, rows: [bias; Side::NUM] };
        let one = || Kept { pieces: F::NONE, rows: [bias] };
        Self {
            by_height: vec![both; Height::NUM].into(),
            by_mirror: Box::new(std::array::from_fn(|_| [one(), one()])),
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
        let differing = |index: usize| differing::<F>(&self.by_height[index].pieces, pieces);
        let (here, below) = (height.index(), height.below());
        let from = if differing(below) < differing(here) { below } else { here };
        for view in Side::ALL {
            let known = &self.by_height[from];
            let mirrored = F::is_mirrored(pieces, view);
            let row = if F::is_mirrored(&known.pieces, view) == mirrored {
                net.follow::<F>(&known.rows[view.index()], &known.pieces, pieces, view)
            } else {
                let seen = &mut self.by_mirror[view.index()][usize::from(mirrored)];
                let row = net.follow::<F>(&seen.rows[0], &seen.pieces, pieces, view);
                *seen = Kept { pieces: *pieces, rows: [row] };
                row
            };
            self.by_height[here].rows[view.index()] = row;
        }
        self.by_height[here].pieces = *pieces;
        let [white, black] = &self.by_height[here].rows;
        let (own, other) = if side.is_white() { (white, black) } else { (black, white) };
        net.output(F::bucket(pieces), own, other)
    }
}

/// In how many places two sets of pieces differ.
#[inline(always)]
fn differing<F: BySquare>(a: &F::Pieces, b: &F::Pieces) -> u32 {
    a.as_ref().iter().zip(b.as_ref()).map(|(a, b)| (a ^ b).count_ones()).sum()
}

impl<const H: usize> Net<H> {
    /// The row of the pieces `after`, from that of the pieces `before`, as `view` sees both.
    #[inline(always)]
    fn follow<F: BySquare>(
        &self,
        row: &Row<H>,
        before: &F::Pieces,
        after: &F::Pieces,
        view: Side,
    ) -> Row<H> {
        let mirrored = F::is_mirrored(after, view);
        let [mut added, mut removed] = [const { ArrayVec::<usize, 64>::new_const() }; 2];
        let sets = before.as_ref().iter().zip(after.as_ref());
        for (group, (&old, &new)) in sets.enumerate() {
            let feature = |bit| F::feature(view, mirrored, group, bit);
            added.extend(Bits(new & !old).map(feature));
            removed.extend(Bits(old & !new).map(feature));
        }
        row.changed(
            added.iter().map(|&feature| self.row(feature)),
            removed.iter().map(|&feature| self.row(feature)),
        )
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
