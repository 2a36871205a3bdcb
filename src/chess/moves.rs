//! Moves packed into 16 bits, a move list on the stack, and the errors that occur when parsing a
//! move.
//!
//! Castling is stored as the king capturing its own rook, which also covers Chess960. The text
//! formats (`uci`, `san`, `pgn`) convert it.

use super::illegal;
use super::piece::Kind;
use super::square::Square;
use crate::base::text::plain_dashes;
use arrayvec::{ArrayString, ArrayVec};
use std::fmt;
use std::num::NonZeroU16;

/// The kind of a move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MoveKind {
    /// An ordinary move or capture.
    Normal,
    /// A pawn move to the last rank, with the kind of piece that the pawn is promoted to.
    Promotion(Kind),
    /// An en passant capture.
    EnPassant,
    /// Castling, encoded as the king capturing its own rook.
    Castle,
}

/// A move: origin square (6 bits), destination square (6 bits), promotion piece (2 bits), kind (2
/// bits).
///
/// The bits are never all zero, because no move goes from a1 to a1. `Option<Move>` is therefore
/// also 16 bits wide.
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

const PIECE: u16 = 3 << 12;

impl Move {
    /// A move that is never legal: the promotion bits are set although the kind is not a promotion.
    const NOWHERE: Self = Self(NonZeroU16::MAX);

    /// The null move of game records: the player passes. It is never legal.
    pub const NULL: Self = Self::normal(Square::H8, Square::H8);

    #[inline(always)]
    const fn pack(from: Square, to: Square, rest: u16) -> Self {
        let bits = from as u16 | (to as u16) << 6 | rest;
        match NonZeroU16::new(bits) {
            Some(bits) => Self(bits),
            // Only a1a1 packs to zero. No legal move has these squares, so the result can be
            // another move that is never legal.
            None => Self::NOWHERE,
        }
    }

    /// Creates an ordinary move or capture.
    #[inline(always)]
    pub const fn normal(from: Square, to: Square) -> Self {
        Self::pack(from, to, NORMAL)
    }

    /// Creates a promotion; `kind` must be a knight, bishop, rook or queen.
    #[inline(always)]
    pub const fn promotion(from: Square, to: Square, kind: Kind) -> Self {
        Self::pack(from, to, PROMOTION | ((kind as u16).wrapping_sub(1) & 3) << 12)
    }

    /// Creates an en passant capture.
    #[inline(always)]
    pub const fn en_passant(from: Square, to: Square) -> Self {
        Self::pack(from, to, EN_PASSANT)
    }

    /// Creates a castling move of `king` with the rook on `rook`.
    #[inline(always)]
    pub const fn castle(king: Square, rook: Square) -> Self {
        Self::pack(king, rook, CASTLE)
    }

    /// Returns the origin square.
    #[inline(always)]
    pub const fn from(self) -> Square {
        Square::wrap(self.0.get() as u8 & 63)
    }

    /// Returns the destination square; for castling, the square of the rook.
    #[inline(always)]
    pub const fn to(self) -> Square {
        Square::wrap((self.0.get() >> 6) as u8 & 63)
    }

    /// Returns the kind of the move.
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

    /// Returns the kind of piece that the pawn is promoted to, or `None` if the move is not a
    /// promotion.
    #[inline(always)]
    pub const fn promoted(self) -> Option<Kind> {
        match self.kind() {
            MoveKind::Promotion(kind) => Some(kind),
            _ => None,
        }
    }

    /// Returns whether the move is castling.
    #[inline(always)]
    pub const fn is_castle(self) -> bool {
        self.0.get() & CASTLE == CASTLE
    }

    /// Returns whether a constructor can produce this move: the promotion bits must be zero in
    /// every move that is not a promotion.
    #[inline(always)]
    pub const fn is_well_formed(self) -> bool {
        self.0.get() & PIECE == 0 || self.0.get() & CASTLE == PROMOTION
    }

    /// Returns the 16 bits, which are never zero.
    #[inline(always)]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// Creates a move from the result of [`Self::bits`], or returns `None` for zero. The move need
    /// not be legal in any position.
    #[inline(always)]
    pub const fn from_bits(bits: u16) -> Option<Self> {
        match NonZeroU16::new(bits) {
            Some(bits) => Some(Self(bits)),
            None => None,
        }
    }
}

impl fmt::Display for Move {
    /// Formats the move in UCI notation. Castling is written as the king capturing its rook
    /// (`e1h1`), the null move as `0000`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::NULL {
            return f.write_str("0000");
        }
        let (from, to) = (self.from(), self.to());
        // One write is faster than one for each character.
        let mut text = ArrayString::<5>::new();
        for square in [from, to] {
            text.push(square.file().letter());
            text.push(square.rank().digit());
        }
        self.promoted().into_iter().for_each(|kind| text.push(kind.letter()));
        f.write_str(&text)
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// Returns whether the text is a null move in a spelling used by databases or chess programs.
pub(crate) fn is_null(text: &str) -> bool {
    let text = plain_dashes(text);
    let dashes = text.len() > 1 && text.bytes().all(|byte| byte == b'-');
    let names = ["Z0", "<>", "@@@@", "0000", "null", "(null)", "pass"];
    dashes || names.iter().any(|name| text.eq_ignore_ascii_case(name))
}

/// The error for move text that is invalid, illegal or ambiguous. Long text is shortened.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MoveError {
    /// The text does not have the form of a UCI move.
    #[error("'{0}' is not a move (as in e2e4 or e7e8q)")]
    NotUci(String),
    /// The text is not a move in the expected notation.
    #[error("'{text}' is not a move: column {column}: {expected}")]
    Malformed {
        /// The rejected text.
        text: String,
        /// The column where parsing stopped, counted from 1.
        column: usize,
        /// A description of what was expected at this column.
        expected: &'static str,
    },
    /// The move is not legal in the position.
    #[error("'{text}' is not legal in {fen}{}", explanation(*.english, fen, text))]
    Illegal {
        /// The rejected text.
        text: String,
        /// The position's FEN.
        fen: String,
        /// True if the text is in UCI notation or uses English piece letters. The message then
        /// explains why the move is illegal.
        english: bool,
    },
    /// The text matches several legal moves.
    #[error("'{text}' is ambiguous: {}", candidates.join(" or "))]
    Ambiguous {
        /// The ambiguous text.
        text: String,
        /// The matching moves, in the same notation.
        candidates: Vec<String>,
    },
    /// The move is legal but not written as the PGN standard requires. Only strict parsing returns
    /// this error.
    #[error("'{text}' should be written {standard}")]
    NotStandard {
        /// The rejected text.
        text: String,
        /// The move in the standard's notation.
        standard: String,
    },
}

fn explanation(english: bool, fen: &str, text: &str) -> String {
    if english { illegal::explanation(fen, text) } else { String::new() }
}

/// The capacity of a [`MoveList`]. A position reachable in a game has at most 218 legal moves. A
/// composed position with more queens than promotions allow can have more moves, but no position
/// with 16 pieces per side exceeds this limit.
pub(crate) const MAX_MOVES: usize = 320;

/// A list of moves on the stack.
#[derive(Clone, Debug, Default)]
pub struct MoveList(ArrayVec<Move, MAX_MOVES>);

impl MoveList {
    /// Creates an empty list.
    #[inline(always)]
    pub fn new() -> Self {
        Self(ArrayVec::new())
    }

    /// Removes every move.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Appends a move. If the list is full, the move is dropped.
    #[inline(always)]
    pub fn push(&mut self, m: Move) {
        let _ = self.0.try_push(m);
    }
}

crate::base::slice_list!(MoveList, Move, arrayvec::IntoIter<Move, MAX_MOVES>);
