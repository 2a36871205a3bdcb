//! The first layer's sums for a position, which follow it from move to move.

use super::{BySquare, Net, Row};
use crate::base::bits::Bits;
use crate::base::side::Side;

/// The sums of a position as White and as Black see the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Accumulator<const H: usize>([Row<H>; Side::NUM]);

impl<const H: usize> Net<H> {
    /// The accumulator of these pieces, computed anew.
    pub fn accumulate<F: BySquare>(&self, pieces: &F::Pieces) -> Accumulator<H> {
        Accumulator(Side::ALL.map(|view| self.anew::<F>(pieces, view)))
    }

    /// The accumulator of the pieces `after`, from that of the pieces `before`, of which few differ.
    #[inline(always)]
    pub fn changed<F: BySquare>(
        &self,
        accumulator: &Accumulator<H>,
        before: &F::Pieces,
        after: &F::Pieces,
    ) -> Accumulator<H> {
        let [white, black] = &accumulator.0;
        Accumulator([
            self.follow::<F>(white, before, after, Side::White),
            self.follow::<F>(black, before, after, Side::Black),
        ])
    }

    /// The value of a position for the side to move, in hundredths of a pawn or man.
    #[inline(always)]
    pub fn value<F: BySquare>(
        &self,
        pieces: &F::Pieces,
        side: Side,
        accumulator: &Accumulator<H>,
    ) -> i32 {
        let [white, black] = &accumulator.0;
        let (own, other) = if side.is_white() { (white, black) } else { (black, white) };
        self.output(F::bucket(pieces), own, other)
    }

    fn anew<F: BySquare>(&self, pieces: &F::Pieces, view: Side) -> Row<H> {
        self.update::<F>(self.bias(), &F::NONE, pieces, view)
    }

    #[inline(always)]
    fn follow<F: BySquare>(
        &self,
        row: &Row<H>,
        before: &F::Pieces,
        after: &F::Pieces,
        view: Side,
    ) -> Row<H> {
        if F::is_mirrored(before, view) == F::is_mirrored(after, view) {
            self.update::<F>(row, before, after, view)
        } else {
            self.anew::<F>(after, view)
        }
    }

    /// A row with the features of pieces that came added and of those that went subtracted, all seen as
    /// `view` sees them `after`.
    #[inline(always)]
    fn update<F: BySquare>(
        &self,
        row: &Row<H>,
        before: &F::Pieces,
        after: &F::Pieces,
        view: Side,
    ) -> Row<H> {
        let mirrored = F::is_mirrored(after, view);
        let mut sums = *row;
        let sets = before.as_ref().iter().zip(after.as_ref());
        for (group, (&old, &new)) in sets.enumerate() {
            for bit in Bits(new & !old) {
                sums.add(self.row(F::feature(view, mirrored, group, bit)));
            }
            for bit in Bits(old & !new) {
                sums.subtract(self.row(F::feature(view, mirrored, group, bit)));
            }
        }
        sums
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
        };
        let weights = (0..shape.weights()).map(|_| number(100) as i16).collect();
        let output_biases = (0..shape.buckets).map(|_| number(5000)).collect();
        let header = Header { shape: shape.clone(), scale: 100, recipe, data: Vec::new() };
        Net::new(&NetFile { header, weights, output_biases }, &shape).expect("its own shape")
    }

    fn follows<F: BySquare>(rng: &mut Rng, games: &[Vec<F::Position>]) {
        let net = random::<F>(rng);
        let mut values = HashSet::new();
        for game in games {
            let mut before = F::NONE;
            let mut accumulator = net.accumulate::<F>(&before);
            for position in game {
                let pieces = F::pieces(position);
                accumulator = net.changed::<F>(&accumulator, &before, &pieces);
                assert_eq!(accumulator, net.accumulate::<F>(&pieces));
                values.insert(net.value::<F>(&pieces, F::side(position), &accumulator));
                before = pieces;
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
