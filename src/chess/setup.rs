//! Unchecked positions, as parsed from text or built by a board editor.
//!
//! Only the conversion to a [`Position`](super::Position) checks the invariants of a position.

use super::bitboard::Bitboard;
use super::board::Board;
use super::piece::{Kind, Piece};
use super::square::{File, Rank, Square};
use crate::base::side::Side;
use std::ops::RangeInclusive;

/// A position that may be illegal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// The piece on each square.
    pub pieces: [Option<Piece>; 64],
    /// The side to move.
    pub side: Side,
    /// The squares of the rooks that may still castle.
    pub castling: Bitboard,
    /// The square that a pawn passed over, if the last move was a double step.
    pub en_passant: Option<Square>,
    /// The number of plies since the last capture or pawn move.
    pub halfmove_clock: u32,
    /// The full-move number, starting at 1 and incremented after Black's move.
    pub fullmove: u32,
}

/// The reason why a set-up is not a legal position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SetupError {
    /// A side does not have exactly one king.
    #[error("{side} has {count} kings, not one")]
    Kings {
        /// The side with the wrong number of kings.
        side: Side,
        /// The number of kings.
        count: u32,
    },
    /// A side has more than 16 pieces.
    #[error("{side} has {count} pieces, more than 16")]
    TooManyPieces {
        /// The side with the surplus pieces.
        side: Side,
        /// The number of pieces.
        count: u32,
    },
    /// A side has more than 8 pawns.
    #[error("{side} has {count} pawns, more than 8")]
    TooManyPawns {
        /// The side with the surplus pawns.
        side: Side,
        /// The number of pawns.
        count: u32,
    },
    /// A pawn is on the first or last rank.
    #[error("a pawn is on {0}, where no pawn can be")]
    PawnOnEndRank(Square),
    /// The side that is not to move is in check.
    #[error("{side} is not to move but is in check from {by}")]
    OpponentInCheck {
        /// The side in check.
        side: Side,
        /// The square of the checking piece.
        by: Square,
    },
    /// Three or more pieces give check, but a single move can give at most two checks.
    #[error("{side} is in check from {count} pieces; one move can give at most two checks")]
    ImpossibleCheck {
        /// The side in check.
        side: Side,
        /// The number of checking pieces.
        count: u32,
    },
    /// The side does not have a rook on the square of its castling right.
    #[error("castling right for a rook on {square}, but there is no {side} rook")]
    CastlingWithoutRook {
        /// The side with the castling right.
        side: Side,
        /// The square where the rook should be.
        square: Square,
    },
    /// A side has a castling right, but its king is not on its first rank.
    #[error("castling right for {side}, but the king on {king} is not on its first rank")]
    CastlingWithoutKing {
        /// The side with the castling right.
        side: Side,
        /// The square of the king.
        king: Square,
    },
    /// There are two castling rights on the same side of the king.
    #[error("two castling rights on the same side of the king (one for the rook on {0})")]
    CastlingTwice(Square),
    /// The square of a castling right is not on either side's first rank.
    #[error("castling right for a rook on {0}, which is on neither first rank")]
    CastlingSquare(Square),
    /// No double step can have produced the en passant square.
    #[error("en passant on {square} is impossible: {why}")]
    EnPassant {
        /// The en passant square.
        square: Square,
        /// The reason why it is impossible.
        why: &'static str,
    },
    /// The half-move clock or the move number is out of range.
    #[error("counters are impossible: {0}")]
    Counters(&'static str),
}

impl Setup {
    /// Creates an empty board with White to move.
    pub const fn empty() -> Self {
        Self {
            pieces: [None; 64],
            side: Side::White,
            castling: Bitboard::EMPTY,
            en_passant: None,
            halfmove_clock: 0,
            fullmove: 1,
        }
    }

    /// Returns the same position for the other side: the board is mirrored vertically and the
    /// colours are exchanged.
    #[must_use]
    pub fn flipped(&self) -> Self {
        let mut flipped = Self { side: !self.side, castling: self.castling.flip(), ..self.clone() };
        flipped.en_passant = self.en_passant.map(Square::flip);
        for square in Square::ALL {
            let piece = self.pieces[square.flip().index()];
            flipped.pieces[square.index()] = piece.map(|p| Piece::new(!p.side, p.kind));
        }
        flipped
    }

    /// Removes and returns the impossible castling rights. A right is possible if the side has a
    /// rook on the right's square and its king on the first rank. Unless `chess960` is set, both
    /// pieces must also be on their standard squares.
    pub(crate) fn drop_castling(&mut self, chess960: bool) -> Bitboard {
        let board = self.board();
        let is_possible = |rook: &Square| {
            let row = Side::ALL.map(|side| (side, Rank::R1.relative_to(side)));
            let Some((side, rank)) = row.into_iter().find(|(_, rank)| rook.rank() == *rank) else {
                return false;
            };
            let kings = board.pieces(side, Kind::King) & Bitboard::rank(rank);
            let is_usual =
                matches!(rook.file(), File::A | File::H) && kings.has(Square::new(File::E, rank));
            board.pieces(side, Kind::Rook).has(*rook) && kings.any() && (chess960 || is_usual)
        };
        let before = self.castling;
        self.castling =
            before.filter(is_possible).fold(Bitboard::EMPTY, |rights, rook| rights | rook);
        before - self.castling
    }

    /// Returns the Chess960 start position (FIDE 2009, 20.1 and 20.2) with this number, from 0 to
    /// 959, in Reinhard Scharnagl's numbering. Number 518 is the standard start position.
    pub fn chess960(number: u16) -> Option<Self> {
        if number >= 960 {
            return None;
        }
        let mut row = [None; 8];
        let n = number as usize;
        row[n % 4 * 2 + 1] = Some(Kind::Bishop); // light
        row[n / 4 % 4 * 2] = Some(Kind::Bishop); // dark
        let mut place = |nth: usize, kind| {
            let free: Vec<_> = (0..8).filter(|&f| row[f].is_none()).collect();
            row[free[nth]] = Some(kind);
        };
        place(n / 16 % 6, Kind::Queen);
        let (a, b) = KNIGHTS[n / 96];
        place(b, Kind::Knight);
        place(a, Kind::Knight);
        for kind in [Kind::Rook, Kind::King, Kind::Rook] {
            place(0, kind);
        }
        let mut setup = Self::empty();
        for file in File::ALL {
            let kind = row[file.index()]?;
            for side in Side::ALL {
                let square = Square::new(file, Rank::R1.relative_to(side));
                setup.pieces[square.index()] = Some(Piece::new(side, kind));
                if kind == Kind::Rook {
                    setup.castling |= square;
                }
                let pawn = Square::new(file, Rank::R2.relative_to(side));
                setup.pieces[pawn.index()] = Some(Piece::new(side, Kind::Pawn));
            }
        }
        Some(setup)
    }

    /// Returns the Chess960 number of this set-up, or `None` if it is not one of the 960 starts.
    pub fn chess960_number(&self) -> Option<u16> {
        (0..960).find(|&n| Self::chess960(n).as_ref() == Some(self))
    }

    pub(super) fn board(&self) -> Board {
        let mut board = Board::EMPTY;
        for square in Square::ALL {
            if let Some(piece) = self.pieces[square.index()] {
                board.toggle(piece, square);
            }
        }
        board.castling = self.castling;
        board
    }

    pub(super) fn validate(&self) -> Result<Board, SetupError> {
        let board = self.board();
        for side in Side::ALL {
            let kings = board.pieces(side, Kind::King).len();
            if kings != 1 {
                return Err(SetupError::Kings { side, count: kings });
            }
            let count = board.side(side).len();
            if count > 16 {
                return Err(SetupError::TooManyPieces { side, count });
            }
            let count = board.pieces(side, Kind::Pawn).len();
            if count > 8 {
                return Err(SetupError::TooManyPawns { side, count });
            }
        }
        let ends = Bitboard::rank(Rank::R1) | Bitboard::rank(Rank::R8);
        if let Some(square) = (board.kind(Kind::Pawn) & ends).first() {
            return Err(SetupError::PawnOnEndRank(square));
        }
        let occupied = board.occupied();
        let (side, other) = (self.side, !self.side);
        let attackers = board.attackers(board.king(other), occupied) & board.side(side);
        if let Some(by) = attackers.first() {
            return Err(SetupError::OpponentInCheck { side: other, by });
        }
        self.validate_castling(&board)?;
        self.validate_en_passant(&board)?;
        let checkers = (board.attackers(board.king(side), occupied) & board.side(other)).len();
        if checkers > 2 {
            return Err(SetupError::ImpossibleCheck { side, count: checkers });
        }
        if self.fullmove < *FULLMOVES.start() {
            return Err(SetupError::Counters("the move number must be at least 1"));
        }
        if self.fullmove > *FULLMOVES.end() {
            return Err(SetupError::Counters("the move number exceeds 65535"));
        }
        // The limit is generous, because not every edition of the Laws has the 75-move rule.
        if self.halfmove_clock > *HALFMOVE_CLOCKS.end() {
            return Err(SetupError::Counters("the half-move clock exceeds 9999"));
        }
        Ok(board)
    }

    fn validate_castling(&self, board: &Board) -> Result<(), SetupError> {
        for side in Side::ALL {
            let rank = Bitboard::rank(Rank::R1.relative_to(side));
            let rights = self.castling & rank;
            let king = board.king(side);
            for square in rights {
                if !board.pieces(side, Kind::Rook).has(square) {
                    return Err(SetupError::CastlingWithoutRook { side, square });
                }
            }
            if rights.any() && !rank.has(king) {
                return Err(SetupError::CastlingWithoutKing { side, king });
            }
            let right_of_king = rights & Bitboard(!0 << king as u8);
            for wing in [right_of_king, rights - right_of_king] {
                if wing.many() {
                    return Err(SetupError::CastlingTwice(wing.lowest()));
                }
            }
        }
        let rows = Bitboard::rank(Rank::R1) | Bitboard::rank(Rank::R8);
        match (self.castling - rows).first() {
            Some(square) => Err(SetupError::CastlingSquare(square)),
            None => Ok(()),
        }
    }

    fn validate_en_passant(&self, board: &Board) -> Result<(), SetupError> {
        let Some(square) = self.en_passant else { return Ok(()) };
        let (side, mover) = (self.side, !self.side);
        let fail = |why| Err(SetupError::EnPassant { square, why });
        if square.rank() != Rank::R6.relative_to(side) {
            return fail("it is not on the rank that the opponent's double steps pass over");
        }
        let passed = Bitboard::of(square);
        let (to, from) = (passed.forward(mover), passed.forward(side));
        if (board.pieces(mover, Kind::Pawn) & to).is_empty() {
            return fail("there is no pawn in front of it");
        }
        if (board.occupied() & (passed | from)).any() {
            return fail("the path of the pawn is not empty");
        }
        // Positions in which the king of the side to move was already in check before the double
        // step are accepted. They cannot occur in a game, but published problems contain them, and
        // the Laws still define the legal moves.
        Ok(())
    }
}

pub(super) const FULLMOVES: RangeInclusive<u32> = 1..=65_535;
pub(super) const HALFMOVE_CLOCKS: RangeInclusive<u32> = 0..=9_999;

/// The squares of the two knights, as indices into the five free squares, in Scharnagl's order.
const KNIGHTS: [(usize, usize); 10] =
    [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];
