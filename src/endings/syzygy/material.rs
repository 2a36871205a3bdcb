//! The material of a table and its file name: `KQvKR` is king and queen against king and rook.

use crate::base::side::Side;
use crate::chess::{Board, Kind};
use std::fmt::{self, Display, Formatter, Write as _};

/// The kinds of pieces in the order of file names.
const NAMED: [Kind; 6] =
    [Kind::King, Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight, Kind::Pawn];

/// The maximum number of pieces, kings included, in the format.
pub(crate) const MAX_PIECES: usize = 7;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Material([[u8; Kind::NUM]; Side::NUM]);

impl Material {
    #[inline]
    pub(crate) fn of(board: &Board) -> Self {
        Self(Side::ALL.map(|side| Kind::ALL.map(|kind| board.pieces(side, kind).len() as u8)))
    }

    /// Parses the name of a table. Returns `None` if the name is invalid.
    pub fn parse(name: &str) -> Option<Self> {
        let (white, black) = name.split_once('v')?;
        let side = |letters: &str| {
            let mut counts = [0; Kind::NUM];
            for letter in letters.chars() {
                // Lower-case letters are rejected.
                let kind = NAMED.into_iter().find(|kind| initial(*kind) == letter)?;
                counts[kind.index()] += 1;
            }
            Some(counts)
        };
        let material = Self([side(white)?, side(black)?]);
        let kings = Side::ALL.map(|side| material.count(side, Kind::King));
        ((3..=MAX_PIECES).contains(&material.pieces()) && kings == [1, 1]).then_some(material)
    }

    #[inline]
    pub(crate) fn pieces(&self) -> usize {
        self.0.iter().flatten().map(|&count| usize::from(count)).sum()
    }

    #[inline]
    pub(crate) const fn count(&self, side: Side, kind: Kind) -> usize {
        self.0[side.index()][kind.index()] as usize
    }

    #[inline]
    pub(crate) const fn exchanged(self) -> Self {
        let [white, black] = self.0;
        Self([black, white])
    }

    pub(crate) fn is_symmetric(&self) -> bool {
        self.0[0] == self.0[1]
    }

    pub(crate) const fn has_pawns(&self) -> bool {
        self.count(Side::White, Kind::Pawn) + self.count(Side::Black, Kind::Pawn) > 0
    }

    /// Returns whether there is a piece, other than a king, that is the only piece of its kind and
    /// side.
    pub(crate) fn has_single(&self) -> bool {
        self.0.iter().any(|counts| counts[..Kind::King.index()].contains(&1))
    }
}

const fn initial(kind: Kind) -> char {
    kind.letter().to_ascii_uppercase()
}

impl Display for Material {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for side in Side::ALL {
            if side == Side::Black {
                f.write_char('v')?;
            }
            for kind in NAMED {
                (0..self.count(side, kind)).try_for_each(|_| f.write_char(initial(kind)))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;

    #[test]
    fn names_round_trip() {
        for name in ["KQvK", "KvQK", "KRPPvKRP", "KNNvKP", "KPvKP"] {
            let material = Material::parse(name).unwrap_or_else(|| panic!("{name}"));
            assert_eq!(Material::parse(&material.to_string()), Some(material), "{name}");
        }
        for name in ["KvK", "KQK", "kqvk", "KQv", "KKvK", "KXvK", "KQQQvKRRR", "KQvKvK", ""] {
            assert_eq!(Material::parse(name), None, "{name}");
        }
        let position: Position = "4k3/8/8/8/8/8/pP6/R3K3 w - - 0 1".parse().expect("legal");
        let material = Material::of(position.board());
        assert_eq!((material.to_string(), material.pieces()), ("KRPvKP".to_owned(), 5));
        assert_eq!(material.exchanged().to_string(), "KPvKRP");
    }
}
