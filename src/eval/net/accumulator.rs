//! Incrementally updated sums of the first layer (NNUE accumulators).
//!
//! The sums are computed when a position is evaluated, not when a move is made, because many nodes
//! are never evaluated. Groups and sums are stored by height, the number of moves from the root.
//! The sums of a new position are computed from the stored position at the same height or one move
//! nearer to the root, whichever differs from the new position in fewer features. The stored
//! position need not be a parent or sibling, because its groups are compared with the groups of the
//! new position. Therefore moves do not have to be undone, and stored sums cannot become stale.

use super::{BySquare, FAMILIES, Groups, Net, Row};
use crate::base::bits::Bits;
use crate::base::cpu::{Block, Squares};
use crate::base::side::Side;
use arrayvec::ArrayVec;
use std::array::from_fn;
use std::marker::PhantomData;

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

/// The features of a position.
#[derive(Clone, Copy, Debug)]
struct Seen {
    groups: Groups,
    /// True if the board is mirrored, for each perspective.
    mirrored: [bool; Side::NUM],
}

impl Seen {
    const NONE: Self = Self { groups: [Squares::ZERO; FAMILIES], mirrored: [false; Side::NUM] };

    #[inline(always)]
    fn of<F: BySquare>(pieces: &F::Pieces) -> Self {
        let mirrored = [Side::White, Side::Black].map(|view| F::is_mirrored(pieces, view));
        Self { groups: F::groups(pieces), mirrored }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Accumulators<F: BySquare, const H: usize> {
    /// The positions whose sums are in `sums`.
    seen: Box<[Seen]>,
    /// The sums at each height, for both perspectives.
    sums: Box<[[Row<H>; Side::NUM]]>,
    /// The groups of the position whose sums are in `mirror_sums`, for each perspective and mirroring
    /// (Stockfish's "finny table"). Used if the new position and the position that it would be
    /// updated from are mirrored differently.
    mirror_groups: [[Groups; 2]; Side::NUM],
    mirror_sums: Box<[[Row<H>; 2]; Side::NUM]>,
    features: PhantomData<F>,
}

impl<F: BySquare, const H: usize> Accumulators<F, H> {
    /// Creates the accumulators with the empty board stored at every height.
    pub(crate) fn new(net: &Net<H>) -> Self {
        let bias = *net.bias();
        Self {
            seen: vec![Seen::NONE; Height::NUM].into(),
            sums: vec![[bias; Side::NUM]; Height::NUM].into(),
            mirror_groups: [[[Squares::ZERO; FAMILIES]; 2]; Side::NUM],
            mirror_sums: Box::new([[bias; 2]; Side::NUM]),
            features: PhantomData,
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
        let seen = Seen::of::<F>(pieces);
        let (here, below) = (height.index(), height.below());
        let [from_here, from_below] =
            [here, below].map(|index| Differing::of(&self.seen[index].groups, &seen.groups));
        let is_nearer = from_below.count() < from_here.count();
        let (from, differing) = if is_nearer { (below, from_below) } else { (here, from_here) };
        let before = &self.seen[from];
        let mut changes = Changes::default();
        changes.fill(&before.groups, &seen.groups, &differing);
        for view in Side::ALL {
            let at = view.index();
            let mirrored = seen.mirrored[at];
            if before.mirrored[at] == mirrored {
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
                let groups = &mut self.mirror_groups[at][usize::from(mirrored)];
                let sums = &mut self.mirror_sums[at][usize::from(mirrored)];
                let differing = Differing::of(groups, &seen.groups);
                let mut changes = Changes::default();
                changes.fill(groups, &seen.groups, &differing);
                changes.add::<F, H>(net, view, mirrored, None, sums);
                *groups = seen.groups;
                self.sums[here][at] = *sums;
            }
        }
        self.seen[here] = seen;
        let [white, black] = &self.sums[here];
        let (own, other) = if side.is_white() { (white, black) } else { (black, white) };
        net.output(F::bucket(pieces), own, other)
    }
}

/// For each family, the squares on which two positions have different features.
struct Differing([u64; FAMILIES]);

impl Differing {
    #[inline(always)]
    fn of(before: &Groups, after: &Groups) -> Self {
        Self(from_fn(|family| before[family].differing(&after[family])))
    }

    #[inline(always)]
    fn count(&self) -> u32 {
        self.0.iter().map(|set| set.count_ones()).sum()
    }
}

/// The maximum number of added or removed features: all squares may change in all families.
const MAX_CHANGES: usize = 64 * FAMILIES;

/// The features added and removed between two positions, as pairs of group and square.
#[derive(Default)]
struct Changes {
    added: ArrayVec<(u8, u8), MAX_CHANGES>,
    removed: ArrayVec<(u8, u8), MAX_CHANGES>,
}

impl Changes {
    /// Adds the changes from the groups `before` to the groups `after`, which differ on the squares
    /// `differing`. Returning new lists would copy them.
    #[inline(always)]
    fn fill(&mut self, before: &Groups, after: &Groups, differing: &Differing) {
        for (groups, list) in [(after, &mut self.added), (before, &mut self.removed)] {
            for (groups, &differing) in groups.iter().zip(&differing.0) {
                for square in Bits(differing & groups.nonzero()) {
                    let _ = list.try_push((groups.0[usize::from(square)] - 1, square));
                }
            }
        }
    }

    /// Sets `sums` to `from` plus the rows of the added features minus the rows of the removed
    /// features. If `from` is `None`, updates `sums` in place. The sums stay in registers until all
    /// rows are added.
    #[inline(always)]
    fn add<F: BySquare, const H: usize>(
        &self,
        net: &Net<H>,
        view: Side,
        mirrored: bool,
        from: Option<&Row<H>>,
        sums: &mut Row<H>,
    ) {
        const { assert!(H.is_multiple_of(Block::LEN)) };
        let row = |&(group, bit): &(u8, u8)| net.row(F::feature(view, mirrored, group.into(), bit));
        for at in 0..H / Block::LEN {
            let part = |row: &Row<H>| Block::load(&row.0.as_chunks().0[at]);
            let mut total = part(from.unwrap_or(sums));
            for row in self.added.iter().map(row) {
                total = total.plus(part(row));
            }
            for row in self.removed.iter().map(row) {
                total = total.minus(part(row));
            }
            total.store(&mut sums.0.as_chunks_mut().0[at]);
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

    const H: usize = Block::LEN;

    fn random<F: BySquare>(rng: &mut Rng) -> Net<H> {
        let shape = Shape::of::<F>(H);
        let mut number = |bound: usize| rng.below(2 * bound + 1) as i32 - bound as i32;
        let recipe = Recipe {
            passes: 0,
            batch: 0,
            rate: 0.0,
            result_share: 0.0,
            decay: 1.0,
            weight_decay: 0.0,
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
