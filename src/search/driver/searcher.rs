//! The part of a search that each game implements, and the root of a search.

use super::root_move::TablebaseRank;
use super::worker::Worker;
use crate::base::game::Game;
use crate::record::games::{IllegalMove, Record, Recorded};
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
    #[doc(hidden)]
    pub constants: Arc<S::Constants>,
    /// The tables and networks of the search.
    #[doc(hidden)]
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

    /// Makes a legal move or a null move, without checking the move. The position before the move
    /// becomes part of the history.
    pub(crate) fn play_unchecked(&mut self, m: S::Move) {
        self.history.push(self.position.key());
        self.position = self.position.after(m);
    }
}

impl<S: Searcher> Root<S>
where
    S::Position: Recorded,
{
    /// Creates a root at the end of a game's main line. The earlier positions of the game become
    /// the history, so that the search detects repetitions.
    ///
    /// ```
    /// use adoube::chess::Game;
    /// use adoube::engine::{ChessEngine, ChessRoot, Limits, Options, StopHandle};
    ///
    /// let game: Game = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1".parse()?;
    /// let root = ChessRoot::from_game(&game);
    /// assert_eq!(root.history.len(), 7);
    ///
    /// let mut engine = ChessEngine::new(Options { hash_mb: 1, ..Options::default() })?;
    /// // The start position would occur for the third time.
    /// let repeat = root.position.parse_san("Ng8")?;
    /// let limits = Limits { searchmoves: vec![repeat], ..Limits::depth(2) };
    /// let result = engine.search(&root, &limits, &StopHandle::new(), None);
    /// assert_eq!(result.info.map(|info| info.score.centipawns()), Some(0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Draughts works the same way:
    ///
    /// ```
    /// use adoube::draughts::Game;
    /// use adoube::engine::{DraughtsEngine, DraughtsRoot, Limits, Options, StopHandle};
    ///
    /// let game: Game = "1. 32-28 19-23".parse()?;
    /// let mut engine = DraughtsEngine::new(Options { hash_mb: 1, ..Options::default() })?;
    /// let root = DraughtsRoot::from_game(&game);
    /// let result = engine.search(&root, &Limits::depth(4), &StopHandle::new(), None);
    /// // The only legal move is the capture.
    /// assert_eq!(result.best, Some(root.position.legal_moves()[0]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_game(game: &Record<S::Position>) -> Self {
        let mut root = Self::new(game.start().clone());
        game.moves().for_each(|m| root.play_unchecked(m));
        root
    }

    /// Makes a move. The position before the move becomes part of the history.
    ///
    /// # Panics
    /// Panics if the move is not legal in this position. See [`Self::try_play`] for a version that
    /// returns an error.
    #[track_caller]
    pub fn play(&mut self, m: S::Move) {
        if let Err(error) = self.try_play(m) {
            panic!("{error}");
        }
    }

    /// Makes a move. The position before the move becomes part of the history.
    ///
    /// # Errors
    /// Returns an error if the move is not legal in this position. The root is then unchanged.
    pub fn try_play(&mut self, m: S::Move) -> Result<(), IllegalMove<S::Move>> {
        if !self.position.moves().contains(&m) {
            return Err(IllegalMove::new(&self.position, m));
        }
        self.play_unchecked(m);
        Ok(())
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

#[cfg(test)]
mod tests {
    use crate::chess::{Move, Position, Square};
    use crate::search::chess::Root;

    #[test]
    fn rejects_illegal_moves() {
        let mut root = Root::new(Position::start());
        let illegal = Move::normal(Square::A1, Square::H8);
        let error = root.try_play(illegal).expect_err("the rook is blocked");
        assert_eq!((error.m, error.fen), (illegal, Position::start().fen()));
        assert_eq!((&root.position, root.history.len()), (&Position::start(), 0));
        let e4 = root.position.parse_san("e4").expect("legal");
        assert_eq!(root.try_play(e4), Ok(()));
        assert_eq!(root.history, [Position::start().key()]);
        let panicked = std::panic::catch_unwind(move || root.play(illegal));
        assert!(panicked.is_err(), "an illegal move panics");
    }
}
