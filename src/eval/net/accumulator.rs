//! Incrementally updated sums of the first layer (NNUE accumulators).
//!
//! The sums are computed when a position is evaluated, not when a move is made, because many nodes
//! are never evaluated. Groups and sums are stored by height, the number of moves from the root.
//! The sums of a new position are computed from the stored position at the same height or one move
//! nearer to the root, whichever differs from the new position in fewer features. The stored
//! position need not be a parent or sibling, because its groups are compared with the groups of the
//! new position. Therefore moves do not have to be undone, and stored sums cannot become stale.

use super::{BySquare, FAMILIES, Groups, Net, Row};
use crate::base::cpu::{Block, Squares};
use crate::base::side::Side;
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
    /// The changes of the last update. They are stored here because new lists would have to be
    /// cleared.
    changes: Changes,
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
            changes: Changes::NONE,
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
        let changes = &mut self.changes;
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
                let mut changes = Changes::NONE;
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

/// A list of features, as their groups and squares.
#[derive(Clone, Debug)]
struct List {
    /// The number of each group plus 1, as in [`Groups`].
    groups: [u8; List::CAPACITY],
    squares: [u8; List::CAPACITY],
    len: usize,
}

impl List {
    /// All squares may change in all families. Each family writes [`Self::PART`] places, although
    /// it may use fewer.
    const CAPACITY: usize = Self::PART * FAMILIES;
    const PART: usize = 64;
    const EMPTY: Self = Self { groups: [0; Self::CAPACITY], squares: [0; Self::CAPACITY], len: 0 };

    /// Replaces the list by the features of `groups` on the squares `differing`. Appends each
    /// family at once, because a branch for each feature would be hard to predict.
    #[inline(always)]
    fn fill(&mut self, groups: &Groups, differing: &Differing) {
        self.len = 0;
        for (groups, &differing) in groups.iter().zip(&differing.0) {
            let set = differing & groups.nonzero();
            let part = self.len..self.len + Self::PART;
            self.groups[part.clone()].copy_from_slice(&groups.compressed(set).0);
            self.squares[part].copy_from_slice(&Squares::INDICES.compressed(set).0);
            self.len += set.count_ones() as usize;
        }
    }

    /// Returns the row of each feature from the perspective `view`.
    #[inline(always)]
    fn rows<'a, F: BySquare, const H: usize>(
        &'a self,
        net: &'a Net<H>,
        view: Side,
        mirrored: bool,
    ) -> impl Iterator<Item = &'a Row<H>> {
        let groups = self.groups[..self.len].iter().map(|group| usize::from(group - 1));
        let features = groups.zip(&self.squares);
        features.map(move |(group, &bit)| net.row(F::feature(view, mirrored, group, bit)))
    }
}

/// The features added and removed between two positions.
#[derive(Clone, Debug)]
struct Changes {
    added: List,
    removed: List,
}

impl Changes {
    const NONE: Self = Self { added: List::EMPTY, removed: List::EMPTY };

    /// Sets the changes from the groups `before` to the groups `after`, which differ on the squares
    /// `differing`.
    #[inline(always)]
    fn fill(&mut self, before: &Groups, after: &Groups, differing: &Differing) {
        self.added.fill(after, differing);
        self.removed.fill(before, differing);
    }

    /// Sets `sums` to `from` plus the rows of the added features minus the rows of the removed
    /// features. If `from` is `None`, updates `sums` in place. The sums stay in registers until all
    /// rows are added.
    #[inline(always)]
    fn add<'a, F: BySquare, const H: usize>(
        &'a self,
        net: &'a Net<H>,
        view: Side,
        mirrored: bool,
        from: Option<&Row<H>>,
        sums: &mut Row<H>,
    ) {
        const { assert!(H.is_multiple_of(Block::LEN)) };
        let rows = |list: &'a List| list.rows::<F, H>(net, view, mirrored);
        for at in 0..H / Block::LEN {
            let part = |row: &Row<H>| Block::load(&row.0.as_chunks().0[at]);
            let mut total = part(from.unwrap_or(sums));
            for row in rows(&self.added) {
                total = total.plus(part(row));
            }
            for row in rows(&self.removed) {
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
