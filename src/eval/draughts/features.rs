//! What the network sees of a draughts position: men and kings of both sides by square, the board
//! turned for Black.

use crate::base::side::Side;
use crate::draughts::{Position, Square};
use crate::eval::net::Features;

/// The features of draughts.
#[derive(Clone, Copy, Debug)]
pub struct DraughtsFeatures;

/// White's men and kings, Black's men and kings.
const GROUPS: usize = 4;

/// The feature of a piece by view, group and bit.
static FEATURES: [[[u16; 64]; GROUPS]; Side::NUM] = {
    let mut features = [[[0; 64]; GROUPS]; Side::NUM];
    let mut group = 0;
    while group < GROUPS {
        let mut number = 1;
        while let Some(square) = Square::new(number) {
            let (here, turned) = (square.index(), square.turned().index());
            features[0][group][square.bit() as usize] = (group * Square::NUM + here) as u16;
            // Own pieces come first.
            let group_of_black = group ^ 2;
            features[1][group][square.bit() as usize] =
                (group_of_black * Square::NUM + turned) as u16;
            number += 1;
        }
        group += 1;
    }
    features
};

impl Features for DraughtsFeatures {
    type Position = Position;
    type Pieces = [u64; GROUPS];

    const GAME: &'static str = "draughts";
    const COUNT: usize = GROUPS * Square::NUM;
    const BUCKETS: usize = 8;
    const PIECES: usize = 40;
    const NONE: Self::Pieces = [0; GROUPS];

    #[inline(always)]
    fn pieces(position: &Position) -> Self::Pieces {
        let board = position.board();
        let [white, black] = Side::ALL.map(|side| [board.men(side).0, board.kings(side).0]);
        [white[0], white[1], black[0], black[1]]
    }

    #[inline(always)]
    fn side(position: &Position) -> Side {
        position.side()
    }

    #[inline(always)]
    fn feature(view: Side, _: bool, group: usize, bit: u8) -> usize {
        usize::from(FEATURES[view.index()][group & 3][usize::from(bit & 63)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::net::features;

    fn seen(fen: &str, view: Side) -> Vec<usize> {
        let position: Position = fen.parse().expect(fen);
        let mut seen: Vec<_> =
            features::<DraughtsFeatures>(&DraughtsFeatures::pieces(&position), view).collect();
        seen.sort_unstable();
        seen
    }

    #[test]
    fn both_sides_see_the_same_when_the_board_is_turned() {
        let (fen, turned) = ("W:W31,K50:B1,20,K5", "B:W50,31,K46:B20,K1");
        assert_eq!(seen(fen, Side::White), [30, 99, 100, 119, 154]);
        assert_eq!(seen(fen, Side::White), seen(turned, Side::Black));
        assert_eq!(seen(fen, Side::Black), seen(turned, Side::White));
    }

    #[test]
    fn buckets_hold_five_numbers_of_pieces_each() {
        let bucket = |count: u32| DraughtsFeatures::bucket(&[(1 << count) - 1, 0, 0, 0]);
        assert_eq!([1, 5, 6, 10, 11, 35, 36, 40].map(bucket), [0, 0, 1, 1, 2, 6, 7, 7]);
    }
}
