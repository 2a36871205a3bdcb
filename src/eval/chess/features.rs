//! The input features of the chess network: one for each combination of piece kind, side, state and
//! square. The state of a piece tells whether the opponent attacks it and whether its own side
//! protects it. The board is flipped for Black, and mirrored if the player's own king is on one of
//! the files e to h.

use crate::base::cpu::Squares;
use crate::base::side::Side;
use crate::chess::movegen::Attacks;
use crate::chess::{Kind, Position};
use crate::eval::net::{BySquare, Features};

#[derive(Clone, Copy, Debug)]
pub(crate) struct ChessFeatures;

/// The number of sets of pieces: one for each kind of White's pieces, then one for each kind of
/// Black's.
const SETS: usize = Side::NUM * Kind::NUM;
/// The indices of three more sets. All three contain pieces of both sides.
const ATTACKED: usize = SETS;
const PROTECTED: usize = SETS + 1;
/// The pieces attacked by a less valuable piece, and the pawns attacked by a pawn.
const THREATENED: usize = SETS + 2;
/// The number of states of a piece: threatened; otherwise attacked or not, and protected or not.
const STATES: usize = 5;
/// The number of groups: one for each state and set of pieces.
const GROUPS: usize = SETS * STATES;
const SQUARES: usize = 64;
const FLIP: usize = 56;
const MIRROR: usize = 7;
const KING_SIDE: u64 = 0xf0f0_f0f0_f0f0_f0f0;

impl Features for ChessFeatures {
    type Position = Position;
    type Pieces = [u64; SETS + 3];

    const SETS: usize = SETS;
    const GAME: &'static str = "chess";
    const COUNT: usize = GROUPS * SQUARES;
    /// One [factor](Features::FACTORS) for each combination of piece kind, side and square.
    const FACTORS: usize = SETS * SQUARES;
    const BUCKETS: usize = 8;
    const PIECES: usize = 32;

    #[inline(always)]
    fn pieces(position: &Position) -> Self::Pieces {
        let board = position.board();
        let mut sets = [0; SETS + 3];
        let occupied = board.occupied();
        let of = |side| Attacks::of(board, side, occupied);
        let attacks = [of(Side::White), of(Side::Black)];
        for side in Side::ALL {
            let (own, enemy) = (&attacks[side.index()], &attacks[(!side).index()]);
            let pieces = board.side(side);
            sets[ATTACKED] |= (pieces & enemy.all).0;
            sets[PROTECTED] |= (pieces & own.all).0;
            let mut by_lesser = enemy.by_lesser();
            by_lesser[Kind::Pawn.index()] = enemy.pawns;
            for kind in Kind::ALL {
                let pieces = board.pieces(side, kind);
                sets[side.index() * Kind::NUM + kind.index()] = pieces.0;
                sets[THREATENED] |= (pieces & by_lesser[kind.index()]).0;
            }
        }
        sets
    }

    #[inline(always)]
    fn side(position: &Position) -> Side {
        position.side()
    }

    fn features(pieces: &Self::Pieces, view: Side, mut each: impl FnMut(usize)) {
        let mirrored = Self::is_mirrored(pieces, view);
        for (square, group) in Self::groups(pieces).0.into_iter().enumerate() {
            if group > 0 {
                each(Self::feature(view, mirrored, usize::from(group) - 1, square as u8));
            }
        }
    }

    fn factors(pieces: &Self::Pieces, view: Side, mut each: impl FnMut(usize)) {
        Self::features(pieces, view, |feature| each(feature % Self::FACTORS));
    }

    fn features_of(factor: usize) -> Vec<usize> {
        (0..STATES).map(|state| state * Self::FACTORS + factor).collect()
    }
}

impl BySquare for ChessFeatures {
    #[inline(always)]
    fn groups(pieces: &Self::Pieces) -> Squares {
        let mut groups = Squares::ZERO;
        for (number, &set) in pieces[..SETS].iter().enumerate() {
            groups.add(set, number as u8 + 1);
        }
        let (attacked, protected) = (pieces[ATTACKED], pieces[PROTECTED]);
        let threatened = pieces[THREATENED];
        let states = [protected & !attacked, attacked & !protected, attacked & protected];
        for (state, set) in states.into_iter().enumerate() {
            groups.add(set & !threatened, (SETS * (state + 1)) as u8);
        }
        groups.add(threatened, (SETS * (STATES - 1)) as u8);
        groups
    }

    #[inline(always)]
    fn is_mirrored(pieces: &Self::Pieces, view: Side) -> bool {
        pieces[view.index() * Kind::NUM + Kind::King.index()] & KING_SIDE != 0
    }

    #[inline(always)]
    fn feature(view: Side, mirrored: bool, group: usize, bit: u8) -> usize {
        // In each state, own pieces come first.
        let (group, turn) = match view {
            Side::White => (group, 0),
            Side::Black if group % SETS < SETS / 2 => (group + SETS / 2, FLIP),
            Side::Black => (group - SETS / 2, FLIP),
        };
        let mirror = if mirrored { MIRROR } else { 0 };
        group * SQUARES + (usize::from(bit) ^ turn ^ mirror)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Square;
    use crate::eval::net::features;

    fn seen(fen: &str, view: Side) -> Vec<usize> {
        let position: Position = fen.parse().expect(fen);
        let mut seen: Vec<_> = features::<ChessFeatures>(&ChessFeatures::pieces(&position), view);
        seen.sort_unstable();
        seen
    }

    #[test]
    fn states_tell_attacks_and_protection() {
        let fen = "5k2/1p4p1/2p5/3n4/4P3/5P2/1Q6/4K3 w - - 0 1";
        let position: Position = fen.parse().expect(fen);
        let groups = ChessFeatures::groups(&ChessFeatures::pieces(&position)).0;
        let expected = [
            ("neither", "e1 b2 f3 f8"),
            ("protected", "e4 c6"),
            ("attacked", "b7"),
            ("attacked and protected", "g7"),
            ("threatened", "d5"),
        ];
        for (state, (name, expected)) in expected.into_iter().enumerate() {
            let is_in = |&square: &u8| {
                let group = usize::from(groups[usize::from(square)]);
                group > 0 && (group - 1) / SETS == state
            };
            let squares: Vec<_> =
                (0..64).filter(is_in).map(|bit| Square::wrap(bit).to_string()).collect();
            assert_eq!(squares.join(" "), expected, "{name}");
        }
    }

    #[test]
    fn mirrored_and_flipped_boards_have_the_same_features() {
        let fen = "4k3/3p4/8/8/8/8/1P6/2K5 w - - 0 1";
        // The kings c1 and e8 are not protected, the pawns b2 and d7 are.
        let kings = [5 * 64 + 2, 11 * 64 + 60];
        let pawns = [SETS * 64 + 9, (SETS + 6) * 64 + 51];
        assert_eq!(seen(fen, Side::White), [kings, pawns].concat());
        let mirrored = "3k4/4p3/8/8/8/8/6P1/5K2 w - - 0 1";
        assert_eq!(seen(fen, Side::White), seen(mirrored, Side::White));
        assert_eq!(seen(fen, Side::Black), seen(mirrored, Side::Black));
        let turned = "2k5/1p6/8/8/8/8/3P4/4K3 b - - 0 1";
        assert_eq!(seen(fen, Side::White), seen(turned, Side::Black));
    }

    #[test]
    fn each_bucket_covers_four_piece_counts() {
        let bucket = |count: u32| {
            let mut pieces = [0; SETS + 3];
            pieces[0] = (1 << count) - 1;
            pieces[PROTECTED] = pieces[0];
            ChessFeatures::bucket(&pieces)
        };
        assert_eq!([2, 4, 5, 28, 29, 32].map(bucket), [0, 0, 1, 6, 7, 7]);
    }
}
