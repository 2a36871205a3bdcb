//! Searches the last plies before a limit on moves without capture or pawn move that ends the game
//! without a claim, such as seventy-five moves (FIDE Laws 2023, 9.6.2). The fifty moves of 9.3 are
//! not such a limit, because a player need not claim the draw.

use super::verdict;
use crate::base::side::Side;
use crate::chess::Position;
use std::collections::HashSet;

/// The greatest distance to the limit that is searched, in plies.
pub(super) const PLIES_SEEN: u32 = 6;

const POSITIONS: usize = 5_000;

/// Maximum number of positions for the solver after a capture or pawn move. Many such calls are
/// possible.
const LIMIT: usize = 2_000;

/// Returns whether `side` can mate if the game is drawn after `plies` more plies without capture or
/// pawn move. Also returns true if the limit is too far away to search. A mate on the last ply
/// counts.
pub(crate) fn can_mate_within(position: &Position, side: Side, plies: u32) -> bool {
    let mut seen = HashSet::new();
    // Iterative deepening: the first plies usually decide.
    plies > PLIES_SEEN || (1..=plies).any(|plies| can(position, side, plies, &mut seen))
}

/// Returns whether `side` can mate within `plies`, or either side can reach a position in which the
/// count restarts and `side` can mate. Also returns true if `seen` grows too large. No position is
/// searched twice.
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
            // A rook mates with the last move that is left.
            ("7k/8/6K1/8/8/8/8/R7 w - - 0 90", 1, [true, false]),
            ("8/5k2/8/8/8/8/4R3/4K3 w - - 0 90", 4, [false, false]),
            ("8/5k2/8/8/8/8/4R3/4K3 w - - 0 90", 7, [true, true]),
            // The king needs a move to go into the corner first.
            ("6k1/8/6K1/8/8/8/8/R7 b - - 0 90", 1, [false, false]),
            ("6k1/8/6K1/8/8/8/8/R7 b - - 0 90", 2, [true, false]),
            // Taking the rook restarts the count and leaves bare kings.
            ("8/8/8/8/8/5k2/4R3/6K1 b - - 0 90", 2, [false, false]),
            // So does a pawn's move.
            ("8/5k2/8/8/8/8/4P3/4K3 w - - 0 90", 1, [true, false]),
            // No move is left.
            ("7k/8/6K1/8/8/8/8/R7 w - - 0 90", 0, [false, false]),
        ] {
            let position: Position = fen.parse().unwrap_or_else(|e| panic!("{fen}: {e}"));
            let can = Side::ALL.map(|side| can_mate_within(&position, side, plies));
            assert_eq!(can, expected, "{fen}, {plies} plies");
        }
    }
}
