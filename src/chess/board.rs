//! The board in 80 bytes: everything the move generator needs except the side to move.
//!
//! `Board` is small and `Copy`, because every node of a perft tree copies it. `Position` adds hash
//! keys, counters and the piece on each square for the search.

use super::bitboard::Bitboard;
use super::piece::{Kind, Piece};
use super::square::{File, Rank, Square};
use crate::base::cpu::Lanes;
use crate::base::side::Side;

/// Pieces, castling rights and the en passant square.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Board {
    /// One set for each kind, then one set for each side. A single vector operation can update all
    /// eight words (see [`Lanes`]).
    words: [u64; Kind::NUM + Side::NUM],
    /// The squares of the rooks that may still castle. This representation works for every Chess960
    /// start: clearing a move's origin and destination squares removes the rights of a moved or
    /// captured rook.
    pub castling: Bitboard,
    /// The square that a pawn has just passed over, if an enemy pawn can reach it by a capture;
    /// otherwise empty. The move generator checks whether the capture is legal. In the board of a
    /// `Position`, the square is set only if the capture is legal.
    pub en_passant: Bitboard,
}

/// The squares of king and rook after castling (FIDE 2009, 3.8 and 20.3).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct CastlingSquares {
    /// The square on the c or g file.
    pub king: Square,
    /// The square on the d or f file.
    pub rook: Square,
}

impl CastlingSquares {
    #[inline(always)]
    pub(crate) const fn of(king: Square, rook: Square) -> Self {
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

    /// Returns both sides' pieces of a kind.
    #[inline(always)]
    pub const fn kind(&self, kind: Kind) -> Bitboard {
        Bitboard(self.words[kind.index()])
    }

    /// Returns all pieces of a side.
    #[inline(always)]
    pub const fn side(&self, side: Side) -> Bitboard {
        Bitboard(self.words[Kind::NUM + side.index()])
    }

    /// Returns the pieces of a kind that belong to `side`.
    #[inline(always)]
    pub const fn pieces(&self, side: Side, kind: Kind) -> Bitboard {
        Bitboard(self.kind(kind).0 & self.side(side).0)
    }

    /// Returns the bishops and queens of `side`.
    #[inline(always)]
    pub const fn diagonal_sliders(&self, side: Side) -> Bitboard {
        Bitboard((self.kind(Kind::Bishop).0 | self.kind(Kind::Queen).0) & self.side(side).0)
    }

    /// Returns the rooks and queens of `side`.
    #[inline(always)]
    pub const fn straight_sliders(&self, side: Side) -> Bitboard {
        Bitboard((self.kind(Kind::Rook).0 | self.kind(Kind::Queen).0) & self.side(side).0)
    }

    /// Returns all occupied squares.
    #[inline(always)]
    pub const fn occupied(&self) -> Bitboard {
        Bitboard(self.side(Side::White).0 | self.side(Side::Black).0)
    }

    /// Returns the king square of `side`, or a1 if there is no king. The board of a `Position`
    /// always has both kings.
    #[inline(always)]
    pub const fn king(&self, side: Side) -> Square {
        self.pieces(side, Kind::King).lowest()
    }

    /// Returns the piece on a square.
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        let side = Side::ALL.into_iter().find(|&side| self.side(side).has(square))?;
        let kind = Kind::ALL.into_iter().find(|&kind| self.kind(kind).has(square))?;
        Some(Piece { side, kind })
    }

    /// Toggles `piece` on each of `squares`. Each square must be empty or contain `piece`.
    #[inline(always)]
    pub fn toggle(&mut self, piece: Piece, squares: impl Into<Bitboard>) {
        let squares = squares.into();
        self.words[piece.kind.index()] ^= squares.0;
        self.words[Kind::NUM + piece.side.index()] ^= squares.0;
    }

    /// Returns the board after a move. All pieces on `cleared` squares are removed, then each piece
    /// of `changes` is toggled on its squares. The en passant square is reset.
    ///
    /// The words are computed in a vector register and stored with one write. Several narrow stores
    /// would stall the next wide load, because store forwarding cannot combine them.
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

    /// Removes the castling right of a rook that leaves `from` or is captured on `to` (FIDE 2009,
    /// 3.8).
    #[inline(always)]
    pub fn lose_castling(&mut self, from: Square, to: Square) {
        self.castling -= Bitboard::of(from) | to;
    }

    /// Removes all castling rights of `side`, as after a king move.
    #[inline(always)]
    pub fn lose_all_castling(&mut self, side: Side) {
        self.castling -= Bitboard::rank(Rank::R1.relative_to(side));
    }

    /// Returns the board after an ordinary move or capture. For speed, `piece` should be a
    /// compile-time constant.
    #[inline(always)]
    pub fn step(&self, piece: Piece, from: Square, to: Square) -> Self {
        let mut next = self.after(Bitboard::of(to), [(piece, Bitboard::of(from) | to)]);
        next.lose_castling(from, to);
        if matches!(piece.kind, Kind::King) {
            next.lose_all_castling(piece.side);
        }
        next
    }

    /// Returns the board after castling.
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

    /// Returns the board after an en passant capture.
    #[inline(always)]
    pub fn taken_en_passant(&self, side: Side, from: Square, to: Square) -> Self {
        let (pawn, taken) = (Piece::new(side, Kind::Pawn), Piece::new(!side, Kind::Pawn));
        let to = Bitboard::of(to);
        self.after(Bitboard::EMPTY, [(pawn, to | from), (taken, to.forward(!side))])
    }

    /// Returns the board after a promotion to `kind`.
    #[inline(always)]
    pub fn promoted(&self, side: Side, from: Square, to: Square, kind: Kind) -> Self {
        let (pawn, new) = (Piece::new(side, Kind::Pawn), Piece::new(side, kind));
        let mut next =
            self.after(Bitboard::of(to), [(pawn, Bitboard::of(from)), (new, Bitboard::of(to))]);
        next.lose_castling(from, to);
        next
    }

    /// Returns the board after a pawn's double step to `to`.
    #[inline(always)]
    pub fn double_stepped(&self, side: Side, to: Square) -> Self {
        let to = Bitboard::of(to);
        let passed = to.forward(!side);
        let pawn = Piece::new(side, Kind::Pawn);
        let mut next = self.after(Bitboard::EMPTY, [(pawn, to | passed.forward(!side))]);
        let ready = to.sideways() & self.pieces(!side, Kind::Pawn);
        next.en_passant = if ready.any() { passed } else { Bitboard::EMPTY };
        next
    }

    /// Returns all pieces of both sides that attack `square` if sliders are blocked by `occupied`.
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
