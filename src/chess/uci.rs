//! Moves in UCI notation: `e2e4`, `e7e8q`, and castling as `e1g1` or, in Chess960, `e1h1`.

use super::board::CastlingSquares;
use super::moves::{Move, MoveError, MoveKind};
use super::piece::Kind;
use super::position::Position;
use super::square::Square;
use crate::base::cursor::excerpt;

impl Position {
    /// Returns a legal move in UCI notation. Castling is written as the king's move or, with
    /// `chess960`, as the king capturing its rook.
    pub fn uci(&self, m: Move, chess960: bool) -> String {
        match m.kind() {
            MoveKind::Castle if !chess960 => {
                format!("{}{}", m.from(), CastlingSquares::of(m.from(), m.to()).king)
            }
            _ => m.to_string(),
        }
    }

    /// Parses a UCI move and returns the matching legal move. Castling is accepted as the king
    /// capturing its rook or, if the king moves at least two squares, as the king's move.
    ///
    /// # Errors
    /// Returns [`MoveError::NotUci`] or [`MoveError::Illegal`].
    pub fn parse_uci(&self, text: &str) -> Result<Move, MoveError> {
        let malformed = || MoveError::NotUci(excerpt(text));
        let (from, rest) = text.split_at_checked(2).ok_or_else(malformed)?;
        let (to, rest) = rest.split_at_checked(2).ok_or_else(malformed)?;
        let from: Square = from.parse().map_err(|_| malformed())?;
        let to: Square = to.parse().map_err(|_| malformed())?;
        let mut letters = rest.chars();
        let promoted = match (letters.next(), letters.next()) {
            (None, _) => None,
            (Some(c), None) => Some(
                Kind::from_letter(c)
                    .filter(|k| !matches!(k, Kind::Pawn | Kind::King))
                    .ok_or_else(malformed)?,
            ),
            _ => return Err(malformed()),
        };
        let moves = self.legal_moves();
        let found = moves
            .iter()
            .copied()
            .find(|m| m.from() == from && m.to() == to && m.promoted() == promoted);
        // If no move has this text, it may be castling written as the king's move. A king's move by
        // one square is always an ordinary move.
        found
            .or_else(|| {
                moves.iter().copied().find(|m| {
                    m.is_castle()
                        && m.from() == from
                        && promoted.is_none()
                        && from.distance(to) > 1
                        && CastlingSquares::of(from, m.to()).king == to
                })
            })
            .ok_or_else(|| MoveError::Illegal {
                text: text.to_owned(),
                fen: self.fen(),
                english: true,
            })
    }
}
