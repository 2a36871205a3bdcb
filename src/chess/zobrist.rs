//! Zobrist keys (Zobrist 1970): a random number for each element of a position.

use super::piece::Piece;
use super::square::{File, Square};
use crate::base::rng::Rng;

struct Numbers {
    pieces: [[u64; 64]; Piece::NUM],
    castling: [u64; 64],
    en_passant: [u64; 8],
    black: u64,
}

const fn numbers() -> Numbers {
    let mut rng = Rng::new(0x41_44_4f_55_42_45);
    let mut n =
        Numbers { pieces: [[0; 64]; Piece::NUM], castling: [0; 64], en_passant: [0; 8], black: 0 };
    let mut i = 0;
    while i < Piece::NUM * 64 {
        n.pieces[i / 64][i % 64] = rng.next_u64();
        i += 1;
    }
    i = 0;
    while i < 64 {
        n.castling[i] = rng.next_u64();
        i += 1;
    }
    i = 0;
    while i < 8 {
        n.en_passant[i] = rng.next_u64();
        i += 1;
    }
    n.black = rng.next_u64();
    n
}

static NUMBERS: Numbers = numbers();

#[inline(always)]
pub(crate) fn piece(piece: Piece, square: Square) -> u64 {
    NUMBERS.pieces[piece.index()][square.index()]
}

#[inline(always)]
pub(crate) fn castling(rook: Square) -> u64 {
    NUMBERS.castling[rook.index()]
}

/// Returns the key for a legal en passant capture on a file.
#[inline(always)]
pub(crate) fn en_passant(file: File) -> u64 {
    NUMBERS.en_passant[file.index()]
}

/// Returns the key for Black to move.
#[inline(always)]
pub(crate) fn black() -> u64 {
    NUMBERS.black
}
