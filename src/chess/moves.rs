//! Moves in 16 bits, a list of them that lives on the stack, and why a text is not a move.
//!
//! Castling is kept as the king taking its own rook, the form that serves Chess960 as well; the
//! texts (`uci`, `san`, `pgn`) translate.

use super::piece::Kind;
use super::square::Square;
use arrayvec::ArrayVec;
use std::fmt;
use std::num::NonZeroU16;

/// What is special about a move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MoveKind {
    /// An ordinary move or capture.
    Normal,
    /// A pawn reaches the last rank and becomes a piece of this kind.
    Promotion(Kind),
    /// A pawn takes en passant.
    EnPassant,
    /// King "takes" own rook.
    Castle,
}

/// A move: from (6 bits), to (6 bits), promotion piece (2 bits), kind (2 bits).
///
/// Never zero (no move goes from a1 to a1), so that `Option<Move>` is 16 bits too.
///
/// ```
/// use adoube::chess::{Move, Square};
///
/// let m = Move::normal(Square::E7, Square::E5);
/// assert_eq!(format!("{m:?}"), "e7e5");
/// assert_eq!((m.from(), m.to()), (Square::E7, Square::E5));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(NonZeroU16);

const NORMAL: u16 = 0;
const PROMOTION: u16 = 1 << 14;
const EN_PASSANT: u16 = 2 << 14;
const CASTLE: u16 = 3 << 14;

/// The bits of the promotion piece, zero in every other kind of move.
const PIECE: u16 = 3 << 12;

impl Move {
    /// A move that is never legal: its piece bits are set although it is not a promotion.
    const NOWHERE: Self = Self(NonZeroU16::MAX);

    #[inline(always)]
    const fn pack(from: Square, to: Square, rest: u16) -> Self {
        let bits = from as u16 | (to as u16) << 6 | rest;
        match NonZeroU16::new(bits) {
            Some(bits) => Self(bits),
            // a1a1, which no generator makes: any other move that is illegal everywhere will do.
            None => Self::NOWHERE,
        }
    }

    /// An ordinary move.
    #[inline(always)]
    pub const fn normal(from: Square, to: Square) -> Self {
        Self::pack(from, to, NORMAL)
    }

    /// A promotion to knight, bishop, rook or queen; `kind` must be one of these.
    #[inline(always)]
    pub const fn promotion(from: Square, to: Square, kind: Kind) -> Self {
        Self::pack(from, to, PROMOTION | ((kind as u16).wrapping_sub(1) & 3) << 12)
    }

    /// A capture en passant.
    #[inline(always)]
    pub const fn en_passant(from: Square, to: Square) -> Self {
        Self::pack(from, to, EN_PASSANT)
    }

    /// Castling of the king with the rook that stands on `rook`.
    #[inline(always)]
    pub const fn castle(king: Square, rook: Square) -> Self {
        Self::pack(king, rook, CASTLE)
    }

    /// The square that is left.
    #[inline(always)]
    pub const fn from(self) -> Square {
        Square::wrap(self.0.get() as u8 & 63)
    }

    /// The square of arrival; for castling the square of the rook.
    #[inline(always)]
    pub const fn to(self) -> Square {
        Square::wrap((self.0.get() >> 6) as u8 & 63)
    }

    /// What is special about the move.
    #[inline(always)]
    pub const fn kind(self) -> MoveKind {
        match self.0.get() & CASTLE {
            NORMAL => MoveKind::Normal,
            EN_PASSANT => MoveKind::EnPassant,
            CASTLE => MoveKind::Castle,
            _ => MoveKind::Promotion(self.promotion_piece()),
        }
    }

    #[inline(always)]
    const fn promotion_piece(self) -> Kind {
        [Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen][(self.0.get() >> 12 & 3) as usize]
    }

    /// What the pawn becomes, if the move is a promotion.
    #[inline(always)]
    pub const fn promoted(self) -> Option<Kind> {
        match self.kind() {
            MoveKind::Promotion(kind) => Some(kind),
            _ => None,
        }
    }

    /// Whether the move is castling.
    #[inline(always)]
    pub const fn is_castle(self) -> bool {
        self.0.get() & CASTLE == CASTLE
    }

    /// Whether the bits could come from the constructors: only promotions name a piece.
    #[inline(always)]
    pub const fn is_well_formed(self) -> bool {
        self.0.get() & PIECE == 0 || self.0.get() & CASTLE == PROMOTION
    }

    /// The 16 bits, never zero: for the transposition table and the histories.
    #[inline(always)]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// The move of 16 bits from [`Self::bits`], `None` for zero. It may not be legal anywhere.
    #[inline(always)]
    pub const fn from_bits(bits: u16) -> Option<Self> {
        match NonZeroU16::new(bits) {
            Some(bits) => Some(Self(bits)),
            None => None,
        }
    }
}

impl fmt::Display for Move {
    /// As UCI has it, castling as the king taking its rook (`e1h1`).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        self.promoted().map_or(Ok(()), |kind| write!(f, "{}", kind.letter()))
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// Why a text is not one legal move of a position. Texts are cut if they are long.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MoveError {
    /// Not of the form of UCI, where that is asked for.
    #[error("'{0}' is not a move (as in e2e4 or e7e8q)")]
    NotUci(String),
    /// Not the text of a move in the notation that is read.
    #[error("'{text}' is not a move: column {column}: {expected}")]
    Malformed {
        /// The text.
        text: String,
        /// Where reading stopped, from 1.
        column: usize,
        /// What should stand there.
        expected: &'static str,
    },
    /// The text of a move that is not legal.
    #[error("'{text}' is not legal in {fen}")]
    Illegal {
        /// The text.
        text: String,
        /// The position's FEN.
        fen: String,
    },
    /// The text of several legal moves.
    #[error("'{text}' is ambiguous: {}", candidates.join(" or "))]
    Ambiguous {
        /// The text.
        text: String,
        /// The moves that it may mean, in the notation that was read.
        candidates: Vec<String>,
    },
    /// A legal move, but not written as the PGN standard has it; only strict reading refuses it.
    #[error("'{text}' should be written {standard}")]
    NotStandard {
        /// The text.
        text: String,
        /// How the standard writes the move.
        standard: String,
    },
}

/// The most legal moves that a position reached from a lawful set-up can have is 218; a set-up
/// with more queens than pawns allow can have more, but no set-up of 16 pieces a side exceeds this.
pub const MAX_MOVES: usize = 320;

/// A list of moves on the stack.
#[derive(Clone, Debug, Default)]
pub struct MoveList(ArrayVec<Move, MAX_MOVES>);

impl MoveList {
    /// An empty list.
    #[inline(always)]
    pub fn new() -> Self {
        Self(ArrayVec::new())
    }

    /// Removes every move.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Adds a move. A full list, of 320 moves, stays as it is.
    #[inline(always)]
    pub fn push(&mut self, m: Move) {
        let _ = self.0.try_push(m);
    }
}

crate::base::slice_list!(MoveList, Move, arrayvec::IntoIter<Move, MAX_MOVES>);
