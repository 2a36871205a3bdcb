//! The bare board: what the move generator needs besides whose move it is, in 80 bytes.
//!
//! Small and `Copy`, because every node of a perft tree copies it. `Position` adds hash keys,
//! counters and the piece on each square for the search.

use super::bitboard::Bitboard;
use super::piece::{Kind, Piece};
use super::square::{File, Rank, Square};
use crate::base::side::Side;

/// Pieces, castling rights and the en passant square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Board {
    kinds: [Bitboard; Kind::NUM],
    sides: [Bitboard; Side::NUM],
    /// The squares of the rooks with which castling is still allowed. It serves every Chess960
    /// start alike, and a right is lost by clearing the squares that a move leaves and reaches.
    pub castling: Bitboard,
    /// The square that a pawn has just passed over, while an enemy pawn stands ready to take it
    /// there; else empty. Whether that capture is legal is the generator's question.
    pub en_passant: Bitboard,
}

/// The final squares of king and rook, by which way the king castles (3.8; 20.3).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CastlingSquares {
    /// Where the king ends: the c or g file.
    pub king: Square,
    /// Where the rook ends: the d or f file.
    pub rook: Square,
}

impl CastlingSquares {
    /// Where a king on `king` and the rook on `rook` end.
    #[inline(always)]
    pub const fn of(king: Square, rook: Square) -> Self {
        let rank = king.rank();
        if (rook as u8) > king as u8 {
            Self { king: Square::new(File::G, rank), rook: Square::new(File::F, rank) }
        } else {
            Self { king: Square::new(File::C, rank), rook: Square::new(File::D, rank) }
        }
    }
}

impl Board {
    /// A board without pieces.
    pub const EMPTY: Self = Self {
        kinds: [Bitboard::EMPTY; Kind::NUM],
        sides: [Bitboard::EMPTY; Side::NUM],
        castling: Bitboard::EMPTY,
        en_passant: Bitboard::EMPTY,
    };

    /// Both sides' pieces of a kind.
    #[inline(always)]
    pub const fn kind(&self, kind: Kind) -> Bitboard {
        self.kinds[kind.index()]
    }

    /// All pieces of a side.
    #[inline(always)]
    pub const fn side(&self, side: Side) -> Bitboard {
        self.sides[side.index()]
    }

    /// `side`'s pieces of a kind.
    #[inline(always)]
    pub const fn pieces(&self, side: Side, kind: Kind) -> Bitboard {
        Bitboard(self.kinds[kind.index()].0 & self.sides[side.index()].0)
    }

    /// `side`'s bishops and queens.
    #[inline(always)]
    pub const fn diagonal_sliders(&self, side: Side) -> Bitboard {
        Bitboard(
            (self.kinds[Kind::Bishop.index()].0 | self.kinds[Kind::Queen.index()].0)
                & self.sides[side.index()].0,
        )
    }

    /// `side`'s rooks and queens.
    #[inline(always)]
    pub const fn straight_sliders(&self, side: Side) -> Bitboard {
        Bitboard(
            (self.kinds[Kind::Rook.index()].0 | self.kinds[Kind::Queen.index()].0)
                & self.sides[side.index()].0,
        )
    }

    /// Every occupied square.
    #[inline(always)]
    pub const fn occupied(&self) -> Bitboard {
        Bitboard(self.sides[0].0 | self.sides[1].0)
    }

    /// The square of `side`'s king; a1 if it has none, which no `Position` allows.
    #[inline(always)]
    pub const fn king(&self, side: Side) -> Square {
        self.pieces(side, Kind::King).lowest()
    }

    /// The piece on a square.
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        let side = Side::ALL.into_iter().find(|&side| self.side(side).has(square))?;
        let kind = Kind::ALL.into_iter().find(|&kind| self.kind(kind).has(square))?;
        Some(Piece { side, kind })
    }

    /// Puts a piece on a square that is empty, or takes it off a square where it stands.
    #[inline(always)]
    pub fn toggle(&mut self, piece: Piece, squares: impl Into<Bitboard>) {
        let squares = squares.into();
        self.kinds[piece.kind.index()] ^= squares;
        self.sides[piece.side.index()] ^= squares;
    }

    /// Empties squares, whatever stands there.
    #[inline(always)]
    pub fn clear(&mut self, squares: Bitboard) {
        for set in self.kinds.iter_mut().chain(&mut self.sides) {
            *set -= squares;
        }
    }

    /// Forgets the rights that a king or rook leaving `from`, or a rook taken on `to`, loses (C-07).
    #[inline(always)]
    pub fn lose_castling(&mut self, from: Square, to: Square) {
        self.castling -= Bitboard::of(from) | to;
    }

    /// Forgets all of `side`'s castling rights: its king has moved.
    #[inline(always)]
    pub fn lose_all_castling(&mut self, side: Side) {
        self.castling -= Bitboard::rank(Rank::R1.relative_to(side));
    }

    /// All pieces, of either side, that attack `square` where `occupied` squares block sliders.
    #[inline(always)]
    pub fn attackers(&self, square: Square, occupied: Bitboard) -> Bitboard {
        use super::attacks;
        let queens = self.kind(Kind::Queen);
        attacks::pawn(Side::Black, square) & self.pieces(Side::White, Kind::Pawn)
            | attacks::pawn(Side::White, square) & self.pieces(Side::Black, Kind::Pawn)
            | attacks::knight(square) & self.kind(Kind::Knight)
            | attacks::king(square) & self.kind(Kind::King)
            | attacks::bishop(square, occupied) & (self.kind(Kind::Bishop) | queens)
            | attacks::rook(square, occupied) & (self.kind(Kind::Rook) | queens)
    }
}
