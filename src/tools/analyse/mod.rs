//! Analysis of games: the score of every move, a better line for each mistake, and each player's
//! accuracy.
//!
//! An [`Analyst`] searches the positions in a game, which takes almost all of the time. The result
//! is the [`Story`] of the game. Annotated records, HTML pages and puzzles are generated from games
//! and their stories. A [`journal`] stores the stories of analysed games.

mod annotate;
mod chess;
mod draughts;
pub mod journal;
pub(crate) mod page;
pub(crate) mod points;
mod puzzle;
mod remarks;
mod story;
mod times;

pub(crate) use annotate::{annotate, is_by_analysis};
pub(crate) use puzzle::puzzles;
pub use remarks::{commands, read_score, visible_text};
pub use story::{Seen, Story};
#[cfg(feature = "board")]
pub(crate) use times::{clock, times};

use crate::arena::game::contest::{BookError, Contest};
use crate::base::game::Game;
use crate::endings::syzygy::Tables;
use crate::record::games::Record;
use crate::search::driver::{Engine, Options, ResourceError, Root, Searchable, Searcher};
use crate::search::limits::Limits;
use crate::search::report::Info;
use crate::search::score::Score;
use crate::search::stop::StopHandle;
use std::path::Path;
use std::sync::Arc;

pub(crate) type Resources<G> = <<G as Searchable>::Searcher as Searcher>::Resources;

pub(crate) type IsBookMove<G> = Box<dyn Fn(&G, <G as Game>::Move) -> bool + Send + Sync>;

pub(crate) trait Analysed: Contest {
    /// The score at which the odds of winning are e (2.718) to 1, in hundredths of a pawn or man.
    const E_TIMES: f64;

    /// Returns the score of this position, which has no legal move.
    fn score_at_end(&self) -> Score;

    /// Returns what a search needs besides the position. Syzygy tables are used only in chess.
    fn resources(syzygy: Option<Arc<Tables>>) -> Resources<Self>;

    /// Returns whether the endgame tables show that this position is a draw, although a search may
    /// score it otherwise. In draughts, a search for a move looks for winning chances even then.
    fn is_table_draw(&self, resources: &Resources<Self>) -> bool;

    /// Returns the origin and destination squares of a move, numbered as in [`Contest::squares`].
    fn arrow(m: Self::Move) -> [usize; 2];

    /// Returns a function that recognises the moves in a book. The book is read from `file`. If
    /// there is no file, the function uses the game's built-in book. If the game has no built-in
    /// book, no move is a book move.
    fn book(file: Option<&Path>) -> Result<IsBookMove<Self>, BookError>;
}

/// An engine that analyses one game after another, with reproducible results.
#[derive(Debug)]
pub(crate) struct Analyst<G: Analysed> {
    engine: Engine<G::Searcher>,
    limits: Limits<G::Move>,
    resources: Resources<G>,
    stop: StopHandle,
    /// The number of lines to search for in each position of a game.
    lines: usize,
}

impl<G: Analysed> Analyst<G> {
    pub(crate) fn new(
        hash_mb: usize,
        limits: Limits<G::Move>,
        resources: Resources<G>,
    ) -> Result<Self, ResourceError> {
        Ok(Self {
            engine: Engine::new(Options { hash_mb, ..Options::default() })?,
            limits,
            resources,
            stop: StopHandle::new(),
            lines: 1,
        })
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

    pub fn lines(&mut self, position: &G, count: usize) -> Vec<Info<G::Move>> {
        self.search(position, &[], count, &self.limits.clone())
    }

    fn search(
        &mut self,
        position: &G,
        history: &[u64],
        count: usize,
        limits: &Limits<G::Move>,
    ) -> Vec<Info<G::Move>> {
        self.engine.options.multipv = count;
        let root = Root {
            history: history.to_vec(),
            resources: self.resources.clone(),
            ..Root::new(position.clone())
        };
        let found = self.engine.search(&root, limits, &self.stop, None);
        let mut lines = found.lines;
        if lines.is_empty() {
            lines.extend(found.info);
        }
        lines.sort_by_key(|line| std::cmp::Reverse(line.score));
        lines
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
    ) -> Story<G::Move> {
        self.engine.clear();
        let positions = game.positions();
        let is_book = |(position, m): &(&G, G::Move)| is_book_move(position, *m);
        let book = positions.iter().zip(game.moves()).take_while(is_book).count();
        let keys: Vec<_> = positions.iter().map(Game::key).collect();
        let limits = self.limits.clone();
        let mut seen: Vec<_> = Vec::with_capacity(positions.len());
        for (ply, position) in positions.iter().enumerate().rev() {
            let lines = self.search(position, &keys[..ply], self.lines, &limits);
            let is_draw = position.is_table_draw(&self.resources);
            let mut lines = lines.into_iter().map(|info| match is_draw {
                true => (info.score.min(Score::DRAW), info.pv),
                false => (info.score, info.pv),
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
        Story { seen, book, puzzles: Vec::new() }
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
        let lines = analyst.lines(&Position::start(), 20);
        assert_eq!(lines.len(), 20);
        assert!(lines.is_sorted_by(|a, b| a.score >= b.score));
    }
}
