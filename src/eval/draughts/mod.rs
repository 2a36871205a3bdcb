//! Evaluation of draughts positions.
//!
//! The search knows nothing of this folder but the [`Evaluator`], by the trait [`Evaluate`].
//!
//! A value is a sum of weights, each with a middle game and an endgame part that fade into each other
//! with the number of pieces: of patterns of men in windows of the board ([`patterns`]), kept up from
//! move to move, and of terms that windows cannot see ([`weights::Term`]). `adoube tune --game
//! draughts` fits them all to the engine's own games.

pub mod endgame;
pub mod features;
pub mod patterns;
pub mod weights;

use crate::base::side::Side;
use crate::draughts::{Bitboard, Board, Direction, Position, movegen};
use crate::eval::Evaluate;
use endgame::{FULL_SCALE, LONG_DIAGONAL};
use patterns::Patterns;
use weights::{PATTERNS, Term, UNIT, WEIGHTS};

/// Evaluations, in hundredths of a man, stay within this, far from the scores of won games.
pub const LIMIT: i32 = 4_000;
/// The phase with all pieces on the board, in which only the middle game counts.
pub const FULL_PHASE: i32 = 40;

/// One thread's evaluator.
#[derive(Clone, Debug, Default)]
pub struct Evaluator;

/// A position as the tuner sees it: a value that is linear in the weights.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The indices of the weights used, and how often White and Black use each.
    pub counts: Vec<(usize, [i16; Side::NUM])>,
    /// The share of the middle game, out of [`FULL_PHASE`]; the endgame has the rest.
    pub phase: i32,
    /// The share of the sum that counts, out of [`FULL_SCALE`].
    pub scale: i32,
}

impl Evaluate for Evaluator {
    type Position = Position;
    type Accumulator = Patterns;

    #[inline]
    fn accumulate(position: &Position) -> Patterns {
        Patterns::of(position.board())
    }

    #[inline(always)]
    fn changed(patterns: &Patterns, before: &Position, after: &Position) -> Patterns {
        patterns.changed(before.board(), after.board())
    }

    /// The value means little while the side to move can capture.
    #[inline]
    fn evaluate(&mut self, position: &Position, patterns: &Patterns) -> i32 {
        let value = Self::unscaled(position, patterns);
        let scale = endgame::scale(position.board(), Side::from_white(value > 0));
        let value = (value * scale / FULL_SCALE).clamp(-LIMIT, LIMIT);
        if position.side().is_white() { value } else { -value }
    }
}

impl Evaluator {
    /// The sum of the weights, seen from White, before [`endgame::scale`].
    #[inline(always)]
    fn unscaled(position: &Position, patterns: &Patterns) -> i32 {
        let sum = patterns.sum();
        let (mut middle, mut end) = (sum.middle(), sum.end());
        each_term(position, |side, index, count| {
            let weight = WEIGHTS.terms[index];
            let count = if side.is_white() { count } else { -count };
            middle += weight.middle() * count;
            end += weight.end() * count;
        });
        let phase = position.board().occupied().len() as i32;
        (middle * phase + end * (FULL_PHASE - phase)) / (FULL_PHASE * UNIT)
    }

    /// The position as the tuner sees it.
    pub fn sample(&mut self, position: &Position) -> Sample {
        let mut counts: Vec<(usize, [i16; Side::NUM])> = Vec::new();
        let mut add = |side: Side, index: usize, count: i32| {
            if count != 0 {
                let mut both = [0; Side::NUM];
                both[side.index()] = count as i16;
                counts.push((index, both));
            }
        };
        let patterns = Self::accumulate(position);
        for (side, window, number) in patterns.each() {
            add(side, window * patterns::SIZE + number, 1);
        }
        each_term(position, |side, index, count| add(side, PATTERNS + index, count));
        let strong = Side::from_white(Self::unscaled(position, &patterns) > 0);
        let board = position.board();
        Sample {
            counts,
            phase: board.occupied().len() as i32,
            scale: endgame::scale(board, strong),
        }
    }
}

/// The columns 0 to 4.
const LEFT: Bitboard = {
    let (mut left, mut number) = (0, 1);
    while let Some(square) = crate::draughts::Square::new(number) {
        if square.column() < 5 {
            left |= Bitboard::of(square).0;
        }
        number += 1;
    }
    Bitboard(left)
};

/// Calls `add` for every term that a side uses: with the index of its weight after those of the
/// patterns, and how often the side uses it.
#[inline(always)]
fn each_term(position: &Position, mut add: impl FnMut(Side, usize, i32)) {
    let board = position.board();
    let empty = board.empty();
    let few = board.occupied().len() <= 24;
    for side in Side::ALL {
        let (men, kings) = (board.men(side), board.kings(side));
        add(side, Term::Man.first(), men.len() as i32);
        let steps: u32 =
            Direction::forward(side).map(|way| (men.rotated(way) & empty).len()).iter().sum();
        add(side, Term::Mobility.first(), steps as i32);
        let (left, all) = ((men & LEFT).len() as i32, men.len() as i32);
        let lean = (2 * left - all).unsigned_abs().min(9) as usize;
        add(side, Term::Balance.first() + lean, 1);
        if kings.any() {
            let n = kings.len() as usize;
            add(side, Term::King.first(), 1);
            add(side, Term::King.first() + 1, i32::from(n > 1));
            add(side, Term::King.first() + 2, n.saturating_sub(2) as i32);
            if (kings & LONG_DIAGONAL).any() {
                add(side, Term::LongDiagonal.first(), 1);
            }
            let slides: u32 =
                Direction::ALL.map(|way| movegen::slide(kings, way, empty).len()).iter().sum();
            add(side, Term::KingMobility.first(), slides as i32);
            for king in kings {
                let place = king.relative_to(side).number() as usize - 1;
                add(side, Term::KingSquare.first() + place, 1);
            }
        }
        if few && board.kings(!side).is_empty() {
            for man in men - ahead_of(board, !side) {
                let row = man.relative_to(side).row();
                add(side, Term::Runaway.first() + row.min(9), 1);
            }
        }
    }
    add(position.side(), Term::Tempo.first(), 1);
}

/// The squares from which an opponent's man would meet a piece of `side` or what it can reach
/// going forward.
#[inline(always)]
fn ahead_of(board: &Board, side: Side) -> Bitboard {
    let mut cone = board.pieces(side);
    for _ in 0..9 {
        let [a, b] = Direction::forward(side);
        cone |= cone.step(a) | cone.step(b);
    }
    cone
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::rng::Rng;

    /// Positions from random games, many with kings.
    fn positions() -> Vec<Position> {
        let mut rng = Rng::new(7);
        let mut positions = Vec::new();
        for _ in 0..60 {
            let mut position = Position::start();
            for _ in 0..200 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position = position.play(moves[rng.below(moves.len())]);
                positions.push(position);
            }
        }
        positions
    }

    fn value(position: &Position) -> i32 {
        Evaluator.value(position)
    }

    /// The same position with the board turned and the colours exchanged.
    fn turned(position: &Position) -> Position {
        let list = |side: Side| {
            let piece = |s: crate::draughts::Square| {
                let king = if position.board().all_kings().has(s) { "K" } else { "" };
                format!("{king}{}", s.turned())
            };
            let pieces: Vec<String> =
                position.board().pieces(side).into_iter().map(piece).collect();
            pieces.join(",")
        };
        let side = if position.side().is_white() { "B" } else { "W" };
        let text = format!("{side}:W{}:B{}", list(Side::Black), list(Side::White));
        text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn colours_are_symmetric() {
        for position in positions() {
            if position.board().pieces(!position.side()).any() && position.has_moves() {
                assert_eq!(value(&position), value(&turned(&position)), "{position:?}");
            }
        }
    }

    #[test]
    fn the_accumulator_follows_the_moves() {
        let mut rng = Rng::new(11);
        for _ in 0..50 {
            let mut position = Position::start();
            let mut accumulator = Evaluator::accumulate(&position);
            for _ in 0..150 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let next = position.play(moves[rng.below(moves.len())]);
                accumulator = Evaluator::changed(&accumulator, &position, &next);
                position = next;
                assert_eq!(accumulator, Evaluator::accumulate(&position));
            }
        }
    }

    #[test]
    fn the_sample_gives_the_value() {
        let weights = WEIGHTS.to_vec();
        for position in positions() {
            let Sample { counts, phase, scale } = Evaluator.sample(&position);
            let mut sums = [0.0; 2];
            for (index, [white, black]) in counts {
                for (sum, weight) in sums.iter_mut().zip(weights[index]) {
                    *sum += weight * f32::from(white - black);
                }
            }
            let phase = phase as f32 / FULL_PHASE as f32;
            let sum = (sums[0] * phase + sums[1] * (1.0 - phase)) * scale as f32 / 16.0;
            let sum = if position.side().is_white() { sum } else { -sum };
            let value = value(&position) as f32;
            assert!((sum - value).abs() < 2.5, "{position:?}: {sum} {value}");
        }
    }

    #[test]
    fn material_counts_from_the_side_to_move() {
        for (fen, least, most) in [
            ("W:W31-50:B1-19", 50, 300),
            ("B:W31-50:B1-19", -300, -50),
            ("W:WK46,31:B1,2", 100, 800),
            // A lone king holds two.
            ("W:WK46,K41:BK30", -30, 60),
        ] {
            let value = value(&fen.parse().expect(fen));
            assert!((least..=most).contains(&value), "{fen}: {value}");
        }
    }

    #[test]
    fn the_long_diagonal_runs_from_5_to_46() {
        let numbers: Vec<u32> = LONG_DIAGONAL.into_iter().map(|square| square.number()).collect();
        assert_eq!(numbers, [5, 10, 14, 19, 23, 28, 32, 37, 41, 46]);
    }
}
