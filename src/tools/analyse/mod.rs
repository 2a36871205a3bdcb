//! Analysis of games: the score of every move, a better line for each mistake, and each player's
//! accuracy.
//!
//! An [`Analyst`] searches the positions in a game, with Adoube's own search or another engine.
//! This takes almost all of the time. The result is the [`Story`] of the game. Annotated records,
//! HTML pages and puzzles are generated from games and their stories. A [`journal`] stores the
//! stories of analysed games.

mod annotate;
mod chess;
mod draughts;
pub mod journal;
mod own;
pub(crate) mod page;
mod peer;
pub(crate) mod points;
mod puzzle;
mod remarks;
mod story;
mod times;

pub(crate) use annotate::{annotate, is_by_analysis};
#[cfg(feature = "board")]
pub(crate) use peer::{legal_moves, to_score};
pub(crate) use puzzle::puzzles;
pub use remarks::{commands, read_score, visible_text};
pub use story::{Seen, Story};
#[cfg(feature = "board")]
pub(crate) use times::{clock, times};

use crate::arena::engine::entrant::Entrant;
use crate::arena::engine::failure::Failure;
use crate::arena::game::contest::{BookError, Contest};
use crate::base::game::Game;
use crate::endings::syzygy::Tables;
use crate::record::games::Record;
use crate::search::driver::{ResourceError, Searchable, Searcher};
use crate::search::limits::Limits;
use crate::search::score::Score;
use crate::search::stop::StopHandle;
use own::OwnSearch;
use peer::PeerSearch;
use std::path::Path;
use std::sync::Arc;

pub(crate) type Resources<G> = <<G as Searchable>::Searcher as Searcher>::Resources;

pub(crate) type IsBookMove<G> = Box<dyn Fn(&G, <G as Game>::Move) -> bool + Send + Sync>;

pub(crate) trait Analysed: Contest {
    /// The score at which the odds of winning are e (2.718) to 1, in hundredths of a pawn or man.
    const E_TIMES: f64;

    /// Returns the score of a position without legal moves.
    fn score_at_end(&self) -> Score;

    /// Describes how the game ends in a position without legal moves.
    fn end_text(&self) -> &'static str;

    /// Returns the resources that a search needs in addition to the position. Syzygy tables are
    /// used only in chess.
    fn resources(syzygy: Option<Arc<Tables>>) -> Resources<Self>;

    /// Returns whether the endgame tables show that this position is a draw, although a search may
    /// score it otherwise. In draughts, a search of such a position looks for winning chances
    /// instead of scoring it as a draw.
    fn is_table_draw(&self, resources: &Resources<Self>) -> bool;

    /// Returns the origin and destination squares of a move, numbered as in [`Contest::squares`].
    fn arrow(m: Self::Move) -> [usize; 2];

    /// Returns a function that recognises the moves in a book. The book is read from `file`. If
    /// there is no file, the function uses the game's built-in book. If the game has no built-in
    /// book, no move is a book move.
    fn book(file: Option<&Path>) -> Result<IsBookMove<Self>, BookError>;
}

/// A position with the positions and moves that led to it.
#[derive(Debug)]
struct PositionInGame<'a, G: Game> {
    position: &'a G,
    earlier: &'a [G],
    moves: &'a [G::Move],
}

/// A line found by a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct FoundLine<M> {
    /// The score from the point of view of the side to move.
    pub score: Score,
    pub depth: u32,
    pub nodes: u64,
    /// The moves of the line. A line has at least one move.
    pub moves: Vec<M>,
}

/// A search for the best lines in a position.
trait LineSearch<G: Analysed>: Send {
    /// Discards all information from earlier searches, such as the transposition table.
    fn clear(&mut self);

    /// Searches for the best `count` lines. The result is empty if the position has no legal moves.
    /// If stopped, returns the lines found so far.
    fn search(
        &mut self,
        from: &PositionInGame<'_, G>,
        count: usize,
        limits: &Limits<G::Move>,
        stop: &StopHandle,
    ) -> Result<Vec<FoundLine<G::Move>>, Failure>;

    /// Returns whether endgame tables show that the position is a draw, although the search may
    /// score it otherwise; see [`Analysed::is_table_draw`].
    fn is_table_draw(&self, _: &G) -> bool {
        false
    }
}

/// A worker that analyses games one after another. With Adoube's own search and without a time
/// limit, the results are reproducible.
pub(crate) struct Analyst<G: Analysed> {
    search: Box<dyn LineSearch<G>>,
    limits: Limits<G::Move>,
    stop: StopHandle,
    /// The number of lines to search for in each position of a game.
    lines: usize,
}

impl<G: Analysed> Analyst<G> {
    /// Creates an analyst with Adoube's own search.
    pub(crate) fn new(
        hash_mb: usize,
        limits: Limits<G::Move>,
        resources: Resources<G>,
    ) -> Result<Self, ResourceError> {
        Ok(Self::with_search(Box::new(OwnSearch::new(hash_mb, resources)?), limits))
    }

    /// Starts another engine and creates an analyst that uses it. `lines` is the number of lines
    /// in the first search. A search for a different number of lines restarts the engine.
    pub(crate) fn start(
        entrant: &Arc<Entrant>,
        limits: Limits<G::Move>,
        lines: usize,
    ) -> Result<Self, Failure> {
        Ok(Self::with_search(Box::new(PeerSearch::start(entrant, lines)?), limits))
    }

    fn with_search(search: Box<dyn LineSearch<G>>, limits: Limits<G::Move>) -> Self {
        Self { search, limits, stop: StopHandle::new(), lines: 1 }
    }

    /// Sets a handle that stops searches early. The result of a stopped search is meaningless.
    #[must_use]
    pub(crate) fn until(self, stop: StopHandle) -> Self {
        Self { stop, ..self }
    }

    /// Sets the number of lines to search for in each position of a game.
    #[must_use]
    pub(crate) fn with_lines(self, lines: usize) -> Self {
        Self { lines, ..self }
    }

    pub(crate) fn lines(
        &mut self,
        position: &G,
        count: usize,
    ) -> Result<Vec<FoundLine<G::Move>>, Failure> {
        let from = PositionInGame { position, earlier: &[], moves: &[] };
        self.search(&from, count, &self.limits.clone())
    }

    /// Searches a position, and sorts the lines by score.
    fn search(
        &mut self,
        from: &PositionInGame<'_, G>,
        count: usize,
        limits: &Limits<G::Move>,
    ) -> Result<Vec<FoundLine<G::Move>>, Failure> {
        let mut lines = self.search.search(from, count, limits, &self.stop)?;
        lines.sort_by_key(|line| std::cmp::Reverse(line.score));
        Ok(lines)
    }

    /// Searches each position in the main line. Calls `done` after each search.
    ///
    /// The positions are searched from last to first. When a position is searched, the
    /// transposition table therefore already contains the results for the positions that followed
    /// in the game.
    pub(crate) fn story(
        &mut self,
        game: &Record<G>,
        is_book_move: &IsBookMove<G>,
        done: &dyn Fn(),
    ) -> Result<Story<G::Move>, Failure> {
        self.search.clear();
        let positions = game.positions();
        let moves: Vec<_> = game.moves().collect();
        let is_book = |&(position, m): &(&G, &G::Move)| is_book_move(position, *m);
        let book = positions.iter().zip(&moves).take_while(is_book).count();
        let limits = self.limits.clone();
        let mut seen: Vec<_> = Vec::with_capacity(positions.len());
        for (ply, position) in positions.iter().enumerate().rev() {
            let from =
                PositionInGame { position, earlier: &positions[..ply], moves: &moves[..ply] };
            let lines = self.search(&from, self.lines, &limits)?;
            let is_draw = self.search.is_table_draw(position);
            let mut lines = lines.into_iter().map(|line| match is_draw {
                true => (line.score.min(Score::DRAW), line.moves),
                false => (line.score, line.moves),
            });
            let (score, line) = match lines.next() {
                Some((_, line)) if is_draw => (Score::DRAW, line),
                Some(best) => best,
                None => (position.score_at_end(), Vec::new()),
            };
            let others = lines.collect();
            seen.push(Seen { score, line, others, is_forced: position.moves().len() < 2 });
            done();
        }
        seen.reverse();
        Ok(Story { seen, book, puzzles: Vec::new() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;

    #[test]
    fn sorts_lines_by_score() {
        let mut analyst =
            Analyst::<Position>::new(4, Limits::nodes(20_000), Resources::<Position>::default())
                .expect("memory");
        let lines = analyst.lines(&Position::start(), 20).expect("lines");
        assert_eq!(lines.len(), 20);
        assert!(lines.is_sorted_by(|a, b| a.score >= b.score));
    }
}
