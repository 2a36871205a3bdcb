//! Incrementally updated sums of the first layer (NNUE accumulators).
//!
//! The sums are computed when a position is evaluated, not when a move is made, because many nodes
//! are never evaluated. Pieces and sums are stored by height, the number of moves from the root.
//! The sums of a new position are computed from the stored position at the same height or one move
//! nearer to the root, whichever differs from the new position on fewer squares. The stored
//! position need not be a parent or sibling, because its pieces are compared with the pieces of the
//! new position. Therefore moves do not have to be undone, and stored sums cannot become stale.

use super::{BySquare, Net, Row};
use crate::base::bits::Bits;
use crate::base::side::Side;
use arrayvec::ArrayVec;

/// The number of moves from the root.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Height(u16);

impl Height {
    /// The height of the root, also used for positions outside a search.
    pub(crate) const ROOT: Self = Self(0);
    /// The number of stored heights; greater heights wrap around.
    const NUM: usize = 256;

    #[inline(always)]
    pub(crate) const fn next(self) -> Self {
        Self(self.0.wrapping_add(1))
    }

    const fn index(self) -> usize {
        self.0 as usize % Self::NUM
    }

    const fn below(self) -> usize {
        self.0.wrapping_sub(1) as usize % Self::NUM
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Accumulators<F: BySquare, const H: usize> {
    pieces: Box<[F::Pieces]>,
    /// The sums at each height, for both perspectives.
    sums: Box<[[Row<H>; Side::NUM]]>,
    /// The pieces of the position whose sums are in `mirror_sums`, for each perspective and mirroring
    /// (Stockfish's "finny table"). Used if the new position and the position that it would be
    /// updated from are mirrored differently.
    mirror_pieces: [[F::Pieces; 2]; Side::NUM],
    mirror_sums: Box<[[Row<H>; 2]; Side::NUM]>,
}

impl<F: BySquare, const H: usize> Accumulators<F, H> {
    /// Creates the accumulators with the empty board stored at every height.
    pub(crate) fn new(net: &Net<H>) -> Self {
        let bias = *net.bias();
        Self {
            pieces: vec![F::NONE; Height::NUM].into(),
            sums: vec![[bias; Side::NUM]; Height::NUM].into(),
            mirror_pieces: [[F::NONE; 2]; Side::NUM],
            mirror_sums: Box::new([[bias; 2]; Side::NUM]),
        }
    }

    /// Returns the value for the side to move, on the network's scale. For chess,
    /// `eval::chess::centipawns` converts it to centipawns.
    #[inline(always)]
    pub(crate) fn value(&mut self, net: &Net<H>, position: &F::Position, height: Height) -> i32 {
        self.of_pieces(net, &F::pieces(position), F::side(position), height)
    }

    #[inline(always)]
    pub(crate) fn of_pieces(
        &mut self,
        net: &Net<H>,
        pieces: &F::Pieces,
        side: Side,
        height: Height,
    ) -> i32 {
        let differing = |index: usize| differing::<F>(&self.pieces[index], pieces);
        let (here, below) = (height.index(), height.below());
        let from = if differing(below) < differing(here) { below } else { here };
        let before = &self.pieces[from];
        let mut changes = Changes::none();
        changes.find::<F>(before, pieces);
        for view in Side::ALL {
            let (at, mirrored) = (view.index(), F::is_mirrored(pieces, view));
            if F::is_mirrored(before, view) == mirrored {
                // Each branch calls `add` so that the compiler generates separate code for each
                // source of the sums. A single call was 20% slower.
                match self.sums.get_disjoint_mut([from, here]) {
                    Ok([from, here]) => {
                        changes.add::<F, H>(net, view, mirrored, Some(&from[at]), &mut here[at]);
                    }
                    Err(_) => {
                        changes.add::<F, H>(net, view, mirrored, None, &mut self.sums[here][at]);
                    }
                }
            } else {
                let seen = &mut self.mirror_pieces[at][usize::from(mirrored)];
                let sums = &mut self.mirror_sums[at][usize::from(mirrored)];
                let mut changes = Changes::none();
                changes.find::<F>(seen, pieces);
                changes.add::<F, H>(net, view, mirrored, None, sums);
                *seen = *pieces;
                self.sums[here][at] = *sums;
            }
        }
        self.pieces[here] = *pieces;
        let [white, black] = &self.sums[here];
        let (own, other) = if side.is_white() { (white, black) } else { (black, white) };
        net.output(F::bucket(pieces), own, other)
    }
}

#[inline(always)]
fn differing<F: BySquare>(a: &F::Pieces, b: &F::Pieces) -> u32 {
    let pairs = a.as_ref().iter().zip(b.as_ref());
    pairs.fold(0, |squares, (a, b)| squares | a ^ b).count_ones()
}

/// The maximum number of added or removed pieces: all squares may change.
const MAX_CHANGES: usize = 64;

/// The pieces added and removed between two positions, as pairs of group and square. The lists are
/// filled in place, because returning them by value would copy them.
struct Changes {
    added: ArrayVec<(u8, u8), MAX_CHANGES>,
    removed: ArrayVec<(u8, u8), MAX_CHANGES>,
}

impl Changes {
    #[inline(always)]
    fn none() -> Self {
        Self { added: ArrayVec::new(), removed: ArrayVec::new() }
    }

    /// Finds the differences between the pieces `before` and `after`.
    #[inline(always)]
    fn find<F: BySquare>(&mut self, before: &F::Pieces, after: &F::Pieces) {
        let (before, after) = (before.as_ref(), after.as_ref());
        // First find the groups that differ, without a branch per group.
        let differ = before.iter().zip(after).enumerate();
        let differ = differ.fold(0, |sets, (i, (old, new))| sets | u64::from(old != new) << i);
        for group in Bits(differ) {
            let (old, new) = (before[usize::from(group)], after[usize::from(group)]);
            for bit in Bits(new & !old) {
                let _ = self.added.try_push((group, bit));
            }
            for bit in Bits(old & !new) {
                let _ = self.removed.try_push((group, bit));
            }
        }
    }

    /// Sets `sums` to `from` plus the rows of the added pieces minus the rows of the removed
    /// pieces. If `from` is `None`, updates `sums` in place.
    #[inline(always)]
    fn add<F: BySquare, const H: usize>(
        &self,
        net: &Net<H>,
        view: Side,
        mirrored: bool,
        from: Option<&Row<H>>,
        sums: &mut Row<H>,
    ) {
        let row = |&(group, bit): &(u8, u8)| net.row(F::feature(view, mirrored, group.into(), bit));
        match (&self.added[..], &self.removed[..]) {
            // Most moves are handled in a single pass.
            ([a], [b]) => add(from, sums, [row(a)], [row(b)]),
            ([a], [b, c]) => add(from, sums, [row(a)], [row(b), row(c)]),
            (added, removed) => {
                add(from, sums, [], []);
                let (mut added, mut removed) = (added.iter(), removed.iter());
                loop {
                    match (added.next(), removed.next()) {
                        (Some(a), Some(b)) => add(None, sums, [row(a)], [row(b)]),
                        (Some(a), None) => add(None, sums, [row(a)], []),
                        (None, Some(b)) => add(None, sums, [], [row(b)]),
                        (None, None) => break,
                    }
                }
            }
        }
    }
}

/// Sets `sums` to `from` plus the rows in `added` minus the rows in `removed`. If `from` is `None`,
/// updates `sums` in place.
#[inline(always)]
fn add<const H: usize, const ADDED: usize, const REMOVED: usize>(
    from: Option<&Row<H>>,
    sums: &mut Row<H>,
    added: [&Row<H>; ADDED],
    removed: [&Row<H>; REMOVED],
) {
    for i in 0..H {
        let before = from.map_or(sums.0[i], |from| from.0[i]);
        let more = added.iter().fold(before, |sum, row| sum.wrapping_add(row.0[i]));
        sums.0[i] = removed.iter().fold(more, |sum, row| sum.wrapping_sub(row.0[i]));
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

    fn random<F: BySquare>(rng: &mut Rng) -> Net<H> {
        let shape = Shape::of::<F>(H);
        let mut number = |bound: usize| rng.below(2 * bound + 1) as i32 - bound as i32;
        let recipe = Recipe {
            passes: 0,
            batch: 0,
            rate: 0.0,
            result_share: 0.0,
            decay: 1.0,
            logistic: 100.0,
            seed: 0,
            added: false,
            from: 0,
        };
        let weights = (0..shape.weights()).map(|_| number(100) as i16).collect();
        let output_biases = (0..shape.buckets).map(|_| number(5000)).collect();
        let variant = String::new();
        let header = Header { shape: shape.clone(), variant, scale: 100, recipe, data: Vec::new() };
        Net::new(&NetFile { header, weights, output_biases }, &shape).expect("its own shape")
    }

    fn check_incremental_values<F: BySquare>(rng: &mut Rng, games: &[Vec<F::Position>]) {
        let net = random::<F>(rng);
        let mut values = HashSet::new();
        let mut accumulators = Accumulators::<F, H>::new(&net);
        for game in games {
            for (number, position) in game.iter().enumerate() {
                // The height increases and decreases, as in a search.
                let height = Height((number % 7 * 3) as u16);
                let value = accumulators.value(&net, position, height);
                let fresh = Accumulators::<F, H>::new(&net).value(&net, position, Height::ROOT);
                assert_eq!(value, fresh);
                values.insert(value);
            }
        }
        assert!(values.len() > 500, "{}", values.len());
    }

    #[test]
    fn incremental_values_match_recomputed_ones() {
        let mut rng = Rng::new(6);
        let start = chess::Position::start();
        let games: Vec<_> =
            (0..40).map(|_| chess::random_game(start.clone(), 120, &mut rng)).collect();
        check_incremental_values::<ChessFeatures>(&mut rng, &games);
    }
}
