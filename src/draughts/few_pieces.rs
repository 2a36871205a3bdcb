//! Endings with few pieces, in which the number of moves is limited.

use super::board::Board;
use crate::base::side::Side;

/// An ending with few pieces and a limited number of remaining moves (FMJD 6.3 and 6.4).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FewPieces {
    /// Three pieces, including a king, against one king: sixteen more moves each (FMJD 6.3).
    ThreeAgainstKing,
    /// One or two pieces, including a king, against one king: five more moves each (FMJD 6.4).
    TwoAgainstKing,
    /// In Frisian draughts, two kings against one king: seven more moves each.
    TwoKingsAgainstKing,
    /// In Frisian draughts, one king against one king: two more moves each. By the rules, this
    /// ending is an immediate draw unless a player can force the capture of the opponent's king.
    /// Two moves are enough for this capture.
    KingAgainstKing,
}

impl FewPieces {
    /// Returns the ending on the board, or `None` if the rules of the normal game do not limit the
    /// number of moves.
    #[inline(always)]
    pub const fn of(board: &Board) -> Option<Self> {
        let (white, black) = (board.pieces(Side::White), board.pieces(Side::Black));
        if board.occupied().len() > 4
            || board.kings(Side::White).is_empty()
            || board.kings(Side::Black).is_empty()
        {
            return None;
        }
        match (white.len(), black.len()) {
            (1, 3) | (3, 1) => Some(Self::ThreeAgainstKing),
            (1, 1 | 2) | (2, 1) => Some(Self::TwoAgainstKing),
            _ => None,
        }
    }

    /// Returns the Frisian ending on the board if lidraughts.org limits the number of moves in this
    /// ending, otherwise `None`.
    pub(super) const fn frisian(board: &Board) -> Option<Self> {
        let (white, black) = (board.pieces(Side::White), board.pieces(Side::Black));
        if board.occupied().0 != board.all_kings().0 {
            return None;
        }
        match (white.len(), black.len()) {
            (1, 2) | (2, 1) => Some(Self::TwoKingsAgainstKing),
            (1, 1) => Some(Self::KingAgainstKing),
            _ => None,
        }
    }

    /// Returns the number of plies after which the game is drawn.
    #[inline(always)]
    pub const fn plies(self) -> u16 {
        match self {
            Self::ThreeAgainstKing => 2 * 16,
            Self::TwoAgainstKing => 2 * 5,
            Self::TwoKingsAgainstKing => 2 * 7,
            Self::KingAgainstKing => 2 * 2,
        }
    }
}
