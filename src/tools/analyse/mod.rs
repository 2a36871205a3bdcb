//! Games with their story: the score of every move, the better line where one was missed, and how
//! accurately each player played.
//!
//! An [`Analyst`] searches the positions of a game and makes its [`Story`], which is all that takes
//! time. From game and story, records are annotated, pages and puzzles made; a [`journal`] keeps the
//! stories of the games analysed so far.

mod annotate;
mod chess;
mod draughts;
pub mod journal;
pub mod page;
pub(crate) mod points;
mod puzzle;
mod remarks;
mod story;
mod times;

pub use annotate::annotate;
pub use puzzle::{Puzzle, puzzles};
pub use remarks::{commands, read_score, visible_text};
pub use story::{Seen, Story};

use crate::arena::game::contest::{BookError, Contest};
use crate::base::game::Game;
use crate::record::games::Record;
use crate::search::driver::{Engine, Options, ResourceError, Root};
use crate::search::limits::Limits;
use crate::search::report::Info;
use crate::search::score::Score;
use crate::search::stop::StopHandle;
use std::path::Path;

/// Whether a book has a move.
pub type IsBookMove<G> = Box<dyn Fn(&G, <G as Game>::Move) -> bool + Send + Sync>;

/// A game that can be analysed.
pub trait Analysed: Contest {
    /// How many hundredths of a pawn or man multiply the odds of winning by e (2.718).
    const E_TIMES: f64;

    /// The score of a position without a legal move.
    fn score_at_end(&self) -> Score;

    /// The squares from which and to which a move goes, counted as in [`Contest::squares`].
    fn arrow(m: Self::Move) -> [usize; 2];

    /// The moves that count as known openings: those of a book, or of the game's own without a file.
    ///
    /// # Errors
    /// If the file cannot be read or is not a book of the game.
    fn book(file: Option<&Path>) -> Result<IsBookMove<Self>, BookError>;
}

/// Looks at games, one after the other, always with the same result.
#[derive(Debug)]
pub struct Analyst<G: Analysed> {
    engine: Engine<G::Searcher>,
    limits: Limits<G::Move>,
    stop: StopHandle,
}

impl<G: Analysed> Analyst<G> {
    /// An analyst with a transposition table of `hash_mb` times 2^20 bytes, who searches each position
    /// to these limits.
    ///
    /// # Errors
    /// If there is no memory or no thread for an engine.
    pub fn new(hash_mb: usize, limits: Limits<G::Move>) -> Result<Self, ResourceError> {
        Ok(Self {
            engine: Engine::new(Options { hash_mb, ..Options::default() })?,
            limits,
            stop: StopHandle::new(),
        })
    }

    /// The same analyst, whose searches end as soon as possible once this handle is stopped; what they then
    /// say is of no use.
    #[must_use]
    pub fn until(self, stop: StopHandle) -> Self {
        Self { stop, ..self }
    }

    /// The best lines of one position, the best first.
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
        let root = Root { history: history.to_vec(), ..Root::new(position.clone()) };
        let found = self.engine.search(&root, limits, &self.stop, None);
        let mut lines = found.lines;
        if lines.is_empty() {
            lines.extend(found.info);
        }
        lines.sort_by_key(|line| std::cmp::Reverse(line.score));
        lines
    }

    /// What the search says of each position of a game's main line; `done` is called after each.
    ///
    /// The last position is searched first: what the transposition table keeps of it tells the searches of
    /// the positions before where the moves of the game led.
    pub fn story(
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
            let found = self.search(position, &keys[..ply], 1, &limits).into_iter().next();
            seen.push(Seen {
                score: found.as_ref().map_or_else(|| position.score_at_end(), |info| info.score),
                line: found.map_or_else(Vec::new, |info| info.pv),
                is_forced: position.moves().len() < 2,
            });
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
        let mut analyst = Analyst::<Position>::new(4, Limits::nodes(20_000)).expect("memory");
        let lines = analyst.lines(&Position::start(), 20);
        assert_eq!(lines.len(), 20);
        assert!(lines.is_sorted_by(|a, b| a.score >= b.score));
    }
}
