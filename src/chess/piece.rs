//! Pieces and their letters.

use crate::base::indexed_enum;
use crate::base::side::Side;

indexed_enum! {
    /// The kind of a piece, independent of its side.
    #[allow(missing_docs)]
    pub enum Kind { Pawn, Knight, Bishop, Rook, Queen, King }
}

impl Kind {
    /// Returns the English letter in lower case, `p` for the pawn.
    pub const fn letter(self) -> char {
        ['p', 'n', 'b', 'r', 'q', 'k'][self.index()]
    }

    /// Returns the English name, such as `knight`.
    pub const fn name(self) -> &'static str {
        ["pawn", "knight", "bishop", "rook", "queen", "king"][self.index()]
    }

    /// Returns the French name, such as `cavalier`.
    #[cfg(feature = "laws")]
    pub(crate) const fn french_name(self) -> &'static str {
        ["pion", "cavalier", "fou", "tour", "dame", "roi"][self.index()]
    }

    /// Returns whether the French name is feminine.
    #[cfg(feature = "laws")]
    pub(crate) const fn is_feminine(self) -> bool {
        matches!(self, Self::Rook | Self::Queen)
    }

    /// Returns the kind with this English letter, in either case.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.letter() == letter.to_ascii_lowercase())
    }
}

/// A piece of one side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Piece {
    /// The side that owns the piece.
    pub side: Side,
    /// The kind of the piece.
    pub kind: Kind,
}

impl Piece {
    /// The number of different pieces: 12.
    pub const NUM: usize = 12;

    /// Creates a piece from its side and its kind.
    #[inline(always)]
    pub const fn new(side: Side, kind: Kind) -> Self {
        Self { side, kind }
    }

    /// Returns an index from 0 to 11: White's pawn to king, then Black's.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.side.index() * Kind::NUM + self.kind.index()
    }

    /// Returns the FEN letter: upper case for White.
    pub const fn letter(self) -> char {
        match self.side {
            Side::White => self.kind.letter().to_ascii_uppercase(),
            Side::Black => self.kind.letter(),
        }
    }

    /// Returns the piece with this FEN letter.
    pub fn from_letter(letter: char) -> Option<Self> {
        let side = Side::from_white(letter.is_ascii_uppercase());
        Kind::from_letter(letter).map(|kind| Self { side, kind })
    }
}
