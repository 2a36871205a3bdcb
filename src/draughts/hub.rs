//! Positions as written in the Hub protocol: `W` or `B` for the side to move, then one letter per
//! square from 1 to 50. `w` and `b` are men, `W` and `B` kings, and `e` is an empty square.
//!
//! Source: the protocol text of Scan 3.1. The module `notation` handles Hub moves.

use super::board::{Board, Kind};
use super::fen::BoardError;
use super::position::Position;
use super::square::Square;
use crate::base::cursor::excerpt;
use crate::base::side::Side;
use std::fmt;

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum HubError {
    #[error("the side to move is W or B, not '{0}', in column 1")]
    Side(String),
    #[error("column {column}: square {0} must be w, b, W, B or e, not '{1}'", column = .0.number() + 1)]
    Letter(Square, char),
    #[error("a position is {LENGTH} letters, not {0}")]
    Length(usize),
    #[error(transparent)]
    Board(#[from] BoardError),
}

const LENGTH: usize = Square::NUM + 1;

/// Parses a position of the normal game. [`Position::in_game`] converts it to another variant.
///
/// ```
/// use adoube::draughts::{Position, hub};
///
/// let start = format!("W{}{}{}", "b".repeat(20), "e".repeat(10), "w".repeat(20));
/// assert_eq!(hub::parse(&start), Ok(Position::start()));
/// assert_eq!(hub::write(&Position::start()).to_string(), start);
/// ```
pub fn parse(text: &str) -> Result<Position, HubError> {
    let mut letters = text.chars();
    let side = match letters.next() {
        Some('W') => Side::White,
        Some('B') => Side::Black,
        _ => return Err(HubError::Side(excerpt(text))),
    };
    let mut board = Board::default();
    for (square, letter) in Square::all().zip(letters) {
        let (side, kind) = match letter {
            'e' => continue,
            'w' => (Side::White, Kind::Man),
            'b' => (Side::Black, Kind::Man),
            'W' => (Side::White, Kind::King),
            'B' => (Side::Black, Kind::King),
            _ => return Err(HubError::Letter(square, letter)),
        };
        board.put(square, side, kind);
    }
    let length = text.chars().count();
    if length != LENGTH {
        return Err(HubError::Length(length));
    }
    Ok(Position::try_from((board, side))?)
}

pub fn write(position: &Position) -> impl fmt::Display {
    struct Hub(Position);
    impl fmt::Display for Hub {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(if self.0.side().is_white() { "W" } else { "B" })?;
            Square::all().try_for_each(|square| {
                f.write_str(match self.0.piece_on(square) {
                    None => "e",
                    Some((Side::White, Kind::Man)) => "w",
                    Some((Side::Black, Kind::Man)) => "b",
                    Some((Side::White, Kind::King)) => "W",
                    Some((Side::Black, Kind::King)) => "B",
                })
            })
        }
    }
    Hub(*position)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trips_positions() {
        for fen in ["W:W31-50:B1-20", "B:W6:B", "B:WK1,6,K50:BK5,45", "W:W:BK3"] {
            let position: Position = fen.parse().expect(fen);
            let text = write(&position).to_string();
            assert_eq!(text.len(), 51);
            assert_eq!(parse(&text), Ok(position), "{fen}");
        }
    }

    #[test]
    fn rejects_malformed_positions_with_the_column() {
        let start = write(&Position::start()).to_string();
        let cases = [
            (String::new(), "the side to move is W or B, not '', in column 1"),
            ("w".to_owned(), "the side to move is W or B, not 'w', in column 1"),
            (start[..50].to_owned(), "a position is 51 letters, not 50"),
            (format!("{start}e"), "a position is 51 letters, not 52"),
            (
                start.replace("eeee", "eexe"),
                "column 24: square 23 must be w, b, W, B or e, not 'x'",
            ),
            (
                start.replacen('b', "w", 1),
                "the White man on 1 is on its promotion row and must be a king",
            ),
            (start.replace(['w', 'b'], "e"), "there are no pieces on the board"),
            (start.replacen('e', "w", 1), "White has 21 pieces, more than 20"),
        ];
        for (text, error) in cases {
            assert_eq!(parse(&text).map_err(|e| e.to_string()), Err(error.to_owned()), "{text}");
        }
    }
}
