//! Whether a side can still mate by some sequence of legal moves, however badly the other plays:
//! for flags that fall (FIDE Laws 2009, 6.9) and dead positions (5.2b).
//!
//! The crate `chasolver` decides it (M. Ambrona, *A Practical Algorithm for Chess Unwinnability*,
//! FUN 2022). It does not know the castling of Chess960; see [`can_mate`].

use crate::base::side::Side;
use crate::chess::Position;
use chasolver::Winnability;
use chess::{Board, Color};

/// Whether `side` can mate; also where nobody knows, as in a search without end.
///
/// Where castling is possible that standard chess does not have, every side but a king alone is
/// held to be able: there is a rook, to mate with or to give away.
pub fn can_mate(position: &Position, side: Side) -> bool {
    let others = position.board().side(side).len() > 1;
    others
        && board(position).is_none_or(|board| {
            chasolver::winnability(&board, color(side)) != Some(Winnability::Unwinnable)
        })
}

/// Whether neither side can mate. Fast, and never wrong where it says so; of dead positions that
/// occurred in games it misses none that the crate's author has found.
pub fn is_dead(position: &Position) -> bool {
    board(position).is_some_and(|board| {
        let mut sides = [Color::White, Color::Black].into_iter();
        sides.all(|color| chasolver::is_unwinnable_fast(&board, color))
    })
}

const fn color(side: Side) -> Color {
    match side {
        Side::White => Color::White,
        Side::Black => Color::Black,
    }
}

/// The position as the solver has it; none where it has other castling than standard chess.
fn board(position: &Position) -> Option<Board> {
    let fen = position.fen().to_string();
    let rights = fen.split(' ').nth(2)?;
    // A king or a rook that is not at home is refused by the solver's board itself.
    if rights.chars().all(|c| "KQkq-".contains(c)) { fen.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(fen: &str) -> (bool, bool, bool) {
        let position: Position = fen.parse().unwrap_or_else(|e| panic!("{fen}: {e}"));
        (can_mate(&position, Side::White), can_mate(&position, Side::Black), is_dead(&position))
    }

    #[test]
    fn by_hand() {
        for (fen, expected) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", (true, true, false)),
            ("7k/8/6K1/8/8/8/8/8 b - - 0 1", (false, false, true)),
            ("7k/8/6K1/8/8/8/8/R7 b - - 0 1", (true, false, false)),
            // A knight alone mates a king in the corner that its own pieces hem in, not a bare one.
            ("7k/8/6K1/8/8/8/7p/N7 w - - 0 1", (true, true, false)),
            ("7k/8/6K1/8/8/8/8/N7 w - - 0 1", (false, false, true)),
            // Bishops of one colour of squares.
            ("7k/b7/6K1/8/8/8/8/2B5 w - - 0 1", (false, false, true)),
            // A wall of pawns that nothing opens.
            ("4k3/8/8/1p1p1p1p/1P1P1P1P/8/8/4K3 w - - 0 1", (false, false, true)),
        ] {
            assert_eq!(verdict(fen), expected, "{fen}");
        }
    }

    #[test]
    fn castling_of_chess960() {
        // King b1, rooks a1 and g1: no right that standard chess has.
        let unknown = "1rk3r1/8/8/8/8/8/8/RK4R1 w GAgb - 0 1";
        assert_eq!(verdict(unknown), (true, true, false));
        // Black has a king alone: it mates nobody, whatever White may castle.
        assert_eq!(verdict("7k/8/8/8/8/8/8/RK4R1 w GA - 0 1"), (true, false, false));
        // King at home, rook not: the solver's board refuses it.
        assert_eq!(verdict("4k3/8/8/8/8/8/8/4K1R1 w G - 0 1"), (true, false, false));
        // Once castling is lost, the positions are those of standard chess.
        assert_eq!(verdict("7k/8/8/8/8/8/8/RK4R1 w - - 0 1"), (true, false, false));
    }
}
