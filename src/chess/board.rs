//! The bare board: what the move generator needs besides whose move it is, in 80 bytes.
//!
//! Small and `Copy`, because every node of a perft tree copies it. `Position` adds hash keys,
//! counters and the piece on each square for the search.

use super::bitboard::Bitboard;
use super::piece::{Kind, Piece};
use super::square::{File, Rank, Square};
use crate::base::cpu::Lanes;
use crate::base::side::Side;

/// Pieces, castling rights and the en passant square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Board {
    /// The pieces of each kind, then those of each side: eight words, so that a move changes them
    /// all at once (see [`Lanes`]).
    words: [u64; Kind::NUM + Side::NUM],
    /// The squares of the rooks with which castling is still allowed. It serves every Chess960
    /// start alike, and a right is lost by clearing the squares that a move leaves and reaches.
    pub castling: Bitboard,
    /// The square that a pawn has just passed over, while an enemy pawn stands ready to take it
    /// there; else empty. Whether that capture is legal is the generator's question.
    pub en_passant: Bitboard,
}

/// Where king and rook end after castling, to either side (3.8; 20.3).
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
        words: [0; Kind::NUM + Side::NUM],
        castling: Bitboard::EMPTY,
        en_passant: Bitboard::EMPTY,
    };

    /// Both sides' pieces of a kind.
    #[inline(always)]
    pub const fn kind(&self, kind: Kind) -> Bitboard {
        Bitboard(self.words[kind.index()])
    }

    /// All pieces of a side.
    #[inline(always)]
    pub const fn side(&self, side: Side) -> Bitboard {
        Bitboard(self.words[Kind::NUM + side.index()])
    }

    /// `side`'s pieces of a kind.
    #[inline(always)]
    pub const fn pieces(&self, side: Side, kind: Kind) -> Bitboard {
        Bitboard(self.kind(kind).0 & self.side(side).0)
    }

    /// `side`'s bishops and queens.
    #[inline(always)]
    pub const fn diagonal_sliders(&self, side: Side) -> Bitboard {
        Bitboard((self.kind(Kind::Bishop).0 | self.kind(Kind::Queen).0) & self.side(side).0)
    }

    /// `side`'s rooks and queens.
    #[inline(always)]
    pub const fn straight_sliders(&self, side: Side) -> Bitboard {
        Bitboard((self.kind(Kind::Rook).0 | self.kind(Kind::Queen).0) & self.side(side).0)
    }

    /// Every occupied square.
    #[inline(always)]
    pub const fn occupied(&self) -> Bitboard {
        Bitboard(self.side(Side::White).0 | self.side(Side::Black).0)
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
        self.words[piece.kind.index()] ^= squares.0;
        self.words[Kind::NUM + piece.side.index()] ^= squares.0;
    }

    /// The board after a move: first `cleared` squares are emptied, whatever stands there, then
    /// each piece of `changes` is taken off or put on squares. No one can take en passant any more.
    ///
    /// All words are computed in a vector register and stored once, so that whoever reads them next
    /// does not wait for several small stores to be combined.
    #[inline(always)]
    pub fn after<const N: usize>(
        &self,
        cleared: Bitboard,
        changes: [(Piece, Bitboard); N],
    ) -> Self {
        let mut words = Lanes::load(&self.words) - Lanes::splat(cleared.0);
        for (piece, squares) in changes {
            let lanes = 1 << piece.kind.index() | 1 << (Kind::NUM + piece.side.index());
            words = words ^ Lanes::only(lanes, squares.0);
        }
        Self { words: words.words(), castling: self.castling, en_passant: Bitboard::EMPTY }
    }

    /// Forgets the rights that a king or rook leaving `from`, or a rook taken on `to`, loses (3.8).
    #[inline(always)]
    pub fn lose_castling(&mut self, from: Square, to: Square) {
        self.castling -= Bitboard::of(from) | to;
    }

    /// Forgets all of `side`'s castling rights: its king has moved.
    #[inline(always)]
    pub fn lose_all_castling(&mut self, side: Side) {
        self.castling -= Bitboard::rank(Rank::R1.relative_to(side));
    }

    /// The board after a piece of compile-time `side` and kind has gone from `from` to `to`.
    #[inline(always)]
    pub fn step(&self, piece: Piece, from: Square, to: Square) -> Self {
        let mut next = self.after(Bitboard::of(to), [(piece, Bitboard::of(from) | to)]);
        next.lose_castling(from, to);
        if matches!(piece.kind, Kind::King) {
            next.lose_all_castling(piece.side);
        }
        next
    }

    /// The board after castling.
    #[inline(always)]
    pub fn castled(&self, side: Side, king: Square, rook: Square) -> Self {
        let end = CastlingSquares::of(king, rook);
        let (from_to, rook_from_to) =
            (Bitboard::of(king) ^ end.king, Bitboard::of(rook) ^ end.rook);
        let (king, rook) = (Piece::new(side, Kind::King), Piece::new(side, Kind::Rook));
        let mut next = self.after(Bitboard::EMPTY, [(king, from_to), (rook, rook_from_to)]);
        next.lose_all_castling(side);
        next
    }

    /// The board after a capture en passant.
    #[inline(always)]
    pub fn taken_en_passant(&self, side: Side, from: Square, to: Square) -> Self {
        let (pawn, taken) = (Piece::new(side, Kind::Pawn), Piece::new(!side, Kind::Pawn));
        let to = Bitboard::of(to);
        self.after(Bitboard::EMPTY, [(pawn, to | from), (taken, to.forward(!side))])
    }

    /// The board after a pawn has become `kind`.
    #[inline(always)]
    pub fn promoted(&self, side: Side, from: Square, to: Square, kind: Kind) -> Self {
        let (pawn, new) = (Piece::new(side, Kind::Pawn), Piece::new(side, kind));
        let mut next =
            self.after(Bitboard::of(to), [(pawn, Bitboard::of(from)), (new, Bitboard::of(to))]);
        next.lose_castling(from, to);
        next
    }

    /// The board after a pawn's double step to `to`.
    #[inline(always)]
    pub fn double_stepped(&self, side: Side, to: Square) -> Self {
        let to = Bitboard::of(to);
        let passed = to.forward(!side);
        let pawn = Piece::new(side, Kind::Pawn);
        let mut next = self.after(Bitboard::EMPTY, [(pawn, to | passed.forward(!side))]);
        let ready = (to.left() | to.right()) & self.pieces(!side, Kind::Pawn);
        next.en_passant = if ready.any() { passed } else { Bitboard::EMPTY };
        next
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
