//! Whether a side can still mate by some sequence of legal moves, however badly the other plays:
//! for flags that fall (FIDE Laws 2009, 6.9) and dead positions (5.2b).
//!
//! A `solver` decides it for the castling of standard chess; what Chess960 adds is searched here. A
//! limit on moves without capture or pawn move is seen in its last plies ([`can_mate_within`]).

mod horizon;
mod solver;

use crate::base::side::Side;
use crate::chess::Position;
use std::collections::{HashSet, VecDeque};

pub use horizon::can_mate_within;

/// Positions in which castling of Chess960 is looked for.
const CASTLING_POSITIONS: usize = 10_000;

/// Whether `side` can mate; also where nobody knows, as in a search without end.
///
/// A castling right only adds moves, and castling parries no check: the moves that mate without it
/// mate with it. Where there are none, a mate comes after a castling that the solver does not know,
/// and it is asked again after each that can come about.
pub fn can_mate(position: &Position, side: Side) -> bool {
    fn can(position: &Position, side: Side, left: &mut usize) -> bool {
        solver::can_mate(position, side)
            || after_castling(position, left, |after, left| can(after, side, left))
    }
    let mut left = CASTLING_POSITIONS;
    // A king alone mates nobody, whoever castles.
    position.board().side(side).len() > 1 && can(position, side, &mut left)
}

/// Whether neither side can mate. Fast, and never wrong where it says so; of dead positions that
/// occurred in games it misses none that the solver's author has found.
pub fn is_dead(position: &Position) -> bool {
    fn dead(position: &Position, left: &mut usize) -> bool {
        solver::is_dead(position)
            && !after_castling(position, left, |after, left| !dead(after, left))
    }
    let mut left = CASTLING_POSITIONS;
    dead(position, &mut left)
}

/// Whether a castling that the solver does not know can lead to a position that passes a test; also
/// where more than `left` positions come before.
fn after_castling(
    position: &Position,
    left: &mut usize,
    mut test: impl FnMut(&Position, &mut usize) -> bool,
) -> bool {
    let other = |position: &Position| solver::other_castling(position.board());
    let mut open = VecDeque::new();
    let mut seen = HashSet::new();
    if other(position).any() {
        open.push_back(position.clone());
        seen.insert(position.key());
    }
    while let Some(position) = open.pop_front() {
        let Some(less) = left.checked_sub(1) else { return true };
        *left = less;
        for &m in &position.legal_moves() {
            let next = position.play(m);
            if m.is_castle() && other(&position).has(m.to()) {
                if test(&next, left) {
                    return true;
                }
            } else if other(&next).any() && seen.insert(next.key()) {
                // Where all such rights are gone, the solver has seen what follows.
                open.push_back(next);
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::rng::Rng;
    use crate::chess::setup::Setup;
    use crate::chess::{Bitboard, File, Kind, Piece, Rank, Square};

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
            // The same with a rook that is shut in, and a bishop that can only wander.
            ("B7/4k3/8/8/1p1p1p1p/1PpP1P1P/K1P5/RB6 w - - 0 1", (false, false, true)),
        ] {
            assert_eq!(verdict(fen), expected, "{fen}");
        }
    }

    #[test]
    fn castling_of_chess960() {
        for (fen, expected) in [
            // King b1, rooks a1 and g1: no right that standard chess has.
            ("1rk3r1/8/8/8/8/8/8/RK4R1 w GAgb - 0 1", (true, true, false)),
            // Black has a king alone: it mates nobody, whatever White may castle.
            ("7k/8/8/8/8/8/8/RK4R1 w GA - 0 1", (true, false, false)),
            // King at home, rook not.
            ("4k3/8/8/8/8/8/8/4K1R1 w G - 0 1", (true, false, false)),
            ("7k/8/8/8/8/8/8/RK4R1 w - - 0 1", (true, false, false)),
            // White can do nothing but castle, which opens the game; without it he is stalemated.
            ("8/8/8/8/8/7p/4k2P/6KR w H - 0 1", (true, true, false)),
            ("8/8/8/8/8/7p/4k2P/6KR w - - 0 1", (false, false, true)),
            // The same a move before: Black can go elsewhere, or leave White nothing but that.
            ("8/8/8/8/4k3/7p/7P/6KR b H - 0 1", (true, true, false)),
            // A bishop shut in for ever stands between king and rook.
            ("8/8/8/8/8/5p1p/3k1P1P/5KBR w H - 0 1", (false, false, true)),
            // Who is mated has a right left, and no use of it.
            ("8/8/8/8/8/8/3k4/r5KR w H - 0 1", (true, true, false)),
            ("7k/8/8/8/8/6pp/4r2P/r5KR w H - 0 1", (false, true, false)),
        ] {
            assert_eq!(verdict(fen), expected, "{fen}");
        }
    }

    /// Who mates in some position that can come about, where those are few enough to see them all;
    /// none where they are not and no mate is among those seen.
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
                let next = position.play(m);
                if seen.insert(next.key()) {
                    open.push_back(next);
                }
            }
        }
        mates.map(Some)
    }

    /// A king and a rook with the right to castle, and pawns that block each other.
    fn castle(rng: &mut Rng) -> Option<Position> {
        let mut setup = Setup::empty();
        let mut put = |file: usize, rank, side, kind| {
            let square = Square::new(File::ALL[file], rank);
            setup.pieces[square.index()].get_or_insert(Piece::new(side, kind));
        };
        // A king that stands where it castles to, mostly with the rook beside it in the corner.
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
        Position::try_from(setup).ok()
    }

    #[test]
    fn castling_is_right_where_all_can_be_seen() {
        let mut rng = Rng::new(960);
        let (mut opened, mut closed) = (0, 0);
        for position in (0..10_000).filter_map(|_| castle(&mut rng)) {
            let sides = Side::ALL.into_iter().filter(|&side| !solver::can_mate(&position, side));
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
}
