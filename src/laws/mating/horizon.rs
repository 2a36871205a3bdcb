//! The last plies before a limit on moves without capture or pawn move that ends a game without a
//! claim, as seventy-five moves (FIDE Laws 2023, 9.6.2). A draw that a player must claim,
//! as after the fifty moves of 9.3, is no such limit: he need not claim it.

use super::verdict;
use crate::base::side::Side;
use crate::chess::Position;
use std::collections::HashSet;

/// How near the limit must be to be seen: plies.
pub const PLIES_SEEN: u32 = 6;

/// Positions from which moves are tried.
const POSITIONS: usize = 5_000;

/// What the solver may spend on a position after a capture or pawn move, of which there can be many.
const LIMIT: usize = 2_000;

/// Whether `side` can mate if the game is drawn after `plies` more without capture or pawn move; also
/// if that is too far off to be seen. A mate by the last of them counts.
pub fn can_mate_within(position: &Position, side: Side, plies: u32) -> bool {
    let mut seen = HashSet::new();
    // Step by step, as the first moves mostly tell.
    plies > PLIES_SEEN || (1..=plies).any(|plies| can(position, side, plies, &mut seen))
}

/// Whether within `plies` `side` can mate, or someone can reach a position in which the count starts
/// anew and `side` can mate; also if too many positions are `seen`. None is looked at twice.
fn can(position: &Position, side: Side, plies: u32, seen: &mut HashSet<(u64, u32)>) -> bool {
    if !seen.insert((position.key(), plies)) {
        return false;
    }
    seen.len() > POSITIONS
        || position.legal_moves().iter().any(|&m| {
            let next = position.play_unchecked(m);
            if next.halfmove_clock() == 0 {
                verdict(&next, side, LIMIT) != Some(false)
            } else if next.is_checkmate() {
                position.side() == side
            } else {
                plies > 1 && can(&next, side, plies - 1, seen)
            }
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        for (fen, plies, expected) in [
            // A rook mates with the last move that is left.
            ("7k/8/6K1/8/8/8/8/R7 w - - 0 90", 1, [true, false]),
            ("8/5k2/8/8/8/8/4R3/4K3 w - - 0 90", 4, [false, false]),
            ("8/5k2/8/8/8/8/4R3/4K3 w - - 0 90", 7, [true, true]),
            // The king needs a move to go into the corner first.
            ("6k1/8/6K1/8/8/8/8/R7 b - - 0 90", 1, [false, false]),
            ("6k1/8/6K1/8/8/8/8/R7 b - - 0 90", 2, [true, false]),
            // To take the rook begins the count anew, and leaves bare kings.
            ("8/8/8/8/8/5k2/4R3/6K1 b - - 0 90", 2, [false, false]),
            // So does a pawn's move.
            ("8/5k2/8/8/8/8/4P3/4K3 w - - 0 90", 1, [true, false]),
            // Nothing more is played.
            ("7k/8/6K1/8/8/8/8/R7 w - - 0 90", 0, [false, false]),
        ] {
            let position: Position = fen.parse().unwrap_or_else(|e| panic!("{fen}: {e}"));
            let can = Side::ALL.map(|side| can_mate_within(&position, side, plies));
            assert_eq!(can, expected, "{fen}, {plies} plies");
        }
    }
}
