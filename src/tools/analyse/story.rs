//! What a search says of a game, and what that makes of its moves.

use super::{Analysed, points};
use crate::base::side::Side;
use crate::record::games::Record;
use crate::search::score::Score;

/// What the search says of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seen<M> {
    /// The score, seen from the side to move.
    pub score: Score,
    /// The best line; empty if there is no legal move.
    pub line: Vec<M>,
    /// Whether there is at most one legal move.
    pub is_forced: bool,
}

/// What the search says of the main line of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Story<M> {
    /// Each position, that after the last move included.
    pub seen: Vec<Seen<M>>,
    /// The number of moves at the beginning that a book has.
    pub book: usize,
    /// The numbers of the moves, from 0, before which one move won and no other; see
    /// [`Analyst::find_puzzles`](super::Analyst::find_puzzles).
    pub puzzles: Vec<usize>,
}

/// A move, judged.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Judged {
    /// Who played it.
    pub side: Side,
    /// The points that the player could expect before the move, from 0 to 1.
    pub before: f64,
    /// The points that the move lost. A move of the book, a forced move and the one that the search
    /// would play lose none.
    pub loss: f64,
    /// Whether a book has it and all moves before it.
    pub is_book: bool,
    /// Whether it counts for the player's accuracy: it was neither forced nor in the book.
    pub counts: bool,
}

/// What a player's moves were worth.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Play {
    /// The moves that count.
    pub moves: u32,
    /// The points that they lost in all.
    pub loss: f64,
    /// The sum of their accuracies, in percent.
    accuracy: f64,
    /// How many have each of the signs, in the order of [`points::SIGNS`].
    pub signs: [u32; points::SIGNS.len()],
}

impl<M: Copy + Eq> Story<M> {
    /// The moves of the game whose story this is, judged.
    pub fn judge<G: Analysed<Move = M>>(&self, game: &Record<G>) -> Vec<Judged> {
        let expected = |seen: &Seen<M>| points::expected(seen.score, G::E_TIMES);
        let first = game.start().side();
        let positions = self.seen.iter().zip(self.seen.iter().skip(1));
        let judged = game.moves().zip(positions).enumerate().map(|(ply, (m, (seen, next)))| {
            let (before, after) = (expected(seen), 1.0 - expected(next));
            let is_book = ply < self.book;
            let counts = !seen.is_forced && !is_book;
            let is_blamed = counts && seen.line.first() != Some(&m);
            let loss = if is_blamed { (before - after).max(0.0) } else { 0.0 };
            let side = if ply % 2 == 0 { first } else { !first };
            Judged { side, before, loss, is_book, counts }
        });
        judged.collect()
    }
}

impl Play {
    /// What White's and Black's moves were worth.
    pub fn of(moves: &[Judged]) -> [Self; 2] {
        let mut plays = [Self::default(); 2];
        for m in moves.iter().filter(|m| m.counts) {
            let play = &mut plays[m.side.index()];
            play.moves += 1;
            play.loss += m.loss;
            play.accuracy += points::accuracy(m.before, m.before - m.loss);
            if let Some(index) = points::SIGNS.iter().position(|sign| m.loss >= sign.least) {
                play.signs[index] += 1;
            }
        }
        plays
    }

    /// The mean accuracy in percent and the mean loss of a move in points; `None` if none counts.
    pub fn means(&self) -> Option<(f64, f64)> {
        let count = f64::from(self.moves);
        (self.moves > 0).then(|| (self.accuracy / count, self.loss / count))
    }
}
