//! Decides whether a side can still mate before the seventy-five-move rule ends the game (FIDE Laws
//! 2023, 9.6.2). The fifty-move rule (9.3) does not matter here, because no player has to claim it.

use super::verdict;
use crate::base::side::Side;
use crate::chess::Position;
use std::collections::HashSet;

/// The maximum distance to the seventy-five-move limit, in plies, at which a search is made.
pub(super) const PLIES_SEEN: u32 = 6;

const POSITIONS: usize = 5_000;

/// Maximum number of positions per solver call after a capture or pawn move. It is low because one
/// search can make many of these calls.
const LIMIT: usize = 2_000;

/// Returns whether `side` can mate if the game is drawn after `plies` more plies without a capture
/// or pawn move. A mate on the last ply counts. Also returns true if `plies` or the number of
/// positions is too large to search.
pub(crate) fn can_mate_within(position: &Position, side: Side, plies: u32) -> bool {
    let mut seen = HashSet::new();
    // Iterative deepening: if the answer is `true`, few plies usually suffice.
    plies > PLIES_SEEN || (1..=plies).any(|plies| can(position, side, plies, &mut seen))
}

/// Returns true if `side` can mate within `plies`, or if a capture or pawn move within `plies` can
/// lead to a position in which `side` can mate. Also returns true if `seen` grows too large, or if
/// it is too hard to decide whether `side` can mate. No position is searched twice with the same
/// number of plies.
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
    fn finds_mates_before_the_limit() {
        for (fen, plies, expected) in [
            // A rook mates with the last possible move.
            ("7k/8/6K1/8/8/8/8/R7 w - - 0 90", 1, [true, false]),
            ("8/5k2/8/8/8/8/4R3/4K3 w - - 0 90", 4, [false, false]),
            ("8/5k2/8/8/8/8/4R3/4K3 w - - 0 90", 7, [true, true]),
            // The king needs a move to go into the corner first.
            ("6k1/8/6K1/8/8/8/8/R7 b - - 0 90", 1, [false, false]),
            ("6k1/8/6K1/8/8/8/8/R7 b - - 0 90", 2, [true, false]),
            // Taking the rook restarts the move count and leaves bare kings.
            ("8/8/8/8/8/5k2/4R3/6K1 b - - 0 90", 2, [false, false]),
            // A pawn move restarts the move count.
            ("8/5k2/8/8/8/8/4P3/4K3 w - - 0 90", 1, [true, false]),
            // No ply is left before the limit.
            ("7k/8/6K1/8/8/8/8/R7 w - - 0 90", 0, [false, false]),
        ] {
            let position: Position = fen.parse().unwrap_or_else(|e| panic!("{fen}: {e}"));
            let can = Side::ALL.map(|side| can_mate_within(&position, side, plies));
            assert_eq!(can, expected, "{fen}, {plies} plies");
        }
    }
}
