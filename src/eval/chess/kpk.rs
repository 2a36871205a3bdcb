//! A bitbase of king and pawn against king.
//!
//! The pawn is always White's; callers flip the board for Black. For each square of the pawn and
//! each square of White's king, the table contains the set of squares on which Black's king loses.
//! The table covers only pawns on files a to d; positions with other pawns are mirrored. The sets
//! are computed by retrograde analysis, which starts with promotions and stops when nothing
//! changes.

use crate::base::side::Side;
use crate::chess::{Bitboard, File, Rank, Square, attacks};
use std::sync::LazyLock;

type Sets = [[Bitboard; 64]; 64];

struct Table {
    /// The squares on which the black king loses with White to move, for each square of the pawn
    /// and each square of the white king.
    white: Box<Sets>,
    /// The squares on which the black king loses with Black to move, for each square of the pawn
    /// and each square of the white king.
    black: Box<Sets>,
}

static TABLE: LazyLock<Table> = LazyLock::new(Table::solve);

/// Returns whether White, with a king on `king` and a pawn on `pawn`, wins against the black king
/// on `enemy`. The position must be legal.
pub(super) fn wins(white_to_move: bool, king: Square, pawn: Square, enemy: Square) -> bool {
    let mirror = |square: Square| {
        if pawn.file() > File::D { Square::wrap(square as u8 ^ 7) } else { square }
    };
    let sets = if white_to_move { &TABLE.white } else { &TABLE.black };
    sets[mirror(pawn).index()][mirror(king).index()].has(mirror(enemy))
}

impl Table {
    fn solve() -> Self {
        let empty = || Box::new([[Bitboard::EMPTY; 64]; 64]);
        let mut table = Self { white: empty(), black: empty() };
        let left_half = |square: &Square| square.file() <= File::D;
        let on_board = |square: &Square| !matches!(square.rank(), Rank::R1 | Rank::R8);
        while Square::ALL
            .into_iter()
            .filter(|pawn| left_half(pawn) && on_board(pawn))
            .fold(false, |changed, pawn| table.improve(pawn) | changed)
        {}
        table
    }

    /// Extends the known wins by one move, for a pawn on this square. Returns whether new wins were
    /// found.
    fn improve(&mut self, pawn: Square) -> bool {
        let mut changed = false;
        for king in Square::ALL.into_iter().filter(|&king| king != pawn) {
            let white = self.white_wins(pawn, king);
            let old = std::mem::replace(&mut self.white[pawn.index()][king.index()], white);
            changed |= old != white;

            let attacked = attacks::king(king) | attacks::pawn(Side::White, pawn);
            let open = !attacked - king;
            let can_move = open.around();
            let escapes = (open - white).around();
            let allowed = !(attacks::king(king) | king | pawn);
            self.black[pawn.index()][king.index()] = (can_move - escapes) & allowed;
        }
        changed
    }

    /// Returns the squares on which the black king loses with White to move, because White has a
    /// move to a known win.
    fn white_wins(&self, pawn: Square, king: Square) -> Bitboard {
        let forward = |square: Square| Square::wrap(square as u8 + 8);
        let mut wins = (attacks::king(king) - pawn)
            .fold(Bitboard::EMPTY, |wins, to| wins | self.black[pawn.index()][to.index()]);
        let stop = forward(pawn);
        if stop != king {
            if pawn.rank() == Rank::R7 {
                let takes = attacks::king(stop);
                let guarded = takes.has(king);
                wins |= Bitboard::ALL - stop - if guarded { Bitboard::EMPTY } else { takes };
            } else {
                wins |= self.black[stop.index()][king.index()];
            }
            if pawn.rank() == Rank::R2 && forward(stop) != king {
                wins |= self.black[forward(stop).index()][king.index()] - stop;
            }
        }
        let attacked = attacks::king(king) | attacks::pawn(Side::White, pawn);
        wins - attacked - king - pawn
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Kind, Position};

    fn won(position: &Position) -> bool {
        let board = position.board();
        let pawn = board.kind(Kind::Pawn).lowest();
        let (king, enemy) = (board.king(Side::White), board.king(Side::Black));
        wins(position.side().is_white(), king, pawn, enemy)
    }

    #[test]
    fn solves_textbook_positions() {
        for (fen, wins) in [
            ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", true),
            ("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", true),
            ("8/8/4k3/8/4K3/4P3/8/8 w - - 0 1", false),
            ("8/8/4k3/8/4K3/4P3/8/8 b - - 0 1", true),
            ("k7/8/K7/P7/8/8/8/8 w - - 0 1", false),
            ("8/8/8/8/8/k7/P7/1K6 b - - 0 1", false),
            ("7k/8/8/8/8/8/P7/K7 w - - 0 1", true),
            ("8/8/8/7k/8/8/7P/K7 w - - 0 1", false),
            ("7k/8/8/6K1/8/6P1/8/8 b - - 0 1", true),
        ] {
            let position: Position = fen.parse().expect(fen);
            assert_eq!(won(&position), wins, "{fen}");
        }
    }

    #[test]
    fn every_result_follows_from_the_next_moves() {
        let mut positions = 0;
        for pawn in (8..56).map(Square::wrap) {
            for king in Square::ALL {
                for enemy in Square::ALL.into_iter().step_by(3) {
                    for side in ['w', 'b'] {
                        let fen = fen(pawn, king, enemy, side);
                        let Some(position) = fen.and_then(|fen| fen.parse::<Position>().ok())
                        else {
                            continue;
                        };
                        positions += 1;
                        check(&position);
                    }
                }
            }
        }
        assert!(positions > 50_000, "{positions}");
    }

    fn check(position: &Position) {
        let good = |m| {
            let next = position.play_unchecked(m);
            if next.board().kind(Kind::Pawn).any() {
                return won(&next);
            }
            // A promotion counts as a win unless the new piece can be captured at once or Black is
            // stalemated. If the pawn was captured, only the two kings remain.
            next.board().occupied().len() == 3
                && !next.is_stalemate()
                && next.noisy_moves().is_empty()
        };
        let mut moves = position.legal_moves().to_vec().into_iter();
        let expected = match position.side() {
            Side::White => moves.any(good),
            Side::Black => position.has_moves() && moves.all(good),
        };
        assert_eq!(won(position), expected, "{}", position.fen());
    }

    fn fen(pawn: Square, king: Square, enemy: Square, side: char) -> Option<String> {
        if pawn == king || pawn == enemy || king == enemy {
            return None;
        }
        let row = |rank: &Rank| -> String {
            File::ALL
                .into_iter()
                .map(|file| match Square::new(file, *rank) {
                    square if square == pawn => 'P',
                    square if square == king => 'K',
                    square if square == enemy => 'k',
                    _ => '1',
                })
                .collect()
        };
        let rows: Vec<String> = Rank::ALL.iter().rev().map(row).collect();
        let merged = (2..=8)
            .rev()
            .fold(rows.join("/"), |text, n| text.replace(&"1".repeat(n), &n.to_string()));
        Some(format!("{merged} {side} - - 0 1"))
    }
}
