//! The input features of the chess network: one for each combination of piece kind, side and
//! square. The board is flipped for Black, and mirrored if the player's own king is on one of the
//! files e to h.

use crate::base::bits::Bits;
use crate::base::side::Side;
use crate::chess::{Kind, Position};
use crate::eval::net::{BySquare, Features};

#[derive(Clone, Copy, Debug)]
pub(crate) struct ChessFeatures;

/// The number of groups: one for each kind of White's pieces, then one for each kind of Black's.
const GROUPS: usize = Side::NUM * Kind::NUM;
const FLIP: usize = 56;
const MIRROR: usize = 7;
const KING_SIDE: u64 = 0xf0f0_f0f0_f0f0_f0f0;

impl Features for ChessFeatures {
    type Position = Position;
    type Pieces = [u64; GROUPS];

    const GAME: &'static str = "chess";
    const COUNT: usize = GROUPS * 64;
    const BUCKETS: usize = 8;
    const PIECES: usize = 32;

    #[inline(always)]
    fn pieces(position: &Position) -> Self::Pieces {
        let board = position.board();
        std::array::from_fn(|group| {
            let side = Side::from_white(group < Kind::NUM);
            board.pieces(side, Kind::ALL[group % Kind::NUM]).0
        })
    }

    #[inline(always)]
    fn side(position: &Position) -> Side {
        position.side()
    }

    fn features(pieces: &Self::Pieces, view: Side, mut each: impl FnMut(usize)) {
        let mirrored = Self::is_mirrored(pieces, view);
        for (group, &set) in pieces.iter().enumerate() {
            Bits(set).for_each(|bit| each(Self::feature(view, mirrored, group, bit)));
        }
    }
}

impl BySquare for ChessFeatures {
    const NONE: Self::Pieces = [0; GROUPS];

    #[inline(always)]
    fn is_mirrored(pieces: &Self::Pieces, view: Side) -> bool {
        pieces[view.index() * Kind::NUM + Kind::King.index()] & KING_SIDE != 0
    }

    #[inline(always)]
    fn feature(view: Side, mirrored: bool, group: usize, bit: u8) -> usize {
        // Own pieces come first.
        let (group, turn) = match view {
            Side::White => (group, 0),
            Side::Black => ((group + Kind::NUM) % GROUPS, FLIP),
        };
        let mirror = if mirrored { MIRROR } else { 0 };
        group * 64 + (usize::from(bit) ^ turn ^ mirror)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::net::features;

    fn seen(fen: &str, view: Side) -> Vec<usize> {
        let position: Position = fen.parse().expect(fen);
        let mut seen: Vec<_> = features::<ChessFeatures>(&ChessFeatures::pieces(&position), view);
        seen.sort_unstable();
        seen
    }

    #[test]
    fn mirrored_and_flipped_boards_have_the_same_features() {
        let fen = "4k3/3p4/8/8/8/8/1P6/2K5 w - - 0 1";
        // White: pawn b2, king c1. Black: pawn d7, king e8.
        assert_eq!(seen(fen, Side::White), [9, 5 * 64 + 2, 6 * 64 + 51, 11 * 64 + 60]);
        let mirrored = "3k4/4p3/8/8/8/8/6P1/5K2 w - - 0 1";
        assert_eq!(seen(fen, Side::White), seen(mirrored, Side::White));
        assert_eq!(seen(fen, Side::Black), seen(mirrored, Side::Black));
        let turned = "2k5/1p6/8/8/8/8/3P4/4K3 b - - 0 1";
        assert_eq!(seen(fen, Side::White), seen(turned, Side::Black));
    }

    #[test]
    fn each_bucket_covers_four_piece_counts() {
        let bucket = |count: u32| {
            let mut pieces = ChessFeatures::NONE;
            pieces[0] = (1 << count) - 1;
            ChessFeatures::bucket(&pieces)
        };
        assert_eq!([2, 4, 5, 28, 29, 32].map(bucket), [0, 0, 1, 6, 7, 7]);
    }
}
