//! The input features of the draughts network: patterns of men in windows of the board, and kings
//! by square. The board is rotated for Black.

use super::patterns::{Patterns, SIZE, WINDOWS};
use crate::base::side::Side;
use crate::draughts::{Bitboard, Board, Position, Square};
use crate::eval::net::Features;

/// The input features: first for the player's own pieces, then for the opponent's pieces.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DraughtsFeatures;

/// The number of groups: White's men, White's kings, Black's men, Black's kings.
const GROUPS: usize = 4;
/// The number of features per side: one per pattern of each window, then one per square for kings.
pub(crate) const PER_SIDE: usize = KINGS + Square::NUM;
/// The index of the first king feature.
const KINGS: usize = WINDOWS * SIZE;

impl Features for DraughtsFeatures {
    type Position = Position;
    type Pieces = [u64; GROUPS];
    const SETS: usize = GROUPS;

    const GAME: &'static str = "draughts";
    const COUNT: usize = 2 * PER_SIDE;
    /// One [factor](Features::FACTORS) per square for the player's men, then one per square for the
    /// opponent's men.
    const FACTORS: usize = 2 * Square::NUM;
    const BUCKETS: usize = 8;
    const PIECES: usize = 40;

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

    fn features(pieces: &Self::Pieces, view: Side, mut each: impl FnMut(usize)) {
        let board = board(pieces);
        let first = |owner: Side| if owner == view { 0 } else { PER_SIDE };
        for (owner, window, pattern) in Patterns::of(&board).each() {
            each(first(owner) + window * SIZE + pattern);
        }
        for owner in Side::ALL {
            for king in board.kings(owner) {
                each(first(owner) + KINGS + king.relative_to(owner).index());
            }
        }
    }

    fn bound(_: usize) -> f32 {
        // Sixteen patterns with this bound, and twenty kings. A king has no factor, so the
        // optimiser bounds its weights to 1.98.
        3.9
    }

    /// Returns the features for all patterns of one window in which the factor's man is present.
    /// The window is the first one that contains the man's square.
    fn features_of(factor: usize) -> Vec<usize> {
        let Some(square) = Square::new((factor % Square::NUM) as u32 + 1) else {
            return Vec::new();
        };
        // This board contains only one white man. If the factor is for the player's man, the
        // player is White. If it is for the opponent's man, the player is Black.
        let board = Board::of_groups([Bitboard::of(square), Bitboard::EMPTY], [Bitboard::EMPTY; 2]);
        let view = Side::from_white(factor < Square::NUM);
        let patterns = Patterns::of(&board.unwrap_or_default());
        let found = patterns.each().find(|&(_, _, pattern)| pattern != 0);
        let Some((owner, window, alone)) = found else { return Vec::new() };
        // A man of the window's owner adds the place value of its ternary digit to the pattern
        // number; an opponent's man adds twice that value.
        let digit = if owner.is_white() { alone } else { alone / 2 };
        let first = if owner == view { 0 } else { PER_SIDE };
        let has_man = |pattern: &usize| pattern / digit % 3 == alone / digit;
        (0..SIZE).filter(has_man).map(|pattern| first + window * SIZE + pattern).collect()
    }
}

fn board(pieces: &[u64; GROUPS]) -> Board {
    let [white, white_kings, black, black_kings] = pieces.map(Bitboard);
    Board::of_groups([white, black], [white_kings, black_kings]).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::net::features;

    fn seen(fen: &str, view: Side) -> Vec<usize> {
        let position: Position = fen.parse().expect(fen);
        let mut seen = features::<DraughtsFeatures>(&DraughtsFeatures::pieces(&position), view);
        seen.sort_unstable();
        seen
    }

    #[test]
    fn turned_boards_have_the_same_features() {
        let (fen, turned) = ("W:W31,K50:B1,20,K5", "B:W50,31,K46:B20,K1");
        assert_eq!(seen(fen, Side::White).len(), 2 * WINDOWS + 2);
        assert_eq!(seen(fen, Side::White), seen(turned, Side::Black));
        assert_eq!(seen(fen, Side::Black), seen(turned, Side::White));
    }

    #[test]
    fn each_man_is_in_exactly_one_pattern_of_its_factor() {
        let fen = "W:W6,27,31,33,48,K50:B1,20,22,34,K5";
        let white = [5, 26, 30, 32, 47];
        let black = [1, 20, 22, 34].map(|number| 50 - number);
        for (view, [own, other]) in
            [(Side::White, [&white[..], &black]), (Side::Black, [&black, &white])]
        {
            let seen = seen(fen, view);
            for factor in 0..DraughtsFeatures::FACTORS {
                let features = DraughtsFeatures::features_of(factor);
                assert_eq!(features.len(), SIZE / 3);
                let times = features.iter().filter(|f| seen.binary_search(f).is_ok()).count();
                let men = if factor < Square::NUM { own } else { other };
                let has_man = men.contains(&(factor % Square::NUM));
                assert_eq!(times, usize::from(has_man), "{view:?} {factor}");
            }
        }
    }

    #[test]
    fn each_bucket_covers_five_piece_counts() {
        let counts = [1, 5, 6, 10, 11, 35, 36, 40];
        assert_eq!(counts.map(DraughtsFeatures::bucket_of), [0, 0, 1, 1, 2, 6, 7, 7]);
    }
}
