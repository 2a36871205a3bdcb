//! Incrementally updated sums of the first layer (NNUE accumulators).
//!
//! The sums are computed when a position is evaluated, not when a move is made, because many nodes
//! are never evaluated. Groups and sums are stored by height, the number of moves from the root.
//! The sums of a new position are computed from the stored position at the same height or one move
//! nearer to the root, whichever differs from the new position on fewer squares. The stored
//! position need not be a parent or sibling, because its groups are compared with the groups of the
//! new position. Therefore moves do not have to be undone, and stored sums cannot become stale.

use super::{BySquare, Net, Row};
use crate::base::bits::Bits;
use crate::base::cpu::Squares;
use crate::base::side::Side;
use arrayvec::ArrayVec;
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
    groups: Squares,
    /// True if the board is mirrored, for each perspective.
    mirrored: [bool; Side::NUM],
}

impl Seen {
    const NONE: Self = Self { groups: Squares::ZERO, mirrored: [false; Side::NUM] };

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
    mirror_groups: [[Squares; 2]; Side::NUM],
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
            mirror_groups: [[Squares::ZERO; 2]; Side::NUM],
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
            [here, below].map(|index| self.seen[index].groups.differing(&seen.groups));
        let is_nearer = from_below.count_ones() < from_here.count_ones();
        let (from, differing) = if is_nearer { (below, from_below) } else { (here, from_here) };
        let before = &self.seen[from];
        let changes = Changes::of(&before.groups, &seen.groups, differing);
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
                let changes = Changes::of(groups, &seen.groups, groups.differing(&seen.groups));
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

/// The maximum number of added or removed features: all squares may change.
const MAX_CHANGES: usize = 64;

/// The features added and removed between two positions, as pairs of group and square.
struct Changes {
    added: ArrayVec<(u8, u8), MAX_CHANGES>,
    removed: ArrayVec<(u8, u8), MAX_CHANGES>,
}

impl Changes {
    /// Returns the changes from the groups `before` to the groups `after`, which differ on the
    /// squares `differing`.
    #[inline(always)]
    fn of(before: &Squares, after: &Squares, differing: u64) -> Self {
        let mut changes = Self { added: ArrayVec::new(), removed: ArrayVec::new() };
        for square in Bits(differing) {
            for (groups, list) in [(after, &mut changes.added), (before, &mut changes.removed)] {
                let group = groups.0[usize::from(square)];
                if group > 0 {
                    let _ = list.try_push((group - 1, square));
                }
            }
        }
        changes
    }

    /// Sets `sums` to `from` plus the rows of the added features minus the rows of the removed
    /// features. If `from` is `None`, updates `sums` in place.
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
        // Each pass reads and writes all sums, so a pass handles up to four changes. Most changes come
        // in pairs: a piece that moves, or that is attacked now, leaves one group and joins another.
        let (mut added, mut removed) = (&self.added[..], &self.removed[..]);
        match (added, removed) {
            ([a], [b]) => return add(from, sums, [row(a)], [row(b)]),
            ([a], [b, c]) => return add(from, sums, [row(a)], [row(b), row(c)]),
            ([a, b, more @ ..], [c, d, others @ ..]) => {
                add(from, sums, [row(a), row(b)], [row(c), row(d)]);
                (added, removed) = (more, others);
            }
            _ => add(from, sums, [], []),
        }
        loop {
            match (added, removed) {
                ([a, b, more @ ..], [c, d, others @ ..]) => {
                    add(None, sums, [row(a), row(b)], [row(c), row(d)]);
                    (added, removed) = (more, others);
                }
                ([a, more @ ..], [b, others @ ..]) => {
                    add(None, sums, [row(a)], [row(b)]);
                    (added, removed) = (more, others);
                }
                ([a, more @ ..], []) => {
                    add(None, sums, [row(a)], []);
                    added = more;
                }
                ([], [a, others @ ..]) => {
                    add(None, sums, [], [row(a)]);
                    removed = others;
                }
                ([], []) => return,
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
