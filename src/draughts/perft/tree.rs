//! Walks the tree of moves, eight positions at a time, one per lane.
//!
//! The positions of a ply are queued by kind, so that all lanes do the same work. There are four
//! kinds: new positions with or without kings, and positions with or without kings that turned out
//! to have captures. As soon as eight positions of a kind are queued, their moves are made and the
//! resulting positions are queued in the next ply. In the last ply, [`Leaves`] counts the moves.

use super::leaves::Leaves;
use super::ply::Ply;
use super::rafles::{Boards, Rafles};
use crate::base::cpu::Lanes;
use crate::base::side::Side;
use crate::draughts::board::Board;

pub(super) struct Tree {
    side: Side,
    plies: Vec<Ply>,
    leaves: Leaves,
    rafles: Rafles,
}

impl Tree {
    pub(super) const fn new() -> Self {
        Self { side: Side::White, plies: Vec::new(), leaves: Leaves::new(), rafles: Rafles::new() }
    }

    /// Returns the total number of leaves at `depth` below the boards, with `side` to move. `depth`
    /// must be at least 1.
    pub(super) fn count(&mut self, boards: &[Board], side: Side, depth: usize) -> u64 {
        self.side = if depth.is_multiple_of(2) { !side } else { side };
        while self.plies.len() < depth {
            self.plies.push(Ply::new());
        }
        let top = depth - 1;
        for board in boards {
            let sets = [board.pieces(side), board.pieces(!side), board.all_kings()];
            let [own, opponent, kings] = sets.map(|set| Lanes::splat(set.0));
            let position = Boards { own, opponent, kings };
            if top == 0 {
                self.plies[0].push::<true>(position, 1);
            } else {
                self.plies[top].push::<false>(position, 1);
            }
            self.work(top);
        }
        // Incomplete groups are padded with empty boards, which have no moves.
        for ply in (0..depth).rev() {
            self.plies[ply].men.fill();
            self.plies[ply].kings.fill();
            self.work(ply);
            self.plies[ply].captures.fill();
            self.plies[ply].king_captures.fill();
            self.work(ply);
        }
        self.leaves.total(&mut self.rafles)
    }

    /// Processes the full groups of this ply and of all later plies. Fewer than eight positions of
    /// each kind remain queued.
    fn work(&mut self, ply: usize) {
        match ply {
            0 => self.leaves.work(&mut self.plies[0], self.side, &mut self.rafles),
            1 => self.play::<true>(ply),
            _ => self.play::<false>(ply),
        }
    }

    /// Makes the moves of all full groups of a ply. `LAST` is true if the next ply is the last.
    #[inline(never)]
    fn play<const LAST: bool>(&mut self, ply: usize) {
        let side = if ply.is_multiple_of(2) { self.side } else { !self.side };
        while let Some(positions) = self.plies[ply].men.pop() {
            let (this, next) = pair(&mut self.plies, ply);
            this.play_men::<LAST>(side, next, positions);
            self.work(ply - 1);
        }
        while let Some(positions) = self.plies[ply].kings.pop() {
            let (this, next) = pair(&mut self.plies, ply);
            this.play_kings::<LAST>(side, next, positions);
            self.work(ply - 1);
        }
        while let Some([own, opponent]) = self.plies[ply].captures.pop() {
            let boards = Boards { own, opponent, kings: Lanes::ZERO };
            let (_, next) = pair(&mut self.plies, ply);
            next.take::<LAST, false>(side, &boards, &mut self.rafles);
            self.work(ply - 1);
        }
        while let Some([own, opponent, kings]) = self.plies[ply].king_captures.pop() {
            let boards = Boards { own, opponent, kings };
            let (_, next) = pair(&mut self.plies, ply);
            next.take::<LAST, true>(side, &boards, &mut self.rafles);
            self.work(ply - 1);
        }
    }
}

#[inline(always)]
fn pair(plies: &mut [Ply], ply: usize) -> (&mut Ply, &mut Ply) {
    let (below, from) = plies.split_at_mut(ply);
    (&mut from[0], &mut below[ply - 1])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::rng::Rng;
    use crate::draughts::bitboard::Bitboard;
    use crate::draughts::movegen;
    use crate::draughts::square::Square;

    /// Creates a random board that often has long captures: few pieces against many, with no kings,
    /// some kings, or only kings.
    fn random(rng: &mut Rng, side: Side) -> Board {
        let mut squares: Vec<_> = Square::all().collect();
        rng.shuffle(&mut squares);
        let (own, opponent) = (1 + rng.below(8), 1 + rng.below(18));
        let kings_of_four = [0, 1, 4][rng.below(3)];
        let (mut men, mut kings) = ([Bitboard::EMPTY; 2], [Bitboard::EMPTY; 2]);
        for (number, &square) in squares[..own + opponent].iter().enumerate() {
            let side = if number < own { side } else { !side };
            let kind = if rng.below(4) < kings_of_four { &mut kings } else { &mut men };
            kind[side.index()] |= Bitboard::of(square);
        }
        Board::of_groups(men, kings).expect("a square has one piece")
    }

    fn listed(board: &Board, side: Side, depth: usize) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut leaves = 0;
        movegen::each_move(board, side, |m| {
            leaves += listed(&board.after(side, m.from, m.to, m.taken), !side, depth - 1);
        });
        leaves
    }

    /// Compares the tree with the move generator on random positions, `together` at a time. Returns
    /// the number of positions with captures of at least `long` pieces.
    fn compare(positions: usize, together: usize, depth: usize, long: u32) -> usize {
        let mut rng = Rng::new(depth as u64);
        let mut tree = Tree::new();
        let mut found = 0;
        for round in 0..positions / together {
            let side = Side::from_white(round % 2 == 0);
            let boards: Vec<_> = (0..together).map(|_| random(&mut rng, side)).collect();
            let mut expected = 0;
            for board in &boards {
                expected += listed(board, side, depth);
                let mut max = 0;
                movegen::each_capture(board, side, |m| max = m.taken.len());
                found += usize::from(max >= long);
            }
            let counted = tree.count(&boards, side, depth);
            if counted != expected {
                let wrong = |board: &&Board| {
                    tree.count(&[**board], side, depth) != listed(board, side, depth)
                };
                panic!("{counted}, not {expected}: {side} on {:?}", boards.iter().find(wrong));
            }
        }
        found
    }

    // The environment variable `ADOUBE_PERFT_POSITIONS` sets the number of positions.
    #[test]
    fn move_counts_of_random_positions_match_the_generator() {
        let wanted = std::env::var("ADOUBE_PERFT_POSITIONS");
        let wanted = wanted.map_or(Ok(60_000), |number| number.parse());
        let wanted: usize = wanted.expect("ADOUBE_PERFT_POSITIONS is a number");
        let found = compare(wanted, 50, 1, 5);
        assert!(found > wanted / 20, "{found}");
    }

    #[test]
    fn leaf_counts_of_random_positions_match_the_generator() {
        for depth in [2, 3] {
            let found = compare(12_000 / depth / depth, 3, depth, 4);
            assert!(found > 100, "{found}");
        }
    }

    // The man can capture the four pieces clockwise or counterclockwise, and both routes are the
    // same move. For the king, the two routes share only some of their destination squares.
    #[test]
    fn captures_around_a_rectangle_are_one_move() {
        let of = |numbers: &[u32]| -> Bitboard {
            numbers.iter().filter_map(|&n| Square::new(n)).collect()
        };
        let around = of(&[31, 21, 22, 32]);
        let man = Board::of_groups([of(&[37]), around], [Bitboard::EMPTY; 2]);
        let king = Board::of_groups([Bitboard::EMPTY, around], [of(&[37]), Bitboard::EMPTY]);
        for board in [man, king] {
            let board = board.expect("a square has one piece");
            let expected = listed(&board, Side::White, 1);
            assert_eq!(Tree::new().count(&[board], Side::White, 1), expected);
        }
    }
}
