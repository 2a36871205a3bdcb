//! Perft on a [`Board`]: counts the leaf nodes of the game tree.
//!
//! In builds for processors with AVX2 or AVX-512, moves are made and counted for eight positions at
//! a time, one per lane, without listing them. `tree` takes the positions of each ply from queues
//! (`queue`) and makes their moves (`ply`). `leaves` counts the moves of the last ply, and `rafles`
//! finds the longest captures. Other builds use the [move generator](movegen).

mod leaves;
mod ply;
mod queue;
mod rafles;
mod sets;
mod tree;

use super::board::Board;
use super::movegen;
use super::position::Position;
use crate::base::cpu;
use crate::base::side::Side;
use std::cell::RefCell;
use tree::Tree;

/// Returns the number of leaves at `depth`, with `side` to move on `board`. The moves of the last
/// ply are counted but not made.
pub(crate) fn bulk(board: &Board, side: Side, depth: u32) -> u64 {
    thread_local! {
        static TREE: RefCell<Tree> = const { RefCell::new(Tree::new()) };
    }
    /// Below this depth, a queue rarely collects eight positions of the same kind.
    const SHALLOW: u32 = 3;
    /// Beyond this depth, additional queues cost memory but do not save time.
    const DEEP: u32 = 20;
    match depth {
        0 => 1,
        1 => movegen::count(board, side),
        SHALLOW..=DEEP if cpu::VECTORS => {
            TREE.with_borrow_mut(|tree| tree.count(&[*board], side, depth as usize))
        }
        2 => sum(board, side, |next| movegen::count(next, !side)),
        _ => sum(board, side, |next| bulk(next, !side, depth - 1)),
    }
}

/// Returns the number of leaves at `depth`. Supports every variant. The moves of the last ply are
/// counted but not made.
pub(crate) fn by_moves(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.legal_moves().len() as u64,
        _ => position
            .legal_moves()
            .iter()
            .map(|&m| by_moves(&position.play_unchecked(m), depth - 1))
            .sum(),
    }
}

#[inline(always)]
fn sum(board: &Board, side: Side, count: impl Fn(&Board) -> u64) -> u64 {
    let mut total = 0;
    movegen::each_move(board, side, |m| {
        total += count(&board.after(side, m.from, m.to, m.taken));
    });
    total
}

#[cfg(test)]
mod tests {
    use crate::draughts::Position;

    // The counts do not distinguish captures that differ only in their route. Deeper counts are in
    // `epd/draughts`.
    #[test]
    fn counts_match_published_values() {
        let cases: [(&str, &[u64]); 6] = [
            ("W:W31-50:B1-20", &[9, 81, 658, 4265, 27117, 167_140, 1_049_442]),
            (
                "W:W25,27,28,30,32,33,34,35,37,38:B12,13,14,16,18,19,21,23,24,26",
                &[6, 12, 30, 73, 215, 590, 1944, 6269, 22_369, 88_050],
            ),
            (
                "B:W6,9,10,11,20,21,22,23,30,K31,33,37,41,42,43,44,46:BK17,K24",
                &[14, 55, 1168, 5432, 87_195, 629_010],
            ),
            ("W:W6,7,8,9,10:B41,42,43,44,45", &[9, 81, 795, 7578, 86_351, 936_311]),
            ("W:WK31-K50:BK1-K20", &[17, 79, 352, 1399, 7062, 37_589, 217_575]),
            ("W:W31,32,33,34,35:B16,17,18,19,20", &[9, 81, 534, 2538, 9052, 29_999, 98_971]),
        ];
        for (fen, counts) in cases {
            let position: Position = fen.parse().expect(fen);
            assert_eq!(position.perft(0), 1);
            for (depth, &count) in (1..).zip(counts) {
                assert_eq!(position.perft(depth), count, "{fen}, depth {depth}");
            }
        }
    }
}
