//! The part of a search that each game implements, and the root of a search.

use super::root_move::TablebaseRank;
use super::worker::Worker;
use crate::base::game::Game;
use crate::search::constants::Constants;
use crate::search::depth::Depth;
use crate::search::score::Score;
use crate::search::tt::Table;
use crate::search::window::Window;
use std::fmt;
use std::sync::Arc;

pub trait Searchable: Game {
    type Searcher: Searcher<Position = Self, Move = Self::Move>;
}

/// A search for one kind of game (chess or draughts). Each value holds the state of one thread. The
/// state is kept between searches.
pub trait Searcher: Sized + Send {
    type Position: Game<Move = Self::Move>;
    type Move: Copy + Eq + fmt::Debug + Send + Sync;
    type Constants: Constants;
    /// Tables and networks, loaded once and shared by all threads.
    type Resources: Clone + Default + fmt::Debug + Send + Sync;

    fn new() -> Self;

    fn clear(&mut self);

    /// Returns the tablebase ranks of all root moves, or an empty list.
    fn tablebase_moves(_root: &Root<Self>) -> Vec<(Self::Move, TablebaseRank)> {
        Vec::new()
    }

    /// Converts an internal score to the scale shown to users. The scales differ if the evaluation
    /// was not trained in hundredths of a pawn or man.
    fn display_score(score: Score) -> Score {
        score
    }

    /// Returns half the width of the first aspiration window for a previous score of 0, on the
    /// internal scale.
    fn aspiration(&self) -> i32 {
        12
    }

    fn begin(&mut self, root: &Root<Self>);

    /// Searches the root moves from [`Worker::first`] on within the window, and passes each result
    /// to [`Worker::note_root_move`].
    fn search_root(
        &mut self,
        root: &Root<Self>,
        worker: &mut Worker<'_, Self::Move>,
        depth: Depth,
        window: Window,
    ) -> Score;

    /// Returns a legal move for extending a line that ends in `position`, usually from the table.
    /// Returns `None` if there is no such move or the game is drawn.
    fn continuation(position: &Self::Position, table: &Table) -> Option<Self::Move>;
}

pub type RootOf<G> = Root<<G as Searchable>::Searcher>;

/// The start of a search: a position, the earlier positions of the game, and the constants and
/// resources of the search.
pub struct Root<S: Searcher> {
    /// The position.
    pub position: S::Position,
    /// The keys of the earlier positions of the game, oldest first. Keys before the last
    /// irreversible move may be missing.
    pub history: Vec<u64>,
    /// The constants of the search.
    pub constants: Arc<S::Constants>,
    /// The tables and networks of the search.
    pub resources: S::Resources,
}

impl<S: Searcher> Root<S> {
    /// Creates a root without earlier positions, with the default constants and resources.
    pub fn new(position: S::Position) -> Self {
        Self {
            position,
            history: Vec::new(),
            constants: Arc::default(),
            resources: S::Resources::default(),
        }
    }

    /// Makes a legal move. The position before the move becomes part of the history.
    pub fn play(&mut self, m: S::Move) {
        self.history.push(self.position.key());
        self.position = self.position.after(m);
    }
}

impl<S: Searcher> Clone for Root<S> {
    fn clone(&self) -> Self {
        Self {
            position: self.position.clone(),
            history: self.history.clone(),
            constants: Arc::clone(&self.constants),
            resources: self.resources.clone(),
        }
    }
}

impl<S: Searcher> fmt::Debug for Root<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Root").field("position", &self.position).finish_non_exhaustive()
    }
}
