//! The material of a position: the numbers of men and kings of each side. Each table covers one
//! combination of these numbers.

use super::index::Layout;
use crate::base::side::Side;
use crate::draughts::{Board, Variant};
use std::fmt;

pub(crate) const MAX_PIECES: u32 = 6;

/// Returns the maximum number of pieces in the tables of a variant. Frisian tables are much larger,
/// because they also contain the king runs.
pub(crate) const fn max_pieces(variant: Variant) -> u32 {
    match variant {
        Variant::Frisian => 4,
        _ => MAX_PIECES,
    }
}

/// The numbers of men and kings of the side to move (`own`) and of the opponent (`other`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Material {
    pub own_men: u8,
    pub own_kings: u8,
    pub other_men: u8,
    pub other_kings: u8,
}

impl Material {
    /// The exclusive upper bound of [`Self::code`].
    pub const CODES: usize = 1 << 12;

    /// Returns the material on a board with `side` to move.
    #[inline(always)]
    pub const fn of(board: &Board, side: Side) -> Self {
        let other = Side::from_white(!side.is_white());
        Self {
            own_men: board.men(side).len() as u8,
            own_kings: board.kings(side).len() as u8,
            other_men: board.men(other).len() as u8,
            other_kings: board.kings(other).len() as u8,
        }
    }

    pub const fn flipped(self) -> Self {
        Self {
            own_men: self.other_men,
            own_kings: self.other_kings,
            other_men: self.own_men,
            other_kings: self.own_kings,
        }
    }

    pub const fn pieces(self) -> u32 {
        (self.own_men + self.own_kings + self.other_men + self.other_kings) as u32
    }

    /// Returns whether a variant has a table for this material. Both sides need a piece, and there
    /// are at most [`max_pieces`] in total. A game of breakthrough ends with the first king.
    pub const fn has_table(self, variant: Variant) -> bool {
        let (own, other) = (self.own_men + self.own_kings, self.other_men + self.other_kings);
        let fits = own > 0 && other > 0 && self.pieces() <= max_pieces(variant);
        fits && (!matches!(variant, Variant::Breakthrough) || self.men() == self.pieces())
    }

    pub const fn men(self) -> u32 {
        (self.own_men + self.other_men) as u32
    }

    /// Returns the number of positions of a variant with this material, including the king runs of
    /// Frisian draughts.
    ///
    /// Own men can be on squares 6 to 50, the opponent's men on squares 1 to 45. These ranges share
    /// 40 squares, and 5 squares are available only to own men.
    pub fn positions(self, variant: Variant) -> u64 {
        let [own, other, own_kings, other_kings] =
            [self.own_men, self.other_men, self.own_kings, self.other_kings].map(u64::from);
        let men: u64 = (0..=own.min(5))
            .map(|alone| {
                let shared = own - alone;
                choose(5, alone) * choose(40, shared) * choose(45 - shared, other)
            })
            .sum();
        let empty = 50 - own - other;
        let boards = men * choose(empty, own_kings) * choose(empty - own_kings, other_kings);
        let [own_runs, other_runs] = Layout::of(variant, self).runs.map(u64::from);
        boards * own_runs * other_runs
    }

    /// Returns a code for this material. Codes are unique as long as neither side has more than
    /// seven men or more than seven kings.
    #[inline(always)]
    pub const fn code(self) -> usize {
        let (own, other) =
            (self.own_men | self.own_kings << 3, self.other_men | self.other_kings << 3);
        (own as usize & 63) | (other as usize & 63) << 6
    }

    /// Returns the material of every table with this number of pieces in a variant. Material with
    /// fewer men comes first, so that a promotion leads to material earlier in the list.
    pub fn all(variant: Variant, pieces: u32) -> Vec<Self> {
        let mut all = Vec::new();
        for men in 0..=pieces {
            for own in 1..pieces {
                for own_men in 0..=own.min(men) {
                    let (other, other_men) = (pieces - own, men - own_men);
                    if other_men <= other {
                        all.push(Self {
                            own_men: own_men as u8,
                            own_kings: (own - own_men) as u8,
                            other_men: other_men as u8,
                            other_kings: (other - other_men) as u8,
                        });
                    }
                }
            }
        }
        all.retain(|material| material.has_table(variant));
        all
    }
}

pub(super) const fn choose(n: u64, k: u64) -> u64 {
    let (mut product, mut i) = (1, 0);
    while i < k {
        if n < k {
            return 0;
        }
        product = product * (n - i) / (i + 1);
        i += 1;
    }
    product
}

impl fmt::Display for Material {
    /// Formats the material with one letter per piece, `m` or `k`, and the side to move first:
    /// `mk-kk`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letters = |men: u8, kings: u8| "m".repeat(men.into()) + &"k".repeat(kings.into());
        let own = letters(self.own_men, self.own_kings);
        write!(f, "{own}-{}", letters(self.other_men, self.other_kings))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_every_material_once_in_promotion_order() {
        // The expected numbers of positions are published values.
        for (pieces, number, positions) in [
            (2, 4, 8_845),
            (3, 12, 806_300),
            (4, 25, 41_971_200),
            (5, 44, 1_570_600_750_u64),
            (6, 70, 46_198_758_750),
        ] {
            let variant = Variant::Normal;
            let all = Material::all(variant, pieces);
            assert_eq!(all.len(), number);
            let sum: u64 = all.iter().map(|material| material.positions(variant)).sum();
            assert_eq!(sum, positions);
            for (i, material) in all.iter().enumerate() {
                assert_eq!(material.pieces(), pieces);
                assert!(all[..i].iter().all(|m| m.code() != material.code()));
                assert!(all[..i].iter().all(|m| m.men() <= material.men()));
                assert!(all.contains(&material.flipped()));
            }
        }
        assert_eq!(Material::all(Variant::Normal, 3)[0].to_string(), "k-kk");
    }

    #[test]
    fn breakthrough_has_only_men() {
        let all = Material::all(Variant::Breakthrough, 3);
        let names: Vec<_> = all.iter().map(ToString::to_string).collect();
        assert_eq!(names, ["m-mm", "mm-m"]);
        assert_eq!(Material::all(Variant::Frisian, MAX_PIECES), []);
    }
}
