//! Decides whether a side can still mate by some sequence of legal moves, however badly the
//! opponent plays. The referee uses this for fallen flags (FIDE Laws 2009, 6.9) and dead positions
//! (5.2b).
//!
//! The method follows M. Ambrona, *A Practical Algorithm for Chess Unwinnability* (FUN 2022): a
//! test of the `material`, a test for blockades (`walls`), and a `search` for a mate. A search that
//! exhausts all positions proves that no mate is possible. Castling follows Chess960.
//! [`can_mate_within`] also applies the seventy-five-move rule.

mod horizon;
mod material;
mod open;
pub(crate) mod perpetual;
mod search;
mod walls;

use crate::base::side::Side;
use crate::chess::Position;

pub(crate) use horizon::can_mate_within;

/// Maximum number of positions per query. A query that reaches this limit takes a fraction of a
/// second and tens of MB.
pub(crate) const LIMIT: usize = 200_000;

/// Maximum number of positions for the queries made after every move of a game.
const QUICK_LIMIT: usize = 1_000;

/// Returns whether `side` can mate. An undetermined result counts as true (see [`verdict`]),
/// because a player may be denied a win only if mate is certainly impossible.
pub fn can_mate(position: &Position, side: Side) -> bool {
    verdict(position, side, LIMIT) != Some(false)
}

/// Returns whether neither side can mate. The test is fast and `true` is always correct, but the
/// test can miss a dead position if the proof takes too long.
pub fn is_dead(position: &Position) -> bool {
    !Side::ALL.into_iter().any(|side| open::is_open(position, side))
        && Side::ALL.into_iter().all(|side| verdict(position, side, QUICK_LIMIT) == Some(false))
}

/// Returns whether `side` can mate, or `None` if the search reaches `limit` positions without a
/// result. The result is deterministic, and a different limit never reverses it.
pub(crate) fn verdict(position: &Position, side: Side, limit: usize) -> Option<bool> {
    let board = position.board();
    if !material::is_enough(board, side) {
        return Some(false);
    }
    if position.is_checkmate() {
        return Some(position.side() != side);
    }
    if walls::shut(board, position.side(), side) {
        return Some(false);
    }
    search::can_mate(board, position.side(), side, limit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::rng::Rng;
    use crate::chess::setup::Setup;
    use crate::chess::{Bitboard, File, Kind, Piece, Rank, Square};
    use std::collections::{HashSet, VecDeque};

    fn verdict_of(fen: &str) -> (bool, bool, bool) {
        let position: Position = fen.parse().unwrap_or_else(|e| panic!("{fen}: {e}"));
        (can_mate(&position, Side::White), can_mate(&position, Side::Black), is_dead(&position))
    }

    #[test]
    fn known_verdicts() {
        for (fen, expected) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", (true, true, false)),
            ("7k/8/6K1/8/8/8/8/8 b - - 0 1", (false, false, true)),
            ("7k/8/6K1/8/8/8/8/R7 b - - 0 1", (true, false, false)),
            // A lone knight can mate a cornered king that its own pawn hems in, but not a bare
            // king.
            ("7k/8/6K1/8/8/8/7p/N7 w - - 0 1", (true, true, false)),
            ("7k/8/6K1/8/8/8/8/N7 w - - 0 1", (false, false, true)),
            // Bishops on squares of the same colour.
            ("7k/b7/6K1/8/8/8/8/2B5 w - - 0 1", (false, false, true)),
            // A wall of pawns that cannot be opened.
            ("4k3/8/8/1p1p1p1p/1P1P1P1P/8/8/4K3 w - - 0 1", (false, false, true)),
            // The same wall with a trapped rook and a bishop that can only wander.
            ("B7/4k3/8/8/1p1p1p1p/1PpP1P1P/K1P5/RB6 w - - 0 1", (false, false, true)),
        ] {
            assert_eq!(verdict_of(fen), expected, "{fen}");
        }
    }

    #[test]
    fn castling_of_chess960() {
        for (fen, expected) in [
            // King on b1, rooks on a1 and g1: castling rights that exist only in Chess960.
            ("1rk3r1/8/8/8/8/8/8/RK4R1 w GAgb - 0 1", (true, true, false)),
            // Black has a lone king and cannot mate, whichever way White castles.
            ("7k/8/8/8/8/8/8/RK4R1 w GA - 0 1", (true, false, false)),
            // The king is on its standard square, but the rook is not.
            ("4k3/8/8/8/8/8/8/4K1R1 w G - 0 1", (true, false, false)),
            // King on b1 again, but without castling rights.
            ("7k/8/8/8/8/8/8/RK4R1 w - - 0 1", (true, false, false)),
            // White can only castle, which opens the game. Without castling White is stalemated.
            ("8/8/8/8/8/7p/4k2P/6KR w H - 0 1", (true, true, false)),
            ("8/8/8/8/8/7p/4k2P/6KR w - - 0 1", (false, false, true)),
            // Black is to move, and White then has other moves besides castling.
            ("8/8/8/8/4k3/7p/7P/6KR b H - 0 1", (true, true, false)),
            // A permanently blocked bishop is between king and rook.
            ("8/8/8/8/8/5p1p/3k1P1P/5KBR w H - 0 1", (false, false, true)),
            // The mated side has a castling right that it cannot use.
            ("8/8/8/8/8/8/3k4/r5KR w H - 0 1", (true, true, false)),
            ("7k/8/8/8/8/6pp/4r2P/r5KR w H - 0 1", (false, true, false)),
        ] {
            assert_eq!(verdict_of(fen), expected, "{fen}");
        }
    }

    /// Returns for each side whether it mates in some reachable position. If there are too many
    /// positions to search, the result is `None` for a side without a mate so far.
    fn exhaustively(position: &Position) -> [Option<bool>; 2] {
        let mut seen = HashSet::from([position.key()]);
        let mut open = VecDeque::from([position.clone()]);
        let mut mates = [false; 2];
        while let Some(position) = open.pop_front() {
            if position.is_checkmate() {
                mates[(!position.side()).index()] = true;
            }
            if seen.len() > 2000 || mates == [true; 2] {
                return mates.map(|mate| mate.then_some(true));
            }
            for &m in &position.legal_moves() {
                let next = position.play_unchecked(m);
                if seen.insert(next.key()) {
                    open.push_back(next);
                }
            }
        }
        mates.map(Some)
    }

    /// Returns a random position with blocked pawns in which a king and a rook may castle, and the
    /// same position without the castling right.
    fn castle(rng: &mut Rng) -> Option<[Position; 2]> {
        let mut setup = Setup::empty();
        let mut put = |file: usize, rank, side, kind| {
            let square = Square::new(File::ALL[file], rank);
            setup.pieces[square.index()].get_or_insert(Piece::new(side, kind));
        };
        // The king is on its castling destination, often with the rook in the corner next to it.
        let rook = [7, rng.below(8)][rng.below(2)];
        put(rook, Rank::R1, Side::White, Kind::Rook);
        put(if rook > 4 { 6 } else { 2 }, Rank::R1, Side::White, Kind::King);
        put(rng.below(8), Rank::ALL[rng.below(2)], Side::Black, Kind::King);
        for _ in 0..rng.below(4) {
            let file = [7, rng.below(8)][rng.below(2)];
            put(file, Rank::R2, Side::White, Kind::Pawn);
            put(file, Rank::R3, Side::Black, Kind::Pawn);
        }
        if rng.below(4) == 0 {
            put(rng.below(8), Rank::R1, Side::White, Kind::Bishop);
        }
        setup.castling = Bitboard::of(Square::new(File::ALL[rook], Rank::R1));
        setup.side = Side::ALL[rng.below(2)];
        let setup = if rng.below(2) == 0 { setup.flipped() } else { setup };
        let mut without = setup.clone();
        without.castling = Bitboard::EMPTY;
        Some([Position::try_from(setup).ok()?, Position::try_from(without).ok()?])
    }

    #[test]
    fn castling_agrees_with_exhaustive_search() {
        let mut rng = Rng::new(960);
        let (mut opened, mut closed) = (0, 0);
        for [position, without] in (0..10_000).filter_map(|_| castle(&mut rng)) {
            let sides = Side::ALL.into_iter().filter(|&side| !can_mate(&without, side));
            for side in sides.collect::<Vec<_>>() {
                let can = can_mate(&position, side);
                *if can { &mut opened } else { &mut closed } += 1;
                assert!(!can || !is_dead(&position), "{}", position.fen());
                if let Some(mates) = exhaustively(&position)[side.index()] {
                    assert_eq!(can, mates, "{} {side}", position.fen());
                }
            }
        }
        assert!(opened > 5 && closed > 5, "{opened} {closed}");
    }

    /// Returns a random position with few pieces, in which most pawns face an enemy pawn.
    fn wall(rng: &mut Rng) -> Option<Position> {
        let mut setup = Setup::empty();
        let mut rank = 1 + rng.below(5);
        for file in File::ALL {
            let mut put = |rank: usize, side| {
                let square = Square::new(file, Rank::ALL[rank]);
                setup.pieces[square.index()] = Some(Piece::new(side, Kind::Pawn));
            };
            match rng.below(16) {
                0 => put(rank, Side::White),
                1 => put(rank, Side::Black),
                2 | 3 => {}
                _ => {
                    put(rank, Side::White);
                    put(rank + 1, Side::Black);
                }
            }
            // Shift the next pawns by one rank, so that neighbouring pawns cannot capture each
            // other.
            rank = if rank == 1 || rank < 5 && rng.below(2) == 0 { rank + 1 } else { rank - 1 };
        }
        let mut kinds = vec![(Side::White, Kind::King), (Side::Black, Kind::King)];
        for _ in 0..rng.below(3) {
            let kind = [Kind::Bishop, Kind::Knight, Kind::Rook, Kind::Queen];
            kinds.push((Side::ALL[rng.below(2)], kind[rng.below(4)]));
        }
        for (side, kind) in kinds {
            setup.pieces[rng.below(64)] = Some(Piece::new(side, kind));
        }
        setup.side = Side::ALL[rng.below(2)];
        Position::try_from(setup).ok()
    }

    #[test]
    fn search_finds_no_mate_excluded_by_walls_or_material() {
        let mut rng = Rng::new(7);
        let (mut shut, mut open) = (0, 0);
        for position in (0..12_000).filter_map(|_| wall(&mut rng)) {
            let (board, to_move) = (position.board(), position.side());
            for side in Side::ALL {
                if position.is_checkmate() {
                    continue;
                }
                let ruled_out =
                    !material::is_enough(board, side) || walls::shut(board, to_move, side);
                *if ruled_out { &mut shut } else { &mut open } += 1;
                if ruled_out {
                    let found = search::by_moves_alone(board, to_move, side, 1_000);
                    assert_ne!(found, Some(true), "{} {side}", position.fen());
                }
            }
        }
        assert!(shut > 100 && open > 1_000, "{shut} {open}");
    }

    #[test]
    fn zero_limit_is_undetermined() {
        let start = Position::start();
        assert_eq!(verdict(&start, Side::White, 0), None);
        assert!(can_mate(&start, Side::White) && !is_dead(&start));
        // A search that reaches its limit gives no result, even when it is repeated.
        let wandering = "8/2k5/8/4K3/1n6/8/8/B7 w - - 0 1";
        let position: Position = wandering.parse().expect("legal");
        assert_eq!(verdict(&position, Side::White, 500), None);
        assert_eq!(verdict(&position, Side::White, 500), None);
    }

    #[test]
    fn walls_exclude_mates() {
        for (fen, expected) in [
            // A pawn cannot pass the pawn it faces, although both have moves left.
            ("1k6/p1p1p1p1/P1P1P1P1/p1p1p1p1/8/8/P1P1P1P1/4K3 w - - 0 1", (false, false)),
            // The losing side has only king moves, and the mating king cannot cover the last escape
            // squares of the losing king.
            ("8/1p2B1B1/1PpB1B2/k1P1B3/p1P2B2/P7/5K2/8 w - - 0 1", (false, false)),
            // Capturing the stuck pawn ends the game at once.
            ("8/b1b5/k6p/2b2p1P/1b3p2/5PpK/6P1/8 w - - 0 1", (false, false)),
            // One piece of the mated side cannot block two escape squares.
            ("8/3b1k2/p1pBp1p1/P1P1P1P1/8/8/4K3/8 w - - 0 1", (false, false)),
        ] {
            let (white, black, _) = verdict_of(fen);
            assert_eq!((white, black), expected, "{fen}");
        }
    }
}
