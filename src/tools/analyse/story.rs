//! The analysis of a game, called its story, and the judgement of its moves.

use super::{Analysed, points};
use crate::base::side::Side;
use crate::record::games::Record;
#[cfg(feature = "board")]
use crate::record::games::{Line, Node};
use crate::search::score::Score;

/// The analysis of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seen<M> {
    /// The score from the point of view of the side to move.
    pub score: Score,
    /// The best line. It is empty for a position without legal moves, and for the last position of
    /// a story that was read from a record.
    pub line: Vec<M>,
    /// The next-best lines with their scores, if the analysis has several lines.
    pub others: Vec<(Score, Vec<M>)>,
    /// True if at most one move is legal.
    pub is_forced: bool,
}

impl<M> Seen<M> {
    /// Returns all lines with their scores, best first.
    pub(super) fn lines(&self) -> impl Iterator<Item = (Score, &[M])> {
        let others = self.others.iter().map(|(score, line)| (*score, &line[..]));
        std::iter::once((self.score, &self.line[..])).chain(others)
    }
}

/// The analysis of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Story<M> {
    /// The analysis of each position, including the last.
    pub seen: Vec<Seen<M>>,
    /// The number of book moves at the beginning of the game.
    pub book: usize,
    /// The plies of the puzzles, counted from 0; see
    /// [`Analyst::find_puzzles`](super::Analyst::find_puzzles).
    pub puzzles: Vec<usize>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Judged {
    pub side: Side,
    /// The player's expected points before the move, from 0 to 1.
    pub before: f64,
    /// The expected points that the move lost. The loss is 0 for book moves, forced moves, null
    /// moves and the best move found by the search.
    pub loss: f64,
    /// True if this move and all earlier moves are in the book.
    pub is_book: bool,
    /// True if the move affects the accuracy. Book moves, forced moves and null moves do not.
    pub counts: bool,
}

/// Statistics on one side's moves.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Play {
    /// The number of moves that affect the accuracy.
    pub moves: u32,
    /// The total loss of these moves, in expected points.
    pub loss: f64,
    /// The sum of the accuracies of these moves, in percent.
    accuracy: f64,
    /// The number of moves with each glyph in [`points::SIGNS`].
    pub signs: [u32; points::SIGNS.len()],
}

impl<M: Copy + Eq> Story<M> {
    /// Reads the story of a game from the annotations that [`annotate`](super::annotate) wrote: the
    /// scores in the comments, and the better lines in the variations. A position without a score
    /// gets the last score before it or, if there is none, the first score in the game. Returns
    /// `None` if fewer than two positions have a score.
    #[cfg(feature = "board")]
    pub(crate) fn from_record<G: Analysed<Move = M>>(game: &Record<G>) -> Option<Self> {
        let (positions, nodes) = (game.positions(), &game.line().moves);
        let read = |comments: &[String], side| {
            comments.iter().find_map(|comment| super::read_score(comment, side))
        };
        let better = |ply: usize| {
            let side = positions[ply].side();
            let variations = nodes.get(ply).into_iter().flat_map(|node| &node.variations);
            variations.filter_map(move |line: &Line<M>| {
                let score = read(&line.moves.first()?.comments, side)?;
                Some((score, line.moves.iter().map(|node| node.m).collect::<Vec<_>>()))
            })
        };
        // The score of the start position is in the better line, because no move precedes the
        // position.
        let first = better(0).next().map(|(score, _)| score);
        let after = |(node, position): (&Node<M>, &G)| read(&node.comments, position.side());
        let scores: Vec<Option<Score>> =
            [first].into_iter().chain(nodes.iter().zip(&positions[1..]).map(after)).collect();
        if scores.iter().flatten().count() < 2 {
            return None;
        }
        let mut last_score = scores.iter().flatten().next().copied().unwrap_or(Score::DRAW);
        let seen = positions.iter().zip(scores).enumerate().map(|(ply, (position, score))| {
            last_score = score.unwrap_or(last_score);
            // Scores in records are from White's point of view.
            let own = |score: Score| if position.side().is_white() { score } else { -score };
            let mut lines = better(ply);
            let line = match (lines.next(), nodes.get(ply)) {
                (Some((_, line)), _) => line,
                (None, Some(node)) => vec![node.m],
                (None, None) => Vec::new(),
            };
            let others = lines.map(|(score, line)| (own(score), line)).collect();
            let score = own(last_score);
            Seen { score, line, others, is_forced: position.moves().len() < 2 }
        });
        let is_book = |node: &&Node<M>| node.comments.iter().any(|comment| comment == "book");
        let book = nodes.iter().take_while(is_book).count();
        Some(Self { seen: seen.collect(), book, puzzles: Vec::new() })
    }

    pub(crate) fn judge<G: Analysed<Move = M>>(&self, game: &Record<G>) -> Vec<Judged> {
        let expected = |seen: &Seen<M>| points::expected_points(seen.score, G::E_TIMES);
        let first = game.start().side();
        let positions = self.seen.iter().zip(self.seen.iter().skip(1));
        let judged = game.moves().zip(positions).enumerate().map(|(ply, (m, (seen, next)))| {
            let (before, after) = (expected(seen), 1.0 - expected(next));
            let is_book = ply < self.book;
            let counts = !seen.is_forced && !is_book && Some(m) != G::NULL_MOVE;
            let is_blamed = counts && seen.line.first() != Some(&m);
            let loss = if is_blamed { (before - after).max(0.0) } else { 0.0 };
            let side = if ply % 2 == 0 { first } else { !first };
            Judged { side, before, loss, is_book, counts }
        });
        judged.collect()
    }
}

#[cfg(feature = "board")]
impl<M: Copy + Eq> Story<M> {
    /// Returns the mean accuracy of White's and of Black's moves in percent, over the moves for
    /// which `is_wanted` returns true. Its argument is the ply, counted from 0.
    pub(crate) fn accuracy<G: Analysed<Move = M>>(
        &self,
        game: &Record<G>,
        is_wanted: impl Fn(usize) -> bool,
    ) -> [Option<f64>; 2] {
        let judged = self.judge(game).into_iter().enumerate();
        let wanted: Vec<_> = judged.filter(|(ply, _)| is_wanted(*ply)).map(|(_, m)| m).collect();
        Play::of(&wanted).map(|play| play.means().map(|(accuracy, _)| accuracy))
    }
}

impl Play {
    pub(super) fn of(moves: &[Judged]) -> [Self; 2] {
        let mut plays = [Self::default(); 2];
        for m in moves.iter().filter(|m| m.counts) {
            let play = &mut plays[m.side.index()];
            play.moves += 1;
            play.loss += m.loss;
            play.accuracy += points::accuracy(m.before, m.before - m.loss);
            if let Some(index) = points::SIGNS.iter().position(|sign| m.loss >= sign.min_loss) {
                play.signs[index] += 1;
            }
        }
        plays
    }

    /// Returns the mean accuracy in percent and the mean loss per move in expected points, or
    /// `None` if there are no moves.
    pub(super) fn means(&self) -> Option<(f64, f64)> {
        let count = f64::from(self.moves);
        (self.moves > 0).then(|| (self.accuracy / count, self.loss / count))
    }
}
