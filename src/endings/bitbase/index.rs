//! The index of a position among all positions with the same material.
//!
//! If Black is to move, the board is first rotated by 180 degrees and the colours are swapped, so
//! that White is to move. The pieces form four groups: own men, opponent's men, own kings,
//! opponent's kings. The rank of a group is the index of its set of squares among all sets of the
//! same size, in colexicographic order. It is the sum of `C(square, i)` over the pieces of the
//! group.
//!
//! The ranks of the four groups are the digits of the index. The kings are the last digits, so that
//! a king's move changes the index little. The rank of a group does not depend on the squares of
//! the other groups. Some indices therefore do not denote a position, because two groups share a
//! square.
//!
//! In Frisian draughts, the king runs belong to the position. They are two more digits, before all
//! others. The digit of a side is 0 if the side has no run. Otherwise it is `3 i + n` for a run of
//! `n` moves, if `i` other kings of the side are on lower squares than the king of the run. A side
//! without men has no runs.

use super::Node;
use super::material::{MAX_PIECES, Material, choose};
use crate::base::side::Side;
use crate::draughts::frisian::KingRun;
use crate::draughts::{Bitboard, Board, Variant};

/// A group of identical pieces. The groups are in the order of the index's digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Group {
    /// White's men, on squares 6 to 50.
    OwnMen,
    /// Black's men, on squares 1 to 45.
    OtherMen,
    OwnKings,
    OtherKings,
}

impl Group {
    pub(crate) const ALL: [Self; 4] =
        [Self::OwnMen, Self::OtherMen, Self::OwnKings, Self::OtherKings];

    /// Returns the number of squares that a piece of this group can occupy, and the first of these
    /// squares, counted from 0.
    const fn squares(self) -> (u64, u32) {
        match self {
            Self::OwnMen => (45, 5),
            Self::OtherMen => (45, 0),
            Self::OwnKings | Self::OtherKings => (50, 0),
        }
    }

    /// Returns the corresponding group of the other side.
    pub(crate) const fn turned(self) -> Self {
        match self {
            Self::OwnMen => Self::OtherMen,
            Self::OtherMen => Self::OwnMen,
            Self::OwnKings => Self::OtherKings,
            Self::OtherKings => Self::OwnKings,
        }
    }
}

/// The maximum size of a group: all pieces but one, because each side has at least one piece.
const MAX_GROUP: usize = MAX_PIECES as usize - 1;

/// The amount that the `i`th piece of a group adds to the group's rank, indexed by group, `i` and
/// the bit of the piece's square.
static PARTS: [[[u32; 64]; MAX_GROUP]; 4] = {
    let mut parts = [[[0; 64]; MAX_GROUP]; 4];
    let mut group = 0;
    while group < 4 {
        let (squares, first) = Group::ALL[group].squares();
        let mut square = 0;
        while square < squares {
            let on_board = square as u32 + first;
            let bit = on_board + on_board / 10;
            let mut i = 0;
            while i < MAX_GROUP {
                parts[group][i][bit as usize] = choose(square, i as u64 + 1) as u32;
                i += 1;
            }
            square += 1;
        }
        group += 1;
    }
    parts
};

/// Returns the rank of a group on the squares `set`: the index of the set, in colexicographic
/// order, among all sets of the same size.
#[inline(always)]
pub(crate) fn rank(group: Group, set: Bitboard) -> u32 {
    let parts = &PARTS[group as usize];
    let mut left = set.0;
    let mut rank = 0;
    for part in parts {
        if left == 0 {
            break;
        }
        rank += part[(left.trailing_zeros() & 63) as usize];
        left &= left - 1;
    }
    rank
}

/// Returns all sets of `size` squares that a group can occupy, in numerical order.
pub(crate) fn sets(group: Group, size: u8) -> Vec<Bitboard> {
    let (squares, first) = group.squares();
    let on_board = |word: u64| {
        let mut set = 0;
        for square in crate::base::bits::Bits(word) {
            let square = u32::from(square) + first;
            set |= 1 << (square + square / 10);
        }
        Bitboard(set)
    };
    if size == 0 {
        return vec![Bitboard::EMPTY];
    }
    // Gosper's hack computes the next word with the same number of bits. Numerical order is
    // colexicographic order.
    let mut word = (1_u64 << size) - 1;
    let mut sets = Vec::new();
    while word >> squares == 0 {
        sets.push(on_board(word));
        let lowest = word & word.wrapping_neg();
        let carried = word + lowest;
        word = carried | (((carried ^ word) >> 2) / lowest);
    }
    sets
}

/// Returns the digit of a side's king run, given as the king's square and the number of moves.
/// `kings` contains all kings of the side.
pub(super) fn run_digit(run: Option<(Bitboard, u8)>, kings: Bitboard) -> u32 {
    run.map_or(0, |(king, moves)| first_run_digit(king, kings) + u32::from(moves) - 1)
}

/// Returns the digit for a run of one move by the king on the square `king`. The digits for longer
/// runs of the same king follow consecutively.
pub(super) fn first_run_digit(king: Bitboard, kings: Bitboard) -> u32 {
    let lower = kings & Bitboard(king.0.wrapping_sub(1));
    u32::from(KingRun::MAX_RUN) * lower.len() + 1
}

/// Returns the run with this digit.
pub(super) fn run_of_digit(digit: u32, kings: Bitboard) -> Option<(Bitboard, u8)> {
    let (digit, max) = (digit.checked_sub(1)?, u32::from(KingRun::MAX_RUN));
    let king = kings.singles().nth((digit / max) as usize)?;
    Some((king, (digit % max) as u8 + 1))
}

/// The mixed-radix system that combines the ranks of the four groups into an index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Layout {
    /// For each group, the number of possible ranks.
    pub radix: [u32; 4],
    /// For each group, the factor by which its rank is multiplied in the index.
    pub stride: [u32; 4],
    /// The number of possible king-run digits for the side to move and for the opponent.
    pub runs: [u32; 2],
    /// The number of indices with the same king runs.
    pub base: u32,
    pub len: u32,
}

impl Layout {
    pub(crate) const fn of(variant: Variant, material: Material) -> Self {
        let sizes = Self::sizes(material);
        let (mut radix, mut stride, mut len) = ([0; 4], [0; 4], 1);
        let mut i = 4;
        while i > 0 {
            i -= 1;
            radix[i] = choose(Group::ALL[i].squares().0, sizes[i] as u64) as u32;
            stride[i] = len;
            len *= radix[i];
        }
        let own = run_digits(variant, material.own_men, material.own_kings);
        let other = run_digits(variant, material.other_men, material.other_kings);
        Self { radix, stride, runs: [own, other], base: len, len: len * own * other }
    }

    /// Returns the layout with the digits in the given order, most significant first.
    pub(crate) const fn reordered(&self, order: [Group; 4]) -> Self {
        let (mut stride, mut len) = ([0; 4], 1);
        let mut i = 4;
        while i > 0 {
            i -= 1;
            let group = order[i] as usize;
            stride[group] = len;
            len *= self.radix[group];
        }
        Self { stride, ..*self }
    }

    pub(crate) const fn sizes(material: Material) -> [u8; 4] {
        [material.own_men, material.other_men, material.own_kings, material.other_kings]
    }

    /// Returns whether the index contains king runs.
    #[inline(always)]
    pub(super) const fn has_runs(&self) -> bool {
        self.base != self.len
    }

    /// Splits an index into the ranks of the four groups. The layout must not be reordered.
    #[inline(always)]
    pub(crate) const fn split(&self, index: u32) -> [u32; 4] {
        let index = if self.has_runs() { index % self.base } else { index };
        let (rest, d) = (index / self.radix[3], index % self.radix[3]);
        let (rest, c) = (rest / self.radix[2], rest % self.radix[2]);
        [rest / self.radix[1], rest % self.radix[1], c, d]
    }

    /// Returns the position at `index`, with White to move. `board` must be the board at `index`.
    #[inline(always)]
    pub(super) fn node(&self, index: u32, board: Board) -> Node {
        let mut runs = [KingRun::default(); 2];
        if self.has_runs() {
            let digits = self.split_runs(index);
            for ((side, run), digit) in Side::ALL.into_iter().zip(&mut runs).zip(digits) {
                if let Some((king, moves)) = run_of_digit(digit, board.kings(side)) {
                    *run = KingRun::new(king, moves);
                }
            }
        }
        Node { board, side: Side::White, runs }
    }

    /// Extracts the king-run digits of the side to move and of the opponent from an index.
    pub(super) const fn split_runs(&self, index: u32) -> [u32; 2] {
        let both = index / self.base;
        [both / self.runs[1], both % self.runs[1]]
    }

    /// Returns the part of an index that encodes the king runs, from their digits.
    pub(super) const fn runs_part(&self, own: u32, other: u32) -> u32 {
        self.base * (own * self.runs[1] + other)
    }

    #[inline(always)]
    pub(super) fn index(&self, node: &Node) -> u32 {
        let Node { board, side, runs } = node;
        let side = *side;
        let groups = [board.men(side), board.men(!side), board.kings(side), board.kings(!side)];
        let mut index = 0;
        for ((group, set), stride) in Group::ALL.into_iter().zip(groups).zip(self.stride) {
            index += rank(group, set.relative_to(side)) * stride;
        }
        if self.has_runs() {
            let digit = |of: Side| {
                let run = runs[of.index()].parts();
                let run = run.map(|(king, moves)| (king.relative_to(side), moves));
                run_digit(run, board.kings(of).relative_to(side))
            };
            index += self.runs_part(digit(side), digit(!side));
        }
        index
    }
}

/// Returns the number of possible king-run digits for a side with these pieces.
const fn run_digits(variant: Variant, men: u8, kings: u8) -> u32 {
    match variant {
        Variant::Frisian if men > 0 => 1 + KingRun::MAX_RUN as u32 * kings as u32,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_fit_32_bits() {
        for variant in Variant::ALL {
            let all = (2..=MAX_PIECES).flat_map(|pieces| Material::all(variant, pieces));
            for material in all {
                let Layout { radix, runs, len, .. } = Layout::of(variant, material);
                let product: u64 = radix.iter().chain(&runs).map(|&n| u64::from(n)).product();
                assert_eq!(product, u64::from(len), "{variant} {material}");
            }
        }
    }

    #[test]
    fn rank_inverts_sets() {
        for group in Group::ALL {
            for size in 0..=MAX_GROUP as u8 {
                let sets = sets(group, size);
                assert_eq!(sets.len() as u64, choose(group.squares().0, size.into()));
                for (i, &set) in sets.iter().enumerate() {
                    assert_eq!((set.len(), rank(group, set)), (size.into(), i as u32));
                    assert_eq!(set & Bitboard::ALL, set);
                }
            }
        }
    }
}
